// EquationsAlong: the equations of motion in absolute coordinates at a state, and their derivatives along directions,
// exact by Dual numbers.                                                                            [docs/theory/03]
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "linkwork/analyse/independent_coordinates.hpp"
#include "linkwork/analyse/input_carriers.hpp"
#include "linkwork/formulation/absolute/absolute_mechanical.hpp"
#include "linkwork/formulation/absolute/absolute_system.hpp"
#include "linkwork/model/input_names.hpp"

namespace linkwork {

// One directional derivative after the other, eight at a time.
struct Directions {
  Eigen::MatrixXd motion;    // freedoms x directions
  Eigen::MatrixXd velocity;  // likewise
  Eigen::MatrixXd input;     // (inputs x 3) x directions: of u, u', u''
  Eigen::Index count() const { return motion.cols(); }
};

struct Derivatives {
  Eigen::MatrixXd phi;           // of Phi
  Eigen::MatrixXd velocity;      // of Phi_q v + Phi_t, v not held
  Eigen::MatrixXd force;         // of Q + Phi_q^T lambda, lambda held
  Eigen::MatrixXd force_size;    // the sum of the sizes of its terms
  Eigen::MatrixXd acceleration;  // of Gamma - Phi_q a, a held
  Eigen::MatrixXd s_rate;        // of s'
  Eigen::MatrixXd s_bend;        // of s'', a held
  Eigen::MatrixXd output;
};

template <class G>
class EquationsAlong {
 public:
  using GD = typename WithDual<G>::type;
  using Number = Dual<8>;
  using Matrix = Eigen::MatrixXd;
  using Vector = Eigen::VectorXd;
  static constexpr int kDirections = 8;

  // x: [q, v, work, turns] at t. Inputs have their values.
  EquationsAlong(const Mechanism& named, double t, std::span<const double> x)
      : plain_(withInputValues(named)),
        extended_(withCarriers(named, t, carriers_)),
        equations_(plain_),
        dual_(extended_),
        work_(dual_.makeWork()),
        t_(t),
        x_(x.begin(), x.end()) {
    std::vector<Expr> outputs;
    for (const Output& output : extended_.outputs) outputs.push_back(output.value);
    outputs_ = compileExpressions<GD>(extended_, outputs);
    output_scratch_ = outputs_.makeScratch();
    candidates_ = coordinateCandidates<GD>(extended_, static_cast<int>(plain_.bodies.size()));
  }

 protected:
  int freedoms() const { return equations_.freedoms(); }
  int rows() const { return equations_.rows(); }

  // Fills the Dual scratch at the state, moved along up to eight directions.
  void evaluate(const Directions& along, Eigen::Index first) {
    const auto count = std::min<Eigen::Index>(kDirections, along.count() - first);
    std::vector<Number> q(at(dual_.coordinates()));
    std::vector<Number> v(at(dual_.freedoms()));
    const int held = dual_.bodies() - equations_.bodies();
    for (int b = 0; b < equations_.bodies(); ++b) {
      const std::span<const double> own(x_.data() + G::kCoordinates * b, at(G::kCoordinates));
      for (int k = 0; k < G::kCoordinates; ++k) q[at(G::kCoordinates * b + k)] = Number(own[at(k)]);
      for (int k = 0; k < G::kFreedoms; ++k) v[at(G::kFreedoms * b + k)] = Number(v_[G::kFreedoms * b + k]);
      for (Eigen::Index d = 0; d < count; ++d) {
        std::array<double, G::kFreedoms> motion{};
        for (int k = 0; k < G::kFreedoms; ++k) {
          motion[at(k)] = along.motion(G::kFreedoms * b + k, first + d);
          v[at(G::kFreedoms * b + k)].derivatives[static_cast<std::size_t>(d)] =
              along.velocity(G::kFreedoms * b + k, first + d);
        }
        std::array<double, G::kCoordinates> rate{};
        G::coordinateRate(own, motion, rate);
        for (int k = 0; k < G::kCoordinates; ++k) {
          q[at(G::kCoordinates * b + k)].derivatives[static_cast<std::size_t>(d)] = rate[at(k)];
        }
      }
    }
    for (int b = equations_.bodies(); b < equations_.bodies() + held; ++b) {
      if (G::kSpatial) q[at(G::kCoordinates * b + 3)] = Number(1.0);
    }
    for (std::size_t k = 0; k < carriers_.size(); ++k) {
      const int base = G::kCoordinates * carriers_[k].first_body;
      const int place[3] = {base, base + 1, base + G::kCoordinates};
      for (Eigen::Index d = 0; d < count; ++d) {
        for (int order = 0; order < 3; ++order) {
          q[at(place[order])].derivatives[static_cast<std::size_t>(d)] =
              along.input(3 * static_cast<Eigen::Index>(k) + order, first + d);
        }
      }
    }
    setTurns();
    dual_.positions(Number(t_), q, work_);
    dual_.velocities(v, work_);
    dual_.forces(work_);
    if (outputs_.tape.outputCount() > 0) outputs_.evaluate(Number(t_), work_.x, work_.v, work_.turns, output_scratch_);
  }

