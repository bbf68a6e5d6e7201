#include "linkwork/analyse/modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "linkwork/base/contract.hpp"
#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {

namespace {

using Complex = std::complex<double>;

// An eigenvalue below this share of the largest is round-off; two of them are already below the next, because a double
// zero comes out at the root of round-off.
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
  mode.damping_ratio = kind == ModeKind::oscillation ? 0.0 - eigenvalue.real() / size : 0.0;
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
  if (!linear.ofSecondOrder()) return false;
  const double size = linear.K.cwiseAbs().maxCoeff();
  const double damping = std::sqrt(size * linear.M.cwiseAbs().maxCoeff());
  return linear.C.cwiseAbs().maxCoeff() <= 1e-13 * damping &&
         (linear.K - linear.K.transpose()).cwiseAbs().maxCoeff() <= 1e-12 * size;
}

// K r = w^2 M r, symmetric: frequencies to the last digits, and modes that are at right angles.
void conservativeModes(const Linearisation& linear, NaturalModes& out) {
  const Eigen::MatrixXd K = 0.5 * (linear.K + linear.K.transpose());
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(K, linear.M);
  expect(solver.info() == Eigen::Success, "findModes: the linearisation holds no finite numbers");
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

// Zeros, of which a double one comes out of the eigenvalues at the root of round-off: K tells the shapes, and how many
// there are with one zero (K r = 0) and how many with two (K r = 0 and nothing dampens r).
void zeroModes(const Linearisation& linear, int zeros, double largest, NaturalModes& out) {
  const Eigen::LLT<Eigen::MatrixXd> inertia(linear.M);
  const Eigen::MatrixXd stiffness = inertia.solve(linear.K);
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(stiffness, Eigen::ComputeFullV);
  const auto n = linear.K.rows();
  int shapes = 0;
  for (Eigen::Index k = 0; k < n; ++k) shapes += svd.singularValues()[k] <= kZero * largest * largest ? 1 : 0;
  shapes = std::clamp(shapes, (zeros + 1) / 2, zeros);
  std::vector<Eigen::VectorXd> found;
  for (int k = 0; k < shapes; ++k) found.emplace_back(svd.matrixV().col(n - 1 - k));
  std::stable_sort(found.begin(), found.end(), [&](const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
    return (linear.C * a).norm() < (linear.C * b).norm();
  });
  const int drifts = zeros - shapes;
  for (int k = 0; k < shapes; ++k) {
    out.modes.push_back(modeOf(k < drifts ? ModeKind::drift : ModeKind::exponential, 0.0,
                               found[static_cast<std::size_t>(k)].cast<Complex>(), linear));
  }
}

// The same where rows hold velocities alone: A r = 0 for as many shapes as there are, and of the zeros that are left
// each makes a drift of one of them.
void zeroModesOfFirstOrder(const Linearisation& linear, int zeros, NaturalModes& out) {
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(linear.A, Eigen::ComputeFullV);
  const Eigen::VectorXd& values = svd.singularValues();
  const int shapes = std::clamp(static_cast<int>((values.array() <= kZero * values[0]).count()), 1, zeros);
  const auto n = static_cast<Eigen::Index>(linear.coordinates.size());
  for (int k = 0; k < shapes; ++k) {
    const Eigen::VectorXd shape = svd.matrixV().col(values.size() - 1 - k).head(n);
    const ModeKind kind = k < zeros - shapes ? ModeKind::drift : ModeKind::exponential;
    out.modes.push_back(modeOf(kind, 0.0, shape.cast<Complex>(), linear));
  }
}

void generalModes(const Linearisation& linear, NaturalModes& out) {
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(linear.A);
  expect(solver.info() == Eigen::Success, "findModes: the linearisation holds no finite numbers");
  const auto n = static_cast<Eigen::Index>(linear.coordinates.size());
  const Eigen::ArrayXd sizes = solver.eigenvalues().array().abs();
  const double largest = sizes.maxCoeff();
  const auto below = [&](double share) { return static_cast<int>((sizes <= share * largest).count()); };
  // A lone small eigenvalue is a slow mode; two of them that small are a double zero.
  const double cut = below(kDoubleZero) >= 2 ? kDoubleZero : kZero;
  if (below(cut) > 0) {
    if (linear.ofSecondOrder()) {
      zeroModes(linear, below(cut), largest, out);
    } else {
      zeroModesOfFirstOrder(linear, below(cut), out);
    }
  }
  for (Eigen::Index k = 0; k < sizes.size(); ++k) {
    Complex value = solver.eigenvalues()[k];
    if (value.imag() < 0.0 || sizes[k] <= cut * largest) continue;
    if (std::abs(value.real()) <= kNoDamping * largest) value.real(0.0);
    out.modes.push_back(modeOf(value.imag() > 0.0 ? ModeKind::oscillation : ModeKind::exponential, value,
                               solver.eigenvectors().col(k).head(n), linear));
  }
}

std::string doubling(double rate) { return fmt::format("twice as large every {:.4g} s", std::log(2.0) / rate); }

bool isDrift(const Mode& mode) { return mode.kind == ModeKind::drift; }

ModeStability stabilityOf(const std::vector<Mode>& modes) {
  const bool grows =
      std::any_of(modes.begin(), modes.end(), [](const Mode& mode) { return mode.eigenvalue.real() > 0.0; });
  if (grows) return ModeStability::growing;
  return std::any_of(modes.begin(), modes.end(), isDrift) ? ModeStability::neutral : ModeStability::stable;
}

void sortShares(std::vector<ModeShare>& shares) {
  std::stable_sort(shares.begin(), shares.end(),
                   [](const ModeShare& a, const ModeShare& b) { return a.size > b.size; });
  const double largest = shares.empty() ? 0.0 : shares.front().size;
  for (ModeShare& share : shares) share.size = largest > 0.0 ? share.size / largest : 0.0;
  // What does not move but by round-off is not listed.
  std::erase_if(shares, [](const ModeShare& share) { return !(share.size > 1e-9); });
}

}  // namespace

