// A line of n equal masses between two walls, with equal springs and dampers between neighbours: a system of any size
// with known motion, stiff where n is large. As an OdeSystem that offers to solve with c - J, and as a
// MechanicalSystem.
//
//   (1)  m q_i'' = F_i+1 - F_i,  F_i = k (s + cubic s^3) + d s',  s = q_i - q_i-1,  q_0 = q_n+1 = 0
//   (2)  without the cubic part: q_i = sum_j a_j sin(i j pi/(n+1)) e^(-b t) (cos w t + b/w sin w t),
//        W = 4 k/m sin^2(j pi/(2 (n+1))),  b = W d/(2 k),  w^2 = W - b^2     starting at rest
//   (3)  w' = sum_i d s'^2: what the dampers take
//   (4)  (c - J) [x; y] = [r; s]:  (c + D/m + K/(m c)) y = s - K r/(m c),  x = (r + y)/c       D, K tridiagonal
#pragma once

#include <cmath>
#include <complex>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "linkwork/scalar/dual.hpp"
#include "linkwork/system/mechanical_system.hpp"
#include "linkwork/system/plain_ode_system.hpp"
#include "linkwork/system/sparse_shifted_solve.hpp"
#include "linkwork/system/state_jacobian.hpp"

namespace linkwork::testing_systems {

struct LineOfMasses {
  int n = 1;
  double mass = 1.0;
  double stiffness = 1.0;
  double damping = 0.0;
  double cubic = 0.0;

  // Whose slowest mode swings once in about 2 pi seconds, however many masses there are; the fastest does n times as
  // often, or creeps where the dampers are strong.
  static LineOfMasses slow(int n, double damping_time) {
    const double k = std::pow((n + 1) / M_PI, 2);
    return {n, 1.0, k, damping_time * k};
  }

  StateSpace space() const { return {n, n, 1}; }

  // f of (1) and (3), for any scalar.
  template <class T>
  void derivative(std::span<const T> x, std::span<T> f) const {
    const auto count = static_cast<std::size_t>(n);
    f[2 * count] = T(0.0);
    for (std::size_t i = 0; i < count; ++i) {
      f[i] = x[count + i];
      f[count + i] = T(0.0);
    }
    for (std::size_t i = 0; i <= count; ++i) {
      const T s = (i < count ? x[i] : T(0.0)) - (i > 0 ? x[i - 1] : T(0.0));
      const T rate = (i < count ? x[count + i] : T(0.0)) - (i > 0 ? x[count + i - 1] : T(0.0));
      const T force = (s + s * s * s * cubic) * stiffness + rate * damping;
      if (i < count) f[count + i] -= force / mass;
      if (i > 0) f[count + i - 1] += force / mass;
      f[2 * count] += rate * rate * damping;
    }
  }

  // Stiffness of spring i at x.
  double tangentStiffness(std::span<const double> x, int i) const {
    const double s =
        (i < n ? x[static_cast<std::size_t>(i)] : 0.0) - (i > 0 ? x[static_cast<std::size_t>(i - 1)] : 0.0);
    return stiffness * (1.0 + 3.0 * cubic * s * s);
  }

