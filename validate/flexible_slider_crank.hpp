// The flexible slider-crank of B. Simeon (Modelling a flexible slider crank mechanism by a mixed system of DAEs and
// PDEs, Math. Modelling of Systems 2, 1996), a problem of the test set for IVP solvers: index 2, 24 unknowns.
//
//   p = (crank angle, rod angle, slider position, q_1 .. q_4), the last four the rod's deflection: two lateral modes,
//   two longitudinal displacements (middle and end) (1)  p' = v,  v' = w (2)  0 = f(p, v) - M(p) w - G(p)^T lambda (3)
//   0 = d/dt (constraints):  rod's end on the slider's axis and at the slider, crank angle = 150 rad/s t
// The stiffness is linear and there is no damping. In the letters of DaeSystem: x = [p, v], z = [lambda, w].
#pragma once

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "linkwork/base/index.hpp"
#include "linkwork/scalar/dual.hpp"
#include "linkwork/system/dae_system.hpp"
#include "linkwork/system/plain_ode_system.hpp"

namespace linkwork::validation {

class FlexibleSliderCrank final : public DaeSystem {
 public:
  static constexpr int kP = 7;
  static constexpr int kUnknowns = 24;

  FlexibleSliderCrank() {
    index_.fill(1);
    for (std::size_t k = 14; k < kUnknowns; ++k) index_[k] = 2;
    B_.resize(kUnknowns, kUnknowns);
    for (int k = 0; k < 14; ++k) B_.insert(k, k) = 1.0;
    B_.makeCompressed();
  }

  StateSpace space() const override { return {kP, kP, 0}; }
  int algebraic() const override { return 10; }
  int multipliers() const override { return 3; }
  std::span<const int> index() const override { return index_; }
  const SparseMatrix& B() const override { return B_; }
  std::unique_ptr<Workspace> makeWorkspace() const override { return std::make_unique<Workspace>(); }

  std::unique_ptr<ShiftedSolve> makeShiftedSolve() const override { return nullptr; }

  // The published start, with the rod's rate from the constraint instead of its rounded value.
  static std::vector<double> start() {
    std::vector<double> x(14, 0.0);
    x[2] = 0.450016933;
    x[5] = 1.03339863e-5;
    x[6] = 1.69327969e-5;
    x[7] = kOmega;
    x[8] = -kL1 * kOmega / (kL2 + x[6]);
    x[9] = -2.68938672e-6;
    x[10] = 0.444896105;
    x[11] = 4.63434311e-3;
    x[12] = -1.78591076e-6;
    x[13] = -2.68938672e-6;
    return x;
  }

  Eval rightSide(double, std::span<const double> y, const Modes&, Workspace&, std::span<double> F) const override {
    residual<double>(y, F);
    return Eval::ok;
  }
  Eval jacobian(double, std::span<const double> y, const Modes&, Workspace&, SparseMatrix& out) const override {
    constexpr int kWidth = 8;
    std::array<Dual<kWidth>, kUnknowns> at;
    std::array<Dual<kWidth>, kUnknowns> F;
    std::vector<Eigen::Triplet<double>> entries;
    for (int first = 0; first < kUnknowns; first += kWidth) {
      for (int k = 0; k < kUnknowns; ++k) {
        at[static_cast<std::size_t>(k)] = Dual<kWidth>(y[static_cast<std::size_t>(k)]);
        if (k >= first && k < first + kWidth)
          at[static_cast<std::size_t>(k)].derivatives[static_cast<std::size_t>(k - first)] = 1.0;
      }
      residual<Dual<kWidth>>(at, F);
      for (int row = 0; row < kUnknowns; ++row) {
        for (int k = 0; k < kWidth; ++k) {
          entries.emplace_back(row, first + k,
                               F[static_cast<std::size_t>(row)].derivatives[static_cast<std::size_t>(k)]);
        }
      }
    }
    out.resize(kUnknowns, kUnknowns);
    out.setFromTriplets(entries.begin(), entries.end());
    return Eval::ok;
  }
  Eval start(double, std::span<const double> x, const Modes&, Workspace&, std::span<double> y,
             std::span<double> ydot) const override {
    const Eigen::VectorXd solved = indexOne(x);
    std::copy(x.begin(), x.end(), y.begin());
    for (std::size_t k = 0; k < 10; ++k) y[14 + k] = solved[static_cast<Eigen::Index>(k)];
    std::fill(ydot.begin(), ydot.end(), 0.0);
    for (std::size_t k = 0; k < 7; ++k) {
      ydot[k] = x[7 + k];
      ydot[7 + k] = y[17 + k];
    }
    return Eval::ok;
  }
  std::string describeFailure(const Workspace&) const override { return "the flexible slider-crank has no value here"; }

