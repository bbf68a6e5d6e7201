#include "linkwork/codegen/quasi_matrices.hpp"

#include <fmt/format.h>

#include "linkwork/codegen/program_values.hpp"
#include "linkwork/codegen/quasi_velocity_builder.hpp"
#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

// Everything that the matrices are made of, as functions of t and q: the fields X and X_0 of q' = X omega + X_0, R, and
// V_P, Omega_P, V_R, Omega_R of each body; and their derivatives. Outputs: "f", "dt", "d1", "d2", ...
template <class G>
class MatricesBuilder : QuasiVelocityBuilder<G> {
  using Base = QuasiVelocityBuilder<G>;
  using Base::freedoms;
  using Base::G_;
  using Base::independent_;
  using Base::motions_;
  using Base::own_axes_;
  using Base::pk_;
  using Base::program_;
  using Base::q_;
  using Base::t_;
  using Base::tree_;
  using List = std::vector<Expr>;

 public:
  using Base::Base;

  EquationProgram build() {
    Base::prepare();
    fields();
    LineDerivatives derivative(program_);
    const auto size = static_cast<int>(formulas_.size());
    for (std::size_t k = 0; k <= q_.size(); ++k) {
      const std::string letter = k == 0 ? "dt" : fmt::format("d{}", k);
      program_.outputs.push_back({letter, size, 0, derivative.of(formulas_, k == 0 ? t_ : q_[k - 1]), ""});
    }
    program_.outputs.push_back({"f", size, 0, formulas_, ""});
    inertias();
    forces();
    leaveUsedTurns(program_);
    return std::move(program_);
  }

  std::vector<std::string> namesOfAll() const {
    std::vector<std::string> out;
    for (int k = 0; k < this->count(); ++k)
      out.push_back(fmt::format("om_{} {}", k + 1, this->quasiVelocityInWords(k)));
    for (const int r : this->kept_) out.push_back(this->equations_.elements().row_info[at(r)].name);
    return out;
  }
  std::vector<std::string> velocityNames() const {
    std::vector<std::string> out;
    for (int i = 0; i < freedoms(); ++i) out.push_back(fmt::format("u_{} {}", i + 1, this->inWords(i)));
    return out;
  }

 private:
  void put(const List& entries) { formulas_.insert(formulas_.end(), entries.begin(), entries.end()); }

  // All n columns of N: of the free quasi-velocities, then of what the rows hold at zero.
  std::vector<List> columns() {
    std::vector<List> out = Base::basis();
    for (std::size_t r = 0; r < this->kept_.size(); ++r)
      out.push_back(this->motionOfRow(r, "Y", static_cast<int>(r) + 1));
    return out;
  }

  void putBodies(const List& v, const std::vector<Motion<Expr>>& motions) {
    VelocityKinematics<G> vk(tree_);
    velocityKinematics<G>(tree_, pk_, v, motions, vk);
    for (std::size_t b = 0; b < this->mechanism_.bodies.size(); ++b) {
      const auto& body = vk.body[b];
      for (int c = 0; c < G::kDimension; ++c) put({body.v[c]});
      if constexpr (G::kSpatial) {
        put({body.w.x, body.w.y, body.w.z});
      } else {
        put({body.w});
      }
    }
  }
  void putRates(const List& v) { put(Base::coordinateRatesOf(v)); }

  // Column after column: X, bodies; then X_0, bodies; then R.
  void fields() {
    const std::vector<Motion<Expr>> still(motions_.size());
    for (const List& column : columns()) {
      putRates(column);
      putBodies(column, still);
    }
    List asked = this->g_;
    for (int k = 0; k < this->forms_.count(); ++k) asked[this->kept_.size() + at(k)] -= this->om_[at(k)];
    const List alone = Base::complete(asked, List(at(freedoms())), "vp", 0);
    putRates(alone);
    putBodies(alone, motions_);
    std::vector<List> turned;  // columns of v = R^T u
    for (int j = 0; j < freedoms(); ++j) {
      List& column = turned.emplace_back(at(freedoms()));
      column[at(j)] = 1.0;
      own_axes_.turnIn(q_, column);
    }
    const auto putRow = [&](const List& row) {
      for (const List& column : turned) put({Base::dotted(row, column)});
    };
    const auto names = G_.begin() + static_cast<std::ptrdiff_t>(this->kept_.size());
    std::for_each(names, G_.end(), putRow);
    for (const int i : independent_) {
      for (const List& column : turned) put({column[at(i)]});
    }
    std::for_each(G_.begin(), names, putRow);
  }

