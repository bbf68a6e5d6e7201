// What every MechanicalSystem must satisfy at a state, on the constraints or off them, as checks for tests.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <vector>

#include "linkwork/system/mechanical_system.hpp"

namespace linkwork::test {

struct MechanicalLaws {
  const MechanicalSystem& system;
  double t = 0.0;
  std::vector<double> x;
  std::vector<double> lambda;
  std::vector<double> a{};  // accelerations; some where none are given
  double tolerance = 1e-7;  // of difference quotients with steps of 1e-5, relative to the largest entry

  using Vector = Eigen::VectorXd;
  using Matrix = Eigen::MatrixXd;
  static constexpr double kStep = 1e-5;

  int positions() const { return system.space().positions(); }
  int velocities() const { return system.space().velocities(); }
  std::vector<double> q() const { return {x.begin(), x.begin() + positions()}; }
  std::vector<double> v() const { return {x.begin() + positions(), x.begin() + positions() + velocities()}; }

  // The state with the motion d along direction k, or the velocity changed.
  std::vector<double> moved(const Vector& d) const {
    std::vector<double> out = x;
    system.retract(std::span(x).first(q().size()), {d.data(), static_cast<std::size_t>(d.size())},
                   std::span(out).first(q().size()));
    return out;
  }
  MechanicalValues valuesAt(double time, const std::vector<double>& state) const {
    const auto work = system.makeWorkspace();
    MechanicalValues out;
    EXPECT_EQ(system.values(time, state, Modes{}, *work, out), Eval::ok) << system.describeFailure(*work);
    return out;
  }
  Vector accelerations() const {
    if (a.empty()) return Vector::LinSpaced(velocities(), -1.3, 2.1);
    return Eigen::Map<const Vector>(a.data(), velocities());
  }
  // f + Phi_q^T lambda - M a
  Vector forceAt(const std::vector<double>& state) const {
    const MechanicalValues values = valuesAt(t, state);
    Vector out = values.force - massOf(system, values) * accelerations();
    if (system.rows() > 0) out += values.phi_q.transpose() * Eigen::Map<const Vector>(lambda.data(), system.rows());
    return out;
  }
  // Central difference of fourth order of f along a number.
  template <class F>
  static Vector slope(const F& f) {
    return (8.0 * (f(kStep) - f(-kStep)) - (f(2.0 * kStep) - f(-2.0 * kStep))) / (12.0 * kStep);
  }
  void expectNear(const Matrix& found, const Matrix& wanted, const char* what) const {
    const double size = std::max(1.0, found.cwiseAbs().maxCoeff());
    EXPECT_LT((found - wanted).cwiseAbs().maxCoeff(), tolerance * size) << what;
  }

  void checkTangent() const {
    const int n = velocities();
    Matrix K(n, n);
    Matrix C(n, n);
    for (int k = 0; k < n; ++k) {
      const Vector unit = Vector::Unit(n, k);
      K.col(k) = -slope([&](double h) { return forceAt(moved(h * unit)); });
      C.col(k) = -slope([&](double h) {
        std::vector<double> state = x;
        state[static_cast<std::size_t>(positions()) + static_cast<std::size_t>(k)] += h;
        return forceAt(state);
      });
    }
    const auto work = system.makeWorkspace();
    MechanicalTangent tangent;
    const Vector at = accelerations();
    const std::span<const double> given(at.data(), static_cast<std::size_t>(at.size()));
    ASSERT_EQ(system.tangent(t, x, given, lambda, Modes{}, *work, tangent), Eval::ok) << system.describeFailure(*work);
    expectNear(K, Matrix(tangent.K), "K");
    expectNear(C, Matrix(tangent.C), "C");
    // Again into the same matrices: what was there does not matter.
    MechanicalTangent again = tangent;
    again.K.coeffs().setConstant(7.0);
    again.C.coeffs().setConstant(7.0);
    ASSERT_EQ(system.tangent(t, x, given, lambda, Modes{}, *work, again), Eval::ok);
    EXPECT_EQ((Matrix(again.K) - Matrix(tangent.K)).norm(), 0.0);
    EXPECT_EQ((Matrix(again.C) - Matrix(tangent.C)).norm(), 0.0);
  }

