// QuasiVelocityBuilder: equations in joint coordinates of a spanning tree and independent quasi-velocities, as a
// program: its tasks.                                                                               [docs/theory/11]
//
//   A = N^T M N,  B = -N^T (M c + h - f)                       A om' = B
//   la = E^T (M u' + h - f)_D                                  reactions of the rows
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "linkwork/codegen/line_derivatives.hpp"
#include "linkwork/codegen/quasi_velocity_rows.hpp"

namespace linkwork {

template <class G>
class QuasiVelocityBuilder : protected QuasiVelocityRows<G> {
 protected:
  using Base = QuasiVelocityRows<G>;
  using Base::basis;
  using Base::blocks_;
  using Base::byTree;
  using Base::count;
  using Base::dependent_;
  using Base::dotted;
  using Base::elimination_;
  using Base::equations_;
  using Base::follows;
  using Base::freedoms;
  using Base::kept_;
  using Base::let_;
  using Base::mechanism_;
  using Base::motions_;
  using Base::ofFreedoms;
  using Base::om_;
  using Base::omdot_;
  using Base::own_axes_;
  using Base::pk_;
  using Base::prepare;
  using Base::program_;
  using Base::q_;
  using Base::request_;
  using Base::still_;
  using Base::supplied_power_;
  using Base::sweep;
  using Base::t_;
  using Base::tau_;
  using Base::tree_;
  using Base::v_;
  using Base::vk_;
  using Base::withoutRates;
  using Base::work_;
  using Base::wrenches_;
  using typename Base::CutBlock;
  using typename Base::List;

 public:
  QuasiVelocityBuilder(const Mechanism& mechanism, const EquationRequest& request, const VelocityChoice& choice)
      : Base(mechanism, request, choice) {}

  EquationProgram build() {
    prepare();
    switch (request_.task) {
      case EquationTask::mass_matrix: massMatrixTask(); break;
      case EquationTask::forward: forward(); break;
      case EquationTask::reactions: reactions(); break;
      case EquationTask::inverse: inverse(); break;
      case EquationTask::linear: linear(); break;
    }
    leaveUsedTurns(program_);
    return request_.about ? aboutState() : std::move(program_);
  }

 protected:
  // ---- A om' = B

  struct Equations {
    List A, B;
  };
  Equations equations() {
    const std::vector<List>& N = basis();
    const List c = withoutRates();
    program_.section("Mass matrix M of the joints");
    TreeMassMatrix<G> M(tree_);
    massMatrix<G, LetExpr>(tree_, pk_, M, let_);
    program_.section("A = N^T M N");
    Equations out;
    out.A.resize(at(count() * count()));
    for (int j = 0; j < count(); ++j) {
      List moved;
      for (int i = 0; i < freedoms(); ++i) {
        Expr sum;
        for (int k = 0; k < freedoms(); ++k) sum += M(i, k) * N[at(j)][at(k)];
        moved.push_back(this->line({"MN", i + 1, j + 1}, sum));
      }
      for (int i = j; i < count(); ++i) {
        const Expr entry = this->line({"A", i + 1, j + 1}, dotted(N[at(i)], moved));
        out.A[at(i * count() + j)] = out.A[at(j * count() + i)] = entry;
      }
    }
    program_.section("Inverse dynamics without om'");
    const List force = withTorques(ofFreedoms(sweep(c, "").tau));
    program_.section("B = -N^T (M c + h - f)");
    for (int k = 0; k < count(); ++k) out.B.push_back(this->line({"B", k + 1}, -dotted(N[at(k)], force)));
    without_rates_ = c;
    return out;
  }
  // Along own axes, as all forces here.
  List torques() const {
    List out = tau_;
    if (!out.empty()) own_axes_.turnIn(q_, out);
    return out;
  }
  List withTorques(List force) const {
    const List tau = torques();
    for (std::size_t i = 0; i < tau.size(); ++i) force[i] -= tau[i];
    return force;
  }

  // om', and u' with it.
  void accelerate() {
    if (byTree()) {
      accelerateByTree();
      return;
    }
    const Equations found = equations();
    program_.section("Rates of the quasi-velocities");
    omdot_ = solveSymmetric(found.A, found.B, program_);
    takeAccelerations();
  }
  void takeAccelerations() {
    udot_ = without_rates_;
    for (std::size_t k = 0; k < omdot_.size(); ++k) {
      for (std::size_t i = 0; i < udot_.size(); ++i) udot_[i] += basis()[k][i] * omdot_[k];
    }
  }

