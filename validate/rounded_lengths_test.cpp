// A redundant mechanism whose lengths were rounded runs like the exact one, up to the rounding.
#include <gtest/gtest.h>

#include <cmath>

#include "linkwork/model/lift.hpp"
#include "run_model.hpp"

namespace linkwork::validation {
namespace rounded_lengths_test {

class RoundedLengths : public ::testing::TestWithParam<double> {};

// The pin of the second crank on the coupler is off. The third crank's row is left open; on the way the gap closes and
// opens again where the cranks stand upright, and the row must not be taken for an independent one there.
TEST_P(RoundedLengths, RunLikeTheExactOnesUpToTheRounding) {
  const double off = GetParam();
  const Mechanism exact = readShippedModel("parallelogram_three_cranks");
  Mechanism rounded = exact;
  Joint& pin = rounded.joints[4];
  ASSERT_EQ(pin.name, "K2");
  pin.on_second.point[0] = Value(pin.on_second.point[0].number + off);
  for (const bool spatial : {false, true}) {
    const Result reference = runTo(spatial ? liftToSpace(exact) : exact, 2.0, 1e-9);
    for (const char* formulation : {"absolute", "recursive", "hamiltonian"}) {
      SCOPED_TRACE(formulation);
      const Mechanism mechanism = spatial ? liftToSpace(rounded) : rounded;
      RunOptions options = runOptions(mechanism);
      options.until = 2.0;
      options.steps.rtol = options.steps.atol = 1e-9;
      options.system.formulation = formulation;
      const Result result = runModel(mechanism, options);
      ASSERT_EQ(result.status, RunStatus::complete) << result.message;
      // What a row left open carries does no work; which one it is may change, by a jump of that order.
      EXPECT_LT(result.ledger.worst_energy_balance, (2.0 * off + 1e-7) * reference.ledger.energy_scale);
      EXPECT_EQ(result.ledger.degrees_of_freedom, reference.ledger.degrees_of_freedom);
      EXPECT_GT(result.ledger.worst_position, 0.1 * off);
      EXPECT_LT(result.ledger.worst_position, 10.0 * off);
      // The motion answers to a change of a length of the order of 1 by a change of the order of 1.
      EXPECT_NEAR(lastOf(result, "G1.angle"), lastOf(reference, "G1.angle"), 20.0 * off);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, RoundedLengths, ::testing::Values(1e-8, 1e-6, 3e-5));

}  // namespace rounded_lengths_test
}  // namespace linkwork::validation
