// [repeat]: what it writes is what one would have written by hand, and its errors name the template's line and the
// index.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "linkwork/read/model_file_for_tests.hpp"

namespace linkwork {
namespace model_file_repeat_test {

using test::read;

const std::string kHead = "linkwork = 1\nspace = \"planar\"\ngravity = [0, 0]\n";  // 3 lines

std::string findings(const std::string& text, const ReadOptions& options = {}) {
  return test::refusal(kHead + text, options);
}

std::string byHand(int n) {
  std::string points = "[points]\n";
  std::string bodies = "[bodies]\n";
  std::string joints = "[joints]\n";
  for (int i = 0; i <= n; ++i) {
    points += fmt::format("A{0} = [{0}, 0]\nB{0} = [{0}, 1]\n", i);
    bodies += fmt::format("upright{0} = {{ rod = [\"A{0}\", \"B{0}\"], mass = 1 }}\n", i);
    joints += fmt::format("A{0} = {{ revolute = [\"ground\", \"upright{0}\"] }}\n", i);
  }
  for (int k = 1; k <= n; ++k) bodies += fmt::format("top{0} = {{ rod = [\"B{1}\", \"B{0}\"], mass = 1 }}\n", k, k - 1);
  for (int k = 1; k <= n; ++k)
    joints += fmt::format("left{0} = {{ revolute = [\"upright{1}\", \"top{0}\"], at = \"B{1}\" }}\n", k, k - 1);
  for (int k = 1; k <= n; ++k)
    joints += fmt::format("right{0} = {{ revolute = [\"top{0}\", \"upright{0}\"], at = \"B{0}\" }}\n", k);
  return fmt::format("linkwork = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n{}{}{}", points, bodies, joints);
}

TEST(Repeat, WritesWhatOneWouldHaveWrittenByHand) {
  Diagnostics diagnostics;
  const auto repeated = readModelFile(std::string(LINKWORK_MODELS_DIR) + "/n_four_bar_repeat.toml", diagnostics);
  ASSERT_TRUE(repeated) << diagnostics.format();
  const Mechanism written = read(byHand(5));
  ASSERT_EQ(repeated->bodies.size(), written.bodies.size());
  ASSERT_EQ(repeated->joints.size(), written.joints.size());
  for (std::size_t i = 0; i < written.bodies.size(); ++i) {
    const Body& a = repeated->bodies[i];
    const Body& b = written.bodies[i];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.drawn.x, b.drawn.x);
    EXPECT_EQ(a.drawn.y, b.drawn.y);
    EXPECT_EQ(a.drawn.angle, b.drawn.angle);
    EXPECT_EQ(a.inertia.number, b.inertia.number);
    ASSERT_EQ(a.points.size(), b.points.size());
    for (std::size_t k = 0; k < a.points.size(); ++k) EXPECT_EQ(a.points[k].name, b.points[k].name);
  }
  for (std::size_t i = 0; i < written.joints.size(); ++i) {
    const Joint& a = repeated->joints[i];
    const Joint& b = written.joints[i];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.first, b.first);
    EXPECT_EQ(a.second, b.second);
    EXPECT_EQ(a.on_first.point[0].number, b.on_first.point[0].number);
    EXPECT_EQ(a.on_second.point[0].number, b.on_second.point[0].number);
  }
}

TEST(Repeat, TwoIndicesInANameAreEveryPairAndAnInnerRangeMayDependOnTheOuter) {
  const Mechanism m = read(kHead + R"toml([parameters]
rows = "2*n"
n = 1
[repeat]
r = { from = 1, to = "rows" }
c = { from = "r", to = 3 }
[bodies]
"b{r}_{c}" = { position = ["{c}", "{-r}"], mass = "{r*c}", inertia = 1, points = { "p{c}" = [0, 0], own = [1, 0] } }
)toml");
  std::string names;
  for (const Body& body : m.bodies) names += body.name + " ";
  EXPECT_EQ(names, "b1_1 b1_2 b1_3 b2_2 b2_3 ");
  EXPECT_EQ(m.bodies[4].mass.number, 6.0);
  EXPECT_EQ(m.bodies[4].drawn.x, 3.0);
  EXPECT_EQ(m.bodies[4].drawn.y, -2.0);
  EXPECT_EQ(m.bodies[4].points[0].name, "p3");
}

TEST(Repeat, AnEntryInsideAnEntryIsRepeatedToo) {
  const Mechanism m = read(kHead + R"toml([repeat]
i = { from = 1, to = 3 }
[bodies]
plate = { mass = 1, inertia = 1, points = { "hole{i}" = ["0.1*{i}", 0] } }
[initial]
"plate".x_rate = 1
)toml");
  ASSERT_EQ(m.bodies[0].points.size(), 3U);
  EXPECT_EQ(m.bodies[0].points[2].name, "hole3");
  EXPECT_DOUBLE_EQ(m.bodies[0].points[2].at[0].number, 0.3);
}

