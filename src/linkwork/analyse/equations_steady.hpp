// Steady motions of a file of equations, and their neighbours.
//
//   y = (s, w)     coordinates on which something depends, and the free quasi-velocities
//   (1)  s' = 0,  w' = 0,  Phi = 0,  given values        found by Newton's method, with exact derivatives by y
//   (2)  d y' = A dy                                     along what constraints of positions allow
//
// Coordinates on which nothing that remains depends are left out, one after the other, as seen at random states: at a
// steady motion itself more may vanish. With quasi-velocities along own axes they are place and heading. Families of
// steady motions bring zeros, which are counted at neighbours of the same family and taken out of A with their
// vectors.                                                                     [docs/theory/12, from equations]
#pragma once

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "linkwork/analyse/steady.hpp"
#include "linkwork/formulation/equations/equations_system.hpp"

namespace linkwork {

// The model with other values of its unknown parameters, or null.
using EquationsFamily = std::function<std::unique_ptr<EquationsModel>(std::span<const double>)>;

struct EquationsMotion {
  bool ok = false;
  std::string problem, hint;         // why there is none, in words, when not ok
  std::vector<double> x;             // [q, w, 0]
  std::vector<GoesOn> goes_on;       // coordinates that nothing depends on, at constant rates
  std::vector<std::string> changes;  // those whose rates change as others go on
  double residual = 0.0;             // of (1)
  int iterations = 0;
};

struct EquationsLinear {
  bool ok = false;
  std::string problem;
  std::vector<std::string> states, units;
  Eigen::MatrixXd A;
  Eigen::VectorXd rest;  // y' of the state itself
};

// A without what families of steady motions bring.
struct DeflatedEquations {
  Eigen::MatrixXd A;      // of Q^T y
  Eigen::MatrixXd basis;  // Q: states x what is left
  Eigen::MatrixXd families;
};

class EquationsSteadySolver {
 public:
  enum class Coordinates { needed, all };  // s: those on which something depends, or all
  explicit EquationsSteadySolver(std::unique_ptr<EquationsModel> model, Coordinates coordinates = Coordinates::needed);

  const EquationsModel& model() const { return *model_; }
  const EquationsSystem& system() const { return *system_; }
  const std::vector<double>& start() const { return start_; }
  // Not empty: why there are no steady motions at all, or no start.
  const std::string& problem() const { return problem_; }
  std::vector<std::string> ignorable() const;
  const std::vector<int>& kept() const { return kept_; }

  // Another model of the family; what is left out stays.
  void take(std::unique_ptr<EquationsModel> model);

  enum class Conditions { given, none };
  EquationsMotion find(const std::vector<double>& from, Conditions conditions = Conditions::given);
  EquationsMotion find(const std::vector<double>& from, const EquationsFamily& family, std::vector<double>& values);

  EquationsLinear linearise(const std::vector<double>& x);
  // Zeros of families, level by level: at a motion and at its neighbours.
  std::vector<int> countZeros(const EquationsMotion& motion);
  DeflatedEquations deflate(const EquationsLinear& linear, const std::vector<int>& zeros) const;

 private:
  struct Pieces;
  bool evaluate(const std::vector<double>& x, bool derivatives, Conditions conditions, Pieces& out);
  EquationsMotion search(const std::vector<double>& from, const EquationsFamily* family, std::vector<double>& values,
                         Conditions conditions);
  void compileGiven();
  void findIgnorable();
  void finish(const Pieces& pieces, EquationsMotion& out);
  std::string missWords(const Pieces& pieces) const;

  std::unique_ptr<EquationsModel> model_;
  std::unique_ptr<EquationsSystem> system_;
  std::unique_ptr<JacobianProduct> product_;
  std::unique_ptr<Workspace> work_;
  Tape given_;  // of (q, u, t): each form, its derivatives by q and by u
  std::vector<double> start_;
  std::vector<int> kept_;
  std::string problem_;
};

}  // namespace linkwork
