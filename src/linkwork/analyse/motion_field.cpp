#include "linkwork/analyse/motion_field.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "linkwork/analyse/free_link.hpp"
#include "linkwork/analyse/independent_coordinates.hpp"
#include "linkwork/base/contract.hpp"
#include "linkwork/formulation/recursive/recursive_system.hpp"
#include "linkwork/formulation/tangent_numbers.hpp"
#include "linkwork/recursion/impulses.hpp"
#include "linkwork/recursion/inverse_dynamics.hpp"
#include "linkwork/recursion/joint_coordinates.hpp"
#include "linkwork/system/state_jacobian.hpp"

namespace linkwork {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Space3 = Eigen::Vector3d;
using Kind = MotionDirection::Kind;

Space3 asSpace3(const Vec3<double>& a) { return {a.x, a.y, a.z}; }
Space3 asSpace3(const Vec2<double>& a) { return {a.x, a.y, 0.0}; }

template <class G>
class MotionFieldOf final : public MotionField {
  using GD = typename WithDual<G>::type;
  using Number = TangentNumber;

 public:
  MotionFieldOf(const Mechanism& mechanism, const Assembly& assembly)
      : made_(makeSystem(mechanism, startingFrom(assembly, recursive()))),
        system_(dynamic_cast<const RecursiveSystem<G>&>(*made_)),
        equations_(system_.cutTree().equations()),
        tree_(system_.tree()),
        dual_(mechanism, system_.plan()),
        work_(made_->makeWorkspace()),
        own_(equations_),
        dual_work_(dual_),
        mass_(tree_),
        product_(makeJacobianProduct(*made_)),
        modes_(made_->startModes()),
        xdot_(at(made_->space().size())),
        mechanism_(mechanism) {
    candidates_ = coordinateCandidates<GD>(mechanism, static_cast<int>(mechanism.bodies.size()));
    for (const auto& candidate : candidates_) seen_.push_back(candidate.named);
    scale_ = Vector::Ones(tree_.freedoms);
    names_.resize(at(tree_.freedoms));
    prescribed_ = !mechanism.drives.empty();
    for (int k = 0; k < tree_.size(); ++k) addLink(k);
  }

  int freedoms() const override { return tree_.freedoms; }
  int numbers() const override { return tree_.coordinates + tree_.freedoms; }
  double length() const override { return made_->referenceLength(); }
  std::vector<double> fromAbsolute(double t, const std::vector<double>& absolute) const override {
    return made_->fromAbsolute(t, absolute);
  }
  std::vector<double> toAbsolute(double t, const std::vector<double>& x) const override {
    return made_->toAbsolute(t, x, modes_);
  }
  std::string describeFailure() const override { return made_->describeFailure(*work_); }

  bool go(double t, const Vector& deviation, std::vector<double>& x) override {
    const int n = freedoms();
    const std::span<double> state(x);
    moveJoints<G>(tree_, {deviation.data(), at(n)}, state.first(at(tree_.coordinates)));
    for (int k = 0; k < n; ++k) x[at(tree_.coordinates + k)] += deviation[n + k];
    // Twice: the second time takes away what the first, of a large step, has left.
    for (int sweep = 0; sweep < 2; ++sweep) {
      if (made_->afterStep(t, x, modes_, *work_).eval != Eval::ok) return false;
    }
    return true;
  }

  bool evaluate(double t, const std::vector<double>& x, Here& here) override {
    if (made_->derivative(t, x, modes_, *work_, xdot_) != Eval::ok) return false;
    const int n = freedoms();
    here.u = Eigen::Map<const Vector>(x.data() + tree_.coordinates, n);
    here.a = Eigen::Map<const Vector>(xdot_.data() + tree_.coordinates, n);
    const std::span<const double> state(x);
    setTurns(x, own_.eq.turns);
    equations_.place(t, state.first(at(tree_.coordinates)), own_);
    for (FreeLink& link : free_) placeFree(state, here, link);
    const auto count = static_cast<Eigen::Index>(directions_.size());
    here.X = Matrix::Zero(2 * n, count);
    here.e_rates = Matrix::Zero(n, count);
    for (Eigen::Index k = 0; k < count; ++k) {
      const MotionDirection& direction = directions_[static_cast<std::size_t>(k)];
      if (direction.kind == Kind::coordinate) {
        here.X(direction.axis, k) = 1.0;
      } else {
        putDirection(direction, free_[at(free_of_link_[at(direction.link)])], here, here.X.col(k), here.e_rates.col(k));
      }
    }
    return true;
  }

