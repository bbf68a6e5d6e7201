#include "linkwork/linalg/kkt.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "linkwork/base/contract.hpp"
#include "linkwork/base/index.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

namespace {

// A body pivot this small against the body's own entry is no inertia at all.
constexpr double kSingularBody = 1e-13;
// Above this the computed solution is refined once; below it there is nothing to gain.
constexpr double kRefineAbove = 1e-14;
// Round-off of a relative pivot, a few units in the last place, before it is lifted by a small pivot.
constexpr double kPivotNoise = 4.0 * std::numeric_limits<double>::epsilon();

}  // namespace

KktSolver::KktSolver(KktStructure structure) : structure_(std::move(structure)) {
  const KktStructure& s = structure_;
  mass_.assign(at(s.bodies) * s.mass_entries.size(), 0.0);
  jacobian_.assign(s.row_bodies.size() * at(s.freedoms), 0.0);
  planEntries();
  values_.assign(entries_.size(), 0.0);
  const auto unknowns = at(s.unknowns());
  drop_below_.assign(unknowns, 0.0);
  unknown_relative_.assign(unknowns, 0);
  std::fill(unknown_relative_.begin() + s.freedoms * s.bodies, unknown_relative_.end(), std::uint8_t{1});
  unknown_noise_.assign(unknowns, 0.0);
  unknown_floor_.assign(unknowns, 0.0);
  x_.assign(unknowns, 0.0);
  a_.assign(at(s.freedoms * s.bodies), 0.0);
  m_.assign(at(s.rows()), 0.0);
  residual_f_ = a_;
  residual_g_ = m_;

  std::vector<int> order;
  order.reserve(unknowns);
  for (const int node : s.order) {
    if (node < s.bodies) {
      for (int k = 0; k < s.freedoms; ++k) order.push_back(node * s.freedoms + k);
    } else {
      order.push_back(s.freedoms * s.bodies + node - s.bodies);
    }
  }
  ldlt_ = std::make_unique<SparseLdlt>(s.unknowns(), entries_, std::move(order));
}

void KktSolver::planEntries() {
  const KktStructure& s = structure_;
  const int n = s.freedoms;
  if (s.mass == MassMatrix::definite) {
    for (int b = 0; b < s.bodies; ++b) {
      for (const auto& [row, column] : s.mass_entries) entries_.push_back({b * n + row, b * n + column});
    }
  } else {
    // Full blocks for every pair of bodies that share a row; blocks_ counts n x n blocks, (first, second) with first >=
    // second.
    std::map<std::pair<int, int>, int> block_of;
    const auto blockFor = [&](int first, int second) {
      const auto [found, is_new] = block_of.try_emplace({first, second}, blocks_);
      if (is_new) {
        ++blocks_;
        for (int row = 0; row < n; ++row) {
          for (int column = 0; column < n; ++column) {
            // The upper triangle of a diagonal block stays in the list, so that blocks have one shape; it is kept at
            // zero.
            entries_.push_back({first * n + row, second * n + column});
          }
        }
      }
      return found->second;
    };
    for (int b = 0; b < s.bodies; ++b) blockFor(b, b);
    for (int r = 0; r < s.rows(); ++r) {
      for (int p = s.row_start[at(r)]; p < s.row_start[at(r) + 1]; ++p) {
        for (int q = s.row_start[at(r)]; q <= p; ++q) {
          const auto [low, high] = std::minmax(s.row_bodies[at(p)], s.row_bodies[at(q)]);
          coupling_start_.push_back(blockFor(high, low) * n * n);
        }
      }
    }
  }
  jacobian_offset_ = static_cast<int>(entries_.size());
  for (int r = 0; r < s.rows(); ++r) {
    for (int p = s.row_start[at(r)]; p < s.row_start[at(r) + 1]; ++p) {
      for (int k = 0; k < n; ++k) entries_.push_back({n * s.bodies + r, s.row_bodies[at(p)] * n + k});
    }
  }
  diagonal_offset_ = static_cast<int>(entries_.size());
  for (int r = 0; r < s.rows(); ++r) entries_.push_back({n * s.bodies + r, n * s.bodies + r});
}