  // Without rows N is R: in time proportional to the number of links.
  void accelerateByTree() {
    program_.section("Articulated inertias");
    ArticulatedFactor<G> factor(tree_);
    factorTree<G, LetExpr>(tree_, pk_, factor, let_);
    program_.section("Accelerations");
    TreeSolve<G> solve(tree_);
    udot_.assign(at(freedoms()), Expr());
    forwardDynamics<G, LetExpr>(tree_, pk_, vk_, factor, torques(), {tree_.gravity, wrenches_}, solve, udot_, let_);
    List along = udot_;
    for (std::size_t i = 0; i < along.size(); ++i) along[i] -= still_[i];
    omdot_ = along;
  }

  // ---- tasks

  void rates() {
    outputVector(program_, StateOutputs::kRates, Base::coordinateRatesOf(v_),
                 "rates of the coordinates, rad/s and m/s");
  }

  void forward() {
    program_.task = "rates of coordinates and quasi-velocities";
    accelerate();
    rates();
    outputVector(program_, "omd", omdot_, "rates of the quasi-velocities, rad/s^2 and m/s^2");
    if (!request_.whole_state) return;
    outputTurnRates(equations_, work_, program_);
    outputVector(program_, StateOutputs::kPower, {power()}, "W, of loads and drives");
  }

  // Drives do work where they are rows, and where the tree follows them.
  Expr power() {
    Expr out = supplied_power_;
    const bool known =
        std::all_of(kept_.begin(), kept_.end(), [&](int r) { return work_.minus_phi_t[at(r)].isNumber(0.0); });
    if (known && !follows()) return out;
    for (Expr& a : udot_) a = this->line({"ud", static_cast<int>(&a - udot_.data()) + 1}, a);
    const List lambda = multipliers();
    for (std::size_t k = 0; k < kept_.size(); ++k) out += lambda[k] * work_.minus_phi_t[at(kept_[k])];
    if (!follows()) return out;
    const InverseDynamics<G> found = withCuts(lambda);
    for (std::size_t c = 0; c < tree_.columns.size(); ++c) {
      const TreeColumn& column = tree_.columns[c];
      if (column.freedom < 0) out += found.tau[c] * motions_[at(column.motion)].fdot;
    }
    return out;
  }

  // Of the rows kept, from what the dependent velocities need of force.
  List multipliers() {
    if (kept_.empty()) return {};
    program_.section("Reactions of the rows");
    List force = withTorques(ofFreedoms(sweep(udot_, "m").tau));
    List dependent;
    for (const int i : dependent_) dependent.push_back(force[at(i)]);
    List lambda = elimination_->solveTransposed(dependent);
    lambda.resize(kept_.size());  // names carry nothing
    for (std::size_t k = 0; k < lambda.size(); ++k) lambda[k] = this->line({"la", kept_[k] + 1}, lambda[k]);
    return lambda;
  }

  // What the joints carry once the rows pull at their bodies too.
  InverseDynamics<G> withCuts(const List& lambda) {
    program_.section("Forces of the cuts");
    const std::vector<typename G::Wrench> loads = wrenches_;
    if (wrenches_.empty()) wrenches_.resize(mechanism_.bodies.size());
    for (const CutBlock& cut : blocks_) wrenches_[at(cut.body)] += wrenchOf<G>(cut.block, lambda[cut.row]);
    static constexpr auto kLetters =
        TreeProgram<G>::lettersOfSpaceOrPlane({"cFx", "cFy", "cFz", "cTx", "cTy", "cTz"}, {"cFx", "cFy", "cT"});
    for (std::size_t b = 0; b < wrenches_.size(); ++b)
      wrenches_[b] = this->namedWrench(static_cast<int>(b), wrenches_[b], kLetters);
    InverseDynamics<G> out = sweep(udot_, "r");
    wrenches_ = loads;
    return out;
  }

