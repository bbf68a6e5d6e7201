// [quasivelocities] of a mechanism's model file.
#include <gtest/gtest.h>

#include <string>

#include "linkwork/read/model_file_for_tests.hpp"

namespace linkwork {
namespace model_file_quasi_velocities_test {

using test::read;
using test::refusal;

const std::string kHead = R"toml(linkwork = 1
space = "planar"
gravity = [0, 0]
[parameters]
r = "0.2 m"
[points]
O = [0, 0]
A = [1, 0]
[bodies]
rod = { rod = ["O", "A"], mass = 1 }
[joints]
O = { revolute = ["ground", "rod"] }
[quasivelocities]
)toml";

TEST(ModelFileQuasiVelocities, AreFormulasOfRates) {
  const Mechanism m = read(kHead + R"toml(v = "-r*O.rate"
w = "O.rate + 0.1*t*O.angle_rate"
)toml");
  ASSERT_EQ(m.named_velocities.size(), 2U);
  EXPECT_EQ(m.named_velocities[0].name, "v");
  EXPECT_EQ(m.named_velocities[0].unit, RelationUnit::length);
  EXPECT_EQ(m.named_velocities[1].unit, RelationUnit::angle);
  EXPECT_EQ(evaluate(m.named_velocities[0].form, {{"r", 0.2}, {"O.angle_rate", 3.0}}), -0.2 * 3.0);
  EXPECT_EQ(m.named_velocities[0].source.line, 14);
}

TEST(ModelFileQuasiVelocities, Mistakes) {
  EXPECT_EQ(refusal(kHead + R"toml(r = "O.rate"
rod = "O.rate"
O = "O.rate"
t = "O.rate"
b = "O.rate^2"
c = "O.angle"
d = "r^2*O.rate"
e = "abs(O.angle)*O.rate"
f = "O.rat"
g = 3
)toml"),
            R"(
m.toml:14:1: error: quasi-velocity "r": a parameter has this name. Choose another name.
m.toml:15:1: error: quasi-velocity "rod": a body has this name. Choose another name.
m.toml:16:1: error: quasi-velocity "O": a joint has this name. Choose another name.
m.toml:17:1: error: quasi-velocity "t": the time has this name. Choose another name.
m.toml:18:5: error: quasi-velocity "b": it is not linear in rates; what O.angle_rate is multiplied with depends on O.angle_rate. Only what is linear in rates can be a quasi-velocity.
m.toml:19:5: error: quasi-velocity "c": it names no rate of a body or joint. Name rates of bodies and joints: v = "-r*axle.rate".
m.toml:20:5: error: quasi-velocity "d": expected a velocity or an angular rate, got a quantity in m^2*s^-1*rad. Divide it by a constant, so that its size means something.
m.toml:21:6: error: quasi-velocity "e": abs has a corner or a jump, and a quasi-velocity must be smooth. Use a formula that can be differentiated twice.
m.toml:22:6: error: quasi-velocity "f": unknown name "O.rat". Did you mean "O.rate"?
m.toml:23:5: error: quasi-velocity "g": it names no rate of a body or joint. Name rates of bodies and joints: v = "-r*axle.rate".
)");
}

}  // namespace model_file_quasi_velocities_test
}  // namespace linkwork
