#include "linkwork/recursion/instantiate.hpp"
#include "linkwork/scalar/dual.hpp"

namespace linkwork {

LINKWORK_INSTANTIATE_RECURSION(Planar<Dual<8>>)
LINKWORK_INSTANTIATE_RECURSION(Spatial<Dual<8>>)

}  // namespace linkwork