NaturalModes findModes(const Linearisation& linear) {
  NaturalModes out;
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
  out.stability = stabilityOf(out.modes);
  return out;
}

std::string_view wordFor(ModeStability stability) {
  switch (stability) {
    case ModeStability::stable: return "stable";
    case ModeStability::neutral: return "neutral";
    case ModeStability::growing: break;
  }
  return "growing";
}

std::string stabilityWords(const NaturalModes& modes) {
  const auto number = [&](const Mode& mode) { return &mode - modes.modes.data() + 1; };
  switch (modes.stability) {
    case ModeStability::growing: {
      const Mode& fastest = *std::max_element(modes.modes.begin(), modes.modes.end(), [](const Mode& a, const Mode& b) {
        return a.eigenvalue.real() < b.eigenvalue.real();
      });
      return fmt::format("not stable: mode {} grows, {}", number(fastest), doubling(fastest.eigenvalue.real()));
    }
    case ModeStability::neutral: {
      const Mode& drift = *std::find_if(modes.modes.begin(), modes.modes.end(), isDrift);
      return fmt::format("neutral: nothing grows, but mode {} goes on at the speed it has", number(drift));
    }
    case ModeStability::stable: break;
  }
  const auto stays = std::find_if(modes.modes.begin(), modes.modes.end(), [](const Mode& mode) {
    return mode.kind == ModeKind::exponential && mode.eigenvalue.real() == 0.0;
  });
  if (stays == modes.modes.end()) return "stable: nothing grows";
  return fmt::format("stable: nothing grows; mode {} stays where it is put", number(*stays));
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

std::vector<ModeShare> jointShares(const Linearisation& linear, const Mode& mode, const Mechanism& mechanism) {
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

std::vector<ModeShare> bodyShares(const Linearisation& linear, const Mode& mode, const Mechanism& mechanism) {
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
