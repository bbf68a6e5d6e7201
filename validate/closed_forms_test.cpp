// Shipped models whose motion has a closed form, or a law that holds to the last digits.
#include <gtest/gtest.h>

#include <numbers>

#include "run_model.hpp"

namespace linkwork::validation {
namespace closed_forms_test {

constexpr double kPi = std::numbers::pi;

Result runFine(const Mechanism& mechanism, double rtol, double until, double output_step) {
  RunOptions options = runOptions(mechanism);
  options.steps.rtol = rtol;
  options.steps.atol = 0.01 * rtol;
  options.until = until;
  options.output_step = output_step;
  Result result = runModel(mechanism, options);
  expect(result.status == RunStatus::complete, result.message);
  return result;
}

// m x'' + c x' + k x = F cos(w t), x(0) = x'(0) = 0:
//   x = C cos(w t) + D sin(w t) - e^(-s t) (C cos(p t) + (s C + w D)/p sin(p t)),   s = c/(2 m), p^2 = k/m - s^2
TEST(DrivenOscillator, FollowsTheClosedForm) {
  const double m = 2, c = 3, k = 200, F = 10, w = 7;
  const double a = k - m * w * w;
  const double C = F * a / (a * a + c * c * w * w);
  const double D = F * c * w / (a * a + c * c * w * w);
  const double s = c / (2 * m);
  const double p = std::sqrt(k / m - s * s);
  const Mechanism mechanism = readShippedModel("driven_oscillator");
  for (const double t : {0.3, 1.0, 3.0, 10.0}) {
    const Result result = runTo(mechanism, t, 1e-12);
    const double x = C * std::cos(w * t) + D * std::sin(w * t) -
                     std::exp(-s * t) * (C * std::cos(p * t) + (s * C + w * D) / p * std::sin(p * t));
    EXPECT_NEAR(lastOf(result, "block.x"), x, 1e-11) << "t = " << t;
  }
}

// Equal sliders and no gravity: the kinetic energy does not depend on the pose, so the rate is constant.
TEST(EllipticTrammel, TurnsAtAConstantRateAndDrawsAnEllipse) {
  const double L = 0.6;
  const double start = kPi - 35 * kPi / 180;  // direction of the rod from X to Y
  const Result result = runFine(readShippedModel("elliptic_trammel"), 1e-11, 10.0, 0.05);
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    const double angle = result.find("rod.angle")->values[k];
    EXPECT_NEAR(angle, start - 2 * result.time[k], 1e-8);
    // The pen is half a length beyond X: half axes 3L/2 along x and L/2 along y.
    const double x = result.find("rod.x")->values[k] - L / 2 * std::cos(angle);
    const double y = result.find("rod.y")->values[k] - L / 2 * std::sin(angle);
    EXPECT_NEAR(std::pow(x / (1.5 * L), 2) + std::pow(y / (0.5 * L), 2), 1.0, 1e-12);
  }
}

// --- drives
// ---------------------------------------------------------------------------------------------------------------

struct DrivenModel {
  const char* name;
  const char* drive;
  const char* coordinate;
  double (*motion)(double t);
  double (*rate)(double t);
  double until;
};

const DrivenModel kDriven[] = {
    {"four_bar_grashof", "motor", "O.angle", [](double t) { return kPi / 2 + kPi * t; }, [](double) { return kPi; },
     4.0},
    {"slotted_lever", "motor", "O.angle", [](double t) { return kPi * t; }, [](double) { return kPi; }, 4.0},
    {"peaucellier", "motor", "N.angle", [](double t) { return kPi / 3 * std::sin(kPi * t / 2); },
     [](double t) { return kPi / 3 * kPi / 2 * std::cos(kPi * t / 2); }, 4.0},
    {"scissor_lift", "screw", "foot.slide", [](double t) { return 0.96 - 0.18 * (1 - std::cos(kPi * t / 4)); },
     [](double t) { return -0.18 * kPi / 4 * std::sin(kPi * t / 4); }, 4.0},
};

class DrivenMechanism : public ::testing::TestWithParam<DrivenModel> {
 protected:
  Result run() const {
    return runFine(readShippedModel(GetParam().name), 1e-10, GetParam().until, GetParam().until / 4000);
  }
};

TEST_P(DrivenMechanism, FollowsItsDrive) {
  const Result result = run();
  const auto& coordinate = result.find(GetParam().coordinate)->values;
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    const double f = GetParam().motion(result.time[k]);
    EXPECT_NEAR(coordinate[k], f, 1e-12 * std::max(1.0, std::abs(f)));
  }
}

