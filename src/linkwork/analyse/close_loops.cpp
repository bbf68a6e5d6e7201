#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>

#include "linkwork/analyse/assemble_messages.hpp"
#include "linkwork/analyse/assembling.hpp"
#include "linkwork/analyse/flipped_joints.hpp"
#include "linkwork/analyse/joint_to_blame.hpp"
#include "linkwork/analyse/misfit_walk.hpp"

namespace linkwork {

namespace {

// A misfit that belongs to lengths stays about the same when the mechanism moves; one that belongs to a loop that
// cannot close grows with the way.
constexpr double kSameMisfit = 20.0;
// What opens by less when the mechanism moves a little is round-off, which grows with the number of rows: up to 30
// rows 5e-16 was seen.
constexpr double kFits = 1e-13;
constexpr double kFitsRows = 30.0;
// An axis that is off by the largest misfit opens its joint by twice that when it has made half a turn, and a little
// more where other links lengthen it.
constexpr double kLargestOnTheWay = 3.0 * kLargestMisfit;
// A number that is off by d puts its row at a distance of the order of d from those that it should repeat, and opens it
// by as much on the way; both may be lifted by other rows near dependence. A row much farther away is one of its own.
constexpr double kSameOrder = 100.0;

template <class G>
class LoopCloser {
 public:
  explicit LoopCloser(Assembling<G>& assembling)
      : assembling_(assembling),
        mechanism_(assembling.mechanism),
        t_(assembling.t),
        out_(assembling.out),
        loose_(assembling.loose) {}

  bool run() {
    PositionSolver<G> solver(mechanism_, t_);
    std::vector<int> flipped;
    for (bool again = true; again;) {
      again = false;
      const std::vector<double> start = out_.q;
      bool closed = solver.solve(out_.q);
      if (solver.singularBody() >= 0) {
        reportMasslessBody(mechanism_, solver.singularBody(), solver.singularDirection(), out_);
        return false;
      }
      closed = closed || settleMisfit(solver, start);
      const std::vector<int> now = flippedJoints(mechanism_, out_.q);
      if (closed && now.empty()) break;
      if (flipped.empty() && !now.empty()) {
        flipped = now;
        again = turnFlipped(mechanism_, out_.q);
        if (again) continue;
      }
      if (closed) {
        reportFlippedJoints(mechanism_, now, out_);
      } else {
        reportOpenLoop();
      }
      return false;
    }
    out_.iterations += solver.iterations();
    out_.turns = solver.work().turns;
    const bool as_drawn = !loose_.empty();
    if (loose_.empty()) findHiddenMisfit();
    if (!flipped.empty()) warnOfTurnedBodies(mechanism_, flipped, out_);
    if (out_.misfit > 0.0) {
      std::vector<int> joints;
      for (const int r : loose_) {
        const RowInfo& row = solver.equations().elements().row_info[at(r)];
        const int joint = solver.equations().elements().groups[at(row.group)].index;
        if (joints.empty() || joints.back() != joint) joints.push_back(joint);
      }
      const MisfitRows misfit = misfitRows(as_drawn);
      warnOfMisfit(mechanism_, joints, misfit, as_drawn ? cureOf(misfit) : hidden_cure_, solver.length(), out_);
    }
    return true;
  }

 private:
  using Solver = PositionSolver<G>;

  // What is round-off in a mechanism of so many rows.
  double fitsWithin() const { return kFits * std::max(1.0, AbsoluteEquations<G>(mechanism_).rows() / kFitsRows); }

  MisfitRows misfitRows(bool as_drawn) const {
    return {loose_, as_drawn, kMisfitFactor * kLargestMisfit, fitsWithin()};
  }
  std::optional<MisfitCure> cureOf(const MisfitRows& misfit) const {
    return findMisfitCure<G>(mechanism_, t_, out_.turns, out_.q, misfit);
  }

  // Every joint closes as it is drawn, but rows that (nearly) repeat others here do not do so elsewhere: an axis, an
  // angle or a point was rounded. Rows that are nearly dependent for another reason, at a dead point or beside one,
  // open wide on the way and are kept; likewise where what they open by is nothing beside their distance, or only a
  // number changed by more than a rounding would make them repeat the others.
  void findHiddenMisfit() {
    MisfitWalk<G> walk(mechanism_, t_, out_.turns);
    const double fits = fitsWithin();
    std::size_t tried = 0;
    for (const double distance : {kMisfitFactor * kLargestMisfit, std::sqrt(kDependentRow)}) {
      const auto near = walk.nearlyDependent(out_.q, distance);
      if (near.rows.empty()) return;
      if (near.rows.size() == tried) continue;
      tried = near.rows.size();
      const double widest = walk.widest(out_.q, near.rows, distance, fits, kLargestOnTheWay);
      if (widest <= fits) return;
      // Distances below that of a dependent row are round-off.
      const bool of_its_own = near.distance > std::max(kSameOrder * widest, std::sqrt(kDependentRow));
      if (widest > kLargestOnTheWay || of_its_own) continue;
      loose_ = near.rows;
      hidden_cure_ = cureOf(misfitRows(false));
      if (hidden_cure_ && hidden_cure_->change > kLargestOnTheWay) {
        loose_.clear();
        continue;
      }
      out_.misfit = widest;
      return;
    }
  }

  // The iteration has come to the least sum of squares, and that is not zero. Where the rows that are dependent there
  // stay about as far off when the mechanism moves, they are left open: lengths that were rounded. On the way there the
  // mechanism may have crept along its own motion, so the rest is closed from the start again.
  // What the joints are open by as drawn may be little of what they are elsewhere.
  bool settleMisfit(Solver& solver, const std::vector<double>& start) {
    const double off = solver.residual(out_.q) / solver.length();
    if (!(off <= kLargestMisfit)) return false;
    const std::vector<double> nearest = out_.q;
    for (const double cut : {kMisfitFactor * off, kMisfitFactor * kLargestMisfit}) {
      if (settleMisfitWithin(solver, cut, start)) return true;
      loose_.clear();
      out_.misfit = 0.0;
      out_.q = nearest;
      solver.loosen(loose_);
      solver.residual(out_.q);
    }
    return false;
  }

