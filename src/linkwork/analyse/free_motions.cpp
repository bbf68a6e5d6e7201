#include "linkwork/analyse/free_motions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <random>

#include "linkwork/analyse/mobility_problem.hpp"
#include "linkwork/analyse/pose_mover.hpp"
#include "linkwork/elements/velocity_rows.hpp"
#include "linkwork/linalg/decompositions.hpp"
#include "linkwork/model/drive_of.hpp"

namespace linkwork {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Motions of unit size below this are round-off.
constexpr double kStill = 1e-7;
// So many free motions are looked at; a message names no more.
constexpr int kMostBodiesNamed = 12;

// Rows of the derivatives of all joint coordinates, turns measured by the problem's length.
struct CoordinateRows {
  std::vector<Quantity> quantities;
  MatrixXd rows;  // coordinates x freedoms of all bodies
};

CoordinateRows coordinateRows(const Mechanism& mechanism, std::span<const double> q, double t,
                              std::span<const double> turns) {
  Mechanism named = mechanism;
  named.drives.clear();
  CoordinateRows out;
  const auto add = [&](QuantityKind kind, std::size_t joint) {
    out.quantities.push_back({kind, static_cast<int>(joint)});
    named.drives.push_back(driveOf(mechanism, out.quantities.back(), Expr(0.0)));
  };
  for (std::size_t k = 0; k < mechanism.joints.size(); ++k) {
    if (hasAngle(mechanism.joints[k].kind)) add(QuantityKind::joint_angle, k);
    if (hasSlide(mechanism.joints[k].kind)) add(QuantityKind::joint_slide, k);
  }
  const MobilityProblem problem = mobilityProblem(named, q, t, turns);
  std::vector<double> phi(problem.rows.size());
  std::vector<double> jacobian(problem.row_bodies.size() * at(problem.freedoms));
  problem.evaluate(q, phi, jacobian);
  out.rows = MatrixXd::Zero(static_cast<Eigen::Index>(out.quantities.size()), problem.bodies * problem.freedoms);
  Eigen::Index next = 0;
  for (const MobilityGroup& group : problem.groups) {
    if (!group.is_drive) continue;
    const std::size_t row = at(group.first_row);
    for (int p = problem.row_start[row]; p < problem.row_start[row + 1]; ++p) {
      for (int k = 0; k < problem.freedoms; ++k) {
        out.rows(next, problem.row_bodies[at(p)] * problem.freedoms + k) =
            jacobian[at(p * problem.freedoms + k)] * problem.rows[row].scale / problem.length;
      }
    }
    ++next;
  }
  return out;
}

// An orthonormal basis (metric of displacements) of the velocities that joints and drives allow, at most
// kMostBodiesNamed; count: how many there are.
MatrixXd allowedVelocities(const MobilityProblem& problem, std::span<const double> q, int& count) {
  PoseMover mover(problem, Drives::held);
  const Eigen::Index size = problem.bodies * problem.freedoms;
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  VectorXd scale(size);
  for (Eigen::Index u = 0; u < size; ++u) scale[u] = mover.unit(at(u));
  MatrixXd out(size, 0);
  std::vector<double> v(at(size), 0.0);
  mover.allow(q, v);
  count = static_cast<int>(size) - mover.rows() + mover.factored().dropped_rows;
  for (int k = 0; k < std::min(count, kMostBodiesNamed); ++k) {
    for (Eigen::Index u = 0; u < size; ++u) v[at(u)] = normal(random) / scale[u];
    VectorXd z;
    for (int sweep = 0; sweep < 2; ++sweep) {
      mover.allow(q, v);
      z = Eigen::Map<const VectorXd>(v.data(), size).cwiseProduct(scale);
      z -= out * (out.transpose() * z);
      z.normalize();
      Eigen::Map<VectorXd>(v.data(), size) = z.cwiseQuotient(scale);
    }
    out.conservativeResize(size, k + 1);
    out.col(k) = z;
  }
  for (Eigen::Index u = 0; u < size; ++u) out.row(u) /= scale[u];
  return out;
}

}  // namespace