  // [lambda, w] from (2) and from (3) differentiated: (2) is linear in both, and (3)'s rate is G w + c(p, v).
  Eigen::VectorXd indexOne(std::span<const double> x) const {
    std::array<double, kUnknowns> y{};
    std::copy(x.begin(), x.end(), y.begin());
    std::array<double, kUnknowns> base{};
    residual<double>(y, base);
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(10, 10);
    Eigen::VectorXd right(10);
    std::array<double, kUnknowns> F{};
    for (int k = 0; k < 10; ++k) {
      y[at(14 + k)] = 1.0;
      residual<double>(y, F);
      y[at(14 + k)] = 0.0;
      for (int row = 0; row < kP; ++row) A(3 + row, k) = base[at(17 + row)] - F[at(17 + row)];
    }
    // G is the transpose of lambda's columns; c along p' = v from one Dual direction
    for (int row = 0; row < 3; ++row) A.block(row, 3, 1, kP) = A.block(3, row, kP, 1).transpose();
    std::array<Dual<1>, kUnknowns> along;
    std::array<Dual<1>, kUnknowns> rate;
    for (std::size_t k = 0; k < kUnknowns; ++k) along[k] = Dual<1>(y[k]);
    for (std::size_t k = 0; k < 7; ++k) along[k].derivatives[0] = x[7 + k];
    residual<Dual<1>>(along, rate);
    for (int row = 0; row < 3; ++row) right[row] = -rate[at(14 + row)].derivatives[0];
    for (int row = 0; row < kP; ++row) right[3 + row] = base[at(17 + row)];
    return A.fullPivLu().solve(right);
  }

 private:
  static constexpr double kPi = 3.1415927;  // as the test set has it
  static constexpr double kOmega = 150.0;
  static constexpr double kL1 = 0.15, kL2 = 0.30;
  static constexpr double kM2 = 0.151104, kM3 = 0.075552, kJ1 = 0.002727, kJ2 = 0.0045339259;
  static constexpr double kE = 2e11, kRho = 7870.0, kSide = 0.008;

