// EventFunctions: where a run may have to stop or switch: the mechanism's events, in their order, then corners of the
// loads that depend on the motion; and the times at which loads have a corner.
#pragma once

#include <span>
#include <vector>

#include "linkwork/formulation/absolute/equations.hpp"
#include "linkwork/system/jump.hpp"

namespace linkwork {

// G is Planar<double> or Spatial<double>. `elements` must outlive this.
template <class G>
class EventFunctions {
 public:
  struct Scratch {
    typename CompiledExpressions<G>::Scratch events, given;
  };

  EventFunctions(const Mechanism& mechanism, const ElementSet<G>& elements);

  int count() const;
  EventSense sense(int event) const;
  const std::vector<double>& cornerTimes() const { return corner_times_; }
  Scratch makeScratch() const { return {events_.makeScratch(), elements_.load_formulas.makeScratch()}; }

  // At the positions and velocities in `state`. Returns the event of the mechanism whose value is no number; -1 if
  // there is none.
  int evaluate(const typename AbsoluteEquations<G>::Work& state, Scratch& scratch, std::span<double> values) const;

 private:
  const ElementSet<G>& elements_;
  std::vector<EventSense> own_senses_;  // of the mechanism's own
  CompiledExpressions<G> events_;       // those, then switches of the loads' formulas
  int load_switches_ = 0;               // of the loads' own
  bool switches_need_formulas_ = false;
  std::vector<double> corner_times_;
};

extern template class EventFunctions<Planar<double>>;
extern template class EventFunctions<Spatial<double>>;

}  // namespace linkwork
