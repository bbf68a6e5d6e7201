#include "linkwork/result/setting.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace linkwork {

std::string Setting::text() const {
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  return fmt::format("{:.6g}{}{}", std::get<double>(value), unit.empty() ? "" : " ", unit);
}

const Setting* findSetting(const Settings& settings, std::string_view name) {
  const auto found =
      std::find_if(settings.begin(), settings.end(), [&](const Setting& setting) { return setting.name == name; });
  return found == settings.end() ? nullptr : &*found;
}

bool isSet(const Settings& settings, std::string_view name, std::string_view word) {
  const Setting* found = findSetting(settings, name);
  const auto* text = found == nullptr ? nullptr : std::get_if<std::string>(&found->value);
  return text != nullptr && *text == word;
}

}  // namespace linkwork
