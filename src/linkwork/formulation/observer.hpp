// Observer: what a user sees of a mechanism at one state: motions, reactions on both bodies, loads, energies,
// violations. Every formulation shows itself through it.
//
// A formulation brings the poses and velocities of the bodies, their accelerations a, and a multiplier lambda for every
// row of the full mechanism:
//   (1)  M a = Q + Phi_q^T lambda
// Where rows repeat each other many lambda fit; the one of least norm is shown, and what is not unique is marked
// [docs/theory/01, eq. 1.17]. A formulation without multipliers of its own gets them from (1), by multipliersOf, or
// from the wrenches that its joints carry, by setMultipliers.
#pragma once

#include <span>
#include <vector>

#include "linkwork/formulation/constraint_rows.hpp"
#include "linkwork/formulation/event_functions.hpp"
#include "linkwork/formulation/open_directions.hpp"
#include "linkwork/formulation/reaction_space.hpp"

namespace linkwork {

// G is Planar<double> or Spatial<double>; a planar mechanism may be given to either.
template <class G>
class Observer {
 public:
  Observer(const Mechanism& mechanism, const RowOptions& options);
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  struct Work {
    explicit Work(const Observer& observer);
    typename AbsoluteEquations<G>::Work eq;  // of all rows
    KktSolver kkt;
    typename ConstraintRows<G>::Factored factored;
    ReactionSpace reactions;
    std::vector<double> velocity_residual;
    std::vector<double> rows;                               // one number per row: a null vector
    std::vector<OpenDirections> open_forces, open_moments;  // of every joint
    typename EventFunctions<G>::Scratch events;
    typename CompiledExpressions<G>::Scratch outputs;
  };

  // Coordinates and velocities as in AbsoluteEquations; `turns` are the references of the counted angles.
  struct State {
    std::span<const double> q, v, turns;
  };
  // Rows, then forces at the state, into work.eq.
  void place(double t, const State& state, Work& work) const;
  // Rows at the pose alone, factored.
  RowRank factorRows(double t, std::span<const double> q, std::span<const double> turns, Work& work) const;
  // With work.eq placed.
  RowRank factor(Work& work) const;
  // With work.eq factored: its rows by their names.
  RankReport report(const Work& work) const { return rows_.report(work.kkt, work.factored); }

  // After place and factor: one lambda of (1), zero for dependent rows. `a` need not satisfy the constraints; what of
  // it they forbid is not in lambda.
  void multipliersOf(std::span<const double> a, Work& work, std::span<double> lambda) const;
  // After place: multipliers of the rows of these groups, which all join body `on` with one other, such that together
  // they do to it the wrench given (components as those of its velocity). The rest of lambda is left alone.
  void setMultipliers(std::span<const int> groups, int on, std::span<const double> wrench, const Work& work,
                      std::span<double> lambda) const;

  // After place and factor. Makes lambda that of least norm; fills everything but the supplied work.
  void observe(const State& state, std::span<const double> a, std::span<double> lambda, Work& work,
               Observation& out) const;

  // Of position and velocity, with the rows at the state in work.eq.
  Violation violation(std::span<const double> v, Work& work) const;

  const Mechanism& mechanism() const { return mechanism_; }
  const AbsoluteEquations<G>& equations() const { return equations_; }
  const ConstraintRows<G>& rows() const { return rows_; }
  const EventFunctions<G>& events() const { return events_; }

 private:
  typename G::Vector armOf(BodyIndex body, const Point& point) const;
  void observeBodies(std::span<const double> q, std::span<const double> a, const Work& work, Observation& out) const;
  void observeJoints(const Work& work, Observation& out) const;
  void placeContacts(const Work& work, Observation& out) const;
  void loadContacts(std::span<const double> lambda, Observation& out) const;
  Reaction reactionOf(const RowGroup& group, std::span<const double> lambda, const Work& work,
                      const Observation& seen) const;
  void observeReactions(std::span<double> lambda, Work& work, Observation& out) const;
  void markNotUnique(Work& work, Observation& out) const;
  static void takeUniqueParts(const Work& work, Observation& out);
  void observeSprings(const Work& work, Observation& out) const;
  void observeLoads(const Work& work, Observation& out) const;
  void observeOutputs(Work& work, Observation& out) const;

  Mechanism mechanism_;
  AbsoluteEquations<G> equations_;
  ConstraintRows<G> rows_;
  EventFunctions<G> events_;
  CompiledExpressions<G> outputs_;
  struct JointQuantities {
    NamedQuantity<G> angle, slide, angle_rate, slide_rate;
    std::vector<NamedQuantity<G>> turns;  // three, then their rates; or none
  };
  std::vector<JointQuantities> joint_quantities_;
};

extern template class Observer<Planar<double>>;
extern template class Observer<Spatial<double>>;

}  // namespace linkwork
