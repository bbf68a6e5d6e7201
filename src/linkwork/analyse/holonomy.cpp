#include "linkwork/analyse/holonomy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "linkwork/analyse/independent_coordinates.hpp"
#include "linkwork/analyse/motion_field.hpp"
#include "linkwork/base/contract.hpp"
#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr double kRepeatedRow = 1e-8;  // of rows of length one
// Ways of two legs by classical Runge-Kutta steps, lengths and radians: their ends miss the orbit by some 1e-8, and
// brackets of the fifth order still show as 1e-3.
constexpr double kWayStep = 0.04;
// Short ways first, which mostly suffice; before rows are said to be integrable, long ones, on which slow parts of a
// mechanism move as far as quick ones do on the short.
constexpr int kStepsOfLegs[] = {15, 75};
constexpr double kFarAside = 0.2;  // from the start, where the pose may be a special one
constexpr double kNewDirection = 1e-5;
constexpr double kAsideStep = 1e-4;  // of differences of ways
constexpr int kWaysWithoutNews = 2;

// Motions and the time as one vector: n freedoms in lengths, and the time in seconds.
class Orbit {
 public:
  Orbit(MotionField& field, const std::vector<double>& x, std::vector<bool> active)
      : field_(field), rows_(field.cutRows()), active_(std::move(active)), n_(field.freedoms()) {
    start_.assign(x.begin(), x.begin() + field.coordinates());
    start_.push_back(0.0);
    scale_ = Vector::Ones(n_ + 1);
    scale_.head(n_) = field.scale() / field.length();
  }

  // How many combinations of the active rows can be integrated.
  int integrable() {
    const Matrix whole = allowed(start_, true);
    Matrix orbit = allowed(start_, false);
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    for (const int steps : kStepsOfLegs) {
      steps_ = steps;
      for (int idle = 0; idle < kWaysWithoutNews && orbit.cols() < whole.cols();) {
        Legs legs;
        for (Vector& control : legs) {
          control.resize(n_ + 1);
          for (double& c : control) c = normal(random);
          control.normalize();
        }
        const Eigen::Index before = orbit.cols();
        widen(whole, legs, orbit);
        idle = orbit.cols() > before ? 0 : idle + 1;
      }
    }
    return static_cast<int>(whole.cols() - orbit.cols());
  }

 private:
  // Directions that the rows allow: those of positions alone, or the active ones too.
  Matrix allowed(const std::vector<double>& y, bool positions_alone) {
    Matrix rows = field_.rowsByMotion(y.back(), std::span(y).first(y.size() - 1)) * scale_.cwiseInverse().asDiagonal();
    for (Eigen::Index r = 0; r < rows.rows(); ++r) {
      const MotionField::CutRow& row = rows_[static_cast<std::size_t>(r)];
      const bool held = row.level == RowLevel::position ||
                        (!positions_alone && row.joint >= 0 && active_[static_cast<std::size_t>(row.joint)]);
      if (!held) rows.row(r).setZero();
    }
    return unseenMotions(rows, kRepeatedRow);
  }

  std::vector<double> rateOf(const std::vector<double>& y, const Vector& motion) {
    std::vector<double> out(y.size());
    const Vector unscaled = motion.cwiseQuotient(scale_);
    field_.coordinatesAlong(std::span(y).first(y.size() - 1), unscaled.head(n_), std::span(out).first(out.size() - 1));
    out.back() = unscaled[n_];
    return out;
  }

  using Legs = std::array<Vector, 2>;

  std::vector<double> go(std::vector<double> y, const Legs& legs) {
    for (const Vector& control : legs) y = goLeg(std::move(y), control);
    return y;
  }

