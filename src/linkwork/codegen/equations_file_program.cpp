// The form quasivelocity of a file of equations. Letters as in EquationsKernel:
//
//   u = b (om - a_0),  N: the first columns of b,  Y: the others                           [docs/theory/11, eq. 11.1]
//   P = J N,  K = (J' - G) N,  Vp = G u + V_t + J c,  c = -b (a' u + a_0')
//   A = P^T W P,  B = N^T (Q - U_q) + Q* - P^T W Vp - K^T W V                            [docs/theory/11, eq. 11.11]
//   la = Y^T (U_q - Q) + (J Y)^T W V' + ((J' - G) Y)^T W V,  V' = Vp + P om'
//
// Kinetic energies given as formulas add N^T M N to A and -N^T (M c + h) to B.
#include "linkwork/codegen/equations_file_program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <memory>

#include "linkwork/base/index.hpp"
#include "linkwork/codegen/form_builders.hpp"
#include "linkwork/codegen/line_derivatives.hpp"
#include "linkwork/codegen/written_elimination.hpp"

namespace linkwork {

namespace {

using List = std::vector<Expr>;

int number(std::size_t k) { return static_cast<int>(k) + 1; }

class Builder {
 public:
  Builder(const EquationsModel& model, const EquationRequest& request) : model_(model), request_(request) {}

  EquationProgram build(std::string& problem) {
    head();
    forms();
    if (elimination_->singular()) {
      problem = "the quasi-velocities and constraints do not determine the rates";
      return std::move(program_);
    }
    rates();
    bodies();
    switch (request_.task) {
      case EquationTask::mass_matrix: massMatrix(); break;
      case EquationTask::forward: forward(); break;
      case EquationTask::reactions: reactions(); break;
      case EquationTask::inverse: inverse(); break;
      case EquationTask::linear: linear(); break;
    }
    return request_.about ? program_.withNumbers(stateValues()) : std::move(program_);
  }

 private:
  std::size_t n() const { return model_.coordinates.size(); }
  std::size_t free() const { return model_.quasi_velocities.size(); }

  void head() {
    program_.form = "coordinates and quasi-velocities of the file";
    t_ = program_.input({"t"}, SymbolRole::time, "t", -1, "s", "time");
    replaced_.emplace("t", t_);
    for (std::size_t s = 0; s < n(); ++s) {
      const EquationsCoordinate& q = model_.coordinates[s];
      q_.push_back(program_.input({q.name}, SymbolRole::position, "q", static_cast<int>(s), q.unit, "coordinate"));
      replaced_.emplace(q.name, q_.back());
      at_rest_.emplace(q.rate(), Expr(0.0));
      rate_symbols_.push_back(Expr::symbol(q.rate()));
    }
    for (std::size_t k = 0; k < free(); ++k) {
      const EquationsForm& w = model_.quasi_velocities[k];
      om_.push_back(program_.input({w.name}, SymbolRole::rate, "om", static_cast<int>(k), w.unit, "quasi-velocity"));
    }
    const bool given = request_.task == EquationTask::inverse || request_.task == EquationTask::linear;
    for (std::size_t k = 0; given && k < free(); ++k) {
      omdot_.push_back(program_.input({model_.quasi_velocities[k].name, 0, 0, 1}, SymbolRole::acceleration, "omd",
                                      static_cast<int>(k), "", "rate of a quasi-velocity"));
    }
    for (const auto& [name, value] : addModelParameters(model_.frame, program_)) replaced_.emplace(name, value);
  }

  // A formula of the file, at rest; or with the rates of the motion.
  Expr still(const Expr& formula) const { return substitute(substitute(formula, at_rest_), replaced_); }
  Expr moving(const Expr& formula) const { return substitute(substitute(formula, moving_), replaced_); }
  Expr line(SymbolName name, const Expr& value) { return program_.let(name, value); }

