#include "linkwork/formulation/recursive/recursive_system_impl.hpp"

namespace linkwork {

template class StabilisedSystem<RecursiveSystem<Planar<double>>>;
template class RecursiveSystem<Planar<double>>;

}  // namespace linkwork
