// A model file whose text has been read, to be made into mechanisms: as often as wanted, each with other values of its
// parameters. What sweeps over parameters use; readModelFile() makes one mechanism and forgets the rest.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "linkwork/read/document.hpp"
#include "linkwork/read/model_file.hpp"

namespace linkwork {

namespace model_file {
struct Files;
}

class ParsedModel {
 public:
  // nullopt after a message. Included files are looked for beside `file_name`.
  static std::optional<ParsedModel> parse(std::string text, const std::string& file_name, const ReadOptions& options,
                                          Diagnostics& diagnostics);
  static std::optional<ParsedModel> parseFile(const std::string& path, const ReadOptions& options,
                                              Diagnostics& diagnostics);
  ParsedModel(ParsedModel&& other) noexcept;
  ParsedModel& operator=(ParsedModel&& other) noexcept;
  ~ParsedModel();

  // The mechanism of the file and the options; nullopt after a message. Not const: files that the model names are read
  // when they are first met, and kept.
  std::optional<Mechanism> mechanism(Diagnostics& diagnostics);

  // The mechanism with these values, to the last bit the one that a file with them describes; without the notes on what
  // may not be meant. `like` is one that was made before, lifted to space or not: where other bodies, joints, drives or
  // loads would come out, as of a parameter that a range of [repeat] uses, the answer is nullopt after a message that
  // names the parameter. Then the model is to be read anew, with the value among the options.
  std::optional<Mechanism> withParameters(const Mechanism& like, std::span<const ParameterValue> values,
                                          Diagnostics& diagnostics);

 private:
  enum class Remarks { wanted, left_out };
  ParsedModel(Document document, std::string file_name, ReadOptions options);
  std::optional<Mechanism> make(const ReadOptions& options, Remarks remarks, Diagnostics& diagnostics);
  std::optional<Mechanism> makeLike(const Mechanism& like, std::span<const ParameterValue> values,
                                    Diagnostics& diagnostics);

  Document document_;
  std::string file_name_;
  ReadOptions options_;
  std::unique_ptr<model_file::Files> files_;
};

}  // namespace linkwork