  void inertias() {
    List out(this->mechanism_.bodies.size() * (G::kSpatial ? 7 : 2));
    for (const TreeLink<G>& link : tree_.links) {
      const auto& own = link.inertia;
      if constexpr (G::kSpatial) {
        std::copy_n(List{own.mass, own.xx, own.yy, own.zz, own.xy, own.xz, own.yz}.begin(), 7, &out[7 * at(link.body)]);
      } else {
        std::copy_n(List{own.mass, own.inertia}.begin(), 2, &out[2 * at(link.body)]);
      }
    }
    program_.outputs.push_back({"inertia", static_cast<int>(out.size()), 0, out, ""});
  }

  // Weight and loads on each body, as power has it: by V and Omega.
  void forces() {
    List out;
    for (const TreeLink<G>* link : byBody()) {
      const auto body = at(link->body);
      for (int c = 0; c < G::kDimension; ++c) {
        const Expr load = this->wrenches_.empty() ? Expr() : this->wrenches_[body].force[c];
        out.push_back(load + link->inertia.mass * tree_.gravity[c]);
      }
      if constexpr (G::kSpatial) {
        for (int c = 0; c < 3; ++c) out.push_back(this->wrenches_.empty() ? Expr() : this->wrenches_[body].moment[c]);
      } else {
        out.push_back(this->wrenches_.empty() ? Expr() : this->wrenches_[body].moment);
      }
    }
    program_.outputs.push_back({"force", static_cast<int>(out.size()), 0, out, ""});
  }
  std::vector<const TreeLink<G>*> byBody() const {
    std::vector<const TreeLink<G>*> out(this->mechanism_.bodies.size());
    for (const TreeLink<G>& link : tree_.links) out[at(link.body)] = &link;
    return out;
  }

  List formulas_;
};

// The numbers of the fields at one state, and how they change.
class Numbers {
 public:
  Numbers(const EquationProgram& program, const std::map<std::string, std::vector<double>>& state, Eigen::Index n,
          Eigen::Index bodies, bool spatial)
      : n_(n),
        bodies_(bodies),
        linear_(spatial ? 3 : 2),
        angular_(spatial ? 3 : 1),
        coordinates_(static_cast<Eigen::Index>(state.at("q").size())) {
    const ProgramValues values(program, state);
    const auto vectorOf = [&](const std::string& letter) -> Vector {
      const std::vector<double> list = values.output(letter);
      return Eigen::Map<const Vector>(list.data(), static_cast<Eigen::Index>(list.size()));
    };
    f = vectorOf("f");
    by_t = vectorOf("dt");
    by_q.resize(f.size(), coordinates_);
    for (Eigen::Index k = 0; k < coordinates_; ++k) by_q.col(k) = vectorOf(fmt::format("d{}", k + 1));
    inertia = vectorOf("inertia");
    force = vectorOf("force");
  }

  // Of the list of all fields, or of a change of it.
  Eigen::Index stride() const { return coordinates_ + bodies_ * (linear_ + angular_); }
  Vector field(const Vector& list, Eigen::Index k) const { return list.segment(k * stride(), coordinates_); }
  Matrix fields(const Vector& list) const {
    Matrix X(coordinates_, n_);
    for (Eigen::Index k = 0; k < n_; ++k) X.col(k) = field(list, k);
    return X;
  }
  Matrix partial(const Vector& list, Eigen::Index body, bool turning) const {
    Matrix out(turning ? angular_ : linear_, n_);
    for (Eigen::Index k = 0; k < n_; ++k) out.col(k) = of(list, k, body, turning);
    return out;
  }
  Vector rest(const Vector& list, Eigen::Index body, bool turning) const { return of(list, n_, body, turning); }
  Matrix rowsWhole() const {
    using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    return Eigen::Map<const Rows>(f.data() + (n_ + 1) * stride(), n_, n_);
  }
  Eigen::Index linear() const { return linear_; }
  Eigen::Index angular() const { return angular_; }

  Vector f, by_t, inertia, force;
  Matrix by_q;

 private:
  Vector of(const Vector& list, Eigen::Index k, Eigen::Index body, bool turning) const {
    const Eigen::Index first = k * stride() + coordinates_ + body * (linear_ + angular_);
    return turning ? list.segment(first + linear_, angular_) : list.segment(first, linear_);
  }

