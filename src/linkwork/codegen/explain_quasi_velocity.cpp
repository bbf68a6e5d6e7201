#include "linkwork/codegen/explain_quasi_velocity.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "linkwork/codegen/explain_table.hpp"
#include "linkwork/codegen/program_values.hpp"
#include "linkwork/codegen/quasi_matrices.hpp"
#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Words = std::vector<std::string>;

std::vector<double> listOf(const Vector& numbers) { return {numbers.begin(), numbers.end()}; }

// What the formulation itself finds at the state.
struct Engine {
  std::vector<double> q, omega, omega_rate, reactions;
};

class QuasiVelocityWriter {
 public:
  QuasiVelocityWriter(const QuasiMatrices& matrices, Explanation& out) : m_(matrices), out_(out) {
    free_ = Words(m_.names.begin(), m_.names.begin() + m_.free);
    know(m_.names);
    know(m_.velocities);
  }

  void velocities() {
    TableMaker table(m_.names);
    table.add("omega", listOf(m_.omega));
    add("Quasi-velocities",
        "The free ones first, which are the velocities of the state; then what the rows of loops, blades and wheels "
        "hold "
        "at zero.",
        "", table.done());
    add("Rows R", "By the velocities u of the joints of the tree.", "omega = R u + a_0",
        tableOf(m_.R, m_.names, m_.velocities));
    add("Motions N", "Velocities u that each free quasi-velocity alone brings.", "N: the first columns of R^-1",
        tableOf(m_.R.inverse().leftCols(m_.free), m_.velocities, free_));
  }

  void symbols() {
    ExplainedSection none{
        "Symbols Gamma", "All are zero: every quasi-velocity is the rate of a function.", "", "", {}, {}};
    bool any = false;
    for (std::size_t r = 0; r < m_.names.size(); ++r) {
      const Matrix known = cleaned(m_.Gamma[r]);
      if (known.cwiseAbs().maxCoeff() == 0.0) continue;
      any = true;
      add("Symbols Gamma of " + m_.names[r], "k down, alpha across; the opposite where the two are exchanged.",
          "Gamma(r, k, alpha) = gamma^r_{alpha k}", tableOf(known, m_.names, m_.names));
    }
    if (!any) out_.sections.push_back(none);
    const Matrix known = cleaned(m_.Gamma_0);
    if (known.size() > 0 && known.cwiseAbs().maxCoeff() > 0.0)
      add("Symbols Gamma_0", "Of rows that know the time, or ask for velocities: r down, k across.", "gamma^r_{0 k}",
          tableOf(known, m_.names, m_.names));
  }

  void sums(const Engine& engine) {
    if (m_.free > 0) {
      TableMaker parts(free_);
      Vector turned = Vector::Zero(m_.free);
      for (Eigen::Index r = 0; r < m_.T_Q.size(); ++r) {
        const Vector of_row = m_.Gamma[static_cast<std::size_t>(r)] * m_.omega;
        for (Eigen::Index k = 0; k < m_.free; ++k) turned[k] += m_.T_Q[r] * (of_row[k] + m_.Gamma_0(r, k));
      }
      parts.add("C", listOf(m_.C)).add("T_Pi", listOf(m_.T_Pi)).add("T_Q Gamma omega", listOf(turned));
      parts.add("Q", listOf(m_.Q)).add("B", listOf(m_.B));
      add("Right-hand side B", "Of all bodies, in N and N*m; Q: weight and loads.",
          "B = -C + T_Pi - T_Q Gamma omega + Q", parts.done());
      add("Mass matrix A", "In kg, kg*m and kg*m^2.", "A omega' = B", tableOf(m_.A, free_, free_));
    }
    add("Impulses T_Q", "With all n quasi-velocities: those of the rows are put in only afterwards.",
        "T_Q = dT*/d omega", TableMaker(m_.names).add("T_Q", listOf(m_.T_Q)).done());
    if (m_.free > 0) {
      const Vector found = m_.A.ldlt().solve(m_.B);
      const Vector simulated = Eigen::Map<const Vector>(engine.omega_rate.data(), m_.free);
      add("Solution omega'",
          "In m/s^2 and rad/s^2: by A and B, and as the formulation has it, which forms none of these matrices.", "",
          TableMaker(free_).add("by A and B", listOf(found)).add("simulated", listOf(simulated)).done());
    }
    const Words rows(m_.names.begin() + m_.free, m_.names.end());
    if (!rows.empty() && engine.reactions.size() == rows.size())
      add("Reactions lambda", "Of the rows, in N and N*m, from the equations of the velocities eliminated.", "",
          TableMaker(rows).add("lambda", engine.reactions).done());
  }

