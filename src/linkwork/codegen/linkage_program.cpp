// Equations of planar hinged linkages in all their forms.                                          [docs/theory/08]
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "linkwork/codegen/form_builders.hpp"
#include "linkwork/codegen/tidy.hpp"
#include "linkwork/formulation/absolute/equations.hpp"
#include "linkwork/formulation/linkage/forms.hpp"
#include "linkwork/formulation/linkage/link_bodies.hpp"
#include "linkwork/formulation/linkage/linkage_plan.hpp"

namespace linkwork {

namespace {

using linkage::Bias;
using linkage::Form;
using linkage::FormWork;
using linkage::HingeForces;
using linkage::LinkageTree;
using linkage::Trig;
using LetExpr = linkage::Naming<Expr>;

Form formOf(WrittenForm form) {
  return form <= WrittenForm::statement6 ? static_cast<Form>(static_cast<int>(form)) : Form::rud;
}

const char* wordsFor(WrittenForm form) {
  switch (form) {
    case WrittenForm::rud: return "recurrent equations in absolute angles";
    case WrittenForm::statement1: return "statement 1: absolute angles, one torque in each equation, by vectors";
    case WrittenForm::statement2: return "statement 2: absolute angles, one torque in each equation, by sums";
    case WrittenForm::statement3: return "statement 3: absolute angles, one torque in each equation, by recursion";
    case WrittenForm::statement4: return "statement 4: relative angles, by vectors";
    case WrittenForm::statement5: return "statement 5: relative angles, by sums";
    case WrittenForm::statement6: return "statement 6: relative angles, by recursion";
    case WrittenForm::sweep: return "recurrent equations in absolute angles, by two sweeps along the links";
    default: return "elimination of link after link in ground axes, absolute angles";
  }
}

class LinkageBuilder {
 public:
  LinkageBuilder(const Mechanism& mechanism, const EquationRequest& request)
      : mechanism_(mechanism),
        request_(request),
        form_(formOf(request.form)),
        plan_(linkage::planLinkage(mechanism)),
        work_(plan_.tree),
        let_([this](const LetName& what, const Expr& value) { return let(what, value); }) {}

  EquationProgram build() {
    head();
    constants();
    loads();
    if (request_.form == WrittenForm::elimination) {
      elimination();
    } else if (request_.form == WrittenForm::sweep && request_.task != EquationTask::forward) {
      sweep();
    } else {
      coefficients();
    }
    return std::move(program_);
  }

 private:
  const LinkageTree& tree() const { return plan_.tree; }
  int n() const { return plan_.tree.links(); }
  bool relative() const { return linkage::isRelative(form_); }
  bool summedRows() const { return form_ >= Form::statement1 && form_ <= Form::statement3; }
  bool closed() const { return plan_.rows() > 0; }

  // The kernels' names; where a letter means something else already, another.
  Expr let(const LetName& what, const Expr& value) {
    const std::string_view letter = what.letter;
    if (letter == "M" && !torque_.empty()) return value;  // the given torques have the letter
    SymbolName name{what.letter, what.i, what.j, 0};
    if (letter == "cx" || letter == "cy") name.letter = letter == "cx" ? "ex" : "ey";
    if (request_.letters == LinkLetters::links) return program_.let(name, value);
    while (isParameter(name)) name.letter += "x";
    return program_.let(name, tidied(value));
  }

  bool isParameter(const SymbolName& name) const {
    return std::any_of(mechanism_.parameters.begin(), mechanism_.parameters.end(),
                       [&](const Parameter& p) { return splitName(p.name) == name; });
  }

