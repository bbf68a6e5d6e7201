// Holonomy: whether what rows of velocities alone forbid can be integrated, alone or together, so that they hold
// positions after all.
//
// Motions that the rows allow are a distribution D on the poses that joints allow. Poses that can be reached by such
// motions are those of the orbit of D, which is as wide as D moved along itself (Sussmann): D is carried back from the
// ends of random ways in D, by the derivative of the way. What the orbit lacks of all directions are combinations of
// the rows that can be integrated; a truly nonholonomic mechanism lacks none. The time counts as one more coordinate.
//                                                                                             [docs/theory/12]
#pragma once

#include <string>
#include <vector>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// Joints whose rows of velocities can be integrated together, one of them: alone.
struct IntegrableRows {
  std::vector<int> joints;
  int combinations = 0;  // of their rows: so many positions are held
  int rows = 0;          // of velocities alone that they have
};

// Empty where nothing can be integrated, and without rows of velocities. Expects assembly.ok.
std::vector<IntegrableRows> findIntegrableRows(const Mechanism& mechanism, const Assembly& assembly);

// "what "fin" forbids can be integrated, alone: ..." and which joint to write instead.
struct IntegrableWords {
  std::string message, hint;
};
IntegrableWords wordsFor(const IntegrableRows& rows, const Mechanism& mechanism);

}  // namespace linkwork
