// Dormand-Prince 8(5,3): all order conditions of both tableaux, measured orders, dense output, counts.
#include "linkwork/integrate/dop853.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "linkwork/integrate/dopri5.hpp"
#include "linkwork/integrate/systems_for_tests.hpp"

namespace linkwork {
namespace dop853_test {

using namespace testing_systems;
constexpr double kPi = 3.14159265358979323846;

// A rooted tree t with rho nodes gives a method the condition sum_i b_i Phi_i(t) = 1 / gamma(t), where
//   Phi_i = product over the root's branches u of sum_j a_ij Phi_j(u),   gamma = rho * product of gamma(u).
// (Hairer, Norsett & Wanner, Solving ODEs I, theorem II.2.13.) All of order p together make a method of order p.
struct Tree {
  int nodes = 1;
  double gamma = 1;
  std::vector<double> phi;
};

class Trees {
 public:
  Trees(const Tableau& tableau, int most_nodes) : tableau_(tableau) {
    grow({1, 1, std::vector<double>(tableau.a.size(), 1.0)}, 0, 0);
    for (int nodes = 2; nodes <= most_nodes; ++nodes) {
      target_ = nodes;
      known_ = trees_.size();
      grow({1, 1, std::vector<double>(tableau.a.size(), 1.0)}, 0, nodes - 1);
    }
  }
  const std::vector<Tree>& all() const { return trees_; }

 private:
  // Hangs branches with `left` nodes in all under the root, none before number `first` of the list: each set once.
  void grow(const Tree& root, std::size_t first, int left) {
    if (left == 0) {
      Tree done = root;
      done.nodes = target_;
      done.gamma *= target_;
      trees_.push_back(done);
      return;
    }
    for (std::size_t u = first; u < known_; ++u) {
      const Tree branch = trees_[u];
      if (branch.nodes > left) continue;
      Tree next = root;
      next.gamma *= branch.gamma;
      for (std::size_t i = 0; i < tableau_.a.size(); ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < tableau_.a[i].size(); ++j) sum += tableau_.a[i][j] * branch.phi[j];
        next.phi[i] *= sum;
      }
      grow(next, u, left - branch.nodes);
    }
  }