// What the drive puts in, the integral of effort times rate (Simpson's rule on the samples), is what the mechanism
// gains and what resistances take. An independent sum: the run itself integrates the supplied work with its own steps.
TEST_P(DrivenMechanism, GainsWhatItsDriveSupplies) {
  const Result result = run();
  const auto& effort = result.find(std::string(GetParam().drive) + ".effort")->values;
  const Series* ram_rate = result.find("ram.x_rate");
  const auto power = [&](std::size_t k) {
    const double taken = ram_rate == nullptr ? 0.0 : 40 * ram_rate->values[k] * ram_rate->values[k];
    return effort[k] * GetParam().rate(result.time[k]) - taken;
  };
  const std::size_t last = result.time.size() - 1;
  ASSERT_EQ(last % 2, 0U);
  const double h = result.time[1] - result.time[0];
  double work = 0.0;
  for (std::size_t k = 0; k < last; k += 2) work += h / 3 * (power(k) + 4 * power(k + 1) + power(k + 2));
  const auto energy = [&](std::size_t k) {
    return result.find("energy.kinetic")->values[k] + result.find("energy.potential")->values[k];
  };
  // Simpson's rule with 4000 intervals is good to (h/T)^4, about 1e-11 of the power's own size.
  EXPECT_NEAR(energy(last) - energy(0), work, 1e-9 * result.ledger.energy_scale);
}

INSTANTIATE_TEST_SUITE_P(Models, DrivenMechanism, ::testing::ValuesIn(kDriven),
                         [](const auto& model) { return std::string(model.param.name); });

TEST(Peaucellier, DrawsAStraightLine) {
  const Result result = runFine(readShippedModel("peaucellier"), 1e-8, 4.0, 0.01);
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    const double x = result.find("pen.x")->values[k] + 0.2 * std::cos(result.find("pen.angle")->values[k]);
    EXPECT_NEAR(x, 0.525, 1e-12);
  }
}

TEST(ScissorLift, RisesByPythagoras) {
  const Result result = runFine(readShippedModel("scissor_lift"), 1e-8, 8.0, 0.02);
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    const double foot = result.find("foot.slide")->values[k];
    EXPECT_NEAR(result.find("table.y")->values[k], 2 * std::sqrt(1 - foot * foot), 1e-12);
    EXPECT_NEAR(result.find("table.angle")->values[k], 0.0, 1e-12);
  }
}

// --- massless bodies
// ------------------------------------------------------------------------------------------------------

Mechanism withCouplerMass(double mass) {
  Mechanism mechanism = readShippedModel("massless_coupler");
  for (Body& body : mechanism.bodies) {
    if (body.name != "coupler") continue;
    body.mass = mass;
    body.inertia = mass * 1.3 * 1.3 / 12;
  }
  return mechanism;
}

TEST(MasslessCoupler, IsTheLimitOfALightOne) {
  const double massless = lastOf(runTo(withCouplerMass(0.0), 2.0, 1e-11), "crank.angle");
  const auto off = [&](double mass) {
    return lastOf(runTo(withCouplerMass(mass), 2.0, 1e-11), "crank.angle") - massless;
  };
  EXPECT_NEAR(off(1e-9), 0.0, 1e-8);
  // First order in the mass: a tenth of the mass, a tenth of the difference; to the next order, 1e-4 of it.
  EXPECT_NEAR(off(1e-4) / off(1e-5), 10.0, 0.01);
}

TEST(MasslessCoupler, CarriesAForceAlongItselfOnly) {
  const Result result = runFine(readShippedModel("massless_coupler"), 1e-9, 2.0, 0.02);
  for (std::size_t k = 0; k < result.time.size(); ++k) {
    const auto at = [&](const char* name) { return result.find(name)->values[k]; };
    const double angle = at("coupler.angle");
    const double scale = 1e-10 * (1 + std::hypot(at("A.force.x"), at("A.force.y")));
    EXPECT_NEAR(at("A.force.x") * std::sin(angle) - at("A.force.y") * std::cos(angle), 0.0, scale);
    EXPECT_NEAR(at("A.force.x"), at("B.force.x"), scale);
    EXPECT_NEAR(at("A.force.y"), at("B.force.y"), scale);
  }
}

}  // namespace closed_forms_test
}  // namespace linkwork::validation
