// A sweep of stiffness: how far the answer with springs in the place of joints is from the answer with hard joints,
// over their stiffness. What is compared: the places of the bodies, and forces and moments of the joints that are
// springs.
#pragma once

#include <string>
#include <vector>

#include "linkwork/codegen/text_table.hpp"
#include "linkwork/study/compare.hpp"

namespace linkwork {

struct StiffnessRequest {
  RunOptions run;                  // as for one run; formulation and stiffness are the sweep's own
  std::vector<double> stiffness;   // N/m, rising
  std::vector<double> rotational;  // N m/rad, rising; empty: of the same frequency, or as the model says
  bool richardson = false;         // also what two neighbours make of the limit

  // What is wrong and what to do about it, in one sentence; empty if nothing is.
  std::string problem() const;
};

// Differences from the answer with hard joints, over the whole run.
struct StiffnessErrors {
  double place = 0.0;       // m, the greatest of a body's origin
  double force = 0.0;       // N, root of the mean square
  double most_force = 0.0;  // N
  double moment = 0.0;      // N m, root of the mean square
};

struct StiffnessSample {
  double stiffness = 0.0;
  double rotational = 0.0;  // the greatest of all joints
  Result result;
  double gap = 0.0;    // m, greatest
  double angle = 0.0;  // rad, greatest
  double frequency = 0.0;
  StiffnessErrors errors;
  // With the sample before, of the same rotational stiffness: the limit for ever stiffer springs, and how far the one
  // before seems to be from it.
  bool extrapolated = false;
  StiffnessErrors limit;
  double estimate = 0.0;  // m

  bool wentThrough() const {
    return result.status == RunStatus::complete || result.status == RunStatus::stopped_by_event;
  }
};

struct StiffnessSweep {
  std::string problem;              // why there is none
  std::vector<std::string> joints;  // that are springs
  Result hard;
  double greatest_force = 0.0;   // N, that these joints carry when hard
  double greatest_moment = 0.0;  // N m
  std::vector<StiffnessSample> samples;
  bool interrupted = false;
};

// A model with joints of springs is swept over theirs; another over those of the formulation compliant.
StiffnessSweep sweepStiffness(const Mechanism& mechanism, const StiffnessRequest& request,
                              const CompareControl& control = {});

TextTable stiffnessTable(const StiffnessSweep& sweep);
std::string stiffnessWords(const StiffnessSweep& sweep);
std::string stiffnessCsv(const StiffnessSweep& sweep);

// "1e4..1e9": one for each decade; "1e4,3e4,1e6": these; a number: this one. Empty where it is none of these.
std::vector<double> stiffnessList(const std::string& text);

}  // namespace linkwork
