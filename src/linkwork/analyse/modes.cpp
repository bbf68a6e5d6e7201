#include "linkwork/analyse/modes.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

namespace linkwork {

namespace {

using Complex = std::complex<double>;

// An eigenvalue below this share of the largest, and a square of one below the square of the next, are round-off: a
// double zero comes out at the root of it.
constexpr double kZero = 1e-10;
constexpr double kDoubleZero = 3e-8;
// Below this the decay or growth of an oscillation is round-off of its frequency.
constexpr double kNoDamping = 1e-13;

Mode modeOf(ModeKind kind, Complex eigenvalue, const Eigen::VectorXcd& shape, const Linearisation& linear) {
  Mode mode;
  mode.kind = kind;
  mode.eigenvalue = eigenvalue;
  const double size = std::abs(eigenvalue);
  mode.frequency = std::abs(eigenvalue.imag()) / (2.0 * std::numbers::pi);
  mode.natural_frequency = size / (2.0 * std::numbers::pi);
  mode.damping_ratio = kind == ModeKind::oscillation ? -eigenvalue.real() / size : 0.0;
  mode.time_constant = eigenvalue.real() == 0.0 ? std::numeric_limits<double>::infinity() : -1.0 / eigenvalue.real();
  Eigen::Index largest = 0;
  Eigen::VectorXd sizes = shape.cwiseAbs();
  for (Eigen::Index k = 0; k < sizes.size(); ++k) {
    if (linear.coordinates[static_cast<std::size_t>(k)].unit == "rad") sizes[k] *= linear.length;
  }
  sizes.maxCoeff(&largest);
  mode.shape = shape / shape[largest];
  mode.seen = linear.seen_by_s.cast<Complex>() * mode.shape;
  return mode;
}

bool isConservative(const Linearisation& linear) {
  const double size = linear.K.cwiseAbs().maxCoeff();
  const double damping = std::sqrt(size * linear.M.cwiseAbs().maxCoeff());
  return linear.C.cwiseAbs().maxCoeff() <= 1e-13 * damping &&
         (linear.K - linear.K.transpose()).cwiseAbs().maxCoeff() <= 1e-12 * size;
}

// K r = w^2 M r, symmetric: frequencies to the last digits, and modes that are at right angles.
void conservativeModes(const Linearisation& linear, Modes& out) {
  const Eigen::MatrixXd K = 0.5 * (linear.K + linear.K.transpose());
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(K, linear.M);
  if (solver.info() != Eigen::Success) {
    out.problem = "the eigenvalues were not found";
    return;
  }
  const double largest = solver.eigenvalues().cwiseAbs().maxCoeff();
  for (Eigen::Index k = 0; k < solver.eigenvalues().size(); ++k) {
    const double square = solver.eigenvalues()[k];
    const Eigen::VectorXcd shape = solver.eigenvectors().col(k).cast<Complex>();
    if (std::abs(square) <= 1e-14 * largest || largest == 0.0) {
      out.modes.push_back(modeOf(ModeKind::drift, 0.0, shape, linear));
    } else if (square > 0.0) {
      out.modes.push_back(modeOf(ModeKind::oscillation, {0.0, std::sqrt(square)}, shape, linear));
    } else {
      out.modes.push_back(modeOf(ModeKind::exponential, std::sqrt(-square), shape, linear));
      out.modes.push_back(modeOf(ModeKind::exponential, -std::sqrt(-square), shape, linear));
    }
  }
}

void generalModes(const Linearisation& linear, Modes& out) {
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(linear.A);
  if (solver.info() != Eigen::Success) {
    out.problem = "the eigenvalues were not found";
    return;
  }
  const auto n = static_cast<Eigen::Index>(linear.coordinates.size());
  const double largest = solver.eigenvalues().cwiseAbs().maxCoeff();
  bool half_of_drift = false;
  for (Eigen::Index k = 0; k < solver.eigenvalues().size(); ++k) {
    Complex value = solver.eigenvalues()[k];
    if (value.imag() < 0.0) continue;
    const Eigen::VectorXcd shape = solver.eigenvectors().col(k).head(n);
    const double size = std::abs(value);
    const bool zero = size <= kZero * largest;
    const bool one_of_two_zeros =
        size <= kDoubleZero * largest && (solver.eigenvalues().array().abs() <= kDoubleZero * largest).count() >= 2;
    if (one_of_two_zeros) {
      // Two of them are one drift; a complex pair has its partner skipped above.
      const bool both = value.imag() > 0.0;
      half_of_drift = both ? half_of_drift : !half_of_drift;
      if (both || half_of_drift) out.modes.push_back(modeOf(ModeKind::drift, 0.0, shape, linear));
      continue;
    }
    if (zero) value = 0.0;
    if (std::abs(value.real()) <= kNoDamping * std::max(size, largest)) value.real(0.0);
    out.modes.push_back(
        modeOf(value.imag() > 0.0 ? ModeKind::oscillation : ModeKind::exponential, value, shape, linear));
  }
}

std::string doubling(double rate) { return fmt::format("twice as large every {:.4g} s", std::log(2.0) / rate); }

void sortShares(std::vector<ModeShare>& shares) {
  std::stable_sort(shares.begin(), shares.end(),
                   [](const ModeShare& a, const ModeShare& b) { return a.size > b.size; });
  const double largest = shares.empty() ? 0.0 : shares.front().size;
  for (ModeShare& share : shares) share.size = largest > 0.0 ? share.size / largest : 0.0;
  // What does not move but by round-off is not listed.
  std::erase_if(shares, [](const ModeShare& share) { return !(share.size > 1e-9); });
}

}  // namespace

Modes findModes(const Linearisation& linear) {
  Modes out;
  if (linear.coordinates.empty()) {
    out.problem = "nothing moves";
    return out;
  }
  if (isConservative(linear)) {
    conservativeModes(linear, out);
  } else {
    generalModes(linear, out);
  }
  std::stable_sort(out.modes.begin(), out.modes.end(),
                   [](const Mode& a, const Mode& b) { return std::abs(a.eigenvalue) < std::abs(b.eigenvalue); });
  out.ok = out.problem.empty();
  out.stable = out.ok && std::all_of(out.modes.begin(), out.modes.end(), [](const Mode& mode) {
                 return mode.kind != ModeKind::drift && mode.eigenvalue.real() <= 0.0;
               });
  return out;
}

std::string modeWords(const Mode& mode) {
  const double rate = mode.eigenvalue.real();
  switch (mode.kind) {
    case ModeKind::drift: return "free: stays where it is put, goes on at the speed it has";
    case ModeKind::exponential:
      if (rate > 0.0) return "grows: " + doubling(rate);
      if (rate == 0.0) return "neutral: stays where it is put";
      return fmt::format("dies out: time constant {:.4g} s", -1.0 / rate);
    case ModeKind::oscillation: break;
  }
  if (rate > 0.0) return fmt::format("oscillates at {:.5g} Hz and grows: {}", mode.frequency, doubling(rate));
  if (rate == 0.0) return fmt::format("oscillates at {:.5g} Hz without damping", mode.frequency);
  return fmt::format("oscillates at {:.5g} Hz, damping ratio {:.4g}, time constant {:.4g} s", mode.frequency,
                     mode.damping_ratio, mode.time_constant);
}

std::vector<ModeShare> movingJoints(const Linearisation& linear, const Mode& mode, const Mechanism& mechanism) {
  std::vector<ModeShare> out;
  for (std::size_t k = 0; k < linear.seen.size(); ++k) {
    const auto quantity = findQuantity(mechanism, linear.seen[k].name);
    if (!quantity || !isOfJoint(quantity->kind)) continue;
    const Complex value = mode.seen[static_cast<Eigen::Index>(k)];
    out.push_back({linear.seen[k].name, std::abs(value) * (linear.seen[k].unit == "rad" ? linear.length : 1.0),
                   std::arg(value) * 180.0 / std::numbers::pi});
  }
  sortShares(out);
  return out;
}

std::vector<ModeShare> movingBodies(const Linearisation& linear, const Mode& mode, const Mechanism& mechanism) {
  std::map<std::string, double> squares;
  for (std::size_t k = 0; k < linear.seen.size(); ++k) {
    const std::string& name = linear.seen[k].name;
    const auto quantity = findQuantity(mechanism, name);
    if (quantity && isOfJoint(quantity->kind)) continue;
    const double size =
        std::abs(mode.seen[static_cast<Eigen::Index>(k)]) * (linear.seen[k].unit == "rad" ? linear.length : 1.0);
    squares[name.substr(0, name.rfind('.'))] += size * size;
  }
  std::vector<ModeShare> out;
  for (const Body& body : mechanism.bodies) out.push_back({body.name, std::sqrt(squares[body.name]), 0.0});
  sortShares(out);
  return out;
}

}  // namespace linkwork
