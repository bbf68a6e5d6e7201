// Abbreviations: names for parts of the equations that recur, so that what is made of them can be read.
#pragma once

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "linkwork/codegen/explain.hpp"
#include "linkwork/formulation/absolute/equations.hpp"

namespace linkwork {

class Abbreviations {
 public:
  // `what` is written by its name wherever it is met. Numbers, symbols and what already has a name get none.
  void add(std::string name, const Expr& what, std::string meaning);

  // The expressions with every abbreviated part replaced by its name.
  std::vector<Expr> apply(std::span<const Expr> es) const;

  // The definitions of those that `es` (already rewritten) need, in the order in which they build on each other.
  std::vector<ExplainedName> neededBy(std::span<const Expr> es) const;

 private:
  struct Named {
    std::string name;
    Expr what;
    std::string meaning;
  };

  // `definition` is the node that keeps its own formula (0 for none).
  std::vector<Expr> rewrite(std::span<const Expr> es, const Expr& definition) const;

  std::unordered_map<Expr, Expr> names_;
  std::vector<Named> list_;
};

using LetterEquations = AbsoluteEquations<Planar<Expr>>;

// d_x, d_y, L, u_x, u_y and the rates of d of every distance joint and drive, for Phi, Phi_q and Gamma.
Abbreviations abbreviateDistances(const Mechanism& mechanism, const LetterEquations& equations,
                                  const LetterEquations::Work& work);

// d_x, d_y, L, u_x, u_y, the rate of L and the tension F of every spring and damper, for Q.
Abbreviations abbreviateSprings(const Mechanism& mechanism, const LetterEquations& equations,
                                const LetterEquations::Work& work);

}  // namespace linkwork
