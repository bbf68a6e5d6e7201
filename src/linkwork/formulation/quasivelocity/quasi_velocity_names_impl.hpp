// The velocities that the user names, in a QuasiVelocitySystem: whether they can be its quasi-velocities.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/quasivelocity/quasi_velocity_work.hpp"

namespace linkwork {

// The first of these lists that is a combination of those before it, to this tolerance, and those that it is made of.
// Their greatest entries are about 1. Empty: they are independent.
std::vector<int> firstCombination(const std::vector<std::vector<double>>& lists, double tolerance);

// "\"v\" and \"w\""
std::string quotedNames(const std::vector<int>& which, const std::vector<std::string>& names);

// The forms along the motions that the rows of the joints alone allow, by units; after the rows are filled in.
template <class G>
std::vector<std::vector<double>> QuasiVelocitySystem<G>::formsAlongMotions(std::span<const std::uint8_t> left_out,
                                                                           RowElimination& rows) const {
  std::vector<std::uint8_t> without(left_out.begin(), left_out.end());
  std::fill(without.begin() + cuts().rows(), without.end(), std::uint8_t{1});
  std::vector<std::uint8_t> independent(at(freedoms()));
  std::vector<std::vector<double>> out(at(named_));
  if (!(rows.choose(without, independent) > kDependent)) return {};
  (void)rows.factor(without, independent);
  std::vector<double> motion(at(freedoms()));
  for (int k = 0; k < named_; ++k) {
    const auto row = rows.row(cuts().rows() + k);
    double greatest = 0.0;
    for (std::size_t c = 0; c < row.size(); ++c) greatest = std::max(greatest, std::abs(row[c]) / units_[c]);
    for (const int i : rows.independent()) {
      rows.fillMotion(i, motion);
      double sum = 0.0;
      for (std::size_t c = 0; c < row.size(); ++c) sum += row[c] * motion[c];
      out[at(k)].push_back(greatest > 0.0 ? sum * units_[at(i)] / greatest : 0.0);
    }
  }
  return out;
}

// After the choice at the start.
template <class G>
void QuasiVelocitySystem<G>::checkNames(std::span<const std::uint8_t> left_out, RowElimination& rows) {
  constexpr double kDependentForm = 1e-9;
  if (named_ > quasi_velocities_) {
    problem_ = fmt::format("[quasivelocities] names {} ({}), but the joints leave {} freedom{} of velocity: name {}",
                           named_, fmt::join(names_, ", "), quasi_velocities_, quasi_velocities_ == 1 ? "" : "s",
                           quasi_velocities_ == 0 ? "none" : "no more than that");
    return;
  }
  const std::vector<int> guilty = firstCombination(formsAlongMotions(left_out, rows), kDependentForm);
  if (guilty.empty()) return;
  const int line = joints_.mechanism().named_velocities[at(guilty.back())].source.line;
  const std::string where = line > 0 ? fmt::format(" (line {})", line) : std::string();
  problem_ = guilty.size() == 1
                 ? fmt::format(
                       "[quasivelocities]: {}{} is no freedom, because the joints alone determine it: leave it "
                       "out",
                       quotedNames(guilty, names_), where)
                 : fmt::format("[quasivelocities]: {}{} depend on each other at the start: leave one of them out",
                               quotedNames(guilty, names_), where);
}

// Where the rows could not be solved, with those that it was tried with in the workspace: because of the names; empty
// where it is not.
template <class G>
std::string QuasiVelocitySystem<G>::namesToBlame(const Work& work) const {
  constexpr double kNearlyDependent = 3e-2;
  if (named_ == 0 || work.failure != FailureNote::Failure::not_closed) return {};
  RowElimination rows = work.rows;
  std::vector<int> guilty = firstCombination(formsAlongMotions(work.tried_without, rows), kNearlyDependent);
  if (guilty.empty()) {
    if (work.failure_index < cuts().rows()) return {};
    guilty.push_back(work.failure_index - cuts().rows());
  }
  return guilty.size() == 1 ? fmt::format(
                                  "the quasi-velocity {} does not say there how fast the mechanism moves: "
                                  "leave it out of [quasivelocities], or name another",
                                  quotedNames(guilty, names_))
                            : fmt::format(
                                  "the quasi-velocities {} depend on each other there: leave one of them out of "
                                  "[quasivelocities], or name another",
                                  quotedNames(guilty, names_));
}

}  // namespace linkwork
