#include "linkwork/analyse/equations_printed_rule.hpp"

#include <algorithm>

#include "linkwork/formulation/equations/equations_matrices.hpp"
#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {

// By central differences, which are enough for what is wrong.
void takePrintedRule(const EquationsSteadySolver& solver, const std::vector<double>& x, EquationsLinear& linear) {
  const EquationsModel& model = solver.model();
  const EquationsMatrices held = equationsMatrices(model, solver.system(), 0.0, x);
  const int n = solver.system().tapes().n;
  const int l = solver.system().tapes().free;
  const auto lost = [&](const std::vector<double>& moved) {
    const EquationsMatrices there = equationsMatrices(model, solver.system(), 0.0, moved);
    Eigen::VectorXd out = Eigen::VectorXd::Zero(l);
    for (int r = 0; r < n; ++r) {
      const auto k = static_cast<std::size_t>(r);
      out += there.T_Q[r] * (held.Gamma[k] * held.w) + held.T_Q[r] * (there.Gamma[k] * held.w);
    }
    for (std::size_t b = 0; b < held.bodies.size(); ++b) {
      for (const auto& [here, other] : {std::pair(&held.bodies[b].velocity, &there.bodies[b].velocity),
                                        std::pair(&held.bodies[b].angular, &there.bodies[b].angular)}) {
        if (here->V.size() > 0) out += here->Q.topRows(l) * (other->PP * held.w);
      }
    }
    return out;
  };
  const Eigen::Index first_speed = linear.A.rows() - l;
  const Eigen::LDLT<Eigen::MatrixXd> A(held.A);
  for (Eigen::Index c = 0; c < linear.A.cols(); ++c) {
    std::size_t place =
        static_cast<std::size_t>(n) + static_cast<std::size_t>(std::max<Eigen::Index>(c - first_speed, 0));
    for (int s = 0; s < n && c < first_speed; ++s) {
      if (model.coordinates[static_cast<std::size_t>(s)].name == linear.states[static_cast<std::size_t>(c)])
        place = static_cast<std::size_t>(s);
    }
    constexpr double kStep = 1e-5;
    std::vector<double> up = x;
    std::vector<double> down = x;
    up[place] += kStep;
    down[place] -= kStep;
    linear.A.col(c).tail(l) += A.solve(Eigen::VectorXd((lost(up) - lost(down)) / (2.0 * kStep)));
    if (c < first_speed) linear.A.col(c).head(first_speed).setZero();
  }
}

}  // namespace linkwork
