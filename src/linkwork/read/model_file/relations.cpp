#include "linkwork/read/model_file/relations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linkwork/elements/element_set.hpp"
#include "linkwork/read/model_file/curves.hpp"

namespace linkwork::model_file {

namespace {

template <class G>
typename G::Position drawnPosition(const Mechanism& mechanism, int slot) {
  if (static_cast<std::size_t>(slot) >= mechanism.bodies.size()) return {};
  const Body& body = mechanism.bodies[static_cast<std::size_t>(slot)];
  const Pose& pose = body.drawn;
  if constexpr (G::kSpatial) {
    const Quaternion& q = pose.rotation;
    const auto R = Rotation3<double>::aboutZ(pose.angle) * Rotation3<double>::fromQuaternion(q[0], q[1], q[2], q[3]);
    const Vec3<double> com{body.com[0].number, body.com[1].number, body.com[2].number};
    return {Vec3<double>{pose.x, pose.y, pose.z} + R * com, R};
  } else {
    const auto R = Rotation2<double>::fromAngle(pose.angle);
    const Vec2<double> r = Vec2<double>{pose.x, pose.y} + R * Vec2<double>{body.com[0].number, body.com[1].number};
    return G::position(r.x, r.y, pose.angle);
  }
}

template <class G>
double drawnValueIn(const Mechanism& mechanism, const Quantity& quantity) {
  const NamedQuantity<G> named = compileQuantity<G>(mechanism, quantity);
  const auto i = drawnPosition<G>(mechanism, named.i);
  const auto j = drawnPosition<G>(mechanism, named.j);
  const typename G::Velocity still{};
  return named.value(0.0, {i, j}, {still, still});
}

// What a position is in the drawing; an angle in space in (-pi, pi].
double drawnValue(const Mechanism& mechanism, const Quantity& quantity) {
  return mechanism.space == Space::spatial ? drawnValueIn<Spatial<double>>(mechanism, quantity)
                                           : drawnValueIn<Planar<double>>(mechanism, quantity);
}

// The formula, which must be smooth.
std::optional<ParsedExpression> smoothFormula(Reader& reader, const Node& node, const std::string& of,
                                              const char* kind = "a constraint") {
  auto parsed = reader.parse(node, of, Level::quantities);
  if (!parsed || parsed->broken) return std::nullopt;
  for (const CalledFunction& call : parsed->calls) {
    if (isSmooth(call)) continue;
    reader.errorInside(node, call.offset,
                       fmt::format("{}: {}{} has a corner or a jump, and {} must be smooth.", of,
                                   call.table == nullptr ? "" : "table ", call.name, kind),
                       "Use a formula that can be differentiated twice.");
    return std::nullopt;
  }
  return parsed;
}

// What of positions (or of rates) a formula names.
std::vector<std::string> quantitiesIn(const Reader& reader, const Expr& formula, bool rates) {
  std::vector<std::string> out;
  for (const std::string& name : symbolsOf(formula)) {
    const auto quantity = reader.findQuantity(name);
    if (quantity && quantity->kind != QuantityKind::time && isRate(quantity->kind) == rates) out.push_back(name);
  }
  return out;
}

class RelationReader {
 public:
  RelationReader(Reader& reader, const Node& entry, const Node& word)
      : reader_(reader), entry_(entry), word_(word), what_(fmt::format("joint \"{}\"", entry.key)) {
    joint_.name = entry.key;
    joint_.source = entry.key_source;
  }

  std::optional<Joint> read() {
    bool good = false;
    if (word_.key == "gear") {
      good = readGear();
    } else if (word_.key == "rack" || word_.key == "rack_pinion") {
      good = readRack();
    } else if (word_.key == "coupling" || word_.key == "coupler") {
      good = readCoupling();
    } else if (word_.key == "mimic") {
      good = readMimic();
    } else if (word_.key == "expression") {
      good = readExpression();
    } else if (word_.key == "velocity") {
      good = readVelocity();
    } else {
      return readCurve(reader_, entry_, word_);
    }
    return good ? std::optional(joint_) : std::nullopt;
  }

 private:
  // --- joints by name ------------------------------------------------------------------------------------------------

  std::optional<JointIndex> jointNamed(const Node& node) {
    const auto name = reader_.word(node, fmt::format("{} of {}", word_.key, what_));
    if (!name) return std::nullopt;
    const auto found = reader_.joints.find(*name);
    if (found == reader_.joints.end()) {
      reader_.errorInside(node, 0, fmt::format("{}: joint \"{}\" is not defined.", what_, *name),
                          reader_.suggest(*name, namesOf(reader_.joints)));
      return std::nullopt;
    }
    if (found->second.broken) return std::nullopt;
    return found->second.index;
  }

