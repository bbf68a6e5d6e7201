// What J d of a LinkageSystem takes: sweeps, eliminations and closures with derivatives, but none of the tables.
#include "linkwork/formulation/linkage/forms_impl.hpp"

namespace linkwork::linkage {

using T = Dual<8>;

template struct FormWork<T>;
template struct SweepWork<T>;
template struct EliminationWork<T>;
template void place(Form, Trig, const LinkageTree&, const LinkageConstants<T>&, const LinkageInputs<T>&, FormWork<T>&,
                    const Naming<T>&);
template void closure(const LinkageTree&, const LinkageConstants<T>&, FormWork<T>&, const Naming<T>&);
template void sweep(const LinkageTree&, const LinkageConstants<T>&, const LinkageInputs<T>&, std::span<const T>,
                    HingeForces, SweepWork<T>&, const Naming<T>&);
template void eliminate(const LinkageTree&, const LinkageConstants<T>&, const LinkageInputs<T>&, HingeForces,
                        EliminationWork<T>&, const Naming<T>&);

}  // namespace linkwork::linkage
