// walk: the one place that knows which fields of a mechanism are names, references or formulas, for those who rename,
// renumber or replace them. A field that is added to a part of a mechanism is added here, and they all know it.
//
// walk(part, visit) calls `visit` with each of them by reference, to const where the part is const:
//
//   visit(std::string&)         the part's own name, or that of another part
//   visit(BodyIndex&)           a body, or the ground
//   visit(JointIndex&)          a joint
//   visit(Quantity&)            a quantity of a body or joint
//   visit(Value&)               a constant: its number, and the formula in parameters it was written as
//   visit(Expr&)                a formula of t, parameters and, where they may stand there, quantities
//   visit(BodyIndex&, Frame&)   an end: a frame on a body; a visitor that takes no ends gets the body, and the values
//   visit(Vector&, Axes)        a vector of formulas (std::array<Expr, 3>) in these axes;
//                               who takes none gets the formulas
//
// Places that are only drawn (shapes, drawn poses, points of traces) are plain numbers and are not visited.
#pragma once

#include <array>
#include <concepts>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// Several functions as one visitor. What only some of the kinds above matter to ends with kPassOver.
template <class... Functions>
struct Visitor : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Visitor(Functions...) -> Visitor<Functions...>;

inline constexpr auto kPassOver = [](const auto& /*not of interest*/) {};

// Part or const Part: one text for those who read and those who write.
template <class T, class Part>
concept MaybeConst = std::same_as<std::remove_const_t<T>, Part>;

template <MaybeConst<Frame> F>
void walk(F& frame, const auto& visit) {
  for (auto& coordinate : frame.point) visit(coordinate);
  visit(frame.angle);
}

template <MaybeConst<BodyIndex> B, MaybeConst<Frame> F, class V>
void walkEnd(B& body, F& frame, const V& visit) {
  if constexpr (std::invocable<const V&, B&, F&>) {
    visit(body, frame);
  } else {
    visit(body);
    walk(frame, visit);
  }
}

template <MaybeConst<std::array<Expr, 3>> Vector, class V>
void walkVector(Vector& vector, Axes axes, const V& visit) {
  if constexpr (std::invocable<const V&, Vector&, Axes>) {
    visit(vector, axes);
  } else {
    for (auto& component : vector) visit(component);
  }
}

template <MaybeConst<Parameter> P>
void walk(P& parameter, const auto& visit) {
  visit(parameter.name);
  visit(parameter.value);
}

template <MaybeConst<Body> B>
void walk(B& body, const auto& visit) {
  visit(body.name);
  visit(body.mass);
  for (auto& coordinate : body.com) visit(coordinate);
  visit(body.inertia);
  for (auto& point : body.points) {
    for (auto& coordinate : point.at) visit(coordinate);
  }
  if (!body.tensor) return;
  auto& J = *body.tensor;
  for (auto* entry : {&J.xx, &J.yy, &J.zz, &J.xy, &J.xz, &J.yz}) visit(*entry);
}

template <MaybeConst<Joint> J>
void walk(J& joint, const auto& visit) {
  visit(joint.name);
  walkEnd(joint.first, joint.on_first, visit);
  walkEnd(joint.second, joint.on_second, visit);
  visit(joint.length);
  visit(joint.pitch);
  for (auto& term : joint.terms) {
    visit(term.quantity);
    visit(term.coefficient);
  }
  visit(joint.offset);
  visit(joint.expression);
  for (auto& point : joint.curve.points) {
    for (auto& coordinate : point) visit(coordinate);
  }
  visit(joint.curve.offset);
  visit(joint.speed);
  auto& rolling = joint.rolling;
  for (auto* length : {&rolling.first_radius, &rolling.radius, &rolling.rounding, &rolling.roller}) visit(*length);
  for (auto& axis : rolling.semi_axes) visit(axis);
  for (auto& component : rolling.surface) visit(component);
  if (!joint.compliance) return;
  auto& springs = *joint.compliance;
  for (auto* axes :
       {&springs.stiffness, &springs.rotational_stiffness, &springs.damping, &springs.rotational_damping}) {
    for (auto& constant : *axes) visit(constant);
  }
}

template <MaybeConst<Drive> D>
void walk(D& drive, const auto& visit) {
  visit(drive.name);
  walkEnd(drive.first, drive.on_first, visit);
  walkEnd(drive.second, drive.on_second, visit);
  visit(drive.motion);
}

template <MaybeConst<Load> L>
void walk(L& load, const auto& visit) {
  visit(load.name);
  walkEnd(load.first, load.on_first, visit);
  walkEnd(load.second, load.on_second, visit);
  walkVector(load.force, load.axes, visit);
  visit(load.moment);
  for (auto* constant : {&load.stiffness, &load.damping, &load.free_length, &load.preload}) visit(*constant);
  for (auto* matrix : {&load.bushing_stiffness, &load.bushing_damping}) {
    for (auto& row : *matrix) {
      for (auto& entry : row) visit(entry);
    }
  }
  for (auto& entry : load.bushing_preload) visit(entry);
}

template <MaybeConst<InitialValue> I>
void walk(I& initial, const auto& visit) {
  visit(initial.quantity);
  visit(initial.value);
}

template <MaybeConst<Event> E>
void walk(E& event, const auto& visit) {
  visit(event.name);
  visit(event.when);
}

template <MaybeConst<Trace> T>
void walk(T& trace, const auto& visit) {
  visit(trace.body);
  visit(trace.name);
}

template <MaybeConst<SplitBody> S>
void walk(S& split, const auto& visit) {
  visit(split.body);
  for (auto& image : split.images) {
    for (auto& joint : image.joints) visit(joint);
  }
}

template <MaybeConst<FlexibleLink> L>
void walk(L& link, const auto& visit) {
  visit(link.name);
  for (auto& element : link.elements) visit(element);
  for (auto& spring : link.springs) {
    for (auto& joint : spring.joints) visit(joint);
    for (auto& load : spring.loads) visit(load);
  }
}

template <MaybeConst<Input> I>
void walk(I& input, const auto& visit) {
  visit(input.name);
  visit(input.value);
}

template <MaybeConst<Output> O>
void walk(O& output, const auto& visit) {
  visit(output.name);
  visit(output.value);
}

template <MaybeConst<NamedVelocity> N>
void walk(N& named, const auto& visit) {
  visit(named.name);
  visit(named.form);
}

template <MaybeConst<Mechanism> M>
void walk(M& mechanism, const auto& visit) {
  const auto walkAll = [&visit](auto&... lists) {
    const auto walkList = [&visit](auto& list) {
      for (auto& part : list) walk(part, visit);
    };
    (walkList(lists), ...);
  };
  for (auto& component : mechanism.gravity) visit(component);
  walkAll(mechanism.parameters, mechanism.bodies, mechanism.joints, mechanism.drives, mechanism.loads,
          mechanism.initial, mechanism.steady, mechanism.events, mechanism.traces, mechanism.splits, mechanism.links,
          mechanism.inputs, mechanism.outputs, mechanism.named_velocities);
}

// The formulas of a part; constants are none.
template <class Part>
std::vector<Expr> formulasOf(const Part& part) {
  std::vector<Expr> out;
  walk(part, Visitor{[&out](const Expr& formula) { out.push_back(formula); }, kPassOver});
  return out;
}

// Puts something else where the formulas of a part name these symbols.
template <class Part>
void substituteIn(Part& part, const std::map<std::string, Expr>& replacements) {
  walk(part, Visitor{[&replacements](Expr& formula) { formula = substitute(formula, replacements); }, kPassOver});
}

}  // namespace linkwork
