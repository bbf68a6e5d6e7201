// Modes: eigenvalues of a linearised mechanism with what a user reads off them, and who moves how in each.
//
//   x' = A x,  A r = mu r;   mu = -zeta w +- i w sqrt(1 - zeta^2)                                  [docs/theory/03]
#pragma once

#include <Eigen/Core>
#include <complex>
#include <string>
#include <vector>

#include "linkwork/analyse/linearise.hpp"

namespace linkwork {

enum class ModeKind {
  oscillation,  // a pair of complex eigenvalues, of which the one with the positive imaginary part is here
  exponential,  // a real one
  drift,        // two zeros: where it is put it stays, and goes on at the speed it has
};

struct Mode {
  ModeKind kind = ModeKind::oscillation;
  std::complex<double> eigenvalue;  // 1/s
  double frequency = 0.0;           // Hz, of the motion as it is seen: |Im| / 2 pi
  double natural_frequency = 0.0;   // Hz: |eigenvalue| / 2 pi
  double damping_ratio = 0.0;       // of an oscillation: -Re / |eigenvalue|; negative where it grows
  double time_constant = 0.0;       // s, to 1/e; negative where it grows, infinite where it does neither
  Eigen::VectorXcd shape;           // of s, the largest entry (a turn times the length) real and positive, of size 1
  Eigen::VectorXcd seen;            // the same of all coordinates in Linearisation::seen
};

enum class ModeStability {
  stable,   // nothing grows or goes on; something may stay where it is put
  neutral,  // nothing grows, but something goes on at the speed it has
  growing,
};
std::string_view wordFor(ModeStability stability);

struct NaturalModes {
  bool ok = false;
  std::string problem;
  std::vector<Mode> modes;  // slowest first
  ModeStability stability = ModeStability::neutral;

  bool stable() const { return stability == ModeStability::stable; }
};

NaturalModes findModes(const Linearisation& linear);

// "grows: twice as large every 1.55 s", "1.239 Hz, damping ratio 0.012"
std::string modeWords(const Mode& mode);

// "not stable: mode 3 grows, twice as large every 1.55 s": the mode that decides, by its number in the list from 1 on.
std::string stabilityWords(const NaturalModes& modes);

// Who moves most, largest first: name, size relative to the largest and phase in degrees. Joints and bodies apart; of a
// body all its coordinates together, without phase.
struct ModeShare {
  std::string name;
  double size = 0.0;
  double phase = 0.0;  // degrees, -180 to 180
};
std::vector<ModeShare> jointShares(const Linearisation& linear, const Mode& mode, const Mechanism& mechanism);
std::vector<ModeShare> bodyShares(const Linearisation& linear, const Mode& mode, const Mechanism& mechanism);

}  // namespace linkwork
