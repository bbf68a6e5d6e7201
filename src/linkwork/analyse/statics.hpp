// Statics: poses in which a mechanism stays at rest, and whether it returns to them.
//
//   (1)  Q(t, q, v = 0) + Phi_q^T lambda = 0,   Phi(t, q) = 0                        [docs/theory/06, eq. 6.9]
//   (2)  K = -d(Q + Phi_q^T lambda)/d(motion)                                        [eq. 6.11]
//        stable: Z^T K Z has no eigenvalue below zero,
//        Z a basis of the motions that the constraints allow
//
// Drives are held where they are at time t. Motions are measured in metres, turns by one length for the mechanism, so
// that masses play no part but for their weight.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/formulation/mechanism_system.hpp"

namespace linkwork {

struct StaticsOptions {
  double t = 0.0;   // s: where drives are held, and what loads with t in their formulas are
  int starts = 20;  // random ones, beside the drawn pose
  unsigned seed = 1;

  // What is wrong and what to do about it, in one sentence; empty if nothing is.
  std::string problem() const;
};

enum class Stability {
  stable,    // every small displacement meets a force back
  neutral,   // none is pushed away, but some meet no force
  unstable,  // some are pushed away
};
std::string_view wordFor(Stability stability);

struct Equilibrium {
  bool ok = false;
  std::string problem;  // why there is none, in words, when not ok: which bodies are out of balance and by how much

  std::vector<double> q;  // as in Assembly
  std::vector<double> turns;
  int velocities = 0;      // freedoms of all bodies
  double residual = 0.0;   // N: greatest force out of balance, moments divided by the length
  double potential = 0.0;  // J: gravity and springs
  // Eigenvalues of the reduced stiffness, rising, N/m; of a stiffness that is not symmetric (loads without a potential)
  // their real parts.
  std::vector<double> stiffness;
  bool symmetric = true;
  int unstable_directions = 0;
  int neutral_directions = 0;
  Stability stability = Stability::stable;
  int iterations = 0;
  int hits = 1;        // starts that ended here
  bool drawn = false;  // the drawn pose ended here

  std::vector<double> state() const;  // x = [q, 0, 0, turns], as for the systems of the mechanism
};

// The mechanism with its drives held where they are at time t, and formulas of constraints likewise.
Mechanism heldAt(const Mechanism& mechanism, double t);

// From the pose of `start`. An equilibrium close by is taken whether it is stable or not; else the mechanism is let
// down to where it comes to rest.
Equilibrium findEquilibrium(const Mechanism& mechanism, const Assembly& start, const StaticsOptions& options = {});

struct Equilibria {
  std::vector<Equilibrium> found;  // each once; the one from the drawn pose first, then by rising potential energy
  int starts = 0;
  int failed = 0;       // starts that ended in none
  std::string problem;  // of the drawn pose, where that is among the failed
};

// From the pose of `start` and from random poses reached from it on the constraints.
Equilibria findEquilibria(const Mechanism& mechanism, const Assembly& start, const StaticsOptions& options = {});

// Everything a user sees at an equilibrium, reactions above all. Says why in `problem` where there is no answer.
bool observeAtRest(const Mechanism& mechanism, const Assembly& start, const Equilibrium& equilibrium, double t,
                   Observation& seen, std::string& problem);

}  // namespace linkwork
