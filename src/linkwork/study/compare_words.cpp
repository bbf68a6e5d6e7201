#include "linkwork/study/compare_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace linkwork {

namespace {

constexpr std::size_t kMostComplaints = 4;
constexpr std::size_t kMostLabels = 3;

bool agrees(const Comparison& comparison, const ComparedRun& run) {
  return run.wentThrough() && run.comparable() && run.difference.worst() <= comparison.within;
}

std::string degreeOfAgreement(const ComparedRun& worst) {
  const double difference = worst.difference.worst();
  if (difference == 0.0) return "to the last bit";
  return fmt::format("to {:.2g} (most in the {})", difference, worst.difference.worstIn());
}

std::string agreement(const Comparison& comparison) {
  std::size_t all = 0;    // that apply
  std::size_t count = 0;  // of them, those that went through
  std::size_t agreeing = 0;
  const ComparedRun* worst = nullptr;
  for (const ComparedRun& run : comparison.runs) {
    if (!run.applies() || run.softens()) continue;
    ++all;
    if (!run.wentThrough() || !run.comparable()) continue;
    ++count;
    if (!agrees(comparison, run)) continue;
    ++agreeing;
    if (worst == nullptr || run.difference.worst() > worst->difference.worst()) worst = &run;
  }
  if (count == 0) return "no run went through";
  const std::string& reference = comparison.runs[*comparison.reference].label;
  if (count == 1) return fmt::format("only `{}` went through, and there is nothing to compare it with", reference);
  if (agreeing < 2) return fmt::format("no run agrees with `{}` to {:.2g}", reference, comparison.within);
  const std::string degree = degreeOfAgreement(*worst);
  if (agreeing < all) return fmt::format("{} of {} agree {}", countInWords(agreeing), countInWords(all), degree);
  return fmt::format("{} agree {}", count == 2 ? "both" : "all " + countInWords(count), degree);
}

std::string partingWords(const Parting& parting) {
  return fmt::format("at t = {:.4g} s in {}", parting.time,
                     parting.kind == "energy" ? "the energy" : fmt::format("{} {}", parting.kind, parting.place));
}

// "is stopped by event "low" at t = 1 s, while the reference ends at t = 10 s"
std::string endingWords(const Comparison& comparison, const ComparedRun& run) {
  const auto words = [](const Result& result) {
    return result.status == RunStatus::stopped_by_event ? fmt::format("is stopped by {}", result.message)
                                                        : fmt::format("ends at t = {:.6g} s", result.time.back());
  };
  return fmt::format("{}, while the reference {}", words(run.result),
                     words(comparison.runs[*comparison.reference].result));
}

// Whether the joints have come apart by so much that it can be why the run parts: a difference that is many times the
// drift has come from elsewhere, or was there without it.
bool partsByDrift(const Comparison& comparison, const ComparedRun& run) {
  constexpr double kMostByDrift = 10.0;
  const auto drift = [](const ComparedRun& one) {
    return one.result.ledger.worst_position / one.result.ledger.reference_length;
  };
  const double own = drift(run);
  return own > kWellClosed && own > drift(comparison.runs[*comparison.reference]) &&
         run.difference.greatest[Aspect::position].relative <= kMostByDrift * own;
}

// Joints of springs open, and the motion is off by some times that: nothing is wrong with a run that parts so.
std::string softWords(const ComparedRun& run) {
  double gap = 0.0;
  for (const SpringJoint& joint : run.result.ledger.spring_joints) gap = std::max(gap, joint.greatest_gap);
  return fmt::format(
      "`{}` opens its joints by up to {:.2g} m and differs by {:.2g} (most in the {}), which is not counted", run.label,
      gap, run.difference.worst(), run.difference.worstIn());
}

// Why a run does not belong to those that agree.
std::string complaint(const Comparison& comparison, const ComparedRun& run) {
  if (run.result.status == RunStatus::failed)
    return fmt::format("`{}` could not go on: {}", run.label, run.result.message);
  if (run.result.status == RunStatus::interrupted) return fmt::format("`{}` was {}", run.label, run.result.message);
  const bool ends_apart = endsApart(comparison, run);
  if (ends_apart && !run.difference.parting) return fmt::format("`{}` {}", run.label, endingWords(comparison, run));
  std::string out = partsByDrift(comparison, run)
                        ? fmt::format("`{}` has drifted to {:.2g} by t = {:.4g} s, and parts", run.label,
                                      run.result.ledger.worst_position, run.reached())
                        : fmt::format("`{}` parts", run.label);
  if (run.difference.parting) out += " from the reference " + partingWords(*run.difference.parting);
  out += fmt::format(" (up to {:.2g} in the {})", run.difference.worst(), run.difference.worstIn());
  return ends_apart ? out + ", and " + endingWords(comparison, run) : out;
}

}  // namespace

bool endsApart(const Comparison& comparison, const ComparedRun& run) {
  return run.difference.endings && run.difference.endings->relative > comparison.within;
}

std::string labelOf(const ComparedMethod& method, const VariedParts& varied) {
  std::string out = method.formulation;
  if (varied.stabilisation)
    out += method.stabilisation == "none" ? " without stabilisation" : " with " + method.stabilisation;
  if (varied.integrator) out += " by " + method.integrator;
  if (varied.space && method.lifted) out += " in space";
  return out;
}

std::vector<std::string> reasonsOf(const std::vector<ComparedRun>& runs) {
  std::vector<std::pair<std::string, std::vector<std::string>>> groups;  // reason, and whose it is
  for (const ComparedRun& run : runs) {
    if (run.applies()) continue;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& one) { return one.first == run.problem; });
    if (group == groups.end()) group = groups.insert(groups.end(), {run.problem, {}});
    group->second.push_back(run.label);
  }
  std::vector<std::string> out;
  for (auto& [reason, labels] : groups) {
    const std::size_t more = labels.size() > kMostLabels ? labels.size() - 1 : 0;
    if (more > 0) labels.resize(1);
    out.push_back(fmt::format("{}{}: {}", fmt::join(labels, ", "),
                              more > 0 ? fmt::format(" and {} more", countInWords(more)) : std::string(), reason));
  }
  return out;
}

std::string countInWords(std::size_t count) {
  constexpr std::array<const char*, 13> kWords{"no",    "one",   "two",  "three", "four",   "five",  "six",
                                               "seven", "eight", "nine", "ten",   "eleven", "twelve"};
  return count < kWords.size() ? kWords[count] : fmt::format("{}", count);
}

std::string verdictOf(const Comparison& comparison) {
  std::vector<std::string> clauses{agreement(comparison)};
  std::size_t left_out = 0;
  for (std::size_t k = 0; k < comparison.runs.size(); ++k) {
    const ComparedRun& run = comparison.runs[k];
    if (!run.applies() || k == comparison.reference) continue;
    if (run.softens() && run.wentThrough() && run.comparable()) {
      clauses.push_back(softWords(run));
      continue;
    }
    if (agrees(comparison, run)) continue;
    if (clauses.size() > kMostComplaints) {
      ++left_out;
    } else {
      clauses.push_back(complaint(comparison, run));
    }
  }
  if (left_out > 0) clauses.push_back(fmt::format("and {} more, as the table shows", countInWords(left_out)));
  std::string out = fmt::format("{}.", fmt::join(clauses, "; "));
  out.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(out.front())));
  return out;
}

}  // namespace linkwork
