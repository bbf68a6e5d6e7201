#include "linkwork/formulation/absolute/absolute_mechanical.hpp"

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/absolute/absolute_messages.hpp"
#include "linkwork/formulation/quaternion_chart.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

namespace {

using Number = Dual<8>;

// Sized and laid out like the pattern; values are left to the caller. Allocates the first time only.
void prepare(SparseMatrix& matrix, const SparseMatrix& pattern) {
  if (matrix.rows() != pattern.rows() || matrix.cols() != pattern.cols() || !matrix.isCompressed() ||
      matrix.nonZeros() != pattern.nonZeros()) {
    matrix = pattern;
  }
}

// Blocks of size x size at (row, column) for every column that a row lists.
SparseMatrix blockPattern(const std::vector<std::vector<int>>& columns_of_row, int size) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t row = 0; row < columns_of_row.size(); ++row) {
    for (const int column : columns_of_row[row]) {
      for (int r = 0; r < size; ++r) {
        for (int c = 0; c < size; ++c) entries.emplace_back(static_cast<int>(row) * size + r, column * size + c, 0.0);
      }
    }
  }
  const auto n = static_cast<Eigen::Index>(columns_of_row.size()) * size;
  SparseMatrix out(n, n);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

// Of one body: entries in the order of the pattern made from the same calls.
template <class G, class Put>
void forEachChartEntry(std::span<const double> q, std::span<const double> v, Put&& put) {
  for (int k = 0; k < (G::kSpatial ? 3 : G::kFreedoms); ++k) {
    put(ChartPart::forward, k, k, 1.0);
    put(ChartPart::back, k, k, 1.0);
  }
  if constexpr (G::kSpatial) {
    forEachQuaternionEntry(q.subspan(3, 4), v.subspan(3, 3),
                           [&](ChartPart part, int r, int c, double value) { put(part, 3 + r, 3 + c, value); });
  }
}

}  // namespace

template <class G>
struct AbsoluteMechanical<G>::Work final : Workspace {
  explicit Work(const AbsoluteMechanical& system)
      : eq(system.equations_.makeWork()),
        dual(system.dual_.makeWork()),
        q(at(system.equations_.coordinates())),
        v(at(system.equations_.freedoms())),
        force(v.size()),
        lambda(at(system.equations_.rows()), 0.0) {}

  enum class Failure { none, state, load, motion, curve, load_slope, slope };

  typename AbsoluteEquations<G>::Work eq;
  typename AbsoluteEquations<GD>::Work dual;
  std::vector<Number> q, v, force;  // force: Q + Phi_q^T lambda
  std::vector<double> lambda;       // of all rows, zero for those left out

  Failure failure = Failure::none;
  double failure_time = 0.0;
  int failure_index = 0;
  int steep_load = -1;  // a load expression whose derivatives are not finite; -1: none

  void lookForSteepLoad() {
    for (std::size_t k = 0; k < dual.load_scratch.outputs.size() && steep_load < 0; ++k) {
      if (!allFinite(dual.load_scratch.outputs[k].derivatives)) steep_load = static_cast<int>(k);
    }
  }
  Eval fail(Failure why, double t, int index) {
    failure = why;
    failure_time = t;
    failure_index = index;
    return Eval::retry;
  }
};

template <class G>
AbsoluteMechanical<G>::AbsoluteMechanical(const Mechanism& mechanism, const std::vector<int>& dependent_rows)
    : equations_(mechanism), dual_(mechanism), coupling_(bodyCoupling(mechanism, equations_)) {
  for (int r = 0; r < equations_.rows(); ++r) {
    if (std::find(dependent_rows.begin(), dependent_rows.end(), r) == dependent_rows.end()) kept_rows_.push_back(r);
  }
  makePatterns();
}

