#include "linkwork/integrate/euler.hpp"

namespace linkwork {

Eval Euler::takeStep(double h) {
  for (std::size_t i = 0; i < x_.size(); ++i) x_new_[i] = x_[i] + h * slope_[i];
  return Eval::ok;
}

}  // namespace linkwork
