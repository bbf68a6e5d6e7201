// Couplings, gears, racks, expressions, curves and screws as rows of whole mechanisms, in the plane and in space.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "linkwork/formulation/absolute/absolute_system.hpp"
#include "linkwork/model/lift.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace relations_test {

using namespace test;

Joint& addRelation(Mechanism& m, const std::string& name, JointKind kind, std::vector<Term> terms, double offset) {
  Joint joint;
  joint.name = name;
  joint.kind = kind;
  joint.terms = std::move(terms);
  joint.offset = offset;
  m.joints.push_back(joint);
  return m.joints.back();
}

// Three bodies with hinges and a guide, drawn somewhere, and one relation of every kind.
Mechanism related() {
  Mechanism m;
  m.gravity = {Value(0.0), Value(-9.81), Value(0.0)};
  m.parameters.push_back({"n", Value(1.7), "", {}});
  const BodyIndex a = addBody(m, "a", 1.0, 0.2);
  const BodyIndex b = addBody(m, "b", 2.0, 0.3);
  const BodyIndex c = addBody(m, "c", 0.5, 0.1);
  addJoint(m, "H", JointKind::revolute, kGround, frameAt(0.1, 0.2), a, frameAt(-0.2, 0.1));
  addJoint(m, "K", JointKind::revolute, a, frameAt(0.3, -0.1), b, frameAt(0.2, 0.3, 0.4));
  addJoint(m, "S", JointKind::prismatic, b, frameAt(0.1, 0.1, 0.2), c, frameAt(-0.1, 0.2, -0.3));
  addRelation(m, "mesh", JointKind::gear,
              {{{QuantityKind::joint_angle, 0}, Value(1.0)}, {{QuantityKind::joint_angle, 1}, Value(2.5)}}, 0.3);
  addRelation(m, "bar", JointKind::rack,
              {{{QuantityKind::joint_slide, 2}, Value(1.0)}, {{QuantityKind::joint_angle, 1}, Value(-0.4)}}, 0.1)
      .unit = RelationUnit::length;
  addRelation(m, "sum", JointKind::coupling,
              {{{QuantityKind::joint_angle, 0}, Value(1.0)},
               {{QuantityKind::joint_angle, 1}, Value(1.7, Expr::symbol("n"))},
               {{QuantityKind::joint_slide, 2}, Value(-3.0)}},
              0.0);
  Joint& formula = addRelation(m, "formula", JointKind::expression, {}, 0.0);
  const auto s = [](const char* name) { return Expr::symbol(name); };
  formula.expression = sin(s("t") * s("H.angle")) * s("b.x") + s("c.y") * s("c.y") * s("n") -
                       sqrt(Expr(3.0) + s("a.x") * s("S.slide")) + cos(s("t"));
  Joint& cam = addJoint(m, "cam", JointKind::curve, a, frameAt(0.4, 0.0), c, frameAt(0.0, 0.1, 0.5));
  for (const auto& [x, y] : {std::pair{-3.0, 0.3}, {-1.0, -0.5}, {1.0, 0.4}, {3.0, -0.2}})
    cam.curve.points.push_back({Value(x), Value(y)});
  cam.curve.offset = 0.15;
  return m;
}

Mechanism relatedInSpace() {
  Mechanism m = liftToSpace(related());
  addJoint(m, "jack", JointKind::screw, BodyIndex(1), frameAt(0.1, 0.0), BodyIndex(2), frameAt(0.0, 0.2)).pitch = 0.3;
  addJoint(m, "shaft", JointKind::constant_velocity, BodyIndex(0), frameAt(0.1, 0.0), BodyIndex(1), frameAt(0.0, 0.2));
  return m;
}

template <class F>
class Relations : public ::testing::Test {
 public:
  static Mechanism mechanism() { return F::kSpatial ? relatedInSpace() : related(); }
};
using Geometries = ::testing::Types<Planar<double>, Spatial<double>>;
TYPED_TEST_SUITE(Relations, Geometries);

template <class G>
struct OfDual;
template <>
struct OfDual<Planar<double>> {
  using type = Planar<Dual<8>>;
};
template <>
struct OfDual<Spatial<double>> {
  using type = Spatial<Dual<8>>;
};

template <class G>
void disturb(std::vector<double>& q, std::vector<double>& v, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-0.6, 0.6);
  q.clear();
  v.clear();
  for (int b = 0; b < 3; ++b) {
    std::array<double, G::kCoordinates> own{};
    if constexpr (G::kSpatial) own[3] = 1.0;
    std::array<double, G::kFreedoms> step{};
    for (double& value : step) value = number(random);
    retract(G{}, own, step);
    q.insert(q.end(), own.begin(), own.end());
    for (int k = 0; k < G::kFreedoms; ++k) v.push_back(2.0 * number(random));
  }
}

