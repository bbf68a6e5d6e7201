// MechanicalDae: the DaeSystem of any MechanicalSystem, of index 3 or of the stabilised index 2.
//
//   index3:  q' = T v + N nu                  y = [q, v, w, lambda, nu]
//            M v' = f + Phi_q^T lambda
//            w' = g
//            0 = Phi                        hard rows; others by their law, MechanicalSystem (3)
//            0 = (|p|^2 - 1)/2                of every unit quaternion p in q; N nu = nu p there
//   ggl:     q' = T (v + Phi_q^T mu) + N nu   y = [q, v, w, lambda, mu, nu]; Gear, Gupta & Leimkuhler (1985)
//            and in addition 0 = Phi_q v + Phi_t; 0 = mu of rows that are not hard
// Of rows that do not act 0 = lambda, and 0 = mu, stand instead.
// Where M depends on q, F has v' = M^-1 (f + Phi_q^T lambda), so that B is constant; the solve with c B - J that is
// offered then multiplies these rows by M again, and nothing is filled by M^-1.
// mu and nu vanish on the solution; they take up what discretisation would let drift.       [docs/theory/04]
// A row of velocities alone has no Phi to drift from: it stands in the place of its lambda as 0 = Phi_q v + Phi_t, of
// index 2 in both, and has no mu.
//
// The Jacobian is exact but for three things that a Newton iteration does without: mu's effect through Phi_q^T mu (mu
// is of the size of the errors), the rows of w (nothing depends on w), and d(Phi_q v + Phi_t)/dq of ggl, which comes
// from differences, columns without a common row being moved together.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "linkwork/system/dae_system.hpp"
#include "linkwork/system/mechanical_system.hpp"

namespace linkwork {

enum class DaeKind { index3, ggl };

class MechanicalDae final : public DaeSystem {
 public:
  // index_one has the same states and says their accelerations, from which start() has lambda. Both must outlive this.
  MechanicalDae(const MechanicalSystem& mechanical, const OdeSystem& index_one, DaeKind kind);

  StateSpace space() const override { return space_; }
  int algebraic() const override { return algebraic_; }
  int multipliers() const override { return rows_; }
  std::span<const int> index() const override { return index_; }
  const SparseMatrix& B() const override { return B_; }
  std::unique_ptr<Workspace> makeWorkspace() const override;

  Eval rightSide(double t, std::span<const double> y, const Modes& modes, Workspace& work,
                 std::span<double> F) const override;
  Eval jacobian(double t, std::span<const double> y, const Modes& modes, Workspace& work,
                SparseMatrix& out) const override;
  std::unique_ptr<ShiftedSolve> makeShiftedSolve() const override;
  Eval start(double t, std::span<const double> x, const Modes& modes, Workspace& work, std::span<double> y,
             std::span<double> ydot) const override;
  std::string describeFailure(const Workspace& work) const override;

  DaeKind kind() const { return kind_; }
  const MechanicalSystem& mechanical() const { return mechanical_; }

 private:
  struct Work;
  class PoseMassSolve;
  struct Quaternion {
    std::vector<int> entries;  // of q
  };
  // Where parts of y and of F begin; lambda's rows are Phi or those of velocities alone, mu's the velocity level of
  // Phi, nu's the norms.
  int lambdaAt() const { return space_.size(); }
  int muAt() const { return space_.size() + rows_; }
  int nuAt() const { return muAt() + (kind_ == DaeKind::ggl ? static_cast<int>(position_rows_.size()) : 0); }
  bool hard(int r) const { return laws_.empty() || laws_[static_cast<std::size_t>(r)].hard(); }

  void findQuaternions();
  Eval evaluate(double t, std::span<const double> x, const Modes& modes, Work& work) const;
  Eval divideByMass(Work& work, Eigen::VectorXd& forces) const;
  Eval undivided(double t, std::span<const double> y, const Modes& modes, Work& work, SparseMatrix& out) const;
  void addLaws(std::span<const double> y, const Work& work, std::span<double> F) const;
  void addLawSlopes(Work& work) const;
  Eval velocityRowsByMotion(double t, std::span<const double> x, const Modes& modes, Work& work) const;
  void addRows(Work& work, std::vector<Eigen::Triplet<double>>& entries) const;
  void setRate(std::span<const double> y, Work& work) const;
  bool knowsVelocityRows() const { return kind_ == DaeKind::ggl || !velocity_rows_.empty(); }

  const MechanicalSystem& mechanical_;
  const OdeSystem& index_one_;
  DaeKind kind_;
  StateSpace space_;
  int rows_ = 0;
  std::span<const MechanicalRow> laws_;
  bool any_relaxation_ = false;
  bool constant_mass_ = true;
  std::vector<int> position_rows_, velocity_rows_;  // of the rows: those with a Phi, and those of velocities alone
  int algebraic_ = 0;
  std::vector<Quaternion> quaternions_;
  std::vector<int> index_;
  SparseMatrix B_;
};

}  // namespace linkwork
