#include "linkwork/elements/element_set.hpp"

namespace linkwork {

namespace {

template <class G>
std::vector<LoadScalar> scalarsIn(const Load& load) {
  std::vector<LoadScalar> out;
  PlacedLoads<G>::forEachKind([&]<class E>() {
    if (E::takes(load)) out = E::scalars(load);
  });
  return out;
}

}  // namespace

std::vector<LoadScalar> scalarsOf(Space space, const Load& load) {
  return space == Space::spatial ? scalarsIn<Spatial<double>>(load) : scalarsIn<Planar<double>>(load);
}

}  // namespace linkwork
