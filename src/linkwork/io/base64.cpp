#include "linkwork/io/base64.hpp"

#include <bit>
#include <cstdint>
#include <vector>

namespace linkwork {

std::string base64(std::span<const double> values) {
  static constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::uint8_t> bytes;
  bytes.reserve(values.size() * 8);
  for (const double value : values) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    for (int k = 0; k < 8; ++k) bytes.push_back(static_cast<std::uint8_t>(bits >> (8 * k)));
  }
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::size_t left = bytes.size() - k;
    const std::uint32_t group = static_cast<std::uint32_t>(bytes[k]) << 16U |
                                (left > 1 ? static_cast<std::uint32_t>(bytes[k + 1]) << 8U : 0U) |
                                (left > 2 ? static_cast<std::uint32_t>(bytes[k + 2]) : 0U);
    out += kLetters[group >> 18U & 63U];
    out += kLetters[group >> 12U & 63U];
    out += left > 1 ? kLetters[group >> 6U & 63U] : '=';
    out += left > 2 ? kLetters[group & 63U] : '=';
  }
  return out;
}

}  // namespace linkwork
