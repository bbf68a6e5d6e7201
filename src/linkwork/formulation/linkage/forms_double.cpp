#include "linkwork/formulation/linkage/forms_impl.hpp"

namespace linkwork::linkage {

using T = double;

template struct FormWork<T>;
template struct SweepWork<T>;
template struct EliminationWork<T>;

template void turnToHinges(const LinkageTree&, LinkageConstants<T>&, const Naming<T>&);
template void augment(const LinkageTree&, LinkageConstants<T>&, const Naming<T>&);
template void place(Form, Trig, const LinkageTree&, const LinkageConstants<T>&, const LinkageInputs<T>&, FormWork<T>&,
                    const Naming<T>&);
template void equations(Form, Trig, Bias, const LinkageTree&, const LinkageConstants<T>&, const LinkageInputs<T>&,
                        FormWork<T>&, const Naming<T>&);
template void torques(const LinkageTree&, std::span<const T>, FormWork<T>&, std::span<T>, const Naming<T>&);
template void solve(const LinkageTree&, FormWork<T>&, std::span<T>, const Naming<T>&);
template void closure(const LinkageTree&, const LinkageConstants<T>&, FormWork<T>&, const Naming<T>&);
template void sweep(const LinkageTree&, const LinkageConstants<T>&, const LinkageInputs<T>&, std::span<const T>,
                    HingeForces, SweepWork<T>&, const Naming<T>&);
template void eliminate(const LinkageTree&, const LinkageConstants<T>&, const LinkageInputs<T>&, HingeForces,
                        EliminationWork<T>&, const Naming<T>&);

}  // namespace linkwork::linkage
