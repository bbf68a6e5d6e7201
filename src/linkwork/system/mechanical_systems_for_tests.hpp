// Small constrained mechanical systems for tests: a pendulum in Cartesian coordinates and a heavy top with a
// quaternion, each also as the index-1 OdeSystem it belongs to.
//
//   CartesianPendulum  q = (x, y), Phi = (x^2 + (y - p)^2 - L^2)/2, pivot at height p = a sin(omega t), damping -c v
//   HeavyTop           q = (r, quaternion), Phi = r + R s:
//                      a body that turns about the origin,
//                      s from its centre of mass to there
// Both have one quadrature, the work supplied by gravity, damping and the moving pivot: the kinetic energy less that
// work stays what it was.
#pragma once

#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "linkwork/geometry/spatial.hpp"
#include "linkwork/linalg/decompositions.hpp"
#include "linkwork/system/mechanical_system.hpp"
#include "linkwork/system/plain_ode_system.hpp"

namespace linkwork::testing_systems {

// Every entry is stored, zeros too, so that the pattern never changes.
inline void fillSparse(SparseMatrix& out, const Eigen::MatrixXd& dense) {
  if (out.nonZeros() != dense.size() || out.rows() != dense.rows()) {
    out.resize(dense.rows(), dense.cols());
    out.reserve(Eigen::VectorXi::Constant(dense.cols(), static_cast<int>(dense.rows())));
    for (Eigen::Index j = 0; j < dense.cols(); ++j) {
      for (Eigen::Index i = 0; i < dense.rows(); ++i) out.insert(i, j) = 0.0;
    }
    out.makeCompressed();
  }
  for (Eigen::Index k = 0; k < dense.size(); ++k) out.valuePtr()[k] = dense.data()[k];
}

// What the two have in common: dense matrices made sparse, and the state of the last values().
class SmallMechanical : public MechanicalSystem {
 public:
  struct Work final : Workspace {
    double t = 0.0;
    Eigen::VectorXd x;
  };
  struct Dense {
    Eigen::VectorXd force, phi, phi_t, gamma;  // Phi_q v' = gamma
    Eigen::MatrixXd mass{};                    // where it is not constant
    Eigen::MatrixXd phi_q;
  };

  StateSpace space() const override { return space_; }
  int rows() const override { return rows_; }
  std::span<const MechanicalRow> laws() const override { return laws_; }
  const SparseMatrix* constantMass() const override { return mass_.nonZeros() > 0 ? &mass_ : nullptr; }
  bool solveMass(std::span<double> r, Workspace& work) const override {
    const auto& own = static_cast<const Work&>(work);
    Eigen::Map<Eigen::VectorXd> in_place(r.data(), space_.velocities());
    in_place = dense(own.t, own.x).mass.fullPivLu().solve(in_place).eval();
    return in_place.allFinite();
  }
  double typicalMass() const override { return typical_mass_; }
  // Makes rows compliant; with zeros for each they stay hard, and are said to be.
  void soften(std::vector<MechanicalRow> laws) { laws_ = std::move(laws); }
  std::unique_ptr<Workspace> makeWorkspace() const override { return std::make_unique<Work>(); }

  virtual Dense dense(double t, const Eigen::VectorXd& x) const = 0;
  virtual double power(const Eigen::VectorXd& x, const Dense& at, const Eigen::VectorXd& lambda) const = 0;
  virtual double kinetic(const Eigen::VectorXd& x) const = 0;

