// Events of a system and what they do: where an event function changes its sign the modes may change, the state may
// jump, and the energy of the jump is booked.
#pragma once

#include "linkwork/system/eval.hpp"

namespace linkwork {

// Which changes of sign of an event function count.
enum class EventSense {
  none,     // none, in these modes
  rising,   // from below zero
  falling,  // from above zero
  both
};

enum class EventDirection { rising, falling };

inline bool counts(EventSense sense, EventDirection direction) {
  if (sense == EventSense::rising) return direction == EventDirection::rising;
  if (sense == EventSense::falling) return direction == EventDirection::falling;
  return sense == EventSense::both;
}

struct LocatedEvent {
  double time = 0;
  int index = 0;
  EventDirection direction = EventDirection::rising;
};

// What the events of one instant did.
struct Jump {
  Eval eval = Eval::ok;
  bool changed = false;  // x or the modes: histories are void, signs of event functions and rank are to be taken anew
  double energy = 0;     // J that came into the motion; less than zero where it was lost. Where x has a quadrature for
                         // work done, the system has added it there
};

}  // namespace linkwork
