// Files of equations: their matrices, derivatives, steady motions, eigenvalues and limits of stability.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <filesystem>
#include <random>

#include "linkwork/analyse/equations_printed_rule.hpp"
#include "linkwork/formulation/equations/equations_matrices.hpp"
#include "linkwork/formulation/equations/equations_start.hpp"
#include "linkwork/linalg/decompositions.hpp"
#include "linkwork/read/equations_file.hpp"
#include "linkwork/study/equations_follower.hpp"
#include "run_model.hpp"

namespace linkwork::equations_linear_test {

namespace {

EquationsModel readEquationsModel(const std::string& name, const ReadOptions& options = {}) {
  Diagnostics diagnostics;
  auto model = readEquationsFile(fmt::format("{}/equations/{}.toml", LINKWORK_MODELS_DIR, name), diagnostics, options);
  expect(model.has_value(), diagnostics.format());
  return *std::move(model);
}

std::vector<std::string> files() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(LINKWORK_MODELS_DIR "/equations"))
    out.push_back(entry.path().stem().string());
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<double> shaken(const EquationsSystem& system, std::vector<double> x, std::mt19937& engine) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const int n = system.tapes().n;
  for (int k = 0; k < n + system.tapes().free; ++k)
    x[static_cast<std::size_t>(k)] += (k < n ? 0.2 : 1.0) * uniform(engine);
  const auto work = system.makeWorkspace();
  expect(system.afterStep(0.0, x, {}, *work).eval == Eval::ok, "a shaken state cannot be projected");
  return x;
}

std::vector<std::complex<double>> eigenvaluesAt(EquationsFollower& follower, double p) {
  expect(follower.problem().empty(), follower.problem());
  const LocusSample sample = follower.sampleAt(p);
  expect(sample.ok, sample.problem);
  return {sample.values.begin(), sample.values.end()};
}

// Of a file with other values of parameters, and other given values.
std::vector<std::complex<double>> eigenvaluesOf(const std::string& name, const ReadOptions& options) {
  const EquationsModel model = readEquationsModel(name, options);
  EquationsFollower follower(
      {[&](double, std::span<const double>) { return std::make_unique<EquationsModel>(model); }, {}}, 0.0);
  return eigenvaluesAt(follower, 0.0);
}

ReadOptions given(std::vector<ParameterSetting> values) {
  ReadOptions out;
  out.given = std::move(values);
  return out;
}

EquationsFamilyOver family(const std::string& name, const std::string& parameter) {
  return {[=](double p, std::span<const double>) {
            ReadOptions options;
            options.set = {{parameter, fmt::format("{}", p)}};
            options.numbers = {{parameter, p}};
            return std::make_unique<EquationsModel>(readEquationsModel(name, options));
          },
          {}};
}

}  // namespace

// B of the matrices with all symbols written out, and of the kernel that contracts them away.
TEST(EquationsMatrices, GiveTheKernelsAccelerations) {
  std::mt19937 engine(5);
  for (const std::string& name : files()) {
    const EquationsModel model = readEquationsModel(name);
    const EquationsSystem system(model);
    const EquationsStart start = findEquationsStart(model);
    ASSERT_TRUE(start.ok) << name << ": " << start.problem;
    const auto work = system.makeWorkspace();
    for (int trial = 0; trial < 3; ++trial) {
      const std::vector<double> x = shaken(system, start.x, engine);
      const EquationsMatrices found = equationsMatrices(model, system, 0.3, x);
      std::vector<double> xdot(x.size());
      ASSERT_EQ(system.derivative(0.3, x, {}, *work, xdot), Eval::ok) << name;
      const Eigen::Map<const Eigen::VectorXd> rates(xdot.data() + system.tapes().n, system.tapes().free);
      const Eigen::VectorXd left = found.A * rates;
      // Sums of some hundred products of the size of B and C.
      const double size = std::max(
          {1.0, found.B.cwiseAbs().maxCoeff(), found.C.cwiseAbs().maxCoeff(), found.T_Pi.cwiseAbs().maxCoeff()});
      EXPECT_LT((left - found.B).cwiseAbs().maxCoeff(), 1e-11 * size) << name;
      for (const Eigen::MatrixXd& gamma : found.Gamma) {
        const Eigen::MatrixXd square = gamma.leftCols(gamma.rows());
        EXPECT_LT((square + square.transpose()).cwiseAbs().maxCoeff(), 1e-11 * (1.0 + gamma.cwiseAbs().maxCoeff()));
      }
    }
  }
}

