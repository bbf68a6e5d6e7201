#include "linkwork/formulation/equations/equations_matrices.hpp"

#include "linkwork/base/index.hpp"
#include "linkwork/formulation/equations/equations_forms_at.hpp"
#include "linkwork/formulation/tangent_numbers.hpp"

namespace linkwork {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

class Maker {
 public:
  Maker(const EquationsSystem& system, double t, std::span<const double> x)
      : tapes_(system.tapes()), kernel_(system.kernel()), work_(kernel_.makeWork()), n_(tapes_.n), l_(tapes_.free) {
    const std::span<const double> q = x.first(at(n_));
    const std::span<const double> w = x.subspan(at(n_), at(l_));
    kernel_.place(t, q, work_);
    kernel_.move(w, work_);
    std::vector<double> q_t(q.begin(), q.end());
    q_t.push_back(t);
    forms_ = formsAt(tapes_, q_t);
    b_ = Eigen::Map<const RowMajor>(work_.b.data(), n_, n_);
    u_ = Eigen::Map<const Vector>(work_.u.data(), n_);
    out_.w = Vector::Zero(n_);
    out_.w.head(l_) = Eigen::Map<const Vector>(w.data(), l_);
    out_.R = forms_.rows.leftCols(n_);
    out_.a_0 = forms_.rows.col(n_);
    a_dot_ = forms_.slopes.back();
    for (int s = 0; s < n_; ++s) a_dot_ += u_[s] * forms_.slopes[at(s)];
    // At w' = 0, and what moves with pi at fixed w:  du/dq_s = -b (da/dq_s u + da_0/dq_s)
    Vector u1(n_ + 1);
    u1 << u_, 1.0;
    udot_ = -b_ * (a_dot_ * u1);
    u_by_q_.resize(n_, n_);
    for (int s = 0; s < n_; ++s) u_by_q_.col(s) = -b_ * (forms_.slopes[at(s)] * u1);
  }

  EquationsMatrices make(const EquationsModel& model) {
    out_.T_Q = Vector::Zero(n_);
    out_.T_Pi = Vector::Zero(l_);
    out_.C = Vector::Zero(l_);
    out_.A = Matrix::Zero(l_, l_);
    std::size_t block = 0;
    for (const EquationsBody& body : model.bodies) {
      auto& one = out_.bodies.emplace_back();
      one.name = body.name;
      if (!body.velocity.empty()) one.velocity = partial(tapes_.blocks[block++]);
      if (!body.angular_velocity.empty()) one.angular = partial(tapes_.blocks[block++]);
    }
    addFormulas();
    symbols();
    forces();
    out_.B = -out_.C + out_.T_Pi + out_.Q - out_.Gamma_0.transpose() * out_.T_Q;
    for (int r = 0; r < n_; ++r) out_.B -= out_.T_Q[r] * (out_.Gamma[at(r)] * out_.w);
    return std::move(out_);
  }

 private:
  Matrix matrix(const TapeBlock& where, int rows, int columns) const {
    return Eigen::Map<const RowMajor>(work_.terms.data() + where.from, rows, columns);
  }

  PartialVelocities partial(const EquationsTapes::Block& block) {
    const auto m = static_cast<Eigen::Index>(block.size);
    const auto rows = [&](const TapeBlock& of) {
      return Matrix(matrix(of, tapes_.components, n_).middleRows(block.first, m));
    };
    const Matrix J = rows(tapes_.J);
    const Matrix G = rows(tapes_.G);
    const Matrix W = Eigen::Map<const RowMajor>(work_.terms.data() + tapes_.weights.from + block.weight, m, m);
    PartialVelocities out;
    out.P = J * b_;
    out.V = matrix(tapes_.V, tapes_.components, 1).middleRows(block.first, m);
    out.R = out.V - out.P * out_.w;
    out.Q = out.P.transpose() * W;
    out.Pi = ((G + J * u_by_q_) * b_.leftCols(l_)).transpose() * W;
    out.PP = rows(tapes_.J_dot) * b_ - out.P * a_dot_.leftCols(n_) * b_;
    out.QP = out.PP.transpose() * W;
    const Vector rate = G * u_ + matrix(tapes_.V_t, tapes_.components, 1).middleRows(block.first, m) + J * udot_;
    out.RP = rate - out.PP * out_.w;
    out_.T_Q += out.Q * out.V;
    out_.T_Pi += out.Pi * out.V;
    out_.C += (out.QP * out.V + out.Q * rate).head(l_);
    out_.A += out.Q.topRows(l_) * out.P.leftCols(l_);
    out.QP.conservativeResize(l_, Eigen::NoChange);
    return out;
  }

