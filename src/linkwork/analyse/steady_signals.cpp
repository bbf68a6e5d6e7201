// Inputs and outputs about a steady motion: those of the linearisation in absolute coordinates at its state, by the
// deviations that states are read off.
#include <algorithm>

#include "linkwork/analyse/steady_parts.hpp"
#include "linkwork/base/contract.hpp"
#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {

namespace {

using Matrix = Eigen::MatrixXd;

// Of the largest entry: an output that sees this little of what is ignorable does not depend on it.
constexpr double kUnseen = 1e-9;

Eigen::Index placeOf(const std::vector<LinearCoordinate>& seen, const std::string& name) {
  const auto found = std::find_if(seen.begin(), seen.end(), [&](const auto& one) { return one.name == name; });
  expect(found != seen.end(), "addSignals: a coordinate without a name");
  return found - seen.begin();
}

// The states of `whole` by deviations in the coordinates of T.
Matrix readOff(SteadySolver& solver, const SteadyMotion& motion, const SteadyWhole& deviations,
               const Linearisation& linear) {
  MotionField& field = solver.field();
  MotionField::SeenRates rates;
  field.lookAtRates(solver.time(), motion.x, rates);
  const Eigen::Index n = field.freedoms();
  const Matrix& T = deviations.pieces.T;
  Matrix unscaled = T;
  unscaled.topRows(n) = field.scale().cwiseInverse().asDiagonal() * T.topRows(n);
  unscaled.bottomRows(n) = field.scale().cwiseInverse().asDiagonal() * T.bottomRows(n);
  const Matrix by_rates = rates.named * unscaled;
  const auto count = static_cast<Eigen::Index>(linear.coordinates.size());
  Matrix out(count + static_cast<Eigen::Index>(linear.speeds.size()), T.cols());
  for (Eigen::Index k = 0; k < count; ++k) {
    const auto& name = linear.coordinates[static_cast<std::size_t>(k)].name;
    out.row(k) = deviations.named.row(placeOf(field.seen(), name));
  }
  for (std::size_t k = 0; k < linear.speeds.size(); ++k) {
    const auto& name = linear.coordinates[static_cast<std::size_t>(linear.speeds[k])].name;
    out.row(count + static_cast<Eigen::Index>(k)) = by_rates.row(placeOf(field.seen(), name));
  }
  return out;
}

Eigen::MatrixXd keepRows(const Matrix& matrix, const std::vector<Eigen::Index>& rows) {
  Matrix out(static_cast<Eigen::Index>(rows.size()), matrix.cols());
  for (std::size_t k = 0; k < rows.size(); ++k) out.row(static_cast<Eigen::Index>(k)) = matrix.row(rows[k]);
  return out;
}

}  // namespace

std::string addSignals(SteadySolver& solver, const SteadyMotion& motion, const Mechanism& named,
                       SteadyLinearisation& out) {
  if (named.inputs.empty() && named.outputs.empty()) return {};
  const Linearisation linear = linearise(named, solver.model().assembly, solver.time(), motion.absolute);
  if (!linear.ok) return linear.problem;
  const bool moves_places = std::any_of(linear.inputs.begin(), linear.inputs.end(),
                                        [](const LinearSignal& input) { return input.name.ends_with('\''); });
  if (moves_places && motion.turning) {
    return "an input that moves a drive has no constant matrices in axes that turn";
  }
  const SteadyWhole whole = wholeOf(solver, motion);
  if (!whole.ok) return solver.field().describeFailure();
  const Matrix N = readOff(solver, motion, whole, linear);
  if (N.rows() != N.cols()) return "the motion has other freedoms than its linearisation";
  const Eigen::ColPivHouseholderQR<Matrix> back(N);
  out.inputs = linear.inputs;
  out.B = out.to_states * back.solve(linear.B);
  const Matrix by_deviations = linear.C_y * N;
  const Matrix ignorable = by_deviations * whole.W;
  std::vector<Eigen::Index> kept;
  for (Eigen::Index k = 0; k < by_deviations.rows(); ++k) {
    const double size = by_deviations.row(k).cwiseAbs().maxCoeff();
    const LinearSignal& output = linear.outputs[static_cast<std::size_t>(k)];
    if (whole.W.cols() > 0 && ignorable.row(k).cwiseAbs().maxCoeff() > kUnseen * size) {
      out.drifting.push_back(output.name);
      continue;
    }
    kept.push_back(k);
    out.outputs.push_back(output);
  }
  out.C_y = keepRows(by_deviations, kept) * out.from_states;
  out.D = keepRows(linear.D, kept);
  out.output_values = keepRows(linear.output_values, kept);
  const auto z = static_cast<Eigen::Index>(out.speeds.size());
  if (out.M.rows() == z) out.G = out.M * out.B.bottomRows(z);
  return {};
}

}  // namespace linkwork