  // A lifted file counts the turns of its bodies before those of its springs; the carriers' stand between them.
  void setTurns() {
    const int more = dual_.turns() - equations_.turns();
    int springs = 0;
    forEachLoad(equations_.elements(), [&springs](const auto& placed) { springs += placed.turn >= 0 ? 1 : 0; });
    for (int k = 0; k < equations_.turns(); ++k) {
      const bool of_spring = k >= equations_.turns() - springs;
      work_.turns[at(of_spring ? k + more : k)] = Number(*(x_.end() - equations_.turns() + k));
    }
  }

  // Row r of Phi_q times numbers of the bodies.
  template <class Entry>
  Number rowTimes(int r, const Entry& entry) const {
    Number sum(0.0);
    for (int p = dual_.rowStart()[at(r)]; p < dual_.rowStart()[at(r) + 1]; ++p) {
      for (int k = 0; k < G::kFreedoms; ++k) {
        sum = sum + work_.jacobian[at(G::kFreedoms * p + k)] * entry(dual_.rowBodies()[at(p)], k);
      }
    }
    return sum;
  }

  Number velocityOf(int body, int k) const {
    if constexpr (G::kSpatial) {
      return k < 3 ? work_.v[at(body)].v[k] : work_.v[at(body)].w[k - 3];
    } else {
      return k < 2 ? work_.v[at(body)].v[k] : work_.v[at(body)].w;
    }
  }

  Derivatives derivatives(const Directions& along) {
    const auto m = along.count();
    Derivatives out;
    out.phi.resize(rows(), m);
    out.velocity.resize(rows(), m);
    out.force.resize(freedoms(), m);
    out.force_size.resize(freedoms(), m);
    out.acceleration.resize(rows(), m);
    out.s_rate.resize(static_cast<Eigen::Index>(chosen_.size()), m);
    out.s_bend.resize(out.s_rate.rows(), m);
    out.output.resize(static_cast<Eigen::Index>(plain_.outputs.size()), m);
    for (Eigen::Index first = 0; first < m; first += kDirections) {
      evaluate(along, first);
      const auto count = std::min<Eigen::Index>(kDirections, m - first);
      const auto put = [&](Matrix& matrix, Eigen::Index row, const Number& value) {
        for (Eigen::Index d = 0; d < count; ++d) matrix(row, first + d) = value.derivative(static_cast<int>(d));
      };
      std::vector<Number> force(at(dual_.freedoms()));
      for (int b = 0; b < equations_.bodies(); ++b) {
        GD::put(work_.Q[at(b)], std::span(force).subspan(at(G::kFreedoms * b), at(G::kFreedoms)));
      }
      for (int u = 0; u < freedoms(); ++u) put(out.force_size, u, force[at(u)]);
      out.force_size.middleCols(first, count) = out.force_size.middleCols(first, count).cwiseAbs().eval();
      for (int r = 0; r < rows(); ++r) {
        put(out.phi, r, work_.phi[at(r)]);
        put(out.velocity, r, rowTimes(r, [&](int b, int k) { return velocityOf(b, k); }) - work_.minus_phi_t[at(r)]);
        put(out.acceleration, r,
            work_.gamma[at(r)] - rowTimes(r, [&](int b, int k) { return a_[G::kFreedoms * b + k]; }));
        for (int p = dual_.rowStart()[at(r)]; p < dual_.rowStart()[at(r) + 1]; ++p) {
          for (int k = 0; k < G::kFreedoms; ++k) {
            const int u = G::kFreedoms * dual_.rowBodies()[at(p)] + k;
            const Number term = work_.jacobian[at(G::kFreedoms * p + k)] * lambda_[r];
            force[at(u)] = force[at(u)] + term;
            for (Eigen::Index d = 0; d < count; ++d) {
              out.force_size(u, first + d) += std::abs(term.derivative(static_cast<int>(d)));
            }
          }
        }
      }
      for (int u = 0; u < freedoms(); ++u) put(out.force, u, force[at(u)]);
      for (std::size_t k = 0; k < chosen_.size(); ++k) {
        const auto& coordinate = candidates_[chosen_[k]];
        put(out.s_rate, static_cast<Eigen::Index>(k), coordinate.rate(work_));
        put(out.s_bend, static_cast<Eigen::Index>(k), coordinate.acceleration(work_, a_));
      }
      for (std::size_t k = 0; k < plain_.outputs.size(); ++k) {
        put(out.output, static_cast<Eigen::Index>(k), output_scratch_.outputs[k]);
      }
    }
    return out;
  }

  Matrix noInput(Eigen::Index directions) const {
    return Matrix::Zero(3 * static_cast<Eigen::Index>(carriers_.size()), directions);
  }

  std::vector<InputCarrier> carriers_;
  Mechanism plain_, extended_;
  AbsoluteEquations<G> equations_;
  AbsoluteEquations<GD> dual_;
  typename AbsoluteEquations<GD>::Work work_;
  CompiledExpressions<GD> outputs_;
  typename CompiledExpressions<GD>::Scratch output_scratch_;
  std::vector<CoordinateCandidate<GD>> candidates_;
  std::vector<std::size_t> chosen_;  // of the candidates: s
  double t_;
  std::vector<double> x_;
  Vector v_, a_, lambda_;  // velocities, accelerations and multipliers there
};

}  // namespace linkwork
