#include "linkwork/codegen/explain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "linkwork/base/contract.hpp"
#include "linkwork/codegen/abbreviations.hpp"
#include "linkwork/codegen/explain_layout.hpp"
#include "linkwork/codegen/tidy.hpp"
#include "linkwork/formulation/absolute/absolute_system.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

namespace {

// Of a coordinate of a row of Phi_q, and of the solution, relative to the largest number beside it: below this it is
// round-off.
constexpr double kRoundoffOfRow = 1e-15;
constexpr double kRoundoffOfSolution = 1e-14;

std::vector<std::string> multiplierNames(int rows) {
  std::vector<std::string> names;
  for (int r = 1; r <= rows; ++r) names.push_back(fmt::format("lambda{}", r));
  return names;
}

// ---- the equations, entry by entry

template <class G>
EquationEntries entriesOf(const AbsoluteEquations<G>& equations, const typename AbsoluteEquations<G>::Work& work) {
  EquationEntries out;
  const auto copy = [](const auto& from, std::vector<Expr>& to) { to.assign(from.begin(), from.end()); };
  copy(work.phi, out.phi);
  copy(work.minus_phi_t, out.minus_phi_t);
  copy(work.gamma, out.gamma);
  for (int b = 0; b < equations.bodies(); ++b) {
    const auto& wrench = work.Q[at(b)];
    const auto& body = equations.elements().body[at(b)];
    out.Q.insert(out.Q.end(), {Expr(wrench.force.x), Expr(wrench.force.y), Expr(wrench.moment)});
    out.mass.insert(out.mass.end(), {Expr(body.mass), Expr(body.mass), Expr(body.inertia)});
  }
  const std::size_t n = at(equations.coordinates());
  out.jacobian.assign(at(equations.rows()) * n, Expr(0.0));
  for (int r = 0; r < equations.rows(); ++r) {
    for (int p = equations.rowStart()[at(r)]; p < equations.rowStart()[at(r) + 1]; ++p) {
      for (int k = 0; k < 3; ++k)
        out.jacobian[at(r) * n + at(3 * equations.rowBodies()[at(p)] + k)] = work.jacobian[at(3 * p + k)];
    }
  }
  return out;
}

// ---- numbers

// Sets what is round-off beside the largest of the numbers to zero.
void clean(std::span<Expr> numbers, double relative) {
  double largest = 0.0;
  for (const Expr& e : numbers) largest = std::max(largest, std::abs(e.number()));
  for (Expr& e : numbers) {
    if (std::abs(e.number()) <= relative * largest) e = Expr(0.0);
  }
}

Expr threeDigits(double value) { return std::strtod(fmt::format("{:.2e}", value).c_str(), nullptr); }

std::vector<Expr> numbersOf(std::span<const double> values) { return {values.begin(), values.end()}; }

// ---- numbers at a state

struct Solution {
  std::vector<double> a;
  Observation seen;
  RankReport rank;
};

ExplainedSection stateSection(const EquationLayout& layout, double t, std::span<const double> q,
                              std::span<const double> v) {
  ExplainedSection out;
  out.title = "State";
  out.words = fmt::format("Positions in m and rad, rates in m/s and rad/s, at t = {:.10g} s.", t);
  ExplainedTable table{layout.names().q, {"q", "dq"}, {}};
  for (std::size_t k = 0; k < q.size(); ++k) table.entries.insert(table.entries.end(), {Expr(q[k]), Expr(v[k])});
  out.table = std::move(table);
  return out;
}

// The whole matrix with the right side as its last column.
ExplainedTable systemTable(const EquationLayout& layout, const EquationEntries& e) {
  const std::size_t n = layout.names().q.size();
  const std::size_t m = layout.rowNames().size();
  ExplainedTable table;
  table.row_names = layout.names().q;
  table.row_names.insert(table.row_names.end(), layout.rowNames().begin(), layout.rowNames().end());
  table.col_names = layout.names().a;
  for (const std::string& name : multiplierNames(static_cast<int>(m)))
    table.col_names.push_back(fmt::format("-{}", name));
  table.col_names.emplace_back("right side");
  const std::size_t cols = n + m + 1;
  table.entries.assign((n + m) * cols, Expr(0.0));
  for (std::size_t k = 0; k < n; ++k) {
    table.entries[k * cols + k] = e.mass[k];
    table.entries[k * cols + n + m] = e.Q[k];
  }
  for (std::size_t r = 0; r < m; ++r) {
    for (std::size_t k = 0; k < n; ++k) {
      table.entries[(n + r) * cols + k] = e.jacobian[r * n + k];
      table.entries[k * cols + n + r] = e.jacobian[r * n + k];
    }
    table.entries[(n + r) * cols + n + m] = e.gamma[r];
  }
  return table;
}

// Phi_q^T lambda, joint by joint, on every moving body, about its centre of mass.
ExplainedSection generalisedReactions(const Mechanism& mechanism, const ElementSet<Planar<double>>& set,
                                      const EquationEntries& e, const Observation& seen) {
  ExplainedSection out;
  out.title = "Generalised reactions W";
  out.words =
      "What each joint or drive does to a body, reduced to its centre of mass: force components in ground axes in N, "
      "moment about the centre of mass in N*m.";
  out.formula_text = "W_i = (Phi_q_i)^T lambda";
  out.formula_latex = "W_i = \\Phi_{q_i}^T \\lambda";
  ExplainedTable table{{}, {"force x", "force y", "moment"}, {}};
  const std::size_t n = e.mass.size();
  for (const RowGroup& group : set.groups) {
    for (const int body : group.related.empty() ? std::vector<int>{group.i, group.j} : group.related) {
      if (body >= set.bodies) continue;
      table.row_names.push_back(fmt::format("{} on {}", group.name, nameOfSlot(mechanism, body)));
      for (int k = 0; k < 3; ++k) {
        double sum = 0.0;
        for (int r = group.first_row; r < group.first_row + group.rows; ++r)
          sum += e.jacobian[at(r) * n + at(3 * body + k)].number() * seen.multipliers[at(r)];
        table.entries.emplace_back(sum);
      }
    }
  }
  clean(table.entries, kRoundoffOfSolution);
  out.table = std::move(table);
  return out;
}

ExplainedSection jointReactions(const Mechanism& mechanism, const Observation& seen) {
  ExplainedSection out;
  out.title = "Reactions at the joints";
  out.words =
      "The same reactions as they act at the joint: force components in ground axes in N, moment about the joint's "
      "point on that body in N*m.";
  std::vector<std::string> not_unique;
  ExplainedTable table{{}, {"force x", "force y", "moment"}, {}};
  for (std::size_t k = 0; k < mechanism.joints.size(); ++k) {
    const Joint& joint = mechanism.joints[k];
    const Reaction& r = seen.joints[k];
    if (!r.unique) not_unique.push_back(joint.name);
    if (isRelation(joint.kind)) continue;  // acts at no point: its generalised forces are all there is
    table.row_names.push_back(fmt::format("{} on {}", joint.name, mechanism.bodyName(joint.first)));
    table.row_names.push_back(fmt::format("{} on {}", joint.name, mechanism.bodyName(joint.second)));
    table.entries.insert(table.entries.end(),
                         {Expr(-r.force_on_second[0]), Expr(-r.force_on_second[1]), Expr(r.moment_on_first[2])});
    table.entries.insert(table.entries.end(),
                         {Expr(r.force_on_second[0]), Expr(r.force_on_second[1]), Expr(r.moment_on_second[2])});
  }
  if (!not_unique.empty()) {
    out.words += fmt::format(" Not unique, the smallest of many that fit: {}.", fmt::join(not_unique, ", "));
  }
  clean(table.entries, kRoundoffOfSolution);
  out.table = std::move(table);
  return out;
}

ExplainedSection residualSection(const Solution& solution) {
  ExplainedSection out;
  out.title = "How well the constraints hold";
  const Violation& v = solution.seen.violation;
  out.names = {{"|Phi|", threeDigits(v.position), "positions"},
               {"|Phi_q dq + Phi_t|", threeDigits(v.velocity), "velocities"},
               {"|Phi_q ddq - Gamma|", threeDigits(v.acceleration), "accelerations"}};
  const RankReport& rank = solution.rank;
  out.words = fmt::format("Euclidean norms. {} of {} rows are independent.", rank.rank, rank.rows);
  if (!rank.dependent_rows.empty())
    out.words += fmt::format(" The others repeat them: {}.", fmt::join(rank.dependent_rows, ", "));
  return out;
}

std::vector<Expr> cleanNumbers(std::span<const double> values) {
  std::vector<Expr> out = numbersOf(values);
  clean(out, kRoundoffOfSolution);
  return out;
}

std::vector<ExplainedSection> solvedSections(const Mechanism& mechanism, const EquationLayout& layout,
                                             const PlanarEquations& equations, const EquationEntries& e,
                                             const Solution& solution) {
  std::vector<ExplainedSection> out;
  out.push_back({"Accelerations ddq",
                 "In m/s^2 and rad/s^2.",
                 "",
                 "",
                 {},
                 vectorTable(layout.names().a, cleanNumbers(solution.a))});
  if (layout.rowNames().empty()) return out;
  out.push_back({"Multipliers lambda",
                 "In N for a row in metres, in N*m for a row in radians.",
                 "",
                 "",
                 {},
                 vectorTable(layout.rowNames(), cleanNumbers(solution.seen.multipliers))});
  out.push_back(generalisedReactions(mechanism, equations.elements(), e, solution.seen));
  if (!mechanism.joints.empty()) out.push_back(jointReactions(mechanism, solution.seen));
  out.push_back(residualSection(solution));
  return out;
}

// ---- letters

std::vector<Expr> symbolsNamed(const std::vector<std::string>& names) {
  std::vector<Expr> out;
  for (const std::string& name : names) out.push_back(Expr::symbol(name));
  return out;
}

}  // namespace