  struct Mode {
    int number;  // j of (2)
    double amplitude;
  };
  std::vector<double> start(const std::vector<Mode>& modes) const { return exact(modes, 0.0); }
  // (2) and (3), the latter from the energies.
  std::vector<double> exact(const std::vector<Mode>& modes, double t) const {
    std::vector<double> x(static_cast<std::size_t>(space().size()), 0.0);
    for (const auto& [j, amplitude] : modes) {
      const double square = 4.0 * stiffness / mass * std::pow(std::sin(j * M_PI / (2.0 * (n + 1))), 2);
      const double b = 0.5 * square * damping / stiffness;
      const double w = std::sqrt(square - b * b);
      const double position = amplitude * std::exp(-b * t) * (std::cos(w * t) + b / w * std::sin(w * t));
      const double rate = -amplitude * std::exp(-b * t) * square / w * std::sin(w * t);
      for (int i = 1; i <= n; ++i) {
        const double shape = std::sin(std::fmod(static_cast<double>(i) * j, 2.0 * (n + 1)) * M_PI / (n + 1));
        x[static_cast<std::size_t>(i - 1)] += position * shape;
        x[static_cast<std::size_t>(n + i - 1)] += rate * shape;
      }
    }
    if (t > 0.0) x.back() = energy(start(modes)) - energy(x);
    return x;
  }
  double energy(const std::vector<double>& x) const {
    double out = 0.0;
    const auto count = static_cast<std::size_t>(n);
    for (std::size_t i = 0; i < count; ++i) out += 0.5 * mass * x[count + i] * x[count + i];
    for (std::size_t i = 0; i <= count; ++i) {
      const double s = (i < count ? x[i] : 0.0) - (i > 0 ? x[i - 1] : 0.0);
      out += 0.5 * stiffness * (s * s + 0.5 * cubic * s * s * s * s);
    }
    return out;
  }
};

// J d by running the equations with a Dual number.
class LineProduct final : public JacobianProduct {
 public:
  explicit LineProduct(const LineOfMasses& line)
      : line_(line), x_(static_cast<std::size_t>(line.space().size())), f_(x_.size()) {}
  Eval times(double /*t*/, std::span<const double> x, const Modes& /*modes*/, std::span<const double> d,
             std::span<double> out) override {
    for (std::size_t first = 0; first < d.size(); first += x.size()) {
      for (std::size_t i = 0; i < x.size(); ++i) {
        x_[i] = Dual<1>(x[i]);
        x_[i].derivatives[0] = d[first + i];
      }
      line_.derivative<Dual<1>>(x_, f_);
      for (std::size_t i = 0; i < x.size(); ++i) out[first + i] = f_[i].derivative();
    }
    return Eval::ok;
  }

 private:
  LineOfMasses line_;
  std::vector<Dual<1>> x_, f_;
};

// (4), without the row of the quadrature. `share` of the stiffness is known to it: J is approximate where it is not 1.
class LineSolve final : public ShiftedSolve {
 public:
  explicit LineSolve(const LineOfMasses& line, double share = 1.0)
      : line_(line), share_(share), k_(static_cast<std::size_t>(line.n) + 1) {}

  Eval linearise(double /*t*/, std::span<const double> x, const Modes& /*modes*/) override {
    for (std::size_t i = 0; i < k_.size(); ++i) k_[i] = share_ * line_.tangentStiffness(x, static_cast<int>(i));
    return Eval::ok;
  }
  bool factor(const Shifts& shifts) override {
    factorTridiagonal(shifts.real, real_);
    if (shifts.both) factorTridiagonal(shifts.complex, complex_);
    return true;
  }
  void solve(std::span<double> r) override { solveWith(real_, r); }
  void solve(std::span<std::complex<double>> r) override { solveWith(complex_, r); }
  std::string describeFailure() const override { return "the line cannot fail"; }

