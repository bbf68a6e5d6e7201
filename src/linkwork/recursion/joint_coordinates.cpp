#include "linkwork/recursion/joint_coordinates.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "linkwork/base/index.hpp"
#include "linkwork/geometry/quaternion_of.hpp"
#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {

namespace {

using PlaneD = Planar<double>;
using SpaceD = Spatial<double>;

// Origin and axes of a link from the place of its body.
LinkAxes<PlaneD>::Place placeOf(const TreeLink<PlaneD>& link, const PlaneD::Position& body) {
  return {body.r - body.R * link.centre, body.angle, body.R};
}
LinkAxes<SpaceD>::Place placeOf(const TreeLink<SpaceD>& link, const SpaceD::Position& body) {
  const Rotation3<double>& B = link.body_axes;  // body to link; its transpose by columns
  const Rotation3<double> R =
      body.R * Rotation3<double>{{B.x.x, B.y.x, B.z.x}, {B.x.y, B.y.y, B.z.y}, {B.x.z, B.y.z, B.z.z}};
  return {body.r - R * link.centre, R};
}

void set(const TreeColumn& column, double value, std::span<double> q) {
  if (column.freedom >= 0) q[at(column.coordinate)] = value;
}

void slideOf(const Tree<PlaneD>& tree, int k, const LinkAxes<PlaneD>::Place& parent, const LinkAxes<PlaneD>::Place& own,
             std::span<double> q) {
  const TreeLink<PlaneD>& link = tree.links[at(k)];
  const Vec2<double> way = own.O - (parent.O + parent.R * link.arm);
  const auto& R = link.order == JointOrder::turn_first ? own.R : parent.R;
  for (int c = 0; c < link.slides; ++c) {
    set(tree.columnsOf(k)[at(c)], dot(R * link.slide_axis[at(c)], way), q);
  }
}

void turnOf(const Tree<PlaneD>& tree, int k, const LinkAxes<PlaneD>::Place& parent, const LinkAxes<PlaneD>::Place& own,
            std::span<double> q) {
  const TreeLink<PlaneD>& link = tree.links[at(k)];
  if (link.turn != TurnKind::hinge) return;
  set(tree.columnsOf(k).back(), link.turn_sign * (own.angle - parent.angle - link.offset), q);
}

void slideOf(const Tree<SpaceD>& tree, int k, const LinkAxes<SpaceD>::Place& parent, const LinkAxes<SpaceD>::Place& own,
             std::span<double> q) {
  const TreeLink<SpaceD>& link = tree.links[at(k)];
  const Vec3<double> way = own.O - (parent.O + parent.R * link.arm);
  const auto& R = link.order == JointOrder::turn_first ? own.R : parent.R;
  for (int c = 0; c < link.slides; ++c) {
    set(tree.columnsOf(k)[at(c)], dot(R * link.slide_axis[at(c)], way), q);
  }
}

// The turn about an axis that takes the next axis to a direction across it.
double turnTo(int axis, const Vec3<double>& next) { return std::atan2(next[(axis + 2) % 3], next[(axis + 1) % 3]); }

void turnOf(const Tree<SpaceD>& tree, int k, const LinkAxes<SpaceD>::Place& parent, const LinkAxes<SpaceD>::Place& own,
            std::span<double> q) {
  const TreeLink<SpaceD>& link = tree.links[at(k)];
  const auto columns = tree.columnsOf(k).subspan(at(link.slides));
  const Rotation3<double> frame = parent.R * link.frame;
  // The link's axes in those of the joint frame on the parent.
  const Rotation3<double> R{frame.inverseTimes(own.R.x), frame.inverseTimes(own.R.y), frame.inverseTimes(own.R.z)};
  const auto axis = [](const Rotation3<double>& A, int k_axis) { return k_axis == 0 ? A.x : k_axis == 1 ? A.y : A.z; };
  switch (link.turn) {
    case TurnKind::none: break;
    case TurnKind::hinge: {
      double theta = link.turn_sign * turnTo(2, R.x);
      if (link.screw && link.lead != 0.0) {
        const double slide = link.turn_sign * dot(frame.z, own.O - (parent.O + parent.R * link.arm));
        constexpr double kTurn = 2.0 * std::numbers::pi;
        theta += kTurn * std::round((slide / link.lead - theta) / kTurn);
      }
      set(columns[0], theta, q);
      break;
    }
    case TurnKind::cross: {
      // R = (turn about a by alpha) (turn about b by beta): the image of b knows only alpha, that of a under R^T only
      // beta.
      const auto [a, b] = link.turn_axis;
      const bool next = b == (a + 1) % 3;
      const double alpha = turnTo(a, axis(R, b)) - (next ? 0.0 : std::numbers::pi / 2.0);
      const Vec3<double> back = R.inverseTimes(Spatial<double>::unit(a));
      const double beta = -(turnTo(b, back) - (next ? std::numbers::pi / 2.0 : 0.0));
      set(columns[0], std::remainder(alpha, 2.0 * std::numbers::pi), q);
      set(columns[1], std::remainder(beta, 2.0 * std::numbers::pi), q);
      break;
    }
    case TurnKind::ball: {
      const std::array<double, 4> o = quaternionOf(R);
      for (std::size_t c = 0; c < 4; ++c) q[at(columns[0].coordinate) + c] = o[c];
      break;
    }
  }
}

// The motion of a link's origin from that of its body: the way back of bodyAcceleration and velocities.
Screw<double, 3> linkMotion(const TreeLink<PlaneD>& /*link*/, int k, const PositionKinematics<PlaneD>& pk,
                            const PlaneD::Velocity& body) {
  return LinkAxes<PlaneD>::join(body.v - perp(pk.centre[at(k)]) * body.w, body.w);
}
Screw<double, 6> linkMotion(const TreeLink<SpaceD>& link, int k, const PositionKinematics<SpaceD>& pk,
                            const SpaceD::Velocity& body) {
  const Vec3<double> w = link.body_axes * body.w;
  return LinkAxes<SpaceD>::join(pk.place[at(k)].R.inverseTimes(body.v) - cross(w, link.centre), w);
}

}  // namespace

