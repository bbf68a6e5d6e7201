#include "linkwork/formulation/reaction_space.hpp"

#include <gtest/gtest.h>

#include <random>

#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {
namespace reaction_space_test {

constexpr int kFreedoms = 2;

// Unit masses, rows of random numbers between the bodies given; every row of `repeats` is a random combination of the
// rows of the block it stands in.
struct Problem {
  KktStructure structure;
  Eigen::MatrixXd P;
  std::vector<double> scale;

  // Blocks of three bodies in a chain: block k ties bodies 2 k to 2 k + 2 with three rows and `repeats` more that
  // depend on them.
  Problem(int blocks, int repeats) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    structure.freedoms = kFreedoms;
    structure.bodies = 2 * blocks + 1;
    structure.mass_entries = {{0, 0}, {1, 1}};
    const int rows = blocks * (3 + repeats);
    P = Eigen::MatrixXd::Zero(rows, kFreedoms * structure.bodies);
    for (int b = 0; b < structure.bodies; ++b) structure.order.push_back(b);
    for (int r = 0; r < rows; ++r) {
      const int block = r / (3 + repeats);
      for (int b = 0; b < 3; ++b) structure.row_bodies.push_back(2 * block + b);
      structure.row_start.push_back(static_cast<int>(structure.row_bodies.size()));
      structure.order.push_back(structure.bodies + r);
      scale.push_back(r % 3 == 2 ? 0.3 : 1.0);
      const int first = block * (3 + repeats);
      auto own = P.row(r).segment(kFreedoms * 2 * block, 3 * kFreedoms);
      for (int k = 0; k < 6; ++k) own[k] = r - first < 3 ? number(random) : 0.0;
      for (int k = 0; r - first >= 3 && k < 3; ++k) {
        own += number(random) * P.row(first + k).segment(kFreedoms * 2 * block, 3 * kFreedoms);
      }
    }
  }

  KktSolver factored() const {
    KktSolver kkt(structure);
    std::fill(kkt.mass().begin(), kkt.mass().end(), 1.0);
    std::size_t next = 0;
    for (Eigen::Index r = 0; r < P.rows(); ++r) {
      for (int p = structure.row_start[static_cast<std::size_t>(r)];
           p < structure.row_start[static_cast<std::size_t>(r) + 1]; ++p) {
        const int body = structure.row_bodies[static_cast<std::size_t>(p)];
        for (int k = 0; k < kFreedoms; ++k) kkt.jacobian()[next++] = P(r, kFreedoms * body + k);
      }
    }
    kkt.factor({.row = 1e-10});
    return kkt;
  }
};

TEST(ReactionSpace, LeastMultipliersAreThoseOfThePseudoInverse) {
  for (const auto& [blocks, repeats] : {std::pair{1, 1}, {1, 3}, {5, 2}, {12, 1}, {40, 2}}) {
    const Problem problem(blocks, repeats);
    KktSolver kkt = problem.factored();
    ReactionSpace space(problem.scale);
    space.find(kkt);
    ASSERT_EQ(space.dimension(), blocks * repeats);
    const Eigen::Map<const Eigen::VectorXd> s(problem.scale.data(), problem.P.rows());
    const Eigen::MatrixXd scaled = (s.asDiagonal() * problem.P).transpose();  // P^T S mu is the force
    for (int k = 0; k < space.probes(); ++k) {
      Eigen::VectorXd z = Eigen::VectorXd::Zero(problem.P.rows());
      for (const auto& entry : space.probe(k)) z[entry.row] = entry.mu;
      EXPECT_NEAR(z.norm(), 1.0, 1e-12);
      EXPECT_LT((scaled * z).norm(), 1e-12);
      if (space.dimension() > ReactionSpace::kWrittenOut) continue;
      // Repeats of one block are no matter of the others.
      const auto entries = space.probe(k);
      EXPECT_LE(std::count_if(entries.begin(), entries.end(), [](const auto& e) { return std::abs(e.mu) > 1e-9; }),
                3 + repeats);
    }
    std::mt19937 random(11);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    std::vector<double> lambda(problem.scale.size());
    for (double& value : lambda) value = number(random);
    const Eigen::VectorXd force =
        problem.P.transpose() * Eigen::Map<const Eigen::VectorXd>(lambda.data(), problem.P.rows());
    const Eigen::VectorXd least = scaled.completeOrthogonalDecomposition().solve(force);
    space.makeLeast(kkt, lambda);
    for (Eigen::Index r = 0; r < least.size(); ++r) {
      EXPECT_NEAR(lambda[static_cast<std::size_t>(r)], s[r] * least[r], 1e-12) << r;
    }
    // The space is forgotten where nothing repeats.
    const Problem single(blocks, 0);
    KktSolver independent = single.factored();
    ReactionSpace none(single.scale);
    none.find(independent);
    EXPECT_EQ(none.dimension(), 0);
  }
}

}  // namespace reaction_space_test
}  // namespace linkwork