  // Along what is allowed of the control.
  std::vector<double> goLeg(std::vector<double> y, const Vector& control) {
    const auto rate = [&](const std::vector<double>& at) {
      const Matrix D = allowed(at, false);
      return rateOf(at, D * (D.transpose() * control));
    };
    const auto moved = [](const std::vector<double>& from, const std::vector<double>& by, double step) {
      std::vector<double> out = from;
      for (std::size_t k = 0; k < out.size(); ++k) out[k] += step * by[k];
      return out;
    };
    for (int step = 0; step < steps_; ++step) {
      const auto k1 = rate(y);
      const auto k2 = rate(moved(y, k1, 0.5 * kWayStep));
      const auto k3 = rate(moved(y, k2, 0.5 * kWayStep));
      const auto k4 = rate(moved(y, k3, kWayStep));
      for (std::size_t k = 0; k < y.size(); ++k) y[k] += kWayStep / 6.0 * (k1[k] + 2.0 * (k2[k] + k3[k]) + k4[k]);
    }
    return y;
  }

  // Adds to `orbit` what is allowed at the end of a way, carried back to its start.
  void widen(const Matrix& whole, const Legs& legs, Matrix& orbit) {
    const std::vector<double> end = go(start_, legs);
    const auto size = static_cast<Eigen::Index>(end.size());
    Matrix carried(size, whole.cols());
    for (Eigen::Index c = 0; c < whole.cols(); ++c) {
      const std::vector<double> aside = rateOf(start_, whole.col(c));
      std::vector<double> sides[2];
      for (int side = 0; side < 2; ++side) {
        std::vector<double> y = start_;
        for (std::size_t k = 0; k < y.size(); ++k) y[k] += (side == 0 ? kAsideStep : -kAsideStep) * aside[k];
        sides[side] = go(std::move(y), legs);
      }
      for (Eigen::Index k = 0; k < size; ++k) {
        const auto at = static_cast<std::size_t>(k);
        carried(k, c) = (sides[0][at] - sides[1][at]) / (2.0 * kAsideStep);
      }
    }
    const Matrix D = allowed(end, false);
    Matrix arrived(size, D.cols());
    for (Eigen::Index c = 0; c < D.cols(); ++c) {
      const std::vector<double> rate = rateOf(end, D.col(c));
      arrived.col(c) = Eigen::Map<const Vector>(rate.data(), size);
    }
    const Matrix back = whole * carried.colPivHouseholderQr().solve(arrived);
    for (Eigen::Index c = 0; c < back.cols() && orbit.cols() < whole.cols(); ++c) {
      Vector left = back.col(c).normalized();
      for (int sweep = 0; sweep < 2; ++sweep) left -= orbit * (orbit.transpose() * left).eval();
      if (!(left.norm() > kNewDirection)) continue;
      orbit.conservativeResize(Eigen::NoChange, orbit.cols() + 1);
      orbit.rightCols(1) = left.normalized();
    }
  }

  MotionField& field_;
  std::vector<MotionField::CutRow> rows_;
  std::vector<bool> active_;
  int n_;
  int steps_ = 0;  // of a leg
  std::vector<double> start_;
  Vector scale_;
};

// A pose that joints allow and that nobody drew: at special ones fewer brackets show. The start where there is none.
std::vector<double> besideTheStart(MotionField& field, const std::vector<double>& x) {
  const int n = field.freedoms();
  for (double far = kFarAside; far > 1e-3; far *= 0.5) {
    Vector aside = Vector::Zero(2 * n);
    for (int k = 0; k < n; ++k) aside[k] = far * std::cos(1.0 + 2.3 * k) * field.length() / field.scale()[k];
    std::vector<double> moved = x;
    if (field.go(0.0, aside, moved)) return moved;
  }
  return x;
}

// "M", "M" and "N", "M", "N" and "O"
std::string quoted(const std::vector<int>& joints, const Mechanism& mechanism) {
  std::vector<std::string> names;
  for (const int k : joints) names.push_back(fmt::format("\"{}\"", mechanism.joints[static_cast<std::size_t>(k)].name));
  const std::string last = names.back();
  names.pop_back();
  return names.empty() ? last : fmt::format("{} and {}", fmt::join(names, ", "), last);
}

std::string insteadOf(JointKind kind, Space space) {
  if (kind == JointKind::velocity) {
    return "an expression of positions, { expression = \"...\" }; for rates in a constant ratio a coupling";
  }
  if (kind == JointKind::knife_edge) {
    return space == Space::planar ? "a joint that slides: prismatic, or pin_slot where the body turns on it"
                                  : "a joint that slides: prismatic, or point_plane where the body turns";
  }
  return "a rack for a wheel along a straight guide, a gear for wheels that turn in bearings, a coupling for "
         "coordinates "
         "in a constant ratio";
}

}  // namespace

