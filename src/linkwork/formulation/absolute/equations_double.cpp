#include "linkwork/formulation/absolute/equations_impl.hpp"

namespace linkwork {

template class AbsoluteEquations<Planar<double>>;
template class AbsoluteEquations<Spatial<double>>;

}  // namespace linkwork
