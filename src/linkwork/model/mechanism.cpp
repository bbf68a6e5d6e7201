#include "linkwork/model/mechanism.hpp"

#include <fmt/format.h>

namespace linkwork {

namespace {

// "angle" or "slide"; empty for a joint that leaves no coordinate to name.
std::string_view coordinateWord(JointKind kind) {
  switch (kind) {
    case JointKind::revolute: return "angle";
    case JointKind::prismatic:
    case JointKind::pin_slot: return "slide";
    case JointKind::fixed:
    case JointKind::distance: break;
  }
  return {};
}

struct BodyWord {
  std::string_view word;
  QuantityKind kind;
  std::string_view unit;
};

constexpr std::array kBodyWords{
    BodyWord{"x", QuantityKind::body_x, "m"},
    BodyWord{"y", QuantityKind::body_y, "m"},
    BodyWord{"angle", QuantityKind::body_angle, "rad"},
    BodyWord{"x_rate", QuantityKind::body_x_rate, "m/s"},
    BodyWord{"y_rate", QuantityKind::body_y_rate, "m/s"},
    BodyWord{"angle_rate", QuantityKind::body_angle_rate, "rad/s"},
};

std::optional<Quantity> quantityOfBody(int index, std::string_view word) {
  for (const BodyWord& body_word : kBodyWords) {
    if (word == body_word.word) return Quantity{body_word.kind, index};
  }
  return std::nullopt;
}

std::optional<Quantity> quantityOfJoint(const Joint& joint, int index, std::string_view word) {
  const std::string_view coordinate = coordinateWord(joint.kind);
  if (coordinate.empty()) return std::nullopt;
  if (word == coordinate) return Quantity{QuantityKind::joint_coordinate, index};
  if (word == "rate" || word == fmt::format("{}_rate", coordinate)) return Quantity{QuantityKind::joint_rate, index};
  return std::nullopt;
}

}  // namespace

std::string_view Mechanism::bodyName(BodyIndex index) const {
  return index.valid() ? std::string_view(bodies[index.at()].name) : std::string_view("ground");
}

std::string_view wordFor(JointKind kind) {
  switch (kind) {
    case JointKind::revolute: return "revolute";
    case JointKind::prismatic: return "prismatic";
    case JointKind::pin_slot: return "pin_slot";
    case JointKind::fixed: return "fixed";
    case JointKind::distance: break;
  }
  return "distance";
}

std::string_view wordFor(DriveKind kind) {
  switch (kind) {
    case DriveKind::angle: return "angle";
    case DriveKind::slide: return "slide";
    case DriveKind::distance: return "distance";
    case DriveKind::coordinate: break;
  }
  return "coordinate";
}

std::string_view wordFor(LoadKind kind) {
  switch (kind) {
    case LoadKind::force: return "force";
    case LoadKind::couple: return "couple";
    case LoadKind::spring_damper: return "spring_damper";
    case LoadKind::rotational_spring_damper: break;
  }
  return "rotational_spring_damper";
}

std::optional<Quantity> findQuantity(const Mechanism& mechanism, std::string_view name) {
  if (name == "t") return Quantity{QuantityKind::time, -1};
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::string_view owner = name.substr(0, dot);
  const std::string_view word = name.substr(dot + 1);
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
    if (mechanism.bodies[i].name == owner) return quantityOfBody(static_cast<int>(i), word);
  }
  for (std::size_t i = 0; i < mechanism.joints.size(); ++i) {
    if (mechanism.joints[i].name == owner) return quantityOfJoint(mechanism.joints[i], static_cast<int>(i), word);
  }
  return std::nullopt;
}

std::optional<Quantity> quantityOf(const Mechanism& mechanism, BodyIndex body, std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos || body.at() >= mechanism.bodies.size()) return std::nullopt;
  return quantityOfBody(body.value(), name.substr(dot + 1));
}

std::optional<Quantity> quantityOf(const Mechanism& mechanism, JointIndex joint, std::string_view name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos || joint.at() >= mechanism.joints.size()) return std::nullopt;
  return quantityOfJoint(mechanism.joints[joint.at()], joint.value(), name.substr(dot + 1));
}

std::string quantityName(const Mechanism& mechanism, const Quantity& quantity) {
  if (quantity.kind == QuantityKind::time) return "t";
  const auto index = static_cast<std::size_t>(quantity.index);
  if (quantity.kind == QuantityKind::joint_coordinate || quantity.kind == QuantityKind::joint_rate) {
    const Joint& joint = mechanism.joints[index];
    return fmt::format("{}.{}{}", joint.name, coordinateWord(joint.kind),
                       quantity.kind == QuantityKind::joint_rate ? "_rate" : "");
  }
  for (const BodyWord& body_word : kBodyWords) {
    if (quantity.kind == body_word.kind) return fmt::format("{}.{}", mechanism.bodies[index].name, body_word.word);
  }
  return {};
}

std::string_view quantityUnit(const Mechanism& mechanism, const Quantity& quantity) {
  if (quantity.kind == QuantityKind::time) return "s";
  if (quantity.kind == QuantityKind::joint_coordinate || quantity.kind == QuantityKind::joint_rate) {
    const bool turns = mechanism.joints[static_cast<std::size_t>(quantity.index)].kind == JointKind::revolute;
    if (quantity.kind == QuantityKind::joint_rate) return turns ? "rad/s" : "m/s";
    return turns ? "rad" : "m";
  }
  for (const BodyWord& body_word : kBodyWords) {
    if (quantity.kind == body_word.kind) return body_word.unit;
  }
  return {};
}

std::vector<std::string> quantityNames(const Mechanism& mechanism) {
  std::vector<std::string> names{"t"};
  for (const Body& body : mechanism.bodies) {
    for (const BodyWord& body_word : kBodyWords) names.push_back(fmt::format("{}.{}", body.name, body_word.word));
  }
  for (const Joint& joint : mechanism.joints) {
    const std::string_view coordinate = coordinateWord(joint.kind);
    if (coordinate.empty()) continue;
    for (const std::string& word : {std::string(coordinate), std::string(coordinate) + "_rate", std::string("rate")}) {
      names.push_back(fmt::format("{}.{}", joint.name, word));
    }
  }
  return names;
}

}  // namespace linkwork
