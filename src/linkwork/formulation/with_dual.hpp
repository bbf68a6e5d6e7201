// The same geometry with Dual numbers, for exact derivatives.
#pragma once

#include "linkwork/geometry/planar.hpp"
#include "linkwork/geometry/spatial.hpp"
#include "linkwork/scalar/dual.hpp"

namespace linkwork {

template <class G>
struct WithDual;
template <>
struct WithDual<Planar<double>> {
  using type = Planar<Dual<8>>;
};
template <>
struct WithDual<Spatial<double>> {
  using type = Spatial<Dual<8>>;
};

}  // namespace linkwork
