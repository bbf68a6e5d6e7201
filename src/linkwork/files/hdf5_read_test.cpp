#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linkwork/files/hdf5_file.hpp"

#ifdef LINKWORK_HAS_HDF5

#include <unistd.h>

#include <array>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "linkwork/files/hdf5_handle.hpp"
#include "linkwork/files/outline_for_tests.hpp"
#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace hdf5_read_test {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Values that are no numbers, one series that is not unique, and names that want to be something else.
Result sample(const Mechanism& mechanism, int samples = 100) {
  Result result;
  result.name = mechanism.name;
  for (int k = 0; k < samples; ++k) result.time.push_back(0.1 * k);
  if (samples > 6) result.time[6] = result.time[5];  // left and right of a jump
  const std::vector<double> values(result.time.size(), 1.0 / 3.0);
  std::vector<double> gaps = values;
  if (samples > 3) gaps[1] = gaps[2] = std::numeric_limits<double>::quiet_NaN();
  if (samples > 3) gaps[3] = -std::numeric_limits<double>::infinity();
  for (const Body& body : mechanism.bodies) {
    for (const char* label : {"x", "y", "angle"})
      result.series.push_back({body.name + "." + label, "m", body.name, label, values});
  }
  result.series.push_back({"a/b.x", "m", "a/b", "x", gaps, false});
  result.series.push_back({"a_b.x", "m", "a_b", "x", values});
  result.series.push_back({"</script>.<x>", "", "</script>", "<x>", values});
  result.series.push_back({"\xc3\xa9 \xe2\x80\xa8.y", "", "\xc3\xa9 \xe2\x80\xa8", ".", values});
  result.settings = {{"formulation", "absolute"}, {"rtol", 1e-8}};
  return result;
}

