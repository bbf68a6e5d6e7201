#include "linkwork/formulation/event_functions.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linkwork/elements/corners.hpp"

namespace linkwork {

namespace {

EventSense senseOf(Crossing crossing) {
  switch (crossing) {
    case Crossing::rising: return EventSense::rising;
    case Crossing::falling: return EventSense::falling;
    default: return EventSense::both;
  }
}

}  // namespace

template <class G>
EventFunctions<G>::EventFunctions(const Mechanism& mechanism, const ElementSet<G>& elements) : elements_(elements) {
  std::vector<Expr> events;
  for (const Event& event : mechanism.events) {
    events.push_back(event.when);
    own_senses_.push_back(senseOf(event.crossing));
  }
  Corners corners = findCorners(mechanism);
  events.insert(events.end(), corners.switches.begin(), corners.switches.end());
  events_ = compileExpressions<G>(mechanism, events);
  corner_times_ = std::move(corners.times);
  for (const auto& placed : elements_.springs) spring_switches_ += placed.element.switches();
}

template <class G>
int EventFunctions<G>::count() const {
  return static_cast<int>(events_.tape.outputCount()) + spring_switches_;
}

// A corner is one from either side.
template <class G>
EventSense EventFunctions<G>::sense(int event) const {
  return event < static_cast<int>(own_senses_.size()) ? own_senses_[at(event)] : EventSense::both;
}

template <class G>
int EventFunctions<G>::evaluate(const typename AbsoluteEquations<G>::Work& state, Scratch& scratch,
                                std::span<double> values) const {
  events_.evaluate(state.t, state.x, state.v, state.turns, scratch);
  auto next = std::copy(scratch.outputs.begin(), scratch.outputs.end(), values.begin());
  for (const auto& placed : elements_.springs) {
    if (placed.element.switches() == 0) continue;
    const auto spring = placed.element.state({state.x[at(placed.i)], state.x[at(placed.j)]},
                                             {state.v[at(placed.i)], state.v[at(placed.j)]});
    *next++ = spring.elastic;
    if (placed.element.switches() > 1) *next++ = spring.elastic + spring.viscous;
  }
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (std::isfinite(values[k])) continue;
    if (k < own_senses_.size()) return static_cast<int>(k);
    values[k] = 1.0;  // what is no number has no corner; the load itself says what is wrong
  }
  return -1;
}

template class EventFunctions<Planar<double>>;
template class EventFunctions<Spatial<double>>;

}  // namespace linkwork
