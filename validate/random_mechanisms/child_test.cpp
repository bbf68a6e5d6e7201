#include "child.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <stdexcept>
#include <vector>

namespace linkwork::random_mechanisms {
namespace child_test {

TEST(Child, AnswersOrSaysHowItEnded) {
  const ChildAnswer fine = inChild([] { return std::string(100000, 'a'); }, 0.0);
  EXPECT_TRUE(fine.ended);
  EXPECT_EQ(fine.answer.size(), 100000U);

  const ChildAnswer thrown = inChild([]() -> std::string { throw std::runtime_error("a reason"); }, 0.0);
  EXPECT_FALSE(thrown.ended);
  EXPECT_EQ(thrown.problem, "a reason");

  const ChildAnswer crashed = inChild(
      []() -> std::string {
        ::raise(SIGKILL);
        return "";
      },
      0.0);
  EXPECT_EQ(crashed.problem, "signal 9");
}

TEST(Child, IsEndedWhenItsTimeIsUp) {
  const ChildAnswer endless = inChild(
      []() -> std::string {
        volatile double x = 0.0;
        for (;;) x = x + 1.0;
      },
      1.0);
  EXPECT_FALSE(endless.ended);
  EXPECT_EQ(endless.problem, "more than 1 s of CPU time");
}

TEST(Children, EachAnswersForItselfHoweverManyAreAtWork) {
  for (const int jobs : {1, 3, 40}) {
    std::vector<int> seen(20, 0);
    const auto begun = inChildren(
        {.first = 5, .count = 20, .jobs = jobs}, [](std::uint64_t k) { return std::string(10000 * k, 'a'); },
        [&](std::uint64_t k, const ChildAnswer& child) {
          EXPECT_TRUE(child.ended);
          EXPECT_EQ(child.answer.size(), 10000 * k);
          ++seen[k - 5];
        });
    EXPECT_EQ(begun, 20U);
    EXPECT_EQ(seen, std::vector<int>(20, 1)) << jobs;
  }
}

TEST(Children, AreNotBegunOnceItIsEnough) {
  std::uint64_t done = 0;
  const auto begun = inChildren(
      {.first = 0, .count = 100, .jobs = 4, .enough = [&] { return done >= 10; }},
      [](std::uint64_t) { return std::string(); }, [&](std::uint64_t, const ChildAnswer&) { ++done; });
  EXPECT_EQ(begun, done);
  EXPECT_GE(done, 10U);
  EXPECT_LT(done, 14U);
}

}  // namespace child_test
}  // namespace linkwork::random_mechanisms
