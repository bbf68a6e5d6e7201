#include "linkwork/analyse/free_link.hpp"

#include <cmath>

#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {

namespace {

using Vector = Eigen::VectorXd;
using Space3 = FreeLink::Space3;
using Kind = MotionDirection::Kind;

// The axis of a turn, spin or shift, in the carrier's axes.
Space3 axisOf(const MotionDirection& direction, const FreeLink& link) {
  if (direction.kind == Kind::turn) return link.ball ? Space3(Space3::Unit(direction.axis)) : link.normal;
  if (link.ball) return link.R.col(direction.axis);
  // In a plane: the axes of its slides, turned with it.
  const Space3& a = link.slide_axis[static_cast<std::size_t>(direction.axis)];
  return std::cos(link.angle) * a + std::sin(link.angle) * link.normal.cross(a);
}

}  // namespace

Space3 FreeLink::slide(const Vector& of) const {
  Space3 out(0, 0, 0);
  for (int c = 0; c < slides; ++c) out += slide_axis[static_cast<std::size_t>(c)] * of[first_slide + c];
  return out;
}

Space3 FreeLink::turn(const Vector& of) const {
  return ball ? Space3(R * of.segment<3>(first_turn)) : Space3(normal * of[first_turn]);
}

void FreeLink::put(const Space3& place, const Space3& turn, Eigen::Ref<Vector> out) const {
  putSlides(place, out);
  if (ball) {
    out.segment<3>(first_turn) += R.transpose() * turn;
  } else {
    out[first_turn] += normal.dot(turn);
  }
}

void FreeLink::putSlides(const Space3& of, Eigen::Ref<Vector> out) const {
  for (int c = 0; c < slides; ++c) out[first_slide + c] += slide_axis[static_cast<std::size_t>(c)].dot(of);
}

void putDirection(const MotionDirection& direction, const FreeLink& link, const MotionField::Here& at,
                  Eigen::Ref<Vector> X, Eigen::Ref<Vector> e_rate) {
  const Eigen::Index n = at.u.size();
  const Space3 c = axisOf(direction, link);
  const Space3 none(0, 0, 0);
  auto d = X.head(n);
  auto e = X.tail(n);
  switch (direction.kind) {
    case Kind::turn:
      link.put(c.cross(link.p), c, d);
      link.putSlides(c.cross(link.p1), e);
      link.putSlides(c.cross(link.p2), e_rate);
      break;
    case Kind::spin: {
      // In the ball's own axes: e = w x a,  e' = w' x a
      const Space3 a = Space3::Unit(direction.axis);
      link.put(none, c, d);
      e.segment<3>(link.first_turn) += Space3(at.u.segment<3>(link.first_turn)).cross(a);
      e_rate.segment<3>(link.first_turn) += Space3(at.a.segment<3>(link.first_turn)).cross(a);
      break;
    }
    default:
      link.putSlides(c, d);
      link.putSlides(link.w.cross(c), e);
      link.putSlides(link.w1.cross(c) + link.w.cross(link.w.cross(c)), e_rate);
      break;
  }
}

Vector dragOf(const MotionDirection& direction, const FreeLink& link, const Vector& d, const Vector& e) {
  const Eigen::Index n = d.size();
  Vector out = Vector::Zero(2 * n);
  const Space3 c = axisOf(direction, link);
  const Space3 turned = link.turn(d);
  switch (direction.kind) {
    case Kind::turn:
      link.putSlides(c.cross(link.slide(d)), out.head(n));
      link.putSlides(c.cross(link.slide(e)), out.tail(n));
      // R^T c changes by (R^T c) x d
      if (link.ball) {
        out.segment<3>(link.first_turn) += Space3(link.R.transpose() * c).cross(Space3(d.segment<3>(link.first_turn)));
      }
      break;
    case Kind::spin:
      out.segment<3>(n + link.first_turn) +=
          Space3(e.segment<3>(link.first_turn)).cross(Space3(Space3::Unit(direction.axis)));
      break;
    default: {
      // w = R w_own changes by R (d x w_own + e)
      const Space3 moved = turned.cross(c);
      Space3 w_moved = link.turn(e);
      if (link.ball) w_moved += turned.cross(link.w);
      link.putSlides(moved, out.head(n));
      link.putSlides(w_moved.cross(c) + link.w.cross(moved), out.tail(n));
      break;
    }
  }
  return out;
}

}  // namespace linkwork
