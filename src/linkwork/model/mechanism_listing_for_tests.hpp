// All that a mechanism says as lines of text, numbers to the last bit: two mechanisms are the same where these are.
// Places in files and the text itself are left out.
#pragma once

#include <fmt/format.h>

#include <string>
#include <variant>
#include <vector>

#include "linkwork/model/walk.hpp"

namespace linkwork::test {

class MechanismListing {
 public:
  static std::vector<std::string> of(const Mechanism& m) {
    MechanismListing out;
    out.visitAll(m);
    out.addRest(m);
    return std::move(out.lines_);
  }

 private:
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    lines_.push_back(fmt::format(text, std::forward<Arguments>(arguments)...));
  }
  template <class Numbers>
  void addNumbers(const char* what, const Numbers& numbers) {
    std::string line = what;
    for (const double number : numbers) line += fmt::format(" {:a}", number);
    lines_.push_back(std::move(line));
  }
  void addTurn(const Frame& frame) { addNumbers("turn", frame.rotation); }

  // Formulas that are the same have the same node while they live.
  void visitAll(const Mechanism& m) {
    walk(m, Visitor{[this](const std::string& name) { add("name {}", name); },
                    [this](const BodyIndex& body) { add("body {}", body.value()); },
                    [this](const JointIndex& joint) { add("joint {}", joint.value()); },
                    [this](const Quantity& of) { add("quantity {} {}", static_cast<int>(of.kind), of.index); },
                    [this](const Value& value) { add("value {:a} node {}", value.number, value.expr.id()); },
                    [this](const Expr& formula) { add("formula node {}", formula.id()); }});
  }

  // What walk() passes over.
  void addRest(const Mechanism& m) {
    add("{} | {} | {} {} {:a}", m.name, m.description, static_cast<int>(m.space), m.lifted, m.check_horizon);
    for (const Parameter& parameter : m.parameters) add("unit {}", parameter.unit);
    for (const Body& body : m.bodies) addBody(body);
    for (const Joint& joint : m.joints) {
      add("kind {} {} {} {}", static_cast<int>(joint.kind), static_cast<int>(joint.unit), joint.curve.closed,
          joint.cut);
      addTurn(joint.on_first);
      addTurn(joint.on_second);
    }
    for (const Drive& drive : m.drives) {
      add("kind {}", static_cast<int>(drive.kind));
      addTurn(drive.on_first);
      addTurn(drive.on_second);
    }
    for (const Load& load : m.loads) {
      add("kind {} {} {} {} {}", static_cast<int>(load.kind), static_cast<int>(load.axes), static_cast<int>(load.sided),
          static_cast<int>(load.along), load.by_components);
      addTurn(load.on_first);
      addTurn(load.on_second);
    }
    for (const InitialValue& initial : m.initial) add("weight {:a}", initial.weight.value_or(-1.0));
    for (const Event& event : m.events) add("event {} {}", static_cast<int>(event.crossing), event.stop);
    for (const Trace& trace : m.traces) addNumbers("trace", trace.point);
    for (const SplitBody& split : m.splits) {
      for (const BodyImage& image : split.images) add("image {:a} {:a}", image.inertia, image.forces);
    }
    for (const Input& input : m.inputs) add("unit {}", input.unit);
    for (const Output& output : m.outputs) add("unit {}", output.unit);
    addRun(m.run);
  }

  void addBody(const Body& body) {
    addNumbers("drawn", std::array{body.drawn.x, body.drawn.y, body.drawn.angle, body.drawn.z});
    addNumbers("turn", body.drawn.rotation);
    for (const NamedPoint& point : body.points) add("point {}", point.name);
    add("free {} tensor {}", body.free, body.tensor.has_value());
    for (const Shape& shape : body.shapes) {
      add("shape {} {} {:a} {:a} {:a} {:a}", static_cast<int>(shape.kind), shape.mesh_file, shape.mesh_scale,
          shape.radius, shape.inner_radius, shape.angle);
      addNumbers("from", shape.from);
      addNumbers("to", shape.to);
      addNumbers("size", shape.size);
      addNumbers("turn", shape.rotation);
      for (const auto& corner : shape.outline) addNumbers("corner", corner);
    }
  }

  void addRun(const RunDefaults& run) {
    for (const GivenOption& option : run.given) {
      if (const double* number = std::get_if<double>(&option.value)) {
        add("run {} {:a}", option.name, *number);
      } else {
        add("run {} {}", option.name, std::get<std::string>(option.value));
      }
    }
  }

  std::vector<std::string> lines_;
};

}  // namespace linkwork::test