  void look(double t, const std::vector<double>& x, const std::vector<Quantity>& quantities,
            const std::vector<double>& near, Seen& out) override {
    const int n = freedoms();
    const auto& cuts = dual_.cuts();
    if (quantities != quantities_) {
      quantities_ = quantities;
      compiled_ = compileQuantities<GD>(mechanism_, quantities);
    }
    out.phi.resize(cuts.rows(), n);
    out.velocity.resize(cuts.rows(), 2 * n);
    out.named.resize(static_cast<Eigen::Index>(seen_.size()), n);
    out.value.resize(static_cast<Eigen::Index>(quantities.size()));
    out.by_state.resize(out.value.size(), 2 * n);
    std::vector<Number> v(at(GD::kFreedoms * cuts.bodies()));
    for (int first = 0; first < 2 * n; first += kTangentDirections) {
      const int count = std::min(kTangentDirections, 2 * n - first);
      moveAlong(t, x, Matrix::Identity(2 * n, 2 * n).middleCols(first, count));
      dual_.bodyVelocities(dual_work_, v);
      const auto put = [&](Matrix& matrix, Eigen::Index row, const Number& number) {
        for (int d = 0; d < count && first + d < matrix.cols(); ++d) matrix(row, first + d) = number.derivative(d);
      };
      for (int r = 0; r < cuts.rows(); ++r) {
        put(out.phi, r, dual_work_.eq.phi[at(r)]);
        put(out.velocity, r, dual_.timesRow(r, v, dual_work_) - dual_work_.eq.minus_phi_t[at(r)]);
      }
      for (std::size_t k = 0; k < candidates_.size() && first < n; ++k) {
        put(out.named, static_cast<Eigen::Index>(k), namedAlong(candidates_[k]));
      }
      for (std::size_t k = 0; k < compiled_.size(); ++k) {
        const auto& quantity = compiled_[k];
        const auto& eq = dual_work_.eq;
        const Number value = quantity.value(Number(t), {eq.x[at(quantity.i)], eq.x[at(quantity.j)]},
                                            {eq.v[at(quantity.i)], eq.v[at(quantity.j)]}, Number(near[k]));
        out.value[static_cast<Eigen::Index>(k)] = value.value;
        put(out.by_state, static_cast<Eigen::Index>(k), value);
      }
    }
  }

  void lookAtRates(double t, const std::vector<double>& x, SeenRates& out) override {
    const int n = freedoms();
    out.named.resize(static_cast<Eigen::Index>(seen_.size()), 2 * n);
    out.impulses.resize(n, 2 * n);
    std::vector<typename LinkAxes<GD>::Force> momenta(at(tree_.size()));
    std::vector<Number> impulses(tree_.columns.size());
    for (int first = 0; first < 2 * n; first += kTangentDirections) {
      const int count = std::min(kTangentDirections, 2 * n - first);
      moveAlong(t, x, Matrix::Identity(2 * n, 2 * n).middleCols(first, count));
      const auto put = [&](Matrix& matrix, Eigen::Index row, const Number& number) {
        for (int d = 0; d < count; ++d) matrix(row, first + d) = number.derivative(d);
      };
      for (std::size_t k = 0; k < candidates_.size(); ++k) {
        put(out.named, static_cast<Eigen::Index>(k), rateAlong(candidates_[k]));
      }
      linkMomenta<GD>(dual_.tree(), dual_work_.pk, dual_work_.vk, momenta);
      gatherInwards<GD>(dual_.tree(), dual_work_.pk, momenta);
      impulsesOf<GD>(dual_.tree(), dual_work_.pk, momenta, impulses);
      for (std::size_t c = 0; c < tree_.columns.size(); ++c) {
        if (tree_.columns[c].freedom >= 0) put(out.impulses, tree_.columns[c].freedom, impulses[c]);
      }
    }
  }