  void bodies() {
    for (const QuasiMatricesOfBody& body : m_.bodies) {
      const bool plane = body.Omega.size() == 1;
      const Words V = plane ? Words{"x", "y"} : Words{"x", "y", "z"};
      const Words W = plane ? Words{"turn"} : Words{"x body", "y body", "z body"};
      for (const Words* words : {&V, &W}) know(*words);
      const auto put = [&](const char* letter, const Matrix& matrix, const Words& rows, const Words& columns,
                           const char* formula, const char* words = "") {
        add(fmt::format("{} of {}", letter, body.name), words, formula, tableOf(matrix, rows, columns));
      };
      put("J", body.J, W, W, "", fmt::format("Mass {:.10g} kg; kg*m^2 about the centre of mass.", body.mass).c_str());
      put("V_P", body.V_P, V, m_.names, "dV / d omega", "V: of the centre of mass, in ground axes.");
      put("Omega_P", body.Omega_P, W, m_.names, "dOmega / d omega");
      put("V_R", body.V_R, V, {}, "", "What is free of omega.");
      put("Omega_R", body.Omega_R, W, {}, "");
      put("V", body.V, V, {}, "V = V_P omega + V_R");
      put("Omega", body.Omega, W, {}, "Omega = Omega_P omega + Omega_R");
      put("V_Q", body.V_Q, m_.names, V, "V_Q = m V_P^T");
      put("Omega_Q", body.Omega_Q, m_.names, W, "Omega_Q = Omega_P^T J");
      put("V_Pi", body.V_Pi, free_, V, "V_Pi = m dV / d pi");
      put("Omega_Pi", body.Omega_Pi, free_, W, "Omega_Pi = J dOmega / d pi");
      put("V_PP", body.V_PP, V, m_.names, "V_PP = d/dt V_P");
      put("Omega_PP", body.Omega_PP, W, m_.names, "Omega_PP = d/dt Omega_P");
      put("V_QP", body.V_QP, free_, V, "V_QP = d/dt V_Q");
      put("Omega_QP", body.Omega_QP, free_, W, "Omega_QP = d/dt Omega_Q");
      put("V_RP", body.V_RP, V, {}, "V_RP = d/dt V_R");
      put("Omega_RP", body.Omega_RP, W, {}, "Omega_RP = d/dt Omega_R");
      put("T_Q", body.T_Q, m_.names, {}, "T_Q = V_Q V + Omega_Q Omega");
      put("T_Pi", body.T_Pi, free_, {}, "T_Pi = V_Pi V + Omega_Pi Omega");
      put("C", body.C, free_, {},
          "C = V_QP V + Omega_QP Omega + V_Q (V_PP omega + V_RP) + Omega_Q (Omega_PP omega + Omega_RP)");
      put("A", body.A, free_, free_, "A = V_Q V_P + Omega_Q Omega_P");
      put("B", body.B, free_, {}, "B = T_Pi - C", "Gamma and Q belong to all bodies together, and come once.");
    }
  }

