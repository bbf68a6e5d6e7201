// RankWatch: finds the poses of lower rank that a run passes, also those that lie inside a step.
#pragma once

#include <memory>
#include <vector>

#include "linkwork/formulation/mechanism_system.hpp"
#include "linkwork/integrate/integrator.hpp"
#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/archive.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

class RankWatch {
 public:
  // Both must outlive it.
  RankWatch(const Mechanism& mechanism, const MechanismSystem& system);

  // After begin and after every step. Leaves nothing in the integrator's workspace but what the step began with.
  void look(Integrator& integrator, std::vector<RankChange>& changes);

  // After a jump, in which rows may have begun or ceased to act: the rank to compare with is that of the next look.
  void settleAnew() { freedoms_ = -1; }
  void transfer(Archive& archive);  // what it keeps between steps

 private:
  struct Sight {
    double distance = 1.0;  // from a pose of lower rank: root of the smallest relative pivot; 0 at one
    int freedoms = 0;
    int rank = 0;
  };
  RowRank rowsAfterStep(const Integrator& integrator);
  Sight sightAt(const Integrator& integrator, double t);
  // Whether the stages of the last step saw the distance go down and up again as far as one that reaches zero would.
  bool dipsToZero(const Integrator& integrator, double distance) const;
  double nearestPose(const Integrator& integrator, double from, double to);
  double edge(const Integrator& integrator, double inside, double outside);
  void search(Integrator& integrator, std::vector<RankChange>& changes);
  RankChange describe(Integrator& integrator, double t);

  const Mechanism& mechanism_;
  const MechanismSystem& system_;
  std::unique_ptr<Workspace> work_;
  Modes start_modes_;  // with which the start is observed
  std::vector<double> x_;
  Observation seen_;
  std::vector<bool> unique_at_start_;
  int freedoms_ = -1;  // where nothing special happens
  int rank_ = 0;
  bool away_ = false;          // was clearly independent since the last pose of lower rank
  bool stretch_open_ = false;  // the last step ended in a stretch of lower rank
  double stretch_from_ = 0.0;
  RankChange lowest_;
  double last_distance_ = 1.0;
  double approach_ = 1e-300;  // how fast the distance fell over the last step, 1/s; not known before the first
};

}  // namespace linkwork
