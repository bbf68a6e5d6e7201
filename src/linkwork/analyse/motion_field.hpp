// MotionField: the motion of a mechanism in joint coordinates, its exact derivative along deviations, and directions of
// its states that might be symmetries: for those who ask about whole motions, steady ones above all.
//
//   x = [q, u, ...] as RecursiveSystem has it; a deviation is (d, e): q is moved by the motion d, u becomes u + e
//   (1)  (u, u') changes by (e, du') along it
//
// Directions X(x) = (d, e), each the motion of all states that follows from one of the configurations alone, so that
// (1) holds for it along every motion of the mechanism:                                       [docs/theory/12,
// eq. 12.3]
//
//   coordinate   a joint's angle or slide grows, all rates stay
//   spin         a ball turns about an axis of its own:            d = a,           e = w x a
//   turn         what a free joint carries turns about an axis
//                of what carries it:                               d = R^T c, c x p;  e = 0, c x p'
//   shift        it moves along an axis of its own:                d = R b,         e = w x R b
#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/analyse/linearise.hpp"
#include "linkwork/base/row_level.hpp"
#include "linkwork/formulation/mechanism_system.hpp"
#include "linkwork/model/mechanism.hpp"

namespace linkwork {

struct MotionDirection {
  enum class Kind { coordinate, spin, turn, shift };
  Kind kind = Kind::coordinate;
  int link = 0;
  int axis = 0;      // of a coordinate: its freedom; else 0, 1, 2 for x, y, z
  std::string name;  // "O.angle", "frame": of the coordinate, or of the body
};

class MotionField {
 public:
  // `mechanism` must outlive it, with the values of its inputs in place. Expects assembly.ok.
  static std::unique_ptr<MotionField> make(const Mechanism& mechanism, const Assembly& assembly);
  MotionField() = default;
  MotionField(const MotionField&) = delete;
  MotionField& operator=(const MotionField&) = delete;
  virtual ~MotionField() = default;

  virtual int freedoms() const = 0;  // of the tree: n
  virtual int numbers() const = 0;   // q and u of x; behind them stand work and references of counted turns
  virtual double length() const = 0;
  const Eigen::VectorXd& scale() const { return scale_; }                // of n: 1, or the length for what turns
  const std::vector<LinearCoordinate>& names() const { return names_; }  // of n
  const std::vector<MotionDirection>& directions() const { return directions_; }
  const std::vector<LinearCoordinate>& seen() const { return seen_; }  // coordinates of joints and bodies with names
  bool prescribed() const { return prescribed_; }                      // drives that the tree follows, or its cuts

  virtual std::vector<double> fromAbsolute(double t, const std::vector<double>& absolute) const = 0;
  virtual std::vector<double> toAbsolute(double t, const std::vector<double>& x) const = 0;

  // Moves a state by a deviation and back onto the constraints. False where the joints do not close.
  virtual bool go(double t, const Eigen::VectorXd& deviation, std::vector<double>& x) = 0;

  struct Here {
    Eigen::VectorXd u, a;     // rates and accelerations, n
    Eigen::MatrixXd X;        // the directions, 2n x K
    Eigen::MatrixXd e_rates;  // of their lower half along the motion, n x K
  };
  // False where the equations cannot be evaluated; describeFailure() says why.
  virtual bool evaluate(double t, const std::vector<double>& x, Here& here) = 0;
  virtual std::string describeFailure() const = 0;

  // What rows and names see of all 2n deviations, one by one.
  struct Seen {
    Eigen::MatrixXd phi;       // rows that have a Phi, by d: n columns
    Eigen::MatrixXd velocity;  // all rows, by d and e: 2n columns
    Eigen::MatrixXd named;     // seen(), by d: n columns
    Eigen::VectorXd value;     // of `quantities`
    Eigen::MatrixXd by_state;  // of `quantities`, by d and e: 2n columns
  };
  // `near`: the value that an angle of which turns are not known is to be near to.
  virtual void look(double t, const std::vector<double>& x, const std::vector<Quantity>& quantities,
                    const std::vector<double>& near, Seen& out) = 0;

  // What speeds can be read off, by d and e: 2n columns.
  struct SeenRates {
    Eigen::MatrixXd named;     // rates of seen(); of a small turn that of the turned body
    Eigen::MatrixXd impulses;  // of the tree's freedoms: M u
  };
  virtual void lookAtRates(double t, const std::vector<double>& x, SeenRates& out) = 0;

  // Of each cut row: its level, and the joint it belongs to; -1 of a drive's.
  struct CutRow {
    int joint = -1;
    RowLevel level = RowLevel::position;
  };
  virtual std::vector<CutRow> cutRows() const = 0;
  // The cut rows by the tree's freedoms and, last, by the time: Phi_q S and Phi_t. x = [q, ...]
  virtual Eigen::MatrixXd rowsByMotion(double t, std::span<const double> q) = 0;
  // q' of a motion of the tree's freedoms.
  virtual void coordinatesAlong(std::span<const double> q, const Eigen::VectorXd& motion, std::span<double> rate) = 0;
  virtual int coordinates() const = 0;

  // (1) along deviations: 2n x m. False where they have no derivative.
  virtual bool differentiate(double t, const std::vector<double>& x, const Eigen::MatrixXd& deviations,
                             Eigen::MatrixXd& rates) = 0;
  // Of the directions' sum X xi along deviations, at the state of the last evaluate().
  virtual Eigen::MatrixXd drag(const Eigen::VectorXd& xi, const Eigen::MatrixXd& deviations) const = 0;
  // The tree's mass matrix there.
  virtual Eigen::MatrixXd mass() const = 0;

  virtual bool observe(double t, const std::vector<double>& x, Observation& out) = 0;

 protected:
  Eigen::VectorXd scale_;
  std::vector<LinearCoordinate> names_, seen_;
  std::vector<MotionDirection> directions_;
  bool prescribed_ = false;
};

}  // namespace linkwork
