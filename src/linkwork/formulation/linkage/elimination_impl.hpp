// eliminate(): forward dynamics in ground axes, link by link.
#pragma once

#include "linkwork/formulation/linkage/placement_impl.hpp"

namespace linkwork::linkage {

template <class T>
EliminationWork<T>::EliminationWork(const LinkageTree& tree)
    : link(at(tree.links())), acceleration(at(tree.links())), hinge(at(tree.links())) {
  size(tree, place);
}

template <class T>
Vec2<T> massTimes(const typename EliminationWork<T>::Link& link, const Vec2<T>& v) {
  return {link.xx * v.x + link.xy * v.y, link.xy * v.x + link.yy * v.y};
}

// Link k with everything that hangs on it, seen from its hinge. r = k x R_j, M_j: torque of k on j;
//   J = Jo + mo c^2 + sum_j r.X_j r        u = mo (k x c) + sum_j X_j r       f = -w^2 mo c - F + sum_j p_j
//   n = -ML + sum_j (r.p_j + M_j)          p_j = f_j - X_j (w^2 R_j)
// and, hinge k eliminated,
//   X_k = X - u u^T / J                    f_k = f + u (M_k - n) / J
template <class T>
void eliminateLink(int k, const LinkageTree& tree, const LinkageConstants<T>& constants, const LinkageInputs<T>& inputs,
                   HingeForces hinge_forces, EliminationWork<T>& work, const Naming<T>& let) {
  using Link = typename EliminationWork<T>::Link;
  const LinkConstants<T>& own = constants.link[at(k)];
  Link& link = work.link[at(k)];
  const Vec2<T> mc = named("cx", "cy", k, turned(work.place, k, own.own_mu), let);
  T J = own.own_J;
  Vec2<T> u = perp(mc);
  T xx = own.mass;
  T yy = own.mass;
  T xy{};
  Vec2<T> f = -(mc * work.place.w2[at(k)]);
  if (!inputs.force.empty()) f -= inputs.force[at(k)];
  T n = inputs.drive.empty() ? T{} : inputs.drive[at(k)];  // M_k - n_k
  if (!inputs.moment.empty()) n += inputs.moment[at(k)];
  for (const int j : tree.children(k)) {
    const Link& carried = work.link[at(j)];
    const Vec2<T> r = perp(work.place.R[at(j)]);
    const Vec2<T> Xr = named("gx", "gy", j, massTimes<T>(carried, r), let);
    const Vec2<T> p = named("px", "py", j, carried.f - massTimes<T>(carried, carried.s), let);
    J += dot(r, Xr);
    u += Xr;
    xx += carried.xx;
    xy += carried.xy;
    yy += carried.yy;
    f += p;
    n -= dot(r, p);
    if (!inputs.drive.empty()) n -= inputs.drive[at(j)];
  }
  link.J = let(LetName{"E", k + 1}, J);
  link.u = named("ux", "uy", k, u, let);
  if (tree.isRoot(k) && hinge_forces == HingeForces::no) {  // nobody asks what it presses on the ground
    link.n = let(LetName{"n", k + 1}, n);
    return;
  }
  link.v = {let(LetName{"vx", k + 1}, link.u.x / link.J), let(LetName{"vy", k + 1}, link.u.y / link.J)};
  link.n = let(LetName{"n", k + 1}, n / link.J);
  link.xx = let(LetName{"Xxx", k + 1}, xx - link.u.x * link.v.x);
  link.xy = let(LetName{"Xxy", k + 1}, xy - link.u.x * link.v.y);
  link.yy = let(LetName{"Xyy", k + 1}, yy - link.u.y * link.v.y);
  link.f = named("fx", "fy", k, f + link.u * link.n, let);
}

template <class T>
void eliminate(const LinkageTree& tree, const LinkageConstants<T>& constants, const LinkageInputs<T>& inputs,
               HingeForces hinge_forces, EliminationWork<T>& work, const Naming<T>& let) {
  Placement<T>& place = work.place;
  placeAngles(Given::absolute, tree, inputs, place, let);
  placeTurns(tree, constants, place, let);
  placeHingeVectors(tree, constants, place, let);
  for (int k = 0; k < tree.links(); ++k) {
    const int p = tree.base(k);
    if (p >= 0) work.link[at(k)].s = named("sx", "sy", k, place.R[at(k)] * place.w2[at(p)], let);
  }
  for (int k = tree.links() - 1; k >= 0; --k) eliminateLink(k, tree, constants, inputs, hinge_forces, work, let);
  for (int k = 0; k < tree.links(); ++k) {
    const int p = tree.base(k);
    auto& link = work.link[at(k)];
    // A_k = A_p + a_p (k x R_k) - w_p^2 R_k;   a_k = (M_k - n_k)/J_k - v_k . A_k
    link.A = -constants.gravity;
    if (p >= 0) {
      const Vec2<T> sum = work.link[at(p)].A - link.s + perp(place.R[at(k)]) * work.acceleration[at(p)];
      link.A = named("Ax", "Ay", k, sum, let);
    }
    const bool divided = p >= 0 || hinge_forces == HingeForces::yes;
    work.acceleration[at(k)] =
        let(LetName{"a", k + 1}, divided ? link.n - dot(link.v, link.A) : (link.n - dot(link.u, link.A)) / link.J);
    if (hinge_forces == HingeForces::yes) {
      work.hinge[at(k)] = named("Nx", "Ny", k, massTimes<T>(link, link.A) + link.f, let);
    }
  }
}

}  // namespace linkwork::linkage