  // d/dt at u' = 0 of a formula of the file.
  Expr along(const Expr& formula) const {
    Expr out = differentiate(formula, Expr::symbol("t"));
    for (std::size_t s = 0; s < n(); ++s)
      out += differentiate(formula, Expr::symbol(model_.coordinates[s].name)) * rate_symbols_[s];
    return out;
  }

  // a and a_0, row by row; of a constraint of positions its rate.
  void forms() {
    program_.section("Quasi-velocities, then constraints: a u + a_0");
    std::vector<std::string> held;
    for (const EquationsForm& form : model_.quasi_velocities) forms_.push_back(form.value);
    for (const EquationsForm& form : model_.constraints) {
      forms_.push_back(form.of_positions ? along(form.value) : form.value);
      held.push_back(form.name);
    }
    if (!held.empty()) program_.notes.push_back(fmt::format("Held at zero: {}.", fmt::join(held, ", ")));
    for (std::size_t r = 0; r < n(); ++r) {
      List& row = a_.emplace_back();
      for (std::size_t s = 0; s < n(); ++s)
        row.push_back(line({"a", number(r), number(s)}, still(differentiate(forms_[r], rate_symbols_[s]))));
      a0_.push_back(line({"a0", number(r)}, still(forms_[r])));
    }
    elimination_ = std::make_unique<WrittenElimination>(a_, program_);
  }

  List column(std::size_t k, const char* letter, int index) {
    List right(n());
    right[k] = 1.0;
    List out = elimination_->solve(right);
    for (std::size_t s = 0; s < n(); ++s) out[s] = line({letter, number(s), index}, out[s]);
    return out;
  }

  void rates() {
    program_.section("Rates of the coordinates");
    List right;
    for (std::size_t r = 0; r < n(); ++r) right.push_back(r < free() ? om_[r] - a0_[r] : -a0_[r]);
    u_ = elimination_->solve(right);
    for (std::size_t s = 0; s < n(); ++s) {
      u_[s] = line({model_.coordinates[s].name, 0, 0, 1}, u_[s]);
      moving_.emplace(model_.coordinates[s].rate(), u_[s]);
    }
    program_.section("Rates that each quasi-velocity alone brings: N");
    for (std::size_t k = 0; k < free(); ++k) N_.push_back(column(k, "N", number(k)));
    program_.section("Their rates without those of the quasi-velocities: c");
    List without;
    for (std::size_t r = 0; r < n(); ++r) without.push_back(-line({"ad", number(r)}, moving(along(forms_[r]))));
    c_ = elimination_->solve(without);
    for (std::size_t s = 0; s < n(); ++s) c_[s] = line({"c", number(s)}, c_[s]);
  }

  // Components of the bodies' velocities, with their masses: blocks of up to three.
  struct Component {
    Expr V, Vp, WV, WVp;
    List J, JG;  // dV/du, and J' - G
  };
  struct Block {
    std::size_t first = 0;
    std::vector<List> W;
  };

  void addBlock(const std::vector<Expr>& velocity, std::vector<List> W) {
    if (velocity.empty()) return;
    blocks_.push_back({components_.size(), std::move(W)});
    for (const Expr& formula : velocity) {
      const int i = number(components_.size());
      Component& one = components_.emplace_back();
      one.V = line({"V", i}, moving(formula));
      Expr Vp = moving(differentiate(formula, Expr::symbol("t")));
      for (std::size_t s = 0; s < n(); ++s) {
        const Expr slope = differentiate(formula, rate_symbols_[s]);
        one.J.push_back(line({"J", i, number(s)}, still(slope)));
        const Expr G =
            line({"G", i, number(s)}, moving(differentiate(formula, Expr::symbol(model_.coordinates[s].name))));
        one.JG.push_back(line({"Jd", i, number(s)}, moving(along(slope))) - G);
        Vp += G * u_[s] + one.J.back() * c_[s];
      }
      one.Vp = line({"Vp", i}, Vp);
    }
    const Block& block = blocks_.back();
    for (std::size_t i = 0; i < velocity.size(); ++i) {
      Component& one = components_[block.first + i];
      for (std::size_t j = 0; j < velocity.size(); ++j) {
        one.WV += block.W[i][j] * components_[block.first + j].V;
        one.WVp += block.W[i][j] * components_[block.first + j].Vp;
      }
      one.WV = line({"WV", number(block.first + i)}, one.WV);
      one.WVp = line({"WVp", number(block.first + i)}, one.WVp);
    }
  }

