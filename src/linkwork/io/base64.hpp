// Base64: of an array of doubles (little-endian), as the page reads it, and back to bytes, as a browser writes them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace linkwork {

std::string base64(std::span<const double> values);

// nullopt where the text is no base64: a length that is no multiple of four, another letter, "=" before the end.
std::optional<std::string> bytesOfBase64(std::string_view text);

}  // namespace linkwork