  Eval values(double t, std::span<const double> x, const Modes&, Workspace& work,
              MechanicalValues& out) const override {
    auto& own = static_cast<Work&>(work);
    own.t = t;
    own.x = Eigen::Map<const Eigen::VectorXd>(x.data(), space_.size());
    const Dense at = dense(t, own.x);
    out.force = at.force;
    out.phi = at.phi;
    out.phi_velocity = at.phi_q * own.x.segment(space_.velocityOffset(), space_.velocities()) + at.phi_t;
    fillSparse(out.phi_q, at.phi_q);
    if (at.mass.size() > 0) fillSparse(out.mass, at.mass);
    return out.force.allFinite() ? Eval::ok : Eval::retry;
  }
  void quadratureRates(std::span<const double> lambda, Workspace& work, std::span<double> wdot) const override {
    const auto& own = static_cast<const Work&>(work);
    wdot[0] = power(own.x, dense(own.t, own.x), Eigen::Map<const Eigen::VectorXd>(lambda.data(), rows_));
  }
  RowLevel level(int /*r*/) const override { return RowLevel::position; }
  std::string rowName(int r) const override { return "row " + std::to_string(r); }
  std::string describeFailure(const Workspace&) const override { return "the small system could not be evaluated"; }

  // [M -Phi_q^T; Phi_q 0] [a; lambda] = [f; gamma]; of compliant rows lambda follows from their law
  Eigen::VectorXd indexOne(double t, const Eigen::VectorXd& x) const {
    const Dense at = dense(t, x);
    const int n = space_.velocities();
    Eigen::MatrixXd kkt = Eigen::MatrixXd::Zero(n + rows_, n + rows_);
    kkt.topLeftCorner(n, n) = at.mass.size() > 0 ? at.mass : Eigen::MatrixXd(mass_);
    kkt.topRightCorner(n, rows_) = -at.phi_q.transpose();
    kkt.bottomLeftCorner(rows_, n) = at.phi_q;
    Eigen::VectorXd right(n + rows_);
    right << at.force, at.gamma;
    const Eigen::VectorXd phi_velocity = at.phi_q * x.segment(space_.velocityOffset(), n) + at.phi_t;
    for (Eigen::Index r = 0; r < static_cast<Eigen::Index>(laws_.size()); ++r) {
      const MechanicalRow& row = laws_[static_cast<std::size_t>(r)];
      if (row.hard()) continue;
      kkt.row(n + r).setZero();
      kkt(n + r, n + r) = 1.0;
      right[n + r] = -(at.phi[r] + row.relaxation * phi_velocity[r]) / row.compliance;
    }
    return kkt.fullPivLu().solve(right);
  }

 protected:
  SmallMechanical(StateSpace space, int rows, const Eigen::MatrixXd& mass) : space_(space), rows_(rows) {
    mass_ = mass.sparseView();
    mass_.makeCompressed();
    typical_mass_ = mass.diagonal().cwiseAbs().maxCoeff();
  }
  // The mass matrix depends on q: dense() says it.
  SmallMechanical(StateSpace space, int rows, double typical_mass)
      : space_(space), rows_(rows), typical_mass_(typical_mass) {}

 private:
  StateSpace space_;
  int rows_;
  SparseMatrix mass_;  // without entries where it depends on q
  double typical_mass_;
  std::vector<MechanicalRow> laws_;
};

class CartesianPendulum final : public SmallMechanical {
 public:
  struct Data {
    double mass = 1.0;
    double length = 1.0;
    double gravity = 9.81;
    double damping = 0.0;
    double pivot_amplitude = 0.0;
    double pivot_frequency = 0.0;  // rad/s
  };
  CartesianPendulum() : CartesianPendulum(Data{1.0, 1.0, 9.81, 0.0, 0.0, 0.0}) {}
  explicit CartesianPendulum(const Data& data)
      : SmallMechanical({2, 2, 1}, 1, data.mass * Eigen::Matrix2d::Identity()), data_(data) {}

  // At angle `angle` from the lowest point and the rate `rate`, about the pivot at t = 0.
  std::vector<double> start(double angle, double rate) const {
    const double l = data_.length;
    return {l * std::sin(angle), -l * std::cos(angle), l * std::cos(angle) * rate,
            l * std::sin(angle) * rate + data_.pivot_amplitude * data_.pivot_frequency, 0.0};
  }

