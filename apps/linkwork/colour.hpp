// Colours of what is printed: words for how good something is, and what kind of finding.
#pragma once

#include <string>
#include <string_view>

#include "linkwork/result/result.hpp"

namespace linkwork::app {

// "auto", "always" or "never", as --colour has it. Before anything is printed. "auto" is colour on a terminal that has
// it (TERM is not "dumb"), unless NO_COLOR is set.
void chooseColours(std::string_view when);

// A text as it goes to standard output: green, yellow or red. As it is where there are no colours.
std::string painted(std::string_view text, Grade grade);

// Text for standard error with the word of each finding ("error:", "warning:", "note:") in its colour.
std::string paintedFindings(std::string_view text);

}  // namespace linkwork::app
