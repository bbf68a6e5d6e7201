// Shrink: the smallest model file that still shows something, by leaving out lines and keys and shortening numbers.
#pragma once

#include <functional>
#include <string>

namespace linkwork::random_mechanisms {

// Whether a text still shows what is looked for; texts that cannot be read do not.
using Shows = std::function<bool(const std::string&)>;

// Asks `shows` at most so many times. The text itself must show it.
std::string shrunk(std::string text, const Shows& shows, int questions = 400);

}  // namespace linkwork::random_mechanisms
