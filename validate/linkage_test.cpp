// The linkage formulation on every shipped mechanism of hinges: the same accelerations, reactions and motions as
// absolute coordinates, and every form in balance with them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "linkwork/formulation/linkage/linkage_system.hpp"
#include "linkwork/formulation/make_system.hpp"
#include "run_model.hpp"
#include "shipped_models.hpp"

namespace linkwork::validation {
namespace linkage_test {

using linkage::Form;
using linkage::Trig;

// Written down, so that nothing is read before a test runs; that none is missing is a test of its own.
std::vector<std::string> hingedModels() {
  return {"andrews_squeezer",
          "double_pendulum",
          "flexible_four_bar",
          "four_bar",
          "four_bar_grashof",
          "jansen_leg",
          "jansen_walker",
          "massless_coupler",
          "n_four_bar",
          "n_four_bar_repeat",
          "parallelogram_three_cranks",
          "pendulum_chain",
          "simple_pendulum",
          "stephenson_six_bar"};
}

TEST(HingedModels, AreAllThatTheLinkageFormulationTakes) {
  std::vector<std::string> taken;
  for (const std::string& name : shippedModels()) {
    if (linkage::linkageObstacle(readShippedModel(name)).empty()) taken.push_back(name);
  }
  EXPECT_THAT(taken, ::testing::ElementsAreArray(hingedModels()));
}

class HingedModel : public ::testing::TestWithParam<std::string> {
 protected:
  HingedModel() {
    options_.dependent_rows = assembly_.dependent_rows;
    options_.misfit = assembly_.misfit;
    options_.reaction_length = assembly_.reaction_length;
    absolute_ = makeSystem(mechanism_, options_);
    options_.formulation = "linkage";
    linkage_ = makeSystem(mechanism_, options_);
  }

  // A consistent state near the start, in motion.
  std::vector<double> randomState(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    const auto work = absolute_->makeWorkspace();
    std::vector<double> x = assembly_.state();
    const std::size_t n = 3 * mechanism_.bodies.size();
    for (std::size_t k = 0; k < n; ++k) {
      if (mechanism_.drives.empty()) x[k] += 0.03 * assembly_.reaction_length * uniform(random);
      x[n + k] += uniform(random);
    }
    const AfterStep after = absolute_->afterStep(0.0, x, absolute_->startModes(), *work);
    EXPECT_EQ(after.eval, Eval::ok) << absolute_->describeFailure(*work);
    return x;
  }

