#include "linkwork/model/mechanism.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace linkwork {

namespace {

enum class Where { plane, space, both };

struct BodyWord {
  std::string_view word;
  QuantityKind kind;
  std::string_view unit;
  Where where;

  bool fits(const Mechanism& mechanism) const {
    const bool spatial = mechanism.space == Space::spatial;
    return where == Where::both || (where == Where::space ? spatial : !spatial || mechanism.lifted);
  }
};

constexpr std::array kBodyWords{
    BodyWord{"x", QuantityKind::body_x, "m", Where::both},
    BodyWord{"y", QuantityKind::body_y, "m", Where::both},
    BodyWord{"z", QuantityKind::body_z, "m", Where::space},
    BodyWord{"angle", QuantityKind::body_angle, "rad", Where::plane},
    BodyWord{"x_rate", QuantityKind::body_x_rate, "m/s", Where::both},
    BodyWord{"y_rate", QuantityKind::body_y_rate, "m/s", Where::both},
    BodyWord{"z_rate", QuantityKind::body_z_rate, "m/s", Where::space},
    BodyWord{"angle_rate", QuantityKind::body_angle_rate, "rad/s", Where::plane},
    BodyWord{"wx", QuantityKind::body_wx, "rad/s", Where::space},
    BodyWord{"wy", QuantityKind::body_wy, "rad/s", Where::space},
    BodyWord{"wz", QuantityKind::body_wz, "rad/s", Where::space},
    BodyWord{"wx_body", QuantityKind::body_wx_body, "rad/s", Where::space},
    BodyWord{"wy_body", QuantityKind::body_wy_body, "rad/s", Where::space},
    BodyWord{"wz_body", QuantityKind::body_wz_body, "rad/s", Where::space},
    BodyWord{"vx_body", QuantityKind::body_vx_body, "m/s", Where::both},
    BodyWord{"vy_body", QuantityKind::body_vy_body, "m/s", Where::both},
    BodyWord{"vz_body", QuantityKind::body_vz_body, "m/s", Where::space},
};

struct JointWord {
  std::string_view word;
  QuantityKind kind;
  std::string_view unit;
  bool (*fits)(JointKind);
};

constexpr std::array kJointWords{
    JointWord{"angle", QuantityKind::joint_angle, "rad", hasAngle},
    JointWord{"slide", QuantityKind::joint_slide, "m", hasSlide},
    JointWord{"angle_rate", QuantityKind::joint_angle_rate, "rad/s", hasAngle},
    JointWord{"slide_rate", QuantityKind::joint_slide_rate, "m/s", hasSlide},
};

std::optional<Quantity> quantityOfBody(const Mechanism& mechanism, int index, std::string_view word) {
  for (const BodyWord& body_word : kBodyWords) {
    if (word == body_word.word && body_word.fits(mechanism)) return Quantity{body_word.kind, index};
  }
  return std::nullopt;
}

// "angle_z", and where an axis comes twice "angle_z1", "angle_z2".
std::string turnWord(const Joint& joint, int turn) {
  std::string word = fmt::format("angle_{}", joint.angles[static_cast<std::size_t>(turn)]);
  if (joint.angles[0] == joint.angles[2] && turn != 1) word += turn == 0 ? "1" : "2";
  return word;
}
int turnOf(QuantityKind kind) {
  const int k = static_cast<int>(kind) - static_cast<int>(QuantityKind::joint_turn_1);
  return k < 0 || k >= 6 ? -1 : k % 3;
}
QuantityKind turnKind(int turn, bool rate) {
  return static_cast<QuantityKind>(static_cast<int>(QuantityKind::joint_turn_1) + turn + (rate ? 3 : 0));
}

// `rate` stands for the one rate of a joint that has but one.
bool hasOneRate(JointKind kind) { return hasAngle(kind) != hasSlide(kind); }

std::optional<Quantity> quantityOfJoint(const Joint& joint, int index, std::string_view word) {
  for (const JointWord& joint_word : kJointWords) {
    if (!joint_word.fits(joint.kind)) continue;
    const bool short_form = word == "rate" && isRate(joint_word.kind) && hasOneRate(joint.kind);
    if (word == joint_word.word || short_form) return Quantity{joint_word.kind, index};
  }
  for (int turn = 0; turn < 3 && hasTurns(joint); ++turn) {
    const std::string own = turnWord(joint, turn);
    if (word == own) return Quantity{turnKind(turn, false), index};
    if (word == own + "_rate") return Quantity{turnKind(turn, true), index};
  }
  return std::nullopt;
}

}  // namespace

