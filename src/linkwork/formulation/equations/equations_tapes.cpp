#include "linkwork/formulation/equations/equations_tapes.hpp"

#include <map>

#include "linkwork/base/index.hpp"

namespace linkwork {

namespace {

using Exprs = std::vector<Expr>;

Exprs derivatives(const Expr& of, const Exprs& by) {
  Exprs out;
  for (const Expr& symbol : by) out.push_back(differentiate(of, symbol));
  return out;
}

// The letters of a model, and what is made of formulas with them.
struct Formulas {
  const EquationsModel& model;
  Exprs q, u;
  Expr t = Expr::symbol("t");
  std::map<std::string, Expr> numbers, at_rest;

  Formulas(const EquationsModel& of, EquationsTapes::Parameters parameters) : model(of) {
    for (const EquationsCoordinate& coordinate : of.coordinates) {
      q.push_back(Expr::symbol(coordinate.name));
      u.push_back(Expr::symbol(coordinate.rate()));
      at_rest.emplace(coordinate.rate(), Expr(0.0));
    }
    if (parameters == EquationsTapes::Parameters::letters) return;
    for (const Parameter& parameter : of.frame.parameters)
      numbers.emplace(parameter.name, Expr(parameter.value.number));
  }

  Expr read(const Expr& formula) const { return substitute(formula, numbers); }
  Expr read(const Value& value) const { return read(value.expr); }
  Expr restOf(const Expr& formula) const { return substitute(formula, at_rest); }
  // Along the motion, at u' = 0.
  Expr along(const Expr& of) const {
    Expr out = differentiate(of, t);
    for (std::size_t s = 0; s < q.size(); ++s) out += differentiate(of, q[s]) * u[s];
    return out;
  }
  std::vector<std::string> names(const Exprs& of) const {
    std::vector<std::string> out;
    for (const Expr& symbol : of) out.push_back(symbol.name());
    return out;
  }
};

// Outputs in the order in which they are put, and where.
struct Outputs {
  Exprs list;

  TapeBlock put(const Exprs& values) {
    const TapeBlock out{list.size(), values.size()};
    list.insert(list.end(), values.begin(), values.end());
    return out;
  }
  TapeBlock put(const Expr& value) { return put(Exprs{value}); }
};

// All n forms: the free quasi-velocities, then the constraints; of a constraint of positions its rate.
Exprs formsOf(const Formulas& formulas) {
  Exprs out;
  for (const EquationsForm& form : formulas.model.quasi_velocities) out.push_back(formulas.read(form.value));
  for (const EquationsForm& form : formulas.model.constraints) {
    const Expr value = formulas.read(form.value);
    out.push_back(form.of_positions ? formulas.along(value) : value);
  }
  return out;
}

struct Bodies {
  Exprs V, weights;
  std::vector<EquationsTapes::Block> blocks;
  Expr extra{0.0};  // kinetic energies given as formulas

  explicit Bodies(const Formulas& formulas) {
    for (const EquationsBody& body : formulas.model.bodies) {
      extra += formulas.read(body.kinetic_energy);
      if (!body.velocity.empty()) {
        begin(formulas, body.velocity);
        const Expr mass = formulas.read(body.mass);
        for (std::size_t i = 0; i < body.velocity.size(); ++i) {
          for (std::size_t j = 0; j < body.velocity.size(); ++j) weights.push_back(i == j ? mass : Expr(0.0));
        }
      }
      if (!body.angular_velocity.empty()) {
        begin(formulas, body.angular_velocity);
        const std::size_t first = body.angular_velocity.size() == 1 ? 2 : 0;
        for (std::size_t i = first; i < 3; ++i) {
          for (std::size_t j = first; j < 3; ++j) weights.push_back(formulas.read(body.inertia[i][j]));
        }
      }
    }
  }
  // The components' masses times V.
  Exprs momenta() const {
    Exprs out(V.size(), Expr(0.0));
    for (const EquationsTapes::Block& block : blocks) {
      for (int i = 0; i < block.size; ++i) {
        for (int j = 0; j < block.size; ++j) {
          out[at(block.first + i)] += weights[block.weight + at(i * block.size + j)] * V[at(block.first + j)];
        }
      }
    }
    return out;
  }

