// The forms as tables with numbers that carry derivatives, which only tests ask for (forms_dual.cpp has the rest).
#include "linkwork/formulation/linkage/forms_impl.hpp"

namespace linkwork::linkage {

using T = Dual<8>;

template void augment(const LinkageTree&, LinkageConstants<T>&, const Naming<T>&);
template void equations(Form, Trig, Bias, const LinkageTree&, const LinkageConstants<T>&, const LinkageInputs<T>&,
                        FormWork<T>&, const Naming<T>&);

}  // namespace linkwork::linkage
