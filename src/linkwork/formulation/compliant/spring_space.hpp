// SpringSpace: the directions in which the springs of compliant joints act, at one pose, and how the bodies answer to
// forces along them:  W = J M^-1 J^T, with the constraints that are left.                [docs/theory/14, eq. 14.8]
#pragma once

#include <array>
#include <span>
#include <vector>

#include "linkwork/formulation/observer.hpp"
#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {

template <class G>
class SpringSpace {
 public:
  using Row = typename G::RowBlock;

  // One spring: along or about an axis of its joint's frame on the first body, as a row between two bodies.
  struct Direction {
    int joint = -1;
    bool turn = false;
    std::size_t axis = 0;
    int i = 0;
    int j = 0;
    Row on_i{}, on_j{};
    std::array<double, 3> in_ground{};  // the axis
    double stiffness = 0.0;
  };

  explicit SpringSpace(const Mechanism& mechanism, double reaction_length = 0.0)
      : mechanism_(mechanism), observer_(mechanism, RowOptions{{}, 0.0, reaction_length, {}}), work_(observer_) {}

  // At coordinates and velocities of the bodies, as in AbsoluteEquations.
  void place(double t, const typename Observer<G>::State& state) {
    observer_.place(t, state, work_);
    observer_.equations().followTurns(work_.eq);
    observer_.factor(work_);
    collect();
  }

  const std::vector<Direction>& directions() const { return directions_; }
  const Observer<G>& observer() const { return observer_; }
  typename Observer<G>::Work& work() { return work_; }
  int freedoms() const { return observer_.equations().freedoms(); }

  // M^-1 J^T of one direction, and J times a motion of the bodies.
  std::vector<double> response(const Direction& direction) {
    std::vector<double> f(static_cast<std::size_t>(freedoms()), 0.0);
    forEachEntry(direction, [&f](std::size_t u, double entry) { f[u] += entry; });
    std::vector<double> m(static_cast<std::size_t>(observer_.equations().rows()), 0.0);
    work_.kkt.solve(f, m);
    return f;
  }
  // J M^-1 J^T of one direction if no constraint held its bodies, to a factor of a few: what W is measured by, which is
  // round-off where constraints hold them. Positive.
  double freeAnswer(const Direction& direction) const;
  double along(const Direction& direction, std::span<const double> step) const {
    double sum = 0.0;
    forEachEntry(direction, [&](std::size_t u, double entry) { sum += entry * step[u]; });
    return sum;
  }
  Eigen::MatrixXd answers(const std::vector<std::vector<double>>& responses) const {
    const auto n = static_cast<Eigen::Index>(directions_.size());
    Eigen::MatrixXd W(n, n);
    for (Eigen::Index r = 0; r < n; ++r) {
      for (Eigen::Index c = 0; c < n; ++c)
        W(r, c) = along(directions_[static_cast<std::size_t>(r)], responses[static_cast<std::size_t>(c)]);
    }
    return 0.5 * (W + W.transpose());
  }
  std::vector<std::vector<double>> responses() {
    std::vector<std::vector<double>> out;
    for (const Direction& direction : directions_) out.push_back(response(direction));
    return out;
  }

 private:
  template <class Visit>
  void forEachEntry(const Direction& direction, const Visit& visit) const {
    for (const auto& [body, row] : {std::pair(direction.i, &direction.on_i), std::pair(direction.j, &direction.on_j)}) {
      if (body >= observer_.equations().bodies()) continue;
      for (std::size_t k = 0; k < row->size(); ++k) visit(static_cast<std::size_t>(body * G::kFreedoms) + k, (*row)[k]);
    }
  }
  void collect();

  const Mechanism& mechanism_;
  Observer<G> observer_;
  typename Observer<G>::Work work_;
  std::vector<Direction> directions_;
};

extern template class SpringSpace<Planar<double>>;
extern template class SpringSpace<Spatial<double>>;

}  // namespace linkwork
