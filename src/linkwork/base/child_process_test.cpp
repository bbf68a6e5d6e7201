#include "linkwork/base/child_process.hpp"

#include <gtest/gtest.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill is POSIX
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

namespace linkwork {
namespace child_process_test {

namespace fs = std::filesystem;
using Talk = ChildProcess::Talk;

// Longer than any of these children takes, even on a machine that does much else.
constexpr ChildProcess::Seconds kLong(60.0);

class Child : public ::testing::Test {
 protected:
  Child() {
    folder_ = fs::temp_directory_path() /
              ("linkwork_child_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    log_ = (folder_ / "log").string();
  }
  ~Child() override { fs::remove_all(folder_); }

  static std::vector<std::string> shell(const std::string& script) { return {"sh", "-c", script}; }
  static std::string textOf(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  fs::path folder_;
  std::string log_;
};

TEST_F(Child, LeavesItsExitCodeAndAllItSaidInTheLog) {
  ChildProcess child(shell("echo out; echo wrong >&2; exit 3"), log_);
  ASSERT_TRUE(child.started());
  const auto exit = child.wait(kLong);
  ASSERT_TRUE(exit.has_value());
  EXPECT_EQ(exit->code, 3);
  EXPECT_EQ(textOf(log_), "out\nwrong\n");
}

TEST_F(Child, HasAnEmptyInput) {
  ChildProcess child({"cat"}, log_);  // with ours it would wait
  EXPECT_EQ(child.wait(kLong).value().code, 0);
}

TEST_F(Child, SaysThatThereIsNoSuchProgram) {
  EXPECT_EQ(ChildProcess({"no-such-program"}, log_).wait(kLong).value().code, ChildExit::kNoProgram);
  EXPECT_EQ(ChildProcess({"/no/such/program"}, log_).wait(kLong).value().code, ChildExit::kNoProgram);
}

TEST_F(Child, HasNoCodeWhereASignalEndedIt) {
  EXPECT_EQ(ChildProcess(shell("kill -9 $$"), log_).wait(kLong).value().code, -1);
}

TEST_F(Child, EndsWhenItsProcessorTimeIsUpAndNotWhileItWaits) {
  const std::chrono::seconds limit(1);
  ChildProcess busy(shell("while :; do :; done"), log_, Talk::none, limit);
  const auto exit = busy.wait(kLong);
  ASSERT_TRUE(exit.has_value());
  EXPECT_EQ(exit->code, -1);
  EXPECT_GE(exit->cpu_s, 0.9);
  ChildProcess starts(shell("(while :; do :; done); exit 5"), log_, Talk::none, limit);
  EXPECT_GE(starts.wait(kLong).value().cpu_s, 0.9);
  ChildProcess idle(shell("sleep 1.5; exit 6"), log_, Talk::none, limit);
  EXPECT_EQ(idle.wait(kLong).value().code, 6);
}

TEST_F(Child, RunsOnWhenTheTimeToWaitIsUp) {
  ChildProcess child(shell("read line <&3; exit 4"), log_, Talk::pipes);
  EXPECT_FALSE(child.wait(ChildProcess::Seconds(0.05)).has_value());
  EXPECT_TRUE(child.started());
  EXPECT_TRUE(child.send("go on\n"));
  EXPECT_EQ(child.wait(kLong).value().code, 4);
}

TEST_F(Child, EndsWithAllItStartedWhenNobodyWantsItAnyMore) {
  const fs::path file = folder_ / "grandchild";
  {
    ChildProcess child(shell("sleep 600 & echo $! > " + file.string() + "; printf 'ready\\0' >&4; wait"), log_,
                       Talk::pipes);
    ASSERT_EQ(child.receive(kLong).value_or(""), "ready");
  }
  const pid_t grandchild = std::stoi(textOf(file));
  // Killed at once, but it takes whoever inherits it a moment to take note.
  const auto isGone = [&] {
    const std::string status = textOf(fs::path("/proc") / std::to_string(grandchild) / "stat");
    return ::kill(grandchild, 0) != 0 || status.find(") Z ") != std::string::npos;
  };
  for (int k = 0; k < 1000 && !isGone(); ++k) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(isGone());
}

TEST_F(Child, AnswersThroughItsPipesMessageByMessage) {
  ChildProcess child(shell("while read line <&3; do printf '%s!\\0' \"$line\" >&4; done"), log_, Talk::pipes);
  ASSERT_TRUE(child.send("one\ntwo\n"));
  EXPECT_EQ(child.receive(kLong).value_or(""), "one!");
  EXPECT_EQ(child.receive(kLong).value_or(""), "two!");
  EXPECT_FALSE(child.receive(ChildProcess::Seconds(0.05)).has_value()) << "there is no third";
}

TEST_F(Child, ReceivesNothingMoreFromOneThatIsGone) {
  ChildProcess child(shell("exit 0"), log_, Talk::pipes);
  EXPECT_FALSE(child.receive(kLong).has_value());
}

TEST_F(Child, HasNoPipesUnlessAskedFor) {
  EXPECT_NE(ChildProcess(shell("echo x >&4"), log_).wait(kLong).value().code, 0);
}

TEST_F(Child, ProgramsAreFoundByVariableAndThenOnThePath) {
  const fs::path program = folder_ / "tool";
  std::ofstream(program) << "#!/bin/sh\n";
  ::setenv("LINKWORK_TEST_TOOL", program.c_str(), 1);
  EXPECT_EQ(findProgram("LINKWORK_TEST_TOOL", {"sh"}), "") << "it may not be run";
  fs::permissions(program, fs::perms::owner_all);
  EXPECT_EQ(findProgram("LINKWORK_TEST_TOOL", {"sh"}), program.string());
  ::unsetenv("LINKWORK_TEST_TOOL");
  EXPECT_EQ(fs::path(findProgram("LINKWORK_TEST_TOOL", {"no-such-program", "sh"})).filename(), "sh");
  EXPECT_EQ(findProgram("LINKWORK_TEST_TOOL", {"no-such-program"}), "");
}

}  // namespace child_process_test
}  // namespace linkwork
