// AbsoluteEquations: constraints and forces of a mechanism in absolute coordinates, q = (x, y, angle) of every centre
// of mass.
//
//   (1)  Phi(q, t) = 0                       position level; rows that hold velocities alone are not there
//   (2)  Phi_q v = -Phi_t                    velocity level; of such rows Phi_q and -Phi_t are the two sides themselves
//   (3)  Phi_q a = Gamma                     acceleration level
//   (4)  M a - Phi_q^T lambda = Q            motion; the reactions are Phi_q^T lambda        [docs/theory/01]
//
// Three stages, each needing what the stage before it filled: positions, velocities, forces.
#pragma once

#include <span>
#include <vector>

#include "linkwork/base/index.hpp"
#include "linkwork/elements/element_set.hpp"

namespace linkwork {

template <class G>
class AbsoluteEquations {
 public:
  using T = typename G::Scalar;

  explicit AbsoluteEquations(const Mechanism& mechanism) : AbsoluteEquations(mechanism, RowFilter()) {}
  // Without the rows of some joints and drives: what coordinates of a tree leave over.
  AbsoluteEquations(const Mechanism& mechanism, const RowFilter& rows);

  struct Work {
    T t{};
    std::vector<typename G::Position> x;  // bodies, then the ground
    std::vector<typename G::Velocity> v;
    std::vector<Motion<T>> motions;          // of the drives, then of joints that know the time
    std::vector<T> phi, minus_phi_t, gamma;  // phi stays zero where a row has none
    std::vector<T> jacobian;                 // as laid out by rowStart()
    std::vector<typename G::Wrench> Q;       // bodies, then the ground (what acts on it is not used)
    T potential{};                           // gravity and what loads store
    T supplied_power{};                      // of the loads, less what they dissipate
    // References of the angles in space whose turns are counted; whoever evaluates sets them before positions(). With
    // letters they are whole turns.
    std::vector<T> turns;
    // An element that has no place at this pose: of `curves`, whose point is beyond the end of its curve, or, behind
    // those, of `rolling_normals`, a disc that lies flat; -1: none.
    int left_place = -1;
    typename CompiledExpressions<G>::Scratch motion_scratch, relation_scratch, law_scratch, load_scratch;
  };
  Work makeWork() const;

  void positions(const T& t, std::span<const T> q, Work& work) const;  // x, motions, phi, jacobian
  void velocities(std::span<const T> v, Work& work) const;             // v, minus_phi_t, gamma
  void forces(Work& work) const;                                       // Q, potential, supplied_power
  // d/dt along the motion of jacobian (laid out like it) and of minus_phi_t, after velocities().
  void rates(const Work& work, std::span<T> jacobian, std::span<T> minus_phi_t) const;
  // positions() and velocities() for bodies that already stand in work.x and move as work.v says, whatever coordinates
  // put them there.
  void positions(const T& t, Work& work) const;
  void velocities(Work& work) const;
  // The motions of the drives alone, which know nothing but the time; positions() fills them in too.
  void prescribe(const T& t, Work& work) const;

  // The counted angles at the positions in work, each nearest to its reference, and their rates at the velocities
  // there.
  T turn(int index, const Work& work) const;
  T turnRate(int index, const Work& work) const;
  int turns() const { return static_cast<int>(set_.turns.size()); }
  // Brings the references up to the angles: what a walk from pose to pose does after every step.
  void followTurns(Work& work) const;

  int bodies() const { return set_.bodies; }
  int rows() const { return set_.rows; }
  int velocityRows() const { return set_.velocity_rows; }  // those of them that hold velocities alone
  RowLevel level(int row) const { return set_.row_info[at(row)].level; }
  // Phi_q as it is at a level: rows that are not there are rows of zeros.
  void copyJacobian(const Work& work, RowLevel level, std::span<T> out) const;
  int coordinates() const { return G::kCoordinates * set_.bodies; }
  int freedoms() const { return G::kFreedoms * set_.bodies; }  // of the bodies without constraints
  const ElementSet<G>& elements() const { return set_; }

  // Jacobian blocks (G::kFreedoms numbers each) of row r belong to rowBodies()[rowStart()[r] .. rowStart()[r + 1]).
  const std::vector<int>& rowStart() const { return row_start_; }
  const std::vector<int>& rowBodies() const { return row_bodies_; }

 private:
  std::span<T> blocksOf(int row, std::span<T> jacobian) const;

  ElementSet<G> set_;
  std::vector<int> row_start_, row_bodies_;
};

extern template class AbsoluteEquations<Planar<double>>;
extern template class AbsoluteEquations<Planar<Dual<8>>>;
extern template class AbsoluteEquations<Planar<Expr>>;
extern template class AbsoluteEquations<Spatial<double>>;
extern template class AbsoluteEquations<Spatial<Dual<8>>>;
extern template class AbsoluteEquations<Spatial<Expr>>;

}  // namespace linkwork