  void head() {
    program_.form = wordsFor(request_.form);
    program_.notes = linkage::planInWords(mechanism_, plan_);
    t_ = program_.input({"t"}, SymbolRole::time, "t", -1, "s", "time");
    const char* const letter = relative() ? "q" : "al";
    const std::string which = relative() ? "angles of the links against their bases" : "angles of the links";
    angle_ = inputsNamed(program_, letter, 0, SymbolRole::position, relative() ? "q" : "al", n(), "rad", which);
    rate_ = inputsNamed(program_, letter, 1, SymbolRole::rate, relative() ? "qd" : "w", n(), "rad/s", "their rates");
    const bool acceleration_given = request_.task == EquationTask::inverse || request_.task == EquationTask::linear ||
                                    (request_.task == EquationTask::reactions && request_.form == WrittenForm::sweep);
    if (acceleration_given) {
      acceleration_ = inputsNamed(program_, letter, 2, SymbolRole::acceleration, relative() ? "qdd" : "acc", n(),
                                  "rad/s^2", "their accelerations");
    } else if (request_.torques == Torques::given) {
      torque_ = inputsNamed(program_, "M", 0, SymbolRole::effort, "M", n(), "N*m",
                            "torques of the bases on their links, beside the loads of the model");
    }
  }

  void constants() {
    if (request_.letters == LinkLetters::model) {
      addModelParameters(mechanism_, program_);
      program_.section("Augmented bodies");
      constants_ = linkage::linkageConstants(mechanism_, plan_, linkage::Letters::parameters, let_);
      return;
    }
    std::vector<linkage::Letter> letters;
    // Listed by a first pass that names nothing: a letter must be there before a line uses it.
    linkage::linkageConstants(mechanism_, plan_, linkage::Letters::paper, Unnamed{}, &letters);
    for (const linkage::Letter& letter : letters)
      program_.parameter(Expr::symbol(letter.name), splitName(letter.name), letter.value.number, letter.unit,
                         letter.meaning);
    replaced_ = addModelParameters(mechanism_, program_);
    program_.section("Augmented bodies");
    constants_ = linkage::linkageConstants(mechanism_, plan_, linkage::Letters::paper, let_);
  }

  // Absolute angles and rates, whatever the form has.
  void absoluteAngles() {
    for (int k = 0; k < n(); ++k) {
      const int p = tree().base(k);
      const bool sum = relative() && p >= 0;
      al_.push_back(sum ? program_.let({"al", k + 1}, al_[at(p)] + angle_[at(k)]) : angle_[at(k)]);
      w_.push_back(sum ? program_.let({"w", k + 1}, w_[at(p)] + rate_[at(k)]) : rate_[at(k)]);
    }
  }

  // Loads of the model as a force and a moment about the hinge of each link; the motions of drives.
  void loads() {
    program_.section("Angles");
    absoluteAngles();
    if (mechanism_.loads.empty() && mechanism_.drives.empty()) return;
    using G = Planar<Expr>;
    const Mechanism weightless = withLoadsAlone(mechanism_);
    const AbsoluteEquations<G> free(weightless, withoutAllRows(mechanism_));
    AbsoluteEquations<G>::Work eq = free.makeWork();
    linkage::placeBodies<Expr>(plan_, constants_, al_, w_, eq.x, eq.v);
    free.positions(t_, eq);
    free.velocities(eq);
    motions_ = eq.motions;
    for (Motion<Expr>& m : motions_)
      m = {substitute(m.f, replaced_), substitute(m.fdot, replaced_), substitute(m.fddot, replaced_)};
    if (mechanism_.loads.empty()) return;
    free.forces(eq);
    power_ = substitute(eq.supplied_power, replaced_);
    program_.section("Loads of the model");
    std::vector<Expr> Q;
    for (int k = 0; k < n(); ++k) {
      const auto& wrench = eq.Q[at(plan_.body[at(k)])];
      Q.insert(Q.end(), {wrench.force.x, wrench.force.y, wrench.moment});
    }
    if (!replaced_.empty()) {
      // Without names for springs, whose formulas would have the letters again.
      for (Expr& e : Q) e = substitute(e, replaced_);
    } else {
      Q = withNamedSprings(mechanism_, free, eq, std::move(Q), program_);
    }
    for (int k = 0; k < n(); ++k) {
      const Expr* const of_link = &Q[at(3 * k)];
      const Vec2<Expr> force{program_.let({"Fx", k + 1}, of_link[0]), program_.let({"Fy", k + 1}, of_link[1])};
      const Vec2<Expr> arm = eq.x[at(plan_.body[at(k)])].R * constants_.link[at(k)].centre;
      force_.push_back(force);
      moment_.push_back(program_.let({"ML", k + 1}, of_link[2] + cross(arm, force)));
    }
  }

