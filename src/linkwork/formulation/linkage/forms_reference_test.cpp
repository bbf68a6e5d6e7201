// Every coefficient of the forms against values that were derived independently, to 1e-12 of the largest entry.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/linkage/reference_linkages_for_tests.hpp"
#include "linkwork/linalg/decompositions.hpp"

namespace linkwork::linkage {
namespace forms_reference_test {

constexpr double kTolerance = 1e-12;  // of the largest entry; the values are given with 15 digits
constexpr Form kForms[] = {Form::rud,        Form::statement1, Form::statement2, Form::statement3,
                           Form::statement4, Form::statement5, Form::statement6};
constexpr Trig kTrigs[] = {Trig::pairwise, Trig::vectors};

void expectNear(const std::vector<double>& got, const std::vector<double>& expected, const char* what) {
  ASSERT_EQ(got.size(), expected.size()) << what;
  double largest = 0.0;
  for (const double e : expected) largest = std::max(largest, std::abs(e));
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_NEAR(got[i], expected[i], kTolerance * largest) << what << ", entry " << i;
  }
}

std::vector<double> flat(const std::vector<Vec2<double>>& list) {
  std::vector<double> out;
  for (const Vec2<double>& v : list) {
    out.push_back(v.x);
    out.push_back(v.y);
  }
  return out;
}

class Reference : public testing::TestWithParam<int> {
 protected:
  static ReferenceLinkage linkage() { return GetParam() == 0 ? serialThree() : branchedFive(); }
};

FormWork<double> made(const ReferenceLinkage& r, Form form, Trig trig, Bias bias = Bias::coefficients) {
  FormWork<double> work(r.tree);
  equations(form, trig, bias, r.tree, r.constants, r.inputsFor(form), work, Unnamed{});
  return work;
}

TEST_P(Reference, AugmentedBodies) {
  const ReferenceLinkage r = linkage();
  std::vector<double> m, md, delta, J;
  for (const auto& link : r.constants.link) {
    m.push_back(link.m);
    md.push_back(link.mu_polar.length);
    delta.push_back(link.mu_polar.angle);
    J.push_back(link.J);
  }
  expectNear(m, r.m, "m");
  expectNear(md, r.md, "md");
  expectNear(delta, r.delta, "delta");
  expectNear(J, r.J, "J");
}

TEST_P(Reference, RecurrentEquations) {
  const ReferenceLinkage r = linkage();
  for (const Trig trig : kTrigs) {
    const FormWork<double> work = made(r, Form::rud, trig);
    expectNear(work.acceleration.values, r.H, "H");
    expectNear(work.velocity.values, r.h, "h");
    expectNear(work.gravity, r.G, "G");
    expectNear(work.load, r.MA, "MA");
    double twice_kinetic = 0.0;
    for (int k = 0; k < r.tree.links(); ++k) {
      for (int i = 0; i < r.tree.links(); ++i) {
        twice_kinetic += work.acceleration(k, i) * r.rate[at(k)] * r.rate[at(i)];
      }
    }
    EXPECT_NEAR(twice_kinetic / 2, r.kinetic, kTolerance * r.kinetic);
  }
}

TEST_P(Reference, StatementsInAbsoluteAngles) {
  const ReferenceLinkage r = linkage();
  for (const Form form : {Form::statement1, Form::statement2, Form::statement3}) {
    for (const Trig trig : kTrigs) {
      const FormWork<double> work = made(r, form, trig);
      for (const Entry& e : r.A) EXPECT_NEAR(work.acceleration(e.k, e.i), e.value, kTolerance);
      for (const Entry& e : r.a) EXPECT_NEAR(work.velocity(e.k, e.i), e.value, kTolerance);
      for (const Entry& e : r.B) EXPECT_NEAR(work.acceleration(e.i, e.k), e.value, kTolerance);
      for (const Entry& e : r.b) EXPECT_NEAR(work.velocity(e.i, e.k), e.value, kTolerance);
      expectNear(work.gravity, r.Go, "Go");
      expectNear(work.load, r.MR, "MR");
    }
  }
}

TEST_P(Reference, StatementsInRelativeAngles) {
  const ReferenceLinkage r = linkage();
  for (const Form form : {Form::statement4, Form::statement5, Form::statement6}) {
    for (const Trig trig : kTrigs) {
      const FormWork<double> work = made(r, form, trig);
      expectNear(work.acceleration.values, r.Hr, "Hr");
      expectNear(work.velocity.values, r.hr, "hr");
      expectNear(work.gravity, r.Go, "Go");
      expectNear(work.load, r.MR, "MR");
    }
  }
}

TEST_P(Reference, AccelerationsByEveryForm) {
  const ReferenceLinkage r = linkage();
  for (const Form form : kForms) {
    for (const Trig trig : kTrigs) {
      for (const Bias bias : {Bias::coefficients, Bias::sweep}) {
        if (bias == Bias::sweep && trig == Trig::pairwise) continue;
        FormWork<double> work = made(r, form, trig, bias);
        std::vector<double> x(r.angle.size());
        solve<double>(r.tree, work, x, Unnamed{});
        expectNear(x, isRelative(form) ? r.relative_acceleration : r.acceleration, "acceleration");
      }
    }
  }
}

TEST_P(Reference, AccelerationsAndHingeForcesByElimination) {
  const ReferenceLinkage r = linkage();
  for (const HingeForces forces : {HingeForces::no, HingeForces::yes}) {
    EliminationWork<double> elimination(r.tree);
    eliminate(r.tree, r.constants, r.inputs(), forces, elimination, Unnamed{});
    expectNear(elimination.acceleration, r.acceleration, "acceleration");
    if (forces == HingeForces::yes) expectNear(flat(elimination.hinge), flat(r.hinge), "hinge forces");
  }
}

TEST_P(Reference, TorquesAndHingeForcesBySweep) {
  const ReferenceLinkage r = linkage();
  SweepWork<double> sweeps(r.tree);
  sweep<double>(r.tree, r.constants, r.inputs(), r.acceleration, HingeForces::yes, sweeps, Unnamed{});
  expectNear(sweeps.torque, r.drive, "torques");
  expectNear(flat(sweeps.hinge), flat(r.hinge), "hinge forces");
}

INSTANTIATE_TEST_SUITE_P(LinkageForms, Reference, testing::Values(0, 1));

// [acceleration, -phi^T; phi, 0] [x; F] = [rhs; gamma]
Eigen::VectorXd solveWithCuts(const ReferenceLinkage& r, const FormWork<double>& work) {
  const int n = r.tree.links();
  const int rows = 2 * r.tree.cutCount();
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + rows, n + rows);
  Eigen::VectorXd right(n + rows);
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < n; ++i) K(k, i) = work.acceleration(k, i);
    right(k) = work.rhs[at(k)];
  }
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < n; ++i) {
      K(n + row, i) = work.phi[at(row) * at(n) + at(i)];
      K(i, n + row) = -K(n + row, i);
    }
    right(n + row) = work.gamma[at(row)];
  }
  return K.partialPivLu().solve(right);
}

