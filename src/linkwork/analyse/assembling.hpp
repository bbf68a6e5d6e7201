// The parts of assembly (assemble.hpp), one after the other: loops are closed, given positions are reached and wishes
// met, velocities are found. Each goes on from what the one before has left.
#pragma once

#include <algorithm>
#include <vector>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/analyse/given_values.hpp"
#include "linkwork/analyse/position_solver.hpp"

namespace linkwork {

template <class G>
struct Assembling {
  const Mechanism& mechanism;
  double t = 0.0;
  Assembly out;
  std::vector<int> loose;        // rows that repeat others and do not quite fit
  std::vector<double> near_v{};  // velocities from which those of the start are as near as can be, in place of rest

  // What is known from the closed loops.
  void prepare(PositionSolver<G>& solver) const {
    solver.loosen(loose);
    if (!out.turns.empty()) solver.work().turns = out.turns;
  }
};

// Each answers whether it succeeded; if not, the assembly has the problem in words.
template <class G>
bool closeLoops(Assembling<G>& assembling);  // close_loops.cpp
template <class G>
bool reachGiven(Assembling<G>& assembling);  // given_positions.cpp
template <class G>
bool meetWishes(Assembling<G>& assembling);
template <class G>
bool findVelocities(Assembling<G>& assembling);  // start_velocities.cpp

// Damping of the joint that is left open: enough for the iteration to settle where the gap bends the way (it overshoots
// below 1).
inline constexpr double kSoft = 3.0;
// Off the surface by a misfit (relative), a dependent row shows a pivot of the order of its square; as in the equations
// of motion.
inline constexpr double kMisfitFactor = 30.0;

// Compliances of the wished rows, which are the last: rows are measured in metres, and M is brought in by the mean
// mass, so that `softness` is a pure number and only the ratio of the weights counts.
template <class G>
std::vector<double> complianceOf(const PositionSolver<G>& solver, const Given& given, double softness) {
  const auto& bodies = solver.equations().elements().body;
  double mass = 0.0;
  for (const auto& body : bodies) mass += body.mass / static_cast<double>(bodies.size());
  if (!(mass > 0.0)) mass = 1.0;
  double heaviest = 0.0;
  for (const InitialValue* wish : given.wishes) heaviest = std::max(heaviest, *wish->weight);
  std::vector<double> out(at(solver.equations().rows()), 0.0);
  const std::size_t first = out.size() - given.wishes.size();
  for (std::size_t k = 0; k < given.wishes.size(); ++k) {
    const double length = solver.rowLength(static_cast<int>(first + k));
    out[first + k] = softness * heaviest / (*given.wishes[k]->weight * length * length * mass);
  }
  return out;
}

}  // namespace linkwork
