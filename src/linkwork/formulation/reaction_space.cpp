#include "linkwork/formulation/reaction_space.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>

#include "linkwork/base/index.hpp"

namespace linkwork {

namespace {

// Entries of a null vector below this share of its norm are round-off.
constexpr double kNoEntry = 1e-13;
// A null vector whose squared distance from those before it is below this adds nothing.
constexpr double kParallel = 1e-14;
constexpr int kRandomProbes = 3;
// Conjugate gradients end when the rest has fallen to this share of the multipliers.
constexpr double kGradientsEnd = 1e-14;

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

ReactionSpace::ReactionSpace(std::vector<double> row_scale) : scale_(std::move(row_scale)), dense_(scale_.size()) {}

std::span<const ReactionSpace::Entry> ReactionSpace::probe(int k) const {
  return std::span(entries_).subspan(start_[at(k)], start_[at(k) + 1] - start_[at(k)]);
}

void ReactionSpace::add(std::span<const double> mu) {
  const double size = std::sqrt(dot(mu, mu));
  for (std::size_t r = 0; r < mu.size(); ++r) {
    if (std::abs(mu[r]) > kNoEntry * size) entries_.push_back({static_cast<int>(r), mu[r] / size});
  }
  start_.push_back(entries_.size());
}

double ReactionSpace::dotWith(int k, std::span<const double> mu) const {
  double sum = 0.0;
  for (const Entry& entry : probe(k)) sum += entry.mu * mu[at(entry.row)];
  return sum;
}

void ReactionSpace::find(KktSolver& kkt) {
  entries_.clear();
  start_.resize(1);
  dropped_.clear();
  for (int row = 0; row < static_cast<int>(scale_.size()); ++row) {
    if (kkt.rowDropped(row)) dropped_.push_back(row);
  }
  if (dimension() == 0) return;
  if (dimension() <= kWrittenOut) {
    for (const int row : dropped_) {
      kkt.dependence(row, dense_);
      for (std::size_t r = 0; r < dense_.size(); ++r) dense_[r] /= scale_[r];
      add(dense_);
    }
    factorGram();
    return;
  }
  std::minstd_rand random(1);
  std::uniform_real_distribution<double> number(0.5, 1.5);
  share_.resize(dropped_.size());
  for (int k = 0; k < kRandomProbes; ++k) {
    for (double& value : share_) value = random() % 2 == 0 ? number(random) : -number(random);
    apply(kkt, share_, dense_);
    add(dense_);
  }
}

void ReactionSpace::factorGram() {
  const int n = dimension();
  L_.assign(at(n * n), 0.0);
  std::fill(dense_.begin(), dense_.end(), 0.0);
  for (int k = 0; k < n; ++k) {
    for (const Entry& entry : probe(k)) dense_[at(entry.row)] = entry.mu;
    for (int j = 0; j <= k; ++j) {
      double sum = dotWith(j, dense_);
      for (int i = 0; i < j; ++i) sum -= L_[at(k * n + i)] * L_[at(j * n + i)];
      const double pivot = L_[at(j * n + j)];
      if (j == k) {
        L_[at(k * n + k)] = sum > kParallel ? std::sqrt(sum) : 0.0;
      } else {
        L_[at(k * n + j)] = pivot > 0.0 ? sum / pivot : 0.0;
      }
    }
    for (const Entry& entry : probe(k)) dense_[at(entry.row)] = 0.0;
  }
}

void ReactionSpace::projectWrittenOut(std::span<double> mu) {
  const int n = dimension();
  share_.resize(at(n));
  for (int sweep = 0; sweep < 2; ++sweep) {  // the second takes what round-off left of the first
    for (int k = 0; k < n; ++k) {
      double sum = dotWith(k, mu);
      for (int i = 0; i < k; ++i) sum -= L_[at(k * n + i)] * share_[at(i)];
      share_[at(k)] = L_[at(k * n + k)] > 0.0 ? sum / L_[at(k * n + k)] : 0.0;
    }
    for (int k = n - 1; k >= 0; --k) {
      share_[at(k)] = L_[at(k * n + k)] > 0.0 ? share_[at(k)] / L_[at(k * n + k)] : 0.0;
      for (int i = 0; i < k; ++i) share_[at(i)] -= L_[at(k * n + i)] * share_[at(k)];
      for (const Entry& entry : probe(k)) mu[at(entry.row)] -= share_[at(k)] * entry.mu;
    }
  }
}

// mu = Z share: M y + P^T z = -(dropped rows)^T share, P y = 0 gives the kept rows' part, as y = 0.
void ReactionSpace::apply(KktSolver& kkt, std::span<const double> share, std::span<double> mu) {
  const KktStructure& s = kkt.structure();
  f_.assign(at(s.freedoms * s.bodies), 0.0);
  g_.assign(scale_.size(), 0.0);
  for (std::size_t k = 0; k < dropped_.size(); ++k) {
    const int row = dropped_[k];
    for (int p = s.row_start[at(row)]; p < s.row_start[at(row) + 1]; ++p) {
      for (int u = 0; u < s.freedoms; ++u) {
        f_[at(s.row_bodies[at(p)] * s.freedoms + u)] -= kkt.jacobian()[at(p * s.freedoms + u)] * share[k];
      }
    }
  }
  kkt.solve(f_, g_);
  for (std::size_t k = 0; k < dropped_.size(); ++k) g_[at(dropped_[k])] = share[k];
  for (std::size_t r = 0; r < mu.size(); ++r) mu[r] = g_[r] / scale_[r];
}

// share = Z^T mu: M y + P^T z = 0, P y = mu on the kept rows; what y does to the dropped ones is subtracted.
void ReactionSpace::applyTransposed(KktSolver& kkt, std::span<const double> mu, std::span<double> share) {
  const KktStructure& s = kkt.structure();
  f_.assign(at(s.freedoms * s.bodies), 0.0);
  g_.resize(scale_.size());
  for (std::size_t r = 0; r < mu.size(); ++r) g_[r] = mu[r] / scale_[r];
  for (std::size_t k = 0; k < dropped_.size(); ++k) {
    share[k] = g_[at(dropped_[k])];
    g_[at(dropped_[k])] = 0.0;
  }
  kkt.solve(f_, g_);
  for (std::size_t k = 0; k < dropped_.size(); ++k) {
    const int row = dropped_[k];
    for (int p = s.row_start[at(row)]; p < s.row_start[at(row) + 1]; ++p) {
      for (int u = 0; u < s.freedoms; ++u) {
        share[k] -= kkt.jacobian()[at(p * s.freedoms + u)] * f_[at(s.row_bodies[at(p)] * s.freedoms + u)];
      }
    }
  }
}

// Least squares by conjugate gradients: mu <- mu - Z x, until Z^T mu vanishes.
void ReactionSpace::projectByGradients(KktSolver& kkt, std::span<double> mu) {
  rest_.resize(dropped_.size());
  direction_.resize(dropped_.size());
  image_.resize(mu.size());
  applyTransposed(kkt, mu, rest_);
  std::copy(rest_.begin(), rest_.end(), direction_.begin());
  double size = dot(rest_, rest_);
  const double end = kGradientsEnd * kGradientsEnd * dot(mu, mu);
  for (int k = 0; k < 2 * dimension() && size > end; ++k) {
    apply(kkt, direction_, image_);
    const double step = size / dot(image_, image_);
    for (std::size_t r = 0; r < mu.size(); ++r) mu[r] -= step * image_[r];
    applyTransposed(kkt, mu, rest_);
    const double next = dot(rest_, rest_);
    for (std::size_t i = 0; i < direction_.size(); ++i) direction_[i] = rest_[i] + next / size * direction_[i];
    size = next;
  }
}

void ReactionSpace::makeLeast(KktSolver& kkt, std::span<double> lambda) {
  if (dimension() == 0) return;
  for (std::size_t r = 0; r < lambda.size(); ++r) lambda[r] /= scale_[r];
  if (dimension() <= kWrittenOut) {
    projectWrittenOut(lambda);
  } else {
    projectByGradients(kkt, lambda);
  }
  for (std::size_t r = 0; r < lambda.size(); ++r) lambda[r] *= scale_[r];
}

}  // namespace linkwork
