// What the verbs have in common that follow drives: kinematics and inverse.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "linkwork/simulate/kinematics.hpp"
#include "result_output.hpp"

namespace linkwork::app {

struct MotionVerb : ModelOptions {
  std::string name;            // for messages
  std::string without_drives;  // another way out where the model has none
  std::string out = "out";
  std::optional<double> until, output_step, reaction_length;
  std::vector<std::string> formats{"csv"};
  bool json = false;
  bool no_page = false;

  void add(Verb& verb);
  int badInput(const std::string& problem) const;  // prints it
  bool writes(const char* format) const;
  // NAME_kinematics.csv: beside the results of simulate, not over them.
  ResultFiles files() const {
    return {resultBase(out, file) + "_" + name, writes("csv"), writes("hdf5"), !no_page, json};
  }
  // Runs and writes; nullopt with the exit code in `code` where there was no run.
  std::optional<KinematicsRun> run(const Mechanism& mechanism, KinematicsOptions options, int& code) const;
  // After what the verb prints itself.
  int finish(const Mechanism& mechanism, const KinematicsRun& run, const Diagnostics& diagnostics) const;
};

}  // namespace linkwork::app