  linkage::LinkageInputs<Expr> inputs() const { return {angle_, rate_, torque_, force_, moment_, {}}; }

  // ---- forms with coefficients

  void coefficients() {
    program_.section("Coefficients");
    const bool vectors = request_.style != EquationStyle::pairwise || request_.form == WrittenForm::sweep;
    const bool swept = request_.style == EquationStyle::vectors_and_sweep || request_.form == WrittenForm::sweep;
    linkage::equations(form_, vectors ? Trig::vectors : Trig::pairwise, swept ? Bias::sweep : Bias::coefficients,
                       tree(), constants_, inputs(), work_, let_);
    if (closed()) closure();
    if (!swept) writeRows();
    zeros();
    switch (request_.task) {
      case EquationTask::mass_matrix: massMatrix(); break;
      case EquationTask::forward: forward(); break;
      case EquationTask::reactions: reactions(); break;
      case EquationTask::inverse: inverse(); break;
      case EquationTask::linear: linear(); break;
    }
  }

  // Rows of the cuts and of the drives: P x = gamma.
  void closure() {
    linkage::closure(tree(), constants_, work_, let_);
    for (int r = 0; r < 2 * tree().cutCount(); ++r) {
      const auto begin = work_.phi.begin() + static_cast<std::ptrdiff_t>(r) * n();
      loops_.P.emplace_back(begin, begin + n());
      loops_.gamma.push_back(work_.gamma[at(r)]);
    }
    for (const linkage::DriveRow& drive : plan_.drives) {
      std::vector<Expr>& row = loops_.P.emplace_back(at(n()), Expr());
      const auto add = [&](int link, double sign) {
        for (int i = link; i >= 0; i = relative() ? tree().base(i) : -1) row[at(i)] += sign;
      };
      add(drive.second, 1.0);
      add(drive.first, -1.0);
      loops_.gamma.push_back(motions_[at(drive.drive)].fddot);
    }
  }

  // sum H_ki x_i + sum h_ki s_i - G_k - M_k... = drive, for people to read.
  void writeRows() {
    std::vector<Expr> x = acceleration_;
    for (int k = 0; x.size() < at(n()); ++k)
      x.push_back(program_.quantity({relative() ? "q" : "al", k + 1, 0, 2}, SymbolRole::acceleration));
    std::vector<Expr> F;
    for (std::size_t r = 0; r < loops_.P.size(); ++r)
      F.push_back(program_.quantity({"F", static_cast<int>(r) + 1}, SymbolRole::unknown));
    for (int k = 0; k < n(); ++k) {
      Expr left = -work_.gravity[at(k)] - work_.load[at(k)];
      for (int i = 0; i < n(); ++i)
        left += work_.acceleration(k, i) * x[at(i)] + work_.velocity(k, i) * work_.squares[at(i)];
      for (std::size_t r = 0; r < F.size(); ++r) left -= rowsOf(loops_.P[r])[at(k)] * F[r];
      program_.equations.push_back({left, work_.drive[at(k)]});
    }
    for (std::size_t r = 0; r < loops_.P.size(); ++r) {
      Expr left;
      for (int i = 0; i < n(); ++i) left += loops_.P[r][at(i)] * x[at(i)];
      program_.equations.push_back({left, loops_.gamma[r]});
    }
  }

  void zeros() {
    const char* const letter = summedRows() ? "B" : "H";
    int listed = 0;
    for (int k = 1; k < n(); ++k) {
      for (int i = 0; i < k; ++i) {
        if (tree().carries(i, k) || ++listed > 12) continue;
        program_.alias({letter, k + 1, i + 1}, Expr(),
                       fmt::format("links {} and {} carry nothing in common", i + 1, k + 1));
      }
    }
  }