TEST(EquationsMatrices, SleighHasItsSymbols) {
  const EquationsModel model = readEquationsModel("sleigh");
  const EquationsSystem system(model);
  const EquationsMatrices found = equationsMatrices(model, system, 0.0, findEquationsStart(model).x);
  // Gamma(r, k, alpha), rows k.
  EXPECT_NEAR(found.Gamma[2](0, 1), -1.0, 1e-15);
  EXPECT_NEAR(found.Gamma[2](1, 0), 1.0, 1e-15);
  EXPECT_NEAR(found.Gamma[0](1, 2), -1.0, 1e-15);
  EXPECT_NEAR(found.T_Q[0], 2.0 * 0.8, 1e-14);
  EXPECT_NEAR(found.T_Q[1], 0.5 * 2.0 + 2.0 * 0.3 * 0.6, 1e-14);
  EXPECT_NEAR(found.T_Q[2], 2.0 * 0.6, 1e-14);
}

// J d exact, against central differences, whose error is about 1e-10 of the greatest rate.
TEST(EquationsDerivatives, EqualDifferences) {
  std::mt19937 engine(9);
  for (const std::string& name : files()) {
    const EquationsModel model = readEquationsModel(name);
    const EquationsSystem system(model);
    const std::vector<double> x = shaken(system, findEquationsStart(model).x, engine);
    const auto exact = makeJacobianProduct(system);
    const auto differences = makeDifferenceProduct(system);
    const std::size_t size = x.size();
    std::vector<double> d(size * size, 0.0), a(d.size()), b(d.size());
    for (std::size_t k = 0; k + 1 < size; ++k) d[k * size + k] = 1.0;
    ASSERT_EQ(exact->times(0.2, x, {}, d, a), Eval::ok) << name;
    ASSERT_EQ(differences->times(0.2, x, {}, d, b), Eval::ok) << name;
    double greatest = 1.0;
    for (const double entry : a) greatest = std::max(greatest, std::abs(entry));
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-6 * greatest) << name;
  }
}

TEST(EquationsSteady, SleighIsStableForward) {
  for (const double v : {1.5, -1.5}) {
    const auto values = eigenvaluesOf("sleigh", given({{"v", fmt::format("{} m/s", v)}}));
    ASSERT_EQ(values.size(), 1U);
    EXPECT_NEAR(values[0].real(), -2.0 * 0.3 * v / (0.5 + 2.0 * 0.09), 1e-10);
  }
}

TEST(EquationsSteady, FreeBodyIsUnstableAboutItsMiddleAxis) {
  const double root = 0.5773502691896258;
  const std::vector<std::pair<const char*, std::complex<double>>> axes{
      {"p", {0.0, root}}, {"q", {root, 0.0}}, {"r", {0.0, 1.0}}};
  for (const auto& [axis, expected] : axes) {
    std::vector<ParameterSetting> values;
    for (const char* name : {"p", "q", "r"})
      values.push_back({name, std::string(name) == axis ? "1 rad/s" : "0 rad/s"});
    const auto found = eigenvaluesOf("rigid_body", given(values));
    ASSERT_EQ(found.size(), 2U);
    EXPECT_LT(std::min(std::abs(found[0] - expected), std::abs(found[1] - expected)), 1e-10) << axis;
    EXPECT_LT(std::abs(found[0] + found[1]), 1e-10) << axis;
  }
}

TEST(EquationsSteady, DoublePendulumSwingsAboutRest) {
  const auto found = eigenvaluesOf("double_pendulum", given({{"th1", "0 rad"}, {"th2", "0 rad"}}));
  ASSERT_EQ(found.size(), 4U);
  EXPECT_NEAR(std::abs(found[0].imag()), 2.39719939786409, 1e-10);
  EXPECT_NEAR(std::abs(found[3].imag()), 5.78735129803609, 1e-10);
  for (const auto value : found) EXPECT_NEAR(value.real(), 0.0, 1e-10);
}

