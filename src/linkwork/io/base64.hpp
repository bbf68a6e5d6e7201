// Base64 of an array of numbers (little-endian), as the page reads it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace linkwork {

std::string base64(std::span<const double> values);
std::string base64OfFloats(std::span<const float> values);
std::string base64OfIndices(std::span<const std::uint32_t> values);

}  // namespace linkwork
