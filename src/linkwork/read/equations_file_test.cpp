#include "linkwork/read/equations_file.hpp"

#include <gtest/gtest.h>

#include "linkwork/formulation/equations/equations_start.hpp"

namespace linkwork::equations_file_test {

namespace {

constexpr const char* kHead = R"(linkwork = 1
space = "equations"
[parameters]
m = "2 kg"
b = "1 rad/m"
c = "1 m/s"
[coordinates]
x = "0 m"
y = "1 m"
)";

std::string refusalOf(const std::string& rest) {
  Diagnostics diagnostics;
  EXPECT_FALSE(readEquationsText(kHead + rest, "e.toml", diagnostics).has_value()) << rest;
  return diagnostics.format();
}

EquationsModel modelOf(const std::string& rest) {
  Diagnostics diagnostics;
  auto model = readEquationsText(kHead + rest, "e.toml", diagnostics);
  if (!model) throw std::runtime_error(diagnostics.format());
  return *std::move(model);
}

EquationsStart startOf(const std::string& rest) { return findEquationsStart(modelOf(rest)); }

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

constexpr const char* kPoint = "[bodies]\nP = { mass = \"m\", velocity = [\"x_rate\", \"y_rate\"] }\n";

}  // namespace

TEST(EquationsFile, NotLinearInRatesIsRefusedAtItsPlace) {
  const std::string text = refusalOf(std::string("[constraints]\nbad = \"y*x_rate*y_rate\"\n") + kPoint);
  EXPECT_TRUE(says(text, "e.toml:11:")) << text;
  EXPECT_TRUE(says(text, "constraint \"bad\": not linear in rates")) << text;
  EXPECT_TRUE(
      says(refusalOf(std::string("[quasivelocities]\nv = \"sqrt(x_rate^2 + y_rate^2)\"\nw = \"y_rate\"\n") + kPoint),
           "quasi-velocity \"v\": not linear in rates"));
  EXPECT_TRUE(says(refusalOf("z = 0\n[bodies]\nP = { mass = \"m\", velocity = [\"sin(z_rate)\", \"y_rate\"] }\n"),
                   "velocity of body \"P\": not linear in rates"));
  EXPECT_TRUE(says(refusalOf("[bodies]\nP = { kinetic_energy = \"m*x_rate^3\" }\n"), "not of the second degree"));
}

// What looks like a product but is none is taken.
TEST(EquationsFile, ProductsThatCancelAreLinear) {
  const EquationsModel model = modelOf(
      "[quasivelocities]\nv = \"x_rate + ((x_rate + y_rate)*(x_rate - y_rate) - x_rate^2 + y_rate^2)/c\"\nw = "
      "\"y_rate\"\n" +
      std::string(kPoint));
  EXPECT_EQ(model.freedoms(), 2);
}

TEST(EquationsFile, RatesMayNotStandInAPotential) {
  Diagnostics diagnostics;
  EXPECT_FALSE(
      readEquationsText(std::string("linkwork = 1\nspace = \"equations\"\npotential = \"9*x*x_rate\"\n"
                                    "[coordinates]\nx = 0\n[bodies]\nP = { mass = 1, velocity = \"x_rate\" }\n"),
                        "e.toml", diagnostics)
          .has_value());
  EXPECT_EQ(diagnostics.format(),
            "e.toml:3:18: error: potential: \"x_rate\" is a rate, and a potential depends on positions alone. Use t, "
            "parameters and coordinates alone.\n");
}

TEST(EquationsFile, CountsQuasiVelocities) {
  const std::string text = refusalOf(std::string("[quasivelocities]\nv = \"x_rate\"\n") + kPoint);
  EXPECT_TRUE(says(text, "2 coordinates and 0 constraints leave 2 quasi-velocities, but 1 is named")) << text;
  EXPECT_TRUE(says(refusalOf(std::string("[constraints]\none = \"x_rate\"\ntwo = \"y_rate\"\n") + kPoint),
                   "2 of 2 coordinates leave no freedom"));
}

TEST(EquationsFile, UnknownNamesHaveSuggestions) {
  EXPECT_TRUE(says(refusalOf("[bodies]\nP = { mass = \"m\", velocity = [\"x_rat\", \"y_rate\"] }\n"),
                   "Did you mean \"x_rate\"?"));
  EXPECT_TRUE(says(refusalOf(std::string(kPoint) + "[forces]\nxx = \"1 N\"\n"), "Did you mean \"x\"?"));
  EXPECT_TRUE(says(refusalOf(std::string(kPoint) + "[initial]\nx_rte = \"1 m/s\"\n"), "Did you mean \"x_rate\"?"));
  EXPECT_TRUE(says(refusalOf(std::string(kPoint) + "[initial]\nx = \"1 m\"\n"),
                   "the start of a coordinate stands in [coordinates]"));
}

TEST(EquationsFile, NamesAreOfOneThingOnly) {
  EXPECT_TRUE(says(refusalOf(std::string("[quasivelocities]\nm = \"x_rate\"\nw = \"y_rate\"\n") + kPoint),
                   "a parameter has this name"));
  EXPECT_TRUE(says(refusalOf(std::string("[quasivelocities]\nx_rate = \"x_rate\"\nw = \"y_rate\"\n") + kPoint),
                   "this is the rate of a coordinate"));
}

