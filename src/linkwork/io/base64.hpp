// Base64 of an array of doubles (little-endian), as the page reads it.
#pragma once

#include <span>
#include <string>

namespace linkwork {

std::string base64(std::span<const double> values);

}  // namespace linkwork
