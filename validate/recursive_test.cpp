// Joint coordinates of a tree against absolute coordinates, on every shipped model: with the velocities of all joints,
// and with independent ones alone.
//
// Accelerations and unique reactions at random consistent states: two formulations that share the rows of joints and
// the forces of loads, but neither coordinates nor solver nor rank decision. Trajectories: over the time in which a
// perturbation of 1e-12 grows less than a thousandfold.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "linkwork/analyse/assemble.hpp"
#include "run_model.hpp"
#include "shipped_models.hpp"

namespace linkwork::validation {
namespace recursive_test {

using Triple = std::array<double, 3>;

// What differs most, as a share of the largest of its kind; what is not unique counts for the size alone.
struct Comparison {
  double difference = 0.0;
  double size = 0.0;
  void add(double a, double b) {
    difference = std::max(difference, std::abs(a - b));
    size = std::max(size, std::abs(a));
  }
  void add(const Triple& a, const Triple& b, const std::array<bool, 3>& unique = {true, true, true}) {
    for (std::size_t k = 0; k < 3; ++k) add(a[k], unique[k] ? b[k] : a[k]);
  }
  double relative(double least) const { return difference / std::max(size, least); }
};

struct Difference {
  Comparison linear, angular, force, moment, effort;
  void look(const Observation& a, const Observation& b) {
    for (std::size_t k = 0; k < a.bodies.size(); ++k) {
      linear.add(a.bodies[k].acceleration, b.bodies[k].acceleration);
      angular.add(a.bodies[k].angular_acceleration, b.bodies[k].angular_acceleration);
    }
    for (std::size_t k = 0; k < a.joints.size(); ++k) {
      const Reaction& r = a.joints[k];
      const Reaction& s = b.joints[k];
      EXPECT_EQ(r.unique, s.unique) << "joint " << k;
      force.add(r.force_on_second, s.force_on_second, r.force_unique);
      moment.add(r.moment_on_second, s.moment_on_second, r.moment_unique);
      moment.add(r.moment_on_first, s.moment_on_first, r.moment_on_first_unique);
      if (r.unique) effort.add(r.effort, s.effort);
    }
    for (std::size_t k = 0; k < a.drive_efforts.size(); ++k) {
      if (a.drive_efforts_unique[k]) effort.add(a.drive_efforts[k], b.drive_efforts[k]);
    }
  }
  std::string words() const {
    const auto one = [](const char* what, const Comparison& c) {
      return fmt::format("{} {:.2g} of {:.3g}; ", what, c.difference, c.size);
    };
    return one("accelerations", linear) + one("turning", angular) + one("forces", force) + one("moments", moment) +
           one("efforts", effort);
  }
  // Below `least` (m/s^2, rad/s^2, N, N*m) a quantity is round-off of the others.
  double worst(double least) const {
    const double forces = std::max(least, force.size);
    return std::max({linear.relative(least), angular.relative(least), force.relative(least),
                     moment.relative(forces * 1e-2), effort.relative(std::max(forces, moment.size) * 1e-2)});
  }
};

// By model and formulation.
class TreeOnShippedModels : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(TreeOnShippedModels, HasTheAccelerationsAndReactionsOfAbsoluteCoordinates) {
  const auto& [model, formulation] = GetParam();
  const Mechanism mechanism = readShippedModel(model);
  const Assembly assembly = assemble(mechanism);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  SystemOptions options = startingFrom(assembly);
  const auto absolute = makeSystem(mechanism, options);
  options.formulation = formulation;
  const auto recursive = makeSystem(mechanism, options);
  const auto work_a = absolute->makeWorkspace();
  const auto work_r = recursive->makeWorkspace();
  std::mt19937 engine(11);
  for (int trial = 0; trial < 4; ++trial) {
    const std::vector<double> x =
        trial == 0 ? assembly.state() : randomState(*absolute, assembly.state(), 0.03, engine);
    Observation a;
    Observation r;
    ASSERT_EQ(absolute->observe(0.0, x, absolute->startModes(), *work_a, a), Eval::ok)
        << absolute->describeFailure(*work_a);
    const std::vector<double> y = recursive->fromAbsolute(0.0, x);
    ASSERT_EQ(recursive->observe(0.0, y, recursive->startModes(), *work_r, r), Eval::ok)
        << recursive->describeFailure(*work_r);
    Difference difference;
    difference.look(a, r);
    // At rest the springs of links that bend make 1e-8 rad/s^2 of round-off of an angle.
    EXPECT_LT(difference.worst(mechanism.links.empty() ? 1e-3 : 100.0), 1e-9)
        << "state " << trial << ": " << difference.words();
    EXPECT_EQ(absolute->factorRows(0.0, x, absolute->startModes(), *work_a).freedoms,
              recursive->factorRows(0.0, y, recursive->startModes(), *work_r).freedoms);
    EXPECT_NEAR(a.kinetic, r.kinetic, 1e-12 * (1.0 + a.kinetic));
    EXPECT_NEAR(a.potential, r.potential, 1e-11 * (1.0 + std::abs(a.potential)));
  }
}

INSTANTIATE_TEST_SUITE_P(All, TreeOnShippedModels,
                         ::testing::Combine(::testing::ValuesIn(shippedModels()),
                                            ::testing::Values("recursive", "quasivelocity")),
                         [](const auto& instance) {
                           return fmt::format("{}_{}", std::get<0>(instance.param), std::get<1>(instance.param));
                         });

// A tree, a tree in space with balls and a free body, a planar loop with a drive or without, spatial loops, redundant
// joints; with LINKWORK_FULL set, every model.
std::vector<std::string> modelsToFollow() {
  if (everyModel()) return shippedModels();
  return {"double_pendulum",
          "slider_pendulum",
          "seven_joint_arm",
          "tennis_racket",
          "four_bar",
          "stephenson_six_bar",
          "rssr",
          "door_two_hinges"};
}

class RecursiveTrajectories : public ::testing::TestWithParam<std::tuple<std::string, double>> {};

TEST_P(RecursiveTrajectories, AreThoseOfAbsoluteCoordinates) {
  const auto& [model, rtol] = GetParam();
  const Mechanism mechanism = readShippedModel(model);
  RunOptions options = runOptions(mechanism);
  options.until = mechanism.check_horizon;
  options.output_step = mechanism.check_horizon / 4.0;
  options.integrator = tightIntegratorFor(model);
  options.steps.rtol = rtol;
  options.steps.atol = 1e-2 * rtol;
  const Result a = runModel(mechanism, options);
  ASSERT_EQ(a.status, RunStatus::complete) << a.message;
  options.system.formulation = "recursive";
  const Result r = runModel(mechanism, options);
  ASSERT_EQ(r.status, RunStatus::complete) << r.message;
  // What stays below one unit, such as the place of a hinged body's origin, is compared as it is.
  const auto wanted = [](const std::string& series) {
    return !isReaction(series) && !series.starts_with("violation.");
  };
  EXPECT_LT(differenceOfUnique(a, r, wanted, 1.0), 1000.0 * rtol);
}

INSTANTIATE_TEST_SUITE_P(Models, RecursiveTrajectories,
                         ::testing::Combine(::testing::ValuesIn(modelsToFollow()), ::testing::Values(1e-8, 1e-12)),
                         [](const auto& instance) {
                           return fmt::format("{}_{}", std::get<0>(instance.param),
                                              std::get<1>(instance.param) < 1e-10 ? "tight" : "usual");
                         });

// Every stabilisation of joint coordinates against absolute coordinates with projection: planar loops, redundant rows,
// a driven crank, a massless coupler, a relation, balls in spatial loops.
struct Stabilised {
  const char* stabilisation;
  const char* integrator;
  double rtol;
  // Of the largest value of the same unit: what the method leaves at its tolerance, times ten. The penalties and index
  // 3 leave more of velocities: the first by its fast errors, the second because steps are chosen by positions.
  double allowed;
};
constexpr auto kStabilised = std::to_array<Stabilised>({{"none", "dop853", 1e-11, 1e-8},
                                                        {"baumgarte", "dop853", 1e-11, 1e-8},
                                                        {"projection", "dop853", 1e-11, 1e-8},
                                                        {"augmented_lagrangian", "dop853", 1e-11, 1e-7},
                                                        {"partitioning", "dop853", 1e-11, 1e-8},
                                                        {"ggl", "radau5", 1e-9, 1e-6},
                                                        {"index3", "radau5", 1e-8, 1e-4},
                                                        {"index3", "generalized_alpha", 1e-6, 1e-2}});

class RecursiveStabilisations : public ::testing::TestWithParam<std::string> {};

TEST_P(RecursiveStabilisations, HaveTheTrajectoriesOfAbsoluteCoordinates) {
  const Mechanism mechanism = readShippedModel(GetParam());
  RunOptions options = runOptions(mechanism);
  options.until = 0.1 * mechanism.check_horizon;
  options.output_step = options.until / 2.0;
  options.integrator = "dop853";
  options.steps.rtol = 1e-12;
  options.steps.atol = 1e-14;
  options.system.formulation = "absolute";
  options.system.stabilisation = "projection";
  const Result reference = runModel(mechanism, options);
  ASSERT_EQ(reference.status, RunStatus::complete) << reference.message;
  const auto motion = [](const std::string& series) {
    return !isReaction(series) && !series.starts_with("violation.") && !series.starts_with("energy.");
  };
  options.system.formulation = "recursive";
  options.steps.max_step = options.until / 50.0;  // work and efforts of drives do not choose steps
  for (const Stabilised& method : kStabilised) {
    options.system.stabilisation = method.stabilisation;
    options.integrator = method.integrator;
    options.steps.rtol = method.rtol;
    options.steps.atol = 0.01 * method.rtol;
    const std::string name = fmt::format("{} {}", method.stabilisation, method.integrator);
    ASSERT_EQ(runProblem(mechanism, options), "") << name;
    const Result result = runModel(mechanism, options);
    ASSERT_EQ(result.status, RunStatus::complete) << name << ": " << result.message;
    const double difference = differenceOfUnique(reference, result, motion, 1.0);
    RecordProperty(name, fmt::format("{:.1e}", difference));
    EXPECT_LT(difference, method.allowed) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Some, RecursiveStabilisations,
                         ::testing::Values("double_pendulum", "four_bar", "parallelogram_three_cranks",
                                           "four_bar_grashof", "massless_coupler", "geared_five_bar", "rssr",
                                           "spatial_slider_crank", "door_two_hinges", "heavy_top"),
                         [](const auto& instance) { return instance.param; });

}  // namespace recursive_test
}  // namespace linkwork::validation
