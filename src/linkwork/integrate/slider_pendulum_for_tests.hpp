// The textbook's example: a slider (5 kg) on a level guide carries a pendulum (3 kg) with a damper to the ground.
//
// Index-1 equations in absolute coordinates q = (x1, y1, phi1, x2, y2, phi2), with Baumgarte's alpha = beta on request:
//   [M P^T; P 0] [q''; -lambda] = [Q; Gamma - 2 alpha P q' - alpha^2 Phi]
// Its printed tables are the reference for explicit_step and ode45.
#pragma once

#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "linkwork/linalg/decompositions.hpp"
#include "linkwork/system/plain_ode_system.hpp"

namespace linkwork::testing_systems {

class SliderPendulum final : public PlainOdeSystem {
 public:
  explicit SliderPendulum(double baumgarte = 0) : baumgarte_(baumgarte) {}

  StateSpace space() const override { return {6, 6, 0}; }

  static std::vector<double> start() {
    const double r = std::sqrt(0.5);
    return {0, 0, 0, r, -r, std::atan(1.0), 0, 0, 0, 0, 0, 0};
  }

  // phi1 = 0, y1 = 0, slider = upper end of the pendulum.
  static Eigen::Vector4d closure(std::span<const double> x) {
    return {x[2], -x[1], x[0] - x[3] + std::sin(x[5]), x[1] - x[4] - std::cos(x[5])};
  }

  Evaluation derivative(double, std::span<const double> x, const Modes&, Workspace&,
                        std::span<double> f) const override {
    const Eigen::Map<const Eigen::Matrix<double, 6, 1>> v(x.data() + 6);
    const double s = std::sin(x[5]);
    const double c = std::cos(x[5]);
    Eigen::Matrix<double, 10, 10> a = Eigen::Matrix<double, 10, 10>::Zero();
    a.diagonal().head<6>() << 5, 5, 2, 3, 3, 1;
    Eigen::Matrix<double, 4, 6> p = Eigen::Matrix<double, 4, 6>::Zero();
    p(0, 2) = 1;
    p(1, 1) = -1;
    p(2, 0) = p(3, 1) = 1;
    p(2, 3) = p(3, 4) = -1;
    p(2, 5) = c;
    p(3, 5) = s;
    a.bottomLeftCorner<4, 6>() = p;
    a.topRightCorner<6, 4>() = p.transpose();

    Eigen::Matrix<double, 10, 1> b;
    const Eigen::Vector2d end(s, -c);  // from the pendulum's centre to its lower end, where the damper is held
    const Eigen::Vector2d turned(c, s);
    const Eigen::Vector2d d = Eigen::Vector2d(4, -1) - Eigen::Vector2d(x[3], x[4]) - end;
    const Eigen::Vector2d u = d.normalized();
    const double rate = -u.dot(v.segment<2>(3) + turned * v[5]);
    const Eigen::Vector2d force = 10 * rate * u;
    b.head<6>() << 0, -50, 0, force[0], -30 + force[1], turned.dot(force);
    b.tail<4>() << 0, 0, s * v[5] * v[5], -c * v[5] * v[5];
    b.tail<4>() -= 2 * baumgarte_ * (p * v) + baumgarte_ * baumgarte_ * closure(x);
    const Eigen::Matrix<double, 10, 1> solution = a.partialPivLu().solve(b);
    for (std::size_t i = 0; i < 6; ++i) {
      f[i] = x[6 + i];
      f[6 + i] = solution[static_cast<Eigen::Index>(i)];
    }
    return Eval::ok;
  }

 private:
  double baumgarte_;
};

}  // namespace linkwork::testing_systems
