// Accuracy beside time for every admissible (stabilisation, integrator) pair on two mechanisms with known motions.
//
//   work_precision > work_precision.csv
//
// Times are CPU times of one thread, the least of several runs, and are given as ratios to that of the defaults
// (projection, dopri5, rtol 1e-8) measured in turn with them: the machine's speed and its other work cancel mostly.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cpu_seconds.hpp"
#include "linkwork/analyse/assemble.hpp"
#include "linkwork/base/contract.hpp"
#include "linkwork/read/model_file.hpp"
#include "linkwork/simulate/simulate.hpp"

namespace {

using namespace linkwork;

struct Problem {
  std::string model;
  double until;  // s
  // Greatest error of the state reached.
  std::function<double(const Mechanism&, std::span<const double>)> error;
  std::vector<double> steps;  // s, for methods with a fixed step
};

Mechanism read(const std::string& name) {
  Diagnostics diagnostics;
  auto mechanism = readModelFile(std::string(LINKWORK_MODELS_DIR) + "/" + name + ".toml", diagnostics);
  expect(mechanism.has_value(), diagnostics.format());
  return *mechanism;
}

// Twelve digits, found with 36-digit arithmetic in minimal coordinates.
double sliderPendulumError(const Mechanism& /*mechanism*/, std::span<const double> x) {
  constexpr std::array exact{1.58169164562, 0.0, 0.0, 1.62443570479, -0.999086055055, 0.0427570858380};
  double worst = 0.0;
  for (std::size_t k = 0; k < exact.size(); ++k) worst = std::max(worst, std::abs(x[k] - exact[k]));
  return worst;
}

// The seven angles of the test set for initial value problems, recomputed in quadruple precision.
double squeezerError(const Mechanism& mechanism, std::span<const double> x) {
  constexpr double kPi = 3.14159265358979323846;
  const auto angle = [&](const char* name) {
    for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
      if (mechanism.bodies[b].name == name) return x[3 * b + 2];
    }
    throw ContractError(std::string("no body ") + name);
  };
  const double beta = angle("crank");
  const double delta = angle("arm_G");
  const double epsilon = angle("arm_H");
  const std::array found{beta,  angle("pusher") - beta - kPi, angle("plate"), angle("link_G") - delta + kPi / 2,
                         delta, angle("link_H") - epsilon,    epsilon};
  constexpr std::array exact{15.8107711951537072,  -15.7563710584118396, 0.0408222401196458059, -0.534730116342079592,
                             0.524409965879954069, 0.534730116342079592, 1.04808074104193787};
  double worst = 0.0;
  for (std::size_t k = 0; k < exact.size(); ++k) worst = std::max(worst, std::abs(found[k] - exact[k]));
  return worst;
}

struct Outcome {
  double error = 0.0;
  double seconds = 0.0;
  StepCounts counts;
};

class Runner {
 public:
  explicit Runner(const Problem& problem)
      : problem_(problem), mechanism_(read(problem.model)), assembly_(assemble(mechanism_)) {
    expect(assembly_.ok, assembly_.problem);
  }

  // One run; nothing if the pair is not admissible or the run does not come to its end.
  std::optional<Outcome> once(const RunOptions& options) const {
    if (!runProblem(mechanism_, options).empty()) return {};
    const auto system = makeSystem(mechanism_, startingFrom(assembly_, options.system));
    const auto integrator = makeIntegrator(options.integrator, *system, options.steps);
    Outcome out;
    const double before = cpuSeconds();
    StepStatus status = integrator->begin(0.0, system->fromAbsolute(0.0, assembly_.state()), problem_.until);
    while (status == StepStatus::ok && cpuSeconds() - before < kMostSeconds) status = integrator->step();
    out.seconds = cpuSeconds() - before;
    if (status != StepStatus::finished) return {};
    out.counts = integrator->counts();
    out.error =
        problem_.error(mechanism_, system->toAbsolute(problem_.until, integrator->state(), integrator->modes()));
    return out;
  }

  // The least time of several runs, each followed by one with the defaults: the ratio of the two leasts.
  void measure(const RunOptions& options, double setting) const {
    std::optional<Outcome> best = once(options);
    if (!best) return;
    double base = once(defaults())->seconds;
    double spent = best->seconds;
    for (int k = 0; k < 20 && spent < 0.03; ++k) {
      const auto again = once(options);
      best->seconds = std::min(best->seconds, again->seconds);
      base = std::min(base, once(defaults())->seconds);
      spent += again->seconds;
    }
    fmt::print("{},{},{},{:g},{:.3e},{:.3g},{:.4g},{},{},{}\n", problem_.model, options.system.stabilisation,
               options.integrator, setting, best->error, 1e3 * best->seconds, best->seconds / base,
               best->counts.evaluations, best->counts.accepted, best->counts.rejected);
    std::fflush(stdout);
  }

  static RunOptions defaults() {
    RunOptions options;
    options.steps.atol = 1e-3 * options.steps.rtol;
    return options;
  }

 private:
  static constexpr double kMostSeconds = 1.0;
  const Problem& problem_;
  Mechanism mechanism_;
  Assembly assembly_;
};

}  // namespace

int main() {
  const std::vector<Problem> problems{
      {"slider_pendulum", 5.0, sliderPendulumError, {1e-2, 1e-3, 1e-4}},
      {"andrews_squeezer", 0.03, squeezerError, {1e-5, 1e-6, 1e-7}},
  };
  fmt::print("model,stabilisation,integrator,rtol or step,error,cpu ms,time ratio,evaluations,steps,refused\n");
  for (const Problem& problem : problems) {
    const Runner runner(problem);
    for (const std::string& stabilisation : stabilisationNames()) {
      for (const std::string& integrator : integratorNames()) {
        RunOptions options;
        options.system.stabilisation = stabilisation;
        options.integrator = integrator;
        if (findIntegrator(integrator)->control == StepControl::fixed) {
          for (const double step : problem.steps) {
            options.steps.step = step;
            runner.measure(options, step);
          }
          continue;
        }
        for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
          options.steps.rtol = rtol;
          options.steps.atol = 1e-3 * rtol;
          runner.measure(options, rtol);
        }
      }
    }
  }
  return 0;
}
