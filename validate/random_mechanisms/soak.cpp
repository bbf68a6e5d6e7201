#include "soak.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "child.hpp"
#include "generate.hpp"
#include "linkwork/result/archive.hpp"
#include "shrink.hpp"

namespace linkwork::random_mechanisms {

// What became of one mechanism.
struct Taken {
  bool refused = false;
  int runs = 0;
  std::vector<SoakFinding> findings = {};
};

static void transfer(Archive& archive, Finding& finding) {
  archive(finding.fault);
  archive(finding.trial.formulation);
  archive(finding.trial.stabilisation);
  archive(finding.trial.integrator);
  archive(finding.trial.lifted);
  archive(finding.what);
}

static void transfer(Archive& archive, Examination& seen) {
  archive(seen.refused);
  archive(seen.findings);
  archive(seen.runs);
  archive(seen.horizon);
}

static void transfer(Archive& archive, SoakFinding& found) {
  archive(found.index);
  archive(found.recipe);
  transfer(archive, found.finding);
  archive(found.model);
}

static void transfer(Archive& archive, Taken& taken) {
  archive(taken.refused);
  archive(taken.runs);
  archive(taken.findings);
}

namespace {

constexpr double kChildLimit = 120.0;  // s of CPU time for all runs of one mechanism
constexpr int kQuestions = 300;        // at most, for making one finding small

// On its way out of a child process, and back.
template <class T>
std::string packed(T value) {
  Archive archive;
  transfer(archive, value);
  return archive.bytes();
}
template <class T>
T unpacked(const std::string& bytes) {
  T out;
  Archive archive(bytes);
  transfer(archive, out);
  return out;
}

Examination examinedInChild(const std::string& text, const std::vector<Trial>& trials, const Draws& draws,
                            const ExamineOptions& options, double* cpu) {
  const ChildAnswer child = inChild([&] { return packed(examine(text, trials, draws, options)); }, kChildLimit);
  if (cpu != nullptr) *cpu += child.cpu;
  if (child.ended) return unpacked<Examination>(child.answer);
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

std::string oneLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

class Soak {
 public:
  explicit Soak(const SoakRequest& request) : request_(request) {}

  Taken take(std::uint64_t index) const {
    const Generated generated = randomMechanism(request_.seed, index);
    // Another stream than the generator's, so that a change in one leaves the other.
    const Draws draws(~request_.seed, index);
    const Examination seen = examinedInChild(generated.text, {}, draws, request_.examine, nullptr);
    Taken out{!seen.refused.empty(), seen.runs};
    for (const Finding& finding : seen.findings) {
      out.findings.push_back({index, generated.recipe, finding, generated.text});
      makeSmall(out.findings.back(), draws);
    }
    return out;
  }

 private:
  void makeSmall(SoakFinding& found, const Draws& draws) const {
    found.finding.what = oneLine(found.finding.what);
    double cpu = 0.0;
    const auto still_shows = [&](const std::string& text) {
      if (cpu > request_.shrink_limit) return false;
      const Examination again = examinedInChild(text, {found.finding.trial}, draws, request_.examine, &cpu);
      return std::any_of(again.findings.begin(), again.findings.end(),
                         [&](const Finding& other) { return other.fault == found.finding.fault; });
    };
    if (request_.shrink_limit > 0.0) found.model = shrunk(found.model, still_shows, kQuestions);
    found.model = withComment(found, request_.seed);
  }

  const SoakRequest& request_;
};

// A mechanism whose process did not come back with an answer.
Taken lost(const SoakRequest& request, std::uint64_t index, const std::string& problem) {
  const Generated generated = randomMechanism(request.seed, index);
  SoakFinding found{
      index, generated.recipe, {Fault::threw, {"absolute", "projection", "dop853", false}, problem}, generated.text};
  found.model = withComment(found, request.seed);
  return {false, 0, {std::move(found)}};
}

}  // namespace

SoakReport soak(const SoakRequest& request, const Told& told, const std::function<void(const SoakReport&)>& progress) {
  SoakReport report;
  const Soak all(request);
  const auto answered = [&](std::uint64_t index, const ChildAnswer& child) {
    const Taken taken = child.ended ? unpacked<Taken>(child.answer) : lost(request, index, child.problem);
    ++report.mechanisms;
    report.runs += static_cast<std::uint64_t>(taken.runs);
    report.cpu += child.cpu;
    if (taken.refused) ++report.refused;
    for (const SoakFinding& found : taken.findings) {
      ++report.by_fault[std::string(wordFor(found.finding.fault))];
      if (told) told(found);
      report.findings.push_back(found);
    }
    if (progress) progress(report);
  };
  inChildren(
      {request.first, request.count, request.jobs, 0.0, request.enough},
      [&](std::uint64_t index) { return packed(all.take(index)); }, answered);
  return report;
}

}  // namespace linkwork::random_mechanisms
