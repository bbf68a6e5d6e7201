// Values of parameters from outside: a model read with one is the model whose file says it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "linkwork/model/mechanism_listing_for_tests.hpp"
#include "linkwork/read/model_file.hpp"

namespace linkwork {
namespace model_file_set_test {

using test::MechanismListing;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

const std::string kHead = "linkwork = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n";  // 3 lines

const std::string kChain = kHead + R"toml([parameters]
N = 3
L = "30 cm"
half = "L/2"
tilt = "30 deg"
rho = 7850
[repeat]
k = { from = 1, to = "N" }
[points]
P0 = [0, 0]
"P{k}" = ["{k}*L*cos(tilt)", "{k}*L*sin(tilt)"]
[bodies]
"link{k}" = { rod = ["P{k-1}", "P{k}"], mass = 1, points = { middle = ["half", 0] } }
[joints]
"J{k}" = { revolute = ["link{k}", "ground"], at = "P{k}" }
)toml";

ReadOptions with(const std::vector<ParameterSetting>& set) {
  ReadOptions options;
  options.set = set;
  return options;
}

Mechanism readWith(const std::string& text, const std::vector<ParameterSetting>& set) {
  Diagnostics diagnostics;
  auto mechanism = readModelText(text, "m.toml", diagnostics, with(set));
  if (!mechanism) throw std::runtime_error(diagnostics.format());
  return *std::move(mechanism);
}

std::string refusalOf(const std::string& text, const std::vector<ParameterSetting>& set) {
  Diagnostics diagnostics;
  EXPECT_FALSE(readModelText(text, "m.toml", diagnostics, with(set)).has_value());
  return diagnostics.format();
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

TEST(SetParameters, ReachFormulasUnitsRepeatsAndOtherParameters) {
  const Mechanism m = readWith(kChain, {{"N", "5"}, {"L", "2*N*10 [cm]"}, {"tilt", "90 deg"}});
  ASSERT_EQ(m.bodies.size(), 5U);
  const double length = 2 * 5 * 0.1;
  EXPECT_DOUBLE_EQ(m.bodies[4].points[1].at[0].number, length);
  EXPECT_DOUBLE_EQ(m.bodies[0].points[2].at[0].number, length / 2);
  EXPECT_EQ(m.parameters[1].value.expr, Expr(2.0) * Expr::symbol("N") * Expr(0.1));
  EXPECT_EQ(m.parameters[1].unit, "m");
  ASSERT_EQ(m.set.size(), 3U);
  EXPECT_EQ(m.set[1].value, "2*N*10 [cm]");
}

TEST(SetParameters, ReplaceAFormulaInOtherParameters) {
  const Mechanism m = readWith(kChain, {{"half", "1 m"}});
  EXPECT_EQ(m.parameters[2].value.number, 1.0);
  EXPECT_TRUE(m.parameters[2].value.expr.isNumber());
  EXPECT_EQ(m.parameters[1].value.number, 0.3);
  // The other way round: what depended on it is what it depends on now.
  const Mechanism turned = readWith(kChain, {{"half", "10 cm"}, {"L", "2*half"}});
  EXPECT_DOUBLE_EQ(turned.parameters[1].value.number, 0.2);
}

TEST(SetParameters, PlainNumbersHaveTheDimensionOfTheFile) {
  EXPECT_EQ(readWith(kChain, {{"L", "0.25"}}).parameters[1].unit, "m");
  EXPECT_EQ(readWith(kChain, {{"L", "25 cm"}}).parameters[1].value.number, 0.25);
  EXPECT_EQ(readWith(kChain, {{"rho", "7.8 g/cm^3"}}).parameters[4].unit, "kg/m^3");  // takes any
  EXPECT_EQ(readWith(kChain, {{"tilt", "0.5"}}).parameters[3].value.number, 0.5);
}

TEST(SetParameters, AreNotedWhereTheParameterStands) {
  Diagnostics diagnostics;
  ASSERT_TRUE(readModelText(kChain, "m.toml", diagnostics, with({{"L", "1 m"}})));
  EXPECT_EQ(diagnostics.all().front().line, 6);
  EXPECT_THAT(diagnostics.format(), HasSubstr("m.toml:6:1: note: parameter \"L\" is set to 1 m.\n"));
}

// The line with the mistake is one of the file, which does not say what was found there.
TEST(SetParameters, AreNotedAlsoWhereTheirValueIsRefused) {
  const std::string model =
      kHead +
      "[parameters]\nm = \"5 kg\"\n[bodies]\nb = { position = [0, 0], mass = \"m\", inertia = 1, free = true }\n";
  const std::string refusal = refusalOf(model, {{"m", "-1 kg"}});
  EXPECT_THAT(refusal, HasSubstr("m.toml:7:"));
  EXPECT_THAT(refusal, HasSubstr("got -1"));
  EXPECT_THAT(refusal, HasSubstr("m.toml:5:1: note: parameter \"m\" is set to -1 kg.\n"));
}

TEST(SetParameters, SayWhatIsWrong) {
  EXPECT_EQ(refusalOf(kChain, {{"hal", "1 m"}}),
            "--set hal=1 m: error: m.toml has no parameter \"hal\". Did you mean \"half\"?\n");
  EXPECT_EQ(refusalOf(kChain, {{"mass_of_it", "1"}}),
            "--set mass_of_it=1: error: m.toml has no parameter \"mass_of_it\". It has L, N, half, rho, tilt.\n");
  EXPECT_EQ(refusalOf(kChain, {{"k", "1"}}),
            "--set k=1: error: \"k\" is an index of [repeat], not a parameter. Set a parameter that its range uses.\n");
  EXPECT_EQ(refusalOf(kChain, {{"L", "3 kg"}}),
            "--set L=3 kg: error: parameter \"L\": expected a length (m) as in m.toml:6, got a mass (kg).\n");
  EXPECT_EQ(refusalOf(kChain, {{"L", "3 mmm"}}),
            "--set L=3 mmm: error: parameter \"L\": unknown unit \"mmm\". Did you mean \"mm\"?\n");
  EXPECT_EQ(refusalOf(kChain, {{"L", "3*helf"}}),
            "--set L=3*helf: error: parameter \"L\": unknown name \"helf\". Did you mean \"half\"?\n");
  EXPECT_EQ(refusalOf(kChain, {{"L", "2*half"}}),
            "--set L=2*half: error: parameter \"L\" is defined by itself: L -> half -> L.\n");
  EXPECT_EQ(refusalOf(kChain, {{"L", "1 m"}, {"L", "2 m"}}),
            "--set L=2 m: error: parameter \"L\" is set twice, first to 1 m. Give one of them.\n"
            "m.toml:6:1: note: parameter \"L\" is set to 1 m.\n");
  EXPECT_THAT(refusalOf(kChain, {{"N", "2.5"}}), HasSubstr("to of repeat \"k\": expected a whole number, got 2.5."));
  EXPECT_EQ(
      refusalOf(kHead + "[bodies]\nb = { position = [0, 0], mass = 1, inertia = 1, free = true }\n", {{"L", "1"}}),
      "--set L=1: error: m.toml has no parameter \"L\". It has none: only what stands in [parameters] can be "
      "set.\n");
  // What is wrong in the file itself comes first.
  EXPECT_THAT(refusalOf(replaced(kChain, "30 cm", "30 cmm"), {{"L", "1 m"}}), HasSubstr("m.toml:6:"));
}

TEST(SetParameters, AreSplitAtTheFirstEqualsSign) {
  Diagnostics diagnostics;
  const auto setting = parseSetting(" L = 12 mm ", diagnostics);
  ASSERT_TRUE(setting);
  EXPECT_EQ(setting->name, "L");
  EXPECT_EQ(setting->value, "12 mm");
  EXPECT_FALSE(parseSetting("L", diagnostics));
  EXPECT_FALSE(parseSetting("=3", diagnostics));
  EXPECT_FALSE(parseSetting("L=", diagnostics));
  EXPECT_EQ(diagnostics.format(),
            "--set =3: error: expected NAME=VALUE, but there is no name before the \"=\". Write, for example, --set "
            "\"L=12 mm\".\n"
            "--set L: error: expected NAME=VALUE, but there is no \"=\". Write, for example, --set \"L=12 mm\".\n"
            "--set L=: error: expected NAME=VALUE, but there is no value after the \"=\". Write, for example, --set "
            "\"L=12 mm\".\n");
}

// --- included files

class SetInIncluded : public ::testing::Test {
 protected:
  SetInIncluded() {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(LINKWORK_BINARY_DIR) / "set_test" / info->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    write("rod.toml", kHead + R"toml([parameters]
N = 1
L = "30 cm"
[repeat]
k = { from = 1, to = "N" }
[points]
P0 = [0, 0]
"P{k}" = ["L", 0]
[bodies]
"link{k}" = { rod = ["P0", "P{k}"], mass = 1 }
[joints]
"J{k}" = { revolute = ["link{k}", "ground"], at = "P0" }
)toml");
    write("pair.toml", kHead + R"toml([parameters]
W = "1 m"
[include]
left = { file = "rod.toml", parameters = { L = "2*W" } }
right = { file = "rod.toml" }
)toml");
    write("main.toml", kHead + R"toml([parameters]
size = "5 m"
[include]
a = { file = "pair.toml" }
b = { file = "pair.toml", parameters = { W = "size" } }
)toml");
  }
  ~SetInIncluded() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

  std::optional<Mechanism> read(const std::vector<ParameterSetting>& set) {
    return readModelFile((folder_ / "main.toml").string(), diagnostics_, with(set));
  }

  // Lengths of the rods, in the order of the file.
  std::vector<double> lengths(const std::vector<ParameterSetting>& set) {
    const auto mechanism = read(set);
    EXPECT_TRUE(mechanism) << diagnostics_.format();
    std::vector<double> out;
    if (!mechanism) return out;
    for (const Body& body : mechanism->bodies) out.push_back(body.points.back().at[0].number);
    return out;
  }

  fs::path folder_;
  Diagnostics diagnostics_;
};

TEST_F(SetInIncluded, ArePassedDownByThePrefixedName) {
  EXPECT_THAT(lengths({}), ElementsAre(2.0, 0.3, 10.0, 0.3));
  EXPECT_THAT(lengths({{"a_left_L", "7 m"}}), ElementsAre(7.0, 0.3, 10.0, 0.3));
  EXPECT_THAT(lengths({{"a_W", "3 m"}, {"b_right_L", "4"}}), ElementsAre(6.0, 0.3, 10.0, 4.0));
  EXPECT_THAT(lengths({{"b_W", "0.5 m"}}), ElementsAre(2.0, 0.3, 1.0, 0.3));
  EXPECT_THAT(lengths({{"size", "1 m"}}), ElementsAre(2.0, 0.3, 2.0, 0.3));
  EXPECT_THAT(lengths({{"b_right_N", "2"}}), ElementsAre(2.0, 0.3, 10.0, 0.3, 0.3));
}

TEST_F(SetInIncluded, MayBeFormulasInParametersOfTheMainFile) {
  const auto mechanism = read({{"b_right_L", "size/2"}, {"size", "3 m"}});
  ASSERT_TRUE(mechanism) << diagnostics_.format();
  EXPECT_EQ(mechanism->bodies[3].points.back().at[0].number, 1.5);
  const auto& list = mechanism->parameters;
  const auto found = std::find_if(list.begin(), list.end(), [](const Parameter& p) { return p.name == "b_right_L"; });
  ASSERT_NE(found, list.end());
  EXPECT_EQ(found->value.expr, Expr::symbol("size") / Expr(2.0));
}

TEST_F(SetInIncluded, SayWhatIsWrong) {
  EXPECT_FALSE(read({{"a_left_M", "1"}}));
  EXPECT_THAT(diagnostics_.format(), HasSubstr("--set a_left_M=1: error: "));
  EXPECT_THAT(diagnostics_.format(), HasSubstr("has no parameter \"a_left_M\". Did you mean \"a_left_L\"?"));
  diagnostics_ = {};
  EXPECT_FALSE(read({{"a_left_L", "1 kg"}}));
  EXPECT_THAT(diagnostics_.format(), HasSubstr("--set a_left_L=1 kg: error: parameter \"L\": expected a length (m)"));
}

TEST_F(SetInIncluded, ProposeTheNamesThatPartsHaveInTheWhole) {
  EXPECT_FALSE(read({{"left_L", "1 m"}}));
  EXPECT_THAT(diagnostics_.format(), HasSubstr("has no parameter \"left_L\". Did you mean one of a_left_L, b_left_L?"));
  diagnostics_ = {};
  EXPECT_FALSE(read({{"right", "1 m"}}));
  EXPECT_THAT(diagnostics_.format(), HasSubstr("Did you mean one of a_right_L, "));
  diagnostics_ = {};
  EXPECT_FALSE(read({{"mass_of_it", "1"}}));
  EXPECT_THAT(diagnostics_.format(), HasSubstr("It has a_W, "));
}

TEST(SetParameters, ListTheFirstOfMany) {
  std::string model = kHead + "[parameters]\n";
  for (int k = 10; k < 40; ++k) model += "p" + std::to_string(k) + " = 1\n";
  const std::string refusal = refusalOf(model, {{"something_else", "1"}});
  EXPECT_THAT(refusal, HasSubstr("It has p10, p11, "));
  EXPECT_THAT(refusal, HasSubstr(", p28, p29 and 10 others."));
}

// An include may give a value to a part of its part too.
TEST_F(SetInIncluded, IncludesGiveValuesToPartsOfTheirParts) {
  write("main.toml", kHead + R"toml([parameters]
size = "5 m"
[include]
a = { file = "pair.toml", parameters = { right_L = "2*size" } }
)toml");
  const auto mechanism = read({});
  ASSERT_TRUE(mechanism) << diagnostics_.format();
  EXPECT_EQ(mechanism->bodies[1].points.back().at[0].number, 10.0);
}

// --- the shipped models

std::string textOf(const fs::path& path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

// The file's text with another value for the parameter; empty if it has no line for it.
std::string withLine(const std::string& text, const std::string& name, const std::string& value) {
  std::istringstream lines(text);
  std::string out;
  bool in_parameters = false;
  bool found = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('[')) in_parameters = line.starts_with("[parameters]");
    const std::size_t end = line.find_first_of(" =");
    if (in_parameters && !found && line.substr(0, end) == name) {
      line = name + " = \"" + value + "\"";
      found = true;
    }
    out += line + "\n";
  }
  return found ? out : std::string();
}

TEST(SetShipped, IsWhatTheFileWithThatValueIs) {
  int changed = 0;
  for (const auto& entry : fs::directory_iterator(LINKWORK_MODELS_DIR)) {
    if (entry.path().extension() != ".toml") continue;
    const std::string path = entry.path().string();
    const std::string text = textOf(path);
    Diagnostics diagnostics;
    const auto model = readModelText(text, path, diagnostics);
    ASSERT_TRUE(model) << diagnostics.format();
    for (const Parameter& parameter : model->parameters) {
      const bool whole = parameter.unit.empty() && parameter.value.number == std::nearbyint(parameter.value.number);
      const double own = parameter.value.number;
      const double number = whole ? own + 1 : own == 0.0 ? 0.01 : 1.01 * own;
      const std::string value = fmt::format("{}{}{}", number, parameter.unit.empty() ? "" : " ", parameter.unit);
      const std::string other = withLine(text, parameter.name, value);
      if (other.empty()) continue;
      Diagnostics of_file;
      Diagnostics of_setting;
      const auto by_file = readModelText(other, path, of_file);
      const auto by_setting = readModelText(text, path, of_setting, with({{parameter.name, value}}));
      ASSERT_EQ(by_file.has_value(), by_setting.has_value()) << path << "\n" << of_file.format() << of_setting.format();
      if (!by_file) continue;
      EXPECT_EQ(MechanismListing::of(*by_setting), MechanismListing::of(*by_file)) << path << " " << parameter.name;
      EXPECT_NE(MechanismListing::of(*by_setting), MechanismListing::of(*model)) << path << " " << parameter.name;
      ++changed;
    }
  }
  EXPECT_GT(changed, 100);
}

}  // namespace model_file_set_test
}  // namespace linkwork
