// A model file as a family over its parameters and inputs, and the steady motions of its members: what steady, locus,
// and --steady of other verbs have in common.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "linkwork/analyse/steady.hpp"
#include "linkwork/read/parsed_model.hpp"
#include "linkwork/study/motion_follower.hpp"
#include "verbs.hpp"

namespace linkwork::app {

struct SteadyOptions : ModelOptions {
  std::vector<std::string> given;  // "NAME=VALUE"
  std::vector<std::string> find;

  void addConditions(Verb& verb);  // --given, --find
};

class SteadyModels {
 public:
  // Prints all findings to stderr; nullopt when there was an error.
  static std::optional<SteadyModels> read(const std::string& verb, const SteadyOptions& options);

  const Mechanism& mechanism() const { return plain_; }
  const std::vector<std::string>& unknown() const { return unknown_; }

  // Of a parameter or input; nullopt if there is none of that name.
  std::optional<double> valueOf(const std::string& name) const;
  std::string unitOf(const std::string& name) const;
  // "speed" is no parameter: with a way out.
  std::string unknownName(const std::string& name) const;

  // The mechanism, or its model, with other values. Null, with the reason, where there is none.
  std::optional<Mechanism> mechanismWith(const std::map<std::string, double>& values, std::string& problem);
  // The same with names of inputs in its formulas (model/input_names.hpp).
  std::optional<Mechanism> namedWith(const std::map<std::string, double>& values, std::string& problem);
  std::unique_ptr<SteadyModel> make(const std::map<std::string, double>& values, std::string& problem);

  // Over one parameter, others fixed; with `unknown()`. This must outlive it.
  MotionFamily over(const std::string& name, std::map<std::string, double> fixed);

 private:
  SteadyModels(ParsedModel parsed, Mechanism named);
  bool changesOnlyWhatIsGiven(const std::string& name, const std::map<std::string, double>& fixed);

  ParsedModel parsed_;
  Mechanism named_, plain_;
  std::vector<std::string> unknown_;
};

// "speed=0..10": the name and the ends, numbers in SI; nullopt after a message.
struct Range {
  std::string name;
  double from = 0.0;
  double to = 0.0;
};
std::optional<Range> parseRange(const std::string& verb, const SteadyModels& models, const std::string& text);

}  // namespace linkwork::app
