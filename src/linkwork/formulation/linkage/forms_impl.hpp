// Template bodies of forms.hpp; included only by the files that instantiate them.
#pragma once

#include "linkwork/base/contract.hpp"
#include "linkwork/formulation/linkage/closure_impl.hpp"
#include "linkwork/formulation/linkage/constants_impl.hpp"
#include "linkwork/formulation/linkage/elimination_impl.hpp"
#include "linkwork/formulation/linkage/relative_forms_impl.hpp"
#include "linkwork/formulation/linkage/solve_impl.hpp"
#include "linkwork/formulation/linkage/sweep_impl.hpp"

namespace linkwork::linkage {

template <class T>
FormWork<T>::FormWork(const LinkageTree& tree) {
  const int n = tree.links();
  size(tree, place);
  for (SquareTable<T>* table : {&Jc, &Js, &acceleration, &velocity, &A, &a, &B, &b}) table->resize(n);
  for (std::vector<T>* list : {&squares, &gravity, &load, &drive, &rhs}) list->assign(at(n), T{});
  f.assign(2 * tree.cuts().size(), T{});
  gamma.assign(2 * tree.cuts().size(), T{});
  phi.assign(2 * tree.cuts().size() * at(n), T{});
  sums.assign(at(n), {});
  hinge_acceleration.assign(at(n), {});
}

constexpr bool needsVectors(Form form) { return form == Form::statement1 || form == Form::statement4; }

template <class T>
void place(Form form, Trig trig, const LinkageTree& tree, const LinkageConstants<T>& constants,
           const LinkageInputs<T>& inputs, FormWork<T>& work, const Naming<T>& let) {
  work.form = form;
  placeAngles(isRelative(form) ? Given::relative : Given::absolute, tree, inputs, work.place, let);
  if (trig == Trig::vectors || needsVectors(form)) {
    placeVectors(tree, constants, work.place, let);
  } else {
    const bool asked = !inputs.force.empty() || tree.cutCount() > 0;
    placePolar(tree, constants, asked ? HingeVectors::yes : HingeVectors::no, work.place, let);
  }
}

template <class T>
void fillCoefficients(Form form, Trig trig, const LinkageTree& tree, const LinkageConstants<T>& constants,
                      FormWork<T>& work, const Naming<T>& let) {
  const bool composite = form == Form::statement6 && trig == Trig::vectors;
  if (!needsVectors(form) && !composite) placeProducts(trig, tree, constants, work, let);
  switch (form) {
    case Form::rud: fillRecurrent(tree, constants, work); break;
    case Form::statement1: fillStatement1(tree, constants, work, let); break;
    case Form::statement2: fillStatement2(tree, constants, work, let); break;
    case Form::statement3: fillStatement3(tree, constants, work, let); break;
    case Form::statement4: fillStatement4(tree, constants, work, let); break;
    case Form::statement5: fillStatement5(tree, constants, work, let); break;
    case Form::statement6: fillStatement6(trig, tree, constants, work, let); break;
  }
  if (form >= Form::statement1 && form <= Form::statement3) fillFromAB(tree, work);
}

// S M of the recurrent equations: M_k less the torques that k gives to what it carries; elsewhere M.
template <class T>
void fillDrives(const LinkageTree& tree, const LinkageInputs<T>& inputs, FormWork<T>& work) {
  for (int k = 0; k < tree.links(); ++k) {
    T& drive = work.drive[at(k)];
    drive = inputs.drive.empty() ? T{} : inputs.drive[at(k)];
    if (work.form != Form::rud || inputs.drive.empty()) continue;
    for (const int j : tree.children(k)) drive -= inputs.drive[at(j)];
  }
}

template <class T>
void fillRightSide(const LinkageTree& tree, FormWork<T>& work) {
  for (int k = 0; k < tree.links(); ++k) {
    work.rhs[at(k)] = work.drive[at(k)] + work.gravity[at(k)] + work.load[at(k)];
  }
  const bool antisymmetric = work.form == Form::rud || isRelative(work.form);
  for (int k = 0; k < tree.links(); ++k) {
    if (!antisymmetric) work.rhs[at(k)] -= work.velocity(k, k) * work.squares[at(k)];
    forChain(tree, k, [&](int i, int /*n*/) {
      work.rhs[at(k)] -= work.velocity(k, i) * work.squares[at(i)];
      if (antisymmetric) {
        work.rhs[at(i)] += work.velocity(k, i) * work.squares[at(k)];
      } else {
        work.rhs[at(i)] -= work.velocity(i, k) * work.squares[at(k)];
      }
    });
  }
}

// The right-hand side by the sweeps: what the drives must do against the rates, gravity and loads alone.
template <class T>
void sweepRightSide(const LinkageTree& tree, const LinkageConstants<T>& constants, const LinkageInputs<T>& inputs,
                    FormWork<T>& work, const Naming<T>& let) {
  expect(inputs.load.empty(), "linkage: the sweeps need the forces of the loads, not their moments MA");
  std::vector<Vec2<T>>& A = work.hinge_acceleration;
  std::vector<Vec2<T>>& Q = work.sums;
  const std::span<const T> none;
  sweepOut(tree, constants.gravity, work.place, none, A, let);
  for (int k = tree.links() - 1; k >= 0; --k) {
    T row = rowOf(k, tree, constants, inputs, work.place, none, A, Q);
    if (work.form != Form::rud) {
      for (const int j : tree.children(k)) row += work.load[at(j)];
    }
    work.load[at(k)] = let(LetName{"Mo", k + 1}, row);
    work.rhs[at(k)] = work.drive[at(k)] - work.load[at(k)];
    if (!tree.isRoot(k)) Q[at(k)] = named("Qx", "Qy", k, pressOf(k, tree, inputs, work.place, none, Q), let);
  }
}

template <class T>
void equations(Form form, Trig trig, Bias bias, const LinkageTree& tree, const LinkageConstants<T>& constants,
               const LinkageInputs<T>& inputs, FormWork<T>& work, const Naming<T>& let) {
  expect(bias == Bias::coefficients || trig == Trig::vectors || needsVectors(form),
         "linkage: the sweeps are made of vectors");
  place(form, trig, tree, constants, inputs, work, let);
  fillCoefficients(form, trig, tree, constants, work, let);
  fillDrives(tree, inputs, work);
  for (int k = 0; k < tree.links(); ++k) {
    // u_k = q_k'^2 + 2 q_k' w_p = w_k^2 - w_p^2
    const bool difference = isRelative(form) && !tree.isRoot(k);
    work.squares[at(k)] = difference ? let(LetName{"u", k + 1}, work.place.w2[at(k)] - work.place.w2[at(tree.base(k))])
                                     : work.place.w2[at(k)];
  }
  if (bias == Bias::sweep) {
    sweepRightSide(tree, constants, inputs, work, let);
    return;
  }
  placeGravityAndLoads(needsVectors(form) ? Trig::vectors : trig, tree, constants, inputs, work, let);
  if (form != Form::rud) sumOverLoads(tree, work, let);
  fillRightSide(tree, work);
}

}  // namespace linkwork::linkage