  // Kinetic energies that are formulas have no V; their parts of T_Q, T_Pi, C and A.
  void addFormulas() {
    const Vector p = matrix(tapes_.p, n_, 1);
    const Matrix M = matrix(tapes_.M, n_, n_);
    // p' at u' = 0, along the motion; h is that less dT/dq.
    const Vector p_along = momentaAlong();
    const Vector T_q = p_along - Vector(matrix(tapes_.h, n_, 1));
    const Vector p_dot = p_along + M * udot_;
    out_.T_Q += b_.transpose() * p;
    out_.T_Pi += (b_.transpose() * (T_q + u_by_q_.transpose() * p)).head(l_);
    out_.C += (b_.transpose() * (p_dot - a_dot_.leftCols(n_).transpose() * (b_.transpose() * p))).head(l_);
    out_.A += b_.leftCols(l_).transpose() * M * b_.leftCols(l_);
  }

  Vector momentaAlong() const {
    std::vector<TangentNumber> in(work_.term_in.size()), scratch(tapes_.terms.scratchSize());
    std::vector<TangentNumber> found(tapes_.terms.outputCount());
    hold(work_.term_in, in);
    for (int s = 0; s < n_; ++s) in[at(s)].derivatives[0] = u_[s];
    in[at(2 * n_)].derivatives[0] = 1.0;
    tapes_.terms.evaluate<TangentNumber>(in, scratch, found);
    Vector out(n_);
    for (int s = 0; s < n_; ++s) out[s] = found[tapes_.p.from + at(s)].derivatives[0];
    return out;
  }

  // gamma^r_ak = sum (da_rs/dq_m - da_rm/dq_s) b_ma b_sk
  void symbols() {
    out_.Gamma_0.resize(n_, l_);
    for (int r = 0; r < n_; ++r) {
      Matrix curl(n_, n_);  // by s and m
      Vector drift(n_);     // da_rs/dt - da_r0/dq_s
      for (int s = 0; s < n_; ++s) {
        for (int m = 0; m < n_; ++m) curl(s, m) = forms_.slopes[at(m)](r, s) - forms_.slopes[at(s)](r, m);
        drift[s] = forms_.slopes.back()(r, s) - forms_.slopes[at(s)](r, n_);
      }
      out_.Gamma.emplace_back(b_.leftCols(l_).transpose() * curl * b_);
      out_.Gamma_0.row(r) = (b_.leftCols(l_).transpose() * drift - out_.Gamma.back() * out_.a_0).transpose();
    }
  }

  void forces() {
    const Vector on_rates = matrix(tapes_.on_rates, n_, 1) - matrix(tapes_.potential_q, n_, 1);
    out_.Q = b_.leftCols(l_).transpose() * on_rates + matrix(tapes_.on_quasi, l_, 1);
  }

  const EquationsTapes& tapes_;
  const EquationsKernel<double>& kernel_;
  EquationsKernel<double>::Work work_;
  int n_, l_;
  FormsAt forms_;
  Matrix b_, a_dot_, u_by_q_;
  Vector u_, udot_;
  EquationsMatrices out_;
};

}  // namespace

EquationsMatrices equationsMatrices(const EquationsModel& model, const EquationsSystem& system, double t,
                                    std::span<const double> x) {
  return Maker(system, t, x).make(model);
}

}  // namespace linkwork
