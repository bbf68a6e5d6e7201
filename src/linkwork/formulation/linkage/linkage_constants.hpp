// LinkageConstants: the numbers of a planar hinged linkage that do not change as it moves.
//
// Vectors of link k are in its frame, with origin in the hinge O_k; R_k = O_p(k) O_k is constant in the frame of the
// base. An augmented body is a link with, in every hinge that it carries, the whole mass of what hangs there:
//
//   (1)  m_k  = mo_k + sum_j m_j
//   (2)  mu_k = mo_k c_k + sum_j m_j R_j                 j: links carried by k directly       [docs/theory/08]
//   (3)  J_k  = Jo_k + mo_k c_k^2 + sum_j m_j R_j^2
//
// A balanced link has mu = 0, and nothing special happens: no direction of mu is ever asked for.
#pragma once

#include <functional>
#include <type_traits>
#include <vector>

#include "linkwork/formulation/linkage/linkage_tree.hpp"
#include "linkwork/geometry/planar.hpp"
#include "linkwork/scalar/dual.hpp"
#include "linkwork/scalar/expr.hpp"
#include "linkwork/scalar/naming.hpp"

namespace linkwork::linkage {

// What names intermediate results: for Expr any callable (Unnamed{} among them), for numbers nothing.
template <class T>
using Naming = std::conditional_t<std::is_same_v<T, Expr>, std::function<Expr(const LetName&, const Expr&)>, Unnamed>;

// A vector of a link by length and polar angle, for equations that are printed with angles. On an axis of the frame the
// angle is 0 or a right one, and the length may then be negative.
template <class T>
struct Polar {
  T length{};
  T angle{};
};

template <class T>
struct LinkConstants {
  // Given:
  T mass{};          // mo_k
  Vec2<T> centre{};  // c_k: from O_k to the own centre of mass
  T inertia{};       // Jo_k, about that centre
  Vec2<T> R{};       // from O_p(k) to O_k, frame of the base; of a root: O_k in ground axes
  T turn{};          // angle of the frame of link k against the axes that al_k counts; see turnToHinges()
  // Of the augmented body, filled by augment():
  T m{};
  Vec2<T> mu{};
  T J{};
  Polar<T> mu_polar{};  // m_dk and delta_k
  Polar<T> R_polar{};   // R_k and epsilon_k
  // Of the link alone, for the elimination:
  Vec2<T> own_mu{};  // mo_k c_k
  T own_J{};         // Jo_k + mo_k c_k^2
};

template <class T>
struct CutConstants {
  Vec2<T> on_a{};         // rho_a: from O_a, frame of a
  Vec2<T> on_b{};         // rho_b: from O_b, frame of b; on the ground: the point itself
  Polar<T> on_a_polar{};  // filled by augment()
  Polar<T> on_b_polar{};
};

template <class T>
struct LinkageConstants {
  std::vector<LinkConstants<T>> link;
  std::vector<CutConstants<T>> cut;
  Vec2<T> gravity{};         // e.g. (0, -9.81)
  Polar<T> gravity_polar{};  // filled by augment()
};

// Before augment(): turns the frame of every link so that its first hinge, or the centre of mass of a link that carries
// nothing, lies on its x axis. An addition to every angle then saves two products for every hinge.
template <class T>
void turnToHinges(const LinkageTree& tree, LinkageConstants<T>& constants, const Naming<T>& let);

// Fills what follows from the given constants. Names: m_k, mux_k, muy_k, J_k, md_k, dl_k, R_k, ep_k; of cut c La_c,
// ka_c, Lb_c, kb_c. For double and Expr, as everything in forms.hpp; for Dual<8> in tests.
template <class T>
void augment(const LinkageTree& tree, LinkageConstants<T>& constants, const Naming<T>& let);

// Zero whatever the state is, so that a term need not be written. For numbers: zero.
inline bool isStructuralZero(double a) { return a == 0.0; }
template <int N>
bool isStructuralZero(const Dual<N>& /*a*/) {
  return false;  // its derivatives may be wanted
}
inline bool isStructuralZero(const Expr& a) { return a.isNumber(0.0); }

}  // namespace linkwork::linkage