  void bodies() {
    on_rates_.assign(n(), Expr());
    on_quasi_.assign(free(), Expr());
    Expr energy;  // given as a formula
    for (const EquationsBody& body : model_.bodies) {
      program_.section(fmt::format("Body {}", body.name));
      std::vector<List> mass(body.velocity.size(), List(body.velocity.size()));
      for (std::size_t i = 0; i < mass.size(); ++i) mass[i][i] = still(body.mass.expr);
      addBlock(body.velocity, std::move(mass));
      const std::size_t first = body.angular_velocity.size() == 1 ? 2 : 0;
      std::vector<List> inertia;
      for (std::size_t i = first; i < 3; ++i) {
        List& row = inertia.emplace_back();
        for (std::size_t j = first; j < 3; ++j) row.push_back(still(body.inertia[i][j].expr));
      }
      addBlock(body.angular_velocity, std::move(inertia));
      energy += body.kinetic_energy;
    }
    ofEnergy(energy);
    program_.section("Forces");
    for (const EquationsForce& force : model_.forces) addForce(force);
    for (std::size_t s = 0; s < n(); ++s) {
      const Expr slope = differentiate(model_.potential, Expr::symbol(model_.coordinates[s].name));
      on_rates_[s] = line({"Q", number(s)}, on_rates_[s] - still(slope));
    }
  }

  // p = dT/du,  M = dp/du,  h = p' - dT/dq at u' = 0
  void ofEnergy(const Expr& energy) {
    if (energy.isNumber(0.0)) return;
    program_.section("Kinetic energy given as a formula");
    for (std::size_t s = 0; s < n(); ++s) {
      const Expr p = differentiate(energy, rate_symbols_[s]);
      List& row = M_.emplace_back();
      for (std::size_t m = 0; m < n(); ++m)
        row.push_back(line({"M", number(s), number(m)}, moving(differentiate(p, rate_symbols_[m]))));
      Expr h = moving(along(p)) - moving(differentiate(energy, Expr::symbol(model_.coordinates[s].name)));
      for (std::size_t m = 0; m < n(); ++m) h += row[m] * c_[m];
      Mch_.push_back(line({"h", number(s)}, h));
    }
  }

  void addForce(const EquationsForce& force) {
    const auto index = at(force.index);
    if (force.on == EquationsForce::On::coordinate) on_rates_[index] += moving(force.value);
    if (force.on == EquationsForce::On::quasi_velocity) on_quasi_[index] += moving(force.value);
    if (force.on != EquationsForce::On::body) return;
    std::size_t first = 0;  // component of the body
    for (std::size_t b = 0; b < index; ++b)
      first += model_.bodies[b].velocity.size() + model_.bodies[b].angular_velocity.size();
    const auto act = [&](const std::vector<Expr>& parts, std::size_t from) {
      for (std::size_t i = 0; i < parts.size(); ++i) {
        for (std::size_t s = 0; s < n(); ++s) on_rates_[s] += moving(parts[i]) * components_[from + i].J[s];
      }
    };
    act(force.force, first);
    act(force.couple, first + model_.bodies[index].velocity.size());
  }

  static Expr dotted(const List& a, const List& b) {
    Expr sum;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }

  // What each quasi-velocity makes of the components of the bodies: P and K.
  struct Along {
    List P, K;
  };
  Along alongMotion(const List& motion, const char* P, const char* K, int index) {
    Along out;
    for (std::size_t i = 0; i < components_.size(); ++i) {
      out.P.push_back(line({P, number(i), index}, dotted(components_[i].J, motion)));
      out.K.push_back(line({K, number(i), index}, dotted(components_[i].JG, motion)));
    }
    return out;
  }

