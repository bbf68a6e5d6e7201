// [include]: a part read with prefix, parameters and place is the same mechanism as one written out there by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <stdexcept>
#include <string>

#include "linkwork/codegen/expr_writer.hpp"
#include "linkwork/model/walk.hpp"
#include "linkwork/read/model_file.hpp"

namespace linkwork {
namespace model_file_include_test {

namespace fs = std::filesystem;

// A folder of its own for each test, removed when it is done.
class Include : public ::testing::Test {
 protected:
  Include() {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(LINKWORK_BINARY_DIR) / "include_test" / info->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~Include() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }

  std::string pathOf(const std::string& name) const { return (folder_ / name).string(); }

  Mechanism read(const std::string& text) const {
    write("main.toml", kHead + text);
    Diagnostics diagnostics;
    auto mechanism = readModelFile(pathOf("main.toml"), diagnostics);
    if (!mechanism) throw std::runtime_error(diagnostics.format());
    return *mechanism;
  }

  // With the folder's name taken out.
  std::string findings(const std::string& text) const {
    write("main.toml", kHead + text);
    Diagnostics diagnostics;
    EXPECT_FALSE(readModelFile(pathOf("main.toml"), diagnostics).has_value());
    std::string shown = "\n";
    shown.append(diagnostics.format());
    const std::string prefix = (folder_ / "").string();
    for (std::size_t at = shown.find(prefix); at != std::string::npos; at = shown.find(prefix))
      shown.erase(at, prefix.size());
    return shown;
  }