  void massMatrix() {
    program_.task = closed() ? "H x - Phi^T F = rhs,  Phi x = gamma" : "H x = rhs";
    program_.task += relative() ? ", x the second derivatives of q" : ", x the second derivatives of al";
    outputMatrix(program_, "H", n(), n(), work_.acceleration.values, "mass matrix");
    outputVector(program_, "rhs", work_.rhs, "right-hand side");
    if (!closed()) return;
    std::vector<Expr> P;
    for (const auto& row : loops_.P) {
      const std::vector<Expr> in_rows = rowsOf(row);
      P.insert(P.end(), in_rows.begin(), in_rows.end());
    }
    outputMatrix(program_, "Phi", plan_.rows(), n(), P, "rows of the cuts (x and y of each) and of the drives");
    outputVector(program_, "gam", loops_.gamma, "right-hand side of these rows");
  }

  // What a row adds to the equations of motion: where these are sums over the links carried, so is it.
  std::vector<Expr> rowsOf(const std::vector<Expr>& row) const {
    if (!summedRows()) return row;
    std::vector<Expr> out = row;
    for (int k = n() - 1; k >= 0; --k) {
      if (tree().base(k) >= 0) out[at(tree().base(k))] += out[at(k)];
    }
    return out;
  }

  // Second derivatives of the angles.
  std::vector<Expr> solved() {
    program_.section("Solution from the leaves to the roots");
    const auto solveFor = [&](const std::vector<Expr>& right, bool first) {
      FormWork<Expr> copy = work_;
      copy.rhs = right;
      std::vector<Expr> x(at(n()));
      const LetExpr factors_only = [this](const LetName& what, const Expr& value) {
        const std::string_view letter = what.letter;
        return letter == "D" || letter == "L" ? let(what, value) : value;
      };
      linkage::solve<Expr>(tree(), copy, x, first ? let_ : factors_only);
      return x;
    };
    loops_.x0 = solveFor(work_.rhs, true);
    for (const auto& row : loops_.P) loops_.X.push_back(solveFor(rowsOf(row), false));
    LoopSolution found = solveLoops(loops_, program_);
    F_ = found.F;
    return found.x;
  }

  void forward() {
    program_.task = "second derivatives of the angles";
    outputVector(program_, relative() ? "qdd" : "acc", solved(), "rad/s^2");
    outputPower();
  }

  void outputPower() {
    if (!request_.whole_state) return;
    Expr power = power_;
    for (std::size_t d = 0; d < plan_.drives.size(); ++d)
      power += F_[at(2 * tree().cutCount()) + d] * motions_[at(plan_.drives[d].drive)].fdot;
    outputVector(program_, StateOutputs::kPower, {power}, "W, of loads and drives");
  }

  void inverse() {
    program_.task = closed() ? "torques of the bases on their links, together with the reactions of cuts and drives"
                             : "torques of the bases on their links, less the loads of the model";
    std::vector<Expr> M(at(n()));
    linkage::torques<Expr>(tree(), acceleration_, work_, M, let_);
    outputVector(program_, "M", M, "N*m");
  }

  void linear() {
    program_.task = "small motions: H dx'' + D dx' + K dx = dM";
    std::vector<Expr> M(at(n()));
    linkage::torques<Expr>(tree(), acceleration_, work_, M, let_);
    const std::vector<Expr> H = derivatives(program_, M, acceleration_);
    const std::vector<Expr> D = derivatives(program_, M, rate_);
    const std::vector<Expr> K = derivatives(program_, M, angle_);
    outputMatrix(program_, "H", n(), n(), H, "of the second derivatives");
    outputMatrix(program_, "D", n(), n(), D, "of the rates");
    outputMatrix(program_, "K", n(), n(), K, "of the angles");
  }

  // ---- hinge forces

  void outputHinges(const std::vector<Vec2<Expr>>& hinge) {
    std::vector<Expr> entries;
    for (const Vec2<Expr>& N : hinge) entries.insert(entries.end(), {N.x, N.y});
    outputMatrix(program_, "N", n(), 2, entries, "forces of the bases on their links, N, ground axes");
  }

