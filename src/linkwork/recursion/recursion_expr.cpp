#include "linkwork/recursion/instantiate.hpp"

namespace linkwork {

LINKWORK_INSTANTIATE_RECURSION(Planar<Expr>)
LINKWORK_INSTANTIATE_RECURSION(Spatial<Expr>)

}  // namespace linkwork
