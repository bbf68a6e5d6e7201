// What the scratch of every StabilisedSystem holds, and what is the same in all that they lend.
#pragma once

#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "linkwork/formulation/failure_note.hpp"
#include "linkwork/formulation/partitioning.hpp"

namespace linkwork {

struct StabilisedWork {
  // `state`: entries of x.
  StabilisedWork(int freedoms, int state) : beside(at(state)), across(at(freedoms)), coarser(at(freedoms)) {}

  double power = 0.0;  // of loads and drives
  // Near a pose of lower rank: a state beside it, and u' from both sides, and less exactly.
  std::vector<double> beside, across, coarser;
  std::unique_ptr<PartitionWork> parting;  // with partitioning
};

// A formulation and one workspace. Its Surface is this and more.
template <class System>
struct Lent {
  using Work = typename System::Work;
  Lent(const System& formulation, Work& workspace) : system(formulation), work(workspace) {}

  const System& system;
  Work& work;

  int rows() const { return system.rows(); }
  double length() const { return system.length(); }
  int freedoms() const { return system.freedoms(); }
  // Rows that hold velocities alone, and which.
  int velocityRows() const { return system.bodyEquations().velocityRows(); }
  RowLevel level(int r) const { return system.bodyEquations().level(r); }
  std::span<double> positions(std::span<double> x) const { return x.first(at(system.coordinates())); }
  std::span<double> velocities(std::span<double> x) const {
    return x.subspan(at(system.coordinates()), at(system.freedoms()));
  }

  std::span<const double> phi() const { return work.eq.phi; }
  std::span<const double> gamma() const { return work.eq.gamma; }
  double residual(int r) const { return work.velocity_residual[at(r)]; }
  double smallestKept() const { return work.factored.smallest_kept; }
  double largestDropped() const { return work.factored.largest_dropped; }
  void noteContradiction(int /*row*/) {}

  bool timed() const { return !work.eq.motions.empty(); }
  double power() const { return work.power; }
  std::vector<double>& across() { return work.across; }
  std::vector<double>& coarser() { return work.coarser; }
  long& solves() { return work.counts.projections; }

  Eval notFinite(double t) { return work.failNotFinite(t, work.eq); }
  Eval notClosed(double t) {
    const bool fits = system.options_.misfit <= 0.0;
    return fail(fits ? FailureNote::Failure::projection : FailureNote::Failure::misfit, t, worstRow(work.eq.phi));
  }
  Eval fail(FailureNote::Failure why, double t, int index) { return work.fail(why, t, index, Eval::retry); }
};

// What partitioning takes from the Surface of every formulation. Inside an evaluation coordinates must not leave a
// curve.
template <class Surface>
struct PartsOf : Surface {
  using Surface::Surface;

  Eval place(double t, std::span<const double> q) {
    Surface::place(t, q);
    if (!this->finite()) return this->notFinite(t);
    const int curve = this->work.eq.left_place;
    return curve < 0 ? Eval::ok : this->fail(FailureNote::Failure::left_place, t, curve);
  }
  double open(int r) const { return std::abs(this->phi()[at(r)]) * this->rowLength(r); }
  double misfit() const { return kMisfitGrowth * this->system.options_.misfit * this->system.length(); }
  Eval notClosed(double t, int row) { return this->fail(FailureNote::Failure::not_closed, t, row); }
};

}  // namespace linkwork
