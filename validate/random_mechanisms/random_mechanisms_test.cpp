// Random mechanisms under every formulation that fits: 40 of them, with LINKWORK_FULL set 1,000. More of them, and
// others, by `linkwork_soak N --seed S`.
#include <gtest/gtest.h>

#include <cstdlib>

#include "soak.hpp"

namespace linkwork::random_mechanisms {
namespace random_mechanisms_test {

// What must never happen: a number that is wrong while no lamp says so, a crash, forces that do not balance.
bool isSilent(const Finding& finding) {
  switch (finding.fault) {
    case Fault::differs:
    case Fault::not_finite:
    case Fault::unbalanced:
    case Fault::threw: return true;
    default: return false;
  }
}

TEST(RandomMechanisms, HaveNoWrongNumberThatNoLampTells) {
  SoakRequest request;
  request.count = std::getenv("LINKWORK_FULL") != nullptr ? 1000 : 40;
  request.shrink_limit = 0.0;  // a test says what is wrong; linkwork_soak makes it small
  request.examine.cpu_limit = 1.0;
  const SoakReport report = soak(request);
  EXPECT_EQ(report.mechanisms, request.count);
  EXPECT_LT(report.refused, request.count / 5);
  EXPECT_GT(report.runs, 3 * request.count);
  for (const SoakFinding& found : report.findings) {
    if (isSilent(found.finding)) ADD_FAILURE() << found.model;
  }
}

}  // namespace random_mechanisms_test
}  // namespace linkwork::random_mechanisms
