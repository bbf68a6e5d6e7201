// What each form costs for one mechanism, and which to take.
#pragma once

#include <string>
#include <vector>

#include "linkwork/codegen/equation_forms.hpp"
#include "linkwork/codegen/text_table.hpp"
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

// Each form with its operations as mul/add/div/trig, under a row of heads; which form to take for what.
inline constexpr const char* kCostsNote =
    "A square is a multiplication, a doubling an addition, a negation nothing. \"constant\": once, among parameters "
    "alone (trig with roots).";
TextTable costsTable(const std::vector<FormCost>& costs);
std::vector<std::string> costsAdvice(const std::vector<FormCost>& costs);
// Both as one text.
std::string costsText(const Mechanism& mechanism, const std::vector<FormCost>& costs);

// The style with the fewest operations for this request.
EquationStyle cheapestStyle(const Mechanism& mechanism, EquationRequest request);

}  // namespace linkwork