  static inline const std::string kHead = "linkwork = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n";  // 3 lines
  fs::path folder_;
};

const char* const kLeg = R"toml(linkwork = 1
space = "planar"
gravity = [0, -1]
title = "leg"
[parameters]
L = "0.5 m"
half = "L/2"
[points]
hip = [0, 0]
knee = [0, "-L"]
[bodies]
thigh = { rod = ["hip", "knee"], mass = 2, points = { mark = ["half", 0.1] } }
foot = { disc = { at = "knee", radius = "half/10" }, mass = 1 }
[joints]
hip = { revolute = ["ground", "thigh"] }
knee = { revolute = ["thigh", "foot"] }
[inputs]
push = "3*t"
[loads]
wind = { force = ["push*thigh.x", "2*thigh.angle"], on = "foot" }
coil = { rotational_spring = "hip", stiffness = 2 }
rope = { spring = ["ground.hip", "thigh.mark"], stiffness = "L*3 [N/m^2]" }
[initial]
hip.rate = 2
[outputs]
height = "foot.y"
[events]
down = { when = "foot.y_rate" }
[traces]
toe = "thigh.mark"
[simulate]
until = 3
)toml";

TEST_F(Include, NamesGetThePrefixAndParametersTheirNewValues) {
  write("leg.toml", kLeg);
  const Mechanism m = read(R"toml([parameters]
size = "40 cm"
[include]
left = { file = "leg.toml", parameters = { L = "2*size" } }
right = { file = "leg.toml", prefix = "R", at = [1, 0] }
[bodies]
trunk = { rod = ["left_hip", "Rhip"], mass = 5 }
[joints]
tie = { revolute = ["left_foot", "Rthigh"], at = "Rknee" }
)toml");
  EXPECT_EQ(m.name, "main");
  EXPECT_EQ(m.gravity[1].number, -9.81);
  EXPECT_FALSE(m.run.number("until").has_value());
  ASSERT_EQ(m.parameters.size(), 5U);
  EXPECT_EQ(m.parameters[1].name, "left_L");
  EXPECT_DOUBLE_EQ(m.parameters[1].value.number, 0.8);
  EXPECT_EQ(m.parameters[1].value.expr, Expr(2.0) * Expr::symbol("size"));
  EXPECT_DOUBLE_EQ(m.parameters[2].value.number, 0.4);
  EXPECT_EQ(m.parameters[2].value.expr, Expr::symbol("left_L") / Expr(2.0));
  ASSERT_EQ(m.bodies.size(), 5U);
  EXPECT_EQ(m.bodies[0].name, "left_thigh");
  EXPECT_EQ(m.bodies[3].name, "Rfoot");
  EXPECT_EQ(m.bodies[3].drawn.x, 1.0);
  EXPECT_EQ(m.bodies[3].drawn.y, -0.5);
  EXPECT_DOUBLE_EQ(m.bodies[0].points[1].at[0].number, 0.8);
  EXPECT_EQ(m.bodies[4].drawn.x, 0.0);
  // The end of a rod is found by the point's new name: the joint is on it, whatever the drawing says.
  EXPECT_EQ(m.joints[4].on_second.point[0].number, 0.5);
  EXPECT_EQ(m.joints[2].name, "Rhip");
  EXPECT_EQ(m.joints[2].second, BodyIndex(2));
  EXPECT_EQ(m.joints[2].on_first.point[0].number, 1.0);
  EXPECT_EQ(m.loads[0].name, "left_wind");
  EXPECT_EQ(m.loads[0].force[0], Expr(3.0) * Expr::symbol("t") * Expr::symbol("left_thigh.x"));
  EXPECT_EQ(m.inputs[1].name, "Rpush");
  EXPECT_EQ(m.outputs[0].value, Expr::symbol("left_foot.y"));
  EXPECT_EQ(m.outputs[1].name, "Rheight");
  EXPECT_EQ(m.initial[1].quantity, (Quantity{QuantityKind::joint_angle_rate, 2}));
  EXPECT_EQ(m.events[1].name, "Rdown");
  EXPECT_EQ(m.traces[1].body, BodyIndex(2));
  ASSERT_EQ(m.included.size(), 1U);
  EXPECT_EQ(m.included[0].text, kLeg);
}

// Everything that a file says in ground axes turns with it: the same numbers come out as from a file written there.
TEST_F(Include, APartThatIsTurnedIsTheSameAsOneDrawnThere) {
  write("part.toml", R"toml(linkwork = 1
space = "planar"
[points]
O = [0, 0]
A = [1, 0]
W = [0.5, 2]
[bodies]
crank = { rod = ["O", "A"], mass = 1 }
cart = { mass = 1, inertia = 1, position = [2, 0] }
seal = { mass = 1, inertia = 1, position = [3, 1], angle = "20 deg" }
[joints]
O = { revolute = ["ground", "crank"] }
S = { prismatic = ["ground", "cart"], at = [2, 0], axis = [1, 0] }
F = { fixed = ["ground", "seal"], at = [3, 1] }
[drives]
shake = { point = "cart.W", x = "1 + t" }
[loads]
pull = { force = ["2*t", "1*cart.x_rate"], on = "crank" }
line = { spring = ["ground.W", "crank.A"], stiffness = 1 }
[initial]
cart.x = 2
cart.y = 0
crank.angle = "5 deg"
)toml");
  const Mechanism m = read(R"toml([include]
p = { file = "part.toml", at = [10, 20], angle = "90 deg" }
)toml");
  const double quarter = std::numbers::pi / 2;
  constexpr double kRound = 1e-14;  // a few roundings of numbers of size 20
  EXPECT_NEAR(m.bodies[1].drawn.x, 10.0, kRound);
  EXPECT_NEAR(m.bodies[1].drawn.y, 22.0, kRound);
  EXPECT_NEAR(m.bodies[1].drawn.angle, quarter, kRound);
  EXPECT_NEAR(m.bodies[2].drawn.angle, quarter + std::numbers::pi / 9, kRound);
  // The hinge angle still counts from the part's own x axis.
  EXPECT_NEAR(m.joints[0].on_first.angle.number, quarter, kRound);
  EXPECT_NEAR(m.joints[1].on_first.angle.number, quarter, kRound);
  EXPECT_NEAR(m.joints[1].on_second.angle.number, 0.0, kRound);
  EXPECT_NEAR(m.joints[1].on_first.point[1].number, 22.0, kRound);
  EXPECT_NEAR(m.joints[2].on_first.angle.number + 0.0,
              quarter + m.joints[2].on_second.angle.number + std::numbers::pi / 9, kRound);
  // x of the part is y of the whole.
  EXPECT_EQ(m.drives[0].kind, DriveKind::coordinate);
  EXPECT_NEAR(m.drives[0].on_first.angle.number, quarter, kRound);
  EXPECT_NEAR(m.drives[0].on_first.point[1].number, 20.0, kRound);
  const std::map<std::string, double> now{{"t", 3.0}, {"p_cart.x_rate", 5.0}, {"p_cart.y_rate", 7.0}};
  EXPECT_NEAR(evaluate(m.loads[0].force[0], now), -7.0, kRound);  // fy of the part, which is y_rate of the whole
  EXPECT_NEAR(evaluate(m.loads[0].force[1], now), 6.0, kRound);
  EXPECT_NEAR(m.loads[1].on_first.point[0].number, 8.0, kRound);
  EXPECT_NEAR(m.loads[1].on_first.point[1].number, 20.5, kRound);
  EXPECT_NEAR(m.loads[1].free_length.number, std::hypot(0.5, 2.0), kRound);
  EXPECT_NEAR(m.initial[0].value.number, 10.0, kRound);
  EXPECT_NEAR(m.initial[1].value.number, 22.0, kRound);
  EXPECT_NEAR(m.initial[2].value.number, quarter + std::numbers::pi / 36, kRound);
}

TEST_F(Include, FilesIncludeFilesAndRepeatRepeatsThem) {
  write("parts/leg.toml", kLeg);
  write("parts/pair.toml", R"toml(linkwork = 1
space = "planar"
[parameters]
gap = 0.2
[include]
a = { file = "leg.toml" }
b = { file = "leg.toml", at = ["gap", 0] }
)toml");
  const Mechanism m = read(R"toml([repeat]
i = { from = 1, to = 3 }
[include]
"pair{i}" = { file = "parts/pair.toml", at = [0, "{i}"], parameters = { gap = "0.1*{i}" } }
)toml");
  ASSERT_EQ(m.bodies.size(), 12U);
  EXPECT_EQ(m.bodies[10].name, "pair3_b_thigh");
  EXPECT_NEAR(m.bodies[10].drawn.x, 0.3, 1e-15);
  EXPECT_EQ(m.bodies[10].drawn.y, 3.0);
  EXPECT_EQ(m.included.size(), 2U);
}

// --- errors ----------------------------------------------------------------------------------------------------------

TEST_F(Include, ErrorsInAPartCarryItsFileAndWhereItWasIncluded) {
  write("leg.toml", "linkwork = 1\nspace = \"planar\"\n[bodies]\nthigh = { mas = 1, inertia = 1 }\n");
  EXPECT_EQ(findings(R"toml([include]
left = { file = "leg.toml" }
right = { file = "leg.toml" }
)toml"),
            R"(
leg.toml:4:11: error: body "thigh": unknown key "mas" (included as "left" at main.toml:5 and others). Did you mean "mass"? Allowed here: position, angle, mass, com, z, inertia, inertia_about, points, frames, free, rod, disc, box, mesh.
)");
}

TEST_F(Include, FilesThatCannotBeIncluded) {
  fs::create_directories(folder_ / "folder");
  write("broken.toml", "linkwork = \n");
  EXPECT_EQ(
      findings(R"toml([include]
a = { file = "none.toml" }
b = { file = "folder" }
c = { file = "broken.toml" }
d = { file = "../other.toml" }
e = { file = "" }
f = { }
g = { file = "none.toml", prefix = "a b" }
"h i" = { file = "none.toml" }
j = { file = "/etc/passwd", at = "Q" }
)toml"),
      "\nbroken.toml:1:12: error: not valid TOML: key-value pair: expected value, but the line ends here (included "
      "as \"c\" at main.toml:7).\n"
      "main.toml:5:14: error: include \"a\": \"none.toml\" cannot be read: there is no such file.\n"
      "main.toml:6:14: error: include \"b\": \"folder\" cannot be read: this is a folder, not a file.\n"
      "main.toml:8:14: error: include \"d\": \"../other.toml\" lies outside the folder of the main file, " +
          folder_.string() +
          ". Files that a model names stand beside the main file or in folders below it.\n"
          "main.toml:9:14: error: include \"e\": this is not the name of a file.\n"
          "main.toml:10:1: error: include \"f\": file is missing.\n"
          "main.toml:11:36: error: include \"g\": the prefix \"a b\" is not made of letters, digits and _.\n"
          "main.toml:12:1: error: include \"h i\": the prefix \"h i_\" is not made of letters, digits and _. Give "
          "prefix = \"...\", or choose another name.\n"
          "main.toml:13:35: error: at of include \"j\": point \"Q\" is not defined in [points].\n");
}

TEST_F(Include, ALinkOutOfTheFolderIsOutside) {
  fs::create_directories(folder_.parent_path() / "elsewhere");
  std::ofstream(folder_.parent_path() / "elsewhere" / "leg.toml") << kLeg;
  fs::create_directory_symlink(folder_.parent_path() / "elsewhere", folder_ / "link");
  EXPECT_NE(findings("[include]\na = { file = \"link/leg.toml\" }\n").find("lies outside the folder"),
            std::string::npos);
  fs::remove_all(folder_.parent_path() / "elsewhere");
}

TEST_F(Include, FilesInACircle) {
  write("a.toml", "linkwork = 1\nspace = \"planar\"\n[include]\nx = { file = \"sub/../b.toml\" }\n");
  write("b.toml", "linkwork = 1\nspace = \"planar\"\n[include]\ny = { file = \"a.toml\" }\n");
  EXPECT_EQ(findings("[include]\np = { file = \"a.toml\" }\n"), R"(
b.toml:4:14: error: include "y": the files include each other in a circle: a.toml -> b.toml -> a.toml (included as "x" at a.toml:4, included as "p" at main.toml:5).
)");
}

TEST_F(Include, FilesTooDeep) {
  for (int i = 0; i < 20; ++i) {
    write(fmt::format("f{}.toml", i),
          fmt::format("linkwork = 1\nspace = \"planar\"\n[include]\nx = {{ file = \"f{}.toml\" }}\n", i + 1));
  }
  EXPECT_NE(findings("[include]\np = { file = \"f0.toml\" }\n")
                .find("f15.toml:4:14: error: include \"x\": files include each other more than 16 deep (included as"),
            std::string::npos);
}

TEST_F(Include, ParametersThatDoNotFit) {
  write("leg.toml", kLeg);
  EXPECT_EQ(findings(R"toml([include]
left = { file = "leg.toml", parameters = { L = "2 kg", hallf = 3 } }
)toml"),
            R"(
main.toml:5:48: error: parameter "L": expected a length (m) as in leg.toml:6, got a mass (kg).
main.toml:5:64: error: include "left": leg.toml has no parameter "hallf". Did you mean "half"?
)");
}

TEST_F(Include, NamesThatAreThereAlready) {
  write("leg.toml", kLeg);
  EXPECT_EQ(findings(R"toml([points]
hip = [0, 0]
[include]
a = { file = "leg.toml", prefix = "" }
)toml"),
            R"(
leg.toml:9:1: error: point "hip" is there already (included as "a" at main.toml:7). Give the include another prefix.
)");
  EXPECT_EQ(findings(R"toml([include]
a = { file = "leg.toml", prefix = "" }
[bodies]
hip = { mass = 1, inertia = 1 }
)toml"),
            R"(
leg.toml:15:1: error: joint "hip": the name is taken by a body (main.toml:7) (included as "a" at main.toml:5). Bodies, joints, drives and loads need different names.
)");
}

TEST_F(Include, OneCoordinateOfABodyThatIsIncludedTurned) {
  write("part.toml", R"toml(linkwork = 1
space = "planar"
[bodies]
b = { mass = 1, inertia = 1 }
[initial]
b.x = 1
)toml");
  EXPECT_EQ(findings("[include]\np = { file = \"part.toml\", angle = 1 }\n"), R"(
part.toml:6:3: error: initial value of "p_b.x": the file is included with an angle, so x and y must be given together (included as "p" at main.toml:5).
)");
}

// Names, references and formulas of a mechanism, line by line, as they are when its names have a prefix and it comes
// after so many bodies and joints.
struct Listing {
  std::string prefix;
  int bodies = 0;
  int joints = 0;

