// One implicit step of a method that takes the constraints at position level (index 3), solved by Newton's method.
//
// A method says how the step ends for accelerations u still unknown:
//   (1)  v = v_base + cv u,   q = retract(q_start, d),  d = d_base + cd u
// and (u, lambda) follow from
//   (2)  M u - f(t, q, v) - Phi_q^T lambda = 0,    Phi(t, q) / cd = 0, or lambda = 0 of a row that does not act
// with the iteration matrix
//   (3)  [ M + cv C + cd K J   -Phi_q^T ;  Phi_q J   0 ],   J = d(motion of q) / d(d), 1 in the plane
// Rows with compliance c and relaxation r have instead, m being the mass that lambda is measured by,
//   (4)  (Phi + c lambda + r (Phi_q v + Phi_t)) / (cd + r cv + m c) = 0
// and in (3), over the same divisor, (cd + r cv) Phi_q J and c. The derivative of Phi_q v by the motion is left out,
// which costs iterations where r v is large. As c -> 0 this becomes (3); with cd = cv = 0 it says what lambda is at a
// state.
//
// Where M depends on q, (2) is taken as M_0 (u - M^-1 (f + Phi_q^T lambda)) with the M_0 of (3): old factors then serve
// as long as they would for a constant M.
//
// Divided by cd ~ h^2 the constraints give a matrix that tends to that of the index-1 equations as h -> 0, so that its
// condition does not grow; lambda is scaled by a mass, so that both columns are of one size. [docs/theory/05, eq. 5.14]
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "linkwork/system/mechanical_system.hpp"

namespace linkwork {

struct Index3Step {
  double t = 0;  // at the end
  double cv = 0;
  double cd = 0;
  std::span<const double> q_start;
  Eigen::VectorXd v_base;
  Eigen::VectorXd d_base;
};

struct NewtonCounts {
  long evaluations = 0;  // of the equations (2)
  long iterations = 0;
  long factorisations = 0;
};

class Index3Newton {
 public:
  // Both must outlive it; modes are those of the step under way, whoever changes them between steps.
  Index3Newton(const MechanicalSystem& system, const Modes& modes);

  // x holds [., ., w] on entry and [q, v, w] of the end on success; (u, lambda) hold a first guess and the solution.
  // retry: not to be had with this step.
  Eval solve(const Index3Step& step, std::span<double> x, Eigen::VectorXd& u, Eigen::VectorXd& lambda);

  // lambda of M a = f + Phi_q^T lambda where the accelerations are known.
  Eval multipliersAt(double t, std::span<const double> x, const Eigen::VectorXd& a, Eigen::VectorXd& lambda);

  // Phi_q v + Phi_t of hard rows; 0 of others.
  Eval velocityDefect(double t, std::span<const double> x, Eigen::VectorXd& out);
  // Moves the velocities of x onto their hard constraints where they miss them by more than round-off. Begins with a
  // new matrix: nothing of the steps before has a part in it.
  Eval closeVelocities(double t, std::span<double> x, bool& moved);
  // Phi_q of the last evaluation times `motion`.
  void rowsTimes(const Eigen::VectorXd& motion, Eigen::VectorXd& out) const { out = values_.phi_q * motion; }

  // With the matrix (3) of the last solve: its upper part on `error`, as M (3)^-1 does it. What stiff parts of the
  // equations and the constraints would undo is taken out.
  void filter(const Eigen::VectorXd& error, Eigen::VectorXd& out);
  // The change of velocities, normal to the constraints, that changes Phi_q v of hard rows by `rows`.
  Eval normalMotion(double t, std::span<const double> x, const Eigen::VectorXd& rows, Eigen::VectorXd& out);

  const NewtonCounts& counts() const { return counts_; }
  // Evaluations since this was last asked.
  long takeEvaluations();
  bool failed() const { return trouble_ != Trouble::none; }  // in the last call
  // After a step from x, closed at t, that did not converge: how far towards t_new the constraints can be followed.
  // Less than t_new at a dead point, which describeFailure() then names. For reports alone: it costs many
  // factorisations.
  double seekDeadPoint(double t, std::span<const double> x, double t_new);
  // Why the last call did not answer ok, with the name of a joint where the constraints became dependent.
  std::string describeFailure() const;

 private:
  enum class Trouble { none, equations, singular, diverged, dead_point };

  Eval evaluate(double t, std::span<const double> x);
  void place(const Index3Step& step, const Eigen::VectorXd& u, std::span<double> x);
  // (3) with cv = cd = 0, as in the index-1 equations.
  Eval factorAt(double t, std::span<const double> x);
  Eval refresh(const Index3Step& step, std::span<const double> x, const Eigen::VectorXd& u,
               const Eigen::VectorXd& lambda);
  Eval factor(double cv, double cd);
  enum class Iteration { converged, slow, failed };
  Iteration iterate(const Index3Step& step, std::span<double> x, Eigen::VectorXd& u, Eigen::VectorXd& lambda,
                    Eval& eval);
  // Closes positions and velocities of x; false where that takes corrections larger than `most`.
  bool close(double t, std::span<double> x, double most);
  int nearestRow() const;
  void findMotionGroups();
  void motionTangent(const Index3Step& step, std::span<const double> q);
  void solveLinear();
  const SparseMatrix& mass() const { return massOf(system_, values_); }
  const SparseMatrix& massOfMatrix() const { return constant_mass_ != nullptr ? *constant_mass_ : matrix_mass_; }
  Eval residual(const Index3Step& step, const Eigen::VectorXd& u, const Eigen::VectorXd& lambda);
  bool hard(Eigen::Index r) const { return laws_.empty() || laws_[static_cast<std::size_t>(r)].hard(); }
  bool isIdle(Eigen::Index r) const { return !values_.idle.empty() && values_.idle[static_cast<std::size_t>(r)] != 0; }
  void keepHard(Eigen::VectorXd& rows) const;  // the others become 0
  double divisor(Eigen::Index r, double cv, double cd) const;
  void addLaws(const Index3Step& step, const Eigen::VectorXd& lambda);

  const MechanicalSystem& system_;
  const Modes& modes_;
  StateSpace space_;
  Eigen::Index n_ = 0;     // velocities
  Eigen::Index rows_ = 0;  // constraints
  std::span<const MechanicalRow> laws_;
  const SparseMatrix* constant_mass_ = nullptr;
  std::unique_ptr<Workspace> work_;
  MechanicalValues values_;
  MechanicalTangent tangent_;
  bool values_known_ = false;  // values_ are those of the state that the iterations begin with
  double lambda_scale_ = 1;

  // Motions whose parts of J can be found together: no two of a group touch the same number of q.
  std::vector<std::vector<int>> groups_;
  bool flat_ = true;  // J = 1
  SparseMatrix J_;
  std::vector<double> q_shifted_, d_scratch_, motion_;

  SparseMatrix matrix_;
  SparseMatrix upper_;             // its part without constraints
  SparseMatrix matrix_mass_;       // M_0 in it, where M is not constant
  Eigen::VectorXd by_motion_;      // of rows with compliance: how much Phi_q and
  Eigen::VectorXd by_multiplier_;  // lambda are in (4); of hard ones 1 and 0
  SparseLu lu_;
  bool has_matrix_ = false;
  double matrix_cv_ = 0;
  double matrix_cd_ = 0;
  double rate_ = 0;  // of the last iterations

  Eigen::VectorXd d_, right_, solution_, mu_;
  Eigen::VectorXd u_guess_, lambda_guess_;
  NewtonCounts counts_;
  long evaluations_taken_ = 0;
  Trouble trouble_ = Trouble::none;
};

}  // namespace linkwork