  void reactions() {
    program_.task = "forces in the hinges";
    std::vector<Expr> x = solved();
    for (int k = 0; k < n(); ++k) {
      if (relative() && tree().base(k) >= 0) x[at(k)] += x[at(tree().base(k))];
      x[at(k)] = program_.let({"al", k + 1, 0, 2}, x[at(k)]);
    }
    if (force_.empty() && closed()) {
      force_.assign(at(n()), {});
      moment_.assign(at(n()), Expr());
    }
    for (int c = 0; c < tree().cutCount(); ++c) {
      const auto& ends = tree().cuts()[at(c)];
      const Vec2<Expr> F{F_[at(2 * c)], F_[at(2 * c + 1)]};
      const auto turned = [&](int link, const Vec2<Expr>& v) { return Rotation2<Expr>::fromAngle(al_[at(link)]) * v; };
      force_[at(ends.a)] += F;
      moment_[at(ends.a)] += cross(turned(ends.a, constants_.cut[at(c)].on_a), F);
      if (ends.b < 0) continue;
      force_[at(ends.b)] -= F;
      moment_[at(ends.b)] -= cross(turned(ends.b, constants_.cut[at(c)].on_b), F);
    }
    program_.section("Sweeps");
    linkage::SweepWork<Expr> sweeps(tree());
    linkage::LinkageInputs<Expr> in{al_, w_, {}, force_, moment_, {}};
    const LetExpr anew = [this](const LetName& what, const Expr& value) {
      return program_.letAnew({what.letter, what.i, what.j, 0}, value);
    };
    linkage::sweep<Expr>(tree(), constants_, in, x, HingeForces::yes, sweeps, anew);
    outputHinges(sweeps.hinge);
    outputVector(program_, "F", F_, "reactions of the cuts on their first links (x, y of each), torques of the drives");
  }

  void sweep() {
    program_.section("Sweeps");
    linkage::SweepWork<Expr> sweeps(tree());
    const bool hinges = request_.task == EquationTask::reactions;
    linkage::sweep<Expr>(tree(), constants_, inputs(), acceleration_, hinges ? HingeForces::yes : HingeForces::no,
                         sweeps, let_);
    program_.task =
        hinges ? "forces in the hinges" : "torques of the bases on their links, less the loads of the model";
    if (request_.task == EquationTask::linear) {
      const std::vector<Expr> H = derivatives(program_, sweeps.torque, acceleration_);
      outputMatrix(program_, "H", n(), n(), H, "of the second derivatives");
      outputMatrix(program_, "D", n(), n(), derivatives(program_, sweeps.torque, rate_), "of the rates");
      outputMatrix(program_, "K", n(), n(), derivatives(program_, sweeps.torque, angle_), "of the angles");
      return;
    }
    outputVector(program_, "M", sweeps.torque, "N*m");
    if (hinges) outputHinges(sweeps.hinge);
  }

  void elimination() {
    program_.section("Elimination");
    program_.task = "second derivatives of the angles";
    const bool hinges = request_.task == EquationTask::reactions;
    linkage::EliminationWork<Expr> work(tree());
    linkage::eliminate<Expr>(tree(), constants_, inputs(), hinges ? HingeForces::yes : HingeForces::no, work, let_);
    outputVector(program_, "acc", work.acceleration, "rad/s^2");
    outputPower();
    if (hinges) outputHinges(work.hinge);
  }

  const Mechanism& mechanism_;
  const EquationRequest& request_;
  Form form_;
  linkage::LinkagePlan plan_;
  linkage::LinkageConstants<Expr> constants_;
  FormWork<Expr> work_;
  EquationProgram program_;
  LetExpr let_;
  Expr t_, power_;
  std::vector<Expr> angle_, rate_, acceleration_, torque_, al_, w_, moment_, F_;
  std::vector<Vec2<Expr>> force_;
  std::vector<Motion<Expr>> motions_;
  std::map<std::string, Expr> replaced_;  // parameters of the model whose letters mean something else here
  LoopEquations loops_;
};

}  // namespace

EquationProgram linkageProgram(const Mechanism& mechanism, const EquationRequest& request) {
  return LinkageBuilder(mechanism, request).build();
}

}  // namespace linkwork
