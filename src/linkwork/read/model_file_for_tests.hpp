// Model texts in tests: the mechanism they describe, or what is said about them.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "linkwork/read/model_file.hpp"

namespace linkwork::test {

// The mechanism of a text that must be good.
inline Mechanism read(const std::string& text) {
  Diagnostics diagnostics;
  auto mechanism = readModelText(text, "m.toml", diagnostics);
  if (!mechanism) throw std::runtime_error(diagnostics.format());
  return *std::move(mechanism);
}

// All findings, whether the text can be read or not; expected texts start on their own line.
inline std::string findings(const std::string& text) {
  Diagnostics diagnostics;
  (void)readModelText(text, "m.toml", diagnostics);
  std::string shown = "\n";
  return shown.append(diagnostics.format());
}

// The findings on a text that must be refused.
inline std::string refusal(const std::string& text, const ReadOptions& options = {},
                           const std::string& file_name = "m.toml") {
  Diagnostics diagnostics;
  EXPECT_FALSE(readModelText(text, file_name, diagnostics, options).has_value());
  std::string shown = "\n";
  return shown.append(diagnostics.format());
}

}  // namespace linkwork::test