  std::vector<CutRow> cutRows() const override {
    std::vector<CutRow> out(at(equations_.cuts().rows()));
    for (const RowGroup& group : equations_.cuts().elements().groups) {
      for (int k = 0; k < group.rows; ++k) {
        const int row = group.first_row + k;
        out[at(row)] = {group.is_drive ? -1 : group.index, equations_.cuts().level(row)};
      }
    }
    return out;
  }

  Matrix rowsByMotion(double t, std::span<const double> q) override {
    const int n = freedoms();
    const std::vector<double> still(at(n), 0.0);
    equations_.place(t, q, own_);
    equations_.move(still, own_);
    std::vector<double> row(at(n));
    std::vector<double> velocity(at(G::kFreedoms * equations_.cuts().bodies()));
    equations_.bodyVelocities(own_, velocity);
    Matrix out(equations_.cuts().rows(), n + 1);
    for (int r = 0; r < equations_.cuts().rows(); ++r) {
      std::fill(row.begin(), row.end(), 0.0);
      equations_.addRow(r, own_, row);
      out.row(r).head(n) = Eigen::Map<const Vector>(row.data(), n);
      out(r, n) = equations_.timesRow(r, velocity, own_) - own_.eq.minus_phi_t[at(r)];
    }
    return out;
  }

  void coordinatesAlong(std::span<const double> q, const Vector& motion, std::span<double> rate) override {
    coordinateRates<G>(tree_, q, {motion.data(), at(freedoms())}, rate);
  }
  int coordinates() const override { return tree_.coordinates; }

  bool differentiate(double t, const std::vector<double>& x, const Matrix& deviations, Matrix& rates) override {
    const int n = freedoms();
    const auto m = deviations.cols();
    const std::size_t size = x.size();
    along_.assign(size * static_cast<std::size_t>(m), 0.0);
    put_.resize(along_.size());
    const std::span<const double> q = std::span(x).first(at(tree_.coordinates));
    for (Eigen::Index c = 0; c < m; ++c) {
      const std::span<double> one = std::span(along_).subspan(size * static_cast<std::size_t>(c), size);
      coordinateRates<G>(tree_, q, {deviations.col(c).data(), at(n)}, one.first(q.size()));
      std::copy_n(deviations.col(c).data() + n, n, one.begin() + tree_.coordinates);
    }
    if (product_->times(t, x, modes_, along_, put_) != Eval::ok) return false;
    rates.resize(2 * n, m);
    for (Eigen::Index c = 0; c < m; ++c) {
      rates.col(c).head(n) = deviations.col(c).tail(n);
      rates.col(c).tail(n) =
          Eigen::Map<const Vector>(put_.data() + size * static_cast<std::size_t>(c) + tree_.coordinates, n);
    }
    return rates.allFinite();
  }

  Matrix drag(const Vector& xi, const Matrix& deviations) const override {
    const int n = freedoms();
    Matrix out = Matrix::Zero(2 * n, deviations.cols());
    for (std::size_t k = 0; k < directions_.size(); ++k) {
      const MotionDirection& direction = directions_[k];
      const double share = xi[static_cast<Eigen::Index>(k)];
      if (share == 0.0 || direction.kind == Kind::coordinate) continue;
      const FreeLink& link = free_[at(free_of_link_[at(direction.link)])];
      for (Eigen::Index c = 0; c < deviations.cols(); ++c) {
        out.col(c) += share * dragOf(direction, link, deviations.col(c).head(n), deviations.col(c).tail(n));
      }
    }
    return out;
  }

  Matrix mass() const override {
    massMatrix<G>(tree_, own_.pk, mass_);
    return Eigen::Map<const Matrix>(mass_.entries.data(), tree_.freedoms, tree_.freedoms);
  }

  bool observe(double t, const std::vector<double>& x, Observation& out) override {
    return made_->observe(t, x, modes_, *work_, out) == Eval::ok;
  }

