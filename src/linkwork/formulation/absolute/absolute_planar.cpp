#include "linkwork/formulation/absolute/absolute_system_impl.hpp"

namespace linkwork {

template class StabilisedSystem<BasicAbsoluteSystem<Planar<double>>>;
template class BasicAbsoluteSystem<Planar<double>>;

}  // namespace linkwork
