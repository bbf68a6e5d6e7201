// What SUNDIALS asks for, owned and freed: a context, vectors, and a Newton matrix with its factors by Eigen.
//
// Vectors measure errors by their largest weighted entry, max_i |v_i w_i|, as our own methods do, where the library's
// would take the root mean square: that dilutes the error of one fast body by all those that stand still.
#pragma once

#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include <memory>
#include <span>

#include "linkwork/linalg/decompositions.hpp"
#include "linkwork/linalg/sparse_lu.hpp"
#include "linkwork/system/shifted_solve.hpp"

namespace linkwork::sundials {

class Context {
 public:
  Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context();
  SUNContext get() const { return context_; }

 private:
  SUNContext context_ = nullptr;
};

class Vector {
 public:
  Vector(const Context& context, std::size_t n);
  Vector(const Vector&) = delete;
  Vector& operator=(const Vector&) = delete;
  ~Vector();

  N_Vector get() const { return vector_; }
  std::span<double> values() { return {N_VGetArrayPointer(vector_), size_}; }

 private:
  std::size_t size_;
  N_Vector vector_;
};

inline std::span<double> values(N_Vector v) {
  return {N_VGetArrayPointer(v), static_cast<std::size_t>(N_VGetLength(v))};
}

// The matrix of Newton's iteration with its factors, as the library's SUNMatrix and SUNLinearSolver: dense, sparse, or
// none but what the system solves with. The owner fills it where the library asks for a Jacobian; rows and columns are
// scaled to a largest entry of one before they are factored, since those of a constraint and of a multiplier differ by
// powers of the step.
class NewtonMatrix {
 public:
  NewtonMatrix(const Context& context, Eigen::Index n);
  NewtonMatrix(const NewtonMatrix&) = delete;
  NewtonMatrix& operator=(const NewtonMatrix&) = delete;
  ~NewtonMatrix();

  SUNMatrix matrix() const { return matrix_; }
  SUNLinearSolver solver() const { return solver_; }

  Eigen::MatrixXd& dense() { return dense_; }  // fill this, or
  void setSparse(const SparseMatrix& a);       // a copy; the pattern never changes. Small ones are factored as dense
  // Or: factor * (shifts.real B - J) of a solve, which must outlive this.
  void setSolve(ShiftedSolve& solve, const Shifts& shifts, double factor);

  // For the library: factors what was filled in; false where it is singular.
  bool factor();
  void solve(std::span<const double> b, std::span<double> x);

 private:
  bool factorDense();
  bool factorSparse();

  SUNMatrix matrix_ = nullptr;
  SUNLinearSolver solver_ = nullptr;
  Eigen::VectorXd row_scale_, column_scale_, scaled_;
  Eigen::MatrixXd dense_;
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
  bool is_sparse_ = false;
  SparseMatrix sparse_;
  SparseLu sparse_lu_;
  Eigen::VectorXd solution_;
  ShiftedSolve* solve_ = nullptr;
  Shifts shifts_;
  double factor_ = 1;
};

}  // namespace linkwork::sundials
