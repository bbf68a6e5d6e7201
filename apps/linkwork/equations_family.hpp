// A file of equations as a family over its parameters: what steady, linearize, modes and locus of such files share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "equations_linear.hpp"
#include "linkwork/read/equations_file.hpp"
#include "linkwork/study/equations_follower.hpp"
#include "locus_output.hpp"

namespace linkwork::app {

// A file with its unknown parameters, as families over one of the others.
class EquationsFile {
 public:
  // Prints all findings to stderr; nullopt when there was an error.
  static std::optional<EquationsFile> read(const EquationsSteadyAsked& asked);

  const EquationsModel& model() const { return model_; }
  const std::vector<std::string>& unknown() const { return unknown_; }
  std::string unitOf(const std::string& name) const;
  // False after a message.
  bool hasParameter(const std::string& verb, const std::string& option, const std::string& name) const;

  // `over` empty: nothing but the unknown ones varies. `fixed`: other values that stay. This must outlive it.
  EquationsFamilyOver over(const std::string& over, std::vector<ParameterValue> fixed = {});

 private:
  EquationsFile(ParsedEquations parsed, EquationsModel model, std::vector<std::string> unknown)
      : parsed_(std::move(parsed)), model_(std::move(model)), unknown_(std::move(unknown)) {}

  ParsedEquations parsed_;
  EquationsModel model_;
  std::vector<std::string> unknown_;
};

int failEquations(const EquationsModel& model, const std::string& problem, const std::string& hint = {});

// Names of what may have other values, from the vectors of the families.
std::vector<std::string> familyNames(const EquationsLinear& linear, const DeflatedEquations& deflated);

// What is recorded at a state, and the user's outputs.
struct EquationsValues {
  std::vector<Output> names;
  std::vector<double> numbers;
};
EquationsValues valuesAt(EquationsSteadySolver& solver, const std::vector<double>& x);

// "v=0..10"; nullopt after a message.
std::optional<LocusAxis> axisOf(const EquationsFile& file, const std::string& verb, const std::string& text);

}  // namespace linkwork::app
