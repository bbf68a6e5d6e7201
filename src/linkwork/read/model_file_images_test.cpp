// [images]: which bodies are split, into what, and what is said where that cannot be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linkwork/read/model_file_for_tests.hpp"

namespace linkwork {
namespace model_file_images_test {

using test::read;
using test::refusal;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Lines 1 to 13.
const std::string kFourBar = R"toml(linkwork = 1
space = "planar"
gravity = [0, -9.81]
[bodies]
crank = { rod = [[0, 0], [0.3, 0.4]], mass = 1 }
coupler = { rod = [[0.3, 0.4], [1.5, 0.9]], mass = 1 }
rocker = { rod = [[1.15, -0.3], [1.5, 0.9]], mass = 1 }
[joints]
O = { revolute = ["ground", "crank"], at = [0, 0] }
A = { revolute = ["crank", "coupler"], at = [0.3, 0.4] }
B = { revolute = ["coupler", "rocker"], at = [1.5, 0.9] }
C = { revolute = ["ground", "rocker"], at = [1.15, -0.3] }
[images]
)toml";

TEST(Images, AreReadWithTheirShares) {
  const Mechanism m = read(
      kFourBar + "coupler = { joints = [\"B\"], inertia = 0.3, forces = 0.25 }\nrocker = [{ joints = [\"C\"] }]\n");
  ASSERT_EQ(m.splits.size(), 2U);
  EXPECT_EQ(m.splits[0].body, BodyIndex(1));
  ASSERT_EQ(m.splits[0].images.size(), 1U);
  EXPECT_EQ(m.splits[0].images[0].inertia, 0.3);
  EXPECT_EQ(m.splits[0].images[0].forces, 0.25);
  EXPECT_THAT(m.splits[0].images[0].joints, ElementsAre(JointIndex(2)));
  EXPECT_EQ(m.splits[1].images[0].inertia, 0.5);
  EXPECT_EQ(m.splits[1].images[0].forces, 0.0);
}

TEST(Images, ShareEquallyWhereNothingIsSaid) {
  const Mechanism m = read(kFourBar + "coupler = [{ joints = [\"A\"] }, { joints = [\"B\"] }]\n");
  ASSERT_EQ(m.splits[0].images.size(), 2U);
  EXPECT_EQ(m.splits[0].images[0].inertia, 1.0 / 3.0);
  EXPECT_EQ(m.splits[0].images[1].inertia, 1.0 / 3.0);
}

TEST(Images, AreRefusedWithTheReason) {
  const auto said = [](const std::string& line) { return refusal(kFourBar + line + "\n"); };
  EXPECT_THAT(said("copler = { joints = [\"B\"] }"),
              HasSubstr("m.toml:14:1: error: [images]: there is no body \"copler\". Did you mean \"coupler\"?"));
  EXPECT_THAT(said("coupler = { joints = [\"D\"] }"),
              HasSubstr("m.toml:14:23: error: image of \"coupler\": there is no joint \"D\"."));
  EXPECT_THAT(
      said("coupler = { joints = [\"O\"] }"),
      HasSubstr("m.toml:14:23: error: image of \"coupler\": joint \"O\" does not hold this body. Those that do: "
                "\"A\", \"B\"."));
  EXPECT_THAT(said("coupler = [{ joints = [\"B\"] }, { joints = [\"B\"] }]"),
              HasSubstr("joint \"B\" is named twice. A joint can hold one image only."));
  EXPECT_THAT(
      said("coupler = [{ joints = [\"A\"], inertia = 0.5 }, { joints = [\"B\"], inertia = 0.5 }]"),
      HasSubstr("m.toml:14:1: error: image of \"coupler\": shares of the inertia add up to 1, and leave nothing to "
                "the body."));
  EXPECT_THAT(said("coupler = { joints = [\"B\"], forces = 1.5 }"), HasSubstr("shares of the forces add up to 1.5."));
  EXPECT_THAT(said("coupler = { joints = [\"B\"], inertia = -0.5 }"), HasSubstr("inertia of image of \"coupler\""));
  EXPECT_THAT(said("coupler = { joints = [] }"), HasSubstr("a list of names of joints"));
  EXPECT_THAT(said("coupler = { inertia = 0.5 }"), HasSubstr("Name the joints that hold this image"));
  EXPECT_THAT(said("coupler = 3"), HasSubstr("a table such as { joints = [\"B\"] }"));
  EXPECT_THAT(said("coupler = [3]"), HasSubstr("a table such as { joints = [\"B\"] }"));
}

}  // namespace model_file_images_test
}  // namespace linkwork
