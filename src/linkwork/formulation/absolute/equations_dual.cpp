#include "linkwork/formulation/absolute/equations_impl.hpp"

namespace linkwork {

template class AbsoluteEquations<Planar<Dual<8>>>;
template class AbsoluteEquations<Spatial<Dual<8>>>;

}  // namespace linkwork
