#include "linkwork/elements/relative_angle.hpp"

#include "linkwork/elements/constraint_laws_for_tests.hpp"

namespace linkwork {
namespace relative_angle_test {

using namespace test;

const auto kMakeRandom = [](Random& random) {
  return [phi_0 = random.number()](auto g) {
    using G = decltype(g);
    return RelativeAngle<G>{typename G::Scalar(phi_0)};
  };
};

TEST(RelativeAngle, KeepsTheConstraintLawsAsAJoint) { expectConstraintLawsEverywhere<InPlane>(kMakeRandom, false, 21); }

TEST(RelativeAngle, KeepsTheConstraintLawsAsADrive) { expectConstraintLawsEverywhere<InPlane>(kMakeRandom, true, 22); }

TEST(RelativeAngle, CountsTheFirstBodyAgainstTheSecond) {
  const RelativeAngle<Planar<double>> angle{0.25};
  const auto xi = Planar<double>::position(0, 0, 1.0);
  const auto xj = Planar<double>::position(0, 0, 0.5);
  EXPECT_DOUBLE_EQ(angle.phi({xi, xj}, {})[0], 0.25);
  EXPECT_DOUBLE_EQ(angle.phi({xi, xj}, {0.25, 0, 0})[0], 0.0);
  expectActionEqualsReaction<Planar<double>>(angle, xi, xj, 0.0);
}

}  // namespace relative_angle_test
}  // namespace linkwork
