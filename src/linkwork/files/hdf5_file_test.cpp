#include "linkwork/files/hdf5_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#ifdef LINKWORK_HAS_HDF5

#include <hdf5.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace linkwork {
namespace hdf5_file_test {

using ::testing::HasSubstr;

constexpr const char* kOutline = R"({"format":"linkwork-page"})";

Result sample() {
  Result result;
  result.name = "sample";
  result.status = RunStatus::interrupted;
  result.message = "interrupted at t = 2 s";
  for (int k = 0; k < 100; ++k) result.time.push_back(0.1 * k);
  result.series = {{"crank.angle", "rad", "crank", "angle", result.time},
                   {"O.force.x", "N", "O", "force.x", std::vector<double>(100, 1.0 / 3.0), false},
                   {"a/b.x", "m", "a/b", "x", std::vector<double>(100, 2.0)},
                   {"a_b.x", "m", "a_b", "x", std::vector<double>(100, 3.0)}};
  result.settings = {{"integrator", "dopri5"}};
  result.provenance = {{"model file", "m.toml"}};
  result.events = {{"low", 1.5}};
  result.ledger.worst_position = 1.25e-9;
  result.ledger.steps = 42;
  result.ledger.dependent_rows = {"A in x", "B in y"};
  return result;
}

class Hdf5 : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = (std::filesystem::temp_directory_path() / ("linkwork_hdf5_" + std::to_string(::getpid()) + ".h5")).string();
    ASSERT_EQ(writeHdf5(sample(), kOutline, path_), "");
    file_ = H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    ASSERT_GE(file_, 0);
  }
  void TearDown() override {
    if (file_ >= 0) H5Fclose(file_);
    std::filesystem::remove(path_);
  }

  std::vector<double> values(const char* name) const {
    const hid_t data = H5Dopen2(file_, name, H5P_DEFAULT);
    if (data < 0) return {};
    const hid_t space = H5Dget_space(data);
    std::vector<double> out(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data());
    H5Sclose(space);
    H5Dclose(data);
    return out;
  }
  std::string text(const char* object, const char* name) const {
    const hid_t attribute = H5Aopen_by_name(file_, object, name, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0) return "no such attribute";
    const hid_t type = H5Aget_type(attribute);
    char* pointer = nullptr;
    H5Aread(attribute, type, static_cast<void*>(&pointer));
    std::string out = pointer != nullptr ? pointer : "";
    H5free_memory(pointer);
    H5Tclose(type);
    H5Aclose(attribute);
    return out;
  }
  double number(const char* object, const char* name) const {
    const hid_t attribute = H5Aopen_by_name(file_, object, name, H5P_DEFAULT, H5P_DEFAULT);
    double out = -1.0;
    if (attribute >= 0) H5Aread(attribute, H5T_NATIVE_DOUBLE, &out);
    if (attribute >= 0) H5Aclose(attribute);
    return out;
  }

  std::string path_;
  hid_t file_ = -1;
};

TEST_F(Hdf5, SeriesReadBackToTheSameNumbers) {
  const Result result = sample();
  EXPECT_EQ(values("/time"), result.time);
  EXPECT_EQ(values("/series/crank/angle"), result.series[0].values);
  EXPECT_EQ(values("/series/O/force.x"), result.series[1].values);
  EXPECT_EQ(text("/series/O/force.x", "unit"), "N");
  EXPECT_EQ(text("/series/O/force.x", "name"), "O.force.x");
  EXPECT_EQ(number("/series/O/force.x", "unique"), 0.0);
  EXPECT_EQ(number("/series/crank/angle", "unique"), 1.0);
}

TEST_F(Hdf5, NamesThatDifferInASlashAreBothThere) {
  EXPECT_EQ(values("/series/a_b/x"), std::vector<double>(100, 2.0));
  EXPECT_EQ(values("/series/a_b/x_"), std::vector<double>(100, 3.0));
  EXPECT_EQ(text("/series/a_b/x_", "name"), "a_b.x");
}

TEST_F(Hdf5, LedgerAndProvenanceAreAttributes) {
  EXPECT_EQ(text("/", "status"), "interrupted");
  EXPECT_EQ(text("/", "message"), "interrupted at t = 2 s");
  EXPECT_EQ(text("/settings", "integrator"), "dopri5");
  EXPECT_EQ(text("/provenance", "model file"), "m.toml");
  EXPECT_EQ(number("/ledger/violation", "position"), 1.25e-9);
  EXPECT_EQ(number("/ledger/steps", "accepted"), 42.0);
  EXPECT_EQ(values("/events/time"), std::vector<double>{1.5});
  EXPECT_GE(H5Oexists_by_name(file_, "/ledger/rank/dependent_rows", H5P_DEFAULT), 1);
}

TEST_F(Hdf5, TheSameResultIsTheSameFile) {
  const auto bytes = [](const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  const std::string again = path_ + ".again";
  ASSERT_EQ(writeHdf5(sample(), kOutline, again), "");
  EXPECT_TRUE(bytes(again) == bytes(path_));
  std::filesystem::remove(again);
}

TEST(Hdf5File, SaysWhyItCannotBeWritten) {
  EXPECT_THAT(writeHdf5(sample(), kOutline, "/proc/nowhere/x.h5"), HasSubstr("cannot make the folder"));
}

}  // namespace hdf5_file_test
}  // namespace linkwork

#else

namespace linkwork {
namespace hdf5_file_test {

TEST(Hdf5File, SaysThatItIsMissing) {
  EXPECT_FALSE(hasHdf5());
  EXPECT_THAT(writeHdf5({}, "", "x.h5"), ::testing::HasSubstr("built without HDF5"));
}

}  // namespace hdf5_file_test
}  // namespace linkwork

#endif
