// Time at equal error: every model of models/, every formulation and integrator that fits it, and auto.
//
//   equal_error [MODEL...] > equal_error.csv
//
// Whole runs to the model's check_horizon with one sample at its end. The error is the greatest difference of positions
// (over the reference length) and angles from a run at rtol 1e-12; of each method the quickest run whose error is at
// most 1e-6 counts. Times are CPU times of one thread, the least of several runs taken in turn with the others.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cpu_seconds.hpp"
#include "linkwork/analyse/assemble.hpp"
#include "linkwork/base/contract.hpp"
#include "linkwork/read/model_file.hpp"
#include "linkwork/simulate/auto_method.hpp"
#include "linkwork/simulate/simulate.hpp"

namespace {

using namespace linkwork;

constexpr double kError = 1e-6;
constexpr double kMostSeconds = 10.0;  // of one run; one that takes longer has lost
constexpr int kRepeats = 5;

struct Outcome {
  double error = 0.0;
  double seconds = 0.0;
  long steps = 0;
  long evaluations = 0;
};

struct Method {
  std::string formulation, integrator;
};

std::vector<double> endOf(const Result& result) {
  std::vector<double> out;
  for (const Series& series : result.series) {
    if (series.unit == "m") out.push_back(series.values.back() / result.ledger.reference_length);
    if (series.unit == "rad") out.push_back(series.values.back());
  }
  return out;
}

class Runner {
 public:
  explicit Runner(const std::string& model) {
    Diagnostics diagnostics;
    auto mechanism = readModelFile(fmt::format("{}/{}.toml", LINKWORK_MODELS_DIR, model), diagnostics);
    expect(mechanism.has_value(), diagnostics.format());
    mechanism_ = std::move(*mechanism);
    assembly_ = assemble(mechanism_);
    expect(assembly_.ok, assembly_.problem);
    reference_ = endOf(run({"recursive", "dopri5"}, 1e-12));
  }

  std::optional<Outcome> once(const Method& method, double rtol) const {
    if (!runProblem(mechanism_, chooseByMechanism(mechanism_, optionsFor(method, rtol))).empty()) return {};
    const double before = cpuSeconds();
    const Result result = run(method, rtol);
    Outcome out;
    out.seconds = cpuSeconds() - before;
    if (result.status != RunStatus::complete) return {};
    const std::vector<double> end = endOf(result);
    for (std::size_t k = 0; k < end.size(); ++k) out.error = std::max(out.error, std::abs(end[k] - reference_[k]));
    out.steps = result.ledger.steps;
    out.evaluations = result.ledger.evaluations;
    return out;
  }

 private:
  RunOptions optionsFor(const Method& method, double rtol) const {
    RunOptions options = runOptions(mechanism_);
    options.system.formulation = method.formulation;
    options.system.stabilisation = "projection";
    options.integrator = method.integrator;
    options.steps.rtol = rtol;
    options.steps.atol = 1e-2 * rtol;
    options.steps.max_step = 0.0;
    options.steps.step = 0.0;
    options.until = mechanism_.check_horizon;
    options.output_step = options.until;
    return options;
  }

  Result run(const Method& method, double rtol) const {
    const double before = cpuSeconds();
    RunControl control;
    control.interrupted = [&] { return cpuSeconds() - before > kMostSeconds; };
    // Choosing is part of the run.
    const RunOptions options = chooseByFirstSteps(mechanism_, assembly_, optionsFor(method, rtol));
    return simulate(mechanism_, assembly_, options, control);
  }

  Mechanism mechanism_;
  Assembly assembly_;
  std::vector<double> reference_;
};

struct Best {
  Method method;
  double rtol = 0.0;
  Outcome outcome;
};

void measure(const std::string& model) {
  const Runner runner(model);
  std::vector<Best> found;
  std::vector<Method> methods{{std::string(kAuto), std::string(kAuto)}};
  for (const std::string& formulation : formulationNames()) {
    for (const char* integrator : {"dopri5", "dop853", "radau5", "cvode"}) methods.push_back({formulation, integrator});
  }
  for (const Method& method : methods) {
    std::optional<Best> best;
    for (int half = -6; half >= -24; --half) {
      const double rtol = std::pow(10.0, 0.5 * half);
      const auto outcome = runner.once(method, rtol);
      if (!outcome || !(outcome->error <= kError)) continue;
      if (!best || outcome->seconds < best->outcome.seconds) best = {method, rtol, *outcome};
      if (outcome->seconds > 1.5 * best->outcome.seconds) break;
    }
    if (best) found.push_back(*best);
  }
  for (int k = 0; k < kRepeats; ++k) {
    for (Best& best : found)
      best.outcome.seconds = std::min(best.outcome.seconds, runner.once(best.method, best.rtol)->seconds);
  }
  double least = 1e300;
  for (const Best& best : found) least = std::min(least, best.outcome.seconds);
  for (const Best& best : found) {
    fmt::print("{},{},{},{:.1e},{:.2e},{:.4g},{:.3g},{},{}\n", model, best.method.formulation, best.method.integrator,
               best.rtol, best.outcome.error, 1e3 * best.outcome.seconds, best.outcome.seconds / least,
               best.outcome.steps, best.outcome.evaluations);
  }
  std::fflush(stdout);
}

std::vector<std::string> allModels() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(LINKWORK_MODELS_DIR)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

int main(int count, char** words) {
  std::vector<std::string> models(words + 1, words + count);
  if (models.empty()) models = allModels();
  fmt::print("model,formulation,integrator,rtol,error,cpu ms,over the best,steps,evaluations\n");
  for (const std::string& model : models) measure(model);
  return 0;
}
