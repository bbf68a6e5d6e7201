#include "linkwork/formulation/absolute/equations_impl.hpp"

namespace linkwork {

template class AbsoluteEquations<Planar<Expr>>;

}  // namespace linkwork