template <class G>
void jointPositions(const Tree<G>& tree, std::span<const typename G::Position> bodies, std::span<double> q) {
  for (int k = 0; k < tree.size(); ++k) {
    const TreeLink<G>& link = tree.links[at(k)];
    typename LinkAxes<G>::Place parent{};
    if (link.parent >= 0) {
      const TreeLink<G>& carrier = tree.links[at(link.parent)];
      parent = placeOf(carrier, bodies[at(carrier.body)]);
    }
    const auto own = placeOf(link, bodies[at(link.body)]);
    slideOf(tree, k, parent, own, q);
    turnOf(tree, k, parent, own, q);
  }
}

template <class G>
void jointVelocities(const Tree<G>& tree, const PositionKinematics<G>& pk, std::span<const typename G::Velocity> bodies,
                     std::span<const Motion<double>> motions, std::span<double> u) {
  for (int k = 0; k < tree.size(); ++k) {
    const TreeLink<G>& link = tree.links[at(k)];
    auto relative = linkMotion(link, k, pk, bodies[at(link.body)]);
    if (link.parent >= 0) {
      const TreeLink<G>& carrier = tree.links[at(link.parent)];
      relative -= LinkAxes<G>::intoLink(pk.step[at(k)], linkMotion(carrier, link.parent, pk, bodies[at(carrier.body)]));
    }
    Eigen::MatrixXd S(G::kFreedoms, 0);
    std::vector<int> freedoms;
    int column = link.first_column;
    for (const TreeColumn& c : tree.columnsOf(k)) {
      const auto& s = pk.s[at(column++)];
      if (c.freedom < 0) {
        relative.add(s, -motions[at(c.motion)].fdot);
        continue;
      }
      S.conservativeResize(Eigen::NoChange, S.cols() + 1);
      for (int i = 0; i < G::kFreedoms; ++i) S(i, S.cols() - 1) = s[i];
      freedoms.push_back(c.freedom);
    }
    if (freedoms.empty()) continue;
    Eigen::VectorXd rhs(G::kFreedoms);
    for (int i = 0; i < G::kFreedoms; ++i) rhs[i] = relative[i];
    const Eigen::VectorXd rates = S.colPivHouseholderQr().solve(rhs);
    for (std::size_t c = 0; c < freedoms.size(); ++c) u[at(freedoms[c])] = rates[static_cast<Eigen::Index>(c)];
  }
}

