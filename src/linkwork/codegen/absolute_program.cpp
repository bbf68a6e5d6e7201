// Equations in absolute coordinates: M a - Phi_q^T la = Q,  Phi_q a = Gamma.                       [docs/theory/01]
#include <fmt/format.h>

#include <algorithm>

#include "linkwork/codegen/abbreviations.hpp"
#include "linkwork/codegen/form_builders.hpp"
#include "linkwork/codegen/tidy.hpp"
#include "linkwork/formulation/absolute/equations.hpp"

namespace linkwork {

namespace {

using absolute::at;

class AbsoluteBuilder {
 public:
  AbsoluteBuilder(const Mechanism& mechanism, const EquationRequest& request)
      : mechanism_(mechanism), request_(request), equations_(mechanism), work_(equations_.makeWork()) {}

  EquationProgram build() {
    head();
    evaluate();
    switch (request_.task) {
      case EquationTask::mass_matrix: massMatrix(); break;
      case EquationTask::forward:
      case EquationTask::reactions: forward(); break;
      case EquationTask::inverse: inverse(); break;
      case EquationTask::linear: linear(); break;
    }
    return std::move(program_);
  }

 private:
  int n() const { return equations_.coordinates(); }
  int rows() const { return equations_.rows(); }

  void head() {
    program_.form = "absolute coordinates x, y, phi of every centre of mass";
    for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b)
      program_.notes.push_back(fmt::format("body {} = {}", b + 1, mechanism_.bodies[b].name));
    t_ = program_.input({"t"}, SymbolRole::time, "t", -1, "s", "time");
    const auto inputs = [&](const char* array, int primes, SymbolRole role, const char* meaning) {
      std::vector<Expr> out;
      for (int k = 0; k < n(); ++k) {
        static constexpr const char* kLetters[] = {"x", "y", "phi"};
        const std::string unit = std::string(k % 3 == 2 ? "rad" : "m") + (primes == 0   ? ""
                                                                          : primes == 1 ? "/s"
                                                                                        : "/s^2");
        out.push_back(program_.input({kLetters[k % 3], k / 3 + 1, 0, primes}, role, array, k, unit, meaning));
      }
      return out;
    };
    q_ = inputs("q", 0, SymbolRole::position, "x, y of the centre of mass and angle phi, body by body");
    v_ = inputs("v", 1, SymbolRole::rate, "their rates");
    if (request_.task == EquationTask::inverse) a_ = inputs("acc", 2, SymbolRole::acceleration, "their accelerations");
    addModelParameters(mechanism_, program_);
  }

  void evaluate() {
    equations_.positions(t_, q_, work_);
    equations_.velocities(v_, work_);
    equations_.forces(work_);
    for (int b = 0; b < equations_.bodies(); ++b) {
      const auto& body = equations_.elements().body[at(b)];
      const auto& wrench = work_.Q[at(b)];
      mass_.insert(mass_.end(), {body.mass, body.mass, body.inertia});
      Q_.insert(Q_.end(), {wrench.force.x, wrench.force.y, wrench.moment});
    }
    jacobian_.assign(at(rows()) * at(n()), Expr());
    for (int r = 0; r < rows(); ++r) {
      for (int p = equations_.rowStart()[at(r)]; p < equations_.rowStart()[at(r) + 1]; ++p) {
        for (int k = 0; k < 3; ++k)
          jacobian_[at(r) * at(n()) + at(3 * equations_.rowBodies()[at(p)] + k)] += work_.jacobian[at(3 * p + k)];
      }
    }
    gamma_.assign(work_.gamma.begin(), work_.gamma.end());
    abbreviate();
  }

  // Lengths and directions of springs, dampers and distance joints get names.
  void abbreviate() {
    const Abbreviations distances = abbreviateDistances(mechanism_, equations_, work_);
    const Abbreviations springs = abbreviateSprings(mechanism_, equations_, work_);
    jacobian_ = tidied(distances.apply(jacobian_));
    gamma_ = tidied(distances.apply(gamma_));
    Q_ = tidied(springs.apply(Q_));
    program_.section("Abbreviations");
    std::vector<Expr> of_rows = jacobian_;
    of_rows.insert(of_rows.end(), gamma_.begin(), gamma_.end());
    for (const auto& [names, es] : {std::pair{&distances, &of_rows}, {&springs, &Q_}}) {
      for (const ExplainedName& name : names->neededBy(*es)) {
        if (program_.knows(name.name) || !name.formula) continue;
        program_.define(Expr::symbol(name.name), {name.name}, *name.formula);
      }
    }
  }

  std::vector<Expr> row(int r) const {
    const auto begin = jacobian_.begin() + static_cast<std::ptrdiff_t>(r) * n();
    return {begin, begin + n()};
  }

  void massMatrix() {
    program_.task = rows() > 0 ? "M acc - Phi_q^T la = Q,  Phi_q acc = Gamma" : "M acc = Q";
    std::vector<Expr> mass(at(n()) * at(n()), Expr());
    for (int k = 0; k < n(); ++k) mass[at(k) * at(n()) + at(k)] = mass_[at(k)];
    outputMatrix(program_, "M", n(), n(), mass, "mass matrix");
    outputMatrix(program_, "Phi_q", rows(), n(), jacobian_, "Jacobian of the constraints");
    outputVector(program_, "Q", Q_, "forces");
    outputVector(program_, "Gamma", gamma_, "right-hand side of the constraints on accelerations");
  }

