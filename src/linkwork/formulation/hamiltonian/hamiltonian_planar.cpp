#include "linkwork/formulation/hamiltonian/hamiltonian_system_impl.hpp"

namespace linkwork {

template class HamiltonianSystem<Planar<double>>;

}  // namespace linkwork
