#include "linkwork/codegen/explain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <utility>

#include "linkwork/base/contract.hpp"
#include "linkwork/codegen/abbreviations.hpp"
#include "linkwork/codegen/expr_writer.hpp"
#include "linkwork/codegen/tidy.hpp"
#include "linkwork/formulation/absolute/absolute_system.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

namespace {

using absolute::at;

// Of a coordinate of a row of Phi_q, and of the solution, relative to the largest number beside it: below this it is
// round-off.
constexpr double kRoundoffOfRow = 1e-15;
constexpr double kRoundoffOfSolution = 1e-14;
// Of q in the legend.
constexpr std::size_t kMostLetters = 12;

// ---- names

struct CoordinateNames {
  std::vector<std::string> q, v, a;
};

CoordinateNames namesByNumber(const Mechanism& mechanism) {
  CoordinateNames out;
  for (std::size_t b = 1; b <= mechanism.bodies.size(); ++b) {
    for (const char* letter : {"x", "y", "phi"}) {
      out.q.push_back(fmt::format("{}{}", letter, b));
      out.v.push_back(fmt::format("d{}{}", letter, b));
      out.a.push_back(fmt::format("dd{}{}", letter, b));
    }
  }
  return out;
}

CoordinateNames namesByBody(const Mechanism& mechanism) {
  CoordinateNames out;
  for (const Body& body : mechanism.bodies) {
    for (const char* letter : {"x", "y", "phi"}) {
      out.q.push_back(fmt::format("{}.{}", body.name, letter));
      out.v.push_back(fmt::format("{}.d{}", body.name, letter));
      out.a.push_back(fmt::format("{}.dd{}", body.name, letter));
    }
  }
  return out;
}

CoordinateNames coordinateNames(const Mechanism& mechanism) {
  const CoordinateNames names = namesByNumber(mechanism);
  for (const auto* list : {&names.q, &names.v, &names.a}) {
    const std::set<std::string> taken(list->begin(), list->end());
    for (const Parameter& parameter : mechanism.parameters) {
      if (taken.contains(parameter.name)) return namesByBody(mechanism);
    }
  }
  return names;
}

std::vector<std::string> multiplierNames(int rows) {
  std::vector<std::string> names;
  for (int r = 1; r <= rows; ++r) names.push_back(fmt::format("lambda{}", r));
  return names;
}

std::string nameOfSlot(const Mechanism& mechanism, int slot) {
  return std::string(mechanism.bodyName(at(slot) < mechanism.bodies.size() ? BodyIndex(slot) : kGround));
}

std::string whatARowSays(const RowGroup& group, std::string_view kind) {
  if (kind == "x" || kind == "y") return fmt::format("their points have the same {}", kind);
  if (kind == "angle")
    return group.is_drive ? "the angle between them follows the motion" : "the angle between them stays";
  if (kind == "normal") return "the point of the first stays on the line of the second";
  if (kind == "length")
    return group.is_drive ? "the distance between their points follows the motion"
                          : "the distance between their points stays";
  return "the displacement follows the motion";
}

// ---- the equations, entry by entry

// Everything as Expr, whether numbers or letters.
struct Equations {
  std::vector<Expr> phi, minus_phi_t, gamma, Q, mass;  // mass: the diagonal
  std::vector<Expr> jacobian;                          // rows x coordinates
};

template <class G>
Equations entriesOf(const AbsoluteEquations<G>& equations, const typename AbsoluteEquations<G>::Work& work) {
  Equations out;
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

// ---- sections that numbers and letters share

ExplainedTable vectorTable(std::vector<std::string> row_names, std::vector<Expr> entries) {
  return {std::move(row_names), {}, std::move(entries)};
}

class Layout {
 public:
  Layout(const Mechanism& mechanism, const std::vector<RowGroup>& groups, const std::vector<RowInfo>& rows)
      : mechanism_(mechanism), groups_(groups), names_(coordinateNames(mechanism)) {
    for (const RowInfo& row : rows) {
      row_names_.push_back(row.name);
      row_groups_.push_back(row.group);
    }
  }

  const CoordinateNames& names() const { return names_; }
  const std::vector<std::string>& rowNames() const { return row_names_; }

  ExplainedSection legendOfBodies() const {
    ExplainedSection out;
    out.title = "Bodies and coordinates";
    out.words =
        "Each body has three absolute coordinates: x and y of its centre of mass in ground axes, and its angle phi, in "
        "radians. "
        "A leading d is a rate, dd an acceleration.";
    std::vector<std::string> letters;
    for (std::size_t k = 0; k < std::min<std::size_t>(names_.q.size(), kMostLetters); ++k)
      letters.push_back(symbolLatex(names_.q[k]));
    const bool all = letters.size() == names_.q.size();
    out.formula_text =
        fmt::format("q = [{}{}]^T",
                    fmt::join(names_.q.begin(), names_.q.begin() + static_cast<std::ptrdiff_t>(letters.size()), " "),
                    all ? "" : " ...");
    out.formula_latex = fmt::format("q = [{}{}]^T", fmt::join(letters, "\\; "), all ? "" : "\\; \\ldots");
    for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b) {
      out.names.push_back({fmt::format("body {}", b + 1), std::nullopt,
                           fmt::format("{}: {}, {}, {}", mechanism_.bodies[b].name, names_.q[3 * b],
                                       names_.q[3 * b + 1], names_.q[3 * b + 2])});
    }
    return out;
  }

  ExplainedSection legendOfParameters() const {
    ExplainedSection out;
    out.title = "Parameters";
    for (const Parameter& p : mechanism_.parameters) {
      if (p.value.expr.isNumber()) {
        out.names.push_back({p.name, Expr(p.value.number), p.unit});
      } else {
        out.names.push_back({p.name, p.value.expr, fmt::format("= {:.10g} {}", p.value.number, p.unit)});
      }
    }
    return out;
  }

  ExplainedSection legendOfRows() const {
    ExplainedSection out;
    out.title = "Constraint rows";
    out.words = "Each row is one equation of a joint or drive and has one multiplier, numbered in the same order.";
    for (std::size_t r = 0; r < row_names_.size(); ++r) {
      const RowGroup& group = groups_[at(row_groups_[r])];
      const std::string_view kind = group.is_drive ? wordFor(mechanism_.drives[at(group.index)].kind)
                                                   : wordFor(mechanism_.joints[at(group.index)].kind);
      const std::string suffix = row_names_[r].substr(group.name.size() + 1);
      out.names.push_back(
          {row_names_[r], std::nullopt,
           fmt::format("row {}: {} {} of {} and {}; {}", r + 1, kind, group.is_drive ? "drive" : "joint",
                       nameOfSlot(mechanism_, group.i), nameOfSlot(mechanism_, group.j), whatARowSays(group, suffix))});
    }
    return out;
  }

  std::vector<ExplainedSection> equations(const Equations& e) const {
    std::vector<ExplainedSection> out;
    if (row_names_.empty()) {
      ExplainedSection none;
      none.title = "Constraints Phi";
      none.words = "There are no joints and no drives: every body moves freely.";
      out.push_back(none);
    } else {
      out.push_back(vectorOf("Constraints Phi", "All zero where the joints are closed and the drives are followed.",
                             "Phi(q, t) = 0", "\\Phi(q, t) = 0", row_names_, e.phi));
      out.push_back({"Jacobian matrix Phi_q",
                     "The derivatives of the constraints by the coordinates.",
                     "Phi_q = dPhi/dq",
                     "\\Phi_q = \\frac{\\partial \\Phi}{\\partial q}",
                     {},
                     ExplainedTable{row_names_, names_.q, e.jacobian}});
      out.push_back(vectorOf("Right side of the velocity equation, -Phi_t", "What the drives ask of the velocities.",
                             "Phi_q dq = -Phi_t", "\\Phi_q \\dot{q} = -\\Phi_t", row_names_, e.minus_phi_t));
      if (mechanism_.drives.empty()) {
        out.back().words = "There are no drives, so it is zero.";
        out.back().table.reset();
      }
      out.push_back(vectorOf("Right side of the acceleration equation, Gamma",
                             "What is left of the second derivative of Phi by time when the accelerations are taken "
                             "out, with its sign turned.",
                             "Phi_q ddq = Gamma", "\\Phi_q \\ddot{q} = \\Gamma", row_names_, e.gamma));
    }
    const std::size_t n = names_.q.size();
    std::vector<Expr> mass(n * n, Expr(0.0));
    for (std::size_t k = 0; k < n; ++k) mass[k * n + k] = e.mass[k];
    out.push_back({"Mass matrix M",
                   "Mass, mass and moment of inertia about the centre of mass of each body, in kg and kg*m^2.",
                   "",
                   "",
                   {},
                   ExplainedTable{names_.q, names_.q, std::move(mass)}});
    out.push_back(
        vectorOf("Generalised forces Q",
                 "Gravity and loads reduced to the centres of mass, in N and N*m; reactions are not among them.", "",
                 "", names_.q, e.Q));
    return out;
  }

  ExplainedSection system() const {
    ExplainedSection out;
    const std::size_t n = names_.q.size();
    const std::size_t m = row_names_.size();
    out.title = "System of equations of motion";
    out.words = fmt::format(
        "{} equations for {} accelerations and {} multipliers. The reactions of the joints on the bodies are +Phi_q^T "
        "lambda.",
        n + m, n, m);
    out.formula_text = "[ M      Phi_q^T ] [ ddq     ]   [ Q     ]\n[ Phi_q  0       ] [ -lambda ] = [ Gamma ]";
    out.formula_latex =
        "\\begin{bmatrix} M & \\Phi_q^T \\\\ \\Phi_q & 0 \\end{bmatrix} \\begin{bmatrix} \\ddot{q} \\\\ -\\lambda "
        "\\end{bmatrix} = "
        "\\begin{bmatrix} Q \\\\ \\Gamma \\end{bmatrix}";
    return out;
  }

 private:
  static ExplainedSection vectorOf(std::string title, std::string words, std::string text, std::string latex,
                                   const std::vector<std::string>& names, const std::vector<Expr>& entries) {
    return {std::move(title), std::move(words), std::move(text), std::move(latex), {}, vectorTable(names, entries)};
  }

  const Mechanism& mechanism_;
  const std::vector<RowGroup>& groups_;
  CoordinateNames names_;
  std::vector<std::string> row_names_;
  std::vector<int> row_groups_;
};

// ---- numbers at a state

struct Solution {
  std::vector<double> a;
  Observation seen;
  RankReport rank;
};

ExplainedSection stateSection(const Layout& layout, double t, std::span<const double> q, std::span<const double> v) {
  ExplainedSection out;
  out.title = "State";
  out.words = fmt::format("Positions in m and rad, rates in m/s and rad/s, at t = {:.10g} s.", t);
  ExplainedTable table{layout.names().q, {"q", "dq"}, {}};
  for (std::size_t k = 0; k < q.size(); ++k) table.entries.insert(table.entries.end(), {Expr(q[k]), Expr(v[k])});
  out.table = std::move(table);
  return out;
}

// The whole matrix with the right side as its last column.
ExplainedTable systemTable(const Layout& layout, const Equations& e) {
  const std::size_t n = layout.names().q.size();
  const std::size_t m = layout.rowNames().size();
  ExplainedTable table;
  table.row_names = layout.names().q;
  table.row_names.insert(table.row_names.end(), layout.rowNames().begin(), layout.rowNames().end());
  table.col_names = layout.names().a;
  for (const std::string& name : multiplierNames(static_cast<int>(m)))
    table.col_names.push_back(fmt::format("-{}", name));
  table.col_names.push_back("right side");
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
                                      const Equations& e, const Observation& seen) {
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
    for (const int body : {group.i, group.j}) {
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
    table.row_names.push_back(fmt::format("{} on {}", joint.name, mechanism.bodyName(joint.first)));
    table.row_names.push_back(fmt::format("{} on {}", joint.name, mechanism.bodyName(joint.second)));
    table.entries.insert(table.entries.end(),
                         {Expr(-r.force_on_second[0]), Expr(-r.force_on_second[1]), Expr(r.moment_on_first[2])});
    table.entries.insert(table.entries.end(),
                         {Expr(r.force_on_second[0]), Expr(r.force_on_second[1]), Expr(r.moment_on_second[2])});
    if (!r.unique) not_unique.push_back(joint.name);
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

std::vector<ExplainedSection> solvedSections(const Mechanism& mechanism, const Layout& layout,
                                             const PlanarEquations& equations, const Equations& e,
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

Explanation explainState(const Mechanism& mechanism, double t, std::span<const double> x,
                         const std::vector<int>& dependent_rows) {
  AbsoluteOptions options;
  options.stabilisation = Stabilisation::none;
  options.doubtful_rows = dependent_rows;
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
  const bool solved = system.derivative(t, full, *workspace, xdot) == Eval::ok &&
                      system.observe(t, full, *workspace, solution.seen) == Eval::ok;
  if (!solved) {
    out.problem = system.describeFailure(*workspace);
    return out;
  }
  solution.a.assign(xdot.begin() + static_cast<std::ptrdiff_t>(n), xdot.begin() + static_cast<std::ptrdiff_t>(2 * n));
  solution.rank = system.rank(*workspace);

  auto work = equations.makeWork();
  const std::span<const double> q = std::span<const double>(full).first(n);
  const std::span<const double> v = std::span<const double>(full).subspan(n, n);
  equations.positions(t, q, work);
  equations.velocities(v, work);
  equations.forces(work);
  Equations entries = entriesOf(equations, work);
  for (int r = 0; r < equations.rows(); ++r)
    clean(std::span<Expr>(entries.jacobian).subspan(at(r) * n, n), kRoundoffOfRow);

  const Layout layout(mechanism, equations.elements().groups, equations.elements().row_info);
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
  const Layout layout(mechanism, equations.elements().groups, equations.elements().row_info);
  auto work = equations.makeWork();
  const std::vector<Expr> q = symbolsNamed(layout.names().q);
  const std::vector<Expr> v = symbolsNamed(layout.names().v);
  equations.positions(Expr::symbol("t"), q, work);
  equations.velocities(v, work);
  equations.forces(work);
  Equations entries = entriesOf(equations, work);
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