  Dense dense(double t, const Eigen::VectorXd& x) const override {
    const double a = data_.pivot_amplitude;
    const double w = data_.pivot_frequency;
    const double p = a * std::sin(w * t);
    const double pdot = a * w * std::cos(w * t);
    const double px = x[0];
    const double py = x[1] - p;
    Dense out;
    out.force = Eigen::Vector2d(-data_.damping * x[2], -data_.damping * x[3] - data_.mass * data_.gravity);
    out.phi = Eigen::VectorXd::Constant(1, 0.5 * (px * px + py * py - data_.length * data_.length));
    out.phi_q = Eigen::RowVector2d(px, py);
    out.phi_t = Eigen::VectorXd::Constant(1, -py * pdot);
    // d/dt (px vx + py (vy - p')) at constant v, less its sign
    const double relative = x[3] - pdot;
    out.gamma = Eigen::VectorXd::Constant(1, -(x[2] * x[2] + relative * relative) - py * w * w * p);
    return out;
  }
  double power(const Eigen::VectorXd& x, const Dense& at, const Eigen::VectorXd& lambda) const override {
    return at.force.dot(x.segment<2>(2)) - lambda.dot(at.phi_t);
  }
  double kinetic(const Eigen::VectorXd& x) const override { return 0.5 * data_.mass * x.segment<2>(2).squaredNorm(); }

  Eval tangent(double, std::span<const double>, std::span<const double> /*a*/, std::span<const double> lambda,
               const Modes&, Workspace&, MechanicalTangent& out) const override {
    fillSparse(out.K, -lambda[0] * Eigen::Matrix2d::Identity());
    fillSparse(out.C, data_.damping * Eigen::Matrix2d::Identity());
    return Eval::ok;
  }
  void positionRates(std::span<const double>, std::span<const double> v, std::span<double> qdot) const override {
    for (std::size_t k = 0; k < 2; ++k) qdot[k] = v[k];
  }
  void chart(std::span<const double>, std::span<const double>, PositionChart& out) const override {
    fillSparse(out.T, Eigen::Matrix2d::Identity());
    fillSparse(out.S, Eigen::Matrix2d::Identity());
    fillSparse(out.rates_by_q, Eigen::Matrix2d::Zero());
  }
  void retract(std::span<const double> q, std::span<const double> d, std::span<double> q_new) const override {
    for (std::size_t k = 0; k < 2; ++k) q_new[k] = q[k] + d[k];
  }
  void difference(std::span<const double> from, std::span<const double> to, std::span<double> d) const override {
    for (std::size_t k = 0; k < 2; ++k) d[k] = to[k] - from[k];
  }

 private:
  Data data_;
};

class HeavyTop final : public SmallMechanical {
 public:
  struct Data {
    double mass = 1.0;
    Eigen::Vector3d inertia{0.02, 0.02, 0.01};  // about the centre of mass, body axes
    double arm = 0.3;                           // from the fixed point to the centre of mass, along the body's z
    double gravity = 9.81;                      // along -z
  };
  HeavyTop() : HeavyTop(Data()) {}
  explicit HeavyTop(const Data& data) : SmallMechanical({7, 6, 1}, 3, massOf(data)), data_(data) {}

  // Axis tilted by `tilt` about x from the upright; `w` in body axes.
  std::vector<double> start(double tilt, const Eigen::Vector3d& w) const {
    std::vector<double> x{0.0,   0.0,   0.0, std::cos(0.5 * tilt), std::sin(0.5 * tilt), 0.0, 0.0, 0.0, 0.0, 0.0, w.x(),
                          w.y(), w.z(), 0.0};
    const Eigen::Matrix3d R = rotation(x.data() + 3);
    const Eigen::Vector3d r = -R * arm();
    const Eigen::Vector3d v = -R * w.cross(arm());
    for (int k = 0; k < 3; ++k) {
      x[static_cast<std::size_t>(k)] = r[k];
      x[7 + static_cast<std::size_t>(k)] = v[k];
    }
    return x;
  }
  static Eigen::Matrix3d rotation(const double* quaternion) {
    return Eigen::Quaterniond(quaternion[0], quaternion[1], quaternion[2], quaternion[3])
        .normalized()
        .toRotationMatrix();
  }
  // Angular momentum about the fixed point, ground axes: with gravity its vertical part stays.
  Eigen::Vector3d momentum(const Eigen::VectorXd& x) const {
    const Eigen::Vector3d r = x.segment<3>(0);
    const Eigen::Vector3d v = x.segment<3>(7);
    return data_.mass * r.cross(v) + rotation(x.data() + 3) * (data_.inertia.asDiagonal() * x.segment<3>(10));
  }

