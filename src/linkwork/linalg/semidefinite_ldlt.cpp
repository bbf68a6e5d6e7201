#include "linkwork/linalg/semidefinite_ldlt.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace linkwork {

namespace {

// Only a row that is farther by this factor is taken before one that comes earlier. In a symmetric mechanism rows are
// equally far, and round-off must not choose among them: which of two rows that repeat each other is left out would
// change from one state to the next.
constexpr double kFarther = 1.05;

}  // namespace

SemidefiniteLdlt::SemidefiniteLdlt(int size)
    : size_(size),
      entries_(static_cast<std::size_t>(size) * static_cast<std::size_t>(size)),
      scale_(static_cast<std::size_t>(size)),
      order_(static_cast<std::size_t>(size)),
      dropped_(static_cast<std::size_t>(size)),
      taken_(static_cast<std::size_t>(size)) {}

// Of the lower triangle, a < b.
void SemidefiniteLdlt::swapRows(int a, int b) {
  if (a == b) return;
  std::swap(order_[static_cast<std::size_t>(a)], order_[static_cast<std::size_t>(b)]);
  for (int j = 0; j < a; ++j) std::swap(at(a, j), at(b, j));
  for (int j = a + 1; j < b; ++j) std::swap(at(j, a), at(b, j));
  for (int i = b + 1; i < size_; ++i) std::swap(at(i, a), at(i, b));
  std::swap(at(a, a), at(b, b));
}

// The largest pivot, or the first that is about as large, among the rows whose turn it is, from this place on; -1:
// there is none left.
int SemidefiniteLdlt::farthest(int from, std::span<const std::uint8_t> last, bool taking_last) const {
  int best = -1;
  for (int i = from; i < size_; ++i) {
    const bool is_last = last[static_cast<std::size_t>(order_[static_cast<std::size_t>(i)])] != 0;
    if (is_last == taking_last && (best < 0 || at(i, i) > kFarther * at(best, best))) best = i;
  }
  return best;
}

SemidefiniteLdlt::Factored SemidefiniteLdlt::factor(const Cut& cut, std::span<const double> squared_lengths) {
  Factored out;
  std::iota(order_.begin(), order_.end(), 0);
  for (int i = 0; i < size_; ++i) {
    const double square = squared_lengths.empty() ? at(i, i) : squared_lengths[static_cast<std::size_t>(i)];
    scale_[static_cast<std::size_t>(i)] = square > 0.0 ? 1.0 / std::sqrt(square) : 0.0;
  }
  for (int i = 0; i < size_; ++i) {
    for (int j = 0; j <= i; ++j) at(i, j) *= scale_[static_cast<std::size_t>(i)] * scale_[static_cast<std::size_t>(j)];
  }
  rank_ = 0;
  const int last = static_cast<int>(std::count(cut.last.begin(), cut.last.end(), std::uint8_t{1}));
  bool taking_last = false;
  int doubtful_from = size_ - last - cut.doubtful_rows;
  for (int k = 0; k < size_; ++k) {
    int best = k;
    if (last == 0) {
      for (int i = k + 1; i < size_; ++i) {
        if (at(i, i) > kFarther * at(best, best)) best = i;
      }
    } else {
      best = farthest(k, cut.last, taking_last);
    }
    double pivot = best < 0 ? 0.0 : at(best, best);
    const auto dependent = [&] { return !(pivot > (k >= doubtful_from ? std::max(cut.row, cut.doubtful) : cut.row)); };
    if (dependent() && last > 0 && !taking_last) {
      out.largest_dropped = std::max(0.0, pivot);
      taking_last = true;
      doubtful_from = k + last - cut.doubtful_last;
      best = farthest(k, cut.last, taking_last);
      pivot = at(best, best);
    }
    if (dependent()) {
      out.largest_dropped = std::max(out.largest_dropped, pivot);
      break;
    }
    swapRows(k, best);
    out.smallest_kept = std::min(out.smallest_kept, pivot);
    if (out.smallest_kept == pivot) out.nearest_row = order_[static_cast<std::size_t>(k)];
    // Column k becomes L; the rest loses L_ik d L_jk.
    for (int i = k + 1; i < size_; ++i) {
      const double l = at(i, k) / pivot;
      for (int j = k + 1; j <= i; ++j) at(i, j) -= l * (j < i ? at(j, k) * pivot : at(i, k));
      at(i, k) = l;
    }
    ++rank_;
  }
  std::fill(dropped_.begin(), dropped_.end(), std::uint8_t{0});
  for (int k = rank_; k < size_; ++k) dropped_[static_cast<std::size_t>(order_[static_cast<std::size_t>(k)])] = 1;
  out.dropped = size_ - rank_;
  for (std::size_t r = 0; r < cut.last.size(); ++r) out.dropped_last += cut.last[r] != 0 && dropped_[r] != 0 ? 1 : 0;
  return out;
}