void KktSolver::fillValues(const Cuts& cuts) {
  const KktStructure& s = structure_;
  const int n = s.freedoms;
  const std::size_t per_body = s.mass_entries.size();
  if (s.mass == MassMatrix::definite) {
    std::copy(mass_.begin(), mass_.end(), values_.begin());
  } else {
    std::fill(values_.begin(), values_.begin() + jacobian_offset_, 0.0);
    double trace = 0.0;
    for (int b = 0; b < s.bodies; ++b) {
      for (std::size_t e = 0; e < per_body; ++e) {
        const auto [row, column] = s.mass_entries[e];
        const double value = mass_[at(b) * per_body + e];
        values_[at(b * n * n + row * n + column)] += value;
        if (row == column) trace += value;
      }
    }
    rho_ = trace > 0.0 ? trace / (n * s.bodies) : 1.0;
    std::size_t coupling = 0;
    for (int r = 0; r < s.rows(); ++r) {
      const double weight = rho(r);
      for (int p = s.row_start[at(r)]; p < s.row_start[at(r) + 1]; ++p) {
        for (int q = s.row_start[at(r)]; q <= p; ++q, ++coupling) {
          const int start = coupling_start_[coupling];
          const bool swap = s.row_bodies[at(p)] < s.row_bodies[at(q)];
          const double* high = &jacobian_[at((swap ? q : p) * n)];
          const double* low = &jacobian_[at((swap ? p : q) * n)];
          const bool diagonal = p == q;
          for (int row = 0; row < n; ++row) {
            for (int column = 0; column < (diagonal ? row + 1 : n); ++column) {
              values_[at(start + row * n + column)] += weight * high[row] * low[column];
            }
          }
        }
      }
    }
  }
  std::copy(jacobian_.begin(), jacobian_.end(), values_.begin() + jacobian_offset_);

  // A row's own compliance, P_r diag(M)^-1 P_r^T: what its pivot would be if it stood alone; damping is measured by it.
  const auto diagonal = [&](int body, int k) {
    if (s.mass == MassMatrix::augmented) return values_[at(body * n * n + k * n + k)];
    for (std::size_t e = 0; e < per_body; ++e) {
      if (s.mass_entries[e][0] == k && s.mass_entries[e][1] == k) return mass_[at(body) * per_body + e];
    }
    return 0.0;
  };
  for (int r = 0; r < s.rows(); ++r) {
    double scale = 0.0;
    for (int p = s.row_start[at(r)]; p < s.row_start[at(r) + 1]; ++p) {
      for (int k = 0; k < n; ++k) {
        const double entry = jacobian_[at(p * n + k)];
        if (entry != 0.0) scale += entry * entry / diagonal(s.row_bodies[at(p)], k);
      }
    }
    unknown_floor_[at(n * s.bodies + r)] = kPivotNoise * scale;
    const double damping = cuts.damping + (cuts.row_damping.empty() ? 0.0 : cuts.row_damping[at(r)]);
    const double compliance = cuts.row_compliance.empty() ? 0.0 : cuts.row_compliance[at(r)];
    values_[at(diagonal_offset_ + r)] = -damping * scale - compliance;
    const bool doubtful = !cuts.doubtful.empty() && cuts.doubtful[at(r)] != 0;
    unknown_noise_[at(n * s.bodies + r)] = doubtful ? kPivotNoise : 0.0;
    drop_below_[at(n * s.bodies + r)] = doubtful ? std::max(cuts.row, cuts.doubtful_row) : cuts.row;
  }
  for (int b = 0; b < s.bodies; ++b) {
    for (int k = 0; k < n; ++k) drop_below_[at(b * n + k)] = kSingularBody * diagonal(b, k);
  }
}

