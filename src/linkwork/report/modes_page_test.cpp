// Modes in space as the page has them; those of the plane are in pages_test.cpp.
#include "linkwork/report/modes_page.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "linkwork/geometry/spatial.hpp"
#include "linkwork/read/model_file_for_tests.hpp"
#include "linkwork/simulate/still_result.hpp"

namespace linkwork {
namespace modes_page_test {

using Json = nlohmann::json;

// Two rods that hang from each other, about axes that are no axes of the ground.
Mechanism chain() {
  return test::read(R"(
linkwork = 1
space = "spatial"
gravity = [0, 0, -9.81]
[points]
O = [0.1, 0.2, 0.3]
A = [0.1, 0.2, -0.7]
B = [0.1, 0.2, -1.2]
[bodies]
upper = { rod = ["O", "A"], radius = 0.02, mass = 2 }
lower = { rod = ["A", "B"], radius = 0.02, mass = 1 }
[joints]
O = { spherical = ["ground", "upper"] }
A = { revolute = ["upper", "lower"], axis = [1, 1, 0] }
)");
}

TEST(ModesPageInSpace, HoldsShapesThatKeepTheJointsClosed) {
  const Mechanism m = chain();
  const Assembly assembly = assemble(m);
  ASSERT_TRUE(assembly.ok);
  const Linearisation linear = linearise(m, assembly, 0.0, assembly.state());
  ASSERT_TRUE(linear.ok) << linear.problem;
  const NaturalModes modes = findModes(linear);
  ASSERT_TRUE(modes.ok);
  const Result still = stillResult(m, assembly, 0.0, assembly.state());
  const Json page = Json::parse(modesPageData(m, linear, modes, still, {}));
  ASSERT_EQ(page["modes"]["list"].size(), modes.modes.size());
  for (const Json& mode : page["modes"]["list"]) {
    double largest = 0.0;
    for (const auto& [name, motion] : mode["shape"].items()) {
      ASSERT_EQ(motion.size(), 6U);
      double square = 0.0;
      for (std::size_t k = 0; k < 6; ++k) {
        for (const Json& number : motion[k])
          square += std::pow((k < 3 ? 1.0 : linear.length) * number.get<double>(), 2);
      }
      largest = std::max(largest, std::sqrt(square));
    }
    EXPECT_NEAR(largest, 1.0, 1e-12);
    // Small motion of a point: that of the origin + turn x r, with r in ground axes.
    const auto motionOf = [&](BodyIndex body, const Frame& frame, std::size_t part) -> Vec3<double> {
      if (!body.valid()) return {0.0, 0.0, 0.0};
      const std::string& name = m.body(body).name;
      const auto turned = [&](const char* axis) { return still.find(name + ".orientation." + axis)->values[0]; };
      const auto R = Rotation3<double>::fromQuaternion(turned("w"), turned("x"), turned("y"), turned("z"));
      const Vec3<double> r = R * Vec3<double>{frame.point[0].number, frame.point[1].number, frame.point[2].number};
      const auto number = [&](std::size_t k) { return mode["shape"][name][k][part].get<double>(); };
      const Vec3<double> turn{number(3), number(4), number(5)};
      return Vec3<double>{number(0), number(1), number(2)} + cross(turn, r);
    };
    for (const Joint& joint : m.joints) {
      for (const std::size_t part : {0U, 1U}) {
        const Vec3<double> gap =
            motionOf(joint.first, joint.on_first, part) - motionOf(joint.second, joint.on_second, part);
        EXPECT_NEAR(std::hypot(gap.x, gap.y, gap.z), 0.0, 1e-9) << joint.name;
      }
    }
  }
}

}  // namespace modes_page_test
}  // namespace linkwork