  Dense dense(double, const Eigen::VectorXd& x) const override {
    const Eigen::Matrix3d R = rotation(x.data() + 3);
    const Eigen::Vector3d w = x.segment<3>(10);
    const Eigen::Vector3d Jw = data_.inertia.asDiagonal() * w;
    Dense out;
    out.force.resize(6);
    out.force << 0.0, 0.0, -data_.mass * data_.gravity, Jw.cross(w);
    out.phi = x.segment<3>(0) + R * arm();
    out.phi_t = Eigen::Vector3d::Zero();
    out.phi_q.resize(3, 6);
    out.phi_q << Eigen::Matrix3d::Identity(), -R * skew(arm());
    out.gamma = -R * w.cross(w.cross(arm()));
    return out;
  }
  double power(const Eigen::VectorXd& x, const Dense&, const Eigen::VectorXd&) const override {
    return -data_.mass * data_.gravity * x[9];
  }
  double kinetic(const Eigen::VectorXd& x) const override {
    const Eigen::Vector3d w = x.segment<3>(10);
    return 0.5 * (data_.mass * x.segment<3>(7).squaredNorm() + w.dot(data_.inertia.asDiagonal() * w));
  }

  Eval tangent(double, std::span<const double> x, std::span<const double> /*a*/, std::span<const double> lambda,
               const Modes&, Workspace&, MechanicalTangent& out) const override {
    const Eigen::Matrix3d R = rotation(x.data() + 3);
    const Eigen::Vector3d w(x[10], x[11], x[12]);
    const Eigen::Vector3d Jw = data_.inertia.asDiagonal() * w;
    const Eigen::Matrix3d J = data_.inertia.asDiagonal();
    // moment s x (R^T lambda), and d(R^T lambda) = (R^T lambda) x d
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(6, 6);
    K.bottomRightCorner<3, 3>() = -skew(arm()) * skew(R.transpose() * Eigen::Vector3d(lambda[0], lambda[1], lambda[2]));
    Eigen::MatrixXd C = Eigen::MatrixXd::Zero(6, 6);
    C.bottomRightCorner<3, 3>() = skew(w) * J - skew(Jw);
    fillSparse(out.K, K);
    fillSparse(out.C, C);
    return Eval::ok;
  }
  void positionRates(std::span<const double> q, std::span<const double> v, std::span<double> qdot) const override {
    Spatial<double>::coordinateRate(q, v, qdot);
  }
  void chart(std::span<const double> q, std::span<const double> v, PositionChart& out) const override {
    // q' = q o (0, w)/2 is linear in w and in q; 2 conj(q) o q' / |q|^2 = w
    Eigen::MatrixXd T = Eigen::MatrixXd::Zero(7, 6);
    T.topLeftCorner<3, 3>().setIdentity();
    T.block<4, 3>(3, 3) << -q[4], -q[5], -q[6], q[3], -q[6], q[5], q[6], q[3], -q[4], -q[5], q[4], q[3];
    T.block<4, 3>(3, 3) *= 0.5;
    Eigen::MatrixXd S = Eigen::MatrixXd::Zero(6, 7);
    S.topLeftCorner<3, 3>().setIdentity();
    const double square = q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6];
    S.block<3, 4>(3, 3) = 4.0 / square * T.block<4, 3>(3, 3).transpose();
    Eigen::MatrixXd by_q = Eigen::MatrixXd::Zero(7, 7);
    by_q.block<4, 4>(3, 3) << 0, -v[3], -v[4], -v[5], v[3], 0, v[5], -v[4], v[4], -v[5], 0, v[3], v[5], v[4], -v[3], 0;
    by_q *= 0.5;
    fillSparse(out.T, T);
    fillSparse(out.S, S);
    fillSparse(out.rates_by_q, by_q);
  }
  void retract(std::span<const double> q, std::span<const double> d, std::span<double> q_new) const override {
    std::copy(q.begin(), q.end(), q_new.begin());
    linkwork::retract(Spatial<double>{}, q_new, d);
  }
  void difference(std::span<const double> from, std::span<const double> to, std::span<double> d) const override {
    const Eigen::Quaterniond a(from[3], from[4], from[5], from[6]);
    const Eigen::Quaterniond b(to[3], to[4], to[5], to[6]);
    const Eigen::Quaterniond turn = a.conjugate() * b;
    const double sign = turn.w() < 0.0 ? -1.0 : 1.0;
    const double s = turn.vec().norm();
    const double factor = s > 1e-9 ? 2.0 * std::atan2(s, sign * turn.w()) / s : 2.0;
    for (std::size_t k = 0; k < 3; ++k) {
      d[k] = to[k] - from[k];
      d[k + 3] = sign * factor * turn.vec()[static_cast<Eigen::Index>(k)];
    }
  }