template <class G>
void AbsoluteMechanical<G>::makePatterns() {
  const int n = equations_.freedoms();
  const int coordinates = equations_.coordinates();
  std::vector<Eigen::Triplet<double>> entries;
  for (int b = 0; b < equations_.bodies(); ++b) {
    const auto values = G::massValues(equations_.elements().body[at(b)]);
    for (std::size_t e = 0; e < values.size(); ++e) {
      const int r = G::kFreedoms * b + G::kMassEntries[e][0];
      const int c = G::kFreedoms * b + G::kMassEntries[e][1];
      entries.emplace_back(r, c, values[e]);
      if (r != c) entries.emplace_back(c, r, values[e]);
    }
  }
  mass_.resize(n, n);
  mass_.setFromTriplets(entries.begin(), entries.end());

  // Phi_q with the number of each entry of the jacobian as its value, so that the places can be read off.
  entries.clear();
  for (std::size_t k = 0; k < kept_rows_.size(); ++k) {
    const int row = kept_rows_[k];
    for (int p = equations_.rowStart()[at(row)]; p < equations_.rowStart()[at(row) + 1]; ++p) {
      for (int f = 0; f < G::kFreedoms; ++f) {
        entries.emplace_back(static_cast<int>(k), G::kFreedoms * equations_.rowBodies()[at(p)] + f,
                             static_cast<double>(G::kFreedoms * p + f));
      }
    }
  }
  phi_q_pattern_.resize(rows(), n);
  phi_q_pattern_.setFromTriplets(entries.begin(), entries.end());
  phi_q_place_.assign(equations_.rowBodies().size() * at(G::kFreedoms), -1);
  for (Eigen::Index k = 0; k < phi_q_pattern_.nonZeros(); ++k) {
    phi_q_place_[static_cast<std::size_t>(phi_q_pattern_.valuePtr()[k])] = static_cast<int>(k);
  }
  K_pattern_ = blockPattern(coupling_.by_motion, G::kFreedoms);
  C_pattern_ = blockPattern(coupling_.by_velocity, G::kFreedoms);

  std::array<std::vector<Eigen::Triplet<double>>, 3> of_chart;
  const std::array<double, 7> still{};
  for (int b = 0; b < equations_.bodies(); ++b) {
    forEachChartEntry<G>(still, still, [&](ChartPart part, int r, int c, double /*value*/) {
      const int row_step = part == ChartPart::back ? G::kFreedoms : G::kCoordinates;
      const int column_step = part == ChartPart::forward ? G::kFreedoms : G::kCoordinates;
      of_chart[static_cast<std::size_t>(part)].emplace_back(row_step * b + r, column_step * b + c, 0.0);
    });
  }
  chart_pattern_.T.resize(coordinates, n);
  chart_pattern_.T.setFromTriplets(of_chart[0].begin(), of_chart[0].end());
  chart_pattern_.S.resize(n, coordinates);
  chart_pattern_.S.setFromTriplets(of_chart[1].begin(), of_chart[1].end());
  chart_pattern_.rates_by_q.resize(coordinates, coordinates);
  chart_pattern_.rates_by_q.setFromTriplets(of_chart[2].begin(), of_chart[2].end());
}

template <class G>
StateSpace AbsoluteMechanical<G>::space() const {
  return {equations_.coordinates(), equations_.freedoms(), 1 + equations_.turns()};
}

template <class G>
std::unique_ptr<Workspace> AbsoluteMechanical<G>::makeWorkspace() const {
  return std::make_unique<Work>(*this);
}

// What the last three stages filled in: a motion, then a load.
template <class G>
Eval AbsoluteMechanical<G>::checkFinite(double t, Work& work) const {
  const auto firstBad = [](const std::vector<double>& numbers) {
    const auto bad = std::find_if(numbers.begin(), numbers.end(), [](double value) { return !std::isfinite(value); });
    return bad == numbers.end() ? -1 : static_cast<int>(bad - numbers.begin());
  };
  const int motion = firstBad(work.eq.motion_scratch.outputs);
  if (motion >= 0) return work.fail(Work::Failure::motion, t, motion / 3);
  const int load = firstBad(work.eq.load_scratch.outputs);
  if (load >= 0) return work.fail(Work::Failure::load, t, load);
  return Eval::ok;
}

