// PoseMover: velocities that the constraints of a MobilityProblem allow, and the way back onto the constraints.
//
// The metric is that of displacements, whatever the masses are.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "linkwork/analyse/mobility.hpp"
#include "linkwork/linalg/kkt.hpp"

namespace linkwork {

enum class Drives { let_go, held };

class PoseMover {
 public:
  PoseMover(const MobilityProblem& problem, Drives drives);

  // v <- the allowed velocity nearest to v.
  void allow(std::span<const double> pose, std::span<double> v);

  // Moves the pose by a step and back onto the constraints; `step` becomes the displacement that came of it. False
  // where the joints do not close.
  bool go(std::span<double> step, std::vector<double>& pose);

  // Of the last allow(), by rows: W (v before - v after) = P^T m, W the metric and P the rows.
  std::span<const double> multipliers() const { return g_; }
  bool rowDropped(int row) const { return kkt_->rowDropped(row); }
  int rows() const { return static_cast<int>(rows_.size()); }
  // How near the constraints were to dependence in the last allow().
  const KktSolver::Factored& factored() const { return factored_; }

  // Greatest displacement in a step, in units of the problem's length.
  double size(std::span<const double> step) const;
  double unit(std::size_t u) const { return problem_.freedom_scale[u % static_cast<std::size_t>(problem_.freedoms)]; }

 private:
  double fill(std::span<const double> pose);
  bool newtonStep(double damping);

  const MobilityProblem& problem_;
  std::vector<int> rows_;
  std::vector<double> phi_, jacobian_, f_, g_;
  std::vector<std::uint8_t> doubtful_;
  std::optional<KktSolver> kkt_;
  KktSolver::Factored factored_;
};

}  // namespace linkwork