void SemidefiniteLdlt::solve(std::span<double> b) const {
  const auto place = [&](int k) { return static_cast<std::size_t>(order_[static_cast<std::size_t>(k)]); };
  for (int k = 0; k < size_; ++k) b[place(k)] *= scale_[place(k)];
  for (int k = 0; k < rank_; ++k) {
    for (int j = 0; j < k; ++j) b[place(k)] -= at(k, j) * b[place(j)];
  }
  for (int k = 0; k < rank_; ++k) b[place(k)] /= at(k, k);
  for (int k = rank_ - 1; k >= 0; --k) {
    for (int i = k + 1; i < rank_; ++i) b[place(k)] -= at(i, k) * b[place(i)];
  }
  for (int k = 0; k < rank_; ++k) b[place(k)] *= scale_[place(k)];
  for (int k = rank_; k < size_; ++k) b[place(k)] = 0.0;
}

// A row left out is Z times those kept, Z L = L_2 with the rows L_2 of L that were left out: what it takes, they need
// not carry. In place of what was left of it, the lower triangle of the dropped rows gets the Cholesky factor of
// W_2 + Z W_1 Z^T with the weights W = (S / units)^2; Z^T lies above.
void SemidefiniteLdlt::combineDropped(std::span<const double> units) {
  const auto weight = [&](int k) {
    const auto row = static_cast<std::size_t>(order_[static_cast<std::size_t>(k)]);
    return scale_[row] > 0.0 ? scale_[row] * scale_[row] / (units[row] * units[row]) : 1.0;
  };
  for (int i = rank_; i < size_; ++i) {
    for (int k = rank_ - 1; k >= 0; --k) {
      double z = at(i, k);
      for (int m = k + 1; m < rank_; ++m) z -= at(m, i) * at(m, k);
      at(k, i) = z;
    }
    for (int j = rank_; j <= i; ++j) {
      double sum = i > j ? 0.0 : weight(i);
      for (int k = 0; k < rank_; ++k) sum += at(k, i) * weight(k) * at(k, j);
      for (int k = rank_; k < j; ++k) sum -= at(i, k) * at(j, k);
      at(i, j) = i > j ? sum / at(j, j) : std::sqrt(sum);
    }
  }
}

void SemidefiniteLdlt::makeLeast(std::span<double> x, std::span<const double> units) {
  if (rank_ == size_) return;
  combineDropped(units);
  const auto place = [&](int k) { return static_cast<std::size_t>(order_[static_cast<std::size_t>(k)]); };
  const auto pull = [&](std::size_t row) { return scale_[row] * x[row] / (units[row] * units[row]); };
  for (int i = rank_; i < size_; ++i) {
    double sum = -pull(place(i));
    for (int k = 0; k < rank_; ++k) sum += at(k, i) * pull(place(k));
    for (int k = rank_; k < i; ++k) sum -= at(i, k) * taken_[place(k)];
    taken_[place(i)] = sum / at(i, i);
  }
  for (int i = size_ - 1; i >= rank_; --i) {
    for (int k = i + 1; k < size_; ++k) taken_[place(i)] -= at(k, i) * taken_[place(k)];
    taken_[place(i)] /= at(i, i);
  }
  for (int i = rank_; i < size_; ++i) {
    x[place(i)] = scale_[place(i)] > 0.0 ? x[place(i)] + scale_[place(i)] * taken_[place(i)] : 0.0;
    for (int k = 0; k < rank_; ++k) x[place(k)] -= scale_[place(k)] * at(k, i) * taken_[place(i)];
  }
}

}  // namespace linkwork