 private:
  void know(const Words& words) {
    auto& known = out_.constraint_rows;
    for (const std::string& word : words) {
      if (std::find(known.begin(), known.end(), word) == known.end()) known.push_back(word);
    }
  }
  // Without what round-off left of zeros.
  static Matrix cleaned(Matrix matrix) {
    constexpr double kRoundOff = 1e-12;
    if (matrix.size() == 0) return matrix;
    const double size = std::max(1.0, matrix.cwiseAbs().maxCoeff());
    return matrix.unaryExpr([&](double e) { return std::abs(e) < kRoundOff * size ? 0.0 : e; });
  }
  static ExplainedTable tableOf(const Matrix& given, const Words& rows, const Words& columns) {
    const Matrix matrix = cleaned(given);
    ExplainedTable out;
    out.row_names = rows;
    out.col_names = columns;
    for (Eigen::Index r = 0; r < matrix.rows(); ++r) {
      for (Eigen::Index c = 0; c < matrix.cols(); ++c) out.entries.emplace_back(matrix(r, c));
    }
    return out;
  }
  void add(std::string title, std::string words, const std::string& formula, ExplainedTable table) {
    out_.sections.push_back({std::move(title), std::move(words), formula, "", {}, std::move(table)});
  }

  const QuasiMatrices& m_;
  Explanation& out_;
  Words free_;
};

// False, with the reason, where the formulation cannot be evaluated there.
bool runEngine(const Mechanism& mechanism, const SystemOptions& options, double t, std::span<const double> x,
               Engine& out, std::string& problem) {
  const auto system = makeSystem(mechanism, options);
  const std::vector<double> own = system->fromAbsolute(t, x);
  const auto work = system->makeWorkspace();
  std::vector<double> rates(own.size());
  if (system->derivative(t, own, system->startModes(), *work, rates) != Eval::ok) {
    problem = system->describeFailure(*work);
    return false;
  }
  const StateSpace space = system->space();
  out.q.assign(own.begin(), own.begin() + space.positions());
  out.omega.assign(own.begin() + space.velocityOffset(), own.begin() + space.velocityOffset() + space.velocities());
  out.omega_rate.assign(rates.begin() + space.velocityOffset(),
                        rates.begin() + space.velocityOffset() + space.velocities());
  return true;
}

// Of the rows that are kept.
std::vector<double> reactionsOf(const Mechanism& mechanism, const VelocityChoice& choice, double t,
                                std::span<const double> x, const Engine& engine) {
  EquationRequest request;
  request.form = WrittenForm::quasivelocity;
  request.task = EquationTask::reactions;
  request.torques = Torques::none;
  request.velocities = choice;
  const WrittenEquations written = writeEquations(mechanism, request);
  if (!written.program || choice.left_out.empty()) return {};
  const ProgramValues values(
      *written.program,
      {{"t", {t}}, {"q", engine.q}, {"om", engine.omega}, {"n", wholeTurns(mechanism, *written.program, x)}});
  const std::vector<double> all = values.output("lam");
  std::vector<double> out;
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (choice.left_out[r] == 0) out.push_back(all[r]);
  }
  return out;
}

}  // namespace

Explanation explainQuasiVelocity(const Mechanism& mechanism, double t, std::span<const double> x, const Assembly& start,
                                 ExplainedMatrices matrices) {
  Explanation out;
  out.title = mechanism.name;
  out.words = "Equations of Boltzmann and Hamel in quasi-velocities. With numbers of ten significant digits.";
  SystemOptions options = startingFrom(start);
  options.formulation = "quasivelocity";
  options.stabilisation = "none";
  options.start.assign(x.begin(), x.end());
  Engine engine;
  if (!runEngine(mechanism, options, t, x, engine, out.problem)) return out;
  const VelocityChoice choice = velocityChoice(mechanism, options);
  out.problem = choice.problem;
  if (!out.problem.empty()) return out;
  const QuasiMatricesFound found = quasiMatrices(mechanism, choice, t, x, engine.q, engine.omega);
  out.problem = found.problem;
  if (!out.problem.empty()) return out;
  engine.reactions = reactionsOf(mechanism, choice, t, x, engine);
  QuasiVelocityWriter writer(found.matrices, out);
  writer.velocities();
  writer.symbols();
  if (matrices == ExplainedMatrices::of_each_body) writer.bodies();
  writer.sums(engine);
  return out;
}

}  // namespace linkwork