  bool settleMisfitWithin(Solver& solver, double cut, const std::vector<double>& start) {
    const std::vector<std::uint8_t> all(at(solver.equations().rows()), 1);
    solver.equations().copyJacobian(solver.work(), RowLevel::position, solver.kkt().jacobian());
    solver.kkt().factor({.row = kDependentRow, .doubtful_row = cut * cut, .doubtful = all});
    const auto& set = solver.equations().elements();
    for (int r = 0; r < solver.equations().rows(); ++r) {
      if (!solver.kkt().rowDropped(r) || solver.equations().level(r) == RowLevel::velocity) continue;
      if (set.groups[at(set.row_info[at(r)].group)].is_drive) return false;
      loose_.push_back(r);
    }
    if (loose_.empty()) return false;
    solver.loosen(loose_);
    std::vector<double> q = start;
    if (solver.solve(q)) {
      out_.q = std::move(q);
    } else if (!solver.solve(out_.q)) {
      return false;
    }
    out_.misfit = misfitAt(solver);
    if (out_.misfit > kLargestMisfit) return false;
    if (misfitStays(out_.misfit)) return true;
    const double widest = MisfitWalk<G>(mechanism_, t_, out_.turns).widest(out_.q, loose_, cut, 0.0, kLargestOnTheWay);
    out_.misfit = std::max(out_.misfit, widest);
    return widest <= kLargestOnTheWay;
  }

  double misfitAt(Solver& solver) const {
    double worst = 0.0;
    for (const int r : loose_) {
      worst = std::max(worst, std::abs(solver.work().phi[at(r)]) * solver.rowLength(r) / solver.length());
    }
    return worst;
  }

  // With the drives let go, so that there is somewhere to move.
  bool misfitStays(double misfit) const {
    Mechanism free = mechanism_;
    free.drives.clear();
    Solver solver(free, t_);
    assembling_.prepare(solver);
    std::mt19937 random(1);
    std::uniform_real_distribution<double> unit(-0.1, 0.1);
    std::vector<double> step(at(solver.equations().freedoms()));
    for (int attempt = 0; attempt < 3; ++attempt) {
      for (std::size_t u = 0; u < step.size(); ++u) {
        step[u] = unit(random) * (static_cast<int>(u) % G::kFreedoms < G::kDimension ? solver.length() : 1.0);
      }
      std::vector<double> q = out_.q;
      solver.move(step, q);
      if (solver.solve(q) && misfitAt(solver) > kSameMisfit * misfit) return false;
    }
    return true;
  }

  // If the joints close without the drives, these are to blame: those with a part in what is left over.
  bool reportFightingDrives(Solver& solver) {
    if (mechanism_.drives.empty()) return false;
    Mechanism free = mechanism_;
    free.drives.clear();
    Solver joints(free, t_);
    std::vector<double> q = out_.q;
    if (!joints.solve(q)) return false;
    const auto& set = solver.equations().elements();
    double largest = 0.0;
    for (int pass = 0; pass < 2; ++pass) {
      std::vector<int> drives;
      Gap worst;
      for (const RowGroup& group : set.groups) {
        if (!group.is_drive) continue;
        const Gap gap = gapOf(solver.equations(), group, solver.work().phi);
        const double size = std::max(gap.length, gap.angle * solver.length());
        if (pass == 0) largest = std::max(largest, size);
        if (pass == 0 || size < 1e-3 * largest) continue;
        drives.push_back(group.index);
        worst = {std::max(worst.length, gap.length), std::max(worst.angle, gap.angle)};
      }
      if (pass == 1 && largest > 0.0) reportDrives(mechanism_, drives, worst, out_);
    }
    return largest > 0.0;
  }

  // Opens the joint to blame alone, closes the rest, and measures the gap that is left.
  void reportOpenLoop() {
    Solver solver(mechanism_, t_);
    const double off = solver.residual(out_.q) / solver.length();
    if (reportFightingDrives(solver)) return;
    const int blamed = jointToBlame(solver.equations(), solver.work().phi, solver.length());
    if (blamed < 0) {
      out_.problem = "no pose satisfies all constraints";
      return;
    }
    const RowGroup& group = solver.equations().elements().groups[at(blamed)];
    std::vector<double> soft(at(solver.equations().rows()), 0.0);
    for (int r = 0; r < group.rows; ++r) soft[at(group.first_row + r)] = kSoft;
    solver.closeAllBut(soft, out_.q);
    reportOpenJoint(mechanism_, group.index, gapOf(solver.equations(), group, solver.work().phi), out_);
    if (off <= 100.0 * kLargestMisfit) {
      out_.hint =
          "If lengths were rounded: equations that repeat others may miss them by 1e-4 of the mechanism's size; give "
          "more digits, or compute one length from the others in an expression. Otherwise check the lengths and the "
          "places of the joints.";
    }
  }

  Assembling<G>& assembling_;
  const Mechanism& mechanism_;
  double t_;
  Assembly& out_;
  std::vector<int>& loose_;
  std::optional<MisfitCure> hidden_cure_;
};

}  // namespace

template <class G>
bool closeLoops(Assembling<G>& assembling) {
  return LoopCloser<G>(assembling).run();
}
template bool closeLoops(Assembling<Planar<double>>& assembling);
template bool closeLoops(Assembling<Spatial<double>>& assembling);

}  // namespace linkwork
