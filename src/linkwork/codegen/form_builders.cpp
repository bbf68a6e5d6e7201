#include "linkwork/codegen/form_builders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "linkwork/codegen/abbreviations.hpp"
#include "linkwork/codegen/tidy.hpp"

namespace linkwork {

std::map<std::string, Expr> addModelParameters(const Mechanism& mechanism, EquationProgram& program) {
  program.section("Parameters that follow from others");
  std::map<std::string, Expr> replaced;
  std::vector<const Parameter*> derived;
  for (const Parameter& p : mechanism.parameters) {
    if (program.knows(p.name)) {
      // The same letter for the same thing, as g often is, needs nothing.
      if (program.symbolOf(Expr::symbol(p.name)).value != p.value.number) replaced.emplace(p.name, p.value.number);
    } else if (symbolsOf(p.value.expr).empty()) {
      program.parameter(Expr::symbol(p.name), {p.name}, p.value.number, p.unit, "");
    } else {
      derived.push_back(&p);
    }
  }
  // Each after those it is made of.
  while (!derived.empty()) {
    const auto ready = std::find_if(derived.begin(), derived.end(), [&](const Parameter* p) {
      const std::vector<std::string> names = symbolsOf(p->value.expr);
      return std::all_of(names.begin(), names.end(), [&](const std::string& n) { return program.knows(n); });
    });
    if (ready == derived.end()) break;
    const Parameter& p = **ready;
    program.define(Expr::symbol(p.name), {p.name}, substitute(p.value.expr, replaced));
    derived.erase(ready);
  }
  return replaced;
}

Mechanism withLoadsAlone(Mechanism mechanism) {
  for (Value& g : mechanism.gravity) g = Value(0.0);
  for (Body& body : mechanism.bodies) {
    if (body.tensor) body.tensor = Tensor{};
  }
  return mechanism;
}

namespace {

// (0.70711, 0.70711, 0, 0) as (1, 1, 0, 0): where all numbers are zero or of one size, but for round-off.
void makeExact(Quaternion& q) {
  constexpr double kRoundOff = 1e-15;
  double size = 0.0;
  for (const double e : q) size = std::max(size, std::abs(e));
  Quaternion whole{};
  for (std::size_t k = 0; k < q.size(); ++k) {
    whole[k] = std::round(q[k] / size);
    if (std::abs(q[k] / size - whole[k]) > kRoundOff) return;
  }
  q = whole;
}

}  // namespace

Mechanism withExactTurns(Mechanism mechanism) {
  const auto tidy = [](auto& list) {
    for (auto& one : list) {
      makeExact(one.on_first.rotation);
      makeExact(one.on_second.rotation);
    }
  };
  tidy(mechanism.joints);
  tidy(mechanism.drives);
  tidy(mechanism.loads);
  return mechanism;
}

std::vector<Expr> withNamedSprings(const Mechanism& mechanism, const AbsoluteEquations<Planar<Expr>>& equations,
                                   const AbsoluteEquations<Planar<Expr>>::Work& work, std::vector<Expr> es,
                                   EquationProgram& program) {
  const Abbreviations springs = abbreviateSprings(mechanism, equations, work);
  es = tidied(springs.apply(es));
  for (const ExplainedName& name : springs.neededBy(es)) {
    if (name.formula && !program.knows(name.name))
      program.define(Expr::symbol(name.name), {name.name}, tidied(*name.formula));
  }
  return es;
}

RowFilter withoutAllRows(const Mechanism& mechanism) {
  RowFilter out;
  for (int k = 0; k < static_cast<int>(mechanism.joints.size()); ++k) out.without_joints.push_back(k);
  for (int d = 0; d < static_cast<int>(mechanism.drives.size()); ++d) out.without_drives.push_back(d);
  return out;
}

LoopSolution solveLoops(const LoopEquations& loops, EquationProgram& program) {
  LoopSolution out{loops.x0, {}};
  const std::size_t m = loops.P.size();
  const std::size_t n = loops.x0.size();
  if (m == 0) return out;
  program.section("Loop equations");
  ProgramSolve& solve = program.solve;
  solve.matrix.assign(m * m, Expr());
  for (std::size_t r = 0; r < m; ++r) {
    const int row = static_cast<int>(r) + 1;
    out.F.push_back(program.unknown({"la", row}, "", "multiplier"));
    Expr right = loops.gamma[r];
    for (std::size_t i = 0; i < n; ++i) right -= loops.P[r][i] * loops.x0[i];
    solve.right.push_back(program.let({"y0", row}, right));
    for (std::size_t s = 0; s <= r; ++s) {
      Expr sum;
      for (std::size_t i = 0; i < n; ++i) sum += loops.P[r][i] * loops.X[s][i];
      sum = program.let({"S", row, static_cast<int>(s) + 1}, sum);
      solve.matrix[r * m + s] = sum;
      solve.matrix[s * m + r] = sum;
    }
  }
  solve.unknowns = out.F;
  solve.width = n;
  for (std::size_t r = 0; r < m; ++r) {
    solve.rows.insert(solve.rows.end(), loops.P[r].begin(), loops.P[r].end());
    solve.effects.insert(solve.effects.end(), loops.X[r].begin(), loops.X[r].end());
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t r = 0; r < m; ++r) out.x[i] += loops.X[r][i] * out.F[r];
  }
  return out;
}

std::vector<Expr> derivatives(const EquationProgram& program, const std::vector<Expr>& residuals,
                              const std::vector<Expr>& by) {
  std::vector<Expr> out;
  for (const Expr& r : program.expanded(residuals)) {
    for (const Expr& symbol : by) out.push_back(differentiate(r, symbol));
  }
  return out;
}

void leaveUsedTurns(EquationProgram& program) {
  program.keepUsed(SymbolRole::turns);
  const bool left = std::any_of(program.symbols().begin(), program.symbols().end(),
                                [](const ProgramSymbol& s) { return s.role == SymbolRole::turns; });
  if (left)
    program.notes.emplace_back(
        "An angle in space is what the pose tells of it, in (-pi, pi], and 2 pi times its whole turns n.");
}

std::vector<Expr> inputsNamed(EquationProgram& program, const char* letter, int primes, SymbolRole role,
                              const char* array, int count, const char* unit, const std::string& meaning) {
  std::vector<Expr> out;
  for (int k = 0; k < count; ++k)
    out.push_back(program.input({letter, k + 1, 0, primes}, role, array, k, unit, meaning));
  return out;
}

void outputVector(EquationProgram& program, const char* letter, std::vector<Expr> entries, std::string meaning) {
  if (entries.empty()) return;
  const int size = static_cast<int>(entries.size());
  program.outputs.push_back({letter, size, 0, std::move(entries), std::move(meaning)});
}

void outputMatrix(EquationProgram& program, const char* letter, int rows, int cols, std::vector<Expr> entries,
                  std::string meaning) {
  if (entries.empty()) return;
  program.outputs.push_back({letter, rows, cols, std::move(entries), std::move(meaning)});
}

}  // namespace linkwork
