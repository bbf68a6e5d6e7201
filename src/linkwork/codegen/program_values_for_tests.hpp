// A program evaluated with numbers, for tests.
#pragma once

#include "linkwork/codegen/program_values.hpp"

namespace linkwork::test {

using linkwork::ProgramValues;
using linkwork::wholeTurns;

}  // namespace linkwork::test
