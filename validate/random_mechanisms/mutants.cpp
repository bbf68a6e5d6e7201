#include "mutants.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "child.hpp"
#include "examine.hpp"
#include "linkwork/read/model_file.hpp"
#include "mutate.hpp"

namespace linkwork::random_mechanisms {

namespace {

constexpr rlim_t kMemory = rlim_t{3} << 30;  // bytes; what asks for more is refused by the system

// What became of a file: its first letter, and words.
//   r refused, s stopped, c complete, l long as asked for, w without a word, n not finite, d differs, t takes long
std::string outcome(char letter, const std::string& words) { return letter + words; }

// Of a child process. Sanitizers keep notes of every address there is, and cannot start within a limit.
void limitMemory() {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const rlimit memory{kMemory, kMemory};
  setrlimit(RLIMIT_AS, &memory);
#endif
}

bool anyRed(const Result& result) {
  const auto lines = ledgerLines(result);
  return std::any_of(lines.begin(), lines.end(), [](const LedgerLine& line) { return line.grade == Grade::poor; });
}

std::string firstNotFinite(const Result& result) {
  for (const Series& series : result.series) {
    const bool output = series.group.empty() || series.group == "outputs";  // a formula of the user's may be anything
    for (const double value : series.values) {
      if (!std::isfinite(value) && !output) return series.name;
    }
  }
  return {};
}

// What a complete run with no red lamp says is compared with other methods on its first stretch.
std::string difference(const std::string& text, const std::string& file, const Mechanism& mechanism,
                       const RunOptions& options) {
  ExamineOptions examine_options;
  examine_options.cpu_limit = 2.0;
  examine_options.file = file;
  examine_options.until = std::min({options.until, mechanism.check_horizon > 0.0 ? mechanism.check_horizon : 1.0, 1.0});
  const Trial own{options.system.formulation, options.system.stabilisation, options.integrator, false};
  const Trial other{"recursive", "projection", "dopri5", false};
  const Examination seen = examine(text, {own, other}, Draws(1, 1), examine_options);
  for (const Finding& finding : seen.findings) {
    if (finding.fault == Fault::differs || finding.fault == Fault::not_finite || finding.fault == Fault::unbalanced)
      return fmt::format("{}: {}: {}", wordFor(finding.fault), finding.trial.label(), finding.what);
  }
  return {};
}

// The end time that a text gives; nothing where it cannot be read.
double untilIn(const std::string& text, const std::string& file) {
  Diagnostics diagnostics;
  const auto mechanism = readModelText(text, file, diagnostics);
  return mechanism ? runOptions(*mechanism).until : 0.0;
}

// `usual`: the end time of the file as it was, s. Who asks for more may wait longer.
std::string simulated(const std::string& text, const std::string& file, double usual, double cpu_limit) {
  Diagnostics diagnostics;
  const auto mechanism = readModelText(text, file, diagnostics);
  if (!mechanism) return diagnostics.format().empty() ? outcome('w', "refused") : outcome('r', "");
  const Assembly assembly = assemble(*mechanism);
  if (!assembly.ok) return assembly.problem.empty() ? outcome('w', "not assembled") : outcome('r', "");
  const RunOptions options = runOptions(*mechanism);
  if (!options.problem().empty() || !runProblem(*mechanism, options).empty()) return outcome('r', "");
  const double begin = static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
  const auto cpu = [&] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC - begin; };
  double reached = 0.0;
  RunControl control;
  control.interrupted = [&] { return cpu() > cpu_limit; };
  control.progress = [&](double t, double) { reached = t; };
  const Result result = simulate(*mechanism, assembly, options, control);
  if (result.status == RunStatus::interrupted && reached > usual) return outcome('l', "");
  if (result.status == RunStatus::interrupted)
    return outcome('t', fmt::format("{:.0f} s of CPU time for {:.3g} s of {:.3g} s, {} steps and {} refused", cpu(),
                                    reached, options.until, result.ledger.steps, result.ledger.rejected));
  if (result.status == RunStatus::failed) return outcome(result.message.empty() ? 'w' : 's', result.message);
  if (const std::string name = firstNotFinite(result); !name.empty()) return outcome('n', name);
  if (anyRed(result) || cpu() > 1.0) return outcome('c', "");
  const std::string differs = difference(text, file, *mechanism, options);
  return differs.empty() ? outcome('c', "") : outcome('d', differs);
}

std::string contentOf(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

class Mutants {
 public:
  Mutants(const MutantRequest& request, const MutantTold& told) : request_(request), told_(told) {
    for (const auto& entry : std::filesystem::directory_iterator(request.folder)) {
      if (entry.path().extension() == ".toml") files_.push_back(entry.path().string());
    }
    std::sort(files_.begin(), files_.end());
  }

  // In a child process: what becomes of a file.
  std::string simulate(std::uint64_t index) const {
    const Mutant mutant = made(index);
    limitMemory();
    return simulated(mutant.text, mutant.of, untilIn(mutant.whole, mutant.of), request_.cpu_limit);
  }

  void take(std::uint64_t index, const ChildAnswer& child) {
    const Mutant mutant = made(index);
    ++report.files;
    report.cpu += child.cpu;
    report.worst_cpu = std::max(report.worst_cpu, child.cpu);
    MutantFinding found{index, mutant.of, MutantFault::crash, child.problem, mutant.text};
    if (!child.ended) return keep(found);
    found.what = child.answer.empty() ? "" : child.answer.substr(1);
    switch (child.answer.empty() ? ' ' : child.answer.front()) {
      case 'r': ++report.refused; return;
      case 's': ++report.stopped; return;
      case 'c': ++report.complete; return;
      case 'l': ++report.longer; return;
      case 'w': found.fault = MutantFault::wordless; break;
      case 'n': found.fault = MutantFault::not_finite; break;
      case 'd': found.fault = MutantFault::differs; break;
      case 't': found.fault = MutantFault::slow; break;
      default: break;
    }
    keep(found);
  }

  MutantReport report;

 private:
  struct Mutant {
    std::string of, whole, text;  // the file, what it says, and that changed
  };

  Mutant made(std::uint64_t index) const {
    Draws draws(request_.seed + 0x5eed, index);
    Mutant out;
    out.of = files_[static_cast<std::size_t>(draws.below(static_cast<int>(files_.size())))];
    out.whole = contentOf(out.of);
    out.text = mutated(out.whole, draws);
    return out;
  }

  void keep(MutantFinding found) {
    ++report.by_fault[std::string(wordFor(found.fault))];
    found.model =
        fmt::format("# {}: {}\n# mutant {} of seed {}, of {}\n{}", wordFor(found.fault), found.what, found.index,
                    request_.seed, std::filesystem::path(found.of).filename().string(), found.model);
    if (told_) told_(found);
    report.findings.push_back(std::move(found));
  }

  const MutantRequest& request_;
  const MutantTold& told_;
  std::vector<std::string> files_;
};

}  // namespace

std::string_view wordFor(MutantFault fault) {
  switch (fault) {
    case MutantFault::crash: return "crash";
    case MutantFault::wordless: return "wordless";
    case MutantFault::slow: return "slow";
    case MutantFault::not_finite: return "not_finite";
    case MutantFault::differs: return "differs";
  }
  return "";
}

MutantReport mutants(const MutantRequest& request, const MutantTold& told,
                     const std::function<void(const MutantReport&)>& progress) {
  Mutants all(request, told);
  const Pieces pieces{request.first, request.count, request.jobs, 2.0 * request.cpu_limit + 30.0, request.enough};
  inChildren(
      pieces, [&](std::uint64_t index) { return all.simulate(index); },
      [&](std::uint64_t index, const ChildAnswer& child) {
        all.take(index, child);
        if (progress) progress(all.report);
      });
  return all.report;
}

}  // namespace linkwork::random_mechanisms