 private:
  static SystemOptions recursive() {
    SystemOptions options;
    options.formulation = "recursive";
    return options;
  }

  void setTurns(const std::vector<double>& x, std::vector<double>& turns) const {
    std::copy(x.end() - static_cast<std::ptrdiff_t>(turns.size()), x.end(), turns.begin());
  }

  // Names and scales of its freedoms, and directions that begin with it.
  void addLink(int k) {
    const TreeLink<G>& link = tree_.links[at(k)];
    const std::string body = mechanism_.bodies[at(link.body)].name;
    const Joint* joint = link.joint < 0 ? nullptr : &mechanism_.joints[at(link.joint)];
    const bool whole = link.turn == TurnKind::ball || (link.slides > 1 && link.turn == TurnKind::hinge);
    int place = 0;
    bool all_free = true;
    for (const TreeColumn& column : tree_.columnsOf(k)) {
      const int own = place++;
      all_free = all_free && column.freedom >= 0;
      if (column.freedom < 0) continue;
      const bool turns = own >= link.slides;
      if (turns) scale_[column.freedom] = length();
      const int axis = turns ? own - link.slides : own;
      std::string name =
          (joint != nullptr && !whole ? joint->name : body) + "." +
          (whole || joint == nullptr
               ? (turns ? (link.turn == TurnKind::ball ? std::string("turn_") + "xyz"[axis] : "angle")
                        : std::string(1, "xyz"[axis]))
               : (turns ? (link.turn == TurnKind::cross ? fmt::format("angle_{}", axis + 1) : "angle") : "slide"));
      names_[at(column.freedom)] = {name, turns ? "rad" : "m", name + "_rate"};
      if (!(link.turn == TurnKind::ball && turns)) directions_.push_back({Kind::coordinate, k, column.freedom, name});
    }
    free_of_link_.push_back(-1);
    if (!whole || !all_free || link.order != JointOrder::slide_first) return;
    FreeLink free;
    free.link = k;
    free.ball = link.turn == TurnKind::ball;
    free.slides = link.slides;
    for (int c = 0; c < link.slides; ++c) free.slide_axis[at(c)] = asSpace3(link.slide_axis[at(c)]);
    if (link.slides > 0) free.first_slide = tree_.columnsOf(k)[0].freedom;
    free.first_turn = tree_.columnsOf(k)[at(link.slides)].freedom;
    if (!free.ball) {
      if constexpr (G::kSpatial) free.normal = asSpace3(link.frame.z);
      free.normal *= link.turn_sign;
    }
    free_of_link_.back() = static_cast<int>(free_.size());
    free_.push_back(free);
    const int spins = free.ball ? 3 : 0;
    for (int a = 0; a < spins; ++a) directions_.push_back({Kind::spin, k, a, body});
    if (free.ball) {
      for (int a = 0; a < 3; ++a) directions_.push_back({Kind::turn, k, a, body});
    } else {
      directions_.push_back({Kind::turn, k, 2, body});
    }
    for (int a = 0; a < free.slides; ++a) directions_.push_back({Kind::shift, k, a, body});
  }

  void placeFree(std::span<const double> x, const Here& here, FreeLink& free) const {
    if constexpr (G::kSpatial) {
      const Rotation3<double>& R = own_.pk.step[at(free.link)].R;
      if (free.ball) free.R << asSpace3(R.x), asSpace3(R.y), asSpace3(R.z);
    }
    if (!free.ball) free.angle = x[at(tree_.columnsOf(free.link).back().coordinate)];
    free.p = Space3(0, 0, 0);
    for (int c = 0; c < free.slides; ++c) {
      free.p += free.slide_axis[at(c)] * x[at(tree_.columnsOf(free.link)[at(c)].coordinate)];
    }
    free.p1 = free.slide(here.u);
    free.p2 = free.slide(here.a);
    free.w = free.turn(here.u);
    free.w1 = free.turn(here.a);
  }

