// What J d needs of a linkage (formulation/stabilised_product.hpp). Without rows the elimination itself runs with Dual
// numbers. Else, a and F held,
//
//   (1)  R_k = M_k - sum_j M_j - (P^T F)_k,  S = gamma* - P a        M: torques of sweep(); j: links carried by k
//   (2)  H da - P^T dF = -dR,  P da = dS                                                 [docs/theory/08, eq. 8.16]
#pragma once

#include <algorithm>
#include <memory>

#include "linkwork/formulation/linkage/link_bodies.hpp"
#include "linkwork/formulation/linkage/linkage_surface.hpp"
#include "linkwork/formulation/stabilised_product.hpp"

namespace linkwork {

struct LinkageSystem::Tangent {
  using Number = TangentNumber;
  using GD = Planar<Number>;

  Tangent(const LinkageSystem& formulation, Work& workspace);

  void prepare() {
    hold(work.acceleration, a);
    hold(work.multiplier, F);
  }
  // Without rows: a with its derivatives. Else dR and dS.
  void run(double t, std::span<const Number> x);
  void solve(int direction);
  void finish() {}

  void rates(std::span<const Number> /*angle*/, std::span<const Number> rate, std::span<Number> out) const {
    std::copy(rate.begin(), rate.end(), out.begin());
  }
  std::span<const Number> acceleration() const { return a; }
  Number power() const {
    Number out = system.loaded_ ? dual.supplied_power : Number(0.0);
    for (std::size_t r = 0; r < F.size(); ++r) out += F[r] * work.rate_given[r];  // only drives do work
    return out;
  }
  Number turnRate(int /*k*/) const { return Number(0.0); }  // there are none in the plane

  const LinkageSystem& system;
  Work& work;
  linkage::LinkageConstants<Number> constants;
  AbsoluteEquations<GD> equations;
  AbsoluteEquations<GD>::Work dual;
  std::vector<Vec2<Number>> force;
  std::vector<Number> moment;
  std::unique_ptr<linkage::EliminationWork<Number>> elimination;  // without rows, else null
  std::unique_ptr<linkage::SweepWork<Number>> sweep;              // with rows, like the next
  std::unique_ptr<linkage::FormWork<Number>> form;                // its closure
  std::vector<Number> a, F;  // their derivatives are those of the directions solved for
  std::vector<Number> R, S;

 private:
  linkage::LinkageInputs<Number> inputsOf(double t, std::span<const Number> x);
  void rowsOf(const linkage::LinkageInputs<Number>& in);
};

}  // namespace linkwork