template <class G>
void AbsoluteMechanical<G>::fillPhiQ(const Work& work, SparseMatrix& out) const {
  prepare(out, phi_q_pattern_);
  double* values = out.valuePtr();
  for (std::size_t k = 0; k < phi_q_place_.size(); ++k) {
    if (phi_q_place_[k] >= 0) values[phi_q_place_[k]] = work.eq.jacobian[k];
  }
}

template <class G>
Eval AbsoluteMechanical<G>::values(double t, std::span<const double> x, const Modes& /*modes*/, Workspace& workspace,
                                   MechanicalValues& out) const {
  Work& work = static_cast<Work&>(workspace);
  work.failure = Work::Failure::none;
  const auto q = x.first(at(equations_.coordinates()));
  const auto v = x.subspan(q.size(), at(equations_.freedoms()));
  if (!allFinite(q) || !allFinite(v)) return work.fail(Work::Failure::state, t, 0);
  std::copy(x.end() - equations_.turns(), x.end(), work.eq.turns.begin());
  equations_.positions(t, q, work.eq);
  if (work.eq.left_place >= 0) return work.fail(Work::Failure::curve, t, work.eq.left_place);
  equations_.velocities(v, work.eq);
  equations_.forces(work.eq);
  if (const Eval eval = checkFinite(t, work); eval != Eval::ok) return eval;

  out.force.resize(equations_.freedoms());
  out.phi.resize(rows());
  out.phi_velocity.resize(rows());
  for (int b = 0; b < equations_.bodies(); ++b) {
    G::put(work.eq.Q[at(b)], {out.force.data() + G::kFreedoms * b, at(G::kFreedoms)});
  }
  fillPhiQ(work, out.phi_q);
  for (std::size_t k = 0; k < kept_rows_.size(); ++k) {
    const int row = kept_rows_[k];
    double rate = -work.eq.minus_phi_t[at(row)];
    for (int p = equations_.rowStart()[at(row)]; p < equations_.rowStart()[at(row) + 1]; ++p) {
      const double* block = &work.eq.jacobian[at(G::kFreedoms * p)];
      const double* own = &v[at(G::kFreedoms * equations_.rowBodies()[at(p)])];
      for (int f = 0; f < G::kFreedoms; ++f) rate += block[f] * own[f];
    }
    out.phi[static_cast<Eigen::Index>(k)] = work.eq.phi[at(row)];
    out.phi_velocity[static_cast<Eigen::Index>(k)] = rate;
  }
  return out.force.allFinite() && out.phi.allFinite() ? Eval::ok : work.fail(Work::Failure::state, t, 0);
}

// Derivatives of the group's coordinates, times `size` (0 takes them away again): motions in the first directions,
// velocities in those after them or, alone, in the first.
template <class G>
void AbsoluteMechanical<G>::seed(std::span<const double> q, const std::vector<int>& group, Seeds seeds, double size,
                                 Work& work) const {
  for (const int b : group) {
    for (int f = 0; f < G::kFreedoms; ++f) {
      if (seeds != Seeds::velocities) {
        std::array<double, G::kFreedoms> unit{};
        unit[at(f)] = size;
        std::array<double, G::kCoordinates> rate{};
        G::coordinateRate(q.subspan(at(G::kCoordinates * b), at(G::kCoordinates)), unit, rate);
        for (int k = 0; k < G::kCoordinates; ++k) {
          work.q[at(G::kCoordinates * b + k)].derivatives[at(f)] = rate[at(k)];
        }
      }
      if (seeds != Seeds::motions) {
        const int direction = seeds == Seeds::both ? G::kFreedoms + f : f;
        work.v[at(G::kFreedoms * b + f)].derivatives[at(direction)] = size;
      }
    }
  }
}