  const Tableau& tableau_;
  std::vector<Tree> trees_;
  std::size_t known_ = 0;
  int target_ = 1;
};

double weigh(std::span<const double> b, const Tree& tree) {
  double sum = 0;
  for (std::size_t i = 0; i < b.size(); ++i) sum += b[i] * tree.phi[i];
  return sum;
}

// b_i(theta) of x(theta) = x0 + h sum_i b_i(theta) k_i, from the dense output of unit slopes.
std::vector<double> denseWeights(const Tableau& tableau, double theta) {
  const std::size_t n = tableau.a.size();
  const auto end = static_cast<std::size_t>(tableau.stages) - 1;
  std::vector<double> x0(n), x1(n), f0(n), f1(n), out(n);
  f0[0] = f1[end] = 1;
  std::copy(tableau.a[end].begin(), tableau.a[end].end(), x1.begin());
  DenseOutput dense;
  dense.resize(n, tableau.dense.size());
  dense.setEnds(1, x0, f0, x1);
  dense.setLastSlope(1, f1);
  for (std::size_t k = 0; k < tableau.dense.size(); ++k)
    std::copy(tableau.dense[k].begin(), tableau.dense[k].end(), dense.higher(k).begin());
  dense.evaluate(theta, out);
  return out;
}

struct Pair {
  const Tableau& tableau;
  std::size_t trees;  // with up to `order` nodes, as is known
  int dense_order;
  std::vector<int> error_orders;
};

class DormandPrincePairs : public ::testing::TestWithParam<int> {
 protected:
  Pair pair() const {
    if (GetParam() == 5) return {dormandPrince54(), 17, 4, {4}};
    return {dormandPrince853(), 200, 7, {5, 3}};
  }
};

INSTANTIATE_TEST_SUITE_P(Orders, DormandPrincePairs, ::testing::Values(5, 8));

TEST_P(DormandPrincePairs, RowsSumUpToTheirTimes) {
  const Tableau& tableau = pair().tableau;
  for (std::size_t s = 0; s < tableau.a.size(); ++s) {
    double sum = 0;
    for (const double a : tableau.a[s]) sum += a;
    EXPECT_NEAR(sum, tableau.c[s], 2e-14) << s;
  }
}

// The largest products of coefficients are of the size of 1e2 (in the dense output 1e3), which bounds round-off.
TEST_P(DormandPrincePairs, SatisfyEveryConditionOfTheirOrderAndNotOfTheNext) {
  const Tableau& tableau = pair().tableau;
  const Trees trees(tableau, tableau.order + 1);
  const std::span<const double> b = tableau.a[static_cast<std::size_t>(tableau.stages) - 1];
  std::size_t count = 0;
  double beyond = 0;
  for (const Tree& tree : trees.all()) {
    const double miss = std::abs(weigh(b, tree) - 1 / tree.gamma);
    if (tree.nodes > tableau.order) {
      beyond = std::max(beyond, miss);
    } else {
      ++count;
      EXPECT_LT(miss, 1e-14) << tree.nodes << " nodes, gamma " << tree.gamma;
    }
  }
  EXPECT_EQ(count, pair().trees);
  EXPECT_GT(beyond, 1e-7);
}

TEST_P(DormandPrincePairs, EstimatesVanishUpToTheirOrderAndNotBeyond) {
  const Tableau& tableau = pair().tableau;
  const Trees trees(tableau, tableau.order);
  for (std::size_t k = 0; k < tableau.error.size(); ++k) {
    double beyond = 0;
    for (const Tree& tree : trees.all()) {
      const double value = std::abs(weigh(tableau.error[k], tree));
      if (tree.nodes <= pair().error_orders[k]) {
        EXPECT_LT(value, 1e-14) << tree.nodes;
      } else if (tree.nodes == pair().error_orders[k] + 1) {
        beyond = std::max(beyond, value);
      }
    }
    EXPECT_GT(beyond, 1e-5) << k;
  }
}

TEST_P(DormandPrincePairs, DenseOutputSatisfiesEveryConditionOfItsOrder) {
  const Tableau& tableau = pair().tableau;
  const Trees trees(tableau, pair().dense_order + 1);
  double beyond = 0;
  for (const double theta : {0.05, 0.3, 0.5, 0.8, 0.95, 1.0}) {
    const std::vector<double> b = denseWeights(tableau, theta);
    for (const Tree& tree : trees.all()) {
      const double miss = std::abs(weigh(b, tree) - std::pow(theta, tree.nodes) / tree.gamma);
      if (tree.nodes > pair().dense_order) {
        beyond = std::max(beyond, miss);
      } else {
        EXPECT_LT(miss, 1e-13) << tree.nodes << " nodes at " << theta;
      }
    }
  }
  EXPECT_GT(beyond, 1e-7);
}

// Greatest error of an oscillator with its quadrature at the ends of equal steps, and of the first step between them.
std::array<double, 2> oscillatorErrors(int steps) {
  const LambdaSystem system = oscillator();
  const double t_end = 8;
  Dop853 integrator(system, equalSteps(t_end / steps));
  integrator.begin(0, kOscillatorStart, t_end);
  std::array<double, 2> error{};
  std::vector<double> x(3);
  StepStatus status = StepStatus::ok;
  while (status == StepStatus::ok) {
    status = integrator.step();
    error[0] = std::max(error[0], oscillatorError(integrator.time(), integrator.state()));
    if (integrator.counts().accepted > 1) continue;
    for (const double part : {0.1, 0.25, 0.5, 0.75, 0.9}) {
      const double t = part * integrator.lastStep();
      integrator.interpolate(t, x);
      error[1] = std::max(error[1], oscillatorError(t, x));
    }
  }
  EXPECT_EQ(integrator.counts().accepted, steps);
  return error;
}

TEST(Dop853, IsOfEighthOrderAtEqualStepsAndItsDenseOutputOfSeventh) {
  const std::array<double, 2> coarse = oscillatorErrors(16);
  const std::array<double, 2> fine = oscillatorErrors(32);
  const double order = std::log2(coarse[0] / fine[0]);
  const double local = std::log2(coarse[1] / fine[1]);
  RecordProperty("order", std::to_string(order));
  RecordProperty("dense_local_order", std::to_string(local));
  EXPECT_NEAR(order, 8, 0.25);
  EXPECT_NEAR(local, 8, 0.35);  // of order 7 means a local error of h^8
}

TEST(Dop853, ErrorFollowsTheToleranceWithFewerEvaluationsThanDopri5) {
  const LambdaSystem system = kepler();
  const std::vector<double> x0 = keplerStart(0.5);
  for (const double rtol : {1e-6, 1e-9, 1e-12}) {
    IntegratorOptions options;
    options.rtol = options.atol = rtol;
    Dop853 eighth(system, options);
    Dopri5 fifth(system, options);
    eighth.begin(0, x0, 2 * kPi);
    fifth.begin(0, x0, 2 * kPi);
    while (eighth.step() == StepStatus::ok) {
    }
    while (fifth.step() == StepStatus::ok) {
    }
    EXPECT_EQ(eighth.time(), 2 * kPi);
    const double error = distance(eighth.state(), x0);
    RecordProperty(fmt::format("error_over_rtol_{:g}", rtol), fmt::format("{:.2g}", error / rtol));
    RecordProperty(fmt::format("evaluations_{:g}", rtol),
                   fmt::format("{} against {}", eighth.counts().evaluations, fifth.counts().evaluations));
    EXPECT_LT(error, 100 * rtol);
    if (rtol < 1e-8) {
      EXPECT_LT(eighth.counts().evaluations, fifth.counts().evaluations);
    }
  }
}

TEST(Dop853, EvaluationsAreFifteenForAStepAndElevenForARefusedOne) {
  const LambdaSystem system = kepler();
  IntegratorOptions options;
  options.rtol = options.atol = 1e-9;
  Dop853 integrator(system, options);
  integrator.begin(0, keplerStart(0.9), 2 * kPi);
  while (integrator.step() == StepStatus::ok) {
  }
  const StepCounts& counts = integrator.counts();
  EXPECT_GT(counts.rejected, 0);
  EXPECT_EQ(counts.evaluations, 2 + 15 * counts.accepted + 11 * counts.rejected);
  EXPECT_EQ(counts.evaluations, system.calls());
}

TEST(Dop853, ACorrectedStateCostsNoFurtherEvaluation) {
  LambdaSystem system = circle();
  system.after(toUnitCircle);
  Dop853 integrator(system, equalSteps(0.25));
  integrator.begin(0, std::vector<double>{1, 0}, 2);
  while (integrator.step() == StepStatus::ok) {
  }
  EXPECT_EQ(integrator.counts().accepted, 8);
  EXPECT_EQ(integrator.counts().state_changes, 8);
  EXPECT_EQ(integrator.counts().evaluations, 1 + 8 * 15);
  EXPECT_NEAR(std::atan2(integrator.state()[1], integrator.state()[0]), 2, 1e-11);
}

TEST(Dop853, StandsStillWithoutDividingByZero) {
  LambdaSystem still(StateSpace::firstOrder(1), [](double, ConstValues, Values f) {
    f[0] = 0;
    return Eval::ok;
  });
  Dop853 integrator(still, IntegratorOptions{});
  integrator.begin(0, std::vector<double>{3}, 100);
  StepStatus status = StepStatus::ok;
  while (status == StepStatus::ok) status = integrator.step();
  EXPECT_EQ(status, StepStatus::finished);
  EXPECT_EQ(integrator.state()[0], 3);
  EXPECT_LT(integrator.counts().accepted, 20);
}

}  // namespace dop853_test
}  // namespace linkwork
