// FreeLink: a link on a joint that lets its place and its orientation go, all of it or in a plane, or its orientation
// alone; and the directions of a MotionField that belong to it. All in the axes of the link that carries it, places
// from the joint's point there.                                                        [docs/theory/12, eq. 12.2, 12.3]
#pragma once

#include <Eigen/Core>
#include <array>

#include "linkwork/analyse/motion_field.hpp"

namespace linkwork {

struct FreeLink {
  using Space3 = Eigen::Vector3d;

  int link = 0;
  bool ball = false;
  int slides = 0;
  std::array<Space3, 3> slide_axis;
  int first_slide = 0, first_turn = 0;  // freedoms
  Space3 normal{0.0, 0.0, 1.0};         // of the plane, in the sense of its angle
  double angle = 0.0;                   // of the state, about it

  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();  // of the state, of a ball: from the link's axes
  Space3 p{0, 0, 0}, p1{0, 0, 0}, p2{0, 0, 0};      // place and its derivatives
  Space3 w{0, 0, 0}, w1{0, 0, 0};                   // of the orientation, in the carrier's axes

  Space3 slide(const Eigen::VectorXd& of) const;
  Space3 turn(const Eigen::VectorXd& of) const;
  void put(const Space3& place, const Space3& turn, Eigen::Ref<Eigen::VectorXd> out) const;
  void putSlides(const Space3& of, Eigen::Ref<Eigen::VectorXd> out) const;
};

// X = (d, e) of a direction that is no coordinate's, with rates and accelerations u, a, and e along the motion; columns
// that are zero before.
void putDirection(const MotionDirection& direction, const FreeLink& link, const MotionField::Here& at,
                  Eigen::Ref<Eigen::VectorXd> X, Eigen::Ref<Eigen::VectorXd> e_rate);
// How X changes along the deviation (d, e).
Eigen::VectorXd dragOf(const MotionDirection& direction, const FreeLink& link, const Eigen::VectorXd& d,
                       const Eigen::VectorXd& e);

}  // namespace linkwork
