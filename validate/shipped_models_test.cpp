// What holds for every mechanism in models/: it reads without a word of complaint, is drawn closed, runs, keeps its
// joints together and its energy in balance, and states how long its motion can be predicted.
#include "shipped_models.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "linkwork/geometry/spatial.hpp"
#include "linkwork/model/compliance.hpp"
#include "linkwork/study/common_samples.hpp"
#include "run_model.hpp"

namespace linkwork::validation {
namespace shipped_models_test {

class ShippedModel : public ::testing::TestWithParam<std::string> {
 protected:
  const Mechanism& mechanism_ = readShippedModel(GetParam());
};

TEST_P(ShippedModel, ReadsWithoutErrorOrWarning) {
  const auto& [mechanism, diagnostics] = readOfShippedModel(GetParam());
  ASSERT_TRUE(mechanism.has_value()) << diagnostics.format();
  for (const Diagnostic& finding : diagnostics.all()) EXPECT_EQ(finding.severity, Severity::note) << format(finding);
  EXPECT_FALSE(mechanism->name.empty());
  EXPECT_TRUE(mechanism->run.number("until").has_value());
  EXPECT_GT(mechanism->check_horizon, 0.0);
}

TEST_P(ShippedModel, IsDrawnClosed) {
  const Assembly assembly = assemble(withHardJoints(mechanism_));  // springs give way at the start
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  EXPECT_LT(assembly.position_residual, 1e-12);
  EXPECT_LT(assembly.velocity_residual, 1e-12);
  // The drawing itself closes; assembly has nothing to move, unless the start is another pose on purpose.
  const bool starts_elsewhere =
      std::any_of(mechanism_.initial.begin(), mechanism_.initial.end(), [](const InitialValue& given) {
        const QuantityKind kind = given.quantity.kind;
        return kind <= QuantityKind::body_angle || kind == QuantityKind::joint_angle ||
               kind == QuantityKind::joint_slide;
      });
  if (starts_elsewhere) return;
  EXPECT_LT(assembly.moved, 1e-12);
  // Elements that bend in space turn by what the cosines of their hinges leave: the root of round-off.
  EXPECT_LT(assembly.turned, mechanism_.links.empty() ? 1e-12 : 1e-7);
}

TEST_P(ShippedModel, KeepsItsJointsAndItsEnergy) {
  RunOptions options = runOptions(mechanism_);
  options.until = std::min(options.until, 2.0);
  const Result result = runModel(mechanism_, options);
  ASSERT_NE(result.status, RunStatus::failed) << result.message;
  EXPECT_LT(result.ledger.worst_position, 1e-11 * result.ledger.reference_length);
  // Default tolerances are 1e-8 a step; a few hundred steps may add up to a hundred times that.
  EXPECT_LT(result.ledger.worst_energy_balance, 1e-6 * result.ledger.energy_scale);
}

TEST_P(ShippedModel, RunsToItsOwnEnd) {
  const Result result = runModel(mechanism_, runOptions(mechanism_));
  EXPECT_NE(result.status, RunStatus::failed) << result.message;
  EXPECT_LT(result.ledger.worst_position, 1e-11 * result.ledger.reference_length);
  EXPECT_LT(result.ledger.worst_energy_balance, 1e-5 * result.ledger.energy_scale);
}

// --- how fast a disturbance grows
// ---------------------------------------------------------------------------------------

// The recorded coordinates of a body and their rates, and which of them are lengths.
struct Coordinates {
  std::vector<std::string> lengths, turns, length_rates, turn_rates;
};

Coordinates coordinatesOf(const Mechanism& mechanism, const std::string& body) {
  const auto named = [&](std::initializer_list<const char*> words) {
    std::vector<std::string> out;
    for (const char* word : words) out.push_back(body + "." + word);
    return out;
  };
  if (mechanism.space == Space::planar)
    return {named({"x", "y"}), named({"angle"}), named({"x_rate", "y_rate"}), named({"angle_rate"})};
  return {named({"x", "y", "z"}), named({"orientation.w", "orientation.x", "orientation.y", "orientation.z"}),
          named({"x_rate", "y_rate", "z_rate"}),
          named({"angular_velocity.x", "angular_velocity.y", "angular_velocity.z"})};
}

// Distance between two runs at sample k: positions in units of the mechanism's length and radians (in space, of half
// the turn), rates in units of the greatest rate of the undisturbed run.
double distance(const Mechanism& mechanism, const Result& a, const Result& b,
                const std::pair<std::size_t, std::size_t>& samples, double length, double rate) {
  double worst = 0.0;
  const auto compare = [&](const std::vector<std::string>& names, double unit) {
    for (const std::string& name : names) {
      const double difference = a.find(name)->values[samples.first] - b.find(name)->values[samples.second];
      worst = std::max(worst, std::abs(difference) / unit);
    }
  };
  for (const Body& body : mechanism.bodies) {
    const Coordinates names = coordinatesOf(mechanism, body.name);
    compare(names.lengths, length);
    compare(names.turns, 1.0);
    compare(names.length_rates, length * rate);
    compare(names.turn_rates, rate);
  }
  return worst;
}

double greatestRate(const Mechanism& mechanism, const Result& result, double length) {
  double rate = 0.0;
  const auto take = [&](const std::vector<std::string>& names, double unit) {
    for (const std::string& name : names) {
      for (const double value : result.find(name)->values) rate = std::max(rate, std::abs(value) / unit);
    }
  };
  for (const Body& body : mechanism.bodies) {
    const Coordinates names = coordinatesOf(mechanism, body.name);
    take(names.length_rates, length);
    take(names.turn_rates, 1.0);
  }
  return rate;
}

// The start moved by about `size` in a random direction that the joints allow: in the positions, or in the rates.
Assembly disturbed(const Mechanism& mechanism, const Assembly& start, double size, double length, double rate,
                   bool in_rates, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> direction(-1.0, 1.0);
  Assembly out = start;
  // In the plane (x, y, angle) and their rates; in space (x, y, z, quaternion), and (v, w) for the rates.
  const bool spatial = mechanism.space == Space::spatial;
  std::vector<double>& moved = in_rates ? out.v : out.q;
  const std::size_t each = moved.size() / mechanism.bodies.size();
  const std::size_t lengths = spatial ? 3 : 2;
  for (std::size_t u = 0; u < moved.size(); ++u) {
    const double unit = u % each < lengths ? length : 1.0;
    moved[u] += size * direction(random) * unit * (in_rates ? rate : 1.0);
  }
  for (std::size_t b = 0; spatial && b < mechanism.bodies.size(); ++b) {
    normalise(Spatial<double>{}, std::span(out.q).subspan(7 * b, 7));
  }
  const auto system = makeSystem(mechanism, startingFrom(start));
  const auto work = system->makeWorkspace();
  std::vector<double> x = out.state();
  expect(system->afterStep(0.0, x, system->startModes(), *work).eval == Eval::ok,
         "the disturbed start cannot be closed");
  const auto n = static_cast<std::ptrdiff_t>(out.q.size());
  out.q.assign(x.begin(), x.begin() + n);
  out.v.assign(x.begin() + n, x.begin() + n + static_cast<std::ptrdiff_t>(out.v.size()));
  return out;
}

// How closely the growth of a disturbance is looked at. It is small enough to stay linear when it has grown a
// thousandfold, and large beside what the tolerance of a step leaves of error.
struct Closeness {
  double disturbance;
  double rtol;
  double samples;
  // Directions in which the start is disturbed, each in the positions and in the rates. Any but a chosen direction
  // shares with the one that grows fastest.
  std::vector<unsigned> seeds;
};

// With LINKWORK_FULL set as horizons are measured when a model is added, with the model's own method.
Closeness closeness() {
  return everyModel() ? Closeness{1e-7, 1e-11, 400.0, {1U, 2U}} : Closeness{1e-6, 1e-10, 100.0, {1U}};
}

// The time at which a small disturbance has grown a thousandfold, or `until`, and the greatest growth met before.
std::pair<double, double> measureHorizon(const std::string& model, double until) {
  const Mechanism& mechanism = readShippedModel(model);
  const Closeness close = closeness();
  RunOptions options = runOptions(mechanism);
  options.until = until;
  options.output_step = until / close.samples;
  options.steps.rtol = close.rtol;
  options.steps.atol = 1e-2 * close.rtol;
  if (!everyModel()) options.integrator = tightIntegratorFor(model);
  const Assembly start = assemble(mechanism);
  const Result plain = simulate(mechanism, start, options);
  expect(plain.status == RunStatus::complete, plain.message);
  const double length = plain.ledger.reference_length;
  const double rate = greatestRate(mechanism, plain, length);
  double horizon = until;
  double greatest = 0.0;
  for (const bool in_rates : {false, true}) {
    for (const unsigned seed : close.seeds) {
      const Result other =
          simulate(mechanism, disturbed(mechanism, start, close.disturbance, length, rate, in_rates, seed), options);
      expect(other.status == RunStatus::complete, other.message);
      const double first = distance(mechanism, plain, other, {0, 0}, length, rate);
      if (first < 1e-3 * close.disturbance) continue;  // drives leave no freedom to disturb
      for (const auto& samples : commonSamples(plain.time, other.time)) {
        const double t = plain.time[samples.first];
        if (t > horizon) break;
        const double growth = distance(mechanism, plain, other, samples, length, rate) / first;
        if (growth >= 1e3) {
          horizon = t;
          break;
        }
        greatest = std::max(greatest, growth);
      }
    }
  }
  return {horizon, greatest};
}

TEST_P(ShippedModel, StaysPredictableOverItsCheckHorizon) {
  if (isLong(GetParam())) GTEST_SKIP() << "with LINKWORK_FULL set";
  const auto [horizon, growth] = measureHorizon(GetParam(), mechanism_.check_horizon);
  RecordProperty("growth", std::to_string(growth));
  EXPECT_EQ(horizon, mechanism_.check_horizon) << "a disturbance grows a thousandfold within " << horizon << " s";
}

// Prints how the horizons were found: run with --gtest_also_run_disabled_tests when a model is added.
TEST_P(ShippedModel, DISABLED_MeasureCheckHorizon) {
  const auto [horizon, growth] = measureHorizon(GetParam(), *mechanism_.run.number("until"));
  std::printf("%-34s horizon %.4g s of %.4g s, growth %.4g\n", GetParam().c_str(), horizon,
              *mechanism_.run.number("until"), growth);
}

INSTANTIATE_TEST_SUITE_P(Models, ShippedModel, ::testing::ValuesIn(shippedModels()),
                         [](const auto& model) { return model.param; });

}  // namespace shipped_models_test
}  // namespace linkwork::validation