  Eigen::Index n_, bodies_, linear_, angular_, coordinates_;
};

Matrix inertiaOf(const Numbers& numbers, Eigen::Index body) {
  if (numbers.angular() == 1) return Matrix::Constant(1, 1, numbers.inertia[2 * body + 1]);
  const auto J = numbers.inertia.segment(7 * body + 1, 6);
  Matrix out(3, 3);
  out << J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2];
  return out;
}

// Half of a body: V with its mass, or Omega with its inertia.
struct Half {
  Matrix P, Q, Pi, PP, QP;
  Vector R, value, RP, T_Q, T_Pi, C;
};
Half halfOf(const Numbers& numbers, const QuasiMatrices& all, Eigen::Index body, bool turning, const Matrix& J,
            const std::vector<Vector>& along_pi, const Vector& rate) {
  Half out;
  const Vector& omega = all.omega;
  out.P = numbers.partial(numbers.f, body, turning);
  out.R = numbers.rest(numbers.f, body, turning);
  out.value = out.P * omega + out.R;
  out.Q = out.P.transpose() * J;
  out.Pi.resize(all.free, J.rows());
  for (Eigen::Index k = 0; k < all.free; ++k) {
    const Vector& change = along_pi[static_cast<std::size_t>(k)];
    const Vector moved = numbers.partial(change, body, turning) * omega + numbers.rest(change, body, turning);
    out.Pi.row(k) = (J * moved).transpose();
  }
  out.PP = numbers.partial(rate, body, turning);
  out.QP = (out.PP.transpose() * J).topRows(all.free);
  out.RP = numbers.rest(rate, body, turning);
  out.T_Q = out.Q * out.value;
  out.T_Pi = out.Pi * out.value;
  out.C = out.QP * out.value + out.Q.topRows(all.free) * (out.PP * omega + out.RP);
  return out;
}

QuasiMatricesOfBody bodyOf(const Numbers& numbers, const QuasiMatrices& all, Eigen::Index body,
                           const std::vector<Vector>& along_pi, const Vector& rate) {
  QuasiMatricesOfBody out;
  out.mass = numbers.inertia[(numbers.angular() == 1 ? 2 : 7) * body];
  out.J = inertiaOf(numbers, body);
  const Matrix M = out.mass * Matrix::Identity(numbers.linear(), numbers.linear());
  const Half V = halfOf(numbers, all, body, false, M, along_pi, rate);
  const Half W = halfOf(numbers, all, body, true, out.J, along_pi, rate);
  out.V_P = V.P;
  out.V_R = V.R;
  out.V = V.value;
  out.V_Q = V.Q;
  out.V_Pi = V.Pi;
  out.V_PP = V.PP;
  out.V_QP = V.QP;
  out.V_RP = V.RP;
  out.Omega_P = W.P;
  out.Omega_R = W.R;
  out.Omega = W.value;
  out.Omega_Q = W.Q;
  out.Omega_Pi = W.Pi;
  out.Omega_PP = W.PP;
  out.Omega_QP = W.QP;
  out.Omega_RP = W.RP;
  out.T_Q = V.T_Q + W.T_Q;
  out.T_Pi = V.T_Pi + W.T_Pi;
  out.C = V.C + W.C;
  out.A = (V.Q * V.P + W.Q * W.P).topLeftCorner(all.free, all.free);
  out.B = out.T_Pi - out.C;
  return out;
}

// gamma^r_{alpha k} = -omega^r([X_alpha, X_k]), [X, Y] = Y_q X - X_q Y; with d/dt + X_0 for X_alpha those of index 0.
void fillGamma(const Numbers& numbers, QuasiMatrices& out) {
  const Eigen::Index n = out.omega.size();
  const Matrix X = numbers.fields(numbers.f);
  const Vector X_0 = numbers.field(numbers.f, n);
  const Eigen::ColPivHouseholderQR<Matrix> factor(X);
  std::vector<Vector> along;
  for (Eigen::Index k = 0; k < n; ++k) along.emplace_back(numbers.by_q * X.col(k));
  const Vector along_0 = numbers.by_q * X_0 + numbers.by_t;
  const auto changeOf = [&](const Vector& list, Eigen::Index k) { return numbers.field(list, k); };
  out.Gamma.assign(static_cast<std::size_t>(n), Matrix::Zero(n, n));
  out.Gamma_0 = Matrix::Zero(n, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const Vector& by_k = along[static_cast<std::size_t>(k)];
    for (Eigen::Index a = 0; a < n; ++a) {
      const Vector gamma = -factor.solve(changeOf(along[static_cast<std::size_t>(a)], k) - changeOf(by_k, a));
      for (Eigen::Index r = 0; r < n; ++r) out.Gamma[static_cast<std::size_t>(r)](k, a) = gamma[r];
    }
    out.Gamma_0.col(k) = -factor.solve(changeOf(along_0, k) - changeOf(by_k, n));
  }
}

