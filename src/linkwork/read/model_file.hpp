// The model file: TOML text to a validated Mechanism, with every finding at its place. Grammar:
// docs/reference/model-file.md.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "linkwork/base/diagnostics.hpp"
#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// What stands in formulas that name an input: the input's formula, or its name (see model/input_names.hpp).
enum class InputsAs { formulas, names };

struct ReadLimits {
  std::size_t entries = 1'000'000;  // that [repeat] may make, in the file and all that it includes
  InputsAs inputs = InputsAs::formulas;
};

// nullopt if there was an error; all errors are in `diagnostics`, which may hold notes and warnings in any case.
std::optional<Mechanism> readModelFile(const std::string& path, Diagnostics& diagnostics,
                                       const ReadLimits& limits = {});
// Included files are looked for beside `file_name`.
std::optional<Mechanism> readModelText(std::string text, const std::string& file_name, Diagnostics& diagnostics,
                                       const ReadLimits& limits = {});

}  // namespace linkwork
