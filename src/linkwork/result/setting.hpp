// Settings: what a result was made with, by name, as numbers with units or as words.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace linkwork {

struct Setting {
  std::string name;
  std::variant<std::string, double> value;
  std::string unit{};  // of a number

  // "5 1/s", six digits of a number.
  std::string text() const;
  bool operator==(const Setting& other) const = default;
};

using Settings = std::vector<Setting>;

// Null: there is none of that name.
const Setting* findSetting(const Settings& settings, std::string_view name);
// Whether there is a setting of that name with that word.
bool isSet(const Settings& settings, std::string_view name, std::string_view word);

}  // namespace linkwork