const ExplainedSection* Explanation::find(std::string_view section_title) const {
  const auto it = std::find_if(sections.begin(), sections.end(),
                               [&](const ExplainedSection& s) { return s.title == section_title; });
  return it == sections.end() ? nullptr : &*it;
}

Explanation explainState(const Mechanism& mechanism, double t, std::span<const double> x, const Assembly& start) {
  AbsoluteOptions options;
  options.stabilisation = Stabilisation::none;
  options.doubtful_rows = start.dependent_rows;
  options.misfit = start.misfit;
  options.reaction_length = start.ok ? start.reaction_length : mechanism.run.number("reaction_length").value_or(0.0);
  const AbsoluteSystem system(mechanism, options);
  const PlanarEquations& equations = system.equations();
  const std::size_t n = at(equations.coordinates());
  expect(x.size() >= 2 * n, "explainState: the state must hold q and v");
  std::vector<double> full(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(2 * n));
  full.push_back(0.0);

  Explanation out;
  Solution solution;
  std::vector<double> xdot(full.size());
  const std::unique_ptr<Workspace> workspace = system.makeWorkspace();
  const bool solved = system.derivative(t, full, system.startModes(), *workspace, xdot) == Eval::ok &&
                      system.observe(t, full, system.startModes(), *workspace, solution.seen) == Eval::ok;
  if (!solved) {
    out.problem = system.describeFailure(*workspace);
    return out;
  }
  solution.a.assign(xdot.begin() + static_cast<std::ptrdiff_t>(n), xdot.begin() + static_cast<std::ptrdiff_t>(2 * n));
  solution.rank = system.rankReport(t, full, system.startModes(), *workspace);

  auto work = equations.makeWork();
  const std::span<const double> q = std::span<const double>(full).first(n);
  const std::span<const double> v = std::span<const double>(full).subspan(n, n);
  equations.positions(t, q, work);
  equations.velocities(v, work);
  equations.forces(work);
  EquationEntries entries = entriesOf(equations, work);
  for (int r = 0; r < equations.rows(); ++r)
    clean(std::span<Expr>(entries.jacobian).subspan(at(r) * n, n), kRoundoffOfRow);

  const EquationLayout layout(mechanism, equations.elements().groups, equations.elements().row_info);
  out.title = mechanism.name;
  out.constraint_rows = layout.rowNames();
  out.words = "Equations of motion in absolute coordinates, with numbers. Numbers have ten significant digits.";
  out.sections.push_back(layout.legendOfBodies());
  if (!mechanism.parameters.empty()) out.sections.push_back(layout.legendOfParameters());
  if (!layout.rowNames().empty()) out.sections.push_back(layout.legendOfRows());
  out.sections.push_back(stateSection(layout, t, q, v));
  const auto append = [&](std::vector<ExplainedSection> more) {
    std::move(more.begin(), more.end(), std::back_inserter(out.sections));
  };
  append(layout.equations(entries));
  out.sections.push_back(layout.system());
  out.sections.back().table = systemTable(layout, entries);
  append(solvedSections(mechanism, layout, equations, entries, solution));
  return out;
}

