#include "child.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <stdexcept>

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

}  // namespace child_test
}  // namespace linkwork::random_mechanisms
