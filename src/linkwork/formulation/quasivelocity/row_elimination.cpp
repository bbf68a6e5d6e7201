#include "linkwork/formulation/quasivelocity/row_elimination.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linkwork/base/contract.hpp"
#include "linkwork/base/index.hpp"

namespace linkwork {

namespace {

// Of entries that are nearly as great the first is taken, so that round-off does not decide between equals.
constexpr double kAsGood = 0.99;

}  // namespace

RowElimination::RowElimination(int rows, std::vector<double> units)
    : rows_(rows), units_(std::move(units)), entries_(at(rows) * units_.size()), factors_(entries_.size()) {
  for (std::vector<int>* list : {&kept_, &dependent_}) list->reserve(at(rows));
  independent_.reserve(units_.size());
  scale_.resize(at(rows));
  right_.resize(at(rows));
}

void RowElimination::clear() { std::fill(entries_.begin(), entries_.end(), 0.0); }

double RowElimination::greatest(int r) const {
  double out = 0.0;
  for (std::size_t c = 0; c < units_.size(); ++c) out = std::max(out, std::abs(entries_[place(r, 0) + c] / units_[c]));
  return out;
}

double RowElimination::choose(std::span<const std::uint8_t> left_out, std::span<std::uint8_t> independent) {
  const std::size_t n = units_.size();
  std::fill(independent.begin(), independent.end(), std::uint8_t{1});
  kept_.clear();
  for (int r = 0; r < rows_; ++r) {
    if (left_out[at(r)] != 0) continue;
    const double size = greatest(r);
    if (!(size > 0.0)) return 0.0;
    double* own = &factors_[kept_.size() * n];
    for (std::size_t c = 0; c < n; ++c) own[c] = entries_[place(r, 0) + c] / (units_[c] * size);
    kept_.push_back(r);
  }
  const std::size_t count = kept_.size();
  if (count > n) return 0.0;
  double smallest = 1.0;
  for (std::size_t k = 0; k < count; ++k) {
    double largest = 0.0;
    for (std::size_t i = k * n; i < count * n; ++i) {
      if (independent[i % n] != 0) largest = std::max(largest, std::abs(factors_[i]));
    }
    if (!(largest > 0.0)) return 0.0;
    std::size_t pivot = k * n;
    while (independent[pivot % n] == 0 || std::abs(factors_[pivot]) < kAsGood * largest) ++pivot;
    const std::size_t column = pivot % n;
    smallest = std::min(smallest, std::abs(factors_[pivot]));
    independent[column] = 0;
    std::swap_ranges(&factors_[k * n], &factors_[k * n] + n, &factors_[pivot - column]);
    for (std::size_t i = k + 1; i < count; ++i) {
      const double share = factors_[i * n + column] / factors_[k * n + column];
      if (share == 0.0) continue;
      for (std::size_t c = 0; c < n; ++c) factors_[i * n + c] -= share * factors_[k * n + c];
      factors_[i * n + column] = 0.0;
    }
  }
  return smallest;
}

RowElimination::Pivot RowElimination::factor(std::span<const std::uint8_t> left_out,
                                             std::span<const std::uint8_t> independent) {
  kept_.clear();
  dependent_.clear();
  independent_.clear();
  for (int r = 0; r < rows_; ++r) {
    if (left_out[at(r)] == 0) kept_.push_back(r);
  }
  for (int c = 0; c < velocities(); ++c) (independent[at(c)] != 0 ? independent_ : dependent_).push_back(c);
  expect(kept_.size() == dependent_.size(), "RowElimination: as many dependent velocities as rows");
  const std::size_t n = dependent_.size();
  for (std::size_t i = 0; i < n; ++i) {
    const double size = greatest(kept_[i]);
    scale_[i] = 1.0 / size;
    for (std::size_t j = 0; j < n; ++j) {
      const auto column = at(dependent_[j]);
      factorAt(i, j) = entries_[place(kept_[i], 0) + column] / (units_[column] * size);
    }
  }
  Pivot out;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::abs(factorAt(i, k)) > std::abs(factorAt(best, k))) best = i;
    }
    if (best != k) {
      std::swap_ranges(&factorAt(k, 0), &factorAt(k, 0) + n, &factorAt(best, 0));
      std::swap(kept_[k], kept_[best]);
      std::swap(scale_[k], scale_[best]);
    }
    const double pivot = std::abs(factorAt(k, k));
    if (!(pivot >= out.size)) out = {pivot, kept_[k]};
    if (!(pivot > 0.0)) return {pivot, kept_[k]};
    for (std::size_t i = k + 1; i < n; ++i) {
      const double share = factorAt(i, k) / factorAt(k, k);
      factorAt(i, k) = share;
      if (share == 0.0) continue;
      for (std::size_t j = k + 1; j < n; ++j) factorAt(i, j) -= share * factorAt(k, j);
    }
  }
  return out;
}