// Columns of K and C that belong to the group, from the stages that were evaluated with its seeds.
template <class G>
void AbsoluteMechanical<G>::gather(const std::vector<int>& group, Seeds seeds, Work& work,
                                   MechanicalTangent& out) const {
  work.lookForSteepLoad();
  for (int b = 0; b < equations_.bodies(); ++b) {
    GD::put(work.dual.Q[at(b)], std::span(work.force).subspan(at(G::kFreedoms * b), at(G::kFreedoms)));
  }
  if (seeds != Seeds::velocities) {
    for (const int row : kept_rows_) {
      const double lambda = work.lambda[at(row)];
      if (lambda == 0.0) continue;
      for (int p = equations_.rowStart()[at(row)]; p < equations_.rowStart()[at(row) + 1]; ++p) {
        for (int f = 0; f < G::kFreedoms; ++f) {
          Number& sum = work.force[at(G::kFreedoms * equations_.rowBodies()[at(p)] + f)];
          sum = sum + work.dual.jacobian[at(G::kFreedoms * p + f)] * lambda;
        }
      }
    }
  }
  const auto put = [&](SparseMatrix& matrix, int first_direction) {
    for (const int b : group) {
      for (int f = 0; f < G::kFreedoms; ++f) {
        for (SparseMatrix::InnerIterator entry(matrix, G::kFreedoms * b + f); entry; ++entry) {
          entry.valueRef() = -work.force[static_cast<std::size_t>(entry.row())].derivative(first_direction + f);
        }
      }
    }
  };
  if (seeds != Seeds::velocities) put(out.K, 0);
  if (seeds != Seeds::motions) put(out.C, seeds == Seeds::both ? G::kFreedoms : 0);
}

template <class G>
Eval AbsoluteMechanical<G>::tangent(double t, std::span<const double> x, std::span<const double> /*a*/,
                                    std::span<const double> lambda, const Modes& /*modes*/, Workspace& workspace,
                                    MechanicalTangent& out) const {
  Work& work = static_cast<Work&>(workspace);
  work.failure = Work::Failure::none;
  const auto q = x.first(at(equations_.coordinates()));
  const auto v = x.subspan(q.size(), at(equations_.freedoms()));
  if (!allFinite(q) || !allFinite(v)) return work.fail(Work::Failure::state, t, 0);
  for (std::size_t k = 0; k < q.size(); ++k) work.q[k] = Number(q[k]);
  for (std::size_t k = 0; k < v.size(); ++k) work.v[k] = Number(v[k]);
  for (int k = 0; k < equations_.turns(); ++k) work.dual.turns[at(k)] = Number(*(x.end() - equations_.turns() + k));
  for (std::size_t k = 0; k < kept_rows_.size(); ++k) work.lambda[at(kept_rows_[k])] = lambda[k];
  work.steep_load = -1;
  prepare(out.K, K_pattern_);
  prepare(out.C, C_pattern_);

  // In the plane motions and velocities of a body fit into one evaluation, in space they take one each.
  constexpr Seeds kFirst = 2 * G::kFreedoms <= 8 ? Seeds::both : Seeds::motions;
  for (const auto& group : coupling_.groups) {
    seed(q, group, kFirst, 1.0, work);
    dual_.positions(Number(t), work.q, work.dual);
    dual_.velocities(work.v, work.dual);
    dual_.forces(work.dual);
    gather(group, kFirst, work, out);
    seed(q, group, kFirst, 0.0, work);
  }
  if (kFirst == Seeds::motions && out.C.nonZeros() > 0) {
    dual_.positions(Number(t), work.q, work.dual);
    for (const auto& group : coupling_.groups) {
      seed(q, group, Seeds::velocities, 1.0, work);
      dual_.velocities(work.v, work.dual);
      dual_.forces(work.dual);
      gather(group, Seeds::velocities, work, out);
      seed(q, group, Seeds::velocities, 0.0, work);
    }
  }
  const auto finite = [](const SparseMatrix& m) {
    return allFinite({m.valuePtr(), static_cast<std::size_t>(m.nonZeros())});
  };
  if (finite(out.K) && finite(out.C)) return Eval::ok;
  return work.steep_load >= 0 ? work.fail(Work::Failure::load_slope, t, work.steep_load)
                              : work.fail(Work::Failure::slope, t, 0);
}

template <class G>
void AbsoluteMechanical<G>::quadratureRates(std::span<const double> lambda, Workspace& workspace,
                                            std::span<double> wdot) const {
  Work& work = static_cast<Work&>(workspace);
  // Drives do work at the rate -lambda^T Phi_t; joints do none.
  wdot[0] = work.eq.supplied_power;
  for (std::size_t k = 0; k < kept_rows_.size(); ++k) wdot[0] += lambda[k] * work.eq.minus_phi_t[at(kept_rows_[k])];
  for (int k = 0; k < equations_.turns(); ++k) wdot[at(1 + k)] = equations_.turnRate(k, work.eq);
}

