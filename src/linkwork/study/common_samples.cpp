#include "linkwork/study/common_samples.hpp"

#include <algorithm>
#include <cmath>

namespace linkwork {

namespace {

bool sameTime(double a, double b) { return std::abs(a - b) <= 1e-12 * (1.0 + std::abs(a)); }

// How many samples stand at the time of sample k, the first of them.
std::size_t samplesAt(std::span<const double> time, std::size_t k) {
  std::size_t end = k + 1;
  while (end < time.size() && time[end] == time[k]) ++end;
  return end - k;
}

bool hasJumps(const Result& run) { return std::adjacent_find(run.time.begin(), run.time.end()) != run.time.end(); }

// Whether each sample of `run` is one that `other` has too, or that cannot be asked for.
void leaveOut(const Result& run, const Result& other, std::vector<bool>& kept) {
  std::vector<bool> matched(run.time.size(), false);
  for (const auto& [own, partner] : commonSamples(run.time, other.time)) matched[own] = true;
  for (std::size_t k = 0; k < run.time.size();) {
    const std::size_t count = samplesAt(run.time, k);
    const bool reached = !other.time.empty() && run.time[k] <= other.time.back();
    for (std::size_t j = k; j < k + count; ++j) {
      if (count > 1 && reached && !matched[j]) kept[j] = false;
    }
    k += count;
  }
}

void keepOnly(const std::vector<bool>& kept, std::vector<double>& values) {
  std::size_t next = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (k >= kept.size() || kept[k]) values[next++] = values[k];
  }
  values.resize(next);
}

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> commonSamples(std::span<const double> a, std::span<const double> b) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const std::size_t at_i = samplesAt(a, i);
    const std::size_t at_j = samplesAt(b, j);
    if (sameTime(a[i], b[j])) {
      // From the right one back.
      const std::size_t both = std::min(at_i, at_j);
      for (std::size_t k = both; k-- > 0;) out.emplace_back(i + at_i - 1 - k, j + at_j - 1 - k);
      i += at_i;
      j += at_j;
    } else if (a[i] < b[j] ? at_i > 1 : at_j > 1) {
      (a[i] < b[j] ? i : j) += a[i] < b[j] ? at_i : at_j;
    } else {
      break;
    }
  }
  return out;
}

void keepCommonSamples(std::span<Result* const> runs) {
  if (std::none_of(runs.begin(), runs.end(), [](const Result* run) { return hasJumps(*run); })) return;
  std::vector<std::vector<bool>> kept;
  for (const Result* run : runs) {
    kept.emplace_back(run->time.size(), true);
    for (const Result* other : runs) {
      if (other != run) leaveOut(*run, *other, kept.back());
    }
  }
  for (std::size_t k = 0; k < runs.size(); ++k) {
    for (Series& series : runs[k]->series) keepOnly(kept[k], series.values);
    keepOnly(kept[k], runs[k]->time);
  }
}

}  // namespace linkwork
