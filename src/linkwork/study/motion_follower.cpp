#include "linkwork/study/motion_follower.hpp"

#include <algorithm>
#include <cmath>

#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {

MotionFollower::MotionFollower(MotionFamily family, double p) : family_(std::move(family)), unknown_(family_.unknown) {
  std::unique_ptr<SteadyModel> model = family_.make(p, unknown_, problem_);
  if (!model) return;
  solver_ = std::make_unique<SteadySolver>(std::move(model));
  const SteadyMotion motion = motionAt(p);
  problem_ = motion.problem;
  hint_ = motion.hint;
  if (motion.ok) zeros_ = countZeros(*solver_, motion);
}

bool MotionFollower::goTo(double p, std::string& problem) {
  if (family_.given_at && unknown_.empty()) {
    solver_->setValues(family_.given_at(p));
    return true;
  }
  std::unique_ptr<SteadyModel> model = family_.make(p, unknown_, problem);
  if (!model) return false;
  solver_->take(std::move(model));
  return true;
}

SteadyMotion MotionFollower::motionAt(double p) {
  SteadyMotion out;
  if (!hasModel()) {
    out.problem = problem_;
    return out;
  }
  const Known* from = nullptr;
  if (!known_.empty()) {
    auto next = known_.lower_bound(p);
    if (next == known_.end() || (next != known_.begin() && p - std::prev(next)->first < next->first - p)) {
      next = std::prev(next);
    }
    from = &next->second;
    unknown_ = from->unknown;
  }
  if (!goTo(p, out.problem)) return out;
  const auto search = [&](const std::vector<double>& start) {
    if (unknown_.empty()) return solver_->find(start);
    const SteadyFamily family = [&](std::span<const double> values) {
      std::string ignored;
      return family_.make(p, values, ignored);
    };
    return solver_->find(start, family, unknown_);
  };
  const std::vector<double> first = solver_->model().start;
  out = search(from != nullptr ? from->x : first);
  if (!out.ok && from != nullptr) {
    unknown_ = family_.unknown;
    if (!goTo(p, out.problem)) return out;
    out = search(first);
  }
  if (out.ok) known_[p] = {out.x, unknown_};
  return out;
}

LocusSample MotionFollower::sampleAt(double p) {
  LocusSample out;
  out.p = p;
  const SteadyMotion motion = motionAt(p);
  if (!motion.ok) {
    out.problem = motion.problem;
    return out;
  }
  const Deflated deflated = deflate(*solver_, motion, zeros_);
  if (!deflated.ok) {
    out.problem = solver_->field().describeFailure();
    return out;
  }
  const Eigen::EigenSolver<Eigen::MatrixXd> eigen(deflated.A);
  out.values = eigen.eigenvalues();
  out.determinant = deflated.A.size() == 0 ? 1.0 : deflated.A.partialPivLu().determinant();
  const auto& seen = solver_->field().seen();
  out.shapes.resize(static_cast<Eigen::Index>(seen.size()), out.values.size());
  for (Eigen::Index k = 0; k < out.values.size(); ++k) {
    Eigen::VectorXcd shape = shapeOf(deflated, out.values[k], eigen.eigenvectors().col(k));
    for (Eigen::Index c = 0; c < shape.size(); ++c) {
      if (seen[static_cast<std::size_t>(c)].unit == "rad") shape[c] *= solver_->field().length();
    }
    const double size = shape.norm();
    out.shapes.col(k) = size > 0.0 ? Eigen::VectorXcd(shape / size) : shape;
  }
  out.ok = true;
  return out;
}

}  // namespace linkwork
