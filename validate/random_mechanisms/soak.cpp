#include "soak.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "child.hpp"
#include "generate.hpp"
#include "shrink.hpp"

namespace linkwork::random_mechanisms {

namespace {

constexpr double kChildLimit = 120.0;  // s of CPU time for all runs of one mechanism

// An examination as lines of text, on its way out of a child process.
std::string packed(const Examination& examination) {
  std::string refused = examination.refused;
  std::replace(refused.begin(), refused.end(), '\n', ' ');
  std::string out = fmt::format("{}\n{}\n{}\n", refused, examination.runs, examination.horizon);
  for (const Finding& finding : examination.findings) {
    std::string what = finding.what;
    std::replace(what.begin(), what.end(), '\n', ' ');
    out += fmt::format("{} {} {} {} {} {}\n", static_cast<int>(finding.fault), finding.trial.formulation,
                       finding.trial.stabilisation, finding.trial.integrator, finding.trial.lifted ? 1 : 0, what);
  }
  return out;
}

Examination unpacked(const std::string& text) {
  Examination out;
  std::istringstream in(text);
  std::getline(in, out.refused);
  in >> out.runs >> out.horizon;
  int fault = 0;
  int lifted = 0;
  for (Finding finding;
       in >> fault >> finding.trial.formulation >> finding.trial.stabilisation >> finding.trial.integrator >> lifted;) {
    finding.fault = static_cast<Fault>(fault);
    finding.trial.lifted = lifted == 1;
    in.get();
    std::getline(in, finding.what);
    out.findings.push_back(finding);
  }
  return out;
}

Examination examinedInChild(const std::string& text, const std::vector<Trial>& trials, const Draws& draws,
                            const ExamineOptions& options, double* cpu) {
  const ChildAnswer child = inChild([&] { return packed(examine(text, trials, draws, options)); }, kChildLimit);
  if (cpu != nullptr) *cpu += child.cpu;
  if (child.ended) return unpacked(child.answer);
  Examination out;
  const bool slow = child.cpu >= kChildLimit;
  Trial trial{"absolute", "projection", "dop853", false};
  if (trials.size() == 1) trial = trials.front();
  out.findings.push_back({slow ? Fault::slow : Fault::threw, trial, child.problem});
  return out;
}

std::string withComment(const SoakFinding& found, std::uint64_t seed) {
  return fmt::format("# {}: {}\n# {}\n# mechanism {} of seed {} ({})\n{}", wordFor(found.finding.fault),
                     found.finding.trial.label(), found.finding.what, found.index, seed, found.recipe, found.model);
}

class Soak {
 public:
  Soak(const SoakRequest& request, const Told& told) : request_(request), told_(told) {}

  void take(std::uint64_t index) {
    const Generated generated = randomMechanism(request_.seed, index);
    // Another stream than the generator's, so that a change in one leaves the other.
    const Draws draws(~request_.seed, index);
    const Examination seen = examinedInChild(generated.text, {}, draws, request_.examine, &report.cpu);
    ++report.mechanisms;
    report.runs += static_cast<std::uint64_t>(seen.runs);
    if (!seen.refused.empty()) ++report.refused;
    for (const Finding& finding : seen.findings) keep({index, generated.recipe, finding, generated.text}, draws);
  }

  SoakReport report;

 private:
  bool stillShows(const std::string& text, const Finding& finding, const Draws& draws) {
    const Examination again = examinedInChild(text, {finding.trial}, draws, request_.examine, &report.cpu);
    return std::any_of(again.findings.begin(), again.findings.end(),
                       [&](const Finding& other) { return other.fault == finding.fault; });
  }

  void keep(SoakFinding found, const Draws& draws) {
    ++report.by_fault[std::string(wordFor(found.finding.fault))];
    if (request_.shrink) {
      // Slow runs are slow to shrink.
      const int questions = found.finding.fault == Fault::slow ? 25 : 300;
      found.model = shrunk(
          found.model, [&](const std::string& text) { return stillShows(text, found.finding, draws); }, questions);
    }
    found.model = withComment(found, request_.seed);
    if (told_) told_(found);
    report.findings.push_back(std::move(found));
  }

  const SoakRequest& request_;
  const Told& told_;
};

}  // namespace

SoakReport soak(const SoakRequest& request, const Told& told, const std::function<void(const SoakReport&)>& progress) {
  Soak all(request, told);
  for (std::uint64_t k = 0; k < request.count; ++k) {
    all.take(request.first + k);
    if (progress) progress(all.report);
  }
  return all.report;
}

}  // namespace linkwork::random_mechanisms
