// Base64: of an array of numbers (little-endian), as the page reads it, and back to bytes, as a browser writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace linkwork {

std::string base64(std::span<const double> values);
std::string base64OfFloats(std::span<const float> values);
std::string base64OfIndices(std::span<const std::uint32_t> values);

// nullopt where the text is no base64: a length that is no multiple of four, another letter, "=" before the end.
std::optional<std::string> bytesOfBase64(std::string_view text);

}  // namespace linkwork
