// Template bodies of linkage_constants.hpp; included only by the files that instantiate them.
#pragma once

#include <numbers>

#include "linkwork/formulation/linkage/linkage_constants.hpp"

namespace linkwork::linkage {

// On an axis the angle is known by structure, so that no line and no operation is spent on it.
template <class T>
Polar<T> polarOf(const Vec2<T>& v) {
  if (isStructuralZero(v.y)) return {v.x, T(0.0)};
  if (isStructuralZero(v.x)) return {v.y, T(std::numbers::pi / 2)};
  return {sqrt(v.x * v.x + v.y * v.y), atan2(v.y, v.x)};
}

template <class T>
Polar<T> namedPolar(const Vec2<T>& v, const char* length, const char* angle, int k, const Naming<T>& let) {
  const Polar<T> polar = polarOf(v);
  return {let(LetName{length, k + 1}, polar.length), let(LetName{angle, k + 1}, polar.angle)};
}

template <class T>
void turnToHinges(const LinkageTree& tree, LinkageConstants<T>& constants, const Naming<T>& let) {
  for (int k = 0; k < tree.links(); ++k) {
    LinkConstants<T>& link = constants.link[at(k)];
    Vec2<T>& leading = tree.children(k).empty() ? link.centre : constants.link[at(tree.children(k).front())].R;
    if (isStructuralZero(leading.y)) continue;
    const Polar<T> polar = polarOf(leading);
    link.turn = let(LetName{"tu", k + 1}, polar.angle);
    const T c = cos(link.turn);
    const T s = sin(link.turn);
    const auto turnBack = [&](Vec2<T>& v) { v = {c * v.x + s * v.y, c * v.y - s * v.x}; };
    if (&leading != &link.centre) turnBack(link.centre);
    for (const int j : tree.children(k)) turnBack(constants.link[at(j)].R);
    for (int n = 0; n < tree.cutCount(); ++n) {
      if (tree.cuts()[at(n)].a == k) turnBack(constants.cut[at(n)].on_a);
      if (tree.cuts()[at(n)].b == k) turnBack(constants.cut[at(n)].on_b);
    }
    leading = {polar.length, T(0.0)};
  }
}

template <class T>
void augment(const LinkageTree& tree, LinkageConstants<T>& constants, const Naming<T>& let) {
  for (int k = tree.links() - 1; k >= 0; --k) {
    LinkConstants<T>& link = constants.link[at(k)];
    link.own_mu = link.centre * link.mass;
    link.own_J = link.inertia + link.mass * dot(link.centre, link.centre);
    T m = link.mass;
    Vec2<T> mu = link.own_mu;
    T J = link.own_J;
    for (const int j : tree.children(k)) {
      const LinkConstants<T>& carried = constants.link[at(j)];
      m += carried.m;                              // (1)
      mu += carried.R * carried.m;                 // (2)
      J += carried.m * dot(carried.R, carried.R);  // (3)
    }
    link.m = let(LetName{"m", k + 1}, m);
    link.mu = {let(LetName{"mux", k + 1}, mu.x), let(LetName{"muy", k + 1}, mu.y)};
    link.J = let(LetName{"J", k + 1}, J);
    link.mu_polar = namedPolar(link.mu, "md", "dl", k, let);
    if (!tree.isRoot(k)) link.R_polar = namedPolar(link.R, "R", "ep", k, let);
  }
  for (int c = 0; c < tree.cutCount(); ++c) {
    CutConstants<T>& cut = constants.cut[at(c)];
    cut.on_a_polar = namedPolar(cut.on_a, "La", "ka", c, let);
    if (tree.cuts()[at(c)].b >= 0) cut.on_b_polar = namedPolar(cut.on_b, "Lb", "kb", c, let);
  }
  constants.gravity_polar = polarOf(constants.gravity);
}

}  // namespace linkwork::linkage