TEST(Repeat, AllSectionsMayBeRepeated) {
  const Mechanism m = read(kHead + R"toml([parameters]
"m{i}" = "{i} kg"
[repeat]
i = { from = 1, to = 2 }
[points]
"P{i}" = ["{i}", 0]
[bodies]
"b{i}" = { disc = { at = "P{i}", radius = 0.1 }, mass = "m{i}" }
[joints]
"J{i}" = { revolute = ["ground", "b{i}"], at = "P{i}" }
[inputs]
"u{i}" = "{i}*t"
[loads]
"l{i}" = { couple = "u{i}", on = "b{i}" }
[drives]
"d{i}" = { joint = "J{i}", angle = "{i}*t" }
[initial]
"J{i}.angle" = "{i} deg"
[outputs]
"o{i}" = "b{i}.angle"
[events]
"e{i}" = { when = "b{i}.angle - {i}" }
[traces]
"c{i}" = "b{i}.P{i}"
)toml");
  EXPECT_EQ(m.parameters[1].value.number, 2.0);
  EXPECT_EQ(m.bodies[1].mass.number, 2.0);
  EXPECT_EQ(m.loads[1].moment, Expr(2.0) * Expr::symbol("t"));
  EXPECT_EQ(m.drives.size(), 2U);
  EXPECT_EQ(m.initial.size(), 2U);
  EXPECT_EQ(m.outputs[1].value, Expr::symbol("b2.angle"));
  EXPECT_EQ(m.events.size(), 2U);
  EXPECT_EQ(m.traces[1].name, "c2");
}

TEST(Repeat, ARangeThatEndsBeforeItStartsMakesNothing) {
  const Mechanism m = read(kHead + R"toml([repeat]
i = { from = 1, to = 0 }
[bodies]
a = { mass = 1, inertia = 1 }
"b{i}" = { mass = 1, inertia = 1 }
)toml");
  EXPECT_EQ(m.bodies.size(), 1U);
}

TEST(Repeat, ANegativeNumberKeepsItsSignUnderAPower) {
  const Mechanism m = read(kHead + R"toml([repeat]
i = { from = -2, to = -2 }
[bodies]
"b{i}" = { mass = "{i}^2", inertia = "3 - {i}", position = ["2*{i} ", 0] }
)toml");
  EXPECT_EQ(m.bodies[0].name, "b-2");
  EXPECT_EQ(m.bodies[0].mass.number, 4.0);
  EXPECT_EQ(m.bodies[0].inertia.number, 5.0);
  EXPECT_EQ(m.bodies[0].drawn.x, -4.0);
}

TEST(RepeatErrors, StandAtTheTemplateAndSayForWhichIndex) {
  EXPECT_EQ(findings(R"toml([repeat]
i = { from = 1, to = 5 }
[bodies]
"b{i}" = { mass = "3 - {i}", inertia = 1 }
"c{i}" = { mass = "M{i} + 1", inertia = 1 }
[joints]
"J{i}" = { revolute = ["ground", "b{i+1}"], at = [0, 0] }
)toml"),
            R"(
m.toml:7:19: error: mass of body "b4" must not be negative, got -1 (for i = 4 and others).
m.toml:8:20: error: mass of body "c1": unknown name "M1" (for i = 1 and others).
m.toml:10:35: error: joint "J5": body "b6" is not defined (for i = 5). Did you mean "b1"?
)");
}

TEST(RepeatErrors, ColumnsInsideAStringCountTheTextAsWritten) {
  EXPECT_EQ(findings(R"toml([repeat]
i = { from = 100, to = 100 }
[bodies]
"b{i}" = { mass = "{i} + {i}*q", inertia = "{i}*" }
)toml"),
            R"(
m.toml:7:30: error: mass of body "b100": unknown name "q" (for i = 100).
m.toml:7:49: error: inertia of body "b100": the expression ends too early (for i = 100).
)");
}

TEST(RepeatErrors, RangesThatAreNone) {
  EXPECT_EQ(findings(R"toml([parameters]
L = "2 m"
N = 2.5
[repeat]
a = { from = 0, to = "N" }
b = { from = "L", to = 3 }
c = { from = 0 }
[bodies]
)toml"),
            R"(
m.toml:10:1: error: repeat "c": to is missing. The range includes it.
)");
  EXPECT_EQ(findings(R"toml([parameters]
L = "2 m"
N = 2.5
[repeat]
a = { from = 0, to = "N" }
[bodies]
"x{a}" = { mass = 1, inertia = 1 }
)toml"),
            R"(
m.toml:8:22: error: to of repeat "a": expected a whole number, got 2.5.
)");
  EXPECT_EQ(findings(R"toml([parameters]
L = "2 m"
[repeat]
a = { from = "L", to = "K" }
[bodies]
"x{a}" = { mass = 1, inertia = 1 }
)toml"),
            R"(
m.toml:7:14: error: from of repeat "a": expected a whole number, got a length (m).
)");
  EXPECT_EQ(findings(R"toml([repeat]
a = { from = 1, to = "K" }
b = { from = 1, to = "a" }
pi = { from = 1, to = 2, step = 2 }
[bodies]
)toml"),
            R"(
m.toml:7:1: error: repeat "pi": this name is taken. Choose another name.
)");
  EXPECT_EQ(findings(R"toml([repeat]
a = { from = 1, to = "K" }
[bodies]
"x{a}" = { mass = 1, inertia = 1 }
)toml"),
            R"(
m.toml:5:23: error: to of repeat "a": unknown name "K".
)");
}

