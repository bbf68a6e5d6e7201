#include "linkwork/formulation/quasivelocity/quasi_velocity_system_impl.hpp"

namespace linkwork {

template class QuasiVelocitySystem<Spatial<double>>;

}  // namespace linkwork
