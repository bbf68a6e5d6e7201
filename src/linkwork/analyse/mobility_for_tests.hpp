// The mobility analysis of a mechanism in tests, and what must hold of every report.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "linkwork/analyse/mobility_problem.hpp"

namespace linkwork::test {

// Directions and shares are right to round-off of a few operations on numbers of the order of one.
inline constexpr double kTight = 1e-9;

struct Found {
  MobilityProblem problem;
  MobilityReport report;

  const JointReactions& joint(const std::string& name) const {
    for (const JointReactions& joint : report.reactions) {
      if (problem.groups[static_cast<std::size_t>(joint.group)].name == name) return joint;
    }
    throw std::out_of_range(name);
  }
  std::vector<std::string> names(const std::vector<int>& rows) const {
    std::vector<std::string> out;
    out.reserve(rows.size());
    for (const int r : rows) out.push_back(problem.rows[static_cast<std::size_t>(r)].name);
    return out;
  }
  std::string text() const { return mobilityText(problem, report); }
};

inline Found analyse(const Mechanism& mechanism, const std::vector<double>& q) {
  Found out;
  out.problem = mobilityProblem(mechanism, q);
  EXPECT_TRUE(isClosed(out.problem, q));
  out.report = analyseMobility(out.problem);
  return out;
}

// What must hold of every report: relations are relations, and unique combinations do not see them.
inline void expectConsistent(const Found& found) {
  const MobilityProblem& p = found.problem;
  std::vector<double> phi(p.rows.size());
  std::vector<double> jacobian(p.row_bodies.size() * static_cast<std::size_t>(p.freedoms));
  p.evaluate(p.pose, phi, jacobian);
  const auto n = static_cast<std::size_t>(p.freedoms);
  int repeats = 0;
  for (const DependentSet& set : found.report.sets) {
    repeats += set.repeats;
    ASSERT_EQ(set.relations.size(), static_cast<std::size_t>(set.repeats));
    for (const auto& relation : set.relations) {
      std::vector<double> sum(static_cast<std::size_t>(p.bodies) * n, 0.0);
      std::vector<double> z(p.rows.size(), 0.0);
      for (const auto& [row, share] : relation) {
        z[static_cast<std::size_t>(row)] = share;
        const auto r = static_cast<std::size_t>(row);
        for (auto k = static_cast<std::size_t>(p.row_start[r]); k < static_cast<std::size_t>(p.row_start[r + 1]); ++k) {
          const auto body = static_cast<std::size_t>(p.row_bodies[k]);
          for (std::size_t c = 0; c < n; ++c) sum[n * body + c] += share * jacobian[n * k + c];
        }
      }
      for (const double value : sum) EXPECT_NEAR(value, 0.0, kTight);
      for (const JointReactions& joint : found.report.reactions) {
        const auto first = static_cast<std::size_t>(p.groups[static_cast<std::size_t>(joint.group)].first_row);
        for (const UniqueReaction& reaction : joint.unique) {
          double sees = 0.0;
          for (std::size_t r = 0; r < reaction.coefficients.size(); ++r)
            sees += reaction.coefficients[r] * z[first + r];
          EXPECT_NEAR(sees, 0.0, kTight) << reaction.words;
        }
      }
    }
  }
  EXPECT_EQ(repeats, found.report.all.rows - found.report.all.rank);
}

}  // namespace linkwork::test