  bool massless() const {
    return std::any_of(mechanism_.bodies.begin(), mechanism_.bodies.end(),
                       [](const Body& body) { return body.mass.number == 0.0 || body.inertia.number == 0.0; });
  }

  // [M, -Phi_q^T; Phi_q, 0] [a; la] = [Q; Gamma] as a whole.
  LoopSolution solveWhole() {
    LoopSolution out;
    const std::size_t size = at(n() + rows());
    ProgramSolve& s = program_.solve;
    s.matrix.assign(size * size, Expr());
    for (int k = 0; k < n(); ++k) {
      s.matrix[at(k) * size + at(k)] = mass_[at(k)];
      out.x.push_back(program_.unknown({"a", k + 1}, "", "acceleration"));
    }
    for (int r = 0; r < rows(); ++r) {
      for (int k = 0; k < n(); ++k) {
        const Expr& entry = jacobian_[at(r) * at(n()) + at(k)];
        s.matrix[at(n() + r) * size + at(k)] = entry;
        s.matrix[at(k) * size + at(n() + r)] = -entry;
      }
      out.F.push_back(program_.unknown({"la", r + 1}, "", "multiplier"));
    }
    s.right = Q_;
    s.right.insert(s.right.end(), gamma_.begin(), gamma_.end());
    s.unknowns = out.x;
    s.unknowns.insert(s.unknowns.end(), out.F.begin(), out.F.end());
    return out;
  }

  void forward() {
    program_.task = "accelerations and multipliers: M acc - Phi_q^T la = Q,  Phi_q acc = Gamma";
    LoopSolution found;
    if (massless()) {
      found = solveWhole();
    } else {
      LoopEquations loops;
      for (int k = 0; k < n(); ++k) loops.x0.push_back(Q_[at(k)] / mass_[at(k)]);
      for (int r = 0; r < rows(); ++r) {
        loops.P.push_back(row(r));
        std::vector<Expr>& column = loops.X.emplace_back(row(r));
        for (int k = 0; k < n(); ++k) column[at(k)] /= mass_[at(k)];
        loops.gamma.push_back(gamma_[at(r)]);
      }
      found = solveLoops(loops, program_);
    }
    if (request_.task == EquationTask::forward) {
      outputVector(program_, "acc", found.x, "accelerations of q");
      if (!request_.whole_state) return;
      Expr power = work_.supplied_power;
      for (int r = 0; r < rows(); ++r) power += found.F[at(r)] * work_.minus_phi_t[at(r)];
      outputVector(program_, StateOutputs::kPower, {power}, "W, of loads and drives");
      return;
    }
    std::vector<Expr> reaction(at(n()), Expr());
    for (int k = 0; k < n(); ++k) {
      for (int r = 0; r < rows(); ++r) reaction[at(k)] += jacobian_[at(r) * at(n()) + at(k)] * found.F[at(r)];
    }
    outputVector(program_, "lam", found.F, "multipliers, one for each constraint row");
    outputVector(program_, "W", reaction, "what all joints and drives do to each body: Phi_q^T la");
  }

  void inverse() {
    program_.task = "what joints and drives must do: Phi_q^T la = M acc - Q";
    std::vector<Expr> out;
    for (int k = 0; k < n(); ++k) out.push_back(mass_[at(k)] * a_[at(k)] - Q_[at(k)]);
    outputVector(program_, "W", out, "force x, force y and moment about the centre of mass, body by body");
  }

  void linear() {
    program_.task = "small motions: M da + D dv + K dq - Phi_q^T dla = 0,  Phi_q dq = 0";
    const std::vector<Expr> la = inputsNamed(program_, "la", 0, SymbolRole::effort, "la", rows(), "", "multipliers");
    std::vector<Expr> residual;
    for (int k = 0; k < n(); ++k) {
      Expr sum = -Q_[at(k)];
      for (int r = 0; r < rows(); ++r) sum -= jacobian_[at(r) * at(n()) + at(k)] * la[at(r)];
      residual.push_back(sum);
    }
    std::vector<Expr> mass(at(n()) * at(n()), Expr());
    for (int k = 0; k < n(); ++k) mass[at(k) * at(n()) + at(k)] = mass_[at(k)];
    const std::vector<Expr> D = derivatives(program_, residual, v_);
    const std::vector<Expr> K = derivatives(program_, residual, q_);
    outputMatrix(program_, "M", n(), n(), mass, "mass matrix");
    outputMatrix(program_, "D", n(), n(), D, "of the rates");
    outputMatrix(program_, "K", n(), n(), K, "of the positions");
    outputMatrix(program_, "Phi_q", rows(), n(), jacobian_, "Jacobian of the constraints");
  }

  const Mechanism& mechanism_;
  const EquationRequest& request_;
  AbsoluteEquations<Planar<Expr>> equations_;
  AbsoluteEquations<Planar<Expr>>::Work work_;
  EquationProgram program_;
  Expr t_;
  std::vector<Expr> q_, v_, a_, mass_, Q_, gamma_, jacobian_;
};

}  // namespace

EquationProgram absoluteProgram(const Mechanism& mechanism, const EquationRequest& request) {
  return AbsoluteBuilder(mechanism, request).build();
}

}  // namespace linkwork
