#include "linkwork/integrate/sundials/library.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linkwork/base/contract.hpp"

namespace linkwork::sundials {
namespace {

constexpr Eigen::Index kMostDense = 64;

// What is not a number must not pass for small.
double largest(N_Vector v, N_Vector weights, N_Vector mask) {
  double norm = 0;
  for (std::size_t i = 0; i < values(v).size(); ++i) {
    if (mask != nullptr && !(values(mask)[i] > 0)) continue;
    const double entry = std::abs(values(v)[i] * values(weights)[i]);
    if (std::isnan(entry)) return std::numeric_limits<double>::infinity();
    norm = std::max(norm, entry);
  }
  return norm;
}

double weightedNorm(N_Vector v, N_Vector weights) { return largest(v, weights, nullptr); }

NewtonMatrix& newton(void* content) { return *static_cast<NewtonMatrix*>(content); }

SUNMatrix_ID matrixId(SUNMatrix /*a*/) { return SUNMATRIX_CUSTOM; }
int zeroNothing(SUNMatrix /*a*/) { return 0; }  // the owner writes all of it
void destroyMatrix(SUNMatrix a) { SUNMatFreeEmpty(a); }

SUNLinearSolver_Type solverType(SUNLinearSolver /*s*/) { return SUNLINEARSOLVER_DIRECT; }
SUNLinearSolver_ID solverId(SUNLinearSolver /*s*/) { return SUNLINEARSOLVER_CUSTOM; }
int initializeSolver(SUNLinearSolver /*s*/) { return 0; }
int setUpSolver(SUNLinearSolver s, SUNMatrix /*a*/) {
  return newton(s->content).factor() ? 0 : 1;
}  // 1: a smaller step
int solveWith(SUNLinearSolver s, SUNMatrix /*a*/, N_Vector x, N_Vector b, realtype /*tolerance*/) {
  newton(s->content).solve(values(b), values(x));
  return 0;
}
int freeSolver(SUNLinearSolver s) {
  SUNLinSolFreeEmpty(s);
  return 0;
}

// One over x, but 1 for a row or column of zeros: factoring says what is wrong with it.
double inverseOf(double x) { return x > 0 && std::isfinite(x) ? 1 / x : 1; }

}  // namespace

Context::Context() { expect(SUNContext_Create(nullptr, &context_) == 0, "SUNDIALS: no context"); }
Context::~Context() { SUNContext_Free(&context_); }

Vector::Vector(const Context& context, std::size_t n)
    : size_(n), vector_(N_VNew_Serial(static_cast<sunindextype>(n), context.get())) {
  expect(vector_ != nullptr, "SUNDIALS: no memory for a vector");
  N_VConst(0, vector_);
  vector_->ops->nvwrmsnorm = weightedNorm;
  vector_->ops->nvwrmsnormmask = largest;
}
Vector::~Vector() { N_VDestroy(vector_); }

NewtonMatrix::NewtonMatrix(const Context& context, Eigen::Index n)
    : matrix_(SUNMatNewEmpty(context.get())),
      solver_(SUNLinSolNewEmpty(context.get())),
      row_scale_(n),
      column_scale_(n),
      scaled_(n) {
  expect(matrix_ != nullptr && solver_ != nullptr, "SUNDIALS: no memory for a matrix");
  matrix_->content = this;
  matrix_->ops->getid = matrixId;
  matrix_->ops->zero = zeroNothing;
  matrix_->ops->destroy = destroyMatrix;
  solver_->content = this;
  solver_->ops->gettype = solverType;
  solver_->ops->getid = solverId;
  solver_->ops->initialize = initializeSolver;
  solver_->ops->setup = setUpSolver;
  solver_->ops->solve = solveWith;
  solver_->ops->free = freeSolver;
}

NewtonMatrix::~NewtonMatrix() {
  SUNLinSolFree(solver_);
  SUNMatDestroy(matrix_);
}

void NewtonMatrix::setSparse(const SparseMatrix& a) {
  is_sparse_ = a.rows() > kMostDense;
  if (is_sparse_) {
    sparse_ = a;
  } else {
    dense_ = a;
  }
}

void NewtonMatrix::setSolve(ShiftedSolve& solve, const Shifts& shifts, double factor) {
  solve_ = &solve;
  shifts_ = shifts;
  factor_ = factor;
}

bool NewtonMatrix::factor() {
  if (solve_ != nullptr) return solve_->factor(shifts_);
  return is_sparse_ ? factorSparse() : factorDense();
}

bool NewtonMatrix::factorDense() {
  for (Eigen::Index i = 0; i < dense_.rows(); ++i) row_scale_[i] = inverseOf(dense_.row(i).cwiseAbs().maxCoeff());
  for (Eigen::Index j = 0; j < dense_.cols(); ++j) {
    dense_.col(j).array() *= row_scale_.array();
    column_scale_[j] = inverseOf(dense_.col(j).cwiseAbs().maxCoeff());
    dense_.col(j) *= column_scale_[j];
  }
  lu_.compute(dense_);
  const double least = lu_.matrixLU().diagonal().cwiseAbs().minCoeff();
  return least > 0 && std::isfinite(least);
}

bool NewtonMatrix::factorSparse() {
  row_scale_.setZero();
  const auto eachEntry = [this](const auto& visit) {
    for (Eigen::Index j = 0; j < sparse_.outerSize(); ++j) {
      for (SparseMatrix::InnerIterator entry(sparse_, j); entry; ++entry) visit(entry);
    }
  };
  eachEntry([this](auto& a) { row_scale_[a.row()] = std::max(row_scale_[a.row()], std::abs(a.value())); });
  for (double& scale : row_scale_) scale = inverseOf(scale);
  column_scale_.setZero();
  eachEntry([this](auto& a) {
    column_scale_[a.col()] = std::max(column_scale_[a.col()], std::abs(a.value()) * row_scale_[a.row()]);
  });
  for (double& scale : column_scale_) scale = inverseOf(scale);
  eachEntry([this](auto& a) { a.valueRef() *= row_scale_[a.row()] * column_scale_[a.col()]; });
  return sparse_lu_.factor(sparse_);
}

void NewtonMatrix::solve(std::span<const double> b, std::span<double> x) {
  Eigen::Map<Eigen::VectorXd> out(x.data(), static_cast<Eigen::Index>(x.size()));
  if (solve_ != nullptr) {
    std::copy(b.begin(), b.end(), x.begin());
    solve_->solve(x);
    out /= factor_;
    return;
  }
  for (std::size_t i = 0; i < b.size(); ++i)
    scaled_[static_cast<Eigen::Index>(i)] = b[i] * row_scale_[static_cast<Eigen::Index>(i)];
  if (is_sparse_) {
    sparse_lu_.solve(scaled_, solution_);
    out = solution_;
  } else {
    out = lu_.solve(scaled_);
  }
  out.array() *= column_scale_.array();
}

}  // namespace linkwork::sundials