FreeMotions freeMotions(const Mechanism& mechanism, std::span<const double> q, double t,
                        std::span<const double> turns) {
  FreeMotions out;
  const MobilityProblem problem = mobilityProblem(mechanism, q, t, turns);
  MatrixXd Z = allowedVelocities(problem, q, out.count);
  if (Z.cols() == 0) return out;
  const CoordinateRows named = coordinateRows(mechanism, q, t, turns);
  const double size = Z.colwise().norm().maxCoeff();
  // One coordinate after the other, in the order of the joints, that tells something the ones before do not.
  MatrixXd left = named.rows * Z / size;
  while (left.rows() > 0 && Z.cols() > 0) {
    const VectorXd norms = left.rowwise().norm();
    const double most = norms.maxCoeff();
    if (most <= kStill) break;
    Eigen::Index row = 0;
    while (norms[row] < 0.3 * most) ++row;
    out.coordinates.push_back(named.quantities[at(row)]);
    // Motions that leave it as it is: Z times a basis at right angles to the row.
    const Eigen::HouseholderQR<MatrixXd> qr(left.row(row).transpose());
    const MatrixXd basis = MatrixXd(qr.householderQ()).rightCols(Z.cols() - 1);
    Z = (Z * basis).eval();
    left = (left * basis).eval();
  }
  std::sort(out.coordinates.begin(), out.coordinates.end(), [](const Quantity& a, const Quantity& b) {
    return a.index != b.index ? a.index < b.index : a.kind < b.kind;
  });
  for (int b = 0; b < problem.bodies && Z.cols() > 0; ++b) {
    const auto own = Z.middleRows(b * problem.freedoms, problem.freedoms);
    if (own.topRows(problem.dimension).norm() > kStill * size) {
      out.other_bodies.push_back(b);
    } else if (own.norm() > kStill * size) {
      out.idle_bodies.push_back(b);
    }
  }
  return out;
}

std::string freeMotionsProblem(const Mechanism& mechanism, const FreeMotions& free) {
  if (free.settled()) return {};
  std::vector<std::string> names;
  for (const Quantity& quantity : free.coordinates) names.push_back(quantityName(mechanism, quantity));
  if (names.empty()) {
    for (const int b : free.other_bodies) {
      names.push_back(fmt::format("body \"{}\"", mechanism.bodies[static_cast<std::size_t>(b)].name));
    }
  }
  const std::size_t all = names.size();
  names.resize(std::min(all, static_cast<std::size_t>(kMostBodiesNamed)));
  const int idle = static_cast<int>(free.idle_bodies.size());
  const int count = free.count - idle;
  // What the drives leave to such rows is settled by the way the mechanism came.
  const std::string holder = holderOfVelocitiesAlone(mechanism);
  const std::string integrated =
      holder.empty() ? ""
                     : fmt::format(
                           "; {} holds velocities alone, and what follows from that is found by simulate, which "
                           "integrates it",
                           holder);
  return fmt::format("{} {} without a drive: {}{} can still move; give {} under [drives], or hold it with a joint{}",
                     count, count == 1 ? "degree of freedom is" : "degrees of freedom are", fmt::join(names, ", "),
                     all > names.size() || count > kMostBodiesNamed ? " and others" : "",
                     count == 1 ? "it a motion" : "each a motion", integrated);
}

std::vector<int> movingJoints(const Mechanism& mechanism, std::span<const double> q, double t,
                              std::span<const double> turns, std::span<const double> motion) {
  const CoordinateRows named = coordinateRows(mechanism, q, t, turns);
  const VectorXd rates =
      named.rows * Eigen::Map<const VectorXd>(motion.data(), static_cast<Eigen::Index>(motion.size()));
  std::vector<int> out;
  if (rates.size() == 0) return out;
  const double most = rates.cwiseAbs().maxCoeff();
  for (Eigen::Index k = 0; k < rates.size(); ++k) {
    const int joint = named.quantities[at(k)].index;
    if (std::abs(rates[k]) > 1e-6 * most && (out.empty() || out.back() != joint)) out.push_back(joint);
  }
  return out;
}

}  // namespace linkwork
