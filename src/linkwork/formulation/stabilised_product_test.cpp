// J times a vector, exact: against a closed form, with rows that no model file has, and where it is not offered or not
// exact. On all shipped models it is compared with differences in validate/formulation_laws_test.cpp.
#include <gtest/gtest.h>

#include <cmath>

#include "linkwork/formulation/drawn_state_for_tests.hpp"
#include "linkwork/formulation/make_system.hpp"
#include "linkwork/model/n_four_bar_for_tests.hpp"
#include "linkwork/model/skates_for_tests.hpp"
#include "linkwork/system/state_jacobian.hpp"

namespace linkwork {
namespace stabilised_product_test {

std::unique_ptr<MechanismSystem> systemOf(const Mechanism& m, const std::string& formulation,
                                          const std::string& stabilisation) {
  SystemOptions options;
  options.formulation = formulation;
  options.stabilisation = stabilisation;
  return makeSystem(m, options);
}

std::vector<double> anyDirections(std::size_t size) {
  std::vector<double> out(size);
  for (std::size_t k = 0; k < size; ++k) out[k] = std::sin(1.0 + 2.0 * static_cast<double>(k));
  return out;
}

// A rod of 1 m hung at its end: x = [angle, rate, work], angle'' = -(3/2) g cos(angle).
TEST(JacobianProduct, OfAPendulumIsThatOfItsClosedForm) {
  Mechanism m;
  m.gravity = {Value(0.0), Value(-9.81)};
  m.bodies.push_back(test::windowRod("rod", {0.0, 0.0, 0.0}));
  const Point foot{Value(0.0), Value(0.0)};
  m.joints.push_back(test::windowHinge("O", kGround, foot, BodyIndex(0), foot));
  const std::vector<double> x{0.7, -1.3, 0.2};
  const std::vector<double> d{0.4, 2.0, 5.0};
  for (const char* formulation : {"recursive", "linkage"}) {
    SCOPED_TRACE(formulation);
    const auto system = systemOf(m, formulation, "none");
    std::vector<double> out(3);
    ASSERT_EQ(makeJacobianProduct(*system)->times(0.0, x, system->startModes(), d, out), Eval::ok);
    EXPECT_EQ(out[0], d[1]);
    EXPECT_NEAR(out[1], 1.5 * 9.81 * std::sin(x[0]) * d[0], 1e-14);
    EXPECT_EQ(out[2], 0.0);
  }
}

TEST(JacobianProduct, KnowsRowsOfVelocitiesAlone) {
  const Mechanism m = test::tug();
  std::vector<double> absolute = test::drawnState(m);
  const double v[] = {0.3, -0.2, 0.8, 0.1, 0.4, -0.5};
  std::copy(std::begin(v), std::end(v), absolute.begin() + 6);
  for (const char* formulation : {"absolute", "recursive"}) {
    for (const char* stabilisation : {"none", "baumgarte"}) {
      SCOPED_TRACE(std::string(formulation) + ", " + stabilisation);
      const auto system = systemOf(m, formulation, stabilisation);
      const std::vector<double> x = system->fromAbsolute(0.0, absolute);
      const std::vector<double> d = anyDirections(x.size());
      std::vector<double> out(x.size());
      std::vector<double> by_differences(x.size());
      const Modes modes = system->startModes();
      ASSERT_EQ(makeJacobianProduct(*system)->times(0.0, x, modes, d, out), Eval::ok);
      ASSERT_EQ(makeDifferenceProduct(*system)->times(0.0, x, modes, d, by_differences), Eval::ok);
      EXPECT_NE(out, by_differences);
      // Moves of 6e-6 leave 4e-11 of third derivatives, some ten here, and as much of round-off.
      for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(out[k], by_differences[k], 1e-7) << k;
    }
  }
}

// A window lying flat, on its way through: one row is lost there, and accelerations come from both sides.
TEST(JacobianProduct, IsByDifferencesAtAPoseOfLowerRank) {
  const Mechanism m = test::buildNFourBar(1);
  const std::vector<double> flat{0.5, 0.0,  0.0,  1.5, 0.0,  0.0,  1.5, 0.0,  0.0,  // uprights, coupler
                                 0.0, -0.5, -1.0, 0.0, -0.5, -1.0, 0.0, -1.0, 0.0, 0.0};
  for (const char* formulation : {"absolute", "recursive", "linkage"}) {
    SCOPED_TRACE(formulation);
    const auto system = systemOf(m, formulation, "projection");
    const std::vector<double> x = system->fromAbsolute(0.0, flat);
    const std::vector<double> d = anyDirections(x.size());
    std::vector<double> out(x.size());
    std::vector<double> by_differences(x.size());
    const Modes modes = system->startModes();
    ASSERT_EQ(makeJacobianProduct(*system)->times(0.0, x, modes, d, out), Eval::ok);
    ASSERT_EQ(makeDifferenceProduct(*system)->times(0.0, x, modes, d, by_differences), Eval::ok);
    EXPECT_EQ(out, by_differences);
  }
}

// Methods with implicit steps find no solve, and take full differences.
TEST(JacobianProduct, IsOfferedWithoutASolve) {
  const Mechanism m = test::buildNFourBar(1);
  for (const FormulationInfo& info : formulations()) {
    for (const std::string& stabilisation : info.stabilisations) {
      SCOPED_TRACE(info.name + ", " + stabilisation);
      const auto system = systemOf(m, info.name, stabilisation);
      EXPECT_EQ(makeShiftedSolve(*system), nullptr);
      // Where springs close all loops there are no rows to iterate for.
      const bool iterates =
          !info.softens && (stabilisation == "augmented_lagrangian" || stabilisation == "partitioning");
      ASSERT_EQ(system->jacobian() == nullptr, iterates);
      if (iterates) continue;
      EXPECT_NE(system->jacobian()->makeProduct(), nullptr);
    }
  }
  SystemOptions options;
  options.formulation = "hamiltonian";
  options.variant = "printed";
  EXPECT_EQ(makeSystem(m, options)->jacobian(), nullptr);
}

}  // namespace stabilised_product_test
}  // namespace linkwork
