// The axes as names of series have them.
#pragma once

#include <array>

namespace linkwork {

inline constexpr std::array<const char*, 3> kAxes{"x", "y", "z"};

}  // namespace linkwork
