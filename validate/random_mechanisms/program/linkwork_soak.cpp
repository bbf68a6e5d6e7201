// linkwork_soak N --seed S: N random mechanisms under all formulations; findings are written as model files.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "mutants.hpp"
#include "soak.hpp"

namespace {

using namespace linkwork::random_mechanisms;

void write(const std::string& folder, std::uint64_t seed, const SoakFinding& found) {
  const auto& trial = found.finding.trial;
  const std::string name =
      fmt::format("{}_{}_{}_{}{}_{}_{}.toml", wordFor(found.finding.fault), seed, found.index, trial.formulation,
                  trial.lifted ? "_in_space" : "", trial.stabilisation, trial.integrator);
  std::filesystem::create_directories(folder);
  std::ofstream(std::filesystem::path(folder) / name) << found.model;
}

template <class Report>
std::string faults(const Report& report) {
  std::string out;
  for (const auto& [fault, count] : report.by_fault)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, fault);
  return out.empty() ? "no findings" : out;
}

// How many, which, and where to.
struct Wanted {
  SoakRequest soak;
  std::string folder = "soak_findings";
  std::string models;    // mutants of these files instead
  double seconds = 0.0;  // of wall clock after which nothing is begun; 0: never
};

class Clock {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

constexpr std::uint64_t kOften = 500;  // files between two lines that say how far it is

template <class Report>
void say(const Report& so_far, std::uint64_t count, const Clock& clock) {
  if (count % kOften != 0) return;
  fmt::print("{} done, {:.0f} s: {}\n", count, clock.seconds(), faults(so_far));
  std::fflush(stdout);
}

bool isEnough(const Wanted& wanted, const Clock& clock) {
  return wanted.seconds > 0.0 && clock.seconds() > wanted.seconds;
}

int runSoak(const Wanted& wanted) {
  const Clock clock;
  SoakRequest request = wanted.soak;
  request.enough = [&] { return isEnough(wanted, clock); };
  const auto told = [&](const SoakFinding& found) {
    write(wanted.folder, request.seed, found);
    fmt::print("{} {} ({}): {}: {}\n", found.index, wordFor(found.finding.fault), found.recipe,
               found.finding.trial.label(), found.finding.what);
    std::fflush(stdout);
  };
  const SoakReport report =
      soak(request, told, [&](const SoakReport& so_far) { say(so_far, so_far.mechanisms, clock); });
  fmt::print("seed {}, mechanisms {} to {}: {} examined, {} refused, {} runs, {:.1f} s ({:.1f} s of CPU time); {}\n",
             request.seed, request.first, request.first + report.mechanisms, report.mechanisms, report.refused,
             report.runs, clock.seconds(), report.cpu, faults(report));
  return report.findings.empty() ? 0 : 3;
}

int runMutants(const Wanted& wanted) {
  const Clock clock;
  MutantRequest request;
  request.folder = wanted.models;
  request.seed = wanted.soak.seed;
  request.first = wanted.soak.first;
  request.count = wanted.soak.count;
  request.jobs = wanted.soak.jobs;
  request.enough = [&] { return isEnough(wanted, clock); };
  const auto told = [&](const MutantFinding& found) {
    std::filesystem::create_directories(wanted.folder);
    const std::string name = fmt::format("mutant_{}_{}_{}.toml", wordFor(found.fault), request.seed, found.index);
    std::ofstream(std::filesystem::path(wanted.folder) / name) << found.model;
    fmt::print("{} {} ({}): {}\n", found.index, wordFor(found.fault), found.of, found.what);
    std::fflush(stdout);
  };
  const MutantReport report =
      mutants(request, told, [&](const MutantReport& so_far) { say(so_far, so_far.files, clock); });
  fmt::print(
      "seed {}, mutants {} to {}: {} files, {} refused, {} stopped, {} complete, {} long, {:.1f} s of CPU time, at "
      "most {:.1f} "
      "s for one; {}\n",
      request.seed, request.first, request.first + report.files, report.files, report.refused, report.stopped,
      report.complete, report.longer, report.cpu, report.worst_cpu, faults(report));
  return report.findings.empty() ? 0 : 3;
}

}  // namespace

int main(int argc, char** argv) {
  Wanted wanted;
  bool as_found = false;
  CLI::App app(
      "Random mechanisms under every formulation that fits, compared; findings are shrunk to small model files.");
  app.add_option("N", wanted.soak.count, "how many")->required();
  app.add_option("--seed", wanted.soak.seed, "which series; default 1");
  app.add_option("--from", wanted.soak.first, "number of the first one, to go on with a series; default 0");
  app.add_option("--out", wanted.folder, "folder for findings; default soak_findings");
  app.add_option("--cpu-limit", wanted.soak.examine.cpu_limit,
                 "s of CPU time above which a run is a finding; default 5, of mutants always 20");
  app.add_option("--jobs", wanted.soak.jobs, "so many at a time; default 1. Findings then come in another order");
  app.add_option("--for", wanted.seconds,
                 "s of wall clock after which none is begun; the last line says with which number to go on");
  app.add_option("--shrink-limit", wanted.soak.shrink_limit, "s of CPU time for making one finding small; default 60");
  app.add_flag("--as-found", as_found, "do not shrink findings");
  app.add_option("--mutate", wanted.models, "instead: model files of this folder, changed at random, through simulate");
  CLI11_PARSE(app, argc, argv);
  if (as_found) wanted.soak.shrink_limit = 0.0;
  return wanted.models.empty() ? runSoak(wanted) : runMutants(wanted);
}