 private:
  void begin(const Formulas& formulas, const Exprs& components) {
    blocks.push_back({static_cast<int>(V.size()), static_cast<int>(components.size()), weights.size()});
    for (const Expr& component : components) V.push_back(formulas.read(component));
  }
};

// Generalised forces on the rates, and on the free quasi-velocities.
void addForces(const Formulas& formulas, const Bodies& bodies, Exprs& on_rates, Exprs& on_quasi) {
  const EquationsModel& model = formulas.model;
  std::vector<std::size_t> first_block;  // of each body
  std::size_t next = 0;
  for (const EquationsBody& body : model.bodies) {
    first_block.push_back(next);
    next += (body.velocity.empty() ? 0U : 1U) + (body.angular_velocity.empty() ? 0U : 1U);
  }
  for (const EquationsForce& force : model.forces) {
    const auto index = static_cast<std::size_t>(force.index);
    if (force.on == EquationsForce::On::coordinate) on_rates[index] += formulas.read(force.value);
    if (force.on == EquationsForce::On::quasi_velocity) on_quasi[index] += formulas.read(force.value);
    if (force.on != EquationsForce::On::body) continue;
    // Q_s = F . dV/du_s + C . dW/du_s
    const auto act = [&](const Exprs& components, std::size_t block) {
      for (std::size_t i = 0; i < components.size(); ++i) {
        const Expr& V = bodies.V[static_cast<std::size_t>(bodies.blocks[block].first) + i];
        for (std::size_t s = 0; s < formulas.u.size(); ++s)
          on_rates[s] += formulas.read(components[i]) * differentiate(V, formulas.u[s]);
      }
    };
    if (!force.force.empty()) act(force.force, first_block[index]);
    if (!force.couple.empty()) act(force.couple, first_block[index] + (model.bodies[index].velocity.empty() ? 0U : 1U));
  }
}

void compileForms(const Formulas& formulas, const Exprs& forms, EquationsTapes& out) {
  Outputs outputs;
  Exprs a;
  Exprs a0;
  Exprs phi;
  for (const Expr& form : forms) {
    for (const Expr& coefficient : derivatives(form, formulas.u)) a.push_back(formulas.restOf(coefficient));
    a0.push_back(formulas.restOf(form));
  }
  for (std::size_t k = 0; k < formulas.model.constraints.size(); ++k) {
    const EquationsForm& form = formulas.model.constraints[k];
    if (!form.of_positions) continue;
    out.position_rows.push_back(out.free + static_cast<int>(k));
    phi.push_back(formulas.read(form.value));
  }
  out.a = outputs.put(a);
  out.a0 = outputs.put(a0);
  out.phi = outputs.put(phi);
  std::vector<std::string> inputs = formulas.names(formulas.q);
  inputs.emplace_back("t");
  inputs.insert(inputs.end(), out.letters.begin(), out.letters.end());
  out.forms = Tape(outputs.list, inputs);
}

void compileTerms(const Formulas& formulas, const Exprs& forms, EquationsTapes& out) {
  const Bodies bodies(formulas);
  const std::size_t n = formulas.q.size();
  Outputs outputs;
  Exprs J, G, V_t, J_dot, forms_dot;
  Expr by_work(0.0);  // T_1 + 2 T_0: what energy differs by from u dT/du - T
  const Exprs momenta = bodies.momenta();
  for (std::size_t i = 0; i < bodies.V.size(); ++i) {
    const Expr& V = bodies.V[i];
    for (const Expr& coefficient : derivatives(V, formulas.u)) {
      J.push_back(formulas.restOf(coefficient));
      J_dot.push_back(formulas.along(J.back()));
    }
    for (Expr& slope : derivatives(V, formulas.q)) G.push_back(std::move(slope));
    V_t.push_back(differentiate(V, formulas.t));
    by_work += momenta[i] * formulas.restOf(V);
  }
  for (const Expr& form : forms) forms_dot.push_back(formulas.along(form));
  // Of T given as a formula:  p = dT/du,  M = dp/du,  h = p' - dT/dq at u' = 0
  Exprs momentum, M, h;
  Expr twice = 2.0 * bodies.extra;
  for (std::size_t s = 0; s < n; ++s) {
    const Expr p = differentiate(bodies.extra, formulas.u[s]);
    momentum.push_back(p);
    for (Expr& entry : derivatives(p, formulas.u)) M.push_back(std::move(entry));
    h.push_back(formulas.along(p) - differentiate(bodies.extra, formulas.q[s]));
    twice -= p * formulas.u[s];
  }
  by_work += twice;
  Expr kinetic = bodies.extra;
  for (std::size_t i = 0; i < bodies.V.size(); ++i) kinetic += 0.5 * bodies.V[i] * momenta[i];
  const Expr potential = formulas.read(formulas.model.potential);
  Exprs on_rates(n, Expr(0.0));
  Exprs on_quasi(static_cast<std::size_t>(out.free), Expr(0.0));
  addForces(formulas, bodies, on_rates, on_quasi);

  out.components = static_cast<int>(bodies.V.size());
  out.blocks = bodies.blocks;
  out.V = outputs.put(bodies.V);
  out.J = outputs.put(J);
  out.G = outputs.put(G);
  out.V_t = outputs.put(V_t);
  out.J_dot = outputs.put(J_dot);
  out.weights = outputs.put(bodies.weights);
  out.forms_dot = outputs.put(forms_dot);
  out.p = outputs.put(momentum);
  out.M = outputs.put(M);
  out.h = outputs.put(h);
  out.on_rates = outputs.put(on_rates);
  out.on_quasi = outputs.put(on_quasi);
  out.potential = outputs.put(potential);
  out.potential_q = outputs.put(derivatives(potential, formulas.q));
  out.kinetic = outputs.put(kinetic);
  out.by_work = outputs.put(derivatives(by_work, formulas.u));
  out.work_rate = outputs.put(formulas.along(by_work) - differentiate(kinetic, formulas.t));
  out.potential_t = outputs.put(differentiate(potential, formulas.t));
  std::vector<std::string> inputs = formulas.names(formulas.q);
  for (std::string& name : formulas.names(formulas.u)) inputs.push_back(std::move(name));
  inputs.emplace_back("t");
  inputs.insert(inputs.end(), out.letters.begin(), out.letters.end());
  out.terms = Tape(outputs.list, inputs);
}

// sum_r p_r (da_rs/dq_m - da_rm/dq_s) w_m  and  sum_r p_r (da_rs/dt - da_r0/dq_s)          [docs/theory/11, eq. 11.3]
void compileSymbols(const Formulas& formulas, const Exprs& forms, EquationsTapes& out) {
  const std::size_t n = formulas.q.size();
  Exprs p, w;
  for (std::size_t k = 0; k < n; ++k) {
    p.push_back(Expr::symbol("symbols.p." + std::to_string(k)));
    w.push_back(Expr::symbol("symbols.w." + std::to_string(k)));
  }
  Exprs rows(n, Expr(0.0));  // p^T a
  Expr offset(0.0);          // p^T a_0
  for (std::size_t r = 0; r < n; ++r) {
    offset += p[r] * formulas.restOf(forms[r]);
    for (std::size_t s = 0; s < n; ++s) rows[s] += p[r] * formulas.restOf(differentiate(forms[r], formulas.u[s]));
  }
  Expr along(0.0);
  for (std::size_t s = 0; s < n; ++s) along += rows[s] * w[s];
  Exprs turning, drifting;
  for (std::size_t s = 0; s < n; ++s) {
    Expr turn = -differentiate(along, formulas.q[s]);
    for (std::size_t m = 0; m < n; ++m) turn += differentiate(rows[s], formulas.q[m]) * w[m];
    turning.push_back(turn);
    drifting.push_back(differentiate(rows[s], formulas.t) - differentiate(offset, formulas.q[s]));
  }
  Outputs outputs;
  out.turning = outputs.put(turning);
  out.drifting = outputs.put(drifting);
  std::vector<std::string> inputs = formulas.names(formulas.q);
  inputs.emplace_back("t");
  for (const Exprs* list : {&p, &w}) {
    for (std::string& name : formulas.names(*list)) inputs.push_back(std::move(name));
  }
  inputs.insert(inputs.end(), out.letters.begin(), out.letters.end());
  out.symbols = Tape(outputs.list, inputs);
}

}  // namespace

EquationsTapes::EquationsTapes(const EquationsModel& model, Parameters parameters)
    : n(static_cast<int>(model.coordinates.size())), free(model.freedoms()) {
  const Formulas formulas(model, parameters);
  if (parameters == Parameters::letters) {
    for (const Parameter& parameter : model.frame.parameters) {
      letters.push_back(parameter.name);
      letter_values.push_back(parameter.value.number);
    }
  }
  const Exprs forms_of = formsOf(formulas);
  compileForms(formulas, forms_of, *this);
  compileTerms(formulas, forms_of, *this);
  compileSymbols(formulas, forms_of, *this);
}

}  // namespace linkwork
