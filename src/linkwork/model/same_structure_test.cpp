#include "linkwork/model/same_structure.hpp"

#include <gtest/gtest.h>

#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace same_structure_test {

TEST(SameStructure, LeavesNumbersAndFormulasAside) {
  const Mechanism m = test::crankSlider();
  Mechanism other = m;
  other.bodies[0].mass = 17.0;
  other.joints[0].on_first.point[0] = Value(3.0, Expr::symbol("L"));
  other.bodies[1].drawn.angle = 1.0;
  other.gravity[1] = 0.0;
  EXPECT_EQ(differenceInStructure(m, other), "");
}

TEST(SameStructure, SaysWhatIsAnother) {
  const Mechanism m = test::crankSlider();
  const auto changed = [&m](auto change) {
    Mechanism other = m;
    change(other);
    return differenceInStructure(m, other);
  };
  const std::string joint = m.joints[1].name;
  EXPECT_EQ(changed([](Mechanism& o) { o.bodies[0].name = "arm"; }), "the body \"arm\" is another");
  EXPECT_EQ(changed([](Mechanism& o) { o.joints[1].kind = JointKind::fixed; }),
            "the joint \"" + joint + "\" is another");
  EXPECT_EQ(changed([](Mechanism& o) { o.joints[1].first = kGround; }), "the joint \"" + joint + "\" is another");
  EXPECT_EQ(changed([](Mechanism& o) { o.joints[1].cut = !o.joints[1].cut; }),
            "the joint \"" + joint + "\" is another");
  EXPECT_EQ(changed([](Mechanism& o) { o.space = Space::spatial; }), "it is not in the same space");
  EXPECT_EQ(changed([](Mechanism& o) {
              o.events.push_back({"stop", Expr(1.0), Crossing::both, false, {}});
            }),
            "there is 1 event instead of 0");
  EXPECT_EQ(changed([](Mechanism& o) { o.bodies.pop_back(); }), "there are 3 bodies instead of 4");
}

}  // namespace same_structure_test
}  // namespace linkwork
