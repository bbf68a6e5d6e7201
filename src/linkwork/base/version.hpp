// The version of Linkwork, as printed and recorded.
#pragma once

#include <string_view>

namespace linkwork {

inline constexpr std::string_view kVersion = "0.1.0";

}  // namespace linkwork