 private:
  template <class T>
  struct Factors {
    T c{};
    std::vector<T> pivot, side;  // of the tridiagonal matrix, which is symmetric
  };
  template <class T>
  void factorTridiagonal(T c, Factors<T>& out) const {
    const auto n = static_cast<std::size_t>(line_.n);
    out.c = c;
    out.pivot.resize(n);
    out.side.resize(n);
    const auto spring = [&](std::size_t i) { return (line_.damping + k_[i] / c) / line_.mass; };
    for (std::size_t i = 0; i < n; ++i) {
      out.side[i] = -spring(i + 1);
      out.pivot[i] = c + spring(i) + spring(i + 1);
      if (i > 0) out.pivot[i] -= out.side[i - 1] * out.side[i - 1] / out.pivot[i - 1];
    }
  }
  template <class T>
  void solveWith(const Factors<T>& factors, std::span<T> r) const {
    const auto n = static_cast<std::size_t>(line_.n);
    const T c = factors.c;
    for (std::size_t i = 0; i <= n; ++i) {  // s - K r/(m c)
      const T force = k_[i] * ((i < n ? r[i] : T(0.0)) - (i > 0 ? r[i - 1] : T(0.0))) / (line_.mass * c);
      if (i < n) r[n + i] -= force;
      if (i > 0) r[n + i - 1] += force;
    }
    for (std::size_t i = 1; i < n; ++i) r[n + i] -= factors.side[i - 1] / factors.pivot[i - 1] * r[n + i - 1];
    for (std::size_t i = n; i-- > 0;) {
      if (i + 1 < n) r[n + i] -= factors.side[i] * r[n + i + 1];
      r[n + i] /= factors.pivot[i];
    }
    for (std::size_t i = 0; i < n; ++i) r[i] = (r[i] + r[n + i]) / c;
    r[2 * n] /= c;
  }

  LineOfMasses line_;
  double share_;
  std::vector<double> k_;
  Factors<double> real_;
  Factors<std::complex<double>> complex_;
};

// The same line as masses with forces between them, without constraints.
class LineMechanical final : public MechanicalSystem {
 public:
  explicit LineMechanical(const LineOfMasses& line) : line_(line) {
    mass_.resize(line.n, line.n);
    mass_.setIdentity();
    mass_ *= line.mass;
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < line.n; ++i) {
      for (const int j : {i - 1, i, i + 1}) {
        if (j >= 0 && j < line.n) entries.emplace_back(i, j, 0.0);
      }
    }
    pattern_.resize(line.n, line.n);
    pattern_.setFromTriplets(entries.begin(), entries.end());
  }

  StateSpace space() const override { return line_.space(); }
  int rows() const override { return 0; }
  std::span<const MechanicalRow> laws() const override { return {}; }
  const SparseMatrix* constantMass() const override { return &mass_; }
  bool solveMass(std::span<double> /*r*/, Workspace& /*work*/) const override { return false; }
  double typicalMass() const override { return line_.mass; }
  struct Work final : Workspace {
    std::vector<double> f;
  };
  std::unique_ptr<Workspace> makeWorkspace() const override {
    auto out = std::make_unique<Work>();
    out->f.resize(static_cast<std::size_t>(line_.space().size()));
    return out;
  }

  Eval values(double /*t*/, std::span<const double> x, const Modes& /*modes*/, Workspace& work,
              MechanicalValues& out) const override {
    auto& f = static_cast<Work&>(work).f;
    line_.derivative<double>(x, f);
    out.force = line_.mass * Eigen::Map<const Eigen::VectorXd>(f.data() + line_.n, line_.n);
    out.phi.resize(0);
    out.phi_velocity.resize(0);
    return Eval::ok;
  }
  Eval tangent(double /*t*/, std::span<const double> x, std::span<const double> /*a*/,
               std::span<const double> /*lambda*/, const Modes& /*modes*/, Workspace& /*work*/,
               MechanicalTangent& out) const override {
    fill(out.K, [&](int i) { return line_.tangentStiffness(x, i); });
    fill(out.C, [&](int) { return line_.damping; });
    return Eval::ok;
  }
  void quadratureRates(std::span<const double> /*lambda*/, Workspace& work, std::span<double> wdot) const override {
    wdot[0] = static_cast<Work&>(work).f.back();
  }
  void positionRates(std::span<const double> /*q*/, std::span<const double> v, std::span<double> qdot) const override {
    std::copy(v.begin(), v.end(), qdot.begin());
  }
  void chart(std::span<const double> /*q*/, std::span<const double> /*v*/, PositionChart& out) const override {
    out.T.resize(line_.n, line_.n);
    out.T.setIdentity();
    out.S = out.T;
    out.rates_by_q.resize(line_.n, line_.n);
  }
  void retract(std::span<const double> q, std::span<const double> d, std::span<double> q_new) const override {
    for (std::size_t i = 0; i < q.size(); ++i) q_new[i] = q[i] + d[i];
  }
  void difference(std::span<const double> from, std::span<const double> to, std::span<double> d) const override {
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = to[i] - from[i];
  }
  RowLevel level(int /*r*/) const override { return RowLevel::position; }
  std::string rowName(int /*r*/) const override { return "none"; }
  std::string describeFailure(const Workspace& /*work*/) const override { return "the line cannot fail"; }

