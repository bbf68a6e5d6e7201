// J d of a HamiltonianSystem, J = df/dx: its equations once with numbers and, along d, with Dual numbers, eight
// directions at once. u and eta follow from the state by
//
//   (1)  R = (impulses of u and eta) - p* = 0,   S = Phi_q v + Phi_t = 0
//   (2)  M du - J^T deta = -dR,   J du = -dS            dR, dS along d with u and eta held   [docs/theory/09, eq. 9.11]
//
// by the factors that u itself was found with. The rates (4) then run with u, eta and their derivatives. By
// differences: a step that has (4'), and where rows depend on others, whose eta of least norm is no solve with these
// factors alone.
#include <algorithm>

#include "linkwork/formulation/hamiltonian/hamiltonian_work.hpp"
#include "linkwork/formulation/recursive/cut_solve.hpp"
#include "linkwork/formulation/tangent_numbers.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

template <class G>
class HamiltonianSystem<G>::Product final : public JacobianProduct {
  using GD = typename WithDual<G>::type;
  using Number = TangentNumber;

 public:
  explicit Product(const HamiltonianSystem& system)
      : system_(system),
        work_(system),
        solve_(system.cut_tree_),
        equations_(system.opened(), system.plan()),
        joints_(equations_),
        sweeps_(equations_),
        differences_(makeDifferenceProduct(system)),
        x_(at(system.space().size())),
        xdot_(x_.size()),
        u_(work_.u.size()),
        eta_(work_.eta.size()),
        open_(eta_.size()),
        velocity_(at(system.cuts().freedoms())) {}

  Eval times(double t, std::span<const double> x, const Modes& modes, std::span<const double> d,
             std::span<double> out) override {
    if (modes.flags[by_forces] != 0) return differences_->times(t, x, modes, d, out);
    if (const Eval eval = system_.velocities(t, x, modes, work_); eval != Eval::ok) return eval;
    // Where there are no rates.
    const bool projects = system_.options_.stabilisation == Stabilisation::projection;
    if (projects && system_.cut_tree_.nearRankChange(work_.joints)) return Eval::retry;
    if (work_.joints.factored.dropped > 0) return differences_->times(t, x, modes, d, out);
    solve_.prepare(work_.joints);
    const std::size_t n = x.size();
    for (std::size_t first = 0; first < d.size(); first += n * kTangentDirections) {
      const std::size_t size = std::min(n * kTangentDirections, d.size() - first);
      take(t, x, d.subspan(first, size), out.subspan(first, size));
    }
    return allFinite(out) ? Eval::ok : Eval::retry;
  }

 private:
  // At most as many directions as are taken at once.
  void take(double t, std::span<const double> x, std::span<const double> d, std::span<double> out) {
    const auto coordinates = at(equations_.tree().coordinates);
    holdAlong(x, d, x_);
    const std::span<const Number> q = std::span(x_).first(coordinates);
    std::copy(x_.end() - equations_.cuts().turns(), x_.end(), joints_.eq.turns.begin());
    equations_.place(Number(t), q, joints_);
    takeVelocities(std::span(x_).subspan(coordinates, u_.size()), d.size() / x.size());

    equations_.forces(joints_);
    momentaOf<GD>(equations_, joints_, eta_, sweeps_);
    if (!eta_.empty()) {
      loopRatesOf<GD>(equations_, joints_, eta_, sweeps_);
      for (std::size_t b = 0; b < joints_.loads.size(); ++b) joints_.loads[b] += -sweeps_.z_rate[b];
    }
    ratesUnder<GD>(equations_, joints_, u_, eta_, sweeps_);

    coordinateRates<GD>(equations_.tree(), q, u_, std::span(xdot_).first(coordinates));
    const auto& columns = equations_.tree().columns;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (columns[c].freedom >= 0) xdot_[coordinates + at(columns[c].freedom)] = sweeps_.rate[c];
    }
    const std::size_t work_at = coordinates + u_.size();
    xdot_[work_at] = sweeps_.power;
    for (int k = 0; k < equations_.cuts().turns(); ++k) {
      xdot_[work_at + 1 + at(k)] = equations_.cuts().turnRate(k, joints_.eq);
    }
    putAlong(xdot_, out);
  }

  // u_ and eta_ with their derivatives, and everything moving so.
  void takeVelocities(std::span<const Number> p, std::size_t count) {
    hold(work_.u, u_);
    hold(work_.eta, eta_);
    equations_.move(u_, joints_);
    momentaOf<GD>(equations_, joints_, eta_, sweeps_);
    equations_.bodyVelocities(joints_, velocity_);
    for (std::size_t r = 0; r < open_.size(); ++r) {
      open_[r] = equations_.timesRow(static_cast<int>(r), velocity_, joints_) - joints_.eq.minus_phi_t[r];
    }
    const auto& columns = equations_.tree().columns;
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t c = 0; c < columns.size(); ++c) {
        if (columns[c].freedom < 0) continue;
        const std::size_t freedom = at(columns[c].freedom);
        solve_.right[freedom] = p[freedom].derivatives[k] - sweeps_.impulse[c].derivatives[k];
      }
      for (std::size_t r = 0; r < open_.size(); ++r) solve_.wanted[r] = -open_[r].derivatives[k];
      solve_.solve(work_.joints);
      for (std::size_t i = 0; i < u_.size(); ++i) u_[i].derivatives[k] = solve_.x[i];
      for (std::size_t r = 0; r < eta_.size(); ++r) eta_[r].derivatives[k] = solve_.y[r];
    }
    equations_.move(u_, joints_);
  }

  const HamiltonianSystem& system_;
  Work work_;
  CutSolve<G> solve_;
  TreeEquations<GD> equations_;
  typename TreeEquations<GD>::Work joints_;
  ImpulseWork<GD> sweeps_;
  std::unique_ptr<JacobianProduct> differences_;
  std::vector<Number> x_, xdot_;
  std::vector<Number> u_, eta_;  // their derivatives are those of the directions solved for
  std::vector<Number> open_, velocity_;
};

template <class G>
std::unique_ptr<JacobianProduct> HamiltonianSystem<G>::makeProduct() const {
  return paper_ ? nullptr : std::make_unique<Product>(*this);
}

template std::unique_ptr<JacobianProduct> HamiltonianSystem<Planar<double>>::makeProduct() const;
template std::unique_ptr<JacobianProduct> HamiltonianSystem<Spatial<double>>::makeProduct() const;

}  // namespace linkwork
