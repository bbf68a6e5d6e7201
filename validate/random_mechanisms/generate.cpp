#include "generate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "sketch.hpp"

namespace linkwork::random_mechanisms {

namespace {

using Choices = std::span<const std::pair<std::string_view, double>>;

constexpr std::array<std::pair<std::string_view, double>, 6> kTreeInPlane{
    {{"revolute", 65}, {"prismatic", 15}, {"pin_slot", 8}, {"fixed", 4}, {"distance", 5}, {"", 3}}};
constexpr std::array<std::pair<std::string_view, double>, 15> kTreeInSpace{{{"revolute", 35},
                                                                            {"spherical", 15},
                                                                            {"prismatic", 10},
                                                                            {"cylindrical", 8},
                                                                            {"universal", 8},
                                                                            {"planar", 4},
                                                                            {"screw", 4},
                                                                            {"constant_velocity", 4},
                                                                            {"pin_slot", 3},
                                                                            {"point_line", 3},
                                                                            {"point_plane", 2},
                                                                            {"distance", 3},
                                                                            {"fixed", 3},
                                                                            {"parallel_axes", 1},
                                                                            {"", 2}}};
constexpr std::array<std::pair<std::string_view, double>, 4> kLoopInPlane{
    {{"revolute", 60}, {"pin_slot", 15}, {"distance", 15}, {"prismatic", 10}}};
constexpr std::array<std::pair<std::string_view, double>, 10> kLoopInSpace{{{"spherical", 30},
                                                                            {"distance", 20},
                                                                            {"revolute", 15},
                                                                            {"point_line", 8},
                                                                            {"point_plane", 6},
                                                                            {"universal", 6},
                                                                            {"cylindrical", 6},
                                                                            {"planar", 4},
                                                                            {"perpendicular", 3},
                                                                            {"parallel_axes", 2}}};
// All axes meet in a point: spheres slide on each other, and every hinge of a loop but one repeats something.
constexpr std::array<std::pair<std::string_view, double>, 1> kHingesOnly{{{"revolute", 1}}};

void addTree(Sketch& sketch, int bodies, Choices kinds) {
  Draws& draws = sketch.draws();
  for (int k = 0; k < bodies; ++k) {
    const int last = static_cast<int>(sketch.parts().size()) - 1;
    const int parent = draws.chance(0.6) ? last : draws.below(last + 1);
    const V3 place = sketch.near(sketch.parts()[static_cast<std::size_t>(parent)].at, 0.6);
    const int body = sketch.addBody(sketch.near(place, 0.5));
    const std::string kind(draws.word(kinds));
    if (!kind.empty()) sketch.addJoint(kind, parent, body, place);
  }
}

void addLoops(Sketch& sketch, int loops, Choices kinds, int left) {
  Draws& draws = sketch.draws();
  for (int k = 0; k < 4 * loops && loops > 0; ++k) {
    const int count = static_cast<int>(sketch.parts().size());
    const int a = draws.below(count);
    const int b = draws.below(count);
    const std::string kind(draws.word(kinds));
    if (a == b || sketch.freedoms() - sketch.rowsOf(kind) < left) continue;
    sketch.addJoint(kind, a, b, sketch.near(sketch.parts()[static_cast<std::size_t>(b)].at, 0.5));
    --loops;
  }
}

// Loads, drives and rates, and what a file needs besides.
void dress(Sketch& sketch) {
  Draws& draws = sketch.draws();
  const int loads = draws.below(4);
  for (int k = 0; k < loads; ++k) sketch.addLoad();
  if (draws.chance(0.3)) sketch.addDrive();
  if (draws.chance(0.1)) sketch.addDrive();
  sketch.addRates();
  const char* g = draws.chance(0.85) ? "-9.81" : "0";
  sketch.text().head("linkwork = 1");
  sketch.text().head(fmt::format("space = \"{}\"", sketch.spatialFile() ? "spatial" : "planar"));
  sketch.text().head(sketch.spatialFile() ? fmt::format("gravity = [0, 0, {}]", g)
                                          : fmt::format("gravity = [0, {}]", g));
  sketch.text().until(std::round(100.0 * draws.between(0.3, 1.2)) / 100.0);
}

int digitsOfPlaces(Draws& draws) { return draws.chance(0.6) ? kAllDigits : draws.from(3, 7); }

std::string flatMechanism(Draws& draws, Setting setting) {
  Sketch sketch(setting, draws);
  // In a tilted plane rounded axes of loops are no longer parallel: assembly then has to find out what was meant.
  sketch.digits(setting == Setting::plane ? digitsOfPlaces(draws) : draws.chance(0.7) ? kAllDigits : draws.from(6, 12));
  addTree(sketch, draws.from(1, 6), kTreeInPlane);
  addLoops(sketch, draws.below(4), kLoopInPlane, draws.chance(0.15) ? 0 : 1);
  if (draws.chance(0.15)) sketch.repeatLastJoint();
  if (draws.chance(0.15) && sketch.freedoms() > 1) sketch.addRelation();
  dress(sketch);
  return sketch.text().text();
}

std::string spatialMechanism(Draws& draws) {
  Sketch sketch(Setting::space, draws);
  sketch.digits(digitsOfPlaces(draws));
  addTree(sketch, draws.from(1, 5), kTreeInSpace);
  addLoops(sketch, draws.below(3), kLoopInSpace, draws.chance(0.15) ? 0 : 1);
  if (draws.chance(0.15)) sketch.repeatLastJoint();
  if (draws.chance(0.15) && sketch.freedoms() > 1) sketch.addRelation();
  dress(sketch);
  return sketch.text().text();
}

std::string sphericalLinkage(Draws& draws) {
  Sketch sketch(Setting::space, draws);
  sketch.digits(draws.chance(0.7) ? kAllDigits : draws.from(6, 12));
  sketch.axesMeetAt({0.1, 0.2, 0.3});
  const int bodies = draws.from(3, 5);
  addTree(sketch, bodies, kHingesOnly);
  // A spherical loop of hinges takes two freedoms, not five.
  sketch.addJoint("revolute", draws.chance(0.8) ? 0 : 1, bodies, sketch.near(sketch.parts().back().at, 0.5));
  dress(sketch);
  return sketch.text().text();
}

// A plate on two to four equal cranks; lengths miss each other by a little in some.
std::string parallelCranks(Draws& draws) {
  const int cranks = draws.from(2, 4);
  const double r = std::round(1e3 * draws.between(0.1, 0.5)) / 1e3;
  const double off = draws.chance(0.5) ? 0.0 : std::pow(10.0, -draws.from(5, 11));
  const std::string angle = number(draws.between(0.3, 2.8), 6);
  ModelText text;
  text.head("linkwork = 1");
  text.head("space = \"planar\"");
  text.head("gravity = [0, -9.81]");
  text.add(Section::bodies, fmt::format("b1 = {{ position = [\"{}*cos({})\", \"{}*sin({})\"], mass = {}, inertia = "
                                        "0.1, com = [0.3, 0.05] }}",
                                        r, angle, r, angle, number(draws.spread(0.5, 5), 3)));
  for (int k = 0; k < cranks; ++k) {
    const double x = std::round(1e3 * (0.4 * k + draws.between(0.0, 0.2))) / 1e3;
    const double own = k + 1 == cranks ? r + off : r;
    const std::string name = fmt::format("b{}", k + 2);
    text.add(Section::bodies, fmt::format("{} = {{ position = [{}, 0], angle = {}, mass = {}, inertia = 0.01, com = "
                                          "[{}, 0], points = {{ tip = [{}, 0] }} }}",
                                          name, x, angle, number(draws.spread(0.2, 2), 3), number(0.5 * r, 4), own));
    text.add(Section::points, fmt::format("Q{} = [\"{} + {}*cos({})\", \"{}*sin({})\"]", k, x, r, angle, r, angle));
    text.add(Section::joints, fmt::format("j{} = {{ revolute = [\"ground\", \"{}\"], at = [{}, 0] }}", 2 * k, name, x));
    text.add(Section::joints, fmt::format("j{} = {{ revolute = [\"{}.tip\", \"b1.Q{}\"] }}", 2 * k + 1, name, k));
  }
  text.add(Section::initial, fmt::format("j0.rate = {}", number(draws.sign() * draws.between(1, 6), 3)));
  text.until(std::round(100.0 * draws.between(0.3, 1.2)) / 100.0);
  return text.text();
}

constexpr std::array<std::pair<std::string_view, double>, 5> kRecipes{
    {{"plane", 50}, {"space", 32}, {"tilted plane", 10}, {"spherical linkage", 5}, {"parallel cranks", 3}}};

}  // namespace

Generated randomMechanism(std::uint64_t seed, std::uint64_t index) {
  Draws draws(seed, index);
  const std::string_view recipe = draws.word(kRecipes);
  std::string text;
  if (recipe == "plane") text = flatMechanism(draws, Setting::plane);
  if (recipe == "space") text = spatialMechanism(draws);
  if (recipe == "tilted plane") text = flatMechanism(draws, Setting::tilted_plane);
  if (recipe == "spherical linkage") text = sphericalLinkage(draws);
  if (recipe == "parallel cranks") text = parallelCranks(draws);
  return {text, std::string(recipe)};
}

}  // namespace linkwork::random_mechanisms