  const Joint& jointAt(JointIndex index) const { return reader_.mechanism.joints[index.at()]; }

  std::optional<std::array<JointIndex, 2>> twoJoints(const char* example) {
    if (word_.kind != NodeKind::array || word_.children.size() != 2) {
      reader_.wrongType(word_, fmt::format("{} of {}", word_.key, what_), example);
      return std::nullopt;
    }
    const auto first = jointNamed(word_.children[0]);
    const auto second = jointNamed(word_.children[1]);
    if (!first || !second) return std::nullopt;
    if (*first == *second) {
      reader_.error(word_.children[1].source, fmt::format("{}: it names \"{}\" twice.", what_, jointAt(*first).name));
      return std::nullopt;
    }
    return std::array{*first, *second};
  }

  bool needs(const Node& node, const Joint& joint, bool has, const char* coordinate) {
    if (has) return true;
    reader_.error(node.source, fmt::format("{}: joint \"{}\" is {}: it has no {}.", what_, joint.name,
                                           wordFor(joint.kind), coordinate));
    return false;
  }

  // +1 where the joint's coordinate is that of its other body against the carrier, -1 where it is the opposite.
  double senseOf(const Joint& joint, BodyIndex carrier) const { return joint.first == carrier ? 1.0 : -1.0; }

  std::optional<BodyIndex> carrierOf(const Joint& a, const Joint& b) {
    std::vector<BodyIndex> common;
    for (const BodyIndex body : {a.first, a.second}) {
      if (body == b.first || body == b.second) common.push_back(body);
    }
    if (common.size() == 1) return common.front();
    const auto bodiesOf = [&](const Joint& joint) {
      return fmt::format("\"{}\" joins {} and {}", joint.name, reader_.mechanism.bodyName(joint.first),
                         reader_.mechanism.bodyName(joint.second));
    };
    reader_.error(word_.source,
                  common.empty() ? fmt::format("{}: the two joints have no body in common that carries both: {}, {}.",
                                               what_, bodiesOf(a), bodiesOf(b))
                                 : fmt::format("{}: the two joints join the same bodies.", what_),
                  "Use a coupling to relate any joint coordinates.");
    return std::nullopt;
  }

  // --- offset --------------------------------------------------------------------------------------------------------

  // Given, or such that the drawing satisfies the relation.
  bool readOffset(const Dimension& dimension) {
    if (const Node* node = entry_.find("offset")) {
      const auto offset = reader_.constant(*node, dimension, "offset of " + what_);
      if (offset) joint_.offset = *offset;
      return offset.has_value();
    }
    double sum = 0.0;
    double scale = 0.0;
    for (const Term& term : joint_.terms) {
      const double part = term.coefficient.number * drawnValue(reader_.mechanism, term.quantity);
      sum += part;
      scale += std::abs(part);
    }
    joint_.offset = withoutRounding(Value(sum), scale);
    return true;
  }

  void addTerm(QuantityKind kind, JointIndex joint, const Value& coefficient) {
    joint_.terms.push_back({{kind, joint.value()}, coefficient});
  }

  // --- kinds ---------------------------------------------------------------------------------------------------------

  // Two positive numbers.
  std::optional<std::array<Value, 2>> sizes(const Node& node, const Dimension& dimension) {
    const std::string of = fmt::format("{} of {}", node.key, what_);
    if (node.kind != NodeKind::array || node.children.size() != 2) {
      reader_.wrongType(node, of, "two numbers, one for each gear");
      return std::nullopt;
    }
    const auto first = reader_.positive(node.children[0], dimension, of);
    const auto second = reader_.positive(node.children[1], dimension, of);
    if (!first || !second) return std::nullopt;
    return std::array{*first, *second};
  }

