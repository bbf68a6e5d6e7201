// What must hold between the forms on any linkage: random forests with forks, several roots and loads of every kind.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/linkage/random_linkage_for_tests.hpp"
#include "linkwork/linalg/as_vector.hpp"
#include "linkwork/linalg/decompositions.hpp"

namespace linkwork::linkage {
namespace forms_test {

constexpr double kTolerance = 1e-12;  // of the largest entry: sums of some hundred terms of mixed sign
constexpr Form kForms[] = {Form::rud,        Form::statement1, Form::statement2, Form::statement3,
                           Form::statement4, Form::statement5, Form::statement6};

struct Choice {
  Form form;
  Trig trig;
  Bias bias;
};

std::vector<Choice> allChoices() {
  std::vector<Choice> out;
  for (const Form form : kForms) {
    out.push_back({form, Trig::pairwise, Bias::coefficients});
    out.push_back({form, Trig::vectors, Bias::coefficients});
    out.push_back({form, Trig::vectors, Bias::sweep});
  }
  return out;
}

double largest(const std::vector<double>& list) {
  double out = 0.0;
  for (const double e : list) out = std::max(out, std::abs(e));
  return out;
}

void expectSame(const std::vector<double>& a, const std::vector<double>& b, const char* what) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], kTolerance * largest(b)) << what << " " << i;
}

Eigen::MatrixXd matrixOf(const SquareTable<double>& table) {
  Eigen::MatrixXd out(table.n, table.n);
  for (int k = 0; k < table.n; ++k) {
    for (int i = 0; i < table.n; ++i) out(k, i) = table(k, i);
  }
  return out;
}

// C_ij = 1 if j lies on the way from the ground to i: w = C q'.
Eigen::MatrixXd chains(const LinkageTree& tree) {
  Eigen::MatrixXd C = Eigen::MatrixXd::Zero(tree.links(), tree.links());
  for (int i = 0; i < tree.links(); ++i) {
    for (int j = i; j >= 0; j = tree.base(j)) C(i, j) = 1.0;
  }
  return C;
}

FormWork<double> made(const RandomLinkage& r, const Choice& c) {
  FormWork<double> work(r.tree);
  equations(c.form, c.trig, c.bias, r.tree, r.constants, r.inputsFor(c.form), work, Unnamed{});
  return work;
}

class Forms : public testing::TestWithParam<int> {
 protected:
  static RandomLinkage linkage() { return randomLinkage(static_cast<unsigned>(GetParam()), 1 + GetParam() % 9); }
};

TEST_P(Forms, AllAskForTheSameTorques) {
  RandomLinkage r = linkage();
  SweepWork<double> sweeps(r.tree);
  sweep<double>(r.tree, r.constants, r.inputsFor(Form::rud), r.acceleration, HingeForces::no, sweeps, Unnamed{});
  r.drive.clear();
  for (const Choice& choice : allChoices()) {
    FormWork<double> work = made(r, choice);
    std::vector<double> torque(r.angle.size());
    torques<double>(r.tree, r.accelerationFor(choice.form), work, torque, Unnamed{});
    expectSame(torque, sweeps.torque, "torque");
  }
}

TEST_P(Forms, AllGiveTheSameAccelerations) {
  const RandomLinkage r = linkage();
  EliminationWork<double> elimination(r.tree);
  eliminate(r.tree, r.constants, r.inputsFor(Form::rud), HingeForces::no, elimination, Unnamed{});
  const std::vector<double> relative = relativeTo(r.tree, elimination.acceleration);
  for (const Choice& choice : allChoices()) {
    FormWork<double> work = made(r, choice);
    // The condition of H limits how well two ways of solving can agree.
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(matrixOf(work.acceleration));
    const double condition = svd.singularValues()(0) / svd.singularValues()(r.tree.links() - 1);
    std::vector<double> x(r.angle.size());
    solve<double>(r.tree, work, x, Unnamed{});
    const std::vector<double>& expected = isRelative(choice.form) ? relative : elimination.acceleration;
    for (std::size_t k = 0; k < x.size(); ++k) {
      EXPECT_NEAR(x[k], expected[k], 1e-15 * (100.0 + condition) * largest(expected));
    }
  }
}

TEST_P(Forms, SweepAndEliminationAreInverse) {
  const RandomLinkage r = linkage();
  EliminationWork<double> elimination(r.tree);
  eliminate(r.tree, r.constants, r.inputsFor(Form::rud), HingeForces::yes, elimination, Unnamed{});
  SweepWork<double> sweeps(r.tree);
  sweep<double>(r.tree, r.constants, r.inputsFor(Form::rud), elimination.acceleration, HingeForces::yes, sweeps,
                Unnamed{});
  // Torques are differences of what accelerations of this size bring about.
  double size = largest(r.drive);
  for (int k = 0; k < r.tree.links(); ++k) {
    size = std::max(size, std::abs(r.constants.link[at(k)].J * elimination.acceleration[at(k)]));
  }
  for (int k = 0; k < r.tree.links(); ++k) {
    EXPECT_NEAR(sweeps.torque[at(k)], r.drive[at(k)], kTolerance * size);
    EXPECT_NEAR(sweeps.hinge[at(k)].x, elimination.hinge[at(k)].x, 1e-11 * size);
    EXPECT_NEAR(sweeps.hinge[at(k)].y, elimination.hinge[at(k)].y, 1e-11 * size);
  }
}

