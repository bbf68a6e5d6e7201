// The rows of joints that hold velocities where bodies touch: bodies that roll, and blades.
#pragma once

#include <cmath>

#include "linkwork/elements/row_placer.hpp"

namespace linkwork::element_set {

// The blade is on the second body.
template <class G>
void placeKnifeEdge(const Joint& joint, const QuantityCompiler<G>& bodies, ElementSet<G>& set, RowPlacer<G>& rows) {
  KnifeEdge<G> blade{bodies.arm(joint.second, joint.on_second.point), bodies.axesOf(joint.on_second).x, {}};
  if constexpr (G::kSpatial) blade.up = bodies.axesOf(joint.on_first).z;
  rows.place(set.knife_edges, blade, joint.second, joint.first, {{"across", RowUnit::length, 0}},
             rows.motionOf(joint, joint.speed));
}

template <class G>
RollingContact<G> contactOf(const Joint& joint, const QuantityCompiler<G>& bodies) {
  using T = typename G::Scalar;
  const Rolling& rolling = joint.rolling;
  RollingContact<G> out;
  out.on = rolling.on;
  out.shape = rolling.shape;
  out.inside = rolling.inside;
  out.s_P = bodies.arm(joint.first, joint.on_first.point);
  out.s_M = bodies.arm(joint.second, joint.on_second.point);
  out.normal = bodies.axesOf(joint.on_first).y;
  out.radius = constantOf<T>(rolling.radius);
  out.rounding = constantOf<T>(rolling.rounding);
  const T first = constantOf<T>(rolling.first_radius);
  const T second = rolling.shape == RollingShape::disc ? out.rounding : out.radius;
  out.between = rolling.inside ? first - second : first + second;
  if constexpr (G::kSpatial) {
    if (rolling.on == RollingOn::cylinder) out.normal = bodies.axesOf(joint.on_first).z;
    out.axle = bodies.axesOf(joint.on_second).z;
    const auto square = [](const Value& a) { return constantOf<T>(a) * constantOf<T>(a); };
    out.squares = {square(rolling.semi_axes[0]), square(rolling.semi_axes[1]), square(rolling.semi_axes[2])};
  }
  return out;
}

// Of a round first body the surface moves around it at surface[0], by the right hand about its axis, and along the axis
// at surface[1]. The tangent of the first row is n x axis: against that on the outside, since n leads outwards there.
inline Expr surfaceAround(const Rolling& rolling) { return rolling.inside ? rolling.surface[0] : -rolling.surface[0]; }

// Slip in space, along two directions or, of a wheel with rollers, along one.
template <class G>
void placeSlipInSpace(const Joint& joint, const RollingContact<G>& contact, const QuantityCompiler<G>& bodies,
                      ElementSet<G>& set, RowPlacer<G>& rows) {
  using std::cos;
  using std::sin;
  using std::sqrt;
  using T = typename G::Scalar;
  using Vector = typename G::Vector;
  const Rolling& rolling = joint.rolling;
  const auto place = [&](const RollingSlip<G>& slip, const char* name, const Expr& speed) {
    rows.place(set.rolling_slips, slip, joint.first, joint.second, {{name, RowUnit::length, 0}},
               rows.motionOf(joint, speed));
  };
  const auto axes = bodies.axesOf(joint.on_first);
  if (rolling.slips_across_rollers) {
    const T angle = constantOf<T>(rolling.roller);
    place({contact, Tangent::roller, {}, cos(angle), sin(angle)}, "slip_roller", Expr(0.0));
  } else if (rolling.on == RollingOn::plane) {
    place({contact, Tangent::fixed, axes.x}, "slip_x", rolling.surface[0]);
    place({contact, Tangent::fixed, axes.z}, "slip_z", rolling.surface[1]);
  } else {
    // Of a ball any axis will do that no path is likely to lead through.
    const T third = sqrt(T(1.0) / T(3.0));
    const Vector reference = rolling.on == RollingOn::cylinder ? axes.z : Vector{third, third, third};
    place({contact, Tangent::round, reference}, "slip_around", surfaceAround(rolling));
    place({contact, Tangent::round_second, reference}, "slip_along", -rolling.surface[1]);
  }
}

template <class G>
void placeRolling(const Joint& joint, const QuantityCompiler<G>& bodies, ElementSet<G>& set, RowPlacer<G>& rows) {
  const Rolling& rolling = joint.rolling;
  const RollingContact<G> contact = contactOf<G>(joint, bodies);
  rows.place(set.rolling_normals, RollingNormal<G>{contact}, joint.first, joint.second,
             {{"normal", RowUnit::length, 0}});
  if constexpr (G::kSpatial) {
    placeSlipInSpace<G>(joint, contact, bodies, set, rows);
    if (!rolling.pivots) {
      rows.place(set.rolling_pivots, RollingPivot<G>{contact}, joint.first, joint.second,
                 {{"pivot", RowUnit::angle, 0}});
    }
  } else {
    using T = typename G::Scalar;
    const bool round = rolling.on != RollingOn::plane;
    const RollingSlip<G> slip{contact, round ? Tangent::round : Tangent::fixed, bodies.axesOf(joint.on_first).x};
    if (rolling.counted) {
      rows.place(set.rolling_arcs,
                 RollingArc<G>{slip, constantOf<T>(joint.on_first.angle), constantOf<T>(joint.offset)}, joint.first,
                 joint.second, {{"arc", RowUnit::length, 0}});
    } else {
      rows.place(set.rolling_slips, slip, joint.first, joint.second, {{"slip", RowUnit::length, 0}},
                 rows.motionOf(joint, round ? surfaceAround(rolling) : rolling.surface[0]));
    }
  }
}

}  // namespace linkwork::element_set