class StoredPage : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  void write(const Result& result) {
    outline_ = test::outlineOf(result, {"<warning>"});
    ASSERT_EQ(writeHdf5(result, outline_, path_), "");
  }
  std::string bytes() const {
    std::ifstream stream(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void replace(const std::string& bytes) const { std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes; }
  // Changes the file with the library itself.
  template <class Change>
  void change(Change with) const {
    const Handle file(H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    ASSERT_TRUE(file.ok());
    with(file);
  }

  Mechanism mechanism_ = test::fourBar();
  std::string outline_;
  std::string path_ =
      (std::filesystem::temp_directory_path() / ("linkwork_stored_" + std::to_string(::getpid()) + ".h5")).string();
};

TEST_F(StoredPage, IsThePageOfTheRun) {
  const Result result = sample(mechanism_);
  write(result);
  const StoredRun stored = readHdf5(path_);
  ASSERT_EQ(stored.problem, "");
  EXPECT_EQ(stored.page_outline, outline_);
  EXPECT_EQ(stored.result.time, result.time);
  EXPECT_EQ(pageData(stored.page_outline, stored.result), pageData(outline_, result));
}

// More bodies than there is room for the extremes of, not in the order of the alphabet: which of them are kept depends
// on order and groups.
TEST_F(StoredPage, IsThinnedLikeThatOfTheRun) {
  Result result = sample(mechanism_, 3000);
  const auto add = [&](const std::string& group, const std::string& label, std::size_t peak) {
    Series series{group + "." + label, "N", group, label, {}};
    for (const double t : result.time) series.values.push_back(std::sin(0.031 * t));
    series.values[peak] = 2.0;
    result.series.push_back(series);
  };
  for (std::size_t k = 0; k < 150; ++k) add("body" + std::to_string(150 - k), "x", 101 + 17 * k);
  add("O", "force.x", 2901);
  write(result);
  const StoredRun stored = readHdf5(path_);
  ASSERT_EQ(stored.problem, "");
  const std::size_t few = 20'000 + 200 * 11 * (result.series.size() + 1);
  const std::string page = pageData(outline_, result, few);
  EXPECT_LT(page.size(), pageData(outline_, result).size() / 2);
  EXPECT_EQ(pageData(stored.page_outline, stored.result, few), page);
}

TEST_F(StoredPage, KeepsValuesThatAreNoNumbersBitForBit) {
  const Result result = sample(mechanism_);
  write(result);
  const StoredRun stored = readHdf5(path_);
  ASSERT_EQ(stored.result.series.size(), result.series.size());
  for (const Series& series : result.series) {
    const Series* again = stored.result.find(series.name);
    ASSERT_NE(again, nullptr) << series.name;
    ASSERT_EQ(again->values.size(), series.values.size());
    EXPECT_EQ(std::memcmp(again->values.data(), series.values.data(), series.values.size() * sizeof(double)), 0);
  }
}

TEST_F(StoredPage, OfARunWithoutSamplesIsAPageWithoutSamples) {
  for (const int samples : {0, 1}) {
    write(sample(mechanism_, samples));
    const StoredRun stored = readHdf5(path_);
    ASSERT_EQ(stored.problem, "");
    EXPECT_EQ(stored.result.time.size(), static_cast<std::size_t>(samples));
    const auto json = nlohmann::json::parse(pageData(stored.page_outline, stored.result));
    EXPECT_EQ(json["time"].get<std::string>().empty(), samples == 0);
  }
}

TEST_F(StoredPage, CannotLeaveItsScriptElementWhateverTheFileSays) {
  write(sample(mechanism_));
  // As a stranger may have put it together.
  replace("");
  ASSERT_EQ(
      writeHdf5(sample(mechanism_), R"({"format":"linkwork-page","title":"</script><img src=x>","series":7})", path_),
      "");
  const StoredRun stored = readHdf5(path_);
  ASSERT_EQ(stored.problem, "");
  EXPECT_THAT(pageData(stored.page_outline, stored.result), Not(HasSubstr("<")));
}

TEST_F(StoredPage, OfAnotherVersionIsRefusedWithAWayOut) {
  for (const auto& [version, words] : {std::pair{1LL, "an earlier Linkwork"}, std::pair{3LL, "a later Linkwork"}}) {
    write(sample(mechanism_));
    change([&, number = version](hid_t file) {
      const Handle attribute(H5Aopen(file, "version", H5P_DEFAULT), H5Aclose);
      ASSERT_GE(H5Awrite(attribute, H5T_NATIVE_LLONG, &number), 0);
    });
    EXPECT_THAT(readHdf5(path_).problem, AllOf(StartsWith(path_), HasSubstr(words), HasSubstr("un the model again")));
  }
}

TEST_F(StoredPage, ThatIsMissingOrNoneOfOursIsRefused) {
  write(sample(mechanism_));
  change([](hid_t file) { H5Ldelete(file, kHdf5Page, H5P_DEFAULT); });
  EXPECT_THAT(readHdf5(path_).problem, HasSubstr("/page cannot be read; the file is damaged"));
  ASSERT_EQ(writeHdf5(sample(mechanism_), "{", path_), "");
  EXPECT_THAT(readHdf5(path_).problem, HasSubstr("/page cannot be read"));
  write(sample(mechanism_));
  change([](hid_t file) { H5Ldelete(file, "/series/a_b", H5P_DEFAULT); });
  EXPECT_EQ(readHdf5(path_).problem, "");  // the page then says which quantity has no values
  write(sample(mechanism_));
  change([](hid_t file) { H5Ldelete(file, "/time", H5P_DEFAULT); });
  EXPECT_THAT(readHdf5(path_).problem, HasSubstr("/time cannot be read"));
  change([](hid_t file) { H5Adelete(file, "format"); });
  EXPECT_THAT(readHdf5(path_).problem, HasSubstr("an HDF5 file, but no result of Linkwork"));
}

TEST_F(StoredPage, ThatIsCutShortIsRefusedAtEveryLength) {
  write(sample(mechanism_));
  const std::string whole = bytes();
  const std::size_t sealed = whole.size() - 16;  // without the seal alone nothing is lost
  for (std::size_t length = 0; length < sealed; length += whole.size() / 60) {
    replace(whole.substr(0, length));
    EXPECT_THAT(readHdf5(path_).problem, HasSubstr(path_)) << length;
  }
}

// The library itself does not survive all of these.
TEST_F(StoredPage, IsRefusedWhenABitHasChanged) {
  write(sample(mechanism_));
  const std::string whole = bytes();
  std::uint32_t random = 12345;
  for (int k = 0; k < 200; ++k) {
    std::string damaged = whole;
    random = random * 1664525U + 1013904223U;
    damaged[(random >> 4U) % (damaged.size() - 16)] ^= static_cast<char>(1U << (random >> 29U));
    replace(damaged);
    EXPECT_THAT(readHdf5(path_).problem, HasSubstr("the file is damaged")) << k;
  }
}

}  // namespace hdf5_read_test
}  // namespace linkwork

#else

namespace linkwork {
namespace hdf5_read_test {

TEST(Hdf5File, SaysThatItCannotRead) {
  EXPECT_THAT(readHdf5("x.h5").problem, ::testing::HasSubstr("built without HDF5"));
}

}  // namespace hdf5_read_test
}  // namespace linkwork

#endif