template <class G>
void moveJoints(const Tree<G>& tree, std::span<const double> step, std::span<double> q) {
  for (int k = 0; k < tree.size(); ++k) {
    const auto columns = tree.columnsOf(k);
    const bool ball = tree.links[at(k)].turn == TurnKind::ball;
    for (const TreeColumn& c : columns.first(columns.size() - (ball ? 3 : 0))) {
      if (c.freedom >= 0) q[at(c.coordinate)] += step[at(c.freedom)];
    }
    if (!ball) continue;
    // As the quaternion of a body that stays where it is.
    const auto o = q.subspan(at(columns.back().coordinate), 4);
    const auto w = step.subspan(at(columns.back().freedom - 2), 3);
    std::array<double, 7> pose{0.0, 0.0, 0.0, o[0], o[1], o[2], o[3]};
    retract(SpaceD{}, pose, std::array<double, 6>{0.0, 0.0, 0.0, w[0], w[1], w[2]});
    std::copy(pose.begin() + 3, pose.end(), o.begin());
  }
}

template <class G>
void jointDifference(const Tree<G>& tree, std::span<const double> from, std::span<const double> to,
                     std::span<double> step) {
  for (int k = 0; k < tree.size(); ++k) {
    const auto columns = tree.columnsOf(k);
    const bool ball = tree.links[at(k)].turn == TurnKind::ball;
    for (const TreeColumn& c : columns.first(columns.size() - (ball ? 3 : 0))) {
      if (c.freedom >= 0) step[at(c.freedom)] = to[at(c.coordinate)] - from[at(c.coordinate)];
    }
    if (!ball) continue;
    const std::size_t first = at(columns.back().coordinate);
    std::array<double, 7> a{};
    std::array<double, 7> b{};
    std::copy_n(&from[first], 4, a.begin() + 3);
    std::copy_n(&to[first], 4, b.begin() + 3);
    std::array<double, 6> motion{};
    difference(SpaceD{}, a, b, motion);
    std::copy(motion.begin() + 3, motion.end(), step.begin() + columns.back().freedom - 2);
  }
}

template <class G>
bool normaliseJoints(const Tree<G>& tree, std::span<double> q) {
  bool changed = false;
  for (int k = 0; k < tree.size(); ++k) {
    if (tree.links[at(k)].turn != TurnKind::ball) continue;
    const auto o = q.subspan(at(tree.columnsOf(k).back().coordinate), 4);
    std::array<double, 7> pose{0.0, 0.0, 0.0, o[0], o[1], o[2], o[3]};
    if (!normalise(SpaceD{}, pose)) continue;
    std::copy(pose.begin() + 3, pose.end(), o.begin());
    changed = true;
  }
  return changed;
}

template void moveJoints(const Tree<PlaneD>&, std::span<const double>, std::span<double>);
template void moveJoints(const Tree<SpaceD>&, std::span<const double>, std::span<double>);
template void jointDifference(const Tree<PlaneD>&, std::span<const double>, std::span<const double>, std::span<double>);
template void jointDifference(const Tree<SpaceD>&, std::span<const double>, std::span<const double>, std::span<double>);
template bool normaliseJoints(const Tree<PlaneD>&, std::span<double>);
template bool normaliseJoints(const Tree<SpaceD>&, std::span<double>);
template void jointPositions(const Tree<PlaneD>&, std::span<const PlaneD::Position>, std::span<double>);
template void jointPositions(const Tree<SpaceD>&, std::span<const SpaceD::Position>, std::span<double>);
template void jointVelocities(const Tree<PlaneD>&, const PositionKinematics<PlaneD>&, std::span<const PlaneD::Velocity>,
                              std::span<const Motion<double>>, std::span<double>);
template void jointVelocities(const Tree<SpaceD>&, const PositionKinematics<SpaceD>&, std::span<const SpaceD::Velocity>,
                              std::span<const Motion<double>>, std::span<double>);

}  // namespace linkwork
