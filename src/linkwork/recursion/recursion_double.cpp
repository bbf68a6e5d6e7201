#include "linkwork/recursion/instantiate.hpp"

namespace linkwork {

LINKWORK_INSTANTIATE_RECURSION(Planar<double>)
LINKWORK_INSTANTIATE_RECURSION(Spatial<double>)

}  // namespace linkwork
