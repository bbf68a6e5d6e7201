#include "linkwork/analyse/misfit_cure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linkwork/analyse/misfit_walk.hpp"
#include "linkwork/analyse/places.hpp"
#include "linkwork/linalg/semidefinite_ldlt.hpp"

namespace linkwork {

namespace {

// Each number of each joint is tried with some walks: beyond so many joints nobody waits for that.
constexpr std::size_t kMostJoints = 24;
// Poses to either side in the walks that a number is found with; the whole walk judges it.
constexpr int kStrides = 3;
// Differences: what is off is of this size or less, and walks repeat to round-off.
constexpr double kDifference = 1e-6;
constexpr int kIterations = 6;
// A number that does not take away most of what is open in one step is not the one that is off.
constexpr double kMends = 0.1;
// Directions of a number that do nothing.
constexpr double kNoEffect = 1e-8;

enum class AxisOf { none, x, z };
AxisOf axisOf(JointKind kind) {
  switch (kind) {
    case JointKind::revolute:
    case JointKind::cylindrical:
    case JointKind::screw: return AxisOf::z;
    case JointKind::prismatic: return AxisOf::x;
    default: return AxisOf::none;
  }
}

using V3 = Vec3<double>;

V3 inAxes(const Rotation3<double>& R, const V3& v) { return {dot(R.x, v), dot(R.y, v), dot(R.z, v)}; }

// A number of one joint that may be off, as the mechanism with it changed.
class Knob {
 public:
  Knob(const Mechanism& mechanism, const std::vector<double>& drawn, int joint, MisfitCure::Number number,
       BodyIndex body)
      : mechanism_(mechanism), drawn_(drawn), joint_(joint), number_(number), body_(body) {
    if (number != MisfitCure::Number::axis) return;
    const Place seen = frameAsDrawn();
    const bool along_x = axisOf(own().kind) == AxisOf::x;
    axis_ = along_x ? seen.R.x : seen.R.z;
    across_ = along_x ? std::array{seen.R.y, seen.R.z} : std::array{seen.R.x, seen.R.y};
  }

  std::size_t size() const {
    if (number_ == MisfitCure::Number::axis) return 2;
    return mechanism_.space == Space::spatial ? 3 : 2;
  }
  // What a change by 1 is, in reference lengths or radians.
  double unit(double length) const { return number_ == MisfitCure::Number::axis ? 1.0 : length; }

  Mechanism changedBy(const std::vector<double>& by) const {
    Mechanism out = mechanism_;
    Joint& joint = out.joints[at(joint_)];
    if (number_ == MisfitCure::Number::place_on_body) {
      Frame& frame = joint.first == body_ ? joint.on_first : joint.on_second;
      for (std::size_t k = 0; k < by.size(); ++k) frame.point[k] = Value(frame.point[k].number + by[k]);
      return out;
    }
    change(joint.first, joint.on_first, by);
    change(joint.second, joint.on_second, by);
    return out;
  }

  MisfitCure cure(const std::vector<double>& by, double length) const {
    MisfitCure out;
    out.joint = joint_;
    out.number = number_;
    out.body = body_;
    for (const double value : by) out.change = std::max(out.change, std::abs(value) / unit(length));
    if (number_ == MisfitCure::Number::axis) {
      const V3 turned = rotate(turnBy(by), axis_);
      out.value = {turned.x, turned.y, turned.z};
    } else if (number_ == MisfitCure::Number::place) {
      const V3 place = frameAsDrawn().r;
      out.value = {place.x, place.y, place.z};
    } else {
      const Frame& frame = own().first == body_ ? own().on_first : own().on_second;
      for (std::size_t k = 0; k < 3; ++k) out.value[k] = frame.point[k].number;
    }
    if (number_ != MisfitCure::Number::axis) {
      for (std::size_t k = 0; k < by.size(); ++k) out.value[k] += by[k];
    }
    return out;
  }

 private:
  const Joint& own() const { return mechanism_.joints[at(joint_)]; }
  // Both frames of a joint that closes as drawn stand at one place; that of the ground has no round-off of a body's.
  Place frameAsDrawn() const {
    return own().second.valid() ? placeOfFrame(mechanism_, own().first, own().on_first, drawn_)
                                : placeOfFrame(mechanism_, own().second, own().on_second, drawn_);
  }