  // theta_1 + (z_2/z_1) theta_2 = offset with teeth, r_1 theta_1 + r_2 theta_2 = offset with radii; internal: minus.
  bool readGear() {
    bool good = reader_.checkKeys(entry_, what_, {word_.key, "teeth", "radii", "internal", "offset"});
    joint_.kind = JointKind::gear;
    const auto joints = twoJoints("two hinges such as [\"H1\", \"H2\"]");
    const Node* teeth = entry_.find("teeth");
    const Node* radii = entry_.find("radii");
    if ((teeth == nullptr) == (radii == nullptr)) {
      if (good)
        reader_.error(teeth == nullptr ? entry_.key_source : radii->key_source,
                      teeth == nullptr ? fmt::format("{}: the sizes of its gears are missing.", what_)
                                       : fmt::format("{}: teeth and radii are both given.", what_),
                      "Give teeth = [20, 40] or radii = [0.05, 0.1].");
      return false;
    }
    const auto ratio = teeth != nullptr ? sizes(*teeth, dimension::kNumber) : sizes(*radii, dimension::kLength);
    double inside = 1.0;
    if (const Node* node = entry_.find("internal")) {
      const auto internal = reader_.flag(*node, "internal of " + what_);
      good = good && internal;
      if (internal && *internal) inside = -1.0;
    }
    if (!joints || !ratio) return false;
    if (teeth != nullptr && !areWhole(*teeth, *ratio)) return false;
    const Joint& a = jointAt((*joints)[0]);
    const Joint& b = jointAt((*joints)[1]);
    if (!needs(word_.children[0], a, hasAngle(a.kind), "angle") ||
        !needs(word_.children[1], b, hasAngle(b.kind), "angle"))
      return false;
    const auto carrier = carrierOf(a, b);
    if (!carrier) return false;
    joint_.unit = teeth != nullptr ? RelationUnit::angle : RelationUnit::length;
    const Value first = teeth != nullptr ? Value(1.0) : (*ratio)[0];
    const Value second = teeth != nullptr ? over((*ratio)[1], (*ratio)[0]) : (*ratio)[1];
    addTerm(QuantityKind::joint_angle, (*joints)[0], times(Value(senseOf(a, *carrier)), first));
    addTerm(QuantityKind::joint_angle, (*joints)[1], times(Value(inside * senseOf(b, *carrier)), second));
    return readOffset(teeth != nullptr ? dimension::kAngle : dimension::kLength) && good;
  }

  bool areWhole(const Node& node, const std::array<Value, 2>& teeth) {
    for (std::size_t k = 0; k < 2; ++k) {
      if (teeth[k].number == std::round(teeth[k].number)) continue;
      reader_.error(node.children[k].source,
                    fmt::format("teeth of {}: expected a whole number, got {}.", what_, teeth[k].number),
                    "Give radii for gears that have no teeth.");
      return false;
    }
    return true;
  }

  // slide - radius angle = offset, both of the moving part against the carrier.
  bool readRack() {
    bool good = reader_.checkKeys(entry_, what_, {word_.key, "radius", "offset"});
    joint_.kind = JointKind::rack;
    joint_.unit = RelationUnit::length;
    const auto joints = twoJoints("a hinge and a guide such as [\"H\", \"S\"]");
    const Node* node = reader_.required(entry_, "radius", what_,
                                        "It is the way of the rack for a turn of one radian: radius = \"20 mm\".");
    const auto radius =
        node == nullptr ? std::nullopt : reader_.constant(*node, dimension::kLength, "radius of " + what_);
    if (!joints || !radius) return false;
    if (radius->number == 0.0) {
      reader_.error(node->source, fmt::format("radius of {} must not be zero.", what_));
      return false;
    }
    const Joint& hinge = jointAt((*joints)[0]);
    const Joint& guide = jointAt((*joints)[1]);
    if (!needs(word_.children[0], hinge, hasAngle(hinge.kind), "angle") ||
        !needs(word_.children[1], guide, hasSlide(guide.kind) && guide.kind != JointKind::pin_slot, "slide of a guide"))
      return false;
    const auto carrier = carrierOf(hinge, guide);
    if (!carrier) return false;
    addTerm(QuantityKind::joint_slide, (*joints)[1], Value(senseOf(guide, *carrier)));
    addTerm(QuantityKind::joint_angle, (*joints)[0], times(Value(-senseOf(hinge, *carrier)), *radius));
    return readOffset(dimension::kLength) && good;
  }

  // A coordinate "J.angle" or "J.slide".
  std::optional<Quantity> coordinate(const Node& node) {
    const std::string& name = node.key;
    const std::string owner = name.substr(0, name.find('.'));
    const auto found = reader_.joints.find(owner);
    if (found != reader_.joints.end() && found->second.broken) return std::nullopt;
    const auto quantity = reader_.findQuantity(name);
    if (quantity && isOfJoint(quantity->kind) && !isRate(quantity->kind)) return quantity;
    std::vector<std::string> known;
    if (reader_.wantsSuggestions()) {
      for (const std::string& candidate : quantityNames(reader_.mechanism)) {
        const auto other = reader_.findQuantity(candidate);
        if (other && isOfJoint(other->kind) && !isRate(other->kind)) known.push_back(candidate);
      }
    }
    std::string hint = reader_.suggest(name, known);
    if (hint.empty()) hint = "Write, for example, coupling = { \"H1.angle\" = 1, \"H2.angle\" = -2 }.";
    reader_.error(node.key_source, fmt::format("{}: \"{}\" is no angle or slide of a joint.", what_, name), hint);
    return std::nullopt;
  }