  // Q of this motion less what the masses take at om' = 0.
  Expr forceAlong(const List& motion, const Along& one) const {
    Expr out = dotted(motion, on_rates_);
    for (std::size_t i = 0; i < components_.size(); ++i)
      out -= one.P[i] * components_[i].WVp + one.K[i] * components_[i].WV;
    if (!Mch_.empty()) out -= dotted(motion, Mch_);
    return out;
  }

  List A_, B_;
  void equations() {
    program_.section("Mass matrix A and right-hand side B");
    const std::size_t l = free();
    for (std::size_t k = 0; k < l; ++k) along_.push_back(alongMotion(N_[k], "P", "K", number(k)));
    A_.resize(l * l);
    for (std::size_t k = 0; k < l; ++k) {
      List WP(components_.size());
      for (const Block& block : blocks_) {
        for (std::size_t i = 0; i < block.W.size(); ++i) {
          for (std::size_t j = 0; j < block.W.size(); ++j)
            WP[block.first + i] += block.W[i][j] * along_[k].P[block.first + j];
        }
      }
      for (std::size_t i = 0; i < components_.size(); ++i) WP[i] = line({"WP", number(i), number(k)}, WP[i]);
      for (std::size_t i = k; i < l; ++i) {
        Expr entry = dotted(along_[i].P, WP);
        for (std::size_t s = 0; s < M_.size(); ++s) entry += N_[i][s] * dotted(M_[s], N_[k]);
        A_[i * l + k] = A_[k * l + i] = line({"A", number(i), number(k)}, entry);
      }
      B_.push_back(line({"B", number(k)}, forceAlong(N_[k], along_[k]) + on_quasi_[k]));
    }
  }

  // ---- tasks

  void putRates() { outputVector(program_, StateOutputs::kRates, u_, "rates of the coordinates"); }

  void accelerate() {
    equations();
    program_.section("Rates of the quasi-velocities");
    omdot_ = solveSymmetric(A_, B_, program_);
    for (std::size_t k = 0; k < free(); ++k) (void)line({model_.quasi_velocities[k].name, 0, 0, 1}, omdot_[k]);
  }

  void forward() {
    program_.task = "rates of coordinates and quasi-velocities";
    accelerate();
    putRates();
    outputVector(program_, "omd", omdot_, "rates of the quasi-velocities");
  }

  void massMatrix() {
    program_.task = "A om' = B";
    equations();
    outputMatrix(program_, "A", static_cast<int>(free()), static_cast<int>(free()), A_,
                 "mass matrix of the quasi-velocities");
    outputVector(program_, "B", B_, "right-hand side");
    putRates();
  }

  List residual() {
    equations();
    List out;
    for (std::size_t k = 0; k < free(); ++k) {
      Expr sum = -B_[k];
      for (std::size_t i = 0; i < free(); ++i) sum += A_[k * free() + i] * omdot_[i];
      out.push_back(line({"Qs", number(k)}, sum));
    }
    return out;
  }

  void inverse() {
    program_.task = "forces along the quasi-velocities, less those of the file: A om' - B";
    outputVector(program_, "Qs", residual(), "generalised forces");
  }

  void reactions() {
    program_.task = "forces that belong to the constraints";
    accelerate();
    program_.section("Reactions");
    List Wacc(components_.size());  // W V'
    List acc;
    for (std::size_t i = 0; i < components_.size(); ++i) {
      Expr sum = components_[i].Vp;
      for (std::size_t k = 0; k < free(); ++k) sum += along_[k].P[i] * omdot_[k];
      acc.push_back(sum);
    }
    for (const Block& block : blocks_) {
      for (std::size_t i = 0; i < block.W.size(); ++i) {
        for (std::size_t j = 0; j < block.W.size(); ++j) Wacc[block.first + i] += block.W[i][j] * acc[block.first + j];
      }
    }
    for (std::size_t i = 0; i < Wacc.size(); ++i) components_[i].WVp = line({"Wa", number(i)}, Wacc[i]);
    for (std::size_t s = 0; s < Mch_.size(); ++s) {
      for (std::size_t k = 0; k < free(); ++k) Mch_[s] += dotted(M_[s], N_[k]) * omdot_[k];
    }
    List lambda;
    for (std::size_t r = free(); r < n(); ++r) {
      const int which = number(r - free());
      const List motion = column(r, "Y", which);
      const Along one = alongMotion(motion, "PY", "KY", which);
      lambda.push_back(line({"la", which}, -forceAlong(motion, one)));
    }
    outputVector(program_, "omd", omdot_, "rates of the quasi-velocities");
    outputVector(program_, "lam", lambda, "forces that belong to the constraints, in the order of the file");
  }

