#include "linkwork/formulation/reaction_space.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace linkwork {

namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

// Entries of a null vector below this share of its norm are round-off; leaving them out keeps repeats of different
// loops apart.
constexpr double kNoEntry = 1e-13;
// A null vector whose squared distance from those before it is below this adds nothing.
constexpr double kParallel = 1e-14;

}  // namespace

ReactionSpace::ReactionSpace(std::vector<double> row_scale)
    : scale_(std::move(row_scale)), touched_by_(scale_.size()), dense_(scale_.size()) {}

std::span<const ReactionSpace::Entry> ReactionSpace::vector(int k) const {
  return std::span(entries_).subspan(start_[at(k)], start_[at(k) + 1] - start_[at(k)]);
}

void ReactionSpace::add(std::span<const double> lambda) {
  double sum = 0.0;
  for (std::size_t r = 0; r < lambda.size(); ++r) sum += lambda[r] / scale_[r] * lambda[r] / scale_[r];
  const double size = std::sqrt(sum);
  for (std::size_t r = 0; r < lambda.size(); ++r) {
    const double mu = lambda[r] / scale_[r] / size;
    if (std::abs(mu) > kNoEntry) entries_.push_back({static_cast<int>(r), mu});
  }
  start_.push_back(entries_.size());
}

double ReactionSpace::dotWith(int k, std::span<const double> mu) const {
  double sum = 0.0;
  for (const Entry& entry : vector(k)) sum += entry.mu * mu[at(entry.row)];
  return sum;
}

void ReactionSpace::find(KktSolver& kkt) {
  entries_.clear();
  start_.resize(1);
  const int rows = static_cast<int>(scale_.size());
  for (int row = 0; row < rows; ++row) {
    if (!kkt.rowDropped(row)) continue;
    kkt.dependence(row, dense_);
    add(dense_);
  }
  if (dimension() > 0) factorGram();
}

void ReactionSpace::factorGram() {
  std::fill(touched_by_.begin(), touched_by_.end(), std::numeric_limits<int>::max());
  first_.clear();
  row_of_L_.clear();
  L_.clear();
  std::fill(dense_.begin(), dense_.end(), 0.0);
  for (int k = 0; k < dimension(); ++k) {
    int first = k;
    for (const Entry& entry : vector(k)) {
      dense_[at(entry.row)] = entry.mu;
      int& touched = touched_by_[at(entry.row)];
      touched = std::min(touched, k);
      first = std::min(first, touched);
    }
    first_.push_back(first);
    row_of_L_.push_back(L_.size());
    L_.resize(L_.size() + at(k - first + 1));
    double* own = &L_[row_of_L_.back()];
    for (int j = first; j <= k; ++j) {
      const double* other = &L_[row_of_L_[at(j)]];
      double sum = dotWith(j, dense_);
      for (int i = std::max(first, first_[at(j)]); i < j; ++i) sum -= own[i - first] * other[i - first_[at(j)]];
      if (j == k) {
        own[j - first] = sum > kParallel ? std::sqrt(sum) : 0.0;
      } else {
        const double pivot = other[j - first_[at(j)]];
        own[j - first] = pivot > 0.0 ? sum / pivot : 0.0;
      }
    }
    for (const Entry& entry : vector(k)) dense_[at(entry.row)] = 0.0;
  }
}

void ReactionSpace::makeLeast(std::span<double> lambda) {
  const int n = dimension();
  if (n == 0) return;
  share_.resize(at(n));
  for (std::size_t r = 0; r < lambda.size(); ++r) lambda[r] /= scale_[r];
  for (int sweep = 0; sweep < 2; ++sweep) {  // the second takes what round-off left of the first
    for (int k = 0; k < n; ++k) {
      const double* own = &L_[row_of_L_[at(k)]];
      const int first = first_[at(k)];
      double sum = dotWith(k, lambda);
      for (int i = first; i < k; ++i) sum -= own[i - first] * share_[at(i)];
      share_[at(k)] = own[k - first] > 0.0 ? sum / own[k - first] : 0.0;
    }
    for (int k = n - 1; k >= 0; --k) {
      const double* own = &L_[row_of_L_[at(k)]];
      const int first = first_[at(k)];
      share_[at(k)] = own[k - first] > 0.0 ? share_[at(k)] / own[k - first] : 0.0;
      for (int i = first; i < k; ++i) share_[at(i)] -= own[i - first] * share_[at(k)];
      for (const Entry& entry : vector(k)) lambda[at(entry.row)] -= share_[at(k)] * entry.mu;
    }
  }
  for (std::size_t r = 0; r < lambda.size(); ++r) lambda[r] *= scale_[r];
}

}  // namespace linkwork
