#include "model_text.hpp"

#include <array>
#include <string_view>

namespace linkwork::random_mechanisms {

namespace {

constexpr std::array<std::string_view, 6> kSectionNames{"points", "bodies", "joints", "drives", "loads", "initial"};

}  // namespace

std::string ModelText::text() const {
  std::string out;
  for (const std::string& line : head_) out += line + "\n";
  for (const auto& [section, lines] : sections_) {
    out += fmt::format("\n[{}]\n", kSectionNames[static_cast<std::size_t>(section)]);
    for (const std::string& line : lines) out += line + "\n";
  }
  out += fmt::format("\n[simulate]\nuntil = {}\n", until_);
  return out;
}

std::string number(double value, int digits) {
  if (digits >= kAllDigits) return fmt::format("{}", value);
  return fmt::format("{:.{}g}", value, digits);
}

}  // namespace linkwork::random_mechanisms