  template <class Part>
  void add(const std::vector<Part>& parts, std::vector<std::string>& lines) const {
    for (const Part& part : parts) {
      walk(part,
           Visitor{
               [&](const std::string& name) { lines.push_back(prefix + name); },
               [&](const BodyIndex& b) { lines.push_back(b.valid() ? number("body", b.value() + bodies) : "ground"); },
               [&](const JointIndex& j) { lines.push_back(number("joint", j.value() + joints)); },
               [&](const Quantity& q) {
                 lines.push_back(number("quantity", static_cast<int>(q.kind)));
                 lines.push_back(number("of", q.index + (isOfJoint(q.kind) ? joints : bodies)));
               },
               [&](const Value& value) { lines.push_back(fmt::format("{} = {}", value.number, text(value.expr))); },
               [&](const Expr& formula) { lines.push_back(text(formula)); }});
    }
  }

  std::vector<std::string> of(const Mechanism& m) const {
    std::vector<std::string> lines;
    add(m.parameters, lines);
    add(m.bodies, lines);
    add(m.joints, lines);
    add(m.drives, lines);
    add(m.loads, lines);
    add(m.initial, lines);
    add(m.events, lines);
    add(m.traces, lines);
    add(m.splits, lines);
    add(m.inputs, lines);
    add(m.outputs, lines);
    return lines;
  }

