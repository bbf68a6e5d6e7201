#include "linkwork/scalar/tape.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "linkwork/base/contract.hpp"
#include "linkwork/scalar/random_program_test.hpp"

namespace linkwork::test {
long allocationCount();  // in allocation_count_test.cpp
}

namespace linkwork {
namespace tape_test {

const Expr x = Expr::symbol("x");
const Expr y = Expr::symbol("y");
const Expr z = Expr::symbol("z");
const std::vector<std::string> kNames = {"x", "y", "z"};

template <class T>
std::vector<T> run(const Tape& tape, const std::vector<T>& inputs) {
  std::vector<T> scratch(tape.scratchSize()), outputs(tape.outputCount());
  tape.evaluate<T>(inputs, scratch, outputs);
  return outputs;
}

std::vector<Expr> randomOutputs(unsigned seed) {
  const Expr symbols[] = {x, y, z};
  std::vector<Expr> outputs;
  for (unsigned k = 0; k < 4; ++k) {
    outputs.push_back(test::runProgram<Expr>(test::makeRandomProgram(seed + 1000 * k, 3, 30), symbols));
  }
  return outputs;
}

TEST(Tape, EqualsEvaluateOnRandomPrograms) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    const std::vector<Expr> outputs = randomOutputs(seed);
    const std::vector<double> results = run<double>(Tape(outputs, kNames), {0.4, -1.2, 0.9});
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      // The same operations in the same order: not a bit may differ.
      EXPECT_EQ(results[i], evaluate(outputs[i], {{"x", 0.4}, {"y", -1.2}, {"z", 0.9}})) << "seed " << seed;
    }
  }
}

TEST(Tape, GivesTheDerivativesThatDifferentiateGives) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    const std::vector<Expr> outputs = randomOutputs(seed);
    using D = Dual<8>;
    const std::vector<D> results =
        run<D>(Tape(outputs, kNames), {D::variable(0.4, 0), D::variable(-1.2, 3), D::variable(0.9, 7)});
    const int directions[] = {0, 3, 7};
    const Expr symbols[] = {x, y, z};
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        const double expected = evaluate(differentiate(outputs[i], symbols[k]), {{"x", 0.4}, {"y", -1.2}, {"z", 0.9}});
        EXPECT_NEAR(results[i].derivative(directions[k]), expected, 1e-11 * (1 + std::abs(expected)));
      }
    }
    const std::vector<Dual<1>> single = run<Dual<1>>(Tape(outputs, kNames), {0.4, Dual<1>::variable(-1.2), 0.9});
    for (std::size_t i = 0; i < outputs.size(); ++i) EXPECT_EQ(single[i].derivative(), results[i].derivative(3));
  }
}

TEST(Tape, SubstitutesWhenRunWithExpressions) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    const std::vector<Expr> outputs = randomOutputs(seed);
    const std::vector<Expr> results = run<Expr>(Tape(outputs, kNames), {y + 1.0, sin(x), 2.0 * z});
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      EXPECT_EQ(results[i], substitute(outputs[i], {{"x", y + 1.0}, {"y", sin(x)}, {"z", 2.0 * z}}));
    }
  }
}

TEST(Tape, AllowsOutputsThatAreNumbersInputsOrRepeated) {
  const Tape tape({Expr(3.0), y, Expr(), x * y, x * y}, kNames);
  EXPECT_EQ(run<double>(tape, {2, 5, 7}), (std::vector<double>{3, 5, 0, 10, 10}));
  EXPECT_EQ(tape.inputCount(), 3u);
  EXPECT_EQ(tape.outputCount(), 5u);
  const Tape empty({}, {});
  EXPECT_TRUE(run<double>(empty, {}).empty());
}

TEST(Tape, CountsSharedOperationsOnce) {
  const Expr shared = sin(x) * y;
  const Tape tape({shared + z, shared / z, sqrt(shared), pow(x, 3.0), -y}, kNames);
  EXPECT_EQ(tape.operationCount(), (OperationCount{.mul = 3, .add = 1, .div = 1, .trig = 1, .other = 2}));
  EXPECT_EQ(tape.operationCount().total(), 8);
}

TEST(Tape, ComputesSmallPowersByMultiplication) {
  for (int n = -16; n <= 16; ++n) {
    const Tape tape({pow(x, static_cast<double>(n))}, {"x"});
    const double expected = std::pow(-1.3, n);
    EXPECT_NEAR(run<double>(tape, {-1.3})[0], expected, 1e-14 * std::abs(expected)) << n;
  }
  EXPECT_EQ(Tape({pow(x, 8.0)}, {"x"}).operationCount().mul, 3);
  EXPECT_EQ(Tape({pow(x, 7.0)}, {"x"}).operationCount().mul, 4);
  EXPECT_EQ(Tape({pow(x, -2.0)}, {"x"}).operationCount().div, 1);
  EXPECT_EQ(run<double>(Tape({pow(x, 2.5)}, {"x"}), {4})[0], 32);
  EXPECT_EQ(run<double>(Tape({pow(x, y)}, kNames), {2, 10, 0})[0], 1024);
}

TEST(Tape, ReusesScratchAlongAChain) {
  Expr chain = x;
  for (int i = 0; i < 100000; ++i) chain = sin(chain) + y;
  const Tape tape({chain}, {"x", "y"});
  EXPECT_LE(tape.scratchSize(), 4u);
  EXPECT_EQ(run<double>(tape, {0.3, 0.2})[0], evaluate(chain, {{"x", 0.3}, {"y", 0.2}}));
}

TEST(Tape, EvaluatesWithoutAllocation) {
  const Tape tape(randomOutputs(7), kNames);
  using D = Dual<8>;
  const std::vector<double> inputs = {0.4, -1.2, 0.9};
  std::vector<double> scratch(tape.scratchSize()), outputs(tape.outputCount());
  const std::vector<D> dual_inputs = {0.4, D::variable(-1.2, 1), 0.9};
  std::vector<D> dual_scratch(tape.scratchSize()), dual_outputs(tape.outputCount());
  const long before = test::allocationCount();
  tape.evaluate<double>(inputs, scratch, outputs);
  tape.evaluate<D>(dual_inputs, dual_scratch, dual_outputs);
  EXPECT_EQ(test::allocationCount(), before);
}

TEST(Tape, RefusesUnknownAndDoubledNames) {
  try {
    const Tape tape({x + Expr::symbol("spring.rate")}, {"x"});
    FAIL() << "should have thrown";
  } catch (const ContractError& error) {
    EXPECT_STREQ(error.what(), "Tape: symbol \"spring.rate\" is not an input");
  }
  EXPECT_THROW(Tape({x}, {"x", "x"}), ContractError);
  const Tape tape({x}, {"x"});
  std::vector<double> none, one(1);
  EXPECT_THROW(tape.evaluate<double>(none, one, one), ContractError);
  EXPECT_THROW(tape.evaluate<double>(one, none, one), ContractError);
  EXPECT_THROW(tape.evaluate<double>(one, one, none), ContractError);
}

}  // namespace tape_test
}  // namespace linkwork