  // Places and velocities of all bodies with Dual numbers, along deviations.
  void moveAlong(double t, const std::vector<double>& x, const Matrix& deviations) {
    const int n = freedoms();
    std::vector<Number> q(at(tree_.coordinates));
    std::vector<Number> u(at(n));
    std::vector<double> rate(q.size());
    for (std::size_t k = 0; k < q.size(); ++k) q[k] = Number(x[k]);
    for (int k = 0; k < n; ++k) u[at(k)] = Number(x[at(tree_.coordinates + k)]);
    for (Eigen::Index c = 0; c < deviations.cols(); ++c) {
      coordinateRates<G>(tree_, std::span(x).first(q.size()), {deviations.col(c).data(), at(n)}, rate);
      for (std::size_t k = 0; k < q.size(); ++k) q[k].derivatives[static_cast<std::size_t>(c)] = rate[k];
      for (int k = 0; k < n; ++k) u[at(k)].derivatives[static_cast<std::size_t>(c)] = deviations(n + k, c);
    }
    const std::size_t turns = dual_work_.eq.turns.size();
    for (std::size_t k = 0; k < turns; ++k) dual_work_.eq.turns[k] = Number(x[x.size() - turns + k]);
    dual_.place(Number(t), q, dual_work_);
    dual_.move(u, dual_work_);
  }

  Number namedAlong(const CoordinateCandidate<GD>& candidate) const {
    const auto& eq = dual_work_.eq;
    if constexpr (G::kSpatial) {
      if (candidate.turning_body >= 0) {
        // The turn of R + dR against R about the ground's axes: 1/2 sum of (column x its derivative).
        const auto& R = eq.x[at(candidate.turning_body)].R;
        Number out(0.0);
        const int y = (candidate.component + 1) % 3;
        const int z = (candidate.component + 2) % 3;
        for (const auto* column : {&R.x, &R.y, &R.z}) {
          out += ((*column)[z] * valueOf((*column)[y]) - (*column)[y] * valueOf((*column)[z])) * 0.5;
        }
        return out;
      }
    }
    const auto& quantity = candidate.quantity;
    return quantity.value(Number(0.0), {eq.x[at(quantity.i)], eq.x[at(quantity.j)]},
                          {eq.v[at(quantity.i)], eq.v[at(quantity.j)]});
  }

  // Of a small turn: the angular velocity against that of the motion itself, in its own axes, about those of the
  // ground.
  Number rateAlong(const CoordinateCandidate<GD>& candidate) const {
    if constexpr (G::kSpatial) {
      if (candidate.turning_body >= 0) {
        const auto& R = dual_work_.eq.x[at(candidate.turning_body)].R;
        const auto& w = dual_work_.eq.v[at(candidate.turning_body)].w;
        const int axis = candidate.component;
        return w.x * valueOf(R.x[axis]) + w.y * valueOf(R.y[axis]) + w.z * valueOf(R.z[axis]);
      }
    }
    return candidate.rate(dual_work_.eq);
  }

  std::unique_ptr<MechanismSystem> made_;
  const RecursiveSystem<G>& system_;
  const TreeEquations<G>& equations_;
  const Tree<G>& tree_;
  TreeEquations<GD> dual_;
  std::unique_ptr<Workspace> work_;
  typename TreeEquations<G>::Work own_;
  typename TreeEquations<GD>::Work dual_work_;
  mutable TreeMassMatrix<G> mass_;
  std::unique_ptr<JacobianProduct> product_;
  Modes modes_;
  std::vector<double> xdot_, along_, put_;
  const Mechanism& mechanism_;
  std::vector<CoordinateCandidate<GD>> candidates_;
  std::vector<Quantity> quantities_;
  std::vector<NamedQuantity<GD>> compiled_;
  std::vector<FreeLink> free_;
  std::vector<int> free_of_link_;
};

}  // namespace

std::unique_ptr<MotionField> MotionField::make(const Mechanism& mechanism, const Assembly& assembly) {
  expect(assembly.ok, "MotionField: the mechanism is not assembled");
  if (mechanism.space == Space::spatial) return std::make_unique<MotionFieldOf<Spatial<double>>>(mechanism, assembly);
  return std::make_unique<MotionFieldOf<Planar<double>>>(mechanism, assembly);
}

}  // namespace linkwork
