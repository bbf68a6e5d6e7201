// What an evaluation can answer inside a step; nothing throws there.
#pragma once

namespace linkwork {

enum class Eval {
  ok,
  retry,   // not here, but a smaller step may do
  failed,  // no step size will help; the system can say why
};

}  // namespace linkwork
