#include "linkwork/codegen/shared_object.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace linkwork {
namespace shared_object_test {

namespace fs = std::filesystem;

class SharedObjects : public ::testing::Test {
 protected:
  SharedObjects() {
    folder_ = fs::temp_directory_path() /
              ("linkwork_cache_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    compiler_.cache_folder = folder_.string();
  }
  ~SharedObjects() override { fs::remove_all(folder_); }

  // A program of the shell in place of the compiler.
  std::string standIn(const std::string& script) {
    fs::create_directories(folder_);
    const fs::path file = folder_ / "stand_in";
    std::ofstream(file) << "#!/bin/sh\n" << script;
    fs::permissions(file, fs::perms::owner_all);
    return file.string();
  }

  fs::path folder_;
  CompilerChoice compiler_;
  std::string problem_;
};

constexpr const char* kTwice = "double twice(double x);\ndouble twice(double x) { return x + x; }\n";

TEST_F(SharedObjects, CompileOnceAndAreThenTakenFromTheCache) {
  const auto first = SharedObject::of(kTwice, compiler_, problem_);
  ASSERT_TRUE(first) << problem_;
  EXPECT_FALSE(first->fromCache());
  const auto call = reinterpret_cast<double (*)(double)>(first->find("twice"));
  ASSERT_NE(call, nullptr);
  EXPECT_EQ(call(1.25), 2.5);
  EXPECT_EQ(first->find("thrice"), nullptr);
  const auto second = SharedObject::of(kTwice, compiler_, problem_);
  ASSERT_TRUE(second) << problem_;
  EXPECT_TRUE(second->fromCache());
  const auto other = SharedObject::of(fmt::format("{}/* another */\n", kTwice), compiler_, problem_);
  ASSERT_TRUE(other) << problem_;
  EXPECT_FALSE(other->fromCache()) << "another source is another file";
}

TEST_F(SharedObjects, SayWhenThereIsNoCompiler) {
  compiler_.command = "no-such-compiler";
  EXPECT_FALSE(SharedObject::of(kTwice, compiler_, problem_));
  EXPECT_EQ(problem_, "there is no compiler \"no-such-compiler\"");
}

TEST_F(SharedObjects, PassOnWhatTheCompilerSays) {
  EXPECT_FALSE(SharedObject::of("double twice(double x) { return y; }\n", compiler_, problem_));
  EXPECT_THAT(problem_, ::testing::HasSubstr("failed"));
  EXPECT_THAT(problem_, ::testing::HasSubstr("undeclared"));
}

TEST_F(SharedObjects, EndACompilerThatHangs) {
  compiler_.command = standIn("case \"$1\" in --version) echo 1;; *) sleep 600;; esac\n");
  compiler_.time_limit = std::chrono::seconds(1);
  EXPECT_FALSE(SharedObject::of(kTwice, compiler_, problem_));
  EXPECT_THAT(problem_, ::testing::HasSubstr("did not come to an end within 1 s"));
}

// However long that takes on a machine that does much else.
TEST_F(SharedObjects, EndACompilerThatWorksWithoutEnd) {
  compiler_.command = standIn("case \"$1\" in --version) echo 1;; *) while :; do :; done;; esac\n");
  compiler_.cpu_limit = std::chrono::seconds(1);
  EXPECT_FALSE(SharedObject::of(kTwice, compiler_, problem_));
  EXPECT_THAT(problem_, ::testing::HasSubstr("did not come to an end within 1 s of processor time"));
}

}  // namespace shared_object_test
}  // namespace linkwork