  // Rows: p', v', (3), (2).
  template <class T>
  static void residual(std::span<const T> y, std::span<T> F) {
    using std::cos;
    using std::sin;
    // Shapes of the deflection, integrated over the rod and times its density: masses, couplings, stiffness.
    const double m = kRho * kSide * kSide * kL2;
    const double k = kE * kSide * kSide / kL2;
    const double slender = (kSide / kL2) * (kSide / kL2);
    const double pi3 = kPi * kPi * kPi;
    const double pi4 = pi3 * kPi;
    const double Mq[4][4] = {{0.5 * m, 0, 0, 0}, {0, 0.5 * m, 0, 0}, {0, 0, 8 * m, m}, {0, 0, m, 2 * m}};
    const double Kq[4][4] = {{k * pi4 / 24 * slender, 0, 0, 0},
                             {0, k * pi4 * 2 / 3 * slender, 0, 0},
                             {0, 0, k * 16 / 3, -k * 8 / 3},
                             {0, 0, -k * 8 / 3, k * 7 / 3}};
    const double b13 = -m * 16 / pi3;
    const double b14 = m * (8 / pi3 - 1 / kPi);
    const double b24 = m * 0.5 / kPi;
    const double Bq[4][4] = {{0, 0, b13, b14}, {0, 0, 0, b24}, {-b13, 0, 0, 0}, {-b14, -b24, 0, 0}};
    const double c1[4] = {0, 0, m * 2 / 3, m / 6};
    const double c2[4] = {m * 2 / kPi, 0, 0, 0};
    const double c12[4] = {0, 0, kL2 * m / 3, kL2 * m / 6};
    const double c21[4] = {kL2 * m / kPi, -kL2 * m * 0.5 / kPi, 0, 0};

    const T* p = &y[0];
    const T* v = &y[7];
    const T* lambda = &y[14];
    const T* w = &y[17];
    const T* q = p + 3;
    const T* qd = v + 3;
    const T s1 = sin(p[0]), s2 = sin(p[1]), k1 = cos(p[0]), k2 = cos(p[1]);
    const T s12 = sin(p[0] - p[1]), k12 = cos(p[0] - p[1]);
    const auto dot = [](const double* a, const T* b) {
      T sum(0.0);
      for (int i = 0; i < 4; ++i) sum += T(a[i]) * b[i];
      return sum;
    };
    const T c1q = dot(c1, q), c2q = dot(c2, q), c12q = dot(c12, q);
    const T c1d = dot(c1, qd), c2d = dot(c2, qd), c12d = dot(c12, qd);
    T Mqq[4], Kqq[4], Bqd[4], qB[4];
    T qMq(0.0), dMq(0.0), dBd(0.0);
    for (int i = 0; i < 4; ++i) {
      Mqq[i] = dot(Mq[i], q);
      Kqq[i] = dot(Kq[i], q);
      Bqd[i] = dot(Bq[i], qd);
      qB[i] = T(0.0);
      for (int j = 0; j < 4; ++j) qB[i] += q[j] * T(Bq[j][i]);
    }
    for (int i = 0; i < 4; ++i) {
      qMq += q[i] * Mqq[i];
      dMq += qd[i] * Mqq[i];
      dBd += qd[i] * Bqd[i];
    }

    T M[7][7];
    for (auto& row : M) {
      for (T& entry : row) entry = T(0.0);
    }
    const double half = 0.5 * kL1 * kL2 * kM2;
    M[0][0] = T(kJ1 + kM2 * kL1 * kL1);
    M[0][1] = T(half) * k12 + T(kL1) * (s12 * c2q + k12 * c1q);
    M[1][1] = T(kJ2) + qMq + T(2.0) * c12q;
    M[2][2] = T(kM3);
    for (int i = 0; i < 4; ++i) {
      M[0][3 + i] = T(kL1) * (k12 * T(c2[i]) - s12 * T(c1[i]));
      M[1][3 + i] = T(c21[i]) + qB[i];
      for (int j = i; j < 4; ++j) M[3 + i][3 + j] = T(Mq[i][j]);
    }
    T f[7];
    const T v1 = v[0], v2 = v[1];
    f[0] = -T(half) * v2 * v2 * s12 + T(kL1) * v2 * v2 * (k12 * c2q - s12 * c1q) -
           T(2.0 * kL1) * v2 * (k12 * c1d + s12 * c2d);
    f[1] = T(half) * v1 * v1 * s12 + T(kL1) * v1 * v1 * (s12 * c1q - k12 * c2q) - T(2.0) * v2 * c12d -
           T(2.0) * v2 * dMq - dBd;
    f[2] = T(0.0);
    for (int i = 0; i < 4; ++i) {
      f[3 + i] = v2 * v2 * Mqq[i] + v2 * v2 * T(c12[i]) + T(kL1) * v1 * v1 * (k12 * T(c1[i]) + s12 * T(c2[i])) +
                 T(2.0) * v2 * Bqd[i] - Kqq[i];
    }
    const T reach = T(kL2) + q[3];
    T G[3][7];
    for (auto& row : G) {
      for (T& entry : row) entry = T(0.0);
    }
    G[0][0] = T(kL1) * k1;
    G[0][1] = reach * k2;
    G[0][6] = s2;
    G[1][0] = T(kL1) * s1;
    G[1][1] = reach * s2;
    G[1][2] = T(1.0);
    G[1][6] = -k2;
    G[2][0] = T(1.0);

    for (int i = 0; i < kP; ++i) {
      F[static_cast<std::size_t>(i)] = v[i];
      F[at(7 + i)] = w[i];
      T sum = f[i];
      for (int j = 0; j < kP; ++j) sum -= (j >= i ? M[i][j] : M[j][i]) * w[j];
      for (int r = 0; r < 3; ++r) sum -= G[r][i] * lambda[r];
      F[at(17 + i)] = sum;
    }
    for (int r = 0; r < 3; ++r) {
      T sum(r == 2 ? -kOmega : 0.0);
      for (int i = 0; i < kP; ++i) sum += G[r][i] * v[i];
      F[at(14 + r)] = sum;
    }
  }

  std::array<int, kUnknowns> index_{};
  SparseMatrix B_;
};

// The same as an OdeSystem, for integrators that go by its dae().
class FlexibleSliderCrankOde final : public PlainOdeSystem {
 public:
  StateSpace space() const override { return dae_.space(); }
  const DaeSystem* dae() const override { return &dae_; }
  Evaluation derivative(double, std::span<const double> x, const Modes&, Workspace&,
                        std::span<double> xdot) const override {
    const Eigen::VectorXd solved = dae_.indexOne(x);
    for (std::size_t k = 0; k < 7; ++k) {
      xdot[k] = x[7 + k];
      xdot[7 + k] = solved[3 + static_cast<Eigen::Index>(k)];
    }
    return Eval::ok;
  }

 private:
  FlexibleSliderCrank dae_;
};

}  // namespace linkwork::validation
