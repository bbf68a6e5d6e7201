// Options of a system check themselves.
#include "linkwork/formulation/make_system.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace linkwork {
namespace {

TEST(SystemOptions, SayWhatIsWrongAndWhatToDo) {
  EXPECT_EQ(SystemOptions{}.problem(), "");
  SystemOptions options;
  options.penalty = -1.0;
  EXPECT_EQ(options.problem(),
            "the penalty must be positive, it is -1 kg; leave it out for a million times the mean mass of the bodies.");
  options = {};
  options.omega = -2.0;
  EXPECT_EQ(options.problem(),
            "omega and mu must not be negative (they are -2 1/s and 1); omega = 10 1/s with mu = 1 is a good start.");
  options = {};
  options.mu = std::numeric_limits<double>::infinity();
  EXPECT_NE(options.problem(), "");
  options = {};
  options.stabilisation = "partitionning";
  EXPECT_NE(options.problem().find("Did you mean \"partitioning\"?"), std::string::npos) << options.problem();
}

TEST(SystemOptions, EveryStabilisationHasASystem) {
  for (const std::string& name : stabilisationNames()) {
    SystemOptions options;
    options.stabilisation = name;
    EXPECT_EQ(options.problem(), "") << name;
  }
}

}  // namespace
}  // namespace linkwork