TEST(EquationsFile, DimensionsAreChecked) {
  EXPECT_TRUE(
      says(refusalOf("[bodies]\nP = { mass = \"m\", velocity = [\"x\", \"y_rate\"] }\n"), "expected a velocity"));
  EXPECT_TRUE(
      says(refusalOf("[bodies]\nP = { mass = \"2 m\", velocity = [\"x_rate\", \"y_rate\"] }\n"), "expected a mass"));
}

TEST(EquationsFile, MechanismReadersRefuseIt) {
  Diagnostics diagnostics;
  EXPECT_FALSE(readModelText(kHead, "e.toml", diagnostics).has_value());
  EXPECT_TRUE(says(diagnostics.format(), "e.toml:2:9: error: the file holds equations")) << diagnostics.format();
}

// With V_P, V_R, a and a_0 as lists the same model.
TEST(EquationsFile, MatricesSayTheSameAsFormulas) {
  const std::string formulas =
      "[quasivelocities]\nv = \"cos(b*y)*x_rate + sin(b*y)*y_rate + 0.3*t\"\n"
      "[constraints]\nside = \"-sin(b*y)*x_rate + cos(b*y)*y_rate\"\n"
      "[bodies]\nP = { mass = \"m\", velocity = [\"v + 0.1*x\", \"side\"] }\n[forces]\nv = \"-2*v\"\n";
  const std::string matrices =
      "[matrices]\nquasivelocities = [\"v\"]\nconstraints = [\"side\"]\n"
      "a = [[\"cos(b*y)\", \"sin(b*y)\"], [\"-sin(b*y)\", \"cos(b*y)\"]]\na_0 = [\"0.3*t\", 0]\nQ = [\"-2*v\"]\n"
      "[bodies]\nP = { mass = \"m\", V_P = [[1, 0], [0, 1]], V_R = [\"0.1*x\", 0] }\n";
  const std::string initial = "[initial]\nv = 0.7\n";
  std::vector<double> rates[2];
  for (int k = 0; k < 2; ++k) {
    const EquationsModel model = modelOf((k == 0 ? formulas : matrices) + initial);
    const EquationsStart start = findEquationsStart(model);
    ASSERT_TRUE(start.ok) << start.problem;
    const EquationsSystem system(model);
    rates[k].resize(start.x.size());
    const auto work = system.makeWorkspace();
    ASSERT_EQ(system.derivative(0.4, start.x, {}, *work, rates[k]), Eval::ok);
  }
  for (std::size_t k = 0; k < rates[0].size(); ++k) EXPECT_NEAR(rates[0][k], rates[1][k], 1e-15);
  EXPECT_NE(rates[0][2], 0.0);
}

TEST(EquationsFile, StartNamesWhatDependsOnOthers) {
  const EquationsStart start =
      startOf(std::string("[quasivelocities]\nv = \"x_rate + y_rate\"\nw = \"2*y_rate + 2*x_rate\"\n") + kPoint);
  EXPECT_FALSE(start.ok);
  EXPECT_EQ(start.problem, "quasi-velocity \"w\" depends on the others at the start: it is 2 v");
  EXPECT_EQ(start.where.line, 12);
  const EquationsStart repeated = startOf(
      "z = 0\n[constraints]\nfirst = \"x_rate - y_rate\"\nsecond = \"2*x_rate - 2*y_rate\"\n" + std::string(kPoint));
  EXPECT_EQ(repeated.problem, "constraint \"second\" depends on the others at the start: it is 2 first");
}

TEST(EquationsFile, StartNamesWhatHasNoMass) {
  const EquationsStart start = startOf("[bodies]\nP = { mass = \"m\", velocity = [\"x_rate\"] }\n");
  EXPECT_FALSE(start.ok);
  EXPECT_TRUE(says(start.problem, "not positive definite at the start: nothing resists a motion with 1 y_rate"))
      << start.problem;
}

TEST(EquationsFile, StartMeetsConstraintsOfPositions) {
  const EquationsModel model =
      modelOf(std::string("[constraints]\nring = \"x^2 + y^2 - 1.21\"\n") + kPoint + "[initial]\nx_rate = \"1 m/s\"\n");
  ASSERT_EQ(model.constraints.size(), 1U);
  EXPECT_TRUE(model.constraints[0].of_positions);
  EXPECT_EQ(model.positionFreedoms(), 1);
  const EquationsStart start = findEquationsStart(model);
  ASSERT_TRUE(start.ok) << start.problem;
  EXPECT_NEAR(start.x[1], 1.1, 1e-12);
  EXPECT_NEAR(start.x[2], 1.0, 1e-12);
  ASSERT_EQ(start.warnings.size(), 1U);
  EXPECT_TRUE(says(start.warnings[0], "\"y\" starts at 1.1 instead of 1")) << start.warnings[0];
}

TEST(EquationsFile, InitialValuesMayNotContradict) {
  const EquationsStart start = startOf(std::string("[constraints]\nslope = \"x_rate - 2*y_rate\"\n") + kPoint +
                                       "[initial]\nx_rate = \"1 m/s\"\ny_rate = \"1 m/s\"\n");
  EXPECT_FALSE(start.ok);
  EXPECT_TRUE(says(start.problem, "it contradicts the constraints")) << start.problem;
}

}  // namespace linkwork::equations_file_test