  // Of A om' - B = Q* and q' = z(q, om), as in the form quasivelocity of a mechanism.
  void linear() {
    program_.task = "small motions: A dom' + D dom + K dq = dQ*,  dq' = U dq + V dom";
    List formulas = residual();
    formulas.insert(formulas.end(), u_.begin(), u_.end());
    program_.section("Derivatives by the rates of the quasi-velocities, by these and by the coordinates");
    if (!model_.constraints.empty())
      program_.notes.emplace_back("Changes dq of the coordinates must be such that constraints of positions hold.");
    LineDerivatives derivative(program_, stateValues());
    const auto put = [&](const List& inputs, const char* upper, const char* lower, const char* of) {
      const std::size_t cols = inputs.size();
      List above(free() * cols);
      List below(n() * cols);
      for (std::size_t j = 0; j < cols; ++j) {
        const List column = derivative.of(formulas, inputs[j]);
        for (std::size_t i = 0; i < column.size(); ++i)
          (i < free() ? above[i * cols + j] : below[(i - free()) * cols + j]) = column[i];
      }
      outputMatrix(program_, upper, static_cast<int>(free()), static_cast<int>(cols), above, of);
      if (lower != nullptr)
        outputMatrix(program_, lower, static_cast<int>(n()), static_cast<int>(cols), below,
                     fmt::format("rates of the coordinates, {}", of));
    };
    put(omdot_, "A", nullptr, "of the rates of the quasi-velocities");
    put(om_, "D", "V", "of the quasi-velocities");
    put(q_, "K", "U", "of the coordinates");
  }

  std::map<std::string, Expr> stateValues() const {
    std::map<std::string, Expr> values;
    if (!request_.about) return values;
    const auto put = [&](const List& inputs, const List& state) {
      for (std::size_t k = 0; k < inputs.size(); ++k)
        values.emplace(inputs[k].name(), state.empty() ? Expr() : state[k]);
    };
    put(q_, request_.about->q);
    put(om_, request_.about->om);
    put(omdot_, {});
    values.emplace(t_.name(), request_.about->t);
    return values;
  }

  const EquationsModel& model_;
  const EquationRequest& request_;
  EquationProgram program_;
  std::map<std::string, Expr> replaced_, at_rest_, moving_;
  Expr t_;
  List q_, om_, omdot_, rate_symbols_;
  List forms_;  // of the file
  std::vector<List> a_;
  List a0_;
  std::unique_ptr<WrittenElimination> elimination_;
  List u_, c_;
  std::vector<List> N_;
  std::vector<Component> components_;
  std::vector<Block> blocks_;
  std::vector<List> M_;
  List Mch_;  // M c + h
  List on_rates_, on_quasi_;
  std::vector<Along> along_;
};

}  // namespace

WrittenEquations writeEquationsFile(const EquationsModel& model, const EquationRequest& request) {
  WrittenEquations out;
  EquationProgram program = Builder(model, request).build(out.problem);
  if (!out.problem.empty()) return out;
  program.name = model.frame.name;
  program.source = model.frame.file_name;
  if (const std::string problem = chooseSymbols(request, program); !problem.empty()) {
    out.problem = problem + ".";
    return out;
  }
  out.program = std::move(program);
  return out;
}

}  // namespace linkwork
