// Light bodies beside heavy ones: accelerations of a chain of three rods under every formulation against its equations
// in absolute angles, solved from the tip to the root, where nothing cancels.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "linkwork/formulation/make_system.hpp"
#include "linkwork/model/test_mechanisms.hpp"
#include "linkwork/simulate/simulate.hpp"

namespace linkwork {
namespace mass_ratio_test {

using Three = std::array<double, 3>;

constexpr double kLength = 0.5;  // m, of each rod
constexpr double kGravity = 9.81;
constexpr Three kAngles{0.3, -0.5, 1.1};
constexpr Three kRates{1.0, -2.0, 0.7};

Mechanism chainOf(const Three& masses) {
  Mechanism m;
  m.name = "chain";
  m.gravity = {Value(0.0), Value(-kGravity)};
  double x = 0.0;
  double y = 0.0;
  for (int k = 0; k < 3; ++k) {
    const auto i = static_cast<std::size_t>(k);
    const BodyIndex body = test::addBody(m, "b" + std::to_string(k), masses[i], masses[i] * kLength * kLength / 12.0);
    const double c = std::cos(kAngles[i]);
    const double s = std::sin(kAngles[i]);
    m.bodies[i].drawn = {x + 0.5 * kLength * c, y + 0.5 * kLength * s, kAngles[i]};
    test::addJoint(m, "j" + std::to_string(k), JointKind::revolute, k == 0 ? kGround : BodyIndex(k - 1),
                   test::frameAt(k == 0 ? 0.0 : 0.5 * kLength, 0), body, test::frameAt(-0.5 * kLength, 0));
    x += kLength * c;
    y += kLength * s;
  }
  for (std::size_t k = 0; k < 3; ++k)
    m.initial.push_back({*findQuantity(m, "b" + std::to_string(k) + ".angle_rate"), Value(kRates[k]), {}});
  return m;
}

// sum_j A_ij (cos(a_i - a_j) a_j'' + sin(a_i - a_j) a_j'^2) + g B_i cos a_i = 0, by elimination from the tip.
Three expectedAccelerations(const Three& masses) {
  using Real = long double;
  Real beyond[3];
  beyond[2] = 0.0L;
  beyond[1] = masses[2];
  beyond[0] = beyond[1] + masses[1];
  Real H[3][3];
  Real f[3];
  const Real l = kLength;
  for (int i = 0; i < 3; ++i) {
    f[i] = -kGravity * l * (masses[i] / 2.0L + beyond[i]) * std::cos(Real(kAngles[i]));
    for (int j = 0; j < 3; ++j) {
      const int k = std::max(i, j);
      const Real A = i == j ? masses[i] * l * l / 3.0L + beyond[i] * l * l : l * l * (masses[k] / 2.0L + beyond[k]);
      H[i][j] = A * std::cos(Real(kAngles[i] - kAngles[j]));
      f[i] -= A * std::sin(Real(kAngles[i] - kAngles[j])) * kRates[j] * kRates[j];
    }
  }
  for (int k = 2; k > 0; --k) {
    for (int i = 0; i < k; ++i) {
      const Real share = H[i][k] / H[k][k];
      for (int j = 0; j < k; ++j) H[i][j] -= share * H[k][j];
      f[i] -= share * f[k];
    }
  }
  Three out{};
  for (int i = 0; i < 3; ++i) {
    Real rest = f[i];
    for (int j = 0; j < i; ++j) rest -= H[i][j] * out[j];
    out[i] = static_cast<double>(rest / H[i][i]);
  }
  return out;
}

TEST(MassRatios, UpTo1e18LeaveTheAccelerationsOfAChainRight) {
  for (const Three& masses : {Three{1, 1, 1}, Three{1e-9, 1e9, 1e-9}, Three{1, 1e14, 1}, Three{1e9, 1, 1e-9},
                              Three{1e9, 1e-9, 1e9}, Three{1e-9, 1e-9, 1e9}, Three{1e9, 1e-9, 1e-9}}) {
    const Mechanism m = chainOf(masses);
    const Assembly assembly = assemble(m);
    ASSERT_TRUE(assembly.ok) << assembly.problem;
    const Three expected = expectedAccelerations(masses);
    for (const std::string& formulation : exactFormulationNames()) {
      RunOptions options;
      options.until = 1e-4;
      options.system.formulation = formulation;
      const Result result = simulate(m, assembly, options);
      const std::string what = formulation + ", " + std::to_string(masses[0]) + ", " + std::to_string(masses[1]) +
                               ", " + std::to_string(masses[2]);
      ASSERT_EQ(result.status, RunStatus::complete) << what << ": " << result.message;
      for (std::size_t k = 0; k < 3; ++k) {
        // Round-off of the pose, 1e-16, comes in by loads of the heavy that light ones balance: a few digits.
        EXPECT_NEAR(result.find("b" + std::to_string(k) + ".angle_acceleration")->values.front(), expected[k],
                    1e-9 * (1.0 + std::abs(expected[k])))
            << what << ", body " << k;
      }
    }
  }
}

}  // namespace mass_ratio_test
}  // namespace linkwork