Quaternion product(const Quaternion& a, const Quaternion& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

std::string_view Mechanism::bodyName(BodyIndex index) const {
  return index.valid() ? std::string_view(bodies[index.at()].name) : std::string_view("ground");
}

bool hasAngle(JointKind kind) {
  return kind == JointKind::revolute || kind == JointKind::cylindrical || kind == JointKind::screw;
}

bool hasSlide(JointKind kind) {
  return kind == JointKind::prismatic || kind == JointKind::pin_slot || kind == JointKind::cylindrical ||
         kind == JointKind::screw;
}

bool hasTurns(const Joint& joint) { return joint.angles.size() == 3; }

std::array<int, 3> axesOfTurns(const Joint& joint) {
  return {joint.angles[0] - 'x', joint.angles[1] - 'x', joint.angles[2] - 'x'};
}

bool isRelation(JointKind kind) {
  return kind == JointKind::gear || kind == JointKind::rack || kind == JointKind::coupling ||
         kind == JointKind::expression || kind == JointKind::velocity;
}

Expr relationOf(const Mechanism& mechanism, const Joint& joint) {
  if (joint.kind == JointKind::expression || joint.kind == JointKind::velocity) return joint.expression;
  Expr sum = -joint.offset.expr;
  for (auto term = joint.terms.rbegin(); term != joint.terms.rend(); ++term) {
    sum = term->coefficient.expr * Expr::symbol(quantityName(mechanism, term->quantity)) + sum;
  }
  return sum;
}

std::vector<BodyIndex> relatedBodies(const Mechanism& mechanism, const Joint& joint) {
  std::vector<BodyIndex> bodies;
  const auto add = [&](BodyIndex body) {
    if (body.valid()) bodies.push_back(body);
  };
  for (const std::string& name : symbolsOf(relationOf(mechanism, joint))) {
    const std::optional<Quantity> quantity = findQuantity(mechanism, name);
    if (!quantity || quantity->kind == QuantityKind::time) continue;
    if (isOfJoint(quantity->kind)) {
      const Joint& of = mechanism.joints[static_cast<std::size_t>(quantity->index)];
      add(of.first);
      add(of.second);
    } else {
      add(BodyIndex(quantity->index));
    }
  }
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  return bodies;
}

bool isRate(QuantityKind kind) {
  switch (kind) {
    case QuantityKind::body_x_rate:
    case QuantityKind::body_y_rate:
    case QuantityKind::body_z_rate:
    case QuantityKind::body_angle_rate:
    case QuantityKind::body_wx:
    case QuantityKind::body_wy:
    case QuantityKind::body_wz:
    case QuantityKind::body_wx_body:
    case QuantityKind::body_wy_body:
    case QuantityKind::body_wz_body:
    case QuantityKind::body_vx_body:
    case QuantityKind::body_vy_body:
    case QuantityKind::body_vz_body:
    case QuantityKind::joint_angle_rate:
    case QuantityKind::joint_slide_rate:
    case QuantityKind::joint_turn_1_rate:
    case QuantityKind::joint_turn_2_rate:
    case QuantityKind::joint_turn_3_rate: return true;
    default: return false;
  }
}

bool isOfJoint(QuantityKind kind) { return kind >= QuantityKind::joint_angle; }

std::string_view wordFor(JointKind kind) {
  switch (kind) {
    case JointKind::revolute: return "revolute";
    case JointKind::prismatic: return "prismatic";
    case JointKind::pin_slot: return "pin_slot";
    case JointKind::fixed: return "fixed";
    case JointKind::distance: return "distance";
    case JointKind::cylindrical: return "cylindrical";
    case JointKind::spherical: return "spherical";
    case JointKind::universal: return "universal";
    case JointKind::planar: return "planar";
    case JointKind::point_line: return "point_line";
    case JointKind::point_plane: return "point_plane";
    case JointKind::parallel_axes: return "parallel_axes";
    case JointKind::perpendicular: return "perpendicular";
    case JointKind::screw: return "screw";
    case JointKind::constant_velocity: return "constant_velocity";
    case JointKind::gear: return "gear";
    case JointKind::rack: return "rack";
    case JointKind::coupling: return "coupling";
    case JointKind::expression: return "expression";
    case JointKind::curve: return "curve";
    case JointKind::rolling: return "rolling";
    case JointKind::knife_edge: return "knife_edge";
    case JointKind::velocity: return "velocity";
    case JointKind::floating: break;
  }
  return "floating";
}

std::string_view wordFor(DriveKind kind) {
  switch (kind) {
    case DriveKind::angle: return "angle";
    case DriveKind::slide: return "slide";
    case DriveKind::distance: return "distance";
    case DriveKind::quantity: return "quantity";
    case DriveKind::coordinate: break;
  }
  return "coordinate";
}

std::optional<Quantity> findQuantity(const Mechanism& mechanism, std::string_view name) {
  if (name == "t") return Quantity{QuantityKind::time, -1};
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::string_view owner = name.substr(0, dot);
  const std::string_view word = name.substr(dot + 1);
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
    if (mechanism.bodies[i].name == owner) return quantityOfBody(mechanism, static_cast<int>(i), word);
  }
  for (std::size_t i = 0; i < mechanism.joints.size(); ++i) {
    if (mechanism.joints[i].name == owner) return quantityOfJoint(mechanism.joints[i], static_cast<int>(i), word);
  }
  // A flexible link goes by its first element.
  for (const FlexibleLink& link : mechanism.links) {
    if (link.name == owner) return quantityOfBody(mechanism, link.elements.front().value(), word);
  }
  return std::nullopt;
}

