#include "linkwork/io/base64.hpp"

#include <bit>
#include <cstdint>
#include <vector>

namespace linkwork {

namespace {

template <class Bits>
void append(std::vector<std::uint8_t>& bytes, Bits bits) {
  for (unsigned k = 0; k < sizeof bits; ++k) bytes.push_back(static_cast<std::uint8_t>(bits >> (8U * k)));
}

std::string encoded(const std::vector<std::uint8_t>& bytes) {
  static constexpr char kLetters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
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

}  // namespace

std::string base64(std::span<const double> values) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(values.size() * sizeof(double));
  for (const double value : values) append(bytes, std::bit_cast<std::uint64_t>(value));
  return encoded(bytes);
}

std::string base64OfFloats(std::span<const float> values) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(values.size() * sizeof(float));
  for (const float value : values) append(bytes, std::bit_cast<std::uint32_t>(value));
  return encoded(bytes);
}

std::string base64OfIndices(std::span<const std::uint32_t> values) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(values.size() * sizeof(std::uint32_t));
  for (const std::uint32_t value : values) append(bytes, value);
  return encoded(bytes);
}

}  // namespace linkwork