std::vector<IntegrableRows> findIntegrableRows(const Mechanism& mechanism, const Assembly& assembly) {
  expect(assembly.ok, "findIntegrableRows: the mechanism is not assembled");
  const bool any = std::any_of(mechanism.joints.begin(), mechanism.joints.end(), [](const Joint& joint) {
    return joint.kind == JointKind::rolling || joint.kind == JointKind::knife_edge || joint.kind == JointKind::velocity;
  });
  if (!any) return {};
  // Of joints alone: where drives leave one way to go, all rows are integrable in time, and nobody is helped.
  Mechanism undriven = mechanism;
  undriven.drives.clear();
  const Assembly loose = mechanism.drives.empty() ? assembly : assemble(undriven);
  if (!loose.ok) return {};
  const auto field = MotionField::make(undriven, loose);
  const std::vector<double> x = besideTheStart(*field, field->fromAbsolute(0.0, loose.state()));
  std::vector<int> own_rows(mechanism.joints.size(), 0);
  for (const MotionField::CutRow& row : field->cutRows()) {
    if (row.level == RowLevel::velocity && row.joint >= 0) ++own_rows[static_cast<std::size_t>(row.joint)];
  }
  std::vector<int> joints;
  for (std::size_t k = 0; k < own_rows.size(); ++k) {
    if (own_rows[k] > 0) joints.push_back(static_cast<int>(k));
  }
  std::vector<IntegrableRows> out;
  if (joints.empty() || field->freedoms() == 0) return out;
  const auto integrable = [&](const std::vector<int>& of) {
    std::vector<bool> active(own_rows.size(), false);
    for (const int k : of) active[static_cast<std::size_t>(k)] = true;
    return Orbit(*field, x, std::move(active)).integrable();
  };
  const auto add = [&](const std::vector<int>& of, int combinations) {
    int rows = 0;
    for (const int k : of) rows += own_rows[static_cast<std::size_t>(k)];
    out.push_back({of, combinations, rows});
  };
  // A combination of some rows is one of all rows: mostly there is none, and this is all there is to do.
  int left = integrable(joints);
  if (left == 0) return out;
  std::vector<int> alone(own_rows.size(), 0);
  for (const int k : joints) {
    const int own = integrable({k});
    if (own == 0) continue;
    alone[static_cast<std::size_t>(k)] = own;
    left -= own;
    add({k}, own);
  }
  if (left <= 0) return out;
  // The fewest joints that together have what none has alone.
  std::vector<int> together = joints;
  for (const int k : joints) {
    std::vector<int> fewer = together;
    std::erase(fewer, k);
    int gained = fewer.empty() ? 0 : integrable(fewer);
    for (const int other : fewer) gained -= alone[static_cast<std::size_t>(other)];
    if (gained >= left) together = fewer;
  }
  if (together.size() > 1) add(together, left);
  return out;
}

IntegrableWords wordsFor(const IntegrableRows& rows, const Mechanism& mechanism) {
  const std::string names = quoted(rows.joints, mechanism);
  const bool alone = rows.joints.size() == 1;
  const std::string all = rows.combinations >= rows.rows
                              ? std::string(alone ? "what it forbids" : "what they forbid")
                              : fmt::format("{} of the {} velocities that {}", rows.combinations, rows.rows,
                                            alone ? "it forbids" : "they forbid");
  IntegrableWords out;
  out.message = fmt::format(
      "{}: {} can be integrated{}: positions are held by it, counted from the start, and a run may drift off them "
      "because only velocities are",
      names, all, alone ? "" : " together, though not alone");
  const Joint& first = mechanism.joints[static_cast<std::size_t>(rows.joints.front())];
  out.hint = fmt::format("Where that is meant, write {}.", insteadOf(first.kind, mechanism.space));
  return out;
}

}  // namespace linkwork
