// What a call inside a step can answer; nothing throws there.
#pragma once

#include <optional>

namespace linkwork {

enum class Eval {
  ok,
  retry,   // not here, but a smaller step may do
  failed,  // no step size will help; the system can say why
};

// What the factors of constraint rows say about them. Comes from the call that factored, for the state it was given.
struct RowRank {
  int rank = 0;                 // rows that do not depend on others
  int freedoms = 0;             // degrees of freedom of the velocities that they leave
  double smallest_pivot = 1.0;  // relative, of the row nearest to dependence: a squared sine, from 1 to 0
  int nearest_row = -1;         // that row, in the system's own order; -1: none
  int velocity_rank = 0;        // so many of `rank` are rows of velocities alone (base/row_level.hpp)

  int positionFreedoms() const { return freedoms + velocity_rank; }  // degrees of freedom of the positions
};

// An answer, and what was found of the rows where they were factored on the way to it.
struct Evaluation {
  Evaluation(Eval answer) : eval(answer) {}
  Evaluation(Eval answer, const RowRank& found) : eval(answer), rows(found) {}
  operator Eval() const { return eval; }

  Eval eval;
  std::optional<RowRank> rows;
};

}  // namespace linkwork
