#include "linkwork/result/chunk_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "linkwork/result/archive.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {
namespace chunk_log_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
namespace fs = std::filesystem;

class ChunkLog : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / ("linkwork_" + std::string(info->name()) + std::to_string(::getpid()));
    path_ = (folder_ / "new" / "log").string();
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_;
  std::string path_;
};

TEST_F(ChunkLog, ReadsBackWhatWasWritten) {
  ChunkWriter writer;
  EXPECT_EQ(writer.create(path_), "");
  for (const char* chunk : {"one", "", "three"}) EXPECT_EQ(writer.append(chunk), "");
  const ChunkFile file = readChunks(path_);
  EXPECT_TRUE(file.exists);
  EXPECT_FALSE(file.torn);
  EXPECT_THAT(file.chunks, ElementsAre("one", "", "three"));
  EXPECT_EQ(file.whole, fs::file_size(path_));
}

TEST_F(ChunkLog, CutAtEveryByteLosesOnlyTheTornChunk) {
  ChunkWriter writer;
  EXPECT_EQ(writer.create(path_), "");
  const std::vector<std::string> chunks{"first", "second one", "3"};
  for (const std::string& chunk : chunks) EXPECT_EQ(writer.append(chunk), "");
  writer.close();
  for (std::uintmax_t size = fs::file_size(path_); size > 0; --size) {
    fs::resize_file(path_, size - 1);
    const ChunkFile file = readChunks(path_);
    ASSERT_EQ(file.problem, "") << size;
    ASSERT_LE(file.whole, size - 1);
    ASSERT_EQ(file.torn, file.whole != size - 1) << size;
    ASSERT_LT(file.chunks.size(), 3U);
    for (std::size_t k = 0; k < file.chunks.size(); ++k) ASSERT_EQ(file.chunks[k], chunks[k]);
  }
}

TEST_F(ChunkLog, ReopenedItDropsWhatIsTorn) {
  ChunkWriter writer;
  EXPECT_EQ(writer.create(path_), "");
  EXPECT_EQ(writer.append("kept"), "");
  EXPECT_EQ(writer.append("torn"), "");
  writer.close();
  fs::resize_file(path_, fs::file_size(path_) - 1);
  EXPECT_EQ(writer.reopen(path_, readChunks(path_).whole), "");
  EXPECT_EQ(writer.append("new"), "");
  EXPECT_THAT(readChunks(path_).chunks, ElementsAre("kept", "new"));
}

TEST_F(ChunkLog, SaysWhatIsWrong) {
  EXPECT_FALSE(readChunks(path_).exists);
  ChunkWriter writer;
  EXPECT_THAT(writer.create("/dev/full"), HasSubstr("cannot write /dev/full: this is a device, not a file"));
  EXPECT_FALSE(writer.isOpen());
  EXPECT_THAT(writer.create("/dev/null/x/log"), HasSubstr("cannot make the folder"));
  fs::create_directories(fs::path(path_).parent_path());
  std::ofstream(path_) << "something else";
  EXPECT_THAT(readChunks(path_).problem, HasSubstr("is no checkpoint file"));
}

TEST(Archive, RefusesLengthsThatCannotBe) {
  Archive out;
  std::uint64_t huge = ~0ULL;
  out(huge);
  std::vector<double> list{1.0};
  Archive in(out.bytes());
  in(list);
  EXPECT_FALSE(in.ok());
  EXPECT_EQ(list, std::vector<double>{1.0});
}

TEST(Archive, CarriesALedgerThereAndBack) {
  Ledger ledger;
  ledger.worst_position = 1e-9;
  ledger.nearest_row = "A in x";
  ledger.dependent_rows = {"B", "C"};
  ledger.rank_changes = {{0.5, 3, {"A"}, true}};
  ledger.restarts = 7;
  ledger.jumps = 3;
  ledger.jump_energy = -0.25;
  ledger.output_gaps = {{"ratio", 0.75}};
  Archive out;
  out(ledger);
  Archive in(out.bytes());
  Ledger copy;
  in(copy);
  EXPECT_TRUE(in.ok() && in.atEnd());
  EXPECT_EQ(ledgerTable(copy), ledgerTable(ledger));
  ASSERT_EQ(copy.output_gaps.size(), 1U);
  EXPECT_EQ(copy.output_gaps[0].name, "ratio");
  EXPECT_EQ(copy.output_gaps[0].time, 0.75);
}

}  // namespace chunk_log_test
}  // namespace linkwork
