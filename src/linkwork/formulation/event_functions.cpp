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
  forEachLoad(elements_, [&](const auto& placed) {
    const int switches = placed.element.switches();
    load_switches_ += switches;
    if (switches > 0 && placed.formula >= 0) switches_need_formulas_ = true;
  });
}

template <class G>
int EventFunctions<G>::count() const {
  return static_cast<int>(events_.tape.outputCount()) + load_switches_;
}

// A corner is one from either side.
template <class G>
EventSense EventFunctions<G>::sense(int event) const {
  return event < static_cast<int>(own_senses_.size()) ? own_senses_[at(event)] : EventSense::both;
}

template <class G>
int EventFunctions<G>::evaluate(const typename AbsoluteEquations<G>::Work& state, Scratch& scratch,
                                std::span<double> values) const {
  events_.evaluate(state.t, state.x, state.v, state.turns, scratch.events);
  std::copy(scratch.events.outputs.begin(), scratch.events.outputs.end(), values.begin());
  std::span<double> rest = values.subspan(scratch.events.outputs.size());
  if (switches_need_formulas_) elements_.load_formulas.evaluate(state.t, state.x, state.v, state.turns, scratch.given);
  forEachLoad(elements_, [&](const auto& placed) {
    const auto switches = static_cast<std::size_t>(placed.element.switches());
    if (switches == 0) return;
    const PairPosition<G> x{state.x[at(placed.i)], state.x[at(placed.j)]};
    const auto load = placed.element.state(x, {state.v[at(placed.i)], state.v[at(placed.j)]},
                                           inputOf(placed, scratch.given.outputs, state.turns));
    placed.element.switchValues(load, rest.first(switches));
    rest = rest.subspan(switches);
  });
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