  bool readCoupling() {
    bool good = reader_.checkKeys(entry_, what_, {word_.key, "offset"});
    joint_.kind = JointKind::coupling;
    if (!reader_.checkTable(word_, fmt::format("{} of {}", word_.key, what_),
                            "a table such as { \"H1.angle\" = 1, \"H2.angle\" = -2 }"))
      return false;
    // Keys without quotes are tables of tables: H1.angle = 1.
    std::vector<std::pair<Node, const Node*>> terms;
    for (const Node& child : word_.children) {
      if (child.kind != NodeKind::table) {
        terms.emplace_back(child, &child);
        continue;
      }
      for (const Node& inner : child.children) {
        Node named = inner;
        named.key = child.key + "." + inner.key;
        terms.emplace_back(named, &inner);
      }
    }
    if (terms.empty()) {
      reader_.error(word_.source, fmt::format("{}: it names no coordinates.", what_));
      return false;
    }
    std::optional<Dimension> whole;  // of the sum, as soon as a unit tells
    bool slides = false;
    for (const auto& [named, node] : terms) {
      const auto quantity = coordinate(named);
      const auto parsed = reader_.parse(*node, fmt::format("\"{}\" of {}", named.key, what_), Level::constants);
      if (!quantity || !parsed || parsed->broken) {
        good = false;
        continue;
      }
      const bool is_slide = quantity->kind == QuantityKind::joint_slide;
      slides = slides || is_slide;
      if (parsed->dimension && !isPureNumber(*parsed->dimension)) {
        const Dimension here = *parsed->dimension * (is_slide ? dimension::kLength : dimension::kNumber);
        if (whole && !sameDimension(*whole, here)) {
          reader_.error(node->source, fmt::format("{}: the terms do not go together: {} is added to {}.", what_,
                                                  describe(here), describe(*whole)));
          return false;
        }
        whole = here;
      }
      joint_.terms.push_back({*quantity, Value(*parsed->number, parsed->expr)});
    }
    if (!good) return false;
    const Dimension unit = whole.value_or(slides ? dimension::kLength : dimension::kAngle);
    const bool length = sameDimension(unit, dimension::kLength);
    if (!length && !sameDimension(unit, dimension::kNumber)) {
      reader_.error(word_.source,
                    fmt::format("{}: the sum must be a length or an angle, got {}.", what_, describe(unit)));
      return false;
    }
    if (std::all_of(joint_.terms.begin(), joint_.terms.end(),
                    [](const Term& t) { return t.coefficient.number == 0.0; })) {
      reader_.error(word_.source, fmt::format("{}: all its coefficients are zero.", what_));
      return false;
    }
    joint_.unit = length ? RelationUnit::length : RelationUnit::angle;
    return readOffset(length ? dimension::kLength : dimension::kAngle);
  }

  std::optional<Quantity> onlyCoordinate(const Node& node, JointIndex index) {
    const Joint& joint = jointAt(index);
    if (hasAngle(joint.kind) != hasSlide(joint.kind))
      return Quantity{hasAngle(joint.kind) ? QuantityKind::joint_angle : QuantityKind::joint_slide, index.value()};
    reader_.error(
        node.source,
        fmt::format("{}: joint \"{}\" is {}: it has no single coordinate.", what_, joint.name, wordFor(joint.kind)),
        "Use a coupling.");
    return std::nullopt;
  }

  // first = multiplier second + offset, as URDF has it.
  bool readMimic() {
    bool good = reader_.checkKeys(entry_, what_, {word_.key, "multiplier", "offset"});
    joint_.kind = JointKind::coupling;
    const auto joints = twoJoints("two joints such as [\"follower\", \"leader\"]");
    if (!joints) return false;
    const auto first = onlyCoordinate(word_.children[0], (*joints)[0]);
    const auto second = onlyCoordinate(word_.children[1], (*joints)[1]);
    if (!first || !second) return false;
    const bool length = first->kind == QuantityKind::joint_slide;
    const bool from_length = second->kind == QuantityKind::joint_slide;
    const Dimension unit = length ? dimension::kLength : dimension::kNumber;
    Value multiplier(1.0);
    if (const Node* node = entry_.find("multiplier")) {
      const auto given = reader_.constant(*node, unit / (from_length ? dimension::kLength : dimension::kNumber),
                                          "multiplier of " + what_);
      if (!given) return false;
      multiplier = *given;
    }
    joint_.unit = length ? RelationUnit::length : RelationUnit::angle;
    joint_.terms = {{*first, Value(1.0)}, {*second, minus(Value(0.0), multiplier)}};
    return readOffset(length ? dimension::kLength : dimension::kAngle) && good;
  }

