// LinkageSystem: a planar hinged mechanism in the absolute angles of its links, x = [al, w, work], by the recurrent
// equations with the reactions of the cut hinges and the torques of the drives as further unknowns.
//
//   (1)  [ H  -P^T ; P  0 ] [ a ; F ] = [ S M + G + MA - h w^2 ; gamma* ]          [docs/theory/08, eq. 8.16]
//   none:       gamma* = gamma
//   baumgarte:  gamma* = gamma - 2 alpha (P w - P_t) - beta^2 f
//   projection: gamma* = gamma; after each step al and w are moved to the nearest point (metric H) of f = 0 and of
//               P w = P_t
//
// P has two rows for every cut and one for every drive. Without any of them nothing is solved at all: the elimination
// in ground axes gives the accelerations in a time that grows with the number of links.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "linkwork/formulation/linkage/forms.hpp"
#include "linkwork/formulation/linkage/linkage_plan.hpp"
#include "linkwork/formulation/observer.hpp"
#include "linkwork/formulation/stabilised_system.hpp"
#include "linkwork/linalg/semidefinite_ldlt.hpp"

namespace linkwork {

using LinkageOptions = StabilisationOptions;  // none, baumgarte or projection

class LinkageSystem final : public StabilisedSystem<LinkageSystem> {
 public:
  // Throws ContractError where linkage::linkageObstacle() finds one.
  LinkageSystem(const Mechanism& mechanism, const LinkageOptions& options);

  StateSpace space() const override;
  std::string describeFailure(const Workspace& work) const override;
  std::vector<double> fromAbsolute(double t, std::span<const double> absolute) const override;
  std::vector<double> toAbsolute(double t, std::span<const double> x, const Modes& modes) const override;
  Violation violation(double t, std::span<const double> x, const Modes& modes, Workspace& work) const override;
  std::string rowName(int row) const override;
  std::string problem() const override { return {}; }

  const linkage::LinkagePlan& plan() const { return plan_; }
  const linkage::LinkageConstants<double>& constants() const { return constants_; }

  // Of the last evaluation with this workspace: al''; and the unknowns of the rows, for each cut the force on its link
  // a (x, y), then for each drive its torque on the second body.
  std::span<const double> accelerations(const Workspace& work) const;
  std::span<const double> multipliers(const Workspace& work) const;
  // The loads of that evaluation with the reactions of the cuts among them, and the torques of drives in the hinges of
  // the tree; drives between other links are couples.
  struct Acting {
    std::vector<Vec2<double>> force;
    std::vector<double> moment;  // about O_k
    std::vector<double> torque;
  };
  Acting acting(const Workspace& work) const { return acting(work, multipliers(work)); }
  Acting acting(const Workspace& work, std::span<const double> multipliers) const;
  // The same unknowns as an observation has them: where constraints repeat each other, those of least norm.
  std::vector<double> multipliersSeen(const Observation& seen) const;

  // The coefficients of a form at a state, with the loads that act there; the torques of drives are not among them.
  Eval formAt(linkage::Form form, linkage::Trig trig, double t, std::span<const double> x, Workspace& work,
              linkage::FormWork<double>& out) const;

 private:
  struct Work;
  struct Surface;
  struct Tangent;
  struct Words;
  friend StabilisedSystem;
  friend Lent<LinkageSystem>;

  static constexpr bool kInside = false;
  int coordinates() const { return plan_.tree.links(); }
  int freedoms() const { return plan_.tree.links(); }
  int rows() const { return plan_.rows(); }
  const AbsoluteEquations<Planar<double>>& bodyEquations() const { return free_; }
  bool normalise(std::span<double> /*q*/) const { return false; }
  void putRates(std::span<const double> angle, std::span<const double> rate, std::span<double> out) const;
  RowRank rank(const SemidefiniteLdlt::Factored& factored) const;
  RowRank fullRank() const { return rank({}); }
  RankReport report(const Work& work) const;

  void placeBodies(std::span<const double> angle, std::span<const double> rate,
                   AbsoluteEquations<Planar<double>>::Work& eq) const;
  Eval loads(double t, std::span<const double> x, Work& work) const;
  linkage::LinkageInputs<double> inputsOf(std::span<const double> x, const Work& work) const;
  void placeRows(double t, std::span<const double> angle, std::span<const double> rate, Work& work) const;
  void closeRows(std::span<const double> angle, Work& work) const;
  void velocityResidual(std::span<const double> rate, Work& work) const;
  double rowLength(int row) const;
  double drift(const Work& work) const;
  double enforcedDrift(const Work& work) const;
  bool factor(double t, double cut, Work& work) const;
  void solve(Work& work) const;
  bool eliminates() const { return rows() == 0 && !light_; }  // link by link, nothing is solved
  Eval accelerationsOfTree(double t, std::span<const double> x, Work& work) const;
  void show(double t, std::span<const double> x, Work& work, Observation& out) const;
  std::string rowOwner(int row) const;

  Observer<Planar<double>> observer_;
  const Mechanism& mechanism_;  // the observer's
  linkage::LinkagePlan plan_;
  linkage::LinkageConstants<double> constants_;
  AbsoluteEquations<Planar<double>> free_;  // loads and drives of the bodies, no rows
  std::vector<double> offsets_;             // of the drives
  bool loaded_ = false;                     // there are loads or drives to evaluate
  bool light_ = false;                      // bodies of no or hardly any mass
  double reach_ = 1.0;                      // m: the longest way of a cut; no row is a sum of more
};

}  // namespace linkwork