  static std::string number(const char* of, int value) { return fmt::format("{} {}", of, value); }
  std::string text(const Expr& formula) const {
    std::map<std::string, Expr> renamed;
    for (const std::string& symbol : symbolsOf(formula)) {
      if (symbol != "t") renamed.emplace(symbol, Expr::symbol(prefix + symbol));
    }
    return toText(substitute(formula, renamed));
  }
};

// Leaves what comes after the first so many of every list.
Mechanism after(Mechanism whole, const Mechanism& part) {
  const auto drop = [](auto& list, const auto& first) {
    list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(first.size()));
  };
  drop(whole.parameters, part.parameters);
  drop(whole.bodies, part.bodies);
  drop(whole.joints, part.joints);
  drop(whole.drives, part.drives);
  drop(whole.loads, part.loads);
  drop(whole.initial, part.initial);
  drop(whole.events, part.events);
  drop(whole.traces, part.traces);
  drop(whole.splits, part.splits);
  drop(whole.inputs, part.inputs);
  drop(whole.outputs, part.outputs);
  return whole;
}

TEST(IncludeShipped, AModelIncludedTwiceIsTheModelTwiceUnderOtherNames) {
  for (const auto& entry : fs::directory_iterator(LINKWORK_MODELS_DIR)) {
    if (entry.path().extension() != ".toml") continue;
    Diagnostics diagnostics;
    const auto alone = readModelFile(entry.path().string(), diagnostics);
    ASSERT_TRUE(alone) << diagnostics.format();
    const bool spatial = alone->space == Space::spatial;
    const std::string text = fmt::format(
        "linkwork = 1\nspace = \"{}\"\ngravity = {}\n[include]\na = {{ file = \"{}\" }}\nb = {{ file = \"{}\" }}\n",
        spatial ? "spatial" : "planar", spatial ? "[0, 0, 0]" : "[0, 0]", entry.path().filename().string(),
        entry.path().filename().string());
    const auto whole = readModelText(text, (fs::path(LINKWORK_MODELS_DIR) / "both.toml").string(), diagnostics);
    ASSERT_TRUE(whole) << entry.path() << "\n" << diagnostics.format();
    const Listing second{"b_", static_cast<int>(alone->bodies.size()), static_cast<int>(alone->joints.size())};
    EXPECT_EQ(second.of(*alone), Listing{}.of(after(*whole, *alone))) << entry.path();
  }
}

}  // namespace model_file_include_test
}  // namespace linkwork
