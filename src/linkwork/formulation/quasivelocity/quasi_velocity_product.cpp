// J d of a QuasiVelocitySystem, J = df/dx: its equations once with numbers and, along d, with Dual numbers, eight
// directions at once. Velocities and accelerations follow from the state by
//
//   (1)  S_1 = G v + Phi_t + ... = 0,   v_I = omega           dv_D = -G_D^-1 (dS_1 + G_I domega)
//   (2)  R = M u' + h - f - G^T lambda = 0,   S_2 = Gamma - Phi_q a = 0
//        M du' - G^T dlambda = -dR,   G du' = dS_2                          [docs/theory/11, eq. 11.10]
//
// dS and dR along d with v, u' and lambda held, by the factors that they were found with: du' = N a + c with
// N^T M N a = N^T (-dR - M c). omega' is then what (2) of own_axes.hpp leaves of u'. Near a pose of lower rank it is by
// differences.
#include <algorithm>

#include "linkwork/formulation/quasivelocity/quasi_velocity_system_impl.hpp"
#include "linkwork/formulation/recursive/cut_solve.hpp"
#include "linkwork/formulation/tangent_numbers.hpp"
#include "linkwork/linalg/as_vector.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

template <class G>
class QuasiVelocitySystem<G>::Product final : public JacobianProduct {
  using GD = typename WithDual<G>::type;
  using Number = TangentNumber;

 public:
  explicit Product(const QuasiVelocitySystem& system)
      : system_(system),
        work_(system),
        solve_(system.cut_tree_),
        equations_(system.joints_.mechanism(), system.joints_.plan()),
        own_axes_(equations_.tree()),
        forms_(system.joints_.mechanism()),
        named_(forms_.makeWork()),
        dual_(equations_),
        inverse_(equations_.tree()),
        applied_(dual_.loads),
        differences_(makeDifferenceProduct(system)),
        x_(at(system.space().size())),
        xdot_(x_.size()),
        v_(work_.v.size()),
        u_(v_),
        udot_(v_),
        own_(v_),
        lambda_(work_.lambda.size()),
        off_(at(system.rowCount())),
        of_bodies_(work_.acceleration.size()) {}

  Eval times(double t, std::span<const double> x, const Modes& given, std::span<const double> d,
             std::span<double> out) override {
    const Modes& modes = system_.placed(t, x, given, work_);
    if (const Eval eval = system_.velocities(t, x, modes, work_); eval != Eval::ok) return eval;
    if (work_.by_joints) return differences_->times(t, x, modes, d, out);
    if (const Eval eval = system_.accelerations(t, x, Wanted::reactions, work_); eval != Eval::ok) return eval;
    const std::size_t n = x.size();
    for (std::size_t first = 0; first < d.size(); first += n * kTangentDirections) {
      const std::size_t size = std::min(n * kTangentDirections, d.size() - first);
      take(t, x, system_.choiceIn(modes), d.subspan(first, size), out.subspan(first, size));
    }
    return allFinite(out) ? Eval::ok : Eval::retry;
  }

 private:
  // At most as many directions as are taken at once.
  void take(double t, std::span<const double> x, const Choice& choice, std::span<const double> d,
            std::span<double> out) {
    const std::size_t count = d.size() / x.size();
    const auto coordinates = at(equations_.tree().coordinates);
    holdAlong(x, d, x_);
    const std::span<const Number> q = std::span(x_).first(coordinates);
    std::copy(x_.end() - equations_.cuts().turns(), x_.end(), dual_.eq.turns.begin());
    equations_.place(Number(t), q, dual_);
    takeVelocities(q, choice, count);
    equations_.forces(dual_);
    takeAccelerations(q, count);

    coordinateRates<GD>(equations_.tree(), q, u_, std::span(xdot_).first(coordinates));
    // omega' of R^T (u' - (R w) x u)
    std::fill(own_.begin(), own_.end(), Number(0.0));
    own_axes_.addRates(q, u_, own_);
    for (std::size_t k = 0; k < own_.size(); ++k) own_[k] = udot_[k] - own_[k];
    own_axes_.turnIn(q, own_);
    std::size_t next = coordinates;
    takeRatesOfNames(next);
    for (std::size_t k = 0; k < own_.size(); ++k) {
      if (choice.independent[k] != 0) xdot_[next++] = own_[k];
    }
    xdot_[next] = power();
    const int turns = equations_.cuts().turns();
    for (int k = 0; k < turns; ++k) xdot_[next + 1 + at(k)] = equations_.cuts().turnRate(k, dual_.eq);
    putAlong(xdot_, out);
  }

