#include "sketch.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "linkwork/base/contract.hpp"

namespace linkwork::random_mechanisms {

namespace {

double length(const V3& v) { return std::sqrt(dot(v, v)); }

struct Kind {
  const char* name;
  int in_plane;  // rows; 0: there is none in the plane
  int in_space;
};
constexpr std::array<Kind, 15> kKinds{{{"revolute", 2, 5},
                                       {"prismatic", 2, 5},
                                       {"pin_slot", 1, 4},
                                       {"fixed", 3, 6},
                                       {"distance", 1, 1},
                                       {"spherical", 0, 3},
                                       {"cylindrical", 0, 4},
                                       {"universal", 0, 4},
                                       {"planar", 0, 3},
                                       {"screw", 0, 5},
                                       {"constant_velocity", 0, 4},
                                       {"point_line", 0, 2},
                                       {"point_plane", 0, 1},
                                       {"parallel_axes", 0, 2},
                                       {"perpendicular", 0, 1}}};

}  // namespace

Sketch::Sketch(Setting setting, Draws& draws) : setting_(setting), draws_(draws) {
  if (setting == Setting::tilted_plane) {
    n_ = {draws.between(-1, 1), draws.between(-1, 1), draws.between(0.2, 1)};
    n_ = n_ * (1.0 / length(n_));
    u_ = cross(V3{0, 1, 0}, n_);
    u_ = u_ * (1.0 / length(u_));
    v_ = cross(n_, u_);
    origin_ = {draws.between(-1, 1), draws.between(-1, 1), draws.between(-1, 1)};
  }
  parts_.push_back({"ground", origin_, 0.0});
}

V3 Sketch::near(const V3& place, double reach) {
  const double r = draws_.between(0.3 * reach, reach);
  const double a = draws_.between(-std::numbers::pi, std::numbers::pi);
  if (flat()) return place + u_ * (r * std::cos(a)) + v_ * (r * std::sin(a));
  return place + direction() * r;
}

V3 Sketch::direction() {
  const double a = draws_.between(-std::numbers::pi, std::numbers::pi);
  if (flat()) return u_ * std::cos(a) + v_ * std::sin(a);
  const double z = draws_.between(-1, 1);
  const double r = std::sqrt(1.0 - z * z);
  return {r * std::cos(a), r * std::sin(a), z};
}

V3 Sketch::across(const V3& direction) {
  const V3 any = std::abs(direction.x) < 0.6 ? V3{1, 0, 0} : V3{0, 1, 0};
  const V3 first = cross(direction, any) * (1.0 / length(cross(direction, any)));
  const double a = draws_.between(-std::numbers::pi, std::numbers::pi);
  return first * std::cos(a) + cross(direction, first) * (std::sin(a) / length(direction));
}

V3 Sketch::axisThrough(const V3& place) {
  if (meet_ && length(place - *meet_) > 1e-3) return (place - *meet_) * (1.0 / length(place - *meet_));
  return direction();
}

std::string Sketch::vectorText(const V3& v) const {
  const auto text = [this](double value) { return number(value, digits_); };
  if (setting_ == Setting::plane) return fmt::format("[{}, {}]", text(v.x), text(v.y));
  return fmt::format("[{}, {}, {}]", text(v.x), text(v.y), text(v.z));
}

std::string Sketch::pointAt(const V3& place) {
  std::string name = fmt::format("P{}", ++points_);
  text_.add(Section::points, fmt::format("{} = {}", name, vectorText(place)));
  return name;
}

int Sketch::addBody(const V3& at) {
  const int index = static_cast<int>(parts_.size());
  Part part{fmt::format("b{}", index), at, flat() ? draws_.between(-3, 3) : 0.0};
  const auto text = [this](double value) { return number(value, std::min(digits_, 6)); };
  const double mass = draws_.spread(0.2, 5);
  const double a = draws_.between(0.1, 0.6);
  const double b = draws_.between(0.05, 0.4);
  const double c = draws_.between(0.05, 0.4);
  std::string line = fmt::format("{} = {{ position = {}", part.name, vectorText(at));
  if (setting_ == Setting::plane) {
    line += fmt::format(", angle = {}", number(part.angle, digits_));
  } else if (setting_ == Setting::tilted_plane) {
    const V3 x = u_ * std::cos(part.angle) + v_ * std::sin(part.angle);
    line += fmt::format(", rotation = {{ z = {}, x = {} }}", vectorText(n_), vectorText(x));
  } else if (draws_.chance(0.8)) {
    const V3 axis = direction();
    line += fmt::format(", rotation = {{ axis = {}, angle = {} }}", vectorText(axis), text(draws_.between(-3, 3)));
  }
  line += fmt::format(", mass = {}", text(mass));
  const double k = mass / 12.0;
  if (spatialFile()) {
    line += fmt::format(", inertia = [{}, {}, {}]", text(k * (b * b + c * c)), text(k * (a * a + c * c)),
                        text(k * (a * a + b * b)));
  } else {
    line += fmt::format(", inertia = {}", text(k * (a * a + b * b)));
  }
  if (draws_.chance(0.6)) {
    const double x = draws_.between(-0.2, 0.2);
    const double y = draws_.between(-0.2, 0.2);
    // In a tilted plane a centre of mass beside it would bend nothing but the reactions; let it.
    const double z = draws_.between(-0.1, 0.1);
    line += spatialFile() ? fmt::format(", com = [{}, {}, {}]", text(x), text(y), text(z))
                          : fmt::format(", com = [{}, {}]", text(x), text(y));
  }
  text_.add(Section::bodies, line + " }");
  parts_.push_back(part);
  freedoms_ += spatialFile() && setting_ != Setting::tilted_plane ? 6 : 3;
  return index;
}

// In a tilted plane freedoms are counted as in the plane: what its joints hold beside that is held many times.
int Sketch::rowsOf(const std::string& kind) const {
  for (const Kind& known : kKinds) {
    if (kind == known.name) return flat() ? known.in_plane : known.in_space;
  }
  throw ContractError("no joint is called " + kind);
}

std::string Sketch::directionsOf(const std::string& kind, const V3& axis) {
  const std::string along = vectorText(axis);
  if (kind == "fixed" || kind == "spherical") return "";
  if (setting_ == Setting::plane) return kind == "revolute" ? "" : fmt::format(", axis = {}", along);
  if (kind == "pin_slot") {
    // The reader wants a right angle, to 1e-6.
    const auto exact = [](const V3& v) { return fmt::format("[{}, {}, {}]", v.x, v.y, v.z); };
    return fmt::format(", axis = {}, normal = {}", exact(axis), exact(flat() ? n_ : across(axis)));
  }
  if (kind == "universal" || kind == "perpendicular")
    return fmt::format(", axes = [{}, {}]", along, vectorText(across(axis)));
  if (kind == "planar" || kind == "point_plane") return fmt::format(", normal = {}", along);
  if (kind == "screw") {
    const double pitch = draws_.sign() * draws_.between(0.05, 0.5);
    return fmt::format(", axis = {}, pitch = {}", along, number(pitch, 4));
  }
  return fmt::format(", axis = {}", along);
}

void Sketch::noteCoordinates(const std::string& kind, const std::string& name, int first, int second) {
  const Part& a = parts_[static_cast<std::size_t>(first)];
  const Part& b = parts_[static_cast<std::size_t>(second)];
  const auto note = [&](const char* word, double drawn, bool has_rate) {
    coordinates_.push_back({name, word, drawn, has_rate, a.name, b.name});
    driven_.push_back(false);
  };
  // In the plane the angle of a hinge is that of the body frames, in space it is counted from the drawing.
  const double turned = setting_ == Setting::plane ? b.angle - a.angle : 0.0;
  if (kind == "revolute") note("angle", turned, true);
  if (kind == "prismatic" || kind == "pin_slot") note("slide", 0.0, kind == "prismatic");
  if (kind == "cylindrical") {
    note("angle", 0.0, false);
    note("slide", 0.0, false);
  }
}

void Sketch::addJoint(const std::string& kind, int first, int second, const V3& place) {
  const bool hinge = kind == "revolute";
  addJointAlong(kind, first, second, place, flat() ? (hinge ? n_ : direction()) : axisThrough(place));
}

void Sketch::addJointAlong(const std::string& kind, int first, int second, const V3& place, const V3& axis) {
  const std::string name = fmt::format("j{}", ++joints_);
  const std::string& a = parts_[static_cast<std::size_t>(first)].name;
  const std::string& b = parts_[static_cast<std::size_t>(second)].name;
  if (kind == "distance") {
    const std::string from = pointAt(place);
    const std::string to = pointAt(near(place, 0.5));
    text_.add(Section::joints, fmt::format("{} = {{ distance = [\"{}.{}\", \"{}.{}\"] }}", name, a, from, b, to));
  } else {
    const bool placeless = kind == "parallel_axes" || kind == "perpendicular";
    text_.add(Section::joints,
              fmt::format("{} = {{ {} = [\"{}\", \"{}\"]{}{} }}", name, kind, a, b,
                          placeless ? "" : fmt::format(", at = {}", vectorText(place)), directionsOf(kind, axis)));
  }
  freedoms_ -= rowsOf(kind);
  noteCoordinates(kind, name, first, second);
  last_ = {kind, first, second, place, axis};
}

void Sketch::repeatLastJoint() {
  if (last_.kind.empty() || last_.kind == "distance") return;
  const int before = freedoms_;
  V3 place = last_.place;
  // A second hinge on the same line, a second guide beside the first: a door, a drawer.
  const bool line = last_.kind == "revolute" || last_.kind == "cylindrical" || last_.kind == "prismatic";
  if (line && spatialFile()) place = place + last_.axis * draws_.between(0.1, 0.8);
  if (last_.kind == "prismatic" && setting_ == Setting::plane) place = near(place, 0.3);
  const std::string kind = last_.kind == "prismatic" && !flat() && draws_.chance(0.5) ? "cylindrical" : last_.kind;
  addJointAlong(kind, last_.first, last_.second, place, last_.axis);
  freedoms_ = before;  // it repeats what is there
}

void Sketch::addRelation() {
  if (coordinates_.size() < 2) return;
  const int count = static_cast<int>(coordinates_.size());
  const Coordinate& a = coordinates_[static_cast<std::size_t>(draws_.below(count))];
  const Coordinate& b = coordinates_[static_cast<std::size_t>(draws_.below(count))];
  if (a.joint == b.joint) return;
  const std::string name = fmt::format("j{}", ++joints_);
  const std::string factor = number(draws_.sign() * draws_.between(0.3, 2), 4);
  const bool hinges = a.word == "angle" && b.word == "angle" && a.has_rate && b.has_rate;
  const bool common = a.first == b.first || a.first == b.second || a.second == b.first || a.second == b.second;
  if (hinges && common && draws_.chance(0.5)) {
    text_.add(Section::joints,
              fmt::format("{} = {{ gear = [\"{}\", \"{}\"], radii = [{}, {}] }}", name, a.joint, b.joint,
                          number(draws_.between(0.1, 0.5), 3), number(draws_.between(0.1, 0.5), 3)));
  } else {
    text_.add(Section::joints, fmt::format("{} = {{ coupling = {{ \"{}.{}\" = 1, \"{}.{}\" = {} }} }}", name, a.joint,
                                           a.word, b.joint, b.word, factor));
  }
  --freedoms_;
}

}  // namespace linkwork::random_mechanisms