void sumUp(const Numbers& numbers, QuasiMatrices& out) {
  const Eigen::Index n = out.omega.size();
  const Eigen::Index l = out.free;
  out.T_Q = Vector::Zero(n);
  out.T_Pi = out.C = out.Q = Vector::Zero(l);
  out.A = Matrix::Zero(l, l);
  const Eigen::Index width = numbers.linear() + numbers.angular();
  for (std::size_t b = 0; b < out.bodies.size(); ++b) {
    const QuasiMatricesOfBody& body = out.bodies[b];
    out.T_Q += body.T_Q;
    out.T_Pi += body.T_Pi;
    out.C += body.C;
    out.A += body.A;
    const auto force = numbers.force.segment(static_cast<Eigen::Index>(b) * width, width);
    out.Q +=
        (body.V_P.transpose() * force.head(numbers.linear()) + body.Omega_P.transpose() * force.tail(numbers.angular()))
            .head(l);
  }
  out.B = out.T_Pi - out.C + out.Q;
  for (Eigen::Index r = 0; r < n; ++r) {
    const Vector turned = out.Gamma[static_cast<std::size_t>(r)] * out.omega;
    for (Eigen::Index k = 0; k < l; ++k) out.B[k] -= out.T_Q[r] * (turned[k] + out.Gamma_0(r, k));
  }
}

template <class G>
QuasiMatrices matricesOf(const Mechanism& mechanism, const EquationRequest& request, double t,
                         std::span<const double> x, const std::vector<double>& q, const std::vector<double>& omega) {
  using Symbolic = std::conditional_t<G::kSpatial, Spatial<Expr>, Planar<Expr>>;
  MatricesBuilder<Symbolic> builder(mechanism, request, *request.velocities);
  QuasiMatrices out;
  out.names = builder.namesOfAll();
  out.velocities = builder.velocityNames();
  const auto n = static_cast<Eigen::Index>(out.names.size());
  out.free = static_cast<int>(omega.size());
  out.omega = Vector::Zero(n);
  out.omega.head(out.free) = Eigen::Map<const Vector>(omega.data(), out.free);
  const EquationProgram program = builder.build();
  const auto bodies = static_cast<Eigen::Index>(mechanism.bodies.size());
  const Numbers numbers(program, {{"t", {t}}, {"q", q}, {"om", omega}, {"n", wholeTurns(mechanism, program, x)}}, n,
                        bodies, G::kSpatial);
  const Matrix X = numbers.fields(numbers.f);
  const Vector rate = numbers.by_q * (X * out.omega + numbers.field(numbers.f, n)) + numbers.by_t;
  std::vector<Vector> along_pi;
  for (Eigen::Index k = 0; k < out.free; ++k) along_pi.emplace_back(numbers.by_q * X.col(k));
  out.R = numbers.rowsWhole();
  for (Eigen::Index b = 0; b < bodies; ++b) {
    out.bodies.push_back(bodyOf(numbers, out, b, along_pi, rate));
    out.bodies.back().name = mechanism.bodies[static_cast<std::size_t>(b)].name;
  }
  fillGamma(numbers, out);
  sumUp(numbers, out);
  return out;
}

}  // namespace

QuasiMatricesFound quasiMatrices(const Mechanism& mechanism, const VelocityChoice& choice, double t,
                                 std::span<const double> x, const std::vector<double>& q,
                                 const std::vector<double>& omega) {
  QuasiMatricesFound out;
  EquationRequest request;
  request.form = WrittenForm::quasivelocity;
  request.task = EquationTask::mass_matrix;
  request.torques = Torques::none;
  request.velocities = choice;
  out.problem = whyNotForm(mechanism, request.form, request.task);
  if (!out.problem.empty()) return out;
  out.matrices = mechanism.space == Space::planar ? matricesOf<Planar<double>>(mechanism, request, t, x, q, omega)
                                                  : matricesOf<Spatial<double>>(mechanism, request, t, x, q, omega);
  return out;
}

}  // namespace linkwork
