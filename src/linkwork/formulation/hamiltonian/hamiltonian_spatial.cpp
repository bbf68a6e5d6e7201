#include "linkwork/formulation/hamiltonian/hamiltonian_system_impl.hpp"

namespace linkwork {

template class HamiltonianSystem<Spatial<double>>;

}  // namespace linkwork
