// Layout of the state x = [q, v, w]: positions, velocities, and quadratures that no error control may look at.
#pragma once

namespace linkwork {

class StateSpace {
 public:
  StateSpace() = default;
  // A first-order system has positions only when asked for: StateSpace::firstOrder(n) puts all n into q.
  constexpr StateSpace(int positions, int velocities, int quadratures)
      : positions_(positions), velocities_(velocities), quadratures_(quadratures) {}
  static constexpr StateSpace firstOrder(int n) { return {n, 0, 0}; }

  constexpr int positions() const { return positions_; }
  constexpr int velocities() const { return velocities_; }
  constexpr int quadratures() const { return quadratures_; }
  constexpr int controlled() const { return positions_ + velocities_; }  // what error control looks at
  constexpr int size() const { return positions_ + velocities_ + quadratures_; }

  constexpr int velocityOffset() const { return positions_; }
  constexpr int quadratureOffset() const { return positions_ + velocities_; }

 private:
  int positions_ = 0;
  int velocities_ = 0;
  int quadratures_ = 0;
};

}  // namespace linkwork