// v^2 = A m g r^3 / (C (C + m r^2)), v = r s
TEST(EquationsLocus, DiscIsStableFromItsCriticalSpeedOn) {
  const double m = 1.0, r = 0.5, g = 9.81;
  const double A = m * r * r / 4.0, C = m * r * r / 2.0;
  const double critical = std::sqrt(A * m * g * r * r * r / (C * (C + m * r * r))) / r;
  EquationsFollower follower(family("rolling_disc", "s"), 3.7);
  ASSERT_TRUE(follower.problem().empty()) << follower.problem();
  const Locus locus = traceLocus([&](double p) { return follower.sampleAt(p); }, {.from = 0.5, .to = 6.0});
  ASSERT_TRUE(locus.ok) << locus.problem;
  ASSERT_FALSE(locus.limits.empty());
  EXPECT_NEAR(locus.limits[0].at, critical, 1e-9);
  EXPECT_EQ(locus.ranges.front().is, StabilityClass::unstable);
  EXPECT_EQ(locus.ranges.back().is, StabilityClass::neutral);
  // By the paper's rule v^2 = A m g r^3 / (C + m r^2)^2: there something stops to grow that in truth still does.
  const auto growthByRule = [&](double s) {
    const EquationsMotion motion = follower.motionAt(s);
    EquationsLinear linear = follower.solver().linearise(motion.x);
    takePrintedRule(follower.solver(), motion.x, linear);
    const Eigen::VectorXcd values = linear.A.eigenvalues();
    return std::max(0.0, values.real().maxCoeff());
  };
  const double by_rule = std::sqrt(A * m * g * r * r * r) / (C + m * r * r) / r;
  EXPECT_NEAR(by_rule, 1.476482, 1e-6);
  // Growth is a root of the distance from the limit.
  EXPECT_GT(growthByRule(0.999999 * by_rule), 1e-3);
  EXPECT_LT(growthByRule(1.000001 * by_rule), 1e-6);
}

// Division of the paper's section 7: three notional bodies are the four, in T and so in A and B.
TEST(EquationsBicycle, NotionalBodiesAreTheFour) {
  const EquationsModel four = readEquationsModel("bicycle_four_bodies");
  const EquationsModel three = readEquationsModel("bicycle_three_bodies");
  const EquationsSystem of_four(four);
  const EquationsSystem of_three(three);
  const EquationsStart start = findEquationsStart(four);
  ASSERT_TRUE(start.ok) << start.problem;
  std::mt19937 engine(3);
  for (int trial = 0; trial < 5; ++trial) {
    const std::vector<double> x = shaken(of_four, start.x, engine);
    const EquationsMatrices a = equationsMatrices(four, of_four, 0.0, x);
    const EquationsMatrices b = equationsMatrices(three, of_three, 0.0, x);
    EXPECT_LT((a.A - b.A).cwiseAbs().maxCoeff(), 1e-12 * a.A.cwiseAbs().maxCoeff());
    EXPECT_LT((a.B - b.B).cwiseAbs().maxCoeff(),
              1e-12 * std::max(a.B.cwiseAbs().maxCoeff(), a.C.cwiseAbs().maxCoeff()));
  }
}

// Of the published benchmark, evaluated to 40 digits.
TEST(EquationsBicycle, HasThePublishedEigenvalues) {
  for (const char* name : {"bicycle_four_bodies", "bicycle_three_bodies"}) {
    const EquationsModel model = readEquationsModel(name);
    EquationsFollower follower(
        {[&](double, std::span<const double>) { return std::make_unique<EquationsModel>(model); }, {}}, 0.0);
    const auto found = eigenvaluesAt(follower, 0.0);
    ASSERT_EQ(found.size(), 4U) << name;
    EXPECT_NEAR(found[0].real(), -0.32286642900409, 1e-10);
    EXPECT_NEAR(found[1].real(), -0.77534188219585, 1e-10);
    EXPECT_NEAR(std::abs(found[1].imag()), 4.46486771378823, 1e-10);
    EXPECT_NEAR(found[3].real(), -14.07838969279825, 1e-10);
    const EquationsMotion motion = follower.motionAt(0.0);
    Observation seen;
    const auto work = follower.solver().system().makeWorkspace();
    ASSERT_EQ(follower.solver().system().observe(0.0, motion.x, {}, *work, seen).eval, Eval::ok);
    EXPECT_NEAR(std::abs(seen.outputs.back()), 309.3035294118, 1e-9);
  }
}

}  // namespace linkwork::equations_linear_test
