// RankWatch: finds the poses of lower rank that a run passes, also those that lie inside a step; and those that the
// mechanism only comes near to, where its motion turns to another way and a long step went straight on.
#pragma once

#include <limits>
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
  // Whether steps are chosen by their error, so that a turn that a step has seen where it begins is taken as it is.
  enum class Steps { chosen, fixed };
  // Both must outlive it.
  RankWatch(const Mechanism& mechanism, const MechanismSystem& system, Steps steps);

  // After begin and after every step. Leaves nothing in the integrator's workspace but what the step began with.
  void look(Integrator& integrator, std::vector<RankChange>& changes);
  // Where the last step would have to end for the next one to see the turn that it went past; infinity: there is none.
  double turnToMeet() const { return turn_; }
  // The last step is kept up to `from` only: what was found beyond is found again.
  void takeBack(double from, std::vector<RankChange>& changes);

  // After a jump, in which rows may have begun or ceased to act: the rank to compare with is that of the next look.
  void settleAnew() { now_.freedoms = -1; }
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
  // Whether a pose that is next to one of lower rank, `nearest` of it, was passed over.
  bool passedOver(const Integrator& integrator, double inside, double nearest);
  double nearestPose(const Integrator& integrator, double from, double to);
  double edge(const Integrator& integrator, double inside, double outside);
  void search(Integrator& integrator, std::vector<RankChange>& changes);
  RankChange describe(Integrator& integrator, double t);

  const Mechanism& mechanism_;
  const MechanismSystem& system_;
  Steps steps_;
  std::unique_ptr<Workspace> work_;
  Modes start_modes_;  // with which the start is observed
  std::vector<double> x_;
  Observation seen_;
  std::vector<bool> unique_at_start_;
  // What is known between two steps.
  struct Memory {
    int freedoms = -1;  // where nothing special happens
    int rank = 0;
    bool away = false;          // was clearly independent since the last pose of lower rank
    bool stretch_open = false;  // the last step ended in a stretch of lower rank
    double stretch_from = 0.0;
    RankChange lowest;
    double last_distance = 1.0;
    double approach = 1e-300;  // how fast the distance fell over the last step, 1/s; not known before the first
  };
  Memory now_, before_;             // before_: the last step
  std::size_t changes_before_ = 0;  // likewise
  double turn_ = std::numeric_limits<double>::infinity();
};

}  // namespace linkwork
