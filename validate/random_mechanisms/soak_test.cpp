#include "soak.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace linkwork::random_mechanisms {
namespace soak_test {

// What was found, in the order of the mechanisms.
std::vector<std::string> foundBy(const SoakReport& report) {
  std::vector<std::string> out;
  for (const SoakFinding& found : report.findings) out.push_back(found.model);
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Soak, FindsTheSameWithSeveralMechanismsAtATime) {
  SoakRequest request;
  request.seed = 3;
  request.count = 4;
  request.shrink_limit = 0.0;
  // Something to find: gravity pulls another way in every trial.
  request.examine.tamper = [](Mechanism& mechanism, const Trial&) { mechanism.gravity[0].number += 3.0; };
  const SoakReport one = soak(request);
  request.jobs = 4;
  const SoakReport four = soak(request);
  EXPECT_FALSE(one.findings.empty());
  EXPECT_EQ(foundBy(one), foundBy(four));
  EXPECT_EQ(one.mechanisms, 4U);
  EXPECT_EQ(four.mechanisms, 4U);
  EXPECT_EQ(one.runs, four.runs);
  EXPECT_EQ(one.by_fault, four.by_fault);
}

TEST(Soak, EndsWhenItIsEnough) {
  SoakRequest request;
  request.count = 1000;
  std::uint64_t seen = 0;
  request.enough = [&] { return seen >= 2; };
  const SoakReport report = soak(request, {}, [&](const SoakReport& so_far) { seen = so_far.mechanisms; });
  EXPECT_EQ(report.mechanisms, 2U);
}

}  // namespace soak_test
}  // namespace linkwork::random_mechanisms
