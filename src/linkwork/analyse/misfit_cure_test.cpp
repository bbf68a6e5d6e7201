// The number to write is tried by writing it.
#include "linkwork/analyse/misfit_cure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/analyse/places.hpp"
#include "linkwork/model/driven_mechanisms_for_tests.hpp"
#include "linkwork/model/lift.hpp"
#include "linkwork/model/space_mechanisms_for_tests.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace misfit_cure_test {

using Number = MisfitCure::Number;
using ::testing::HasSubstr;

constexpr double kDistance = 3e-3;
constexpr double kFits = 1e-13;

template <class G>
std::optional<MisfitCure> cureOf(const Mechanism& m, bool as_drawn) {
  const Assembly assembly = assemble(m);
  EXPECT_TRUE(assembly.ok) << assembly.problem;
  EXPECT_GT(assembly.misfit, 0.0);
  return findMisfitCure<G>(m, 0.0, assembly.turns, assembly.q, {assembly.dependent_rows, as_drawn, kDistance, kFits});
}

// Three cranks of which one pin is off on one body: it is not even drawn closed.
TEST(MisfitCure, APlaceOnABody) {
  for (const double off : {1e-9, 5e-7, 2e-5}) {
    SCOPED_TRACE(off);
    Mechanism m = test::parallelogram(3);
    test::drawAt(m, test::parallelogramStart(3));
    m.joints[4].on_second.point[0] = Value(m.joints[4].on_second.point[0].number + off);
    const auto cure = cureOf<Planar<double>>(m, true);
    ASSERT_TRUE(cure.has_value());
    ASSERT_EQ(cure->number, Number::place_on_body);
    EXPECT_LT(cure->change, 2.0 * off);
    EXPECT_THAT(assemble(m).warnings.at(0).hint, HasSubstr(cureText(m, *cure).substr(1)));
    Joint& joint = m.joints[static_cast<std::size_t>(cure->joint)];
    Frame& frame = joint.first == cure->body ? joint.on_first : joint.on_second;
    for (std::size_t k = 0; k < 2; ++k) frame.point[k] = Value(cure->value[k]);
    const Assembly mended = assemble(m);
    EXPECT_TRUE(mended.warnings.empty()) << mended.warnings[0].text;
    EXPECT_EQ(mended.misfit, 0.0);
  }
}

// The pin of one crank drawn elsewhere, on crank and coupler alike: what is drawn closes, but the crank is too long.
TEST(MisfitCure, APlaceAsDrawn) {
  const Mechanism exact = [] {
    Mechanism m = test::parallelogram(3);
    test::drawAt(m, test::parallelogramStart(3));
    return m;
  }();
  Mechanism m = exact;
  const double angle = m.bodies[1].drawn.angle;
  const double off = 1e-6;  // m, along the ground's x
  m.joints[4].on_first.point[0] = Value(m.joints[4].on_first.point[0].number + off * std::cos(angle));
  m.joints[4].on_first.point[1] = Value(m.joints[4].on_first.point[1].number - off * std::sin(angle));
  m.joints[4].on_second.point[0] = Value(m.joints[4].on_second.point[0].number + off);
  const auto cure = cureOf<Planar<double>>(m, false);
  ASSERT_TRUE(cure.has_value());
  ASSERT_EQ(cure->number, Number::place);
  std::vector<double> drawn;
  for (const Body& body : m.bodies) {
    const std::vector<double> own = coordinatesOf(m, body, body.drawn);
    drawn.insert(drawn.end(), own.begin(), own.end());
  }
  Joint& joint = m.joints[static_cast<std::size_t>(cure->joint)];
  for (const auto& [body, frame] :
       {std::pair{joint.first, &joint.on_first}, std::pair{joint.second, &joint.on_second}}) {
    const Place axes = placeOfBody(m, body, drawn);
    const Vec3<double> seen = placeOfFrame(m, body, *frame, drawn).r;
    const Vec3<double> by{cure->value[0] - seen.x, cure->value[1] - seen.y, 0.0};
    frame->point[0] = Value(frame->point[0].number + dot(axes.R.x, by));
    frame->point[1] = Value(frame->point[1].number + dot(axes.R.y, by));
  }
  const Assembly mended = assemble(m);
  EXPECT_TRUE(mended.warnings.empty()) << mended.warnings[0].text;
}

// One of four parallel hinges is tilted: only it can be brought back alone.
TEST(MisfitCure, AnAxis) {
  for (const double tilt : {1e-10, 1e-6, 1e-4}) {
    SCOPED_TRACE(tilt);
    Mechanism m = liftToSpace(test::FourBar().mechanism(1.0));
    Joint& last = m.joints.back();
    const std::vector<double> closed = assemble(m).q;
    // About the ground's x axis as drawn: bodies are drawn with axes turned about z.
    for (const auto& [body, frame] : {std::pair{last.first, &last.on_first}, std::pair{last.second, &last.on_second}}) {
      const Place axes = placeOfBody(m, body, closed);
      const Vec3<double> x{axes.R.x.x, axes.R.y.x, axes.R.z.x};
      frame->rotation = product(test::aboutAxis({x.x, x.y, x.z}, tilt), frame->rotation);
    }
    const auto cure = cureOf<Spatial<double>>(m, false);
    ASSERT_TRUE(cure.has_value());
    EXPECT_EQ(cure->joint, static_cast<int>(m.joints.size()) - 1);
    ASSERT_EQ(cure->number, Number::axis);
    EXPECT_NEAR(cure->value[0], 0.0, 1e-13);
    EXPECT_NEAR(cure->value[1], 0.0, 1e-13);
    EXPECT_NEAR(cure->value[2], 1.0, 1e-13);
    EXPECT_NEAR(cure->change, tilt, 1e-3 * tilt);
  }
}

// Two cranks off: no one number makes all three of one length, and none is named.
TEST(MisfitCure, NoneWhereTwoNumbersAreOff) {
  Mechanism m = test::parallelogram(3);
  test::drawAt(m, test::parallelogramStart(3));
  m.joints[4].on_first.point[0] = Value(m.joints[4].on_first.point[0].number + 1e-6);
  m.joints[5].on_first.point[0] = Value(m.joints[5].on_first.point[0].number - 2e-6);
  EXPECT_FALSE(cureOf<Planar<double>>(m, true).has_value());
  EXPECT_THAT(assemble(m).warnings.at(0).hint, HasSubstr("watched. Give more digits"));
}

}  // namespace misfit_cure_test
}  // namespace linkwork
