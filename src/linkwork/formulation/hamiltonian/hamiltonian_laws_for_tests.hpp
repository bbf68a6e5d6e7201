// The law that impulses keep, whatever gauge they are in: along x' = f(t, x) the velocities that they stand for change
// as accelerations say, and the work as the power of loads and drives.
//
// (x itself is not enough: neither closure nor the velocities at one state see a wrong rate of the impulses.)
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "linkwork/formulation/hamiltonian/hamiltonian_system.hpp"

namespace linkwork::test {

// p* <- p* - J^T c
template <class G>
void changeGauge(const Mechanism& mechanism, const RecursiveSystem<G>& joints, double t, const std::vector<double>& c,
                 std::vector<double>& x) {
  const TreeEquations<G> equations(mechanism, joints.plan());
  typename TreeEquations<G>::Work work(equations);
  const std::size_t n = static_cast<std::size_t>(equations.tree().coordinates);
  std::copy(x.end() - static_cast<std::ptrdiff_t>(work.eq.turns.size()), x.end(), work.eq.turns.begin());
  equations.place(t, std::span<const double>(x).first(n), work);
  for (int r = 0; r < equations.cuts().rows(); ++r) {
    std::vector<double> row(static_cast<std::size_t>(equations.tree().freedoms));
    equations.addRow(r, work, row);
    for (std::size_t k = 0; k < row.size(); ++k) x[n + k] -= row[k] * c[static_cast<std::size_t>(r)];
  }
}

// At a consistent state y = [q, u, work, turns] of joint coordinates, with loop impulses up to `gauge`.
//
// Central differences of fourth order over 1e-3 of the time that the fastest motion takes: cut-off and round-off stay
// below 1e-8 of the accelerations.
template <class G>
void expectMotionOfAccelerations(const Mechanism& mechanism, const RecursiveSystem<G>& joints,
                                 const HamiltonianSystem<G>& system, double t, const std::vector<double>& y,
                                 double gauge, std::mt19937& engine, double tolerance = 1e-6) {
  std::uniform_real_distribution<double> uniform(-gauge, gauge);
  std::vector<double> c(static_cast<std::size_t>(joints.cuts().rows()));
  for (double& entry : c) entry = uniform(engine);
  std::vector<double> x = system.fromVelocities(t, y);
  changeGauge(mechanism, joints, t, c, x);

  const auto work_j = joints.makeWorkspace();
  const auto work = system.makeWorkspace();
  std::vector<double> wanted(y.size());
  std::vector<double> rates(x.size());
  ASSERT_EQ(joints.derivative(t, y, joints.startModes(), *work_j, wanted), Eval::ok) << joints.describeFailure(*work_j);
  ASSERT_EQ(system.derivative(t, x, system.startModes(), *work, rates), Eval::ok) << system.describeFailure(*work);

  const std::size_t n = static_cast<std::size_t>(joints.tree().coordinates);
  const std::size_t m = static_cast<std::size_t>(joints.tree().freedoms);
  double fastest = 1.0;
  double size = 1.0;
  for (std::size_t k = 0; k < m; ++k) {
    fastest = std::max(fastest, std::abs(y[n + k]));
    size = std::max(size, std::abs(wanted[n + k]));
  }
  const double h = 1e-3 / std::max(fastest, std::sqrt(size));
  std::vector<double> slope(x.size());
  for (const auto& [step, weight] : {std::pair{1.0, 8.0}, {-1.0, -8.0}, {2.0, -1.0}, {-2.0, 1.0}}) {
    std::vector<double> beside = x;
    for (std::size_t k = 0; k < x.size(); ++k) beside[k] += step * h * rates[k];
    const std::vector<double> moved = system.toVelocities(t + step * h, beside);
    for (std::size_t k = 0; k < x.size(); ++k) slope[k] += weight * moved[k] / (12.0 * h);
  }
  for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(rates[k], wanted[k], 1e-9 * fastest) << "coordinate " << k;
  for (std::size_t k = n; k < n + m; ++k) EXPECT_NEAR(slope[k], wanted[k], tolerance * size) << "freedom " << k - n;
  EXPECT_NEAR(slope[n + m], wanted[n + m], tolerance * (size + std::abs(wanted[n + m]))) << "work";
}

}  // namespace linkwork::test