KktSolver::Factored KktSolver::factor(const Cuts& cuts) {
  fillValues(cuts);
  ldlt_->factor(
      values_,
      {.drop_below = drop_below_, .relative = unknown_relative_, .noise = unknown_noise_, .floor = unknown_floor_});
  const KktStructure& s = structure_;
  Factored out;
  for (int u = 0; u < s.freedoms * s.bodies && out.singular_body < 0; ++u) {
    if (!ldlt_->dropped(u) && ldlt_->pivot(u) >= 0.0) continue;
    out.singular_body = u / s.freedoms;
    out.singular_unknown = u;
  }
  for (int r = 0; r < s.rows(); ++r) {
    const double relative = relativePivot(r);
    if (rowDropped(r)) {
      ++out.dropped_rows;
      out.largest_dropped = std::max(out.largest_dropped, relative);
    } else if (relative <= out.smallest_kept) {
      out.smallest_kept = relative;
      out.nearest_row = r;
    }
  }
  return out;
}

bool KktSolver::rowDropped(int row) const { return ldlt_->dropped(structure_.freedoms * structure_.bodies + row); }

double KktSolver::relativePivot(int row) const {
  return ldlt_->relativePivot(structure_.freedoms * structure_.bodies + row);
}

void KktSolver::solveOnce(std::span<const double> f, std::span<const double> g, std::span<double> a,
                          std::span<double> m) {
  const KktStructure& s = structure_;
  const int n = s.freedoms;
  std::copy(f.begin(), f.end(), x_.begin());
  std::copy(g.begin(), g.end(), x_.begin() + n * s.bodies);
  if (s.mass == MassMatrix::augmented) {
    for (int r = 0; r < s.rows(); ++r) {
      for (int p = s.row_start[at(r)]; p < s.row_start[at(r) + 1]; ++p) {
        for (int k = 0; k < n; ++k) {
          x_[at(s.row_bodies[at(p)] * n + k)] += rho(r) * jacobian_[at(p * n + k)] * g[at(r)];
        }
      }
    }
  }
  ldlt_->solve(x_);
  std::copy(x_.begin(), x_.begin() + n * s.bodies, a.begin());
  std::copy(x_.begin() + n * s.bodies, x_.end(), m.begin());
}

// residual_f_ = f - M a - P^T m, residual_g_ = g - P a on kept rows; returns the greatest, relative to the terms met.
double KktSolver::residual(std::span<const double> f, std::span<const double> g) {
  const KktStructure& s = structure_;
  const int n = s.freedoms;
  const std::size_t per_body = s.mass_entries.size();
  double size_f = 0.0;
  double size_g = 0.0;
  for (std::size_t u = 0; u < f.size(); ++u) {
    residual_f_[u] = f[u];
    size_f = std::max(size_f, std::abs(f[u]));
  }
  for (int b = 0; b < s.bodies; ++b) {
    for (std::size_t e = 0; e < per_body; ++e) {
      const auto [row, column] = s.mass_entries[e];
      const double value = mass_[at(b) * per_body + e];
      const double term = value * a_[at(b * n + column)];
      residual_f_[at(b * n + row)] -= term;
      size_f = std::max(size_f, std::abs(term));
      if (row != column) residual_f_[at(b * n + column)] -= value * a_[at(b * n + row)];
    }
  }
  for (int r = 0; r < s.rows(); ++r) {
    double rest = g[at(r)];
    size_g = std::max(size_g, std::abs(rest));
    for (int p = s.row_start[at(r)]; p < s.row_start[at(r) + 1]; ++p) {
      const int b = s.row_bodies[at(p)];
      for (int k = 0; k < n; ++k) {
        const double entry = jacobian_[at(p * n + k)];
        const double term = entry * a_[at(b * n + k)];
        rest -= term;
        size_g = std::max(size_g, std::abs(term));
        residual_f_[at(b * n + k)] -= entry * m_[at(r)];
      }
    }
    residual_g_[at(r)] = rowDropped(r) ? 0.0 : rest;
  }
  const double worst_f = normInf(residual_f_);
  const double worst_g = normInf(residual_g_);
  return normInf(std::array{size_f > 0.0 ? worst_f / size_f : worst_f, size_g > 0.0 ? worst_g / size_g : worst_g});
}

