// place(): angles, rates, and the vectors of the links in ground axes.
#pragma once

#include "linkwork/formulation/linkage/forms.hpp"

namespace linkwork::linkage {

template <class T>
Vec2<T> named(const char* x, const char* y, int k, const Vec2<T>& v, const Naming<T>& let) {
  return {let(LetName{x, k + 1}, v.x), let(LetName{y, k + 1}, v.y)};
}

template <class T>
void size(const LinkageTree& tree, Placement<T>& place) {
  const std::size_t n = at(tree.links());
  for (std::vector<T>* list : {&place.al, &place.w, &place.w2, &place.phi, &place.psi, &place.c, &place.s}) {
    list->assign(n, T{});
  }
  place.mu.assign(n, {});
  place.R.assign(n, {});
  place.on_a.assign(tree.cuts().size(), {});
  place.on_b.assign(tree.cuts().size(), {});
}

enum class Given { absolute, relative };

// al, w and w^2.
template <class T>
void placeAngles(Given given, const LinkageTree& tree, const LinkageInputs<T>& inputs, Placement<T>& place,
                 const Naming<T>& let) {
  for (int k = 0; k < tree.links(); ++k) {
    const int p = tree.base(k);
    const bool sum = given == Given::relative && p >= 0;
    const T& angle = inputs.angle[at(k)];
    place.al[at(k)] = sum ? let(LetName{"al", k + 1}, place.al[at(p)] + angle) : angle;
    if (inputs.rate.empty()) continue;
    const T& rate = inputs.rate[at(k)];
    place.w[at(k)] = sum ? let(LetName{"w", k + 1}, place.w[at(p)] + rate) : rate;
    place.w2[at(k)] = place.w[at(k)] * place.w[at(k)];
  }
}

template <class T>
Vec2<T> turned(const Placement<T>& place, int k, const Vec2<T>& v) {
  const T& c = place.c[at(k)];
  const T& s = place.s[at(k)];
  return {c * v.x - s * v.y, s * v.x + c * v.y};
}

template <class T>
void placeTurns(const LinkageTree& tree, const LinkageConstants<T>& constants, Placement<T>& place,
                const Naming<T>& let) {
  for (int k = 0; k < tree.links(); ++k) {
    const T angle = place.al[at(k)] + constants.link[at(k)].turn;
    place.c[at(k)] = let(LetName{"c", k + 1}, cos(angle));
    place.s[at(k)] = let(LetName{"s", k + 1}, sin(angle));
  }
}

template <class T>
void placeHingeVectors(const LinkageTree& tree, const LinkageConstants<T>& constants, Placement<T>& place,
                       const Naming<T>& let) {
  for (int k = 0; k < tree.links(); ++k) {
    if (tree.isRoot(k)) continue;
    place.R[at(k)] = named("rx", "ry", k, turned(place, tree.base(k), constants.link[at(k)].R), let);
  }
}

// mu, R and the ends of the cuts by vectors.
template <class T>
void placeVectors(const LinkageTree& tree, const LinkageConstants<T>& constants, Placement<T>& place,
                  const Naming<T>& let) {
  placeTurns(tree, constants, place, let);
  for (int k = 0; k < tree.links(); ++k) {
    place.mu[at(k)] = named("mx", "my", k, turned(place, k, constants.link[at(k)].mu), let);
  }
  placeHingeVectors(tree, constants, place, let);
  for (int c = 0; c < tree.cutCount(); ++c) {
    const CutEnds& ends = tree.cuts()[at(c)];
    place.on_a[at(c)] = named("ax", "ay", c, turned(place, ends.a, constants.cut[at(c)].on_a), let);
    if (ends.b < 0) continue;
    place.on_b[at(c)] = named("bx", "by", c, turned(place, ends.b, constants.cut[at(c)].on_b), let);
  }
}

template <class T>
Vec2<T> fromPolar(const T& length, const T& angle) {
  return {length * cos(angle), length * sin(angle)};
}

enum class HingeVectors { no, yes };  // whether loads or cuts ask for R in ground axes

// phi, psi, and R and the ends of the cuts from polar angles.
template <class T>
void placePolar(const LinkageTree& tree, const LinkageConstants<T>& constants, HingeVectors hinge_vectors,
                Placement<T>& place, const Naming<T>& let) {
  const auto turnOf = [&](int k) -> const T& { return constants.link[at(k)].turn; };
  for (int k = 0; k < tree.links(); ++k) {
    const LinkConstants<T>& link = constants.link[at(k)];
    place.phi[at(k)] = let(LetName{"phi", k + 1}, place.al[at(k)] + (link.turn + link.mu_polar.angle));
    if (tree.isRoot(k)) continue;
    place.psi[at(k)] =
        let(LetName{"psi", k + 1}, place.al[at(tree.base(k))] + (turnOf(tree.base(k)) + link.R_polar.angle));
    if (hinge_vectors == HingeVectors::no) continue;
    place.R[at(k)] = named("rx", "ry", k, fromPolar(link.R_polar.length, place.psi[at(k)]), let);
  }
  for (int c = 0; c < tree.cutCount(); ++c) {
    const CutEnds& ends = tree.cuts()[at(c)];
    const CutConstants<T>& cut = constants.cut[at(c)];
    const T chi_a = let(LetName{"chia", c + 1}, place.al[at(ends.a)] + (turnOf(ends.a) + cut.on_a_polar.angle));
    place.on_a[at(c)] = named("ax", "ay", c, fromPolar(cut.on_a_polar.length, chi_a), let);
    if (ends.b < 0) continue;
    const T chi_b = let(LetName{"chib", c + 1}, place.al[at(ends.b)] + (turnOf(ends.b) + cut.on_b_polar.angle));
    place.on_b[at(c)] = named("bx", "by", c, fromPolar(cut.on_b_polar.length, chi_b), let);
  }
}

}  // namespace linkwork::linkage
