#include "linkwork/formulation/recursive/recursive_system_impl.hpp"

namespace linkwork {

template class StabilisedSystem<RecursiveSystem<Spatial<double>>>;
template class RecursiveSystem<Spatial<double>>;

}  // namespace linkwork
