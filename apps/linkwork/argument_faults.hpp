// What is wrong with the arguments of the program, in a sentence that says what would be right.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>

#include "command_line.hpp"

namespace linkwork::app {

// Of arguments that the parser has refused; without the name of the program. `for_all`: the option that may stand with
// every verb, and before it. Empty if nothing is found.
// The text begins with the verb, if one is named: "linkwork simulate: error: ...".
std::string argumentFault(const std::deque<Verb>& verbs, const Option& for_all, std::span<const char* const> arguments);

// A number with or without a unit in the unit that an option counts in: "500 ms" is "0.5" where that is s. Other text
// is left as it is, for the parser to refuse.
std::string withoutUnit(const std::string& text, std::string_view unit);

}  // namespace linkwork::app
