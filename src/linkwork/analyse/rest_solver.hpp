// RestSolver: looks for poses of one mechanism in which all forces balance, from one start after the other.
//
// With Z an orthonormal basis of the motions allowed, g = Z^T Q is the force that the constraints leave over, and
// (Z^T K Z) y = g Newton's step Z y, after which the pose is brought back onto the constraints. Where it does not lead
// to less force, Levenberg and Marquardt's takes its place. Where that comes to no end, the mechanism is let down:
// steps along the eigenvectors of the stiffness, each with the magnitude of its eigenvalue, so that every one of them
// goes the way the force pulls.                                                                [docs/theory/06,
// eq. 6.10]
#pragma once

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "linkwork/analyse/pose_mover.hpp"
#include "linkwork/analyse/posed_problem.hpp"
#include "linkwork/analyse/statics.hpp"
#include "linkwork/system/mechanical_system.hpp"

namespace linkwork {

class RestSolver {
 public:
  RestSolver(const Mechanism& mechanism, const Assembly& start, double t);

  Equilibrium fromDrawing();
  Equilibrium fromRandom(unsigned seed);

  int freedoms() const { return freedoms_; }
  double length() const { return problem_.problem.length; }
  double forceScale() const { return force_scale_; }  // N: the greatest force met so far

 private:
  struct Pose {
    std::vector<double> q, turns;
    // Filled by weigh().
    Eigen::MatrixXd Z;     // in metres: turns times the length
    Eigen::VectorXd left;  // what the constraints leave of the forces, N
    Eigen::VectorXd g;     // Z^T of that
    std::vector<double> lambda;
    double off = 0.0;  // greatest entry of `left`
  };
  bool weigh(Pose& pose);
  bool stiffnessAt(const Pose& pose, Eigen::MatrixXd& K);
  bool move(const Pose& from, const Eigen::VectorXd& y, Pose& to, double& share);
  bool newton(Pose& pose, double& moved);
  bool letDown(Pose& pose);
  bool settle(Pose& pose);
  bool bySteps(Pose& pose);
  Equilibrium finish(const Pose& pose);
  std::string outOfBalance(const Pose& pose) const;
  Pose start() const;
  double tolerance() const;

  const Mechanism held_;
  double t_;
  std::vector<int> left_out_;
  PosedProblem problem_;
  PoseMover mover_;
  std::unique_ptr<MechanicalSystem> system_;
  std::unique_ptr<Workspace> work_;
  std::function<double(std::span<const double>, std::span<const double>)> potential_;
  MechanicalValues values_;
  MechanicalTangent tangent_;
  std::vector<double> held_back_;  // N, N m: forces at each coordinate that do not act yet; empty: all do
  Eigen::VectorXd unit_;
  int freedoms_ = 0;
  std::vector<double> start_q_, start_turns_;
  double force_scale_ = 0.0;
  int iterations_ = 0;
  std::string failure_;
};

}  // namespace linkwork
