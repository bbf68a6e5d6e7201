// Relation: a formula of t and positions that stays zero (1 row, any number of bodies): couplings, gears, racks, leads.
//
//   Phi   = f(t, s_1 ... s_n), s_k named positions
//   Phi_q = sum_k f_k (rows of s_k)
//   Gamma = -[ f_tt + 2 sum_k f_tk s_k' + sum_kl f_kl s_k' s_l' + sum_k f_k (bend of s_k) ]
//                                                                                           [docs/theory/01, eq. 1.24]
//   lambda: does on each s_k the generalised force lambda f_k.
//
// All relations of a mechanism share one list of formulas (f and its derivatives, found symbolically) and of positions.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "linkwork/elements/named_quantity.hpp"

namespace linkwork {

// Adds slope times a row to one of the blocks of a row that touches several bodies; the ground has none (-1).
template <class T, std::size_t F>
void addToBlock(int block, const std::array<T, F>& row, const T& slope, std::span<T> blocks) {
  if (block < 0) return;
  for (std::size_t k = 0; k < F; ++k) {
    T& entry = blocks[at(block) * F + k];
    entry = entry + slope * row[k];
  }
}

template <class G>
struct Relation {
  using T = typename G::Scalar;

  struct First {
    int input = 0;   // s_k among the inputs of the formulas
    int output = 0;  // f_k among their outputs
    int mixed = -1;  // f_tk; -1: zero
    int block_i = -1;
    int block_j = -1;  // where the bodies of s_k stand in `bodies`; -1: the ground
  };
  struct Second {
    int a = 0;  // inputs
    int b = 0;
    int output = 0;  // f_ab
  };

  int row = 0;
  int output = 0;  // f, f_t, f_tt follow each other
  std::vector<First> firsts;
  std::vector<Second> seconds;  // a <= b, those that are not zero
  std::vector<int> bodies;      // the moving ones, in ascending order: a block of Phi_q each

  // Phi_q, block after block, from the values of the formulas and the positions of all bodies (the ground last).
  void jacobian(const CompiledExpressions<G>& formulas, std::span<const T> values,
                std::span<const typename G::Position> x, std::span<T> blocks) const {
    std::fill(blocks.begin(), blocks.end(), T(0.0));
    for (const First& first : firsts) {
      const NamedQuantity<G>& s = formulas.inputs[at(first.input)];
      addRows(first, s.rows({x[at(s.i)], x[at(s.j)]}), values[at(first.output)], blocks);
    }
  }

  // Its rate: sum_k f_k' (rows of s_k) + f_k (their rates), f_k' = f_tk + sum_l f_kl s_l'.
  void jacobianRate(const CompiledExpressions<G>& formulas, std::span<const T> values,
                    std::span<const typename G::Position> x, std::span<const typename G::Velocity> v,
                    std::span<T> blocks) const {
    std::fill(blocks.begin(), blocks.end(), T(0.0));
    for (const First& first : firsts) {
      const NamedQuantity<G>& s = formulas.inputs[at(first.input)];
      T slope_rate = first.mixed >= 0 ? values[at(first.mixed)] : T(0.0);
      for (const Second& second : seconds) {
        if (second.a == first.input) {
          slope_rate = slope_rate + values[at(second.output)] * rateOf(formulas, second.b, x, v);
        } else if (second.b == first.input) {
          slope_rate = slope_rate + values[at(second.output)] * rateOf(formulas, second.a, x, v);
        }
      }
      addRows(first, s.rows({x[at(s.i)], x[at(s.j)]}), slope_rate, blocks);
      addRows(first, s.rowRates({x[at(s.i)], x[at(s.j)]}, {v[at(s.i)], v[at(s.j)]}), values[at(first.output)], blocks);
    }
  }

  T minusPhiT(std::span<const T> values) const { return -values[at(output + 1)]; }

  // Its rate: -f_tt - sum_k f_tk s_k'.
  T minusPhiTRate(const CompiledExpressions<G>& formulas, std::span<const T> values,
                  std::span<const typename G::Position> x, std::span<const typename G::Velocity> v) const {
    T sum = values[at(output + 2)];
    for (const First& first : firsts) {
      if (first.mixed >= 0) sum = sum + values[at(first.mixed)] * rateOf(formulas, first.input, x, v);
    }
    return -sum;
  }

  T gamma(const CompiledExpressions<G>& formulas, std::span<const T> values, std::span<const typename G::Position> x,
          std::span<const typename G::Velocity> v) const {
    T sum = values[at(output + 2)];
    for (const First& first : firsts) {
      const NamedQuantity<G>& s = formulas.inputs[at(first.input)];
      sum = sum + values[at(first.output)] * s.bend({x[at(s.i)], x[at(s.j)]}, {v[at(s.i)], v[at(s.j)]});
      if (first.mixed >= 0) sum = sum + T(2.0) * values[at(first.mixed)] * rateOf(formulas, first.input, x, v);
    }
    for (const Second& second : seconds) {
      const T term = values[at(second.output)] * rateOf(formulas, second.a, x, v) * rateOf(formulas, second.b, x, v);
      sum = sum + (second.a == second.b ? term : T(2.0) * term);
    }
    return -sum;
  }

 private:
  static T rateOf(const CompiledExpressions<G>& formulas, int input, std::span<const typename G::Position> x,
                  std::span<const typename G::Velocity> v) {
    const NamedQuantity<G>& s = formulas.inputs[at(input)];
    return s.rate({x[at(s.i)], x[at(s.j)]}, {v[at(s.i)], v[at(s.j)]});
  }
  static void addRows(const First& first, const JacobianRows<G, 1>& rows, const T& slope, std::span<T> blocks) {
    addToBlock(first.block_i, rows.first[0], slope, blocks);
    addToBlock(first.block_j, rows.second[0], slope, blocks);
  }
};

// An angle in space whose whole turns are counted: of j against i. The count is part of the state: a reference that
// follows the angle at its rate, near enough to tell one turn from the next.
template <class G>
struct CountedTurn {
  AxialAngle<G> turn;  // with j as its first body
  int i = 0;
  int j = 0;
  double start = 0.0;  // where the reference begins, in the drawn pose
  std::string name{};  // in words: joint "A"
};

}  // namespace linkwork
