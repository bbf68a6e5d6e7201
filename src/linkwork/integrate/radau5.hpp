// Radau IIA of order 5, adaptive: for stiff models, and for constraints integrated directly (dae() of index 2 or 3).
//
//   B (Y_i - y) = h sum_j a_ij F(t + c_j h, Y_j), i = 1..3,   y_new = Y_3                          collocation, c_3 = 1
// solved by a simplified Newton iteration on transformed stages: one real and one complex linear system, whose Jacobian
// and factors are kept as long as the iteration converges well.
//   err = (gamma/h B - J)^-1 (F(t, y) - B u'(0)),  u the collocation polynomial; accepted when |err| <= 1 in the norm
//   |err| = max_i |err_i| h^(index_i - 1) / (atol + rtol max(|y_i|, |y_new_i|)) over q and v
// Entries of index 2 and 3 count less by h and h^2, as their errors by nature are larger by as much; multipliers do not
// count, because no later step depends on them. As err is of order 3 and the method of order 5, the norm takes rtol and
// atol raised to 0.1 rtol^(2/3), in the same ratio; not so with velocities of index 2, which are of order 3 alone. Step
// control after Gustafsson. Constraints hold at the stages, so that err sees nothing across them: what positions miss
// there between the stages is held to the same norm.                                                  [docs/theory/04]
//
// E. Hairer, G. Wanner: Solving Ordinary Differential Equations II, sections IV.8 and VII.
//
// Unlike the explicit methods a step allocates, in the Jacobian and in the linear algebra.
#pragma once

#include <Eigen/Dense>
#include <array>
#include <memory>

#include "linkwork/integrate/adaptive_integrator.hpp"
#include "linkwork/integrate/radau_scheme.hpp"
#include "linkwork/system/dae_system.hpp"

namespace linkwork {

// Where the system offers neither dae() nor a solve of its own, the Jacobian is a full matrix from differences: beyond
// so many positions and velocities it is refused.
inline constexpr int kMostDenseUnknowns = 2000;

class Radau5 final : public AdaptiveIntegrator {
 public:
  // newton_limit: where Newton's iteration ends, as a share of the tolerances; 0: chosen from them. A limit given, as
  // in studies of convergence, is worth more iterations too.
  Radau5(const OdeSystem& system, const IntegratorOptions& options, double newton_limit = 0);

  std::span<const double> multipliers() const override;
  long jacobians() const { return jacobians_; }
  long factorisations() const { return factorisations_; }

 private:
  using Vector = Eigen::VectorXd;

  StepStatus start() override;
  StepStatus restart() override;
  StepStatus advance() override;
  std::string describeTrouble() const override;

  struct Newton {
    enum class End { converged, diverged, retry, failed } end = End::diverged;
    int iterations = 0;
    double rate = 0;        // of convergence, theta
    double shrink = 0.5;    // of the step, after divergence
    double stalled_at = 0;  // corrections that fell no more, as a share of the tolerance; 0: they did not come so far
  };
  struct Correction {
    double size = 0;
    double above_floor = 0;
  };
  struct Attempt {
    enum class End { taken, too_large, diverged, retry, failed } end = End::diverged;
    StepStatus status = StepStatus::ok;
    double error = 0;
    Newton newton;
  };

  Eval rightSide(double t, const Vector& y, Vector& F);
  Eval updateJacobian();
  void makeSolve();
  Eval differences(Eigen::MatrixXd& J);
  void timesB(const Vector& y, Vector& out) const;
  Eval prepare(double h);
  void predict(double h);
  void setTolerance(double h);
  double norm(const Vector& d, const Vector& scale) const;
  Newton solveStages(double t_new, double h);
  Eval correctStages(double t_new, double h, Correction& correction);
  double estimateError(double h, bool filter_again);
  double errorBetweenNodes(double h) const;
  double startSlope(Eigen::Index k) const;
  Eval solveQuadratures(double t_new, double h);
  Eval accept(double t_new, double h, StepStatus& status);
  std::string describeRoundOff() const;
  double shortestAgainstRoundOff() const;  // s
  bool nearLowRank() const;
  void noteDivergence(const Newton& newton);
  Attempt tryStep(double t_new, double h, bool rejected);
  void setDense(double h);
  double nextStep(double h, const Attempt& attempt) const;
  void afterRejection(double h, const Attempt& attempt);

  const DaeSystem* dae_;
  bool scaled_velocities_;  // whether errors of velocities count times the step
  std::unique_ptr<Workspace> dae_work_;
  enum class Ask { system, dae, solve, round_off } ask_ = Ask::system;  // whose the last trouble was
  int size_ = 0;                                                        // of y
  std::vector<int> judged_;  // entries that the norms look at: q, v and algebraic ones of index 1
  double rtol_ = 0, atol_ = 0, newton_limit_ = 0;
  int most_iterations_ = 0;
  int stalls_ = 0;            // of the iteration with rows of index 3, in this step
  int too_coarse_ = 0;        // refusals for what lies between the nodes alone, of this step
  double largest_pivot_ = 0;  // of the row nearest to dependence, since the start; only for words
  double stalled_at_ = 0;     // with round_off: of the iteration, in tolerances
  bool index3_ = false;       // velocities are of index 2

  std::unique_ptr<ShiftedSolve> solve_;
  bool by_differences_ = false;

  Vector y_, F_start_, y_stage_, error_, right_, product_;
  Eigen::VectorXcd complex_right_;
  std::array<Vector, 3> Z_, W_, F_, Z_last_;
  Vector tolerance_, newton_scale_, floor_;
  std::vector<double> z_, slope_start_, slope_end_, fourth_;

  double h_ = 0;           // what the controller wants next
  double h_factored_ = 0;  // 0: no factors
  double h_last_ = 0;      // of the last accepted step; 0: none to extrapolate
  double error_last_ = 0;
  double rate_start_ = 1;       // eta of the last iteration, where the next begins
  bool jacobian_here_ = false;  // evaluated at (t_, y_)
  bool keep_jacobian_ = false;
  bool first_ = true;
  long jacobians_ = 0, factorisations_ = 0;
};

}  // namespace linkwork
