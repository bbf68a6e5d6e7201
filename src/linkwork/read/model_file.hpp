// The model file: TOML text to a validated Mechanism, with every finding at its place. Grammar:
// docs/reference/model-file.md.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "linkwork/base/diagnostics.hpp"
#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// What stands in formulas that name an input: the input's formula, or its name (see model/input_names.hpp).
enum class InputsAs { formulas, names };

// A number for a parameter, in the SI unit of its dimension.
struct ParameterValue {
  std::string name;
  double number = 0.0;
};

struct ReadOptions {
  std::size_t entries = 1'000'000;  // that [repeat] may make, in the file and all that it includes
  InputsAs inputs = InputsAs::formulas;
  // Values in place of those of the file, each parameter once; of an included file by the prefixed name, in parameters
  // of the main file.
  std::vector<ParameterSetting> set;
  // Of those in `set`: what is known as a number, whose text is then only shown.
  std::vector<ParameterValue> numbers;
  // Quantities that a steady motion must have, beside those of [steady] or in their place: "O.rate", "10 rad/s".
  std::vector<ParameterSetting> given;
};

// "L=12 mm"; nullopt after a message if it is not of this form. Whether there is such a parameter, and whether the
// value fits it, is seen when the model is read.
std::optional<ParameterSetting> parseSetting(std::string_view text, Diagnostics& diagnostics);
// The same of a quantity: "O.rate=10 rad/s".
std::optional<ParameterSetting> parseGiven(std::string_view text, Diagnostics& diagnostics);

// nullopt if there was an error; all errors are in `diagnostics`, which may hold notes and warnings in any case.
std::optional<Mechanism> readModelFile(const std::string& path, Diagnostics& diagnostics,
                                       const ReadOptions& options = {});
// Included files are looked for beside `file_name`.
std::optional<Mechanism> readModelText(std::string text, const std::string& file_name, Diagnostics& diagnostics,
                                       const ReadOptions& options = {});

}  // namespace linkwork
