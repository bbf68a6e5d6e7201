// The model file of equations (space = "equations"): TOML text to a validated EquationsModel, with every finding at its
// place. Grammar: docs/reference/model-file.md.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "linkwork/model/equations_model.hpp"
#include "linkwork/read/document.hpp"
#include "linkwork/read/model_file.hpp"

namespace linkwork {

namespace model_file {
struct Files;
}

// Whether a file says that it holds equations. False where it cannot be read: whoever reads it says why.
bool isEquationsFile(const std::string& path);

// A file whose text has been read, to be made into models, each with other values of its parameters.
class ParsedEquations {
 public:
  static std::optional<ParsedEquations> parse(std::string text, const std::string& file_name,
                                              const ReadOptions& options, Diagnostics& diagnostics);
  static std::optional<ParsedEquations> parseFile(const std::string& path, const ReadOptions& options,
                                                  Diagnostics& diagnostics);
  ParsedEquations(ParsedEquations&& other) noexcept;
  ParsedEquations& operator=(ParsedEquations&& other) noexcept;
  ~ParsedEquations();

  // Nullopt after a message.
  std::optional<EquationsModel> model(Diagnostics& diagnostics);
  std::optional<EquationsModel> withParameters(std::span<const ParameterValue> values, Diagnostics& diagnostics);

 private:
  ParsedEquations(Document document, std::string file_name, ReadOptions options);
  std::optional<EquationsModel> make(const ReadOptions& options, Diagnostics& diagnostics);

  Document document_;
  std::string file_name_;
  ReadOptions options_;
  std::unique_ptr<model_file::Files> files_;
};

// nullopt if there was an error; all errors are in `diagnostics`.
std::optional<EquationsModel> readEquationsFile(const std::string& path, Diagnostics& diagnostics,
                                                const ReadOptions& options = {});
std::optional<EquationsModel> readEquationsText(std::string text, const std::string& file_name,
                                                Diagnostics& diagnostics, const ReadOptions& options = {});

}  // namespace linkwork
