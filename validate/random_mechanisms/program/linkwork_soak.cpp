// linkwork_soak N --seed S: N random mechanisms under all formulations; findings are written as model files.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "soak.hpp"

namespace {

using namespace linkwork::random_mechanisms;

void write(const std::string& folder, std::uint64_t seed, const SoakFinding& found) {
  const auto& trial = found.finding.trial;
  const std::string name = fmt::format("{}_{}_{}_{}_{}.toml", wordFor(found.finding.fault), seed, found.index,
                                       trial.formulation, trial.integrator);
  std::filesystem::create_directories(folder);
  std::ofstream(std::filesystem::path(folder) / name) << found.model;
}

std::string faults(const SoakReport& report) {
  std::string out;
  for (const auto& [fault, count] : report.by_fault)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, fault);
  return out.empty() ? "no findings" : out;
}

}  // namespace

int main(int argc, char** argv) {
  SoakRequest request;
  std::string folder = "soak_findings";
  bool as_found = false;
  CLI::App app(
      "Random mechanisms under every formulation that fits, compared; findings are shrunk to small model files.");
  app.add_option("N", request.count, "how many mechanisms")->required();
  app.add_option("--seed", request.seed, "which series of mechanisms; default 1");
  app.add_option("--from", request.first, "number of the first one, to go on with a series; default 0");
  app.add_option("--out", folder, "folder for findings; default soak_findings");
  app.add_option("--cpu-limit", request.examine.cpu_limit, "s of CPU time above which a run is a finding; default 5");
  app.add_flag("--as-found", as_found, "do not shrink findings");
  CLI11_PARSE(app, argc, argv);
  request.shrink = !as_found;

  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  const auto told = [&](const SoakFinding& found) {
    write(folder, request.seed, found);
    fmt::print("{} {} ({}): {}: {}\n", found.index, wordFor(found.finding.fault), found.recipe,
               found.finding.trial.label(), found.finding.what);
    std::fflush(stdout);
  };
  const SoakReport report = soak(request, told, [&](const SoakReport& so_far) {
    if (so_far.mechanisms % 500 != 0) return;
    fmt::print("{} mechanisms, {:.0f} s: {}\n", so_far.mechanisms, seconds(), faults(so_far));
    std::fflush(stdout);
  });
  fmt::print("seed {}, mechanisms {} to {}: {} examined, {} refused, {} runs, {:.1f} s ({:.1f} s of CPU time); {}\n",
             request.seed, request.first, request.first + request.count, report.mechanisms, report.refused, report.runs,
             seconds(), report.cpu, faults(report));
  return report.findings.empty() ? 0 : 3;
}
