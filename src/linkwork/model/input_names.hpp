// Formulas that name the inputs of a mechanism, for those who ask how an input acts; everybody else has their values in
// place.
#pragma once

#include <map>
#include <string>

#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// The mechanism with something else where formulas name an input. Inputs that are not in the list keep their names.
Mechanism replaceInputs(Mechanism named, const std::map<std::string, Expr>& replacements);

// With the inputs' own formulas: what a file means.
Mechanism withInputValues(const Mechanism& named);

}  // namespace linkwork
