// What assembly says when it fails, in words.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/analyse/misfit_cure.hpp"

namespace linkwork {

// How far a joint is from closed.
struct Gap {
  double length = 0.0;  // m
  double angle = 0.0;   // rad
};

// "0.95 m", "2 deg", "0.95 m and 2 deg"
std::string gapText(const Gap& gap);

// The loop that a joint closes: "O, A, B, C (ground - crank - coupler - rocker)"; empty if it closes none.
std::string loopText(const Mechanism& mechanism, int joint);

void reportOpenJoint(const Mechanism& mechanism, int joint, const Gap& gap, Assembly& out);
// Drives that ask for what no pose satisfies; each is missed by up to the gap.
void reportDrives(const Mechanism& mechanism, const std::vector<int>& drives, const Gap& gap, Assembly& out);
void reportMasslessBody(const Mechanism& mechanism, int body, const std::string& direction, Assembly& out);
void reportFlippedJoints(const Mechanism& mechanism, const std::vector<int>& joints, Assembly& out);
// Rows of these joints repeat others and miss them by a share of the mechanism's size.
void warnOfMisfit(const Mechanism& mechanism, const std::vector<int>& joints, const MisfitRows& misfit,
                  const std::optional<MisfitCure>& cure, double length, Assembly& out);
void warnOfTurnedBodies(const Mechanism& mechanism, const std::vector<int>& joints, Assembly& out);

// Initial values that cannot all be had, the worst first, and by how much that one is missed.
void reportContradiction(const Mechanism& mechanism, const std::vector<const InitialValue*>& values, double missed,
                         Assembly& out);

// An initial value of an angle or rate that means nothing: where it is asked for, or in the pose at hand.
void reportLostAngles(const Mechanism& mechanism, const InitialValue& value, Assembly& out);
// Joints whose named angles mean nothing at the start, though nothing asks for them.
void warnOfLostAngles(const Mechanism& mechanism, Assembly& out);

}  // namespace linkwork