// [A|B] = C^T H, [a|b] = C^T h, Go = C^T G, MR = C^T MA, Hr = C^T H C, hr = C^T h C, C u = w^2, S = C^-T
TEST_P(Forms, AreSumsOfTheRecurrentEquations) {
  const RandomLinkage r = linkage();
  const Eigen::MatrixXd C = chains(r.tree);
  const FormWork<double> rud = made(r, {Form::rud, Trig::pairwise, Bias::coefficients});
  const Eigen::MatrixXd H = matrixOf(rud.acceleration);
  const Eigen::MatrixXd h = matrixOf(rud.velocity);
  const double size = std::max(
      {H.cwiseAbs().maxCoeff(), asVector(rud.gravity).cwiseAbs().maxCoeff(), asVector(rud.load).cwiseAbs().maxCoeff()});
  const double tolerance = kTolerance * size;
  for (const Choice& choice : allChoices()) {
    if (choice.bias == Bias::sweep) continue;
    const FormWork<double> work = made(r, choice);
    const Eigen::MatrixXd after =
        isRelative(choice.form) ? C : Eigen::MatrixXd::Identity(r.tree.links(), r.tree.links());
    const Eigen::MatrixXd before = choice.form == Form::rud ? Eigen::MatrixXd::Identity(C.rows(), C.rows()) : C;
    EXPECT_LE((matrixOf(work.acceleration) - before.transpose() * H * after).cwiseAbs().maxCoeff(), tolerance);
    EXPECT_LE((matrixOf(work.velocity) - before.transpose() * h * after).cwiseAbs().maxCoeff(), tolerance);
    EXPECT_LE((asVector(work.gravity) - before.transpose() * asVector(rud.gravity)).cwiseAbs().maxCoeff(), tolerance);
    EXPECT_LE((asVector(work.load) - before.transpose() * asVector(rud.load)).cwiseAbs().maxCoeff(), tolerance);
    EXPECT_LE((asVector(work.drive) - before.transpose() * asVector(rud.drive)).cwiseAbs().maxCoeff(), tolerance);
    if (isRelative(choice.form)) {
      EXPECT_LE((C * asVector(work.squares) - asVector(rud.squares)).cwiseAbs().maxCoeff(),
                kTolerance * largest(rud.squares));
    }
  }
}

// Sums over what a link carries: the first moment of all of it about O_k, and the inertia of all of it, frozen.
TEST_P(Forms, AugmentedBodiesAddUpToWhatIsCarried) {
  const RandomLinkage r = linkage();
  const FormWork<double> work = made(r, {Form::statement6, Trig::vectors, Bias::coefficients});
  const FormWork<double> absolute = made(r, {Form::rud, Trig::vectors, Bias::coefficients});
  for (int k = 0; k < r.tree.links(); ++k) {
    Vec2<double> first_moment, of_links;
    double inertia = 0.0;
    for (int j = k; j < r.tree.links(); ++j) {
      if (!r.tree.carries(k, j)) continue;
      of_links += absolute.place.mu[at(j)];
      const LinkConstants<double>& link = r.constants.link[at(j)];
      Vec2<double> centre = Rotation2<double>::fromAngle(r.angle[at(j)]) * link.centre;
      for (int i = j; i != k; i = r.tree.base(i)) centre += absolute.place.R[at(i)];
      first_moment += centre * link.mass;
      inertia += link.inertia + link.mass * dot(centre, centre);
    }
    EXPECT_NEAR(of_links.x, first_moment.x, kTolerance);
    EXPECT_NEAR(of_links.y, first_moment.y, kTolerance);
    EXPECT_NEAR(work.acceleration(k, k), inertia, kTolerance * inertia);
  }
}

// h_ki = dH_ki / d al_i; and the power of the terms with h is that of the change of H: w^T h w^2 = w^T H' w / 2.
TEST_P(Forms, VelocityTermsAreDerivativesOfTheMassMatrix) {
  const RandomLinkage r = linkage();
  const int n = r.tree.links();
  LinkageConstants<Dual<8>> constants;
  for (const LinkConstants<double>& link : r.constants.link) {
    LinkConstants<Dual<8>> lifted;
    lifted.mass = link.mass;
    lifted.inertia = link.inertia;
    lifted.centre = {link.centre.x, link.centre.y};
    lifted.R = {link.R.x, link.R.y};
    constants.link.push_back(lifted);
  }
  augment(r.tree, constants, Unnamed{});
  const FormWork<double> plain = made(r, {Form::rud, Trig::pairwise, Bias::coefficients});
  FormWork<Dual<8>> work(r.tree);
  for (const Trig trig : {Trig::pairwise, Trig::vectors}) {
    for (int i = 0; i < n; ++i) {
      std::vector<Dual<8>> angle(r.angle.begin(), r.angle.end());
      angle[at(i)] = Dual<8>::variable(r.angle[at(i)]);
      for (int j = 0; j < n; ++j) angle[at(j)].derivatives[1] = r.rate[at(j)];
      equations(Form::rud, trig, Bias::coefficients, r.tree, constants, {angle, {}, {}, {}, {}, {}}, work, Unnamed{});
      double power = 0.0;
      double rate = 0.0;
      for (int k = 0; k < n; ++k) {
        if (k != i) {
          EXPECT_NEAR(plain.velocity(k, i), work.acceleration(k, i).derivative(0), kTolerance * 10);
        }
        for (int j = 0; j < n; ++j) {
          power += r.rate[at(k)] * plain.velocity(k, j) * r.rate[at(j)] * r.rate[at(j)];
          rate += 0.5 * r.rate[at(k)] * work.acceleration(k, j).derivative(1) * r.rate[at(j)];
        }
      }
      EXPECT_NEAR(power, rate, 1e-11 * (1.0 + std::abs(rate)));
    }
  }
}

