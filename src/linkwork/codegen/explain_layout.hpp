// The parts of an Explanation that numbers and letters share: the names of coordinates and rows, the legends, and the
// matrices entry by entry.
#pragma once

#include <string>
#include <vector>

#include "linkwork/codegen/explain.hpp"
#include "linkwork/elements/element_set.hpp"

namespace linkwork {

// x1, y1, phi1, ... with dx1 and ddx1; slider.x, slider.dx, slider.ddx where a parameter has one of those names.
struct CoordinateNames {
  std::vector<std::string> q, v, a;
};

// Everything as Expr, whether numbers or letters.
struct EquationEntries {
  std::vector<Expr> phi, minus_phi_t, gamma, Q, mass;  // mass: the diagonal
  std::vector<Expr> jacobian;                          // rows x coordinates
};

class EquationLayout {
 public:
  // Keeps references to the mechanism and its rows.
  EquationLayout(const Mechanism& mechanism, const std::vector<RowGroup>& groups, const std::vector<RowInfo>& rows);

  const CoordinateNames& names() const { return names_; }
  const std::vector<std::string>& rowNames() const { return row_names_; }

  ExplainedSection legendOfBodies() const;
  ExplainedSection legendOfParameters() const;
  ExplainedSection legendOfRows() const;
  std::vector<ExplainedSection> equations(const EquationEntries& e) const;
  ExplainedSection system() const;

 private:
  const Mechanism& mechanism_;
  const std::vector<RowGroup>& groups_;
  CoordinateNames names_;
  std::vector<std::string> row_names_;
  std::vector<int> row_groups_;
};

ExplainedTable vectorTable(std::vector<std::string> row_names, std::vector<Expr> entries);

// A body's place in the list of bodies; the place behind the last is the ground.
std::string nameOfSlot(const Mechanism& mechanism, int slot);

}  // namespace linkwork