  std::optional<ParsedExpression> smoothFormula(const std::string& of) {
    return model_file::smoothFormula(reader_, word_, of);
  }
  std::vector<std::string> namesIn(const Expr& formula, bool rates) const {
    return quantitiesIn(reader_, formula, rates);
  }

  bool readExpression() {
    const bool good = reader_.checkKeys(entry_, what_, {word_.key});
    joint_.kind = JointKind::expression;
    const std::string of = "expression of " + what_;
    const auto parsed = smoothFormula(of);
    if (!parsed) return false;
    const auto rates = namesIn(parsed->expr, true);
    if (!rates.empty()) {
      reader_.error(word_.source,
                    fmt::format("{}: \"{}\" is a rate; only positions may stand here.", of, rates.front()),
                    "A formula that is linear in rates is a velocity = \"...\".");
      return false;
    }
    if (namesIn(parsed->expr, false).empty()) {
      reader_.error(word_.source, fmt::format("{}: it names no position of a body or joint.", of),
                    "It must be a formula that stays zero, such as \"A.angle - 2*B.angle\".");
      return false;
    }
    const Dimension unit = parsed->dimension.value_or(dimension::kNumber);
    if (!sameDimension(unit, dimension::kLength) && !sameDimension(unit, dimension::kNumber)) {
      reader_.error(word_.source,
                    fmt::format("{}: expected a length, an angle or a number, got {}.", of, describe(unit)),
                    "Divide it by a constant, or take a root, so that its size means something.");
      return false;
    }
    joint_.unit = sameDimension(unit, dimension::kLength) ? RelationUnit::length : RelationUnit::angle;
    joint_.expression = parsed->expr;
    return good;
  }

  bool readVelocity() {
    const bool good = reader_.checkKeys(entry_, what_, {word_.key});
    joint_.kind = JointKind::velocity;
    const std::string of = "velocity of " + what_;
    const auto form = readRateForm(reader_, word_, of,
                                   {"A formula of positions that stays zero is an expression = \"...\".",
                                    "Only what is linear in rates can be a constraint of velocities."});
    if (!form) return false;
    joint_.unit = form->unit;
    joint_.expression = form->formula;
    return good;
  }

  Reader& reader_;
  const Node& entry_;
  const Node& word_;
  std::string what_;
  Joint joint_;
};

}  // namespace

std::optional<RateForm> readRateForm(Reader& reader, const Node& node, const std::string& of,
                                     const RateFormHints& hints) {
  const auto parsed = smoothFormula(reader, node, of, hints.kind);
  if (!parsed) return std::nullopt;
  const auto rates = quantitiesIn(reader, parsed->expr, true);
  if (rates.empty()) {
    reader.error(node.source, fmt::format("{}: it names no rate of a body or joint.", of), hints.no_rate);
    return std::nullopt;
  }
  for (const std::string& name : rates) {
    const auto bent = quantitiesIn(reader, differentiate(parsed->expr, Expr::symbol(name)), true);
    if (bent.empty()) continue;
    reader.error(
        node.source,
        fmt::format("{}: it is not linear in rates; what {} is multiplied with depends on {}.", of, name, bent.front()),
        hints.not_linear);
    return std::nullopt;
  }
  const Dimension unit = parsed->dimension.value_or(dimension::kFrequency);
  const bool length = sameDimension(unit, dimension::kVelocity);
  if (!length && !sameDimension(unit, dimension::kFrequency)) {
    reader.error(node.source, fmt::format("{}: expected a velocity or an angular rate, got {}.", of, describe(unit)),
                 "Divide it by a constant, so that its size means something.");
    return std::nullopt;
  }
  return RateForm{parsed->expr, length ? RelationUnit::length : RelationUnit::angle};
}

const std::vector<std::string>& relationWords() {
  static const std::vector<std::string> words{"gear",     "rack",  "coupling",    "mimic",   "expression",
                                              "velocity", "curve", "rack_pinion", "coupler", "point_on_curve"};
  return words;
}

const Node* relationWordIn(const Node& entry) {
  if (entry.kind != NodeKind::table) return nullptr;
  for (const std::string& word : relationWords()) {
    if (const Node* node = entry.find(word)) return node;
  }
  return nullptr;
}

std::optional<Joint> readRelation(Reader& reader, const Node& entry) {
  return RelationReader(reader, entry, *relationWordIn(entry)).read();
}

}  // namespace linkwork::model_file
