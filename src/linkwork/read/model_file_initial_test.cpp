// Initial values that are wishes.
#include <gtest/gtest.h>

#include <string>

#include "linkwork/read/model_file.hpp"

namespace linkwork {
namespace model_file_initial_test {

const std::string kHead = R"toml(linkwork = 1
space = "planar"
gravity = [0, -9.81]
[bodies]
arm = { mass = 1, inertia = 1 }
[joints]
O = { revolute = ["ground", "arm"], at = [0, 0] }
[initial]
)toml";  // 8 lines

TEST(ModelFileInitial, WeightMakesAWish) {
  Diagnostics diagnostics;
  const auto m =
      readModelText(kHead + "O.angle = { value = \"30 deg\", weight = \"2*1.5\" }\narm.angle_rate = { value = 4 }\n",
                    "m.toml", diagnostics);
  ASSERT_TRUE(m) << diagnostics.format();
  ASSERT_EQ(m->initial.size(), 2U);
  EXPECT_NEAR(m->initial[0].value.number, 0.5235987755982988, 1e-15);
  EXPECT_EQ(m->initial[0].weight, 3.0);
  EXPECT_EQ(m->initial[1].value.number, 4.0);
  EXPECT_FALSE(m->initial[1].weight);
}

TEST(ModelFileInitial, WishesThatMakeNoSense) {
  Diagnostics diagnostics;
  EXPECT_FALSE(readModelText(kHead + R"toml(O.angle = { value = 1, weight = 0 }
O.rate = { weight = 1 }
arm.x = { value = 1, weight = "1 kg" }
arm.y = { value = 1, wieght = 1 }
)toml",
                             "m.toml", diagnostics));
  const std::string shown = diagnostics.format();
  EXPECT_NE(shown.find("m.toml:9:33: error: weight of initial value of \"O.angle\" must be positive, got 0"),
            std::string::npos)
      << shown;
  EXPECT_NE(shown.find("m.toml:10:3: error: initial value of \"O.rate\": value is missing"), std::string::npos)
      << shown;
  EXPECT_NE(shown.find("m.toml:11:31: error: weight of initial value of \"arm.x\": expected"), std::string::npos)
      << shown;
  EXPECT_NE(shown.find("unknown key \"wieght\". Did you mean \"weight\"?"), std::string::npos) << shown;
}

}  // namespace model_file_initial_test
}  // namespace linkwork