 private:
  static Eigen::Matrix3d skew(const Eigen::Vector3d& a) {
    Eigen::Matrix3d out;
    out << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
    return out;
  }
  static Eigen::MatrixXd massOf(const Data& data) {
    Eigen::VectorXd diagonal(6);
    diagonal << Eigen::Vector3d::Constant(data.mass), data.inertia;
    return diagonal.asDiagonal();
  }
  Eigen::Vector3d arm() const { return {0.0, 0.0, -data_.arm}; }

  Data data_;
};

// The index-1 system of a small mechanical one; quaternions are brought back to length 1 after a step. Whoever tests a
// method that takes constraints gives it dae or mechanical too.
class SmallMechanicalOde final : public PlainOdeSystem {
 public:
  explicit SmallMechanicalOde(const SmallMechanical& system) : system_(system) {}
  SmallMechanicalOde& offerMechanical() { return mechanical_ = &system_, *this; }
  SmallMechanicalOde& offer(const DaeSystem& dae) { return dae_ = &dae, *this; }

  StateSpace space() const override { return system_.space(); }
  const MechanicalSystem* mechanical() const override { return mechanical_; }
  const DaeSystem* dae() const override { return dae_; }

  Evaluation derivative(double t, std::span<const double> x, const Modes&, Workspace&,
                        std::span<double> xdot) const override {
    const StateSpace space = system_.space();
    const Eigen::VectorXd state = Eigen::Map<const Eigen::VectorXd>(x.data(), space.size());
    const Eigen::VectorXd solved = system_.indexOne(t, state);
    const auto q = static_cast<std::size_t>(space.positions());
    const auto v = static_cast<std::size_t>(space.velocities());
    system_.positionRates(x.first(q), x.subspan(q, v), xdot.first(q));
    for (std::size_t k = 0; k < v; ++k) xdot[q + k] = solved[static_cast<Eigen::Index>(k)];
    xdot[q + v] = system_.power(state, system_.dense(t, state), solved.tail(system_.rows()));
    return solved.allFinite() ? Eval::ok : Eval::retry;
  }
  AfterStep afterStep(double, std::span<double> x, const Modes&, Workspace&) const override {
    const bool quaternion = system_.space().positions() == 7;
    return {Eval::ok, quaternion && normalise(Spatial<double>{}, x.first(7))};
  }

 private:
  const SmallMechanical& system_;
  const MechanicalSystem* mechanical_ = nullptr;
  const DaeSystem* dae_ = nullptr;
};

}  // namespace linkwork::testing_systems