TEST(LinkageForms, FourBarWithItsCut) {
  const ReferenceLinkage r = fourBar();
  FormWork<double> work(r.tree);
  for (const Trig trig : kTrigs) {
    equations(Form::rud, trig, Bias::coefficients, r.tree, r.constants, r.inputs(), work, Unnamed{});
    closure(r.tree, r.constants, work, Unnamed{});
    expectNear(work.acceleration.values, r.H, "H");
    expectNear(work.velocity.values, r.h, "h");
    expectNear(work.gravity, r.G, "G");
    expectNear(work.load, r.MA, "MA");
    expectNear(work.phi, r.phi, "Phi");
    expectNear(work.gamma, r.gamma, "gamma");
    for (int row = 0; row < 2; ++row) {
      EXPECT_NEAR(work.f[at(row)], 0.0, kTolerance);
      double rate = 0.0;
      for (int i = 0; i < 3; ++i) rate += work.phi[at(3 * row + i)] * r.rate[at(i)];
      EXPECT_NEAR(rate, 0.0, kTolerance);
    }
    double reduced = 0.0;
    for (int k = 0; k < 3; ++k) {
      for (int i = 0; i < 3; ++i) reduced += work.acceleration(k, i) * r.rate[at(k)] * r.rate[at(i)] / 36.0;
    }
    EXPECT_NEAR(reduced, r.reduced_inertia, kTolerance);
    const Eigen::VectorXd x = solveWithCuts(r, work);
    expectNear({x(0), x(1), x(2)}, r.acceleration, "acceleration");
    expectNear({x(3), x(4)}, r.reaction, "reaction");
  }
}

TEST(LinkageForms, FourBarWithItsCutInRelativeAngles) {
  const ReferenceLinkage r = fourBar();
  FormWork<double> work(r.tree);
  for (const Form form : {Form::statement4, Form::statement5, Form::statement6}) {
    equations(form, Trig::vectors, Bias::coefficients, r.tree, r.constants, r.relativeInputs(), work, Unnamed{});
    closure(r.tree, r.constants, work, Unnamed{});
    const Eigen::VectorXd x = solveWithCuts(r, work);
    expectNear({x(0), x(1), x(2)}, differences(r.tree, r.acceleration), "acceleration");
    expectNear({x(3), x(4)}, r.reaction, "reaction");
  }
}

// The reactions of the cuts join the loads; the sweep then gives the forces in the hinges of the tree.
TEST(LinkageForms, FourBarHingeForcesFromTheCut) {
  ReferenceLinkage r = fourBar();
  const Vec2<double> F{r.reaction[0], r.reaction[1]};
  const Vec2<double> arm = Rotation2<double>::fromAngle(r.angle[2]) * r.constants.cut[0].on_a;
  r.force[2] += F;
  r.moment[2] += cross(arm, F);
  SweepWork<double> sweeps(r.tree);
  sweep<double>(r.tree, r.constants, r.inputs(), r.acceleration, HingeForces::yes, sweeps, Unnamed{});
  expectNear(sweeps.torque, r.drive, "torques");
  expectNear(flat(sweeps.hinge), flat(r.hinge), "hinge forces");
}

}  // namespace forms_reference_test
}  // namespace linkwork::linkage