Explanation explainSymbols(const Mechanism& mechanism) {
  const AbsoluteEquations<Planar<Expr>> equations(mechanism);
  const EquationLayout layout(mechanism, equations.elements().groups, equations.elements().row_info);
  auto work = equations.makeWork();
  const std::vector<Expr> q = symbolsNamed(layout.names().q);
  const std::vector<Expr> v = symbolsNamed(layout.names().v);
  equations.positions(Expr::symbol("t"), q, work);
  equations.velocities(v, work);
  equations.forces(work);
  EquationEntries entries = entriesOf(equations, work);
  const Abbreviations distances = abbreviateDistances(mechanism, equations, work);
  const Abbreviations springs = abbreviateSprings(mechanism, equations, work);
  for (auto* list : {&entries.phi, &entries.jacobian, &entries.gamma}) *list = distances.apply(*list);
  entries.Q = springs.apply(entries.Q);
  for (auto* list : {&entries.phi, &entries.jacobian, &entries.minus_phi_t, &entries.gamma, &entries.mass, &entries.Q})
    *list = tidied(*list);

  Explanation out;
  out.title = mechanism.name;
  out.constraint_rows = layout.rowNames();
  out.words = "Equations of motion in absolute coordinates, with letters.";
  out.sections.push_back(layout.legendOfBodies());
  if (!mechanism.parameters.empty()) out.sections.push_back(layout.legendOfParameters());
  if (!layout.rowNames().empty()) out.sections.push_back(layout.legendOfRows());
  ExplainedSection abbreviations;
  abbreviations.title = "Abbreviations";
  std::vector<Expr> constraint_entries = entries.phi;
  for (const auto* list : {&entries.jacobian, &entries.gamma})
    constraint_entries.insert(constraint_entries.end(), list->begin(), list->end());
  abbreviations.names = distances.neededBy(constraint_entries);
  for (ExplainedName& name : springs.neededBy(entries.Q)) abbreviations.names.push_back(std::move(name));
  if (!abbreviations.names.empty()) out.sections.push_back(std::move(abbreviations));
  for (ExplainedSection& section : layout.equations(entries)) out.sections.push_back(std::move(section));
  out.sections.push_back(layout.system());
  return out;
}

}  // namespace linkwork
