// Linear equations of every shipped mechanism against central differences of the nonlinear ones, and about steady
// motions under the states of every formulation.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <complex>

#include "linkwork/analyse/linearise.hpp"
#include "linkwork/analyse/steady_linear.hpp"
#include "run_model.hpp"
#include "shipped_models.hpp"

namespace linkwork::validation {
namespace linearised_models_test {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// Of lengths and radians: differences are then good to about 1e-10 of the third derivative and 1e-10 by round-off.
constexpr double kStep = 1e-5;
constexpr double kAsGoodAsDifferences = 1e-6;

double sizeOf(const Matrix& matrix) { return matrix.size() == 0 ? 0.0 : matrix.cwiseAbs().maxCoeff(); }

Vector scaleOf(const MotionField& field) {
  Vector out(2 * field.freedoms());
  out << field.scale(), field.scale();
  return out;
}

std::unique_ptr<SteadySolver> solverFor(const Mechanism& mechanism) {
  std::string problem;
  auto model = makeSteadyModel(mechanism, mechanism.steady, problem);
  EXPECT_TRUE(model) << problem;
  return model ? std::make_unique<SteadySolver>(std::move(model)) : nullptr;
}

// Beside the start, where tables may have a corner, and moving.
std::vector<double> besideTheStart(SteadySolver& solver) {
  MotionField& field = solver.field();
  const int n = field.freedoms();
  Vector aside(2 * n);
  for (int k = 0; k < 2 * n; ++k) aside[k] = 3e-3 * std::cos(1.0 + k) * field.length() / field.scale()[k % n];
  std::vector<double> x = solver.model().start;
  EXPECT_TRUE(field.go(solver.time(), aside, x));
  return x;
}

class ShippedLinear : public ::testing::TestWithParam<std::string> {};

// What --steady is made of: accelerations in joint coordinates along all that the joints allow.
TEST_P(ShippedLinear, DerivativesInJointCoordinatesAreCentralDifferences) {
  const Mechanism& mechanism = readShippedModel(GetParam());
  if (mechanism.bodies.size() > 20) GTEST_SKIP() << "long chains repeat what short ones show";
  const auto solver = solverFor(mechanism);
  ASSERT_TRUE(solver);
  MotionField& field = solver->field();
  const int n = field.freedoms();
  if (n == 0) GTEST_SKIP() << "drives prescribe all motions";
  const std::vector<double> x = besideTheStart(*solver);
  SteadyPieces pieces;
  ASSERT_TRUE(solver->pieces(x, Vector::Zero(solver->symmetries().count()), pieces));
  const Vector scale = scaleOf(field);
  Matrix differences(2 * n, pieces.T.cols());
  for (Eigen::Index c = 0; c < pieces.T.cols(); ++c) {
    Vector sides[2];
    for (int side = 0; side < 2; ++side) {
      std::vector<double> moved = x;
      const double step = (side == 0 ? kStep : -kStep) * field.length();
      ASSERT_TRUE(field.go(solver->time(), step * pieces.T.col(c).cwiseQuotient(scale), moved));
      MotionField::Here here;
      ASSERT_TRUE(field.evaluate(solver->time(), moved, here));
      sides[side].resize(2 * n);
      sides[side] << here.u, here.a;
    }
    differences.col(c) = scale.cwiseProduct(sides[0] - sides[1]) / (2.0 * kStep * field.length());
  }
  EXPECT_LT(sizeOf(differences - pieces.A), kAsGoodAsDifferences * std::max(1.0, sizeOf(pieces.A)));
}

// What linearize is made of, in absolute coordinates: z' by s and z, against differences of the motion in joint
// coordinates.
TEST_P(ShippedLinear, MatricesAreCentralDifferencesOfTheMotion) {
  const Mechanism& mechanism = readShippedModel(GetParam());
  if (mechanism.bodies.size() > 20) GTEST_SKIP() << "long chains repeat what short ones show";
  if (!mechanism.drives.empty()) GTEST_SKIP() << "rates of coordinates depend on the time by themselves";
  const auto solver = solverFor(mechanism);
  ASSERT_TRUE(solver);
  MotionField& field = solver->field();
  const int n = field.freedoms();
  const double t = solver->time();
  const std::vector<double> x = besideTheStart(*solver);
  const Linearisation linear = linearise(mechanism, solver->model().assembly, t, field.toAbsolute(t, x));
  ASSERT_TRUE(linear.ok) << linear.problem;
  // Which rows of what is seen are s and z. A small turn has no second derivative of its own; its row is left out.
  std::vector<Eigen::Index> rows;
  for (const LinearCoordinate& s : linear.coordinates) {
    const auto found = std::find_if(field.seen().begin(), field.seen().end(),
                                    [&](const LinearCoordinate& seen) { return seen.name == s.name; });
    ASSERT_NE(found, field.seen().end());
    rows.push_back(found - field.seen().begin());
  }
  const auto isTurn = [&](int k) {
    return linear.coordinates[static_cast<std::size_t>(k)].name.find(".turn_") != std::string::npos;
  };
  SteadyPieces pieces;
  ASSERT_TRUE(solver->pieces(x, Vector::Zero(solver->symmetries().count()), pieces));
  const Vector scale = scaleOf(field);
  MotionField::SeenRates rates;
  field.lookAtRates(t, x, rates);
  const auto count = static_cast<Eigen::Index>(rows.size());
  Matrix N(count + static_cast<Eigen::Index>(linear.speeds.size()), pieces.T.cols());
  const Matrix unscaled = scale.cwiseInverse().asDiagonal() * pieces.T;
  for (Eigen::Index k = 0; k < count; ++k) N.row(k) = pieces.named.row(rows[static_cast<std::size_t>(k)]);
  for (std::size_t k = 0; k < linear.speeds.size(); ++k) {
    N.row(count + static_cast<Eigen::Index>(k)) =
        rates.named.row(rows[static_cast<std::size_t>(linear.speeds[k])]) * unscaled;
  }
  ASSERT_EQ(N.rows(), N.cols());
  const Matrix exact = linear.A.bottomRows(N.rows() - count) * N;
  const double size = std::max(1.0, sizeOf(exact));
  for (Eigen::Index c = 0; c < pieces.T.cols(); ++c) {
    Vector sides[2];
    for (int side = 0; side < 2; ++side) {
      std::vector<double> moved = x;
      ASSERT_TRUE(field.go(t, (side == 0 ? kStep : -kStep) * field.length() * unscaled.col(c), moved));
      MotionField::Here here;
      ASSERT_TRUE(field.evaluate(t, moved, here));
      field.lookAtRates(t, moved, rates);
      // s'' is the rate of s' along the motion itself.
      Vector along(2 * n);
      along << here.u, here.a;
      sides[side] = rates.named * along;
    }
    for (std::size_t k = 0; k < linear.speeds.size(); ++k) {
      if (isTurn(linear.speeds[k])) continue;
      const Eigen::Index row = rows[static_cast<std::size_t>(linear.speeds[k])];
      EXPECT_NEAR((sides[0][row] - sides[1][row]) / (2.0 * kStep * field.length()),
                  exact(static_cast<Eigen::Index>(k), c), kAsGoodAsDifferences * size)
          << linear.coordinates[static_cast<std::size_t>(linear.speeds[k])].name;
    }
  }
}

std::vector<std::complex<double>> eigenvaluesOf(const Matrix& A) {
  const Eigen::VectorXcd values = A.eigenvalues();
  return {values.begin(), values.end()};
}

// Whatever the states are, eigenvalues and what inputs do to outputs are the same.
TEST_P(ShippedLinear, StatesOfEveryFormulationHaveTheSameEigenvalues) {
  const Mechanism& mechanism = readShippedModel(GetParam());
  if (mechanism.bodies.size() > 20) GTEST_SKIP() << "long chains repeat what short ones show";
  const auto solver = solverFor(mechanism);
  ASSERT_TRUE(solver);
  const SteadyMotion motion = solver->find(solver->model().start);
  if (!motion.ok) GTEST_SKIP() << motion.problem;
  const StructuralZeros zeros = countZeros(*solver, motion);
  const Deflated deflated = deflate(*solver, motion, zeros);
  ASSERT_TRUE(deflated.ok);
  const auto wanted = eigenvaluesOf(deflated.A);
  double size = 0.0;
  for (const auto& value : wanted) size = std::max(size, std::abs(value));
  // Ten of a chain of light elements, the greatest two hundred times the least, take one digit more.
  const double same = mechanism.links.empty() ? 1e-9 : 1e-8;
  for (const SteadyStates states :
       {SteadyStates::joints, SteadyStates::bodies, SteadyStates::quasi_velocities, SteadyStates::impulses}) {
    const SteadyLinearisation linear = lineariseSteady(*solver, motion, zeros, {{}, states});
    if (linear.problem.starts_with("nothing depends on anything")) GTEST_SKIP() << linear.problem;
    ASSERT_TRUE(linear.ok) << linear.problem;
    auto found = eigenvaluesOf(linear.A);
    // Each of those of the deflated matrix, and beside them one zero for each that was taken out of it.
    std::size_t zeros_left = 0;
    for (const int count : zeros) zeros_left += static_cast<std::size_t>(count);
    ASSERT_EQ(found.size(), wanted.size() + zeros_left);
    for (const auto& value : wanted) {
      const auto nearest = std::min_element(found.begin(), found.end(), [&](const auto& a, const auto& b) {
        return std::abs(a - value) < std::abs(b - value);
      });
      EXPECT_LT(std::abs(*nearest - value), same * std::max(1.0, size)) << static_cast<int>(states);
      found.erase(nearest);
    }
    for (const auto& value : found) EXPECT_LT(std::abs(value), 1e-6 * std::max(1.0, size));
  }
}

INSTANTIATE_TEST_SUITE_P(All, ShippedLinear, ::testing::ValuesIn(shippedModels()),
                         [](const auto& model) { return model.param; });

}  // namespace linearised_models_test
}  // namespace linkwork::validation
