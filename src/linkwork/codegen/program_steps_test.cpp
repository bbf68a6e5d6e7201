#include "linkwork/codegen/program_steps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "linkwork/codegen/equation_forms.hpp"
#include "linkwork/codegen/linkages_for_tests.hpp"

namespace linkwork {
namespace program_steps_test {

struct Small {
  EquationProgram p;
  Expr x, y, a, b;

  Small() {
    x = p.input({"x", 1}, SymbolRole::position, "x", 0, "", "");
    y = p.input({"x", 2}, SymbolRole::position, "x", 1, "", "");
    a = p.parameter(Expr::symbol("a_1"), {"a", 1}, 2.0, "", "");
    b = p.parameter(Expr::symbol("b_1"), {"b", 1}, 3.0, "", "");
  }
  ProgramSteps steps(std::vector<Expr> outputs) {
    p.outputs.push_back({"out", static_cast<int>(outputs.size()), 0, std::move(outputs), ""});
    return stepsOf(p);
  }
};

// mul, add, div, trig, other
using Count = OperationCount;

TEST(ProgramSteps, CountsByTheRules) {
  Small s;
  EXPECT_EQ(countOperations(-s.x), (Count{0, 0, 0, 0, 0}));
  EXPECT_EQ(countOperations(s.x * s.x), (Count{1, 0, 0, 0, 0}));
  EXPECT_EQ(countOperations(2.0 * s.x), (Count{0, 1, 0, 0, 0}));
  EXPECT_EQ(countOperations(3.0 * s.x), (Count{1, 0, 0, 0, 0}));
  EXPECT_EQ(countOperations(s.x / s.y), (Count{0, 0, 1, 0, 0}));
  EXPECT_EQ(countOperations(sin(s.x - s.y)), (Count{0, 1, 0, 1, 0}));
  EXPECT_EQ(countOperations(-s.x - s.y * s.x + 1.0), (Count{1, 2, 0, 0, 0}));
  EXPECT_EQ(countOperations(pow(s.x, 3.0)), (Count{2, 0, 0, 0, 0}));
}

TEST(ProgramSteps, DrawsConstantsTogether) {
  Small s;
  const ProgramSteps steps = s.steps({(s.a * s.x) * s.b, (s.a + s.x) + s.b, (s.x / s.a) * s.y});
  // a*b, a + b and 1/a once; then one product, one sum, two products.
  EXPECT_EQ(steps.count, (Count{3, 1, 0, 0, 0}));
  EXPECT_EQ(steps.constant_count, (Count{1, 1, 1, 0, 0}));
}

TEST(ProgramSteps, ComputesWhatIsSharedOnce) {
  Small s;
  const Expr shared = sin(s.x * s.y);
  const ProgramSteps steps = s.steps({shared * s.x, shared * s.y, -shared});
  EXPECT_EQ(steps.count, (Count{3, 0, 0, 1, 0}));
  EXPECT_EQ(steps.steps.size(), 1U);
}

TEST(ProgramSteps, SharesDifferencesOfEitherSign) {
  Small s;
  const ProgramSteps steps = s.steps({(s.x - s.y) * s.x, (s.y - s.x) * s.y});
  EXPECT_EQ(steps.count, (Count{2, 1, 0, 0, 0}));
}

TEST(ProgramSteps, BuildsHighPowersFromLowOnes) {
  Small s;
  const ProgramSteps steps = s.steps({pow(s.x + s.y, 4.0)});
  EXPECT_EQ(steps.count, (Count{2, 1, 0, 0, 0}));
}

// Values of all outputs by the steps, and by the formulas with all lines put in.
class Evaluated {
 public:
  explicit Evaluated(const EquationProgram& program) : program_(program), steps_(stepsOf(program)) {}

  double worstDisagreement(std::mt19937_64& random) {
    std::map<std::string, double> values;
    std::uniform_real_distribution<double> uniform(0.5, 1.5);
    for (const ProgramSymbol& s : program_.symbols()) {
      if (!s.array.empty() || s.role == SymbolRole::parameter) values[s.symbol.name()] = uniform(random);
    }
    const std::map<std::string, double> given = values;
    for (const ProgramStep& step : steps_.steps) values[step.symbol.name()] = evaluate(step.value, values);
    double worst = 0.0;
    for (std::size_t k = 0; k < program_.outputs.size(); ++k) {
      const std::vector<Expr> whole = program_.expanded(program_.outputs[k].entries);
      double largest = 0.0;
      for (const Expr& e : whole) largest = std::max(largest, std::abs(evaluate(e, given)));
      for (std::size_t i = 0; i < whole.size(); ++i) {
        const double off = std::abs(evaluate(steps_.outputs[k].entries[i], values) - evaluate(whole[i], given));
        worst = std::max(worst, off / largest);
      }
    }
    return worst;
  }

 private:
  const EquationProgram& program_;
  ProgramSteps steps_;
};

TEST(ProgramSteps, MeanTheSameAsTheLines) {
  std::mt19937_64 random(3);
  const Mechanism mechanism = test::linkageOf("tree", {-1, 0, 0, 2}, test::Lines::general);
  for (const WrittenForm form : {WrittenForm::rud, WrittenForm::statement2, WrittenForm::statement3,
                                 WrittenForm::statement6, WrittenForm::elimination}) {
    EquationRequest request;
    request.form = form;
    const WrittenEquations written = writeEquations(mechanism, request);
    ASSERT_TRUE(written.program) << written.problem;
    // Rounding of a few hundred operations with a matrix of moderate condition.
    EXPECT_LT(Evaluated(*written.program).worstDisagreement(random), 1e-11) << wordFor(form);
  }
}

OperationCount costOf(const Mechanism& mechanism, WrittenForm form, EquationTask task, EquationStyle style) {
  EquationRequest request;
  request.form = form;
  request.task = task;
  request.style = style;
  return stepsOf(*writeEquations(mechanism, request).program).count;
}

// What plain programs for general links need; ours may need less, never more.
TEST(ProgramSteps, TenLinksTakeNoMoreThanPlainPrograms) {
  const Mechanism chain = test::chainOf(10, test::Lines::general);
  const OperationCount forward = costOf(chain, WrittenForm::elimination, EquationTask::forward, EquationStyle::vectors);
  EXPECT_LE(forward.mul + forward.div, 351);
  EXPECT_LE(forward.add, 285);
  EXPECT_LE(forward.trig, 20);
  const OperationCount inverse = costOf(chain, WrittenForm::sweep, EquationTask::inverse, EquationStyle::vectors);
  EXPECT_LE(inverse.mul + inverse.div, 205);
  EXPECT_LE(inverse.add, 153);
  EXPECT_LE(inverse.trig, 20);
  const OperationCount printed = costOf(chain, WrittenForm::rud, EquationTask::mass_matrix, EquationStyle::pairwise);
  EXPECT_LE(printed.mul + printed.div, 200);
  EXPECT_LE(printed.add, 173);
  EXPECT_LE(printed.trig, 100);
}

}  // namespace program_steps_test
}  // namespace linkwork
