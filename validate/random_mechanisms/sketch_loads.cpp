// What moves a sketch: drives, loads, and rates at the start.
#include <array>
#include <cmath>

#include "sketch.hpp"

namespace linkwork::random_mechanisms {

std::string Sketch::formulaOfTime(double size) {
  const std::string amount = number(size * draws_.sign() * draws_.between(0.2, 1), 4);
  const std::string rate = number(draws_.spread(0.5, 15), 4);
  switch (draws_.below(4)) {
    case 0: return fmt::format("{}*sin({}*t)", amount, rate);
    case 1: return fmt::format("{}*t", amount);
    case 2: return fmt::format("{}*(1 - cos({}*t))", amount, rate);
    default: return fmt::format("{}*tanh({}*t^2)", amount, rate);
  }
}

// Of time, a constant, or of a rate or place of the body itself.
std::string Sketch::scalarFormula(double size, const std::string& about) {
  const std::string amount = number(size * draws_.between(0.05, 0.5), 4);
  switch (draws_.below(4)) {
    case 0: return formulaOfTime(size);
    case 1: return number(draws_.sign() * size * draws_.between(0.2, 1), 4);
    case 2: return fmt::format("-{}*{}_rate", amount, about);
    default: return fmt::format("{} - {}*{}", formulaOfTime(size), amount, about);
  }
}

void Sketch::addDrive() {
  if (freedoms_ < 1 || coordinates_.empty()) return;
  const auto which = static_cast<std::size_t>(draws_.below(static_cast<int>(coordinates_.size())));
  const Coordinate& coordinate = coordinates_[which];
  // A joint that repeats another has the same coordinate.
  for (std::size_t k = 0; k < coordinates_.size(); ++k) {
    const bool same_bodies = coordinates_[k].first == coordinate.first && coordinates_[k].second == coordinate.second;
    if (driven_[k] && same_bodies) return;
  }
  driven_[which] = true;
  const double size = coordinate.word == "angle" ? 1.5 : 0.2;
  text_.add(Section::drives, fmt::format("d{} = {{ joint = \"{}\", {} = \"{} + {}\" }}", ++drives_, coordinate.joint,
                                         coordinate.word, number(coordinate.drawn, digits_), formulaOfTime(size)));
  --freedoms_;
}

std::string Sketch::someEnd() {
  const auto which = static_cast<std::size_t>(draws_.below(static_cast<int>(parts_.size())));
  const V3 place = near(parts_[which].at, 0.4);
  return fmt::format("{}.{}", parts_[which].name, pointAt(place));
}

void Sketch::addForce(const std::string& name) {
  const std::string body = parts_[static_cast<std::size_t>(draws_.from(1, static_cast<int>(parts_.size()) - 1))].name;
  const std::string x = scalarFormula(10, body + ".x");
  const std::string y = scalarFormula(10, body + ".y");
  const std::string components = spatialFile() && !flat()
                                     ? fmt::format("[\"{}\", \"{}\", \"{}\"]", x, y, scalarFormula(10, body + ".z"))
                                     : fmt::format("[\"{}\", \"{}\"]", x, y);
  const char* axes = draws_.chance(0.3) ? ", axes = \"body\"" : "";
  text_.add(Section::loads, fmt::format("{} = {{ force = {}, on = \"{}\"{} }}", name, components, body, axes));
}

void Sketch::addCouple(const std::string& name) {
  const std::string body = parts_[static_cast<std::size_t>(draws_.from(1, static_cast<int>(parts_.size()) - 1))].name;
  const std::string axis = spatialFile() ? fmt::format(", axis = {}", vectorText(flat() ? n_ : direction())) : "";
  const std::string size = spatialFile() ? formulaOfTime(2) : scalarFormula(2, body + ".angle");
  text_.add(Section::loads, fmt::format("{} = {{ couple = \"{}\", on = \"{}\"{} }}", name, size, body, axis));
}

void Sketch::addSpring(const std::string& name) {
  const std::string from = someEnd();
  const std::string to = someEnd();
  if (from.substr(0, from.find('.')) == to.substr(0, to.find('.'))) return;
  std::string line = fmt::format("{} = {{ spring = [\"{}\", \"{}\"], stiffness = {}", name, from, to,
                                 number(draws_.spread(5, 2000), 4));
  if (draws_.chance(0.5)) line += fmt::format(", damping = {}", number(draws_.spread(0.05, 20), 4));
  if (draws_.chance(0.5)) line += fmt::format(", free_length = {}", number(draws_.between(0.05, 0.6), 4));
  if (draws_.chance(0.15)) line += draws_.chance(0.5) ? ", tension_only = true" : ", compression_only = true";
  text_.add(Section::loads, line + " }");
}

void Sketch::addTurningSpring(const std::string& name) {
  for (const Coordinate& coordinate : coordinates_) {
    if (coordinate.word != "angle" || !draws_.chance(0.5)) continue;
    text_.add(Section::loads, fmt::format("{} = {{ rotational_spring = \"{}\", stiffness = {}, damping = {} }}", name,
                                          coordinate.joint, number(draws_.spread(0.5, 100), 4),
                                          number(draws_.chance(0.5) ? draws_.spread(0.01, 2) : 0, 3)));
    return;
  }
}

void Sketch::addBushing(const std::string& name) {
  const auto which = static_cast<std::size_t>(draws_.from(1, static_cast<int>(parts_.size()) - 1));
  const auto amounts = [this](double line, double turn) {
    const int each = spatialFile() ? 3 : 2;
    std::string out;
    for (int k = 0; k < each; ++k) out += fmt::format("{}, ", number(line * draws_.between(0.3, 1), 3));
    for (int k = 0; k < (spatialFile() ? 3 : 1); ++k)
      out += fmt::format("{}{}", k > 0 ? ", " : "", number(turn * draws_.between(0.3, 1), 3));
    return out;
  };
  const double stiffness = draws_.spread(50, 5000);
  text_.add(Section::loads,
            fmt::format("{} = {{ bushing = [\"ground\", \"{}\"], at = {}, stiffness = [{}], damping = "
                        "[{}] }}",
                        name, parts_[which].name, vectorText(near(parts_[which].at, 0.3)),
                        amounts(stiffness, 0.02 * stiffness), amounts(0.01 * stiffness, 2e-4 * stiffness)));
}

void Sketch::addActuator(const std::string& name) {
  if (coordinates_.empty()) return;
  const auto which = static_cast<std::size_t>(draws_.below(static_cast<int>(coordinates_.size())));
  const Coordinate& coordinate = coordinates_[which];
  if (!coordinate.has_rate) return;
  const bool turns = coordinate.word == "angle";
  const double size = turns ? 2.0 : 10.0;
  const std::string brake =
      draws_.chance(0.5) ? fmt::format(" - {}*{}.rate", number(0.1 * size, 3), coordinate.joint) : "";
  text_.add(Section::loads, fmt::format("{} = {{ actuator = \"{}\", {} = \"{}{}\" }}", name, coordinate.joint,
                                        turns ? "torque" : "force", formulaOfTime(size), brake));
}

void Sketch::addLoad() {
  const std::string name = fmt::format("l{}", ++loads_);
  constexpr std::array<std::pair<std::string_view, double>, 6> kLoads{
      {{"force", 2}, {"couple", 1}, {"spring", 4}, {"turning", 2}, {"bushing", 1}, {"actuator", 2}}};
  const std::string_view kind = draws_.word(kLoads);
  if (kind == "force" && setting_ != Setting::tilted_plane) addForce(name);
  if (kind == "couple") addCouple(name);
  if (kind == "spring") addSpring(name);
  if (kind == "turning") addTurningSpring(name);
  if (kind == "bushing" && setting_ != Setting::tilted_plane) addBushing(name);
  if (kind == "actuator") addActuator(name);
}

void Sketch::addRates() {
  for (const Coordinate& coordinate : coordinates_) {
    if (!coordinate.has_rate || !draws_.chance(0.5)) continue;
    const double size = coordinate.word == "angle" ? 4.0 : 0.8;
    // Wishes: loops may forbid what was drawn.
    text_.add(Section::initial, fmt::format("{}.rate = {{ value = {}, weight = 1 }}", coordinate.joint,
                                            number(draws_.between(-size, size), 4)));
  }
}

}  // namespace linkwork::random_mechanisms