// v_D from right_: g - G_I v_I of the rows kept, in their order.
void RowElimination::solveDependent(std::span<double> v) {
  const std::size_t n = dependent_.size();
  for (std::size_t i = 0; i < n; ++i) {
    double sum = right_[i] * scale_[i];
    for (std::size_t j = 0; j < i; ++j) sum -= factorAt(i, j) * right_[j];
    right_[i] = sum;
  }
  for (std::size_t i = n; i-- > 0;) {
    double sum = right_[i];
    for (std::size_t j = i + 1; j < n; ++j) sum -= factorAt(i, j) * right_[j];
    right_[i] = sum / factorAt(i, i);
    v[at(dependent_[i])] = right_[i] / units_[at(dependent_[i])];
  }
}

void RowElimination::complete(std::span<const double> right, std::span<double> v) {
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    double sum = right[at(kept_[i])];
    const double* own = &entries_[place(kept_[i], 0)];
    for (const int c : independent_) sum -= own[c] * v[at(c)];
    right_[i] = sum;
  }
  solveDependent(v);
}

void RowElimination::fillMotion(int independent, std::span<double> v) {
  std::fill(v.begin(), v.end(), 0.0);
  v[at(independent)] = 1.0;
  for (std::size_t i = 0; i < kept_.size(); ++i) right_[i] = -entries_[place(kept_[i], independent)];
  solveDependent(v);
}

void RowElimination::fillMotionOfRow(int row, double size, std::span<double> v) {
  std::fill(v.begin(), v.end(), 0.0);
  for (std::size_t i = 0; i < kept_.size(); ++i) right_[i] = kept_[i] == row ? size : 0.0;
  solveDependent(v);
}

void RowElimination::multipliers(std::span<const double> f, std::span<double> lambda) {
  const std::size_t n = dependent_.size();
  std::fill(lambda.begin(), lambda.end(), 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    double sum = f[at(dependent_[j])] / units_[at(dependent_[j])];
    for (std::size_t i = 0; i < j; ++i) sum -= factorAt(i, j) * right_[i];
    right_[j] = sum / factorAt(j, j);
  }
  for (std::size_t j = n; j-- > 0;) {
    double sum = right_[j];
    for (std::size_t i = j + 1; i < n; ++i) sum -= factorAt(i, j) * right_[i];
    right_[j] = sum;
    if (at(kept_[j]) < lambda.size()) lambda[at(kept_[j])] = sum * scale_[j];
  }
}

double RowElimination::greatestOfMotions(int named, std::span<double> v) {
  double out = 0.0;
  const auto look = [&](double unit) {
    for (std::size_t c = 0; c < v.size(); ++c) out = std::max(out, std::abs(v[c]) * units_[c] / unit);
  };
  for (const int k : independent_) {
    fillMotion(k, v);
    look(units_[at(k)]);
  }
  for (int row = named; row < rows_; ++row) {
    fillMotionOfRow(row, greatest(row), v);
    look(1.0);
  }
  return out;
}

}  // namespace linkwork
