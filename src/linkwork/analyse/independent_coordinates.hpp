// Coordinates with names that a user knows, and a choice among them of as many as a mechanism has freedoms.
//
// Joint angles and slides come first, then places and angles of bodies. In space a body's small turns about the ground
// axes stand for its orientation: d = (turn_x, turn_y, turn_z) with R <- (1 + d x) R, measured against the motion
// itself, so that d' is the change of the angular velocity as the turned body sees it.                 [docs/theory/03]
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "linkwork/analyse/linearise.hpp"
#include "linkwork/formulation/absolute/equations.hpp"

namespace linkwork {

// G is a geometry with Dual numbers.
template <class G>
struct CoordinateCandidate {
  using T = typename G::Scalar;
  using Work = typename AbsoluteEquations<G>::Work;

  LinearCoordinate named;
  NamedQuantity<G> quantity;  // of a true coordinate
  int turning_body = -1;      // a small turn of this body, about the axis `component`
  int component = 0;

  bool isAngle() const { return named.unit == "rad"; }

  // ds/d(motion) of the first `freedoms` ones.
  Eigen::RowVectorXd row(const Work& work, int freedoms) const {
    Eigen::RowVectorXd out = Eigen::RowVectorXd::Zero(freedoms);
    if constexpr (G::kSpatial) {
      if (turning_body >= 0) {
        const auto& R = work.x[index(turning_body)].R;
        const int base = G::kFreedoms * turning_body + 3;
        out[base] = valueOf(R.x[component]);
        out[base + 1] = valueOf(R.y[component]);
        out[base + 2] = valueOf(R.z[component]);
        return out;
      }
    }
    const auto rows = quantity.rows({work.x[index(quantity.i)], work.x[index(quantity.j)]});
    for (int k = 0; k < G::kFreedoms; ++k) {
      if (G::kFreedoms * quantity.i < freedoms) out[G::kFreedoms * quantity.i + k] += valueOf(rows.first[0][index(k)]);
      if (G::kFreedoms * quantity.j < freedoms) out[G::kFreedoms * quantity.j + k] += valueOf(rows.second[0][index(k)]);
    }
    // An angle that means nothing here, or next to nothing: true ones have entries of one or a few.
    if (!out.allFinite() || out.cwiseAbs().maxCoeff() > 1e6) out.setZero();
    return out;
  }

  // s'; a small turn has none of its own, only deviations.
  T rate(const Work& work) const {
    if (turning_body >= 0) return T(0.0);
    NamedQuantity<G> s = quantity;
    s.level = NamedQuantity<G>::Level::velocity;
    const auto i = index(s.i);
    const auto j = index(s.j);
    return s.value(T(0.0), {work.x[i], work.x[j]}, {work.v[i], work.v[j]});
  }

  // s'' with the accelerations a of the bodies held.
  T acceleration(const Work& work, const Eigen::VectorXd& a) const {
    if constexpr (G::kSpatial) {
      if (turning_body >= 0) {
        // d'' = R (dw' + w x dw): R and w those of the motion itself
        const auto& R = work.x[index(turning_body)].R;
        const auto& w = work.v[index(turning_body)].w;
        const Vec3<T> held{T(valueOf(w.x)), T(valueOf(w.y)), T(valueOf(w.z))};
        const int base = G::kFreedoms * turning_body + 3;
        const Vec3<T> sum = cross(held, w) + Vec3<T>{T(a[base]), T(a[base + 1]), T(a[base + 2])};
        return T(valueOf(R.x[component])) * sum.x + T(valueOf(R.y[component])) * sum.y +
               T(valueOf(R.z[component])) * sum.z;
      }
    }
    const auto i = index(quantity.i);
    const auto j = index(quantity.j);
    T sum = quantity.bend({work.x[i], work.x[j]}, {work.v[i], work.v[j]});
    const auto rows = quantity.rows({work.x[i], work.x[j]});
    for (int k = 0; k < G::kFreedoms; ++k) {
      if (G::kFreedoms * quantity.i < a.size()) sum = sum + rows.first[0][index(k)] * a[G::kFreedoms * quantity.i + k];
      if (G::kFreedoms * quantity.j < a.size()) sum = sum + rows.second[0][index(k)] * a[G::kFreedoms * quantity.j + k];
    }
    return sum;
  }

 private:
  static std::size_t index(int k) { return static_cast<std::size_t>(k); }
};

// Of all joints and of the first `bodies` bodies.
template <class G>
std::vector<CoordinateCandidate<G>> coordinateCandidates(const Mechanism& mechanism, int bodies) {
  std::vector<Quantity> quantities;
  for (int k = 0; k < static_cast<int>(mechanism.joints.size()); ++k) {
    const JointKind kind = mechanism.joints[static_cast<std::size_t>(k)].kind;
    if (hasAngle(kind)) quantities.push_back({QuantityKind::joint_angle, k});
    if (hasSlide(kind)) quantities.push_back({QuantityKind::joint_slide, k});
  }
  for (int b = 0; b < bodies; ++b) {
    quantities.push_back({QuantityKind::body_x, b});
    quantities.push_back({QuantityKind::body_y, b});
    quantities.push_back({G::kSpatial ? QuantityKind::body_z : QuantityKind::body_angle, b});
  }
  std::vector<CoordinateCandidate<G>> out;
  const auto compiled = compileQuantities<G>(mechanism, quantities);
  for (std::size_t k = 0; k < quantities.size(); ++k) {
    const std::string name = quantityName(mechanism, quantities[k]);
    out.push_back({{name, std::string(quantityUnit(mechanism, quantities[k])), name + "_rate"}, compiled[k]});
  }
  for (int b = 0; b < (G::kSpatial ? bodies : 0); ++b) {
    for (int c = 0; c < 3; ++c) {
      const std::string name = mechanism.bodies[static_cast<std::size_t>(b)].name + ".turn_" + "xyz"[c];
      out.push_back({{name, "rad", name + "_rate"}, {}, b, c});
    }
  }
  // Named angles last: they have poses in which they mean nothing, and are taken where they are asked for.
  for (int k = 0; k < static_cast<int>(mechanism.joints.size()); ++k) {
    if (!G::kSpatial || !hasTurns(mechanism.joints[static_cast<std::size_t>(k)])) continue;
    for (const QuantityKind kind :
         {QuantityKind::joint_turn_1, QuantityKind::joint_turn_2, QuantityKind::joint_turn_3}) {
      const std::string name = quantityName(mechanism, {kind, k});
      out.push_back({{name, "rad", name + "_rate"}, compileQuantity<G>(mechanism, {kind, k})});
    }
  }
  return out;
}

// Columns of length one, at right angles, that no row sees. Columns of `rows` scaled so that lengths compare; rows
// nearer to the others than `dependent` of their length say nothing new.
Eigen::MatrixXd unseenMotions(const Eigen::MatrixXd& rows, double dependent);

struct Choice {
  std::vector<std::size_t> rows;
  std::string problem, hint;  // when there is none
};
// Among rows (of named coordinates, times the free motions) as many as there are columns, well independent, early ones
// first; or those that are wanted.
Choice chooseIndependent(const Eigen::MatrixXd& rows, const std::vector<std::string>& names,
                         const std::vector<std::string>& wanted);

}  // namespace linkwork