  void reactions() {
    program_.task = "what the joints carry, about the origin of each link";
    accelerate();
    for (std::size_t i = 0; i < udot_.size(); ++i) udot_[i] = this->line({"ud", static_cast<int>(i) + 1}, udot_[i]);
    const List lambda = multipliers();
    const InverseDynamics<G> found = withCuts(lambda);
    outputVector(program_, "omd", omdot_, "rates of the quasi-velocities, rad/s^2 and m/s^2");
    List entries;
    constexpr int kSize = G::kFreedoms;
    for (const auto& F : found.F) {
      for (int k = 0; k < kSize; ++k) entries.push_back(F[k]);
    }
    outputMatrix(program_, "F", tree_.size(), kSize, entries, "force and moment of the base on each link");
    List all(at(equations_.rows()), Expr());
    for (std::size_t k = 0; k < kept_.size(); ++k) all[at(kept_[k])] = lambda[k];
    outputVector(program_, "lam", all, "multipliers of the rows of the cuts; 0: left out");
  }

  // Q* = N^T (M u' + h - f)
  List residual() {
    const std::vector<List>& N = basis();
    without_rates_ = withoutRates();
    takeAccelerations();
    for (std::size_t i = 0; i < udot_.size(); ++i) udot_[i] = this->line({"ud", static_cast<int>(i) + 1}, udot_[i]);
    program_.section("Inverse dynamics");
    const List force = ofFreedoms(sweep(udot_, "").tau);
    List out;
    for (int k = 0; k < count(); ++k) out.push_back(this->line({"Qs", k + 1}, dotted(N[at(k)], force)));
    return out;
  }

  void inverse() {
    program_.task = "forces along the quasi-velocities, less those of the loads of the model: A om' - B";
    outputVector(program_, "Qs", residual(), "N*m and N");
  }

  void massMatrixTask() {
    program_.task = "A om' = B";
    const Equations found = equations();
    outputMatrix(program_, "A", count(), count(), found.A, "mass matrix of the quasi-velocities");
    outputVector(program_, "B", found.B, "right-hand side");
    rates();
  }

  // Of A om' - B = Q* and q' = z(q, om).
  void linear() {
    program_.task = "small motions: A dom' + D dom + K dq = dQ*,  dq' = U dq + V dom";
    List formulas = residual();
    const std::size_t forces = formulas.size();
    const List qd = Base::coordinateRatesOf(v_);
    formulas.insert(formulas.end(), qd.begin(), qd.end());
    program_.section("Derivatives by the rates of the quasi-velocities, by these and by the coordinates");
    program_.notes.emplace_back(
        "dGq3_12 is the derivative of G_12 by q_3. Changes dq of the coordinates must be such that loops stay closed.");
    LineDerivatives derivative(program_, stateValues());
    const auto matrices = [&](const List& inputs) {
      const std::size_t cols = inputs.size();
      List upper(forces * cols), lower((formulas.size() - forces) * cols);
      for (std::size_t j = 0; j < cols; ++j) {
        const List column = derivative.of(formulas, inputs[j]);
        for (std::size_t i = 0; i < formulas.size(); ++i) {
          if (i < forces) {
            upper[i * cols + j] = column[i];
          } else {
            lower[(i - forces) * cols + j] = column[i];
          }
        }
      }
      return std::pair(upper, lower);
    };
    const List A = matrices(omdot_).first;
    const auto [D, V] = matrices(om_);
    const auto [K, U] = matrices(q_);
    outputMatrix(program_, "A", count(), count(), A, "of the rates of the quasi-velocities");
    outputMatrix(program_, "D", count(), count(), D, "of the quasi-velocities");
    outputMatrix(program_, "K", count(), tree_.coordinates, K, "of the coordinates");
    outputMatrix(program_, "U", tree_.coordinates, tree_.coordinates, U, "rates of the coordinates, of these");
    outputMatrix(program_, "V", tree_.coordinates, count(), V, "rates of the coordinates, of the quasi-velocities");
  }

  // With the numbers of one state in the place of its letters.
  EquationProgram aboutState() const { return program_.withNumbers(stateValues()); }
  std::map<std::string, Expr> stateValues() const {
    std::map<std::string, Expr> values;
    if (!request_.about) return values;
    const auto put = [&](const List& inputs, const List& state) {
      for (std::size_t k = 0; k < inputs.size(); ++k)
        values.emplace(inputs[k].name(), state.empty() ? Expr() : state[k]);
    };
    put(q_, request_.about->q);
    put(om_, request_.about->om);
    put(omdot_, {});
    values.emplace(t_.name(), request_.about->t);
    return values;
  }

  List udot_;
  List without_rates_;  // u' at om' = 0
};

}  // namespace linkwork