  static Quaternion conjugate(const Quaternion& q) { return {q[0], -q[1], -q[2], -q[3]}; }
  static V3 rotate(const Quaternion& turn, const V3& v) {
    const Quaternion out = product(product(turn, {0.0, v.x, v.y, v.z}), conjugate(turn));
    return {out[1], out[2], out[3]};
  }
  // About the two directions across the axis.
  Quaternion turnBy(const std::vector<double>& by) const {
    const V3 turn = across_[0] * by[0] + across_[1] * by[1];
    const double angle = std::sqrt(dot(turn, turn));
    const double share = angle > 0.0 ? std::sin(0.5 * angle) / angle : 0.5;
    return {std::cos(0.5 * angle), share * turn.x, share * turn.y, share * turn.z};
  }

  // The frame on a body, moved in ground axes as drawn.
  void change(BodyIndex body, Frame& frame, const std::vector<double>& by) const {
    const Place own_axes = placeOfBody(mechanism_, body, drawn_);
    if (number_ == MisfitCure::Number::axis) {
      const Quaternion turn = turnBy(by);
      const V3 part = inAxes(own_axes.R, {turn[1], turn[2], turn[3]});
      frame.rotation = product({turn[0], part.x, part.y, part.z}, frame.rotation);
      return;
    }
    const V3 shift = inAxes(own_axes.R, {by[0], by[1], by.size() > 2 ? by[2] : 0.0});
    const std::array<double, 3> parts{shift.x, shift.y, shift.z};
    for (std::size_t k = 0; k < by.size(); ++k) frame.point[k] = Value(frame.point[k].number + parts[k]);
  }

  const Mechanism& mechanism_;
  const std::vector<double>& drawn_;
  int joint_;
  MisfitCure::Number number_;
  BodyIndex body_;
  V3 axis_;
  std::array<V3, 2> across_;
};

double largestOf(const std::vector<double>& values) {
  double out = 0.0;
  for (const double value : values) out = std::max(out, std::abs(value));
  return out;
}

// What the rows open by in the poses of a walk, over what a number is changed by, made as small as it goes.
template <class G>
class Fit {
 public:
  Fit(const Knob& knob, double t, const std::vector<double>& turns, const std::vector<double>& q,
      const MisfitRows& misfit, double length)
      : knob_(knob), t_(t), turns_(turns), q_(q), misfit_(misfit), length_(length), by_(knob.size(), 0.0) {}

  bool mend(const std::vector<double>& open) {
    std::vector<double> left = open;
    for (int k = 0; k < kIterations && largestOf(left) > 0.1 * misfit_.fits; ++k) {
      if (!step(left)) return false;
      const auto now = openAt(by_);
      if (now.size() != open.size() || largestOf(now) > kMends * largestOf(open)) return false;
      left = now;
    }
    if (largestOf(left) > misfit_.fits) return false;
    return MisfitWalk<G>(knob_.changedBy(by_), t_, turns_)
               .widest(q_, misfit_.rows, misfit_.distance, misfit_.fits, misfit_.fits) <= misfit_.fits;
  }
  const std::vector<double>& by() const { return by_; }

  std::vector<double> openAt(const std::vector<double>& by) const {
    return MisfitWalk<G>(knob_.changedBy(by), t_, turns_).openings(q_, misfit_.rows, misfit_.distance, kStrides);
  }

 private:
  // Gauss and Newton.
  bool step(const std::vector<double>& open) {
    const std::size_t n = by_.size();
    std::vector<std::vector<double>> columns;
    const double difference = kDifference * knob_.unit(length_);
    for (std::size_t k = 0; k < n; ++k) {
      std::vector<double> beside = by_;
      beside[k] += difference;
      columns.push_back(openAt(beside));
      if (columns.back().size() != open.size()) return false;
      for (std::size_t i = 0; i < open.size(); ++i) columns[k][i] = (columns[k][i] - open[i]) / difference;
    }
    SemidefiniteLdlt normal(static_cast<int>(n));
    std::vector<double> right(n, 0.0);
    double greatest = 0.0;
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t l = 0; l <= k; ++l) {
        double sum = 0.0;
        for (std::size_t i = 0; i < open.size(); ++i) sum += columns[k][i] * columns[l][i];
        normal(static_cast<int>(k), static_cast<int>(l)) = sum;
        if (k == l) greatest = std::max(greatest, sum);
      }
      for (std::size_t i = 0; i < open.size(); ++i) right[k] -= columns[k][i] * open[i];
    }
    if (!(greatest > 0.0)) return false;
    normal.factor({.row = kNoEffect}, std::vector<double>(n, greatest));
    normal.solve(right);
    for (std::size_t k = 0; k < n; ++k) by_[k] += right[k];
    return true;
  }

