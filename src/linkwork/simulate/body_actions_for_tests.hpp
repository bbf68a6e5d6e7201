// Newton and Euler for every body of a recorded run, from what acts on it: how far the sums are from zero.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "linkwork/geometry/spatial.hpp"
#include "linkwork/simulate/body_actions.hpp"

namespace linkwork::test {

struct Imbalance {
  double force = 0.0;   // N, the greatest over bodies and samples
  double moment = 0.0;  // N*m, about the centres of mass
  double force_scale = 0.0;
  double moment_scale = 0.0;
};

class BalanceSheet {
 public:
  BalanceSheet(const Mechanism& mechanism, const Result& result)
      : mechanism_(mechanism),
        result_(result),
        actions_(bodyActions(mechanism, result)),
        in_space_(mechanism.space == Space::spatial) {}

  Imbalance worst(double until = std::numeric_limits<double>::infinity()) const {
    Imbalance out;
    for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b) {
      for (std::size_t n = 0; n < result_.time.size() && result_.time[n] <= until; ++n) addTo(out, b, n);
    }
    return out;
  }

 private:
  using V3 = Vec3<double>;

  double value(const std::string& name, std::size_t n) const {
    const Series* series = result_.find(name);
    return series != nullptr ? series->values[n] : std::nan("");
  }
  V3 vector(const std::string& before, const std::string& after, std::size_t n) const {
    return {value(before + "x" + after, n), value(before + "y" + after, n),
            in_space_ ? value(before + "z" + after, n) : 0.0};
  }
  V3 turning(const std::string& body, const char* in_plane, const char* in_space, std::size_t n) const {
    if (!in_space_) return {0.0, 0.0, value(body + in_plane, n)};
    return vector(fmt::format("{}.{}.", body, in_space), "", n);
  }
  Rotation3<double> rotation(const std::string& body, std::size_t n) const {
    if (!in_space_) return Rotation3<double>::aboutZ(value(body + ".angle", n));
    const std::string q = body + ".orientation.";
    return Rotation3<double>::fromQuaternion(value(q + "w", n), value(q + "x", n), value(q + "y", n),
                                             value(q + "z", n));
  }
  // Components of a force, or of a moment, which has but one in the plane.
  V3 parts(const BodyAction& action, bool moment, std::size_t n) const {
    const auto& names = moment ? action.moment_names : action.force_names;
    const auto& columns = moment ? action.moment : action.force;
    V3 out{};
    const std::size_t count = std::max(names.size(), columns.size());
    for (std::size_t k = 0; k < count; ++k) {
      const double part = names.empty() ? columns[k][n] : value(names[k], n);
      const std::size_t axis = moment && !in_space_ ? 2 : k;
      (axis == 0 ? out.x : axis == 1 ? out.y : out.z) = part * (moment ? action.moment_sign : action.force_sign);
    }
    return out;
  }

  void addTo(Imbalance& out, std::size_t b, std::size_t n) const {
    const Body& body = mechanism_.bodies[b];
    const Rotation3<double> R = rotation(body.name, n);
    const V3 com{body.com[0].number, body.com[1].number, body.com[2].number};
    const V3 arm = R * com;
    const V3 w = turning(body.name, ".angle_rate", "angular_velocity", n);
    const V3 alpha = turning(body.name, ".angle_acceleration", "angular_acceleration", n);
    const V3 a = vector(body.name + ".", "_acceleration", n) + cross(alpha, arm) + cross(w, cross(w, arm));
    const Tensor tensor = body.tensor.value_or(Tensor{});
    Spatial<double>::Inertia J{body.mass.number, tensor.xx.number, tensor.yy.number, tensor.zz.number,
                               tensor.xy.number, tensor.xz.number, tensor.yz.number};
    if (!in_space_) J = {body.mass.number, 0.0, 0.0, body.inertia.number, 0.0, 0.0, 0.0};
    const V3 g{mechanism_.gravity[0].number, mechanism_.gravity[1].number, mechanism_.gravity[2].number};
    V3 force = (g - a) * body.mass.number;
    const V3 gyroscopic = cross(w, R * J.times(R.inverseTimes(w)));
    V3 moment = -(R * J.times(R.inverseTimes(alpha))) - gyroscopic;
    note(out, a * body.mass.number, moment);
    note(out, g * body.mass.number, gyroscopic);
    for (const BodyAction& action : actions_) {
      if (action.body.at() != b) continue;
      const V3 F = parts(action, false, n);
      const V3 lever = R * (V3{action.point[0], action.point[1], action.point[2]} - com);
      const V3 M = parts(action, true, n) + cross(lever, F);
      note(out, F, M);
      force += F;
      moment += M;
    }
    out.force = worse(out.force, size(force));
    out.moment = worse(out.moment, size(moment));
  }

  static double size(const V3& v) { return std::sqrt(dot(v, v)); }
  static double worse(double a, double b) { return std::isnan(b) || b > a ? b : a; }
  static void note(Imbalance& out, const V3& force, const V3& moment) {
    out.force_scale = std::max(out.force_scale, size(force));
    out.moment_scale = std::max(out.moment_scale, size(moment));
  }

  const Mechanism& mechanism_;
  const Result& result_;
  std::vector<BodyAction> actions_;
  bool in_space_;
};

}  // namespace linkwork::test