  Mechanism mechanism_ = readShippedModel(GetParam());
  Assembly assembly_ = assemble(mechanism_);
  SystemOptions options_;
  std::unique_ptr<MechanismSystem> absolute_, linkage_;
};

double largest(const Observation& seen) {
  double out = 1.0;
  for (const BodyMotion& body : seen.bodies) {
    for (const double a : body.acceleration) out = std::max(out, std::abs(a));
    out = std::max(out, std::abs(body.angular_acceleration[2]));
  }
  return out;
}

double largestForce(const Observation& seen) {
  double out = 1.0;
  for (const Reaction& joint : seen.joints) {
    for (const double f : joint.force_on_second) out = std::max(out, std::abs(f));
  }
  return out;
}

TEST_P(HingedModel, AcceleratesAndPressesAsInAbsoluteCoordinates) {
  ASSERT_TRUE(assembly_.ok);
  double worst = 0.0;
  double worst_force = 0.0;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const std::vector<double> x = randomState(seed);
    const auto absolute_work = absolute_->makeWorkspace();
    const auto work = linkage_->makeWorkspace();
    Observation a, b;
    ASSERT_EQ(absolute_->observe(0.0, x, absolute_->startModes(), *absolute_work, a), Eval::ok)
        << absolute_->describeFailure(*absolute_work);
    ASSERT_EQ(linkage_->observe(0.0, linkage_->fromAbsolute(0.0, x), linkage_->startModes(), *work, b), Eval::ok)
        << linkage_->describeFailure(*work);
    EXPECT_EQ(linkage_->factorRows(0.0, linkage_->fromAbsolute(0.0, x), linkage_->startModes(), *work).freedoms,
              absolute_->factorRows(0.0, x, absolute_->startModes(), *absolute_work).freedoms);
    for (std::size_t k = 0; k < a.bodies.size(); ++k) {
      for (std::size_t d = 0; d < 2; ++d) {
        worst = std::max(worst, std::abs(a.bodies[k].acceleration[d] - b.bodies[k].acceleration[d]) / largest(a));
      }
      worst = std::max(
          worst, std::abs(a.bodies[k].angular_acceleration[2] - b.bodies[k].angular_acceleration[2]) / largest(a));
    }
    for (std::size_t k = 0; k < a.joints.size(); ++k) {
      EXPECT_EQ(a.joints[k].unique, b.joints[k].unique);
      for (std::size_t d = 0; d < 2; ++d) {
        worst_force = std::max(
            worst_force, std::abs(a.joints[k].force_on_second[d] - b.joints[k].force_on_second[d]) / largestForce(a));
      }
    }
  }
  RecordProperty("acceleration", fmt::format("{:.1e}", worst));
  RecordProperty("reaction", fmt::format("{:.1e}", worst_force));
  EXPECT_LT(worst, 1e-12);
  EXPECT_LT(worst_force, 1e-12);
}

// With the reactions of the cuts among the loads, each form asks for the torques of the drives and no others.
TEST_P(HingedModel, AllFormsBalanceTheAccelerationsOfAbsoluteCoordinates) {
  LinkageOptions options;
  options.doubtful_rows = assembly_.dependent_rows;
  options.misfit = assembly_.misfit;
  const LinkageSystem system(mechanism_, options);
  const linkage::LinkageTree& tree = system.plan().tree;
  const std::vector<double> state = randomState(7);
  const std::vector<double> x = system.fromAbsolute(0.0, state);
  const auto work = system.makeWorkspace();
  std::vector<double> xdot(x.size());
  ASSERT_EQ(system.derivative(0.0, x, system.startModes(), *work, xdot), Eval::ok);
  const auto absolute_work = absolute_->makeWorkspace();
  Observation seen;
  ASSERT_EQ(absolute_->observe(0.0, state, absolute_->startModes(), *absolute_work, seen), Eval::ok);
  const LinkageSystem::Acting acting = system.acting(*work);

  const std::size_t n = mechanism_.bodies.size();
  const auto relative = [&](std::vector<double> values) {
    for (int k = tree.links() - 1; k >= 0; --k) {
      if (!tree.isRoot(k)) values[at(k)] -= values[at(tree.base(k))];
    }
    return values;
  };
  std::vector<double> a;
  for (std::size_t k = 0; k < n; ++k) {
    a.push_back(seen.bodies[at(system.plan().body[k])].angular_acceleration[2]);
  }
  const std::vector<double> angle(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n));
  const std::vector<double> rate(x.begin() + static_cast<std::ptrdiff_t>(n),
                                 x.begin() + static_cast<std::ptrdiff_t>(2 * n));
  const std::vector<double> q = relative(angle);
  const std::vector<double> dq = relative(rate);
  double worst = 0.0;
  for (const Form form : {Form::rud, Form::statement1, Form::statement2, Form::statement3, Form::statement4,
                          Form::statement5, Form::statement6}) {
    linkage::FormWork<double> coefficients(tree);
    const bool turned = linkage::isRelative(form);
    const linkage::LinkageInputs<double> in{turned ? q : angle, turned ? dq : rate, {},
                                            acting.force,       acting.moment,      {}};
    for (const Trig trig : {Trig::pairwise, Trig::vectors}) {
      linkage::equations(form, trig, linkage::Bias::coefficients, tree, system.constants(), in, coefficients,
                         Unnamed{});
      std::vector<double> torque(n);
      const std::vector<double> x_of_form = turned ? relative(a) : a;
      linkage::torques<double>(tree, x_of_form, coefficients, torque, Unnamed{});
      for (std::size_t k = 0; k < n; ++k) {
        // What the torque is a difference of.
        double size = 1e-3;
        for (std::size_t i = 0; i < n; ++i) {
          size =
              std::max({size, std::abs(acting.moment[i]), std::abs(coefficients.load[i]),
                        std::abs(coefficients.acceleration(static_cast<int>(k), static_cast<int>(i)) * x_of_form[i])});
        }
        worst = std::max(worst, std::abs(torque[k] - acting.torque[k]) / size);
      }
    }
  }
  RecordProperty("torque", fmt::format("{:.1e}", worst));
  EXPECT_LT(worst, 1e-12);
}

TEST_P(HingedModel, MovesAsInAbsoluteCoordinates) {
  RunOptions options = runOptions(mechanism_);
  options.until = std::min(mechanism_.check_horizon, 1.0);
  options.output_step = options.until / 10;
  options.steps.rtol = 1e-10;
  options.steps.atol = 1e-12;
  const Result a = runModel(mechanism_, options);
  options.system.formulation = "linkage";
  const Result b = runModel(mechanism_, options);
  ASSERT_EQ(a.status, RunStatus::complete) << a.message;
  ASSERT_EQ(b.status, RunStatus::complete) << b.message;
  const double off = differenceOfUnique(
      a, b,
      [](const std::string& name) {
        return name.find(".x") != std::string::npos || name.find(".y") != std::string::npos ||
               name.find(".angle") != std::string::npos;
      },
      1e-6);  // frames that stand in a hinge move by round-off only
  RecordProperty("difference", fmt::format("{:.1e}", off));
  EXPECT_LT(off, 1e-7);
  EXPECT_LT(b.ledger.worst_position, 1e-11 * b.ledger.reference_length);
}

INSTANTIATE_TEST_SUITE_P(Linkage, HingedModel, ::testing::ValuesIn(hingedModels()),
                         [](const auto& test) { return test.param; });

}  // namespace linkage_test
}  // namespace linkwork::validation