// Phi_q and Gamma of all rows, off the surface: against derivatives of Phi along the freedoms, and of Phi_q v along a
// motion q' = v, v' = a (Dual, no difference quotient).
TYPED_TEST(Relations, SlopesAndGammaAreThoseOfPhi) {
  using G = TypeParam;
  using GD = typename OfDual<G>::type;
  using D = Dual<8>;
  const Mechanism m = this->mechanism();
  const AbsoluteEquations<G> equations(m);
  const AbsoluteEquations<GD> duals(m);
  auto work = equations.makeWork();
  auto dual_work = duals.makeWork();
  for (unsigned seed = 1; seed <= 10; ++seed) {
    std::vector<double> q;
    std::vector<double> v;
    disturb<G>(q, v, seed);
    const double t = 0.3 + 0.1 * seed;
    equations.positions(t, q, work);
    equations.velocities(v, work);
    const auto dense = [&](const auto& jacobian, int row, int freedom) {
      double sum = 0.0;
      for (int p = equations.rowStart()[at(row)]; p < equations.rowStart()[at(row) + 1]; ++p) {
        if (equations.rowBodies()[at(p)] != freedom / G::kFreedoms) continue;
        const auto& entry = jacobian[at(p * G::kFreedoms + freedom % G::kFreedoms)];
        sum += valueOf(entry);
      }
      return sum;
    };
    std::vector<D> q_dual(q.size());
    for (int f = 0; f < equations.freedoms(); ++f) {
      std::vector<double> unit(v.size(), 0.0);
      unit[at(f)] = 1.0;
      for (int b = 0; b < 3; ++b) {
        std::array<double, G::kCoordinates> rate{};
        G::coordinateRate(std::span<const double>(q).subspan(at(b * G::kCoordinates), at(G::kCoordinates)),
                          std::span<const double>(unit).subspan(at(b * G::kFreedoms), at(G::kFreedoms)), rate);
        for (std::size_t k = 0; k < rate.size(); ++k) {
          D& entry = q_dual[at(b * G::kCoordinates) + k];
          entry = D(q[at(b * G::kCoordinates) + k]);
          entry.derivatives[0] = rate[k];
        }
      }
      duals.positions(D(t), q_dual, dual_work);
      for (int r = 0; r < equations.rows(); ++r) {
        EXPECT_NEAR(dense(work.jacobian, r, f), dual_work.phi[at(r)].derivatives[0], 1e-12)
            << equations.elements().row_info[at(r)].name << " freedom " << f << " seed " << seed;
      }
    }
    // Along the motion: d/dt (Phi_q v + Phi_t) = Phi_q a - Gamma, with a = some numbers.
    std::vector<D> v_dual(v.size());
    std::vector<double> a(v.size());
    for (std::size_t k = 0; k < v.size(); ++k) {
      a[k] = std::sin(3.0 + static_cast<double>(k));
      v_dual[k] = D(v[k]);
      v_dual[k].derivatives[0] = a[k];
    }
    for (int b = 0; b < 3; ++b) {
      std::array<double, G::kCoordinates> rate{};
      G::coordinateRate(std::span<const double>(q).subspan(at(b * G::kCoordinates), at(G::kCoordinates)),
                        std::span<const double>(v).subspan(at(b * G::kFreedoms), at(G::kFreedoms)), rate);
      for (std::size_t k = 0; k < rate.size(); ++k) q_dual[at(b * G::kCoordinates) + k].derivatives[0] = rate[k];
    }
    D time(t);
    time.derivatives[0] = 1.0;
    duals.positions(time, q_dual, dual_work);
    duals.velocities(v_dual, dual_work);
    for (int r = 0; r < equations.rows(); ++r) {
      D residual = -dual_work.minus_phi_t[at(r)];
      double inertial = 0.0;
      for (int p = equations.rowStart()[at(r)]; p < equations.rowStart()[at(r) + 1]; ++p) {
        for (int k = 0; k < G::kFreedoms; ++k) {
          const std::size_t u = at(equations.rowBodies()[at(p)] * G::kFreedoms + k);
          residual += dual_work.jacobian[at(p * G::kFreedoms + k)] * v_dual[u];
          inertial += work.jacobian[at(p * G::kFreedoms + k)] * a[u];
        }
      }
      const std::string& name = equations.elements().row_info[at(r)].name;
      EXPECT_NEAR(work.gamma[at(r)], inertial - residual.derivatives[0], 1e-11) << name << " seed " << seed;
      // And Phi_q v + Phi_t is the rate of Phi.
      EXPECT_NEAR(residual.value, dual_work.phi[at(r)].derivatives[0], 1e-12) << name << " seed " << seed;
    }
  }
}

// The bodies of a row are those it names, each once; the ground has none.
TEST(RelationRows, TouchTheBodiesOfTheirTerms) {
  const AbsoluteEquations<Planar<double>> equations(related());
  const auto bodiesOf = [&](const std::string& name) {
    const auto& info = equations.elements().row_info;
    for (std::size_t r = 0; r < info.size(); ++r) {
      if (info[r].name != name) continue;
      return std::vector<int>(equations.rowBodies().begin() + equations.rowStart()[r],
                              equations.rowBodies().begin() + equations.rowStart()[r + 1]);
    }
    return std::vector<int>{-1};
  };
  EXPECT_EQ(bodiesOf("mesh.mesh"), (std::vector<int>{0, 1}));
  EXPECT_EQ(bodiesOf("bar.mesh"), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(bodiesOf("sum.relation"), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(bodiesOf("formula.relation"), (std::vector<int>{0, 1, 2}));
}

}  // namespace relations_test
}  // namespace linkwork
