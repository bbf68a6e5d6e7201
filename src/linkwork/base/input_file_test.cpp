#include "linkwork/base/input_file.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace linkwork {
namespace input_file_test {

namespace fs = std::filesystem;

class InputFiles : public ::testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const char* name) const { return (folder_ / name).string(); }

  fs::path folder_ = fs::temp_directory_path() / ("linkwork-input-" + std::to_string(::getpid()));
};

TEST_F(InputFiles, AreReadAsAWhole) {
  const std::string text(200'000, 'x');
  std::ofstream(path("a")) << text;
  const InputFile read = readInputFile(path("a"));
  EXPECT_TRUE(read.ok()) << read.problem;
  EXPECT_EQ(read.text, text);
  fs::create_symlink("a", path("link"));
  EXPECT_EQ(readInputFile(path("link")).text, text);
  std::ofstream(path("empty")).flush();
  EXPECT_TRUE(readInputFile(path("empty")).ok());
}

// Nobody ever writes to the pipe: reading it would not come back.
TEST_F(InputFiles, AreRefusedByKindWithoutWaiting) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  fs::create_symlink("pipe", path("link"));
  for (const char* name : {"pipe", "link"}) {
    EXPECT_EQ(readInputFile(path(name)).problem,
              "this is a pipe, not a file; save what comes out of it under a name, and give that");
    EXPECT_EQ(readInputFile(path(name)).problem, notAFile(path(name)));
  }
  EXPECT_EQ(readInputFile(folder_.string()).problem, "this is a folder, not a file");
  EXPECT_EQ(readInputFile("/dev/zero").problem, "this is a device, not a file");

  const int listening = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string place = path("socket");
  ASSERT_LT(place.size(), sizeof(address.sun_path));
  std::copy(place.begin(), place.end(), address.sun_path);
  ASSERT_EQ(::bind(listening, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  EXPECT_EQ(readInputFile(place).problem, "this is a socket, not a file");
  ::close(listening);
}

TEST_F(InputFiles, SayWhatIsMissingOrTooLarge) {
  EXPECT_TRUE(readInputFile(path("none")).missing);
  EXPECT_EQ(readInputFile(path("none")).problem, "there is no such file");
  EXPECT_EQ(notAFile(path("none")), "");
  std::ofstream(path("large")) << std::string((1 << 20) + 1, ' ');
  const InputFile large = readInputFile(path("large"), 1 << 20);
  EXPECT_FALSE(large.missing);
  EXPECT_EQ(large.problem, "the file is larger than 1 MiB");
  EXPECT_EQ(large.text, "");
  EXPECT_TRUE(readInputFile(path("large"), (1 << 20) + 1).ok());
}

}  // namespace input_file_test
}  // namespace linkwork
