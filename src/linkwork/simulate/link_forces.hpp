// What flexible links carry and how far they bend, from what is observed of a mechanism.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "linkwork/formulation/mechanism_system.hpp"
#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// Of one spring, in axes of the section on the element behind it, x along the
// axis: what the part nearer to the root does to that element, at the spring.
struct SpringState {
  std::array<double, 3> force{};   // normal (positive: pulls), shear along y and z
  std::array<double, 3> moment{};  // twisting, bending about y and z
  std::array<double, 3> turn{};    // rotation vector of the element behind against the one before
};
// Which parts of a mechanism make up one spring.
struct SpringParts {
  BodyIndex before, after;         // elements
  JointIndex joint;                // the last one, which holds the element behind
  std::vector<std::size_t> loads;  // those on the element behind
  Quaternion axes = kNoTurn;
};
std::vector<SpringParts> springParts(const Mechanism& mechanism, const FlexibleLink& link);
SpringState springState(const Mechanism& mechanism, const SpringParts& spring, const Observation& seen);

// Greatest in the section, Pa; zero where its size is not known.                        [docs/theory/13, stresses]
double normalStress(const LinkSection& section, const SpringState& state);
double torsionalStress(const LinkSection& section, const SpringState& state);

// How far the point is from where it would be on the undeformed link, in axes of the link's root.
std::array<double, 3> deflection(const Mechanism& mechanism, const FlexibleLink& link, std::size_t point,
                                 const Observation& seen);

}  // namespace linkwork