  void checkConstraints() const {
    const int n = velocities();
    const MechanicalValues values = valuesAt(t, x);
    ASSERT_EQ(values.phi.size(), system.rows());
    if (system.rows() == 0) return;
    Matrix phi_q(system.rows(), n);
    Matrix by_velocities(system.rows(), n);
    for (int k = 0; k < n; ++k) {
      phi_q.col(k) = slope([&](double h) { return valuesAt(t, moved(h * Vector::Unit(n, k))).phi; });
      by_velocities.col(k) = slope([&](double h) {
        std::vector<double> state = x;
        state[static_cast<std::size_t>(positions()) + static_cast<std::size_t>(k)] += h;
        return valuesAt(t, state).phi_velocity;
      });
    }
    const std::vector<double> rates = v();
    Vector rate =
        slope([&](double h) { return valuesAt(t + h, moved(h * Eigen::Map<const Vector>(rates.data(), n))).phi; });
    // Rows of velocities alone have no Phi, and what is left of them is the derivative by the velocities.
    for (int r = 0; r < system.rows(); ++r) {
      if (system.level(r) == RowLevel::position) continue;
      phi_q.row(r) = by_velocities.row(r);
      rate[r] = values.phi_velocity[r];
    }
    expectNear(by_velocities, Matrix(values.phi_q), "Phi_q by the velocities");
    expectNear(phi_q, Matrix(values.phi_q), "Phi_q");
    expectNear(rate, values.phi_velocity, "Phi_q v + Phi_t");
    for (int r = 0; r < system.rows(); ++r) EXPECT_FALSE(system.rowName(r).empty());
  }

  void checkChart() const {
    const std::vector<double> q0 = q();
    const std::vector<double> v0 = v();
    PositionChart chart;
    system.chart(q0, v0, chart);
    const Matrix T = chart.T;
    const Matrix one = Matrix::Identity(velocities(), velocities());
    EXPECT_LT((Matrix(chart.S) * T - one).norm(), 1e-12);
    const auto ratesAt = [&](const std::vector<double>& place) {
      Vector out(positions());
      system.positionRates(place, v0, {out.data(), static_cast<std::size_t>(out.size())});
      return out;
    };
    EXPECT_LT((T * Eigen::Map<const Vector>(v0.data(), velocities()) - ratesAt(q0)).norm(), 1e-12);
    Matrix by_q(positions(), positions());
    Matrix by_motion(positions(), velocities());
    for (int k = 0; k < positions(); ++k) {
      by_q.col(k) = slope([&](double h) {
        std::vector<double> place = q0;
        place[static_cast<std::size_t>(k)] += h;
        return ratesAt(place);
      });
    }
    for (int k = 0; k < velocities(); ++k) {
      by_motion.col(k) = slope([&](double h) -> Vector {
        return Eigen::Map<const Vector>(moved(h * Vector::Unit(velocities(), k)).data(), positions());
      });
    }
    expectNear(by_q, Matrix(chart.rates_by_q), "rates by q");
    expectNear(by_motion, T, "T");
  }

  // Motions up to half a turn come back as they were; far apart poses are reached.
  void checkRetract(const Vector& d) const {
    const std::vector<double> there = moved(d);
    Vector back(velocities());
    const auto size = q().size();
    system.difference(std::span(x).first(size), std::span(there).first(size),
                      {back.data(), static_cast<std::size_t>(back.size())});
    EXPECT_LT((back - d).norm(), 1e-13 * (10.0 + d.norm()));
  }

  void check() const {
    checkTangent();
    checkConstraints();
    checkChart();
    checkRetract(Vector::Zero(velocities()));
    checkRetract(1e-12 * Vector::Ones(velocities()));
    checkRetract(Vector::LinSpaced(velocities(), -1.2, 1.3));
  }
};

}  // namespace linkwork::test
