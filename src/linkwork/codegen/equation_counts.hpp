// What each form costs for one mechanism, and which to take.
#pragma once

#include <string>
#include <vector>

#include "linkwork/codegen/equation_forms.hpp"
#include "linkwork/scalar/tape.hpp"

namespace linkwork {

struct FormCost {
  WrittenForm form = WrittenForm::rud;
  EquationStyle style = EquationStyle::pairwise;
  bool fits_forward = false;
  bool fits_inverse = false;
  OperationCount forward, inverse;  // as the mechanism moves
  OperationCount forward_constant, inverse_constant;
  int loop_rows = 0;   // solved with pivoting on top of the count
  int text_lines = 0;  // of the equations of motion as a person reads them; 0: none
};

// Every form and style that fits; cheapest pairs of style are not thrown away.
std::vector<FormCost> costsOfForms(const Mechanism& mechanism, const EquationRequest& request);

// A table and the advice.
std::string costsText(const Mechanism& mechanism, const std::vector<FormCost>& costs);

// The style with the fewest operations for this request.
EquationStyle cheapestStyle(const Mechanism& mechanism, EquationRequest request);

}  // namespace linkwork
