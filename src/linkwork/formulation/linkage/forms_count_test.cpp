// How many operations the forms take, counted on the formulas that the same kernels write: every node once, operations
// among constants not at all, a doubling as an addition, a square as a multiplication, signs for nothing.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <ostream>
#include <string>

#include "linkwork/formulation/linkage/forms.hpp"

namespace linkwork::linkage {
namespace forms_count_test {

struct Counts {
  int mul = 0;  // and divisions
  int add = 0;
  int trig = 0;
};

std::ostream& operator<<(std::ostream& out, const Counts& c) {
  return out << fmt::format("{}/{}/{}", c.mul, c.add, c.trig);
}

bool atMost(const Counts& a, const Counts& b) { return a.mul <= b.mul && a.add <= b.add && a.trig <= b.trig; }

Counts count(const std::vector<Expr>& roots) {
  Counts counts;
  std::map<std::uint64_t, bool> varies;  // whether a node depends on the motion
  for (const Expr& e : postOrder(roots)) {
    bool moving = e.isSymbol() && e.name().starts_with("@");
    for (const Expr& operand : e.operands()) moving = moving || varies.at(operand.id());
    varies[e.id()] = moving;
    if (!moving) continue;
    switch (e.kind()) {
      case ExprKind::Sym:
      case ExprKind::Neg: break;
      case ExprKind::Add:
      case ExprKind::Sub: ++counts.add; break;
      case ExprKind::Mul:
        if (e.operands()[0].isNumber(-1.0) || e.operands()[1].isNumber(-1.0)) break;
        ++(e.operands()[0].isNumber(2.0) || e.operands()[1].isNumber(2.0) ? counts.add : counts.mul);
        break;
      case ExprKind::Div: ++counts.mul; break;
      case ExprKind::Pow:
        EXPECT_TRUE(e.operands()[1].isNumber(2.0));
        ++counts.mul;
        break;
      case ExprKind::Sin:
      case ExprKind::Cos: ++counts.trig; break;
      default: ADD_FAILURE() << "an operation that the forms do not need";
    }
  }
  return counts;
}

enum class Centres { anywhere, on_hinge_lines };

// A chain whose parameters are all letters; gravity (0, -g); symbols of the motion start with @.
struct Chain {
  LinkageTree tree;
  LinkageConstants<Expr> constants;
  std::vector<Expr> angle, rate, drive, acceleration;

