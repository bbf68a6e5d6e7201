#include "linkwork/study/equations_follower.hpp"

#include <algorithm>
#include <cmath>

#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {

namespace {

// Of an eigenvalue: for one step of inverse iteration, which adds what belongs to families.
constexpr double kAsideOfEigenvalue = 1e-9;

}  // namespace

LocusSample eigenvaluesOf(const EquationsLinear& linear, const DeflatedEquations& deflated) {
  LocusSample out;
  const Eigen::Index n = deflated.A.rows();
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(deflated.A);
  std::vector<Eigen::Index> order;
  for (Eigen::Index k = 0; k < n; ++k) order.push_back(k);
  const Eigen::VectorXcd& values = solver.eigenvalues();
  std::sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) {
    const double one = std::abs(values[a]);
    const double two = std::abs(values[b]);
    if (std::abs(one - two) > 1e-12 * (one + two)) return one < two;
    return values[a].imag() != values[b].imag() ? values[a].imag() > values[b].imag()
                                                : values[a].real() > values[b].real();
  });
  out.values.resize(n);
  out.shapes.resize(linear.A.rows(), n);
  const double size = std::max(linear.A.cwiseAbs().maxCoeff(), 1e-300);
  for (Eigen::Index k = 0; k < n; ++k) {
    const std::complex<double> value = values[order[static_cast<std::size_t>(k)]];
    out.values[k] = value;
    const Eigen::VectorXcd vector = deflated.basis * solver.eigenvectors().col(order[static_cast<std::size_t>(k)]);
    Eigen::MatrixXcd shifted = linear.A.cast<std::complex<double>>();
    shifted.diagonal().array() -= value + kAsideOfEigenvalue * size;
    const Eigen::VectorXcd whole = Eigen::PartialPivLU<Eigen::MatrixXcd>(shifted).solve(vector);
    out.shapes.col(k) = whole.allFinite() && whole.norm() > 0.0 ? Eigen::VectorXcd(whole / whole.norm()) : vector;
  }
  out.determinant = n == 0 ? 1.0 : Eigen::PartialPivLU<Eigen::MatrixXd>(deflated.A).determinant();
  out.ok = true;
  return out;
}

EquationsFollower::EquationsFollower(EquationsFamilyOver family, double p)
    : family_(std::move(family)), unknown_(family_.unknown) {
  std::unique_ptr<EquationsModel> model = family_.make(p, unknown_);
  if (model == nullptr) {
    problem_ = "the model cannot be made with this value of the parameter";
    return;
  }
  solver_ = std::make_unique<EquationsSteadySolver>(std::move(model));
  problem_ = solver_->problem();
  if (!problem_.empty()) return;
  const EquationsMotion motion = motionAt(p);
  problem_ = motion.problem;
  hint_ = motion.hint;
  if (motion.ok) zeros_ = solver_->countZeros(motion);
}

EquationsMotion EquationsFollower::motionAt(double p) {
  std::vector<double> from = solver_->start();
  if (!known_.empty()) {
    auto nearest = known_.lower_bound(p);
    if (nearest == known_.end() || (nearest != known_.begin() && p - std::prev(nearest)->first < nearest->first - p))
      nearest = std::prev(nearest);
    from = nearest->second.first;
    unknown_ = nearest->second.second;
  }
  EquationsMotion out;
  std::unique_ptr<EquationsModel> model = family_.make(p, unknown_);
  if (model == nullptr) {
    out.problem = "the model cannot be made with this value of the parameter";
    return out;
  }
  solver_->take(std::move(model));
  if (unknown_.empty()) {
    out = solver_->find(from);
  } else {
    out = solver_->find(
        from, [&](std::span<const double> values) { return family_.make(p, values); }, unknown_);
  }
  if (out.ok) known_[p] = {out.x, unknown_};
  return out;
}

LocusSample EquationsFollower::sampleAt(double p) {
  const EquationsMotion motion = motionAt(p);
  LocusSample out;
  out.p = p;
  out.problem = motion.problem;
  if (!motion.ok) return out;
  const EquationsLinear linear = solver_->linearise(motion.x);
  out.problem = linear.problem;
  if (!linear.ok) return out;
  out = eigenvaluesOf(linear, solver_->deflate(linear, zeros_));
  out.p = p;
  return out;
}

}  // namespace linkwork