// Frames turned to the hinges are other marks on the same links.
TEST_P(Forms, DoNotDependOnTheFramesOfTheLinks) {
  const RandomLinkage r = linkage();
  LinkageConstants<double> turned = r.constants;
  turnToHinges(r.tree, turned, Unnamed{});
  augment(r.tree, turned, Unnamed{});
  for (const Choice& choice : allChoices()) {
    const FormWork<double> expected = made(r, choice);
    FormWork<double> work(r.tree);
    equations(choice.form, choice.trig, choice.bias, r.tree, turned, r.inputsFor(choice.form), work, Unnamed{});
    expectSame(work.acceleration.values, expected.acceleration.values, "acceleration");
    expectSame(work.rhs, expected.rhs, "rhs");
  }
  EliminationWork<double> a(r.tree);
  EliminationWork<double> b(r.tree);
  eliminate(r.tree, r.constants, r.inputsFor(Form::rud), HingeForces::no, a, Unnamed{});
  eliminate(r.tree, turned, r.inputsFor(Form::rud), HingeForces::no, b, Unnamed{});
  for (std::size_t k = 0; k < a.acceleration.size(); ++k) {
    EXPECT_NEAR(a.acceleration[k], b.acceleration[k], 1e-10 * largest(a.acceleration));  // the condition of H comes in
  }
}

INSTANTIATE_TEST_SUITE_P(LinkageForms, Forms, testing::Range(1, 28));

// A link whose mass is balanced about its hinge has no direction of mu.
TEST(LinkageForms, BalancedAndMasslessLinksNeedNothingSpecial) {
  RandomLinkage r = randomLinkage(5, 5);
  r.tree = LinkageTree({-1, 0, 1, 1, 3});
  r.constants.link[4].centre = {0.0, 0.0};  // a leaf with its centre in the hinge
  // Link 2 carries link 3 only: a counterweight brings mu to zero.
  r.constants.link[2].mass = 0.0;
  r.constants.link[2].inertia = 0.2;
  r.constants.link[1].centre =
      r.constants.link[2].R * -(r.constants.link[2].mass / r.constants.link[1].mass) -
      r.constants.link[3].R * ((r.constants.link[3].mass + r.constants.link[4].mass) / r.constants.link[1].mass);
  augment(r.tree, r.constants, Unnamed{});
  EXPECT_NEAR(r.constants.link[1].mu.x, 0.0, 1e-15);
  EXPECT_EQ(r.constants.link[4].mu.x, 0.0);
  r.relative_angle = relativeTo(r.tree, r.angle);
  r.relative_rate = relativeTo(r.tree, r.rate);
  r.relative_acceleration = relativeTo(r.tree, r.acceleration);
  SweepWork<double> sweeps(r.tree);
  sweep<double>(r.tree, r.constants, r.inputsFor(Form::rud), r.acceleration, HingeForces::no, sweeps, Unnamed{});
  r.drive.clear();
  for (const Choice& choice : allChoices()) {
    FormWork<double> work = made(r, choice);
    std::vector<double> torque(r.angle.size());
    torques<double>(r.tree, r.accelerationFor(choice.form), work, torque, Unnamed{});
    expectSame(torque, sweeps.torque, "torque");
  }
}

TEST(LinkageTree, KnowsWhatIsCarriedByWhat) {
  const LinkageTree tree({-1, 0, -1, 1, 0, 2}, {{3, 4}, {5, -1}});
  EXPECT_TRUE(tree.carries(0, 3));
  EXPECT_TRUE(tree.carries(0, 0));
  EXPECT_FALSE(tree.carries(3, 0));
  EXPECT_FALSE(tree.carries(0, 5));
  EXPECT_FALSE(tree.carries(1, 4));
  EXPECT_TRUE(tree.carries(2, 5));
  EXPECT_EQ(tree.next(0, 3), 1);
  EXPECT_EQ(tree.depth(3), 2);
  EXPECT_EQ(std::vector<int>(tree.children(0).begin(), tree.children(0).end()), (std::vector<int>{1, 4}));
}

}  // namespace forms_test
}  // namespace linkwork::linkage
