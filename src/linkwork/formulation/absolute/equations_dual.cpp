// Slow to compile (12 s on a busy machine): every row and load with eight derivatives, in plane and space.
#include "linkwork/formulation/absolute/equations_impl.hpp"

namespace linkwork {

template class AbsoluteEquations<Planar<Dual<8>>>;
template class AbsoluteEquations<Spatial<Dual<8>>>;

}  // namespace linkwork
