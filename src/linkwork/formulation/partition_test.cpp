// The choice of independent coordinates from a basis of the allowed motions.
#include "linkwork/formulation/partition.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>
#include <vector>

namespace linkwork {
namespace partition_test {

struct Choice {
  std::vector<std::uint8_t> independent;
  double shortest = 0.0;
};

Choice choose(const Eigen::MatrixXd& N) {
  std::vector<double> basis(N.data(), N.data() + N.size());
  std::vector<double> direction(static_cast<std::size_t>(N.cols()));
  Choice out{std::vector<std::uint8_t>(static_cast<std::size_t>(N.rows())), 0.0};
  out.shortest = chooseIndependent(basis, static_cast<int>(N.cols()), direction, out.independent);
  return out;
}

// -Phi_u^-1 Phi_v = N_u N_v^-1: how the dependent coordinates follow the independent ones.
Eigen::MatrixXd following(const Eigen::MatrixXd& N, const Choice& choice) {
  Eigen::MatrixXd dependent(N.rows() - N.cols(), N.cols());
  Eigen::MatrixXd independent(N.cols(), N.cols());
  Eigen::Index u = 0;
  Eigen::Index v = 0;
  for (Eigen::Index row = 0; row < N.rows(); ++row) {
    if (choice.independent[static_cast<std::size_t>(row)] != 0) {
      independent.row(v++) = N.row(row);
    } else {
      dependent.row(u++) = N.row(row);
    }
  }
  EXPECT_EQ(v, N.cols());
  return dependent * independent.inverse();
}

// A crank at the angle theta, 1 m: x = cos, y = sin. The coordinate that moves most is taken, whichever that is; the
// angle itself moves as much as either at best, and being the last it is taken there.
TEST(ChooseIndependent, TakesTheCoordinateThatMovesMost) {
  for (const double theta : {0.0, 0.7, 1.57, 2.5}) {
    const Eigen::Vector3d motion(-std::sin(theta), std::cos(theta), 1.0);
    EXPECT_EQ(choose(motion).independent, (std::vector<std::uint8_t>{0, 0, 1}));
    const Eigen::Vector2d point(-std::sin(theta), std::cos(theta));
    const bool x_moves_more = std::abs(std::sin(theta)) > std::abs(std::cos(theta));
    EXPECT_EQ(choose(point).independent[0], x_moves_more ? 1 : 0) << theta;
  }
}

TEST(ChooseIndependent, LetsNoDependentCoordinateFollowWildly) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 50; ++trial) {
    const int n = 6 + trial % 20;
    const int f = 1 + trial % 5;
    Eigen::MatrixXd N = Eigen::MatrixXd::NullaryExpr(n, f, [&] { return normal(random); });
    N.row(trial % n) *= 1e-9;  // a coordinate that hardly moves must not lead
    const Choice choice = choose(N);
    EXPECT_EQ(choice.independent[static_cast<std::size_t>(trial % n)], 0);
    // Column pivoting bounds the entries by 2^(f-1), here with the slack of nearly equal lengths; mostly they are
    // near 1.
    EXPECT_LT(following(N, choice).cwiseAbs().maxCoeff(), std::pow(2.01, f - 1) + 0.01);
    EXPECT_GT(choice.shortest, 0.0);
  }
}

// The choice belongs to the motions, not to the vectors that span them.
TEST(ChooseIndependent, DoesNotDependOnTheBasis) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 20; ++trial) {
    const Eigen::MatrixXd N = Eigen::MatrixXd::NullaryExpr(12, 3, [&] { return normal(random); });
    const Eigen::MatrixXd mix = Eigen::MatrixXd::NullaryExpr(3, 3, [&] { return normal(random); });
    EXPECT_EQ(choose(N).independent, choose(N * mix).independent);
  }
}

TEST(ChooseIndependent, SaysSoWhenTheVectorsAreDependent) {
  Eigen::MatrixXd N(4, 2);
  N << 1, 0, 2, 0, 0, 0, 1, 0;
  EXPECT_EQ(choose(N).shortest, 0.0);
}

}  // namespace partition_test
}  // namespace linkwork
