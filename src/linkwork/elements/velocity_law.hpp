// VelocityLaw: a formula, linear in rates, that stays zero (1 row of velocities alone, any number of bodies).
//
//   f     = f_0 + sum_k f_k s_k',   s_k named positions (or turns), f_0 and f_k formulas of t and positions q_m
//   Phi_q = sum_k f_k (rows of s_k),   -Phi_t = -f_0
//   Gamma = -[ f_0' + sum_k (f_k' s_k' + f_k (bend of s_k)) ],   g' = g_t + sum_m g_m q_m'
//                                                                                           [docs/theory/01, eq. 1.49]
//   lambda: does on each s_k the generalised force lambda f_k.
//
// All laws of a mechanism share one list of formulas and of positions; their rates stand in the law.
#pragma once

#include "linkwork/elements/relation.hpp"

namespace linkwork {

template <class G>
struct VelocityLaw {
  using T = typename G::Scalar;

  // A formula g among the outputs, behind it its derivatives: g, g_t, then g_m for every input of the formulas.
  struct Share {
    NamedQuantity<G> s;  // its rate is s_k'
    int output = 0;
    int block_i = -1;
    int block_j = -1;  // where the bodies of s_k stand in `bodies`; -1: the ground
  };

  int row = 0;
  int output = 0;  // f_0
  std::vector<Share> shares;
  std::vector<int> bodies;  // the moving ones, in ascending order: a block of Phi_q each

  using Formulas = CompiledExpressions<G>;
  using Positions = std::span<const typename G::Position>;
  using Velocities = std::span<const typename G::Velocity>;

  void jacobian(std::span<const T> values, Positions x, std::span<T> blocks) const {
    std::fill(blocks.begin(), blocks.end(), T(0.0));
    for (const Share& share : shares) addRows(share, share.s.rows(at2(share, x)), values[at(share.output)], blocks);
  }

  void jacobianRate(const Formulas& formulas, std::span<const T> values, Positions x, Velocities v,
                    std::span<T> blocks) const {
    std::fill(blocks.begin(), blocks.end(), T(0.0));
    for (const Share& share : shares) {
      addRows(share, share.s.rows(at2(share, x)), rateOf(formulas, values, share.output, x, v), blocks);
      addRows(share, share.s.rowRates(at2(share, x), at2(share, v)), values[at(share.output)], blocks);
    }
  }

  T minusPhiT(std::span<const T> values) const { return -values[at(output)]; }
  T minusPhiTRate(const Formulas& formulas, std::span<const T> values, Positions x, Velocities v) const {
    return -rateOf(formulas, values, output, x, v);
  }

  T gamma(const Formulas& formulas, std::span<const T> values, Positions x, Velocities v) const {
    T sum = rateOf(formulas, values, output, x, v);
    for (const Share& share : shares) {
      const T rate = share.s.value(T(0.0), at2(share, x), at2(share, v));
      sum = sum + rateOf(formulas, values, share.output, x, v) * rate;
      sum = sum + values[at(share.output)] * share.s.bend(at2(share, x), at2(share, v));
    }
    return -sum;
  }

 private:
  static PairPosition<G> at2(const Share& share, Positions x) { return {x[at(share.s.i)], x[at(share.s.j)]}; }
  static PairVelocity<G> at2(const Share& share, Velocities v) { return {v[at(share.s.i)], v[at(share.s.j)]}; }

  // g' of the formula at this output.
  static T rateOf(const Formulas& formulas, std::span<const T> values, int output, Positions x, Velocities v) {
    T sum = values[at(output + 1)];
    for (std::size_t m = 0; m < formulas.inputs.size(); ++m) {
      const NamedQuantity<G>& q = formulas.inputs[m];
      sum = sum + values[at(output) + 2 + m] * q.rate({x[at(q.i)], x[at(q.j)]}, {v[at(q.i)], v[at(q.j)]});
    }
    return sum;
  }

  static void addRows(const Share& share, const JacobianRows<G, 1>& rows, const T& slope, std::span<T> blocks) {
    addToBlock(share.block_i, rows.first[0], slope, blocks);
    addToBlock(share.block_j, rows.second[0], slope, blocks);
  }
};

}  // namespace linkwork
