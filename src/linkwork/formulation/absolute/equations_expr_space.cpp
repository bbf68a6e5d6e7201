#include "linkwork/formulation/absolute/equations_impl.hpp"

namespace linkwork {

template class AbsoluteEquations<Spatial<Expr>>;

}  // namespace linkwork