template <class G>
void AbsoluteMechanical<G>::positionRates(std::span<const double> q, std::span<const double> v,
                                          std::span<double> qdot) const {
  for (int b = 0; b < equations_.bodies(); ++b) {
    G::coordinateRate(q.subspan(at(G::kCoordinates * b), at(G::kCoordinates)),
                      v.subspan(at(G::kFreedoms * b), at(G::kFreedoms)),
                      qdot.subspan(at(G::kCoordinates * b), at(G::kCoordinates)));
  }
}

template <class G>
void AbsoluteMechanical<G>::chart(std::span<const double> q, std::span<const double> v, PositionChart& out) const {
  prepare(out.T, chart_pattern_.T);
  prepare(out.S, chart_pattern_.S);
  prepare(out.rates_by_q, chart_pattern_.rates_by_q);
  const std::array<SparseMatrix*, 3> matrices{&out.T, &out.S, &out.rates_by_q};
  for (int b = 0; b < equations_.bodies(); ++b) {
    forEachChartEntry<G>(
        q.subspan(at(G::kCoordinates * b), at(G::kCoordinates)), v.subspan(at(G::kFreedoms * b), at(G::kFreedoms)),
        [&](ChartPart part, int r, int c, double value) {
          const int row_step = part == ChartPart::back ? G::kFreedoms : G::kCoordinates;
          const int column_step = part == ChartPart::forward ? G::kFreedoms : G::kCoordinates;
          matrices[static_cast<std::size_t>(part)]->coeffRef(row_step * b + r, column_step * b + c) = value;
        });
  }
}

template <class G>
void AbsoluteMechanical<G>::retract(std::span<const double> q, std::span<const double> d,
                                    std::span<double> q_new) const {
  std::copy(q.begin(), q.end(), q_new.begin());
  for (int b = 0; b < equations_.bodies(); ++b) {
    linkwork::retract(G{}, q_new.subspan(at(G::kCoordinates * b), at(G::kCoordinates)),
                      d.subspan(at(G::kFreedoms * b), at(G::kFreedoms)));
  }
}

template <class G>
void AbsoluteMechanical<G>::difference(std::span<const double> from, std::span<const double> to,
                                       std::span<double> d) const {
  for (int b = 0; b < equations_.bodies(); ++b) {
    linkwork::difference(G{}, from.subspan(at(G::kCoordinates * b), at(G::kCoordinates)),
                         to.subspan(at(G::kCoordinates * b), at(G::kCoordinates)),
                         d.subspan(at(G::kFreedoms * b), at(G::kFreedoms)));
  }
}

template <class G>
std::string AbsoluteMechanical<G>::rowName(int r) const {
  return equations_.elements().row_info[at(kept_rows_[at(r)])].name;
}

template <class G>
std::string AbsoluteMechanical<G>::describeFailure(const Workspace& workspace) const {
  const Work& work = static_cast<const Work&>(workspace);
  switch (work.failure) {
    case Work::Failure::load:
      return absolute::loadNotFinite(equations_.elements(), work.failure_index, work.failure_time);
    case Work::Failure::motion:
      return absolute::motionNotFinite(equations_.elements(), work.failure_index, work.failure_time);
    case Work::Failure::curve: return absolute::leftPlace(equations_.elements(), work.failure_index, work.failure_time);
    case Work::Failure::load_slope:
      return absolute::loadSlopeNotFinite(equations_.elements(), work.failure_index, work.failure_time);
    case Work::Failure::slope: return absolute::slopeNotFinite(work.failure_time);
    case Work::Failure::state: return "the motion runs away to infinity";
    case Work::Failure::none: break;
  }
  return "the equations could not be evaluated";
}

template class AbsoluteMechanical<Planar<double>>;
template class AbsoluteMechanical<Spatial<double>>;

}  // namespace linkwork