std::optional<Quantity> quantityOf(const Mechanism& mechanism, BodyIndex body, std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos || body.at() >= mechanism.bodies.size()) return std::nullopt;
  return quantityOfBody(mechanism, body.value(), name.substr(dot + 1));
}

std::optional<Quantity> quantityOf(const Mechanism& mechanism, JointIndex joint, std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos || joint.at() >= mechanism.joints.size()) return std::nullopt;
  return quantityOfJoint(mechanism.joints[joint.at()], joint.value(), name.substr(dot + 1));
}

std::string quantityName(const Mechanism& mechanism, const Quantity& quantity) {
  if (quantity.kind == QuantityKind::time) return "t";
  const auto index = static_cast<std::size_t>(quantity.index);
  if (const int turn = turnOf(quantity.kind); turn >= 0) {
    const Joint& joint = mechanism.joints[index];
    return fmt::format("{}.{}{}", joint.name, turnWord(joint, turn), isRate(quantity.kind) ? "_rate" : "");
  }
  for (const JointWord& word : kJointWords) {
    if (quantity.kind == word.kind) return fmt::format("{}.{}", mechanism.joints[index].name, word.word);
  }
  for (const BodyWord& word : kBodyWords) {
    if (quantity.kind == word.kind) return fmt::format("{}.{}", mechanism.bodies[index].name, word.word);
  }
  return {};
}

std::string_view quantityUnit(const Mechanism& /*mechanism*/, const Quantity& quantity) {
  if (quantity.kind == QuantityKind::time) return "s";
  if (turnOf(quantity.kind) >= 0) return isRate(quantity.kind) ? "rad/s" : "rad";
  for (const JointWord& word : kJointWords) {
    if (quantity.kind == word.kind) return word.unit;
  }
  for (const BodyWord& word : kBodyWords) {
    if (quantity.kind == word.kind) return word.unit;
  }
  return {};
}

std::vector<std::string> quantityNames(const Mechanism& mechanism) {
  std::vector<std::string> names{"t"};
  for (const Body& body : mechanism.bodies) {
    for (const BodyWord& word : kBodyWords) {
      if (word.fits(mechanism)) names.push_back(fmt::format("{}.{}", body.name, word.word));
    }
  }
  for (const Joint& joint : mechanism.joints) {
    for (const JointWord& word : kJointWords) {
      if (word.fits(joint.kind)) names.push_back(fmt::format("{}.{}", joint.name, word.word));
    }
    if (hasOneRate(joint.kind)) names.push_back(joint.name + ".rate");
    for (int turn = 0; turn < 3 && hasTurns(joint); ++turn) {
      for (const char* ending : {"", "_rate"}) names.push_back(joint.name + "." + turnWord(joint, turn) + ending);
    }
  }
  return names;
}

std::optional<double> RunDefaults::number(std::string_view name) const {
  for (const GivenOption& option : given) {
    if (const auto* value = std::get_if<double>(&option.value); value != nullptr && option.name == name) return *value;
  }
  return std::nullopt;
}

std::optional<std::string> RunDefaults::word(std::string_view name) const {
  for (const GivenOption& option : given) {
    if (const auto* value = std::get_if<std::string>(&option.value); value != nullptr && option.name == name)
      return *value;
  }
  return std::nullopt;
}

void RunDefaults::set(std::string_view name, std::variant<double, std::string> value, const Source& source) {
  std::erase_if(given, [&](const GivenOption& option) { return option.name == name; });
  given.push_back({std::string(name), std::move(value), source});
}

}  // namespace linkwork