  Chain(int n, Centres centres, bool turned = false) {
    std::vector<int> base;
    for (int k = 0; k < n; ++k) {
      const auto letter = [k](const char* name) { return Expr::symbol(fmt::format("{}_{}", name, k + 1)); };
      base.push_back(k - 1);
      LinkConstants<Expr> link;
      link.mass = letter("mo");
      link.inertia = letter("Jo");
      const bool general = centres == Centres::anywhere;
      link.centre = {letter("cx"), general ? letter("cy") : Expr(0.0)};
      link.R = {letter("Rx"), general ? letter("Ry") : Expr(0.0)};
      constants.link.push_back(link);
      angle.push_back(letter("@al"));
      rate.push_back(letter("@w"));
      drive.push_back(letter("@M"));
      acceleration.push_back(letter("@a"));
    }
    constants.gravity = {0.0, -Expr::symbol("g")};
    tree = LinkageTree(base);
    if (turned) turnToHinges(tree, constants, Unnamed{});
    augment(tree, constants, Unnamed{});
  }
  LinkageInputs<Expr> inputs(bool driven = true) const {
    return {angle, rate, driven ? std::span<const Expr>(drive) : std::span<const Expr>(), {}, {}, {}};
  }
};

struct FormChoice {
  Form form;
  Trig trig;
  Bias bias;
};

Counts rightSideCounts(const Chain& chain, const FormChoice& c) {
  FormWork<Expr> work(chain.tree);
  equations(c.form, c.trig, c.bias, chain.tree, chain.constants, chain.inputs(), work, Unnamed{});
  std::vector<Expr> roots = work.acceleration.values;
  roots.insert(roots.end(), work.rhs.begin(), work.rhs.end());
  return count(roots);
}

Counts forwardCounts(const Chain& chain, const FormChoice& c) {
  FormWork<Expr> work(chain.tree);
  equations(c.form, c.trig, c.bias, chain.tree, chain.constants, chain.inputs(), work, Unnamed{});
  std::vector<Expr> x(chain.angle.size());
  solve<Expr>(chain.tree, work, x, Unnamed{});
  return count(x);
}

Counts inverseCounts(const Chain& chain, const FormChoice& c) {
  FormWork<Expr> work(chain.tree);
  equations(c.form, c.trig, c.bias, chain.tree, chain.constants, chain.inputs(false), work, Unnamed{});
  std::vector<Expr> M(chain.angle.size());
  torques<Expr>(chain.tree, chain.acceleration, work, M, Unnamed{});
  return count(M);
}

constexpr FormChoice kRudPrinted{Form::rud, Trig::pairwise, Bias::coefficients};
constexpr FormChoice kRudVectors{Form::rud, Trig::vectors, Bias::coefficients};
constexpr FormChoice kRudSweep{Form::rud, Trig::vectors, Bias::sweep};
constexpr FormChoice kThreePrinted{Form::statement3, Trig::pairwise, Bias::coefficients};
constexpr FormChoice kThreeVectors{Form::statement3, Trig::vectors, Bias::coefficients};
constexpr FormChoice kSixPrinted{Form::statement6, Trig::pairwise, Bias::coefficients};
constexpr FormChoice kSixVectors{Form::statement6, Trig::vectors, Bias::coefficients};
constexpr FormChoice kSixSweep{Form::statement6, Trig::vectors, Bias::sweep};

// Closed forms of the counts of a plain program for each form, general links; ours may be lower, never higher.
TEST(LinkageCounts, CoefficientsAndRightSideOfAChain) {
  for (int n = 3; n <= 10; ++n) {
    const Chain chain(n, Centres::anywhere);
    const int n2 = n * n;
    EXPECT_PRED2(atMost, rightSideCounts(chain, kRudPrinted), (Counts{2 * n2, (3 * n2 + 5 * n - 4) / 2, n2}));
    EXPECT_PRED2(atMost, rightSideCounts(chain, kRudVectors), (Counts{3 * n2 + 7 * n - 4, 2 * n2 + 4 * n - 3, 2 * n}));
    EXPECT_PRED2(atMost, rightSideCounts(chain, kRudSweep), (Counts{n2 + 16 * n - 11, (n2 + 25 * n - 26) / 2, 2 * n}));
    EXPECT_PRED2(atMost, rightSideCounts(chain, kThreePrinted), (Counts{2 * n2 + n - 1, (7 * n2 + n - 6) / 2, n2}));
    EXPECT_PRED2(atMost, rightSideCounts(chain, kThreeVectors),
                 (Counts{3 * n2 + 8 * n - 5, 4 * n2 + 2 * n - 4, 2 * n}));
    EXPECT_PRED2(atMost, rightSideCounts(chain, kSixPrinted), (Counts{2 * n2, (7 * n2 + 7 * n - 12) / 2, n2}));
    EXPECT_PRED2(atMost, rightSideCounts(chain, kSixVectors), (Counts{3 * n2 + 7 * n - 4, 4 * n2 + 5 * n - 7, 2 * n}));
    EXPECT_PRED2(atMost, rightSideCounts(chain, kSixSweep), (Counts{n2 + 16 * n - 11, n2 + 19 * n - 21, 2 * n}));
  }
}

TEST(LinkageCounts, ForwardDynamicsOfAChain) {
  for (int n = 3; n <= 10; ++n) {
    const Chain chain(n, Centres::anywhere);
    const int n2 = n * n;
    const int n3 = n2 * n;
    EXPECT_PRED2(atMost, forwardCounts(chain, kRudPrinted),
                 (Counts{(n3 + 24 * n2 - n - 6) / 6, (n3 + 15 * n2 + 8 * n - 12) / 6, n2}));
    EXPECT_PRED2(atMost, forwardCounts(chain, kRudSweep),
                 (Counts{(n3 + 18 * n2 + 95 * n - 72) / 6, (n3 + 9 * n2 + 68 * n - 78) / 6, 2 * n}));
    EXPECT_PRED2(atMost, forwardCounts(chain, kThreePrinted),
                 (Counts{(n3 + 9 * n2 + 5 * n - 3) / 3, (n3 + 12 * n2 - n - 9) / 3, n2}));
    EXPECT_PRED2(atMost, forwardCounts(chain, kSixPrinted),
                 (Counts{(n3 + 24 * n2 - n) / 6, (n3 + 27 * n2 + 14 * n - 36) / 6, n2}));
    EXPECT_PRED2(atMost, forwardCounts(chain, kSixSweep),
                 (Counts{(n3 + 18 * n2 + 95 * n - 66) / 6, (n3 + 12 * n2 + 107 * n - 126) / 6, 2 * n}));
    EliminationWork<Expr> elimination(chain.tree);
    eliminate(chain.tree, chain.constants, chain.inputs(), HingeForces::no, elimination, Unnamed{});
    EXPECT_PRED2(atMost, count(elimination.acceleration), (Counts{38 * n - 29, 32 * n - 35, 2 * n}));
  }
}

TEST(LinkageCounts, InverseDynamicsOfAChain) {
  for (int n = 3; n <= 10; ++n) {
    const Chain chain(n, Centres::anywhere);
    const int n2 = n * n;
    EXPECT_PRED2(atMost, inverseCounts(chain, kRudPrinted), (Counts{3 * n2, (5 * n2 + 3 * n - 4) / 2, n2}));
    EXPECT_PRED2(atMost, inverseCounts(chain, kThreePrinted), (Counts{3 * n2 + n - 1, (9 * n2 - n - 6) / 2, n2}));
    EXPECT_PRED2(atMost, inverseCounts(chain, kSixPrinted), (Counts{3 * n2, (9 * n2 + 5 * n - 12) / 2, n2}));
    SweepWork<Expr> sweeps(chain.tree);
    sweep<Expr>(chain.tree, chain.constants, chain.inputs(false), chain.acceleration, HingeForces::no, sweeps,
                Unnamed{});
    EXPECT_PRED2(atMost, count(sweeps.torque), (Counts{22 * n - 15, 17 * n - 17, 2 * n}));
  }
}

TEST(LinkageCounts, TenLinksWithMassCentresOnTheHingeLines) {
  const Chain chain(10, Centres::on_hinge_lines);
  EXPECT_PRED2(atMost, rightSideCounts(chain, kRudPrinted), (Counts{200, 154, 100}));
  EXPECT_PRED2(atMost, rightSideCounts(chain, kRudSweep), (Counts{211, 124, 20}));
  EXPECT_PRED2(atMost, rightSideCounts(chain, kThreePrinted), (Counts{209, 333, 100}));
  EXPECT_PRED2(atMost, rightSideCounts(chain, kSixPrinted), (Counts{200, 360, 100}));
  EXPECT_PRED2(atMost, rightSideCounts(chain, kSixSweep), (Counts{211, 231, 20}));
  EliminationWork<Expr> elimination(chain.tree);
  eliminate(chain.tree, chain.constants, chain.inputs(), HingeForces::no, elimination, Unnamed{});
  EXPECT_PRED2(atMost, count(elimination.acceleration), (Counts{313, 247, 20}));
  SweepWork<Expr> sweeps(chain.tree);
  sweep<Expr>(chain.tree, chain.constants, chain.inputs(false), chain.acceleration, HingeForces::no, sweeps, Unnamed{});
  EXPECT_PRED2(atMost, count(sweeps.torque), (Counts{167, 115, 20}));
}

// The counts of docs/theory/08, ten general links; then with the frames turned to the hinges.
TEST(LinkageCounts, TheTableOfTheChapter) {
  const Chain chain(10, Centres::anywhere);
  const auto text = [](const Counts& c) { return fmt::format("{}/{}/{}", c.mul, c.add, c.trig); };
  struct Row {
    FormChoice choice;
    const char* right_side;
    const char* forward;
    const char* inverse;
  };
  const Row rows[] = {
      {kRudPrinted, "200/173/100", "510/428/100", "300/263/100"},
      {kRudVectors, "364/236/20", "674/491/20", "464/326/20"},
      {kRudSweep, "247/161/20", "557/416/20", "347/251/20"},
      {kThreePrinted, "200/352/100", "630/727/100", "300/442/100"},
      {kThreeVectors, "364/416/20", "794/791/20", "464/506/20"},
      {kSixPrinted, "200/379/100", "510/634/100", "300/469/100"},
      {kSixVectors, "364/386/20", "674/641/20", "464/476/20"},
      {kSixSweep, "247/266/20", "557/521/20", "347/356/20"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(text(rightSideCounts(chain, row.choice)), row.right_side);
    EXPECT_EQ(text(forwardCounts(chain, row.choice)), row.forward);
    EXPECT_EQ(text(inverseCounts(chain, row.choice)), row.inverse);
  }
  const auto elimination = [&](const Chain& of) {
    EliminationWork<Expr> work(of.tree);
    eliminate(of.tree, of.constants, of.inputs(), HingeForces::no, work, Unnamed{});
    return text(count(work.acceleration));
  };
  const auto sweeps = [&](const Chain& of) {
    SweepWork<Expr> work(of.tree);
    sweep<Expr>(of.tree, of.constants, of.inputs(false), of.acceleration, HingeForces::no, work, Unnamed{});
    return text(count(work.torque));
  };
  EXPECT_EQ(elimination(chain), "338/283/20");
  EXPECT_EQ(sweeps(chain), "203/152/20");
  const Chain turned(10, Centres::anywhere, true);
  EXPECT_EQ(elimination(turned), "318/273/20");
  EXPECT_EQ(sweeps(turned), "183/142/20");
  EXPECT_EQ(text(rightSideCounts(turned, kRudPrinted)), "200/173/100");
  EXPECT_EQ(text(forwardCounts(turned, kRudSweep)), "537/406/20");
}

}  // namespace forms_count_test
}  // namespace linkwork::linkage