  void moveAt(std::span<const Number> q) {
    std::copy(v_.begin(), v_.end(), u_.begin());
    own_axes_.turnOut(q, u_);
    equations_.move(u_, dual_);
  }

  // omega' = W a - Gamma
  void takeRatesOfNames(std::size_t& next) {
    if (system_.named_ == 0) return;
    linkwork::accelerations<GD>(equations_.tree(), dual_.pk, dual_.vk, udot_, {}, inverse_.A);
    equations_.bodyAccelerations(inverse_.A, dual_, of_bodies_);
    forms_.move(dual_.eq, named_);
    for (int k = 0; k < system_.named_; ++k)
      xdot_[next++] = forms_.timesRow(k, of_bodies_, named_) - forms_.gamma(k, named_);
  }

  // (1), and everything moving so.
  void takeVelocities(std::span<const Number> q, const Choice& choice, std::size_t count) {
    hold(work_.v, v_);
    const std::size_t cuts = lambda_.size();
    std::size_t next = q.size() + at(system_.named_);
    for (std::size_t k = 0; k < v_.size(); ++k) {
      if (choice.independent[k] != 0) v_[k] = x_[next++];
    }
    moveAt(q);
    if (off_.empty()) return;
    equations_.bodyVelocities(dual_, of_bodies_);
    for (std::size_t r = 0; r < cuts; ++r) {
      off_[r] = dual_.eq.minus_phi_t[r] - equations_.timesRow(static_cast<int>(r), of_bodies_, dual_);
    }
    if (system_.named_ > 0) {
      forms_.place(dual_.eq, named_);
      forms_.move(dual_.eq, named_);
    }
    for (std::size_t k = 0; k < at(system_.named_); ++k) {
      const int form = static_cast<int>(k);
      off_[cuts + k] = x_[q.size() + k] + forms_.minusRest(form, named_) - forms_.timesRow(form, of_bodies_, named_);
    }
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t r = 0; r < off_.size(); ++r) work_.right[r] = off_[r].derivatives[k];
      std::fill(work_.bias.begin(), work_.bias.end(), 0.0);
      work_.rows.complete(work_.right, work_.bias);
      for (std::size_t i = 0; i < v_.size(); ++i) v_[i].derivatives[k] += work_.bias[i];
    }
    moveAt(q);
  }

  // (2): u' and lambda with their derivatives, and the forces in the joints with them.
  void takeAccelerations(std::span<const Number> q, std::size_t count) {
    applied_ = dual_.loads;
    hold(work_.udot, udot_);
    hold(work_.lambda, lambda_);
    sweep();
    equations_.bodyAccelerations(inverse_.A, dual_, of_bodies_);
    for (std::size_t r = 0; r < lambda_.size(); ++r) {
      off_[r] = dual_.eq.gamma[r] - equations_.timesRow(static_cast<int>(r), of_bodies_, dual_);
    }
    for (std::size_t k = 0; k < count; ++k) {
      const auto& columns = system_.tree().columns;
      for (std::size_t c = 0; c < columns.size(); ++c) {
        if (columns[c].freedom >= 0) work_.force[at(columns[c].freedom)] = -inverse_.tau[c].derivatives[k];
      }
      // The names may have any rates here: the directions are those of all free motions.
      std::fill(work_.right.begin(), work_.right.end(), 0.0);
      for (std::size_t r = 0; r < lambda_.size(); ++r) work_.right[r] = off_[r].derivatives[k];
      solve(q);
      for (std::size_t i = 0; i < udot_.size(); ++i) udot_[i].derivatives[k] = work_.bias[i];
      for (std::size_t r = 0; r < lambda_.size(); ++r) lambda_[r].derivatives[k] = work_.lambda_along[r];
    }
    if (!equations_.prescribes()) return;
    dual_.loads = applied_;
    sweep();
  }

  // du' in work_.bias and dlambda in work_.lambda_along, from -dR in work_.force and dS_2 in work_.right.
  void solve(std::span<const Number> q_along) {
    if (system_.byTree()) {
      std::copy(work_.force.begin(), work_.force.end(), solve_.right.begin());
      solve_.solve(work_);
      std::copy(solve_.x.begin(), solve_.x.end(), work_.bias.begin());
      return;
    }
    for (std::size_t k = 0; k < work_.moved_q.size(); ++k) work_.moved_q[k] = q_along[k].value;
    std::fill(work_.bias.begin(), work_.bias.end(), 0.0);
    if (!off_.empty()) work_.rows.complete(work_.right, work_.bias);
    system_.own_axes_.turnOut(work_.moved_q, work_.bias);
    const auto n = static_cast<Eigen::Index>(work_.bias.size());
    const Eigen::Map<const Eigen::MatrixXd> M(work_.mass->entries.data(), n, n);
    if (system_.quasi_velocities_ > 0) {
      asVector(work_.still) = asVector(work_.force);
      asVector(work_.still).noalias() -= M * asVector(work_.bias);
      work_.omega_rate.noalias() = work_.basis.transpose() * asVector(work_.still);
      work_.factored_inertia.solveInPlace(work_.omega_rate);
      asVector(work_.bias).noalias() += work_.basis * work_.omega_rate;
    }
    if (lambda_.empty()) return;
    // G_D^T dlambda = (M du' + dR)_D
    asVector(work_.still) = -asVector(work_.force);
    asVector(work_.still).noalias() += M * asVector(work_.bias);
    system_.own_axes_.turnIn(work_.moved_q, work_.still);
    work_.rows.multipliers(work_.still, work_.lambda_along);
  }

  // What u' and lambda ask of the tree.
  void sweep() {
    equations_.addReactions(lambda_, dual_);
    inverseDynamics<GD>(equations_.tree(), dual_.pk, dual_.vk, udot_, {{}, dual_.loads}, inverse_);
  }
  Number power() const {
    Number out = dual_.eq.supplied_power;
    for (std::size_t r = 0; r < lambda_.size(); ++r) out += lambda_[r] * dual_.eq.minus_phi_t[r];
    return out + equations_.drivePower(inverse_.F, dual_);
  }

  const QuasiVelocitySystem& system_;
  Work work_;
  CutSolve<G> solve_;  // where there are no rows
  TreeEquations<GD> equations_;
  OwnAxes<GD> own_axes_;
  NamedForms<GD> forms_;
  typename NamedForms<GD>::Work named_;
  typename TreeEquations<GD>::Work dual_;
  InverseDynamics<GD> inverse_;
  std::vector<typename GD::Wrench> applied_;  // loads without reactions
  std::unique_ptr<JacobianProduct> differences_;
  std::vector<Number> x_, xdot_;
  std::vector<Number> v_, u_, udot_, own_;  // their derivatives are those of the directions solved for
  std::vector<Number> lambda_, off_, of_bodies_;
};

template <class G>
std::unique_ptr<JacobianProduct> QuasiVelocitySystem<G>::makeProduct() const {
  return std::make_unique<Product>(*this);
}

template std::unique_ptr<JacobianProduct> QuasiVelocitySystem<Planar<double>>::makeProduct() const;
template std::unique_ptr<JacobianProduct> QuasiVelocitySystem<Spatial<double>>::makeProduct() const;

}  // namespace linkwork
