// Small systems beside those of mechanical_systems_for_tests.hpp: the pendulum held by a spring instead of a row, and
// the pendulum in polar coordinates, whose mass matrix depends on where it is.
//
//   SpringPendulum  the CartesianPendulum without its row: the force Phi_q^T lambda with lambda = -k (Phi + r Phi')
//   PolarPendulum   q = (r, angle): M = diag(m, m r^2), Phi = r - L
#pragma once

#include "linkwork/system/mechanical_systems_for_tests.hpp"

namespace linkwork::testing_systems {

// Systems with q' = v.
class FlatMechanical : public SmallMechanical {
 public:
  using SmallMechanical::SmallMechanical;
  void positionRates(std::span<const double>, std::span<const double> v, std::span<double> qdot) const override {
    std::copy(v.begin(), v.end(), qdot.begin());
  }
  void chart(std::span<const double> q, std::span<const double>, PositionChart& out) const override {
    const auto n = static_cast<Eigen::Index>(q.size());
    fillSparse(out.T, Eigen::MatrixXd::Identity(n, n));
    fillSparse(out.S, Eigen::MatrixXd::Identity(n, n));
    fillSparse(out.rates_by_q, Eigen::MatrixXd::Zero(n, n));
  }
  void retract(std::span<const double> q, std::span<const double> d, std::span<double> q_new) const override {
    for (std::size_t k = 0; k < q.size(); ++k) q_new[k] = q[k] + d[k];
  }
  void difference(std::span<const double> from, std::span<const double> to, std::span<double> d) const override {
    for (std::size_t k = 0; k < d.size(); ++k) d[k] = to[k] - from[k];
  }
};

class SpringPendulum final : public FlatMechanical {
 public:
  SpringPendulum(const CartesianPendulum::Data& data, const MechanicalRow& row)
      : FlatMechanical({2, 2, 1}, 0, data.mass * Eigen::Matrix2d::Identity()),
        data_(data),
        pendulum_(data),
        row_(row) {}

  Dense dense(double t, const Eigen::VectorXd& x) const override {
    const Dense held = pendulum_.dense(t, x);
    Dense out = held;
    out.force += held.phi_q.transpose() * lambda(held, x);
    out.phi = out.phi_t = out.gamma = Eigen::VectorXd(0);
    out.phi_q = Eigen::MatrixXd(0, 2);
    return out;
  }
  double lambdaAt(double t, const Eigen::VectorXd& x) const { return lambda(pendulum_.dense(t, x), x); }
  // Of gravity and damping, as of the pendulum with its row; the energy in the spring is not in it.
  double power(const Eigen::VectorXd& x, const Dense&, const Eigen::VectorXd&) const override {
    return pendulum_.dense(0.0, x).force.dot(x.segment<2>(2));
  }
  double kinetic(const Eigen::VectorXd& x) const override { return pendulum_.kinetic(x); }
  Eval tangent(double t, std::span<const double> x, std::span<const double>, std::span<const double>, const Modes&,
               Workspace&, MechanicalTangent& out) const override {
    const Eigen::VectorXd state = Eigen::Map<const Eigen::VectorXd>(x.data(), 5);
    const Dense held = pendulum_.dense(t, state);
    const Eigen::Matrix2d along = held.phi_q.transpose() * held.phi_q / row_.compliance;
    const Eigen::RowVector2d rate_by_q(x[2], x[3]);  // of a pivot at rest
    fillSparse(out.K, along + row_.relaxation / row_.compliance * held.phi_q.transpose() * rate_by_q -
                          lambda(held, state) * Eigen::Matrix2d::Identity());
    fillSparse(out.C, data_.damping * Eigen::Matrix2d::Identity() + row_.relaxation * along);
    return Eval::ok;
  }

 private:
  double lambda(const Dense& held, const Eigen::VectorXd& x) const {
    const double rate = held.phi_q.row(0).dot(x.segment<2>(2)) + held.phi_t[0];
    return -(held.phi[0] + row_.relaxation * rate) / row_.compliance;
  }

  CartesianPendulum::Data data_;
  CartesianPendulum pendulum_;
  MechanicalRow row_;
};

class PolarPendulum final : public FlatMechanical {
 public:
  struct Data {
    double mass = 1.0;
    double length = 1.0;
    double gravity = 9.81;
  };
  explicit PolarPendulum(const Data& data) : FlatMechanical({2, 2, 1}, 1, data.mass), data_(data) {}

  std::vector<double> start(double angle, double rate) const { return {data_.length, angle, 0.0, rate, 0.0}; }

  Dense dense(double, const Eigen::VectorXd& x) const override {
    const double m = data_.mass;
    const double g = data_.gravity;
    Dense out;
    out.mass = Eigen::Vector2d(m, m * x[0] * x[0]).asDiagonal();
    out.force = Eigen::Vector2d(m * x[0] * x[3] * x[3] + m * g * std::cos(x[1]),
                                -2.0 * m * x[0] * x[2] * x[3] - m * g * x[0] * std::sin(x[1]));
    out.phi = Eigen::VectorXd::Constant(1, x[0] - data_.length);
    out.phi_q = Eigen::RowVector2d(1.0, 0.0);
    out.phi_t = out.gamma = Eigen::VectorXd::Zero(1);
    return out;
  }
  double power(const Eigen::VectorXd& x, const Dense&, const Eigen::VectorXd&) const override {
    return data_.mass * data_.gravity * (x[2] * std::cos(x[1]) - x[0] * x[3] * std::sin(x[1]));
  }
  double kinetic(const Eigen::VectorXd& x) const override {
    return 0.5 * data_.mass * (x[2] * x[2] + x[0] * x[0] * x[3] * x[3]);
  }
  Eval tangent(double, std::span<const double> x, std::span<const double> a, std::span<const double>, const Modes&,
               Workspace&, MechanicalTangent& out) const override {
    const double m = data_.mass;
    const double g = data_.gravity;
    Eigen::Matrix2d K;
    K << -m * x[3] * x[3], m * g * std::sin(x[1]),  //
        2.0 * m * x[0] * a[1] + 2.0 * m * x[2] * x[3] + m * g * std::sin(x[1]), m * g * x[0] * std::cos(x[1]);
    Eigen::Matrix2d C;
    C << 0.0, -2.0 * m * x[0] * x[3], 2.0 * m * x[0] * x[3], 2.0 * m * x[0] * x[2];
    fillSparse(out.K, K);
    fillSparse(out.C, C);
    return Eval::ok;
  }

 private:
  Data data_;
};

}  // namespace linkwork::testing_systems
