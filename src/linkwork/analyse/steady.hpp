// Steady motions: those along which nothing changes but what nothing depends on.
//
//   (1)  (u, u') = X xi      X: the symmetries (analyse/symmetries.hpp), xi: at which rates they go on
//   (2)  given quantities have their values
//
// For states on the constraints, xi and, where asked for, parameters, by Newton's method with exact derivatives; where
// there are many the nearest to the start is taken, and where there is none the state that misses (1) least.
//                                                                                      [docs/theory/12]
#pragma once

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/analyse/motion_field.hpp"
#include "linkwork/analyse/symmetries.hpp"

namespace linkwork {

// A mechanism with what is made of it, for one set of values of its parameters.
struct SteadyModel {
  SteadyModel(Mechanism of, Assembly at);

  Mechanism mechanism;
  Assembly assembly;
  std::vector<Quantity> given;
  std::vector<double> values;
  std::unique_ptr<MotionField> field;
  std::vector<double> start;  // of the field
};

// The model with other values of its unknown parameters, or null.
using SteadyFamily = std::function<std::unique_ptr<SteadyModel>(std::span<const double>)>;

// A rate at which something goes on that nothing depends on.
struct GoesOn {
  std::string name, unit;
  double rate = 0.0;
};

// What keeps a motion from being steady.
struct Remains {
  std::string name, unit;  // of an acceleration, or of a rate on which the motion depends
  double amount = 0.0;
};

struct SteadyMotion {
  bool ok = false;
  std::string problem, hint;  // why there is none, in words, when not ok

  std::vector<double> x;         // of the field
  std::vector<double> absolute;  // x = [q, v, work, turns], as for the systems of the mechanism
  Eigen::VectorXd xi;            // of (1), by symmetries
  std::vector<GoesOn> goes_on;   // of those that are not at rest
  bool turning = false;          // axes that turn are among them
  double residual = 0.0;         // of (1), m/s and m/s^2, turns times the length
  int iterations = 0;

  // When not ok, but a nearest motion was found: x, absolute and goes_on are its own, and this is what (1) misses
  // there, largest first.
  std::vector<Remains> remains;
};

// (1), (2) and their derivatives at a state, lengths and rates in metres, turns times the length.
struct SteadyPieces {
  Eigen::MatrixXd T;       // deviations that the constraints allow, 2n x m: those of positions first
  Eigen::MatrixXd A;       // derivative of (1) along T, xi held
  Eigen::MatrixXd X;       // symmetries, 2n x k
  Eigen::VectorXd r;       // what (1) misses
  Eigen::MatrixXd g_by_T;  // derivative of (2)
  Eigen::VectorXd g;       // what (2) misses
  Eigen::MatrixXd named;   // of the field's seen(), along T, a turn in radians
  int positions = 0;       // columns of T that move positions
  double size = 0.0;       // of the terms of (1)
};

class SteadySolver {
 public:
  // The symmetries of this model are taken to be those of all of its family.
  explicit SteadySolver(std::unique_ptr<SteadyModel> model, double t = 0.0);

  const SteadyModel& model() const { return *model_; }
  // Other values for what is given.
  void setValues(std::vector<double> values) { model_->values = std::move(values); }
  MotionField& field() { return *model_->field; }
  const Symmetries& symmetries() const { return symmetries_; }
  // Another model of the family; the symmetries stay.
  void take(std::unique_ptr<SteadyModel> model);

  // From a state of the field. Gives (2) up where `free` says so: any steady motion nearby.
  enum class Conditions { given, none };
  SteadyMotion find(const std::vector<double>& from, Conditions conditions = Conditions::given);
  // With unknown parameters, `values` at the start and at the end; the model taken is that of the end.
  SteadyMotion find(const std::vector<double>& from, const SteadyFamily& family, std::vector<double>& values);

  // xi empty: fitted. False where the equations cannot be evaluated.
  bool pieces(const std::vector<double>& x, const Eigen::VectorXd& xi, SteadyPieces& out);
  double time() const { return t_; }

 private:
  struct Step;
  bool evaluate(const std::vector<double>& x, const Eigen::VectorXd& xi, SteadyPieces& out, bool derivatives);
  Eigen::VectorXd ratesOf(const SteadyPieces& pieces) const;
  void finish(const SteadyPieces& pieces, SteadyMotion& out);
  SteadyMotion search(const std::vector<double>& from, const SteadyFamily* family, std::vector<double>& values,
                      Conditions conditions);
  bool byParameters(const std::vector<double>& x, const SteadyPieces& here, const SteadyFamily& family,
                    const std::vector<double>& values, Eigen::MatrixXd& r, Eigen::MatrixXd& g);
  void describe(SteadyMotion& out);
  std::vector<Remains> remainsOf(const SteadyPieces& pieces) const;
  std::string missedValue(const SteadyPieces& pieces) const;

  std::unique_ptr<SteadyModel> model_;
  double t_;
  Symmetries symmetries_;
};

// The model of a mechanism with the values of its inputs in place; null, with the reason, where it does not assemble.
std::unique_ptr<SteadyModel> makeSteadyModel(const Mechanism& mechanism, const std::vector<InitialValue>& given,
                                             std::string& problem);

}  // namespace linkwork