  // The derivatives of forces by positions and by velocities as J of the OdeSystem; the quadrature's row is left out.
  Eval jacobian(std::span<const double> x, SparseMatrix& J) const {
    MechanicalTangent tangent;
    Workspace none;
    (void)this->tangent(0.0, x, {}, {}, Modes{}, none, tangent);
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < line_.n; ++i) {
      entries.emplace_back(i, line_.n + i, 1.0);
      for (SparseMatrix::InnerIterator k(tangent.K, i), c(tangent.C, i); k; ++k, ++c) {
        entries.emplace_back(line_.n + static_cast<int>(k.row()), i, -k.value() / line_.mass);
        entries.emplace_back(line_.n + static_cast<int>(c.row()), line_.n + i, -c.value() / line_.mass);
      }
    }
    J.resize(line_.space().size(), line_.space().size());
    J.setFromTriplets(entries.begin(), entries.end());
    return Eval::ok;
  }

 private:
  template <class Stiffness>
  void fill(SparseMatrix& out, const Stiffness& of_spring) const {
    if (out.nonZeros() != pattern_.nonZeros()) out = pattern_;
    for (int j = 0; j < line_.n; ++j) {
      for (SparseMatrix::InnerIterator entry(out, j); entry; ++entry) {
        const int i = static_cast<int>(entry.row());
        entry.valueRef() = i == j ? of_spring(j) + of_spring(j + 1) : -of_spring(std::max(i, j));
      }
    }
  }

  LineOfMasses line_;
  SparseMatrix mass_, pattern_;
};

// What implicit methods are offered: nothing, (4), (4) with nine tenths of the stiffness, or sparse matrices.
enum class LineOffer { nothing, structured, approximate, sparse };

class LineOde final : public PlainOdeSystem, private StateJacobian {
 public:
  explicit LineOde(const LineOfMasses& line, LineOffer offer = LineOffer::structured)
      : line_(line), offer_(offer), mechanical_(line) {}

  StateSpace space() const override { return line_.space(); }
  Evaluation derivative(double /*t*/, std::span<const double> x, const Modes& /*modes*/, Workspace& /*work*/,
                        std::span<double> xdot) const override {
    line_.derivative<double>(x, xdot);
    return Eval::ok;
  }
  const MechanicalSystem* mechanical() const override { return &mechanical_; }
  const StateJacobian* jacobian() const override { return offer_ == LineOffer::nothing ? nullptr : this; }

 private:
  std::unique_ptr<JacobianProduct> makeProduct() const override { return std::make_unique<LineProduct>(line_); }
  std::unique_ptr<ShiftedSolve> makeSolve() const override {
    if (offer_ != LineOffer::sparse) {
      return std::make_unique<LineSolve>(line_, offer_ == LineOffer::approximate ? 0.9 : 1.0);
    }
    SparseMatrix one(line_.space().size(), line_.space().size());
    one.setIdentity();
    return std::make_unique<SparseShiftedSolve>(
        one, SparseShiftedSolve::Jacobian{[this](double, std::span<const double> x, const Modes&, SparseMatrix& J) {
                                            return mechanical_.jacobian(x, J);
                                          },
                                          [] { return std::string("the line cannot fail"); }});
  }

  LineOfMasses line_;
  LineOffer offer_;
  LineMechanical mechanical_;
};

}  // namespace linkwork::testing_systems
