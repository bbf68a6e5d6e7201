#include "linkwork/codegen/explain_layout.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "linkwork/codegen/latex_names.hpp"
#include "linkwork/formulation/absolute/equations.hpp"

namespace linkwork {

namespace {

// Of q in the legend.
constexpr std::size_t kMostLetters = 12;

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
  CoordinateNames names = namesByNumber(mechanism);
  for (const auto* list : {&names.q, &names.v, &names.a}) {
    const std::set<std::string> taken(list->begin(), list->end());
    for (const Parameter& parameter : mechanism.parameters) {
      if (taken.contains(parameter.name)) return namesByBody(mechanism);
    }
  }
  return names;
}

std::string whatARowSays(const RowGroup& group, std::string_view kind) {
  if (kind == "x" || kind == "y") return fmt::format("their points have the same {}", kind);
  if (kind == "angle")
    return group.is_drive ? "the angle between them follows the motion" : "the angle between them stays";
  if (kind == "mesh") return "the ways of the two at the pitch point are equal";
  if (kind == "relation") return "the sum or formula stays zero";
  if (kind == "normal") return "the point of the first stays on the line of the second";
  if (kind == "length")
    return group.is_drive ? "the distance between their points follows the motion"
                          : "the distance between their points stays";
  return "the displacement follows the motion";
}

ExplainedSection vectorOf(std::string title, std::string words, std::string text, std::string latex,
                          const std::vector<std::string>& names, const std::vector<Expr>& entries) {
  return {std::move(title), std::move(words), std::move(text), std::move(latex), {}, vectorTable(names, entries)};
}

}  // namespace

ExplainedTable vectorTable(std::vector<std::string> row_names, std::vector<Expr> entries) {
  return {std::move(row_names), {}, std::move(entries)};
}

std::string nameOfSlot(const Mechanism& mechanism, int slot) {
  return std::string(mechanism.bodyName(at(slot) < mechanism.bodies.size() ? BodyIndex(slot) : kGround));
}

EquationLayout::EquationLayout(const Mechanism& mechanism, const std::vector<RowGroup>& groups,
                               const std::vector<RowInfo>& rows)
    : mechanism_(mechanism), groups_(groups), names_(coordinateNames(mechanism)) {
  for (const RowInfo& row : rows) {
    row_names_.push_back(row.name);
    row_groups_.push_back(row.group);
  }
}

ExplainedSection EquationLayout::legendOfBodies() const {
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
  out.formula_text = fmt::format(
      "q = [{}{}]^T", fmt::join(names_.q.begin(), names_.q.begin() + static_cast<std::ptrdiff_t>(letters.size()), " "),
      all ? "" : " ...");
  out.formula_latex = fmt::format("q = [{}{}]^T", fmt::join(letters, "\\; "), all ? "" : "\\; \\ldots");
  for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b) {
    out.names.push_back({fmt::format("body {}", b + 1), std::nullopt,
                         fmt::format("{}: {}, {}, {}", mechanism_.bodies[b].name, names_.q[3 * b], names_.q[3 * b + 1],
                                     names_.q[3 * b + 2])});
  }
  return out;
}

ExplainedSection EquationLayout::legendOfParameters() const {
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

ExplainedSection EquationLayout::legendOfRows() const {
  ExplainedSection out;
  out.title = "Constraint rows";
  out.words = "Each row is one equation of a joint or drive and has one multiplier, numbered in the same order.";
  for (std::size_t r = 0; r < row_names_.size(); ++r) {
    const RowGroup& group = groups_[at(row_groups_[r])];
    const std::string_view kind = group.is_drive ? wordFor(mechanism_.drives[at(group.index)].kind)
                                                 : wordFor(mechanism_.joints[at(group.index)].kind);
    std::vector<std::string> names;
    for (const int body : group.related.empty() ? std::vector<int>{group.i, group.j} : group.related)
      names.push_back(nameOfSlot(mechanism_, body));
    const std::string last = names.back();
    names.pop_back();
    const std::string bodies = names.empty() ? last : fmt::format("{} and {}", fmt::join(names, ", "), last);
    const std::string suffix = row_names_[r].substr(group.name.size() + 1);
    out.names.push_back(
        {row_names_[r], std::nullopt,
         fmt::format("row {}: {} {} of {}; {}", r + 1, kind, group.is_drive ? "drive" : "joint", bodies,
                     kind == "curve"
                         ? "the point of the first keeps its distance d from the curve of the second; n is the "
                           "normal at the foot in axes of the second, bend = kappa/(1 - kappa*d)"
                         : whatARowSays(group, suffix))});
  }
  return out;
}

std::vector<ExplainedSection> EquationLayout::equations(const EquationEntries& e) const {
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
               "Gravity and loads reduced to the centres of mass, in N and N*m; reactions are not among them.", "", "",
               names_.q, e.Q));
  return out;
}

ExplainedSection EquationLayout::system() const {
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

}  // namespace linkwork