TEST(RepeatErrors, PlaceholdersThatAreNone) {
  EXPECT_EQ(findings(R"toml([repeat]
i = { from = 1, to = 3 }
j = { from = 1, to = "i" }
[bodies]
"a{i" = { mass = 1, inertia = 1 }
"b{}" = { mass = 1, inertia = 1 }
"c{k}" = { mass = 1, inertia = 1 }
"d{i}" = { mass = "{j}", inertia = "{i/2}" }
e = { mass = "2*{i}", inertia = 1 }
)toml"),
            R"(
m.toml:8:1: error: "a{i": the closing "}" is missing. Braces hold an index of [repeat], as in "P{i}".
m.toml:9:1: error: "b{}": there is nothing between the braces. Braces hold an index of [repeat], as in "P{i}".
m.toml:10:1: error: "c{k}": unknown name "k".
m.toml:11:21: error: "{j}": "j" has no value here, because no name around this place holds it (for i = 1).
m.toml:11:38: error: "{i/2}": expected a whole number, got 0.5 (for i = 1).
m.toml:12:18: error: "2*{i}": "i" has no value here, because no name around this place holds it.
)");
}

TEST(RepeatErrors, AnIndexInAFormulaWantsBraces) {
  EXPECT_EQ(findings(R"toml([repeat]
i = { from = 1, to = 2 }
[bodies]
"b{i}" = { mass = "2*i", inertia = 1 }
)toml"),
            R"(
m.toml:7:22: error: mass of body "b1": i is an index of [repeat]: write {i} (for i = 1 and others).
)");
}

TEST(RepeatErrors, ANameMadeTwice) {
  EXPECT_EQ(findings(R"toml([repeat]
i = { from = 1, to = 3 }
[bodies]
b2 = { mass = 1, inertia = 1 }
"b{i}" = { mass = 1, inertia = 1 }
)toml"),
            R"(
m.toml:8:1: error: there are two entries "b2": the other one is on line 7 (for i = 2).
)");
}

TEST(RepeatErrors, TooManyEntries) {
  ReadOptions options;
  options.entries = 100;
  EXPECT_EQ(findings(R"toml([repeat]
i = { from = 1, to = 60 }
[bodies]
"b{i}" = { mass = 1, inertia = 1 }
"c{i}" = { mass = 1, inertia = 1 }
)toml",
                     options),
            R"(
m.toml:5:22: error: [repeat] would make more than 100 entries. Make the range smaller.
)");
  EXPECT_EQ(findings(R"toml([repeat]
i = { from = -9e14, to = 9e14 }
j = { from = 1, to = 2 }
[bodies]
"b{j}{i}" = { mass = 1, inertia = 1 }
)toml"),
            R"(
m.toml:5:26: error: [repeat] would make more than 1000000 entries. Make the range smaller.
)");
}

TEST(RepeatErrors, ABrokenParameterIsReportedOnce) {
  EXPECT_EQ(findings(R"toml([parameters]
N = "M + 1"
M = "N"
[repeat]
i = { from = 1, to = "N" }
[bodies]
"b{i}" = { mass = 1, inertia = 1 }
)toml"),
            R"(
m.toml:5:5: error: parameter "N" is defined by itself: N -> M -> N.
)");
}

TEST(RepeatErrors, AChainOfParametersThatIsTooLongIsSaid) {
  std::string text = "[parameters]\np0 = 1\n";
  for (int i = 1; i <= 2000; ++i) text += fmt::format("p{} = \"p{}\"\n", i, i - 1);
  text += "[repeat]\ni = { from = 1, to = \"p2000\" }\n[bodies]\n\"b{i}\" = { mass = 1, inertia = 1 }\n";
  EXPECT_NE(findings(text).find("[repeat]: a range uses a parameter that cannot be worked out."), std::string::npos);
  // Fewer of them, but each in many parentheses.
  text = "[parameters]\np0 = 1\n";
  const std::string open(150, '(');
  const std::string close(150, ')');
  for (int i = 1; i <= 400; ++i) text += fmt::format("p{} = \"{}p{}{}\"\n", i, open, i - 1, close);
  text += "[repeat]\ni = { from = 1, to = \"p400\" }\n[bodies]\n\"b{i}\" = { mass = 1, inertia = 1 }\n";
  EXPECT_NE(findings(text).find("[repeat]: a range uses a parameter that cannot be worked out."), std::string::npos);
}

}  // namespace model_file_repeat_test
}  // namespace linkwork