  const Knob& knob_;
  double t_;
  const std::vector<double>& turns_;
  const std::vector<double>& q_;
  const MisfitRows& misfit_;
  double length_;
  std::vector<double> by_;
};

std::vector<Knob> knobsOf(const Mechanism& mechanism, const std::vector<double>& drawn, bool as_drawn) {
  using Rounded = MisfitCure::Number;
  std::vector<Knob> out;
  for (int j = 0; j < static_cast<int>(mechanism.joints.size()); ++j) {
    const Joint& joint = mechanism.joints[at(j)];
    if (isRelation(joint.kind) || joint.kind == JointKind::rolling) continue;
    if (as_drawn) {
      out.emplace_back(mechanism, drawn, j, Rounded::place_on_body, joint.first);
      out.emplace_back(mechanism, drawn, j, Rounded::place_on_body, joint.second);
      continue;
    }
    if (mechanism.space == Space::spatial && axisOf(joint.kind) != AxisOf::none)
      out.emplace_back(mechanism, drawn, j, Rounded::axis, BodyIndex());
    out.emplace_back(mechanism, drawn, j, Rounded::place, BodyIndex());
  }
  return out;
}

}  // namespace

template <class G>
std::optional<MisfitCure> findMisfitCure(const Mechanism& mechanism, double t, const std::vector<double>& turns,
                                         const std::vector<double>& q, const MisfitRows& misfit) {
  std::optional<MisfitCure> best;
  if (mechanism.joints.size() > kMostJoints) return best;
  std::vector<double> drawn;
  for (const Body& body : mechanism.bodies) {
    const std::vector<double> own = coordinatesOf(mechanism, body, body.drawn);
    drawn.insert(drawn.end(), own.begin(), own.end());
  }
  const double length = referenceLength(mechanism);
  std::vector<double> open;
  for (const Knob& knob : knobsOf(mechanism, drawn, misfit.as_drawn)) {
    Fit<G> fit(knob, t, turns, q, misfit, length);
    if (open.empty()) open = fit.openAt(fit.by());
    if (open.empty() || !fit.mend(open)) continue;
    const MisfitCure cure = knob.cure(fit.by(), length);
    // Two that change by as much but for round-off: the first.
    if (!best || cure.change < 0.999 * best->change) best = cure;
  }
  return best;
}

std::string cureText(const Mechanism& mechanism, const MisfitCure& cure) {
  const auto& v = cure.value;
  const std::string name = mechanism.joints[at(cure.joint)].name;
  const bool planar = mechanism.space == Space::planar;
  const std::string place =
      planar ? fmt::format("[{}, {}]", v[0], v[1]) : fmt::format("[{}, {}, {}]", v[0], v[1], v[2]);
  switch (cure.number) {
    case MisfitCure::Number::axis:
      return fmt::format("joint \"{}\" fits with axis = [{}, {}, {}]", name, v[0], v[1], v[2]);
    case MisfitCure::Number::place: return fmt::format("joint \"{}\" fits with at = {}, as drawn", name, place);
    case MisfitCure::Number::place_on_body: break;
  }
  return fmt::format("joint \"{}\" fits with its point at {} of \"{}\"{}", name, place, mechanism.bodyName(cure.body),
                     cure.body.valid() ? ", in the axes of that body" : "");
}

template std::optional<MisfitCure> findMisfitCure<Planar<double>>(const Mechanism&, double, const std::vector<double>&,
                                                                  const std::vector<double>&, const MisfitRows&);
template std::optional<MisfitCure> findMisfitCure<Spatial<double>>(const Mechanism&, double, const std::vector<double>&,
                                                                   const std::vector<double>&, const MisfitRows&);

}  // namespace linkwork
