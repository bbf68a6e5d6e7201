#include "linkwork/model/same_structure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "linkwork/model/walk.hpp"

namespace linkwork {

namespace {

// All that tells a part from another but its numbers and formulas.
auto structureOf(const Body& body) { return std::tuple(body.points.size(), body.tensor.has_value(), body.free); }
auto structureOf(const Joint& joint) {
  return std::tuple(joint.kind, joint.unit, joint.cut, joint.curve.points.size(), joint.curve.closed,
                    joint.compliance.has_value());
}
auto structureOf(const Drive& drive) { return drive.kind; }
auto structureOf(const Load& load) {
  return std::tuple(load.kind, load.axes, load.sided, load.along, load.by_components);
}
auto structureOf(const InitialValue& initial) { return initial.weight.has_value(); }
auto structureOf(const Event& event) { return std::tuple(event.crossing, event.stop); }
auto structureOf(const SplitBody& split) { return split.images.size(); }
auto structureOf(const FlexibleLink& link) { return std::tuple(link.elements.size(), link.points.size()); }
auto structureOf(const Input& input) { return input.unit; }
auto structureOf(const Output& output) { return output.unit; }
auto structureOf(const NamedVelocity& named) { return named.unit; }
auto structureOf(const Trace& /*trace*/) { return 0; }

// The names and references of a part, in the order of walk().
struct References {
  std::vector<std::string> names;
  std::vector<int> indices;
  bool operator==(const References&) const = default;
};

template <class Part>
References referencesOf(const Part& part) {
  References out;
  const auto add = [&out](int index) { out.indices.push_back(index); };
  walk(part,
       Visitor{[&out](const std::string& name) { out.names.push_back(name); },
               [&](const BodyIndex& body) { add(body.value()); }, [&](const JointIndex& joint) { add(joint.value()); },
               [&](const Quantity& of) {
                 add(static_cast<int>(of.kind));
                 add(of.index);
               },
               kPassOver});
  return out;
}

template <class Part>
std::string difference(const std::vector<Part>& first, const std::vector<Part>& other, const char* one,
                       const char* many) {
  if (first.size() != other.size())
    return fmt::format("there {} {} {} instead of {}", other.size() == 1 ? "is" : "are", other.size(),
                       other.size() == 1 ? one : many, first.size());
  for (std::size_t k = 0; k < first.size(); ++k) {
    if (structureOf(first[k]) == structureOf(other[k]) && referencesOf(first[k]) == referencesOf(other[k])) continue;
    const References of = referencesOf(other[k]);
    return of.names.empty() ? fmt::format("one of the {} is another", many)
                            : fmt::format("the {} \"{}\" is another", one, of.names.front());
  }
  return {};
}

}  // namespace

std::string differenceInStructure(const Mechanism& first, const Mechanism& other) {
  if (first.space != other.space) return "it is not in the same space";
  std::string text;
  const auto look = [&text](const auto& a, const auto& b, const char* one, const char* many) {
    if (text.empty()) text = difference(a, b, one, many);
  };
  look(first.bodies, other.bodies, "body", "bodies");
  look(first.joints, other.joints, "joint", "joints");
  look(first.drives, other.drives, "drive", "drives");
  look(first.loads, other.loads, "load", "loads");
  look(first.inputs, other.inputs, "input", "inputs");
  look(first.outputs, other.outputs, "output", "outputs");
  look(first.named_velocities, other.named_velocities, "quasi-velocity", "quasi-velocities");
  look(first.events, other.events, "event", "events");
  look(first.traces, other.traces, "trace", "traces");
  look(first.initial, other.initial, "initial value", "initial values");
  look(first.steady, other.steady, "given value of [steady]", "given values of [steady]");
  look(first.links, other.links, "flexible link", "flexible links");
  look(first.splits, other.splits, "split body", "split bodies");
  return text;
}

}  // namespace linkwork
