#include "linkwork/formulation/absolute/absolute_system_impl.hpp"

namespace linkwork {

template class StabilisedSystem<BasicAbsoluteSystem<Spatial<double>>>;
template class BasicAbsoluteSystem<Spatial<double>>;

}  // namespace linkwork
