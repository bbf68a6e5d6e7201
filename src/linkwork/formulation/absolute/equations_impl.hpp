// The stages of AbsoluteEquations; included only by the files that instantiate them, one per scalar.
#pragma once

#include "linkwork/formulation/absolute/equations.hpp"

namespace linkwork {

template <class G>
AbsoluteEquations<G>::AbsoluteEquations(const Mechanism& mechanism, const RowFilter& rows)
    : set_(compileElements<G>(mechanism, rows)) {
  std::vector<std::pair<int, int>> ends(at(set_.rows));
  std::vector<const std::vector<int>*> related(at(set_.rows), nullptr);  // bodies of rows that touch several
  forEachConstraint(set_, [&](const auto& placed) {
    constexpr int kRows = std::decay_t<decltype(placed.element)>::kRows;
    for (int k = 0; k < kRows; ++k) ends[at(placed.row + k)] = {placed.i, placed.j};
  });
  for (const Relation<G>& relation : set_.relations) related[at(relation.row)] = &relation.bodies;
  for (const VelocityLaw<G>& law : set_.laws) related[at(law.row)] = &law.bodies;
  row_start_.push_back(0);
  for (std::size_t row = 0; row < ends.size(); ++row) {
    const auto& [i, j] = ends[row];
    if (related[row] != nullptr) {
      row_bodies_.insert(row_bodies_.end(), related[row]->begin(), related[row]->end());
    } else {
      if (i < set_.bodies) row_bodies_.push_back(i);
      if (j < set_.bodies) row_bodies_.push_back(j);
    }
    row_start_.push_back(static_cast<int>(row_bodies_.size()));
  }
}

template <class G>
typename AbsoluteEquations<G>::Work AbsoluteEquations<G>::makeWork() const {
  Work work;
  work.x.resize(at(set_.bodies) + 1);
  work.v.resize(at(set_.bodies) + 1);
  work.Q.resize(at(set_.bodies) + 1);
  work.motion_scratch = set_.motions.makeScratch();
  work.relation_scratch = set_.relation_formulas.makeScratch();
  work.law_scratch = set_.law_formulas.makeScratch();
  work.load_scratch = set_.load_formulas.makeScratch();
  for (const auto& turn : set_.turns) work.turns.push_back(T(turn.start));
  work.motions.resize(set_.motions.tape.outputCount() / 3);
  work.phi.resize(at(set_.rows));
  work.minus_phi_t.resize(at(set_.rows));
  work.gamma.resize(at(set_.rows));
  work.jacobian.resize(row_bodies_.size() * at(G::kFreedoms));
  return work;
}

template <class G>
void AbsoluteEquations<G>::positions(const T& t, std::span<const T> q, Work& work) const {
  for (int b = 0; b < set_.bodies; ++b) {
    work.x[at(b)] = G::position(q.subspan(at(G::kCoordinates * b), at(G::kCoordinates)));
  }
  positions(t, work);
}

template <class G>
void AbsoluteEquations<G>::prescribe(const T& t, Work& work) const {
  if (work.motions.empty()) return;
  set_.motions.evaluate(t, work.x, work.v, work.turns, work.motion_scratch);
  const auto& f = work.motion_scratch.outputs;
  for (std::size_t k = 0; k < work.motions.size(); ++k) work.motions[k] = {f[3 * k], f[3 * k + 1], f[3 * k + 2]};
}

template <class G>
void AbsoluteEquations<G>::positions(const T& t, Work& work) const {
  work.t = t;
  prescribe(t, work);
  const Motion<T> still{};
  forEachConstraint(set_, [&](const auto& placed) {
    constexpr int kRows = std::decay_t<decltype(placed.element)>::kRows;
    const PairPosition<G> x{work.x[at(placed.i)], work.x[at(placed.j)]};
    if constexpr (levelOf<std::decay_t<decltype(placed.element)>>() == RowLevel::position) {
      const auto phi = placed.element.phi(x, placed.motion < 0 ? still : work.motions[at(placed.motion)]);
      for (int k = 0; k < kRows; ++k) work.phi[at(placed.row + k)] = phi[at(k)];
    }
    const auto rows = placed.element.jacobian(x);
    for (int k = 0; k < kRows; ++k) {
      const int row = placed.row + k;
      std::size_t next = at(row_start_[at(row)] * G::kFreedoms);
      if (placed.i < set_.bodies) {
        for (const T& entry : rows.first[at(k)]) work.jacobian[next++] = entry;
      }
      if (placed.j < set_.bodies) {
        for (const T& entry : rows.second[at(k)]) work.jacobian[next++] = entry;
      }
    }
  });
  if (!set_.relations.empty()) {
    set_.relation_formulas.evaluate(t, work.x, work.v, work.turns, work.relation_scratch);
    const std::span<const T> values = work.relation_scratch.outputs;
    for (const Relation<G>& relation : set_.relations) {
      work.phi[at(relation.row)] = values[at(relation.output)];
      relation.jacobian(set_.relation_formulas, values, work.x, blocksOf(relation.row, work.jacobian));
    }
  }
  if (!set_.laws.empty()) {
    set_.law_formulas.evaluate(t, work.x, work.v, work.turns, work.law_scratch);
    for (const VelocityLaw<G>& law : set_.laws)
      law.jacobian(work.law_scratch.outputs, work.x, blocksOf(law.row, work.jacobian));
  }
  work.left_place = -1;
  if constexpr (!std::is_same_v<T, Expr>) {
    for (std::size_t k = 0; k < set_.curves.size(); ++k) {
      const auto& placed = set_.curves[k];
      if (placed.element.beyond({work.x[at(placed.i)], work.x[at(placed.j)]})) work.left_place = static_cast<int>(k);
    }
    for (std::size_t k = 0; k < set_.rolling_normals.size(); ++k) {
      const auto& placed = set_.rolling_normals[k];
      if (placed.element.contact.liesFlat({work.x[at(placed.i)], work.x[at(placed.j)]}))
        work.left_place = static_cast<int>(set_.curves.size() + k);
    }
  }
}

template <class G>
void AbsoluteEquations<G>::copyJacobian(const Work& work, RowLevel level, std::span<T> out) const {
  std::copy(work.jacobian.begin(), work.jacobian.end(), out.begin());
  if (level == RowLevel::velocity || set_.velocity_rows == 0) return;
  for (int r = 0; r < set_.rows; ++r) {
    if (this->level(r) == RowLevel::position) continue;
    const std::size_t first = at(row_start_[at(r)] * G::kFreedoms);
    const std::size_t last = at(row_start_[at(r) + 1] * G::kFreedoms);
    std::fill(out.begin() + static_cast<std::ptrdiff_t>(first), out.begin() + static_cast<std::ptrdiff_t>(last),
              T(0.0));
  }
}

template <class G>
void AbsoluteEquations<G>::velocities(std::span<const T> v, Work& work) const {
  for (int b = 0; b < set_.bodies; ++b) {
    work.v[at(b)] = G::velocity(v.subspan(at(G::kFreedoms * b), at(G::kFreedoms)));
  }
  velocities(work);
}

template <class G>
void AbsoluteEquations<G>::velocities(Work& work) const {
  const Motion<T> still{};
  forEachConstraint(set_, [&](const auto& placed) {
    constexpr int kRows = std::decay_t<decltype(placed.element)>::kRows;
    const PairPosition<G> x{work.x[at(placed.i)], work.x[at(placed.j)]};
    const PairVelocity<G> rates{work.v[at(placed.i)], work.v[at(placed.j)]};
    const Motion<T>& motion = placed.motion < 0 ? still : work.motions[at(placed.motion)];
    const auto rhs = placed.element.minusPhiT(motion);
    const auto gamma = placed.element.gamma(x, rates, motion);
    for (int k = 0; k < kRows; ++k) {
      work.minus_phi_t[at(placed.row + k)] = rhs[at(k)];
      work.gamma[at(placed.row + k)] = gamma[at(k)];
    }
  });
  const std::span<const T> values = work.relation_scratch.outputs;
  for (const Relation<G>& relation : set_.relations) {
    work.minus_phi_t[at(relation.row)] = relation.minusPhiT(values);
    work.gamma[at(relation.row)] = relation.gamma(set_.relation_formulas, values, work.x, work.v);
  }
  const std::span<const T> law_values = work.law_scratch.outputs;
  for (const VelocityLaw<G>& law : set_.laws) {
    work.minus_phi_t[at(law.row)] = law.minusPhiT(law_values);
    work.gamma[at(law.row)] = law.gamma(set_.law_formulas, law_values, work.x, work.v);
  }
}

template <class G>
void AbsoluteEquations<G>::rates(const Work& work, std::span<T> jacobian, std::span<T> minus_phi_t) const {
  const Motion<T> still{};
  forEachConstraint(set_, [&](const auto& placed) {
    constexpr int kRows = std::decay_t<decltype(placed.element)>::kRows;
    const auto rows = placed.element.jacobianRate({work.x[at(placed.i)], work.x[at(placed.j)]},
                                                  {work.v[at(placed.i)], work.v[at(placed.j)]});
    // -Phi_t is linear in f': its rate is the same of f''.
    const Motion<T>& motion = placed.motion < 0 ? still : work.motions[at(placed.motion)];
    const auto rhs = placed.element.minusPhiT(Motion<T>{motion.fdot, motion.fddot, T(0.0)});
    for (int k = 0; k < kRows; ++k) {
      const int row = placed.row + k;
      minus_phi_t[at(row)] = rhs[at(k)];
      std::size_t next = at(row_start_[at(row)] * G::kFreedoms);
      if (placed.i < set_.bodies) {
        for (const T& entry : rows.first[at(k)]) jacobian[next++] = entry;
      }
      if (placed.j < set_.bodies) {
        for (const T& entry : rows.second[at(k)]) jacobian[next++] = entry;
      }
    }
  });
  const std::span<const T> values = work.relation_scratch.outputs;
  for (const Relation<G>& relation : set_.relations) {
    relation.jacobianRate(set_.relation_formulas, values, work.x, work.v, blocksOf(relation.row, jacobian));
    minus_phi_t[at(relation.row)] = relation.minusPhiTRate(set_.relation_formulas, values, work.x, work.v);
  }
  const std::span<const T> law_values = work.law_scratch.outputs;
  for (const VelocityLaw<G>& law : set_.laws) {
    law.jacobianRate(set_.law_formulas, law_values, work.x, work.v, blocksOf(law.row, jacobian));
    minus_phi_t[at(law.row)] = law.minusPhiTRate(set_.law_formulas, law_values, work.x, work.v);
  }
}

template <class G>
std::span<typename AbsoluteEquations<G>::T> AbsoluteEquations<G>::blocksOf(int row, std::span<T> jacobian) const {
  const std::size_t first = at(row_start_[at(row)] * G::kFreedoms);
  return jacobian.subspan(first, at(row_start_[at(row) + 1] * G::kFreedoms) - first);
}

template <class G>
typename AbsoluteEquations<G>::T AbsoluteEquations<G>::turn(int index, const Work& work) const {
  const NamedQuantity<G>& angle = set_.turns[at(index)].angle;
  const auto i = at(angle.i);
  const auto j = at(angle.j);
  return angle.value(work.t, {work.x[i], work.x[j]}, {work.v[i], work.v[j]}, work.turns[at(index)]);
}

template <class G>
typename AbsoluteEquations<G>::T AbsoluteEquations<G>::turnRate(int index, const Work& work) const {
  const NamedQuantity<G>& angle = set_.turns[at(index)].angle;
  const auto i = at(angle.i);
  const auto j = at(angle.j);
  const T rate = angle.rate({work.x[i], work.x[j]}, {work.v[i], work.v[j]});
  // A named angle that means nothing here grows at no rate: its turns are counted on from where it had one.
  if constexpr (!std::is_same_v<T, Expr>) {
    if (!(std::abs(valueOf(rate)) < 1e8)) return T(0.0);
  }
  return rate;
}

template <class G>
void AbsoluteEquations<G>::followTurns(Work& work) const {
  for (int k = 0; k < turns(); ++k) work.turns[at(k)] = turn(k, work);
}

template <class G>
void AbsoluteEquations<G>::forces(Work& work) const {
  work.potential = T(0.0);
  work.supplied_power = T(0.0);
  work.Q[at(set_.bodies)] = {};
  for (int b = 0; b < set_.bodies; ++b) {
    const auto weight = set_.gravity * set_.body[at(b)].mass;
    work.Q[at(b)] = G::gyroscopic(set_.body[at(b)], work.v[at(b)]);
    work.Q[at(b)].force += weight;
    work.potential -= dot(weight, work.x[at(b)].r);
  }
  if (set_.load_formulas.tape.outputCount() > 0)
    set_.load_formulas.evaluate(work.t, work.x, work.v, work.turns, work.load_scratch);
  forEachLoad(set_, [&](const auto& placed) {
    const PairPosition<G> x{work.x[at(placed.i)], work.x[at(placed.j)]};
    const PairVelocity<G> v{work.v[at(placed.i)], work.v[at(placed.j)]};
    const auto state = placed.element.state(x, v, inputOf(placed, work.load_scratch.outputs, work.turns));
    placed.element.apply(x, state, work.Q[at(placed.i)], work.Q[at(placed.j)]);
    work.potential += placed.element.storedEnergy(state);
    work.supplied_power += placed.element.suppliedPower(state, v);
    work.supplied_power -= placed.element.dissipatedPower(state);
  });
}

}  // namespace linkwork
