// Which rows depend on which, and which reactions are unique, from the null space of the transposed Jacobian.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "linkwork/analyse/mobility.hpp"
#include "linkwork/linalg/rank.hpp"

namespace linkwork {

// The part of the null space that belongs to one set: a basis of vectors of length one over the set's rows, in scaled
// multipliers. Orthonormal unless that is too much work; which reactions are unique does not depend on the basis, only
// how far the least part of one stands above round-off does.
struct NullPart {
  std::vector<int> rows;
  Eigen::MatrixXd basis;
};

// Splits the relations of a block into sets that share no row: the finest such split, whatever basis the relations are.
void splitIntoSets(const MobilityProblem& problem, const std::vector<int>& rows,
                   const std::vector<std::vector<RowShare>>& relations, int block, std::vector<DependentSet>& sets,
                   std::vector<NullPart>& parts);

// Fills the reactions of every joint and drive, and the sums of several that are unique though they are not.
void findReactions(const MobilityProblem& problem, const std::vector<NullPart>& parts, MobilityReport& report);

}  // namespace linkwork
