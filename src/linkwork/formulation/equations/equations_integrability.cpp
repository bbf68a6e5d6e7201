#include "linkwork/formulation/equations/equations_integrability.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "linkwork/formulation/equations/equations_forms_at.hpp"

namespace linkwork {

namespace {

using Matrix = Eigen::MatrixXd;

constexpr int kStates = 3;
constexpr double kShake = 0.3;
constexpr double kNone = 1e-9;  // of d th, beside the rows and their derivatives

bool integrable(const FormsAt& at_state, const std::vector<int>& set) {
  Matrix rows(static_cast<Eigen::Index>(set.size()), at_state.rows.cols());
  for (std::size_t k = 0; k < set.size(); ++k) rows.row(static_cast<Eigen::Index>(k)) = at_state.rows.row(set[k]);
  const Eigen::JacobiSVD<Matrix> svd(rows, Eigen::ComputeFullV);
  const Matrix left = svd.matrixV().rightCols(rows.cols() - rows.rows());
  for (const int r : set) {
    // d th (X, Y) = X^T (S - S^T) Y,  S_ij = d th_j / d(q, t)_i
    Matrix S(rows.cols(), rows.cols());
    for (Eigen::Index i = 0; i < S.rows(); ++i) S.row(i) = at_state.slopes[static_cast<std::size_t>(i)].row(r);
    const double size = std::max(S.cwiseAbs().maxCoeff(), at_state.rows.row(r).cwiseAbs().maxCoeff());
    if ((left.transpose() * (S - S.transpose()) * left).cwiseAbs().maxCoeff() > kNone * size) return false;
  }
  return true;
}

}  // namespace

Integrability findIntegrability(const EquationsSystem& system, std::span<const double> start) {
  const EquationsTapes& tapes = system.tapes();
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> uniform(-kShake, kShake);
  std::vector<int> all;
  for (int r = tapes.free; r < tapes.n; ++r) all.push_back(r);
  Integrability out;
  out.alone.assign(all.size(), true);
  for (int state = 0; state < kStates && !all.empty(); ++state) {
    std::vector<double> q_t(start.begin(), start.begin() + tapes.n);
    q_t.push_back(0.0);
    for (double& value : q_t) value += uniform(engine);
    const FormsAt here = formsAt(tapes, q_t);
    if (!here.rows.allFinite()) continue;
    out.together = out.together && integrable(here, all);
    for (std::size_t k = 0; k < all.size(); ++k) out.alone[k] = out.alone[k] && integrable(here, {all[k]});
  }
  return out;
}

}  // namespace linkwork
