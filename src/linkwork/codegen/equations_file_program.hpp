// The equations of motion of a file of equations (EquationsModel), written out.                       [docs/theory/11]
#pragma once

#include "linkwork/codegen/equation_forms.hpp"
#include "linkwork/model/equations_model.hpp"

namespace linkwork {

// The task, which parameters stay letters, and for small motions the state; the form is quasivelocity.
WrittenEquations writeEquationsFile(const EquationsModel& model, const EquationRequest& request);

}  // namespace linkwork
