#include "linkwork/files/base64.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace linkwork {

namespace {

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// The number that each letter stands for; 64: none.
constexpr std::array<std::uint8_t, 256> kNumbers = [] {
  std::array<std::uint8_t, 256> out{};
  out.fill(64);
  for (std::size_t k = 0; k < kLetters.size(); ++k)
    out[static_cast<unsigned char>(kLetters[k])] = static_cast<std::uint8_t>(k);
  return out;
}();

template <class Bits>
void append(std::vector<std::uint8_t>& bytes, Bits bits) {
  for (unsigned k = 0; k < sizeof bits; ++k) bytes.push_back(static_cast<std::uint8_t>(bits >> (8U * k)));
}

std::string encoded(const std::vector<std::uint8_t>& bytes) {
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

std::optional<std::string> bytesOfBase64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t letters = text.size();
  while (letters > 0 && text.size() - letters < 2 && text[letters - 1] == '=') --letters;
  std::string out;
  out.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  for (std::size_t k = 0; k < letters; ++k) {
    const std::uint8_t number = kNumbers[static_cast<unsigned char>(text[k])];
    if (number == 64) return std::nullopt;
    bits = bits << 6U | number;
    // The first letter of four ends no byte; the others end one each.
    if (k % 4 != 0) out += static_cast<char>(bits >> (6U - 2U * (k % 4)) & 255U);
  }
  return out;
}

}  // namespace linkwork