KktSolver::Solved KktSolver::solve(std::span<double> f, std::span<double> g) {
  solveOnce(f, g, a_, m_);
  double rest = residual(f, g);
  if (rest > kRefineAbove && std::isfinite(rest)) {
    // f and g are free to hold the correction: (1) is linear.
    std::copy(residual_f_.begin(), residual_f_.end(), f.begin());
    std::copy(residual_g_.begin(), residual_g_.end(), g.begin());
    std::swap(residual_f_, a_);
    std::swap(residual_g_, m_);
    solveOnce(f, g, a_, m_);
    for (std::size_t u = 0; u < f.size(); ++u) f[u] = residual_f_[u] + a_[u];
    for (std::size_t r = 0; r < g.size(); ++r) g[r] = residual_g_[r] + m_[r];
    return {rest};
  }
  std::copy(a_.begin(), a_.end(), f.begin());
  std::copy(m_.begin(), m_.end(), g.begin());
  return {rest};
}

void KktSolver::solveDamped(std::span<double> f, std::span<double> g) {
  solveOnce(f, g, a_, m_);
  std::copy(a_.begin(), a_.end(), f.begin());
  std::copy(m_.begin(), m_.end(), g.begin());
  if (structure_.mass == MassMatrix::definite) return;
  // P^T rho (P a - g) = P^T rho D m is a share of P^T m.
  for (int r = 0; r < structure_.rows(); ++r) g[at(r)] *= 1.0 - rho(r) * values_[at(diagonal_offset_ + r)];
}

void KktSolver::dependence(int row, std::span<double> z) {
  const KktStructure& s = structure_;
  const int n = s.freedoms;
  expect(rowDropped(row), "KktSolver::dependence: the row was kept");
  // M a + P^T z = -P_row^T, P a = 0 has a = 0 when the row depends on the kept ones.
  std::fill(a_.begin(), a_.end(), 0.0);
  std::fill(m_.begin(), m_.end(), 0.0);
  for (int p = s.row_start[at(row)]; p < s.row_start[at(row) + 1]; ++p) {
    for (int k = 0; k < n; ++k) a_[at(s.row_bodies[at(p)] * n + k)] = -jacobian_[at(p * n + k)];
  }
  residual_f_ = a_;
  residual_g_ = m_;
  solveOnce(residual_f_, residual_g_, a_, z);
  z[at(row)] = 1.0;
}

void KktSolver::freeMotion(int unknown, std::span<double> a) {
  const KktStructure& s = structure_;
  const int n = s.freedoms;
  const int body = unknown / n;
  // With a = e_unknown + b: M b + P^T m = -M e_unknown, P b = -P e_unknown, where b_unknown = 0 as for a dropped row.
  std::fill(residual_f_.begin(), residual_f_.end(), 0.0);
  std::fill(residual_g_.begin(), residual_g_.end(), 0.0);
  const std::size_t per_body = s.mass_entries.size();
  for (std::size_t e = 0; e < per_body; ++e) {
    const auto [row, column] = s.mass_entries[e];
    const double value = mass_[at(body) * per_body + e];
    if (column == unknown % n) residual_f_[at(body * n + row)] -= value;
    if (row == unknown % n && row != column) residual_f_[at(body * n + column)] -= value;
  }
  for (int r = 0; r < s.rows(); ++r) {
    for (int p = s.row_start[at(r)]; p < s.row_start[at(r) + 1]; ++p) {
      if (s.row_bodies[at(p)] == body) residual_g_[at(r)] -= jacobian_[at(p * n + unknown % n)];
    }
  }
  solveOnce(residual_f_, residual_g_, a_, m_);
  std::copy(a_.begin(), a_.end(), a.begin());
  a[at(unknown)] += 1.0;
}

}  // namespace linkwork
