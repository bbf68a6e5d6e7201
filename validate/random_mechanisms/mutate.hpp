// Mutate: a model file with something changed at random, as a slip of the finger or of the mind would.
#pragma once

#include <string>

#include "draws.hpp"

namespace linkwork::random_mechanisms {

// One to four changes: numbers made large, small, zero or negative, lines left out, doubled or exchanged, words and
// names in the place of others, letters lost.
std::string mutated(const std::string& text, Draws& draws);

}  // namespace linkwork::random_mechanisms
