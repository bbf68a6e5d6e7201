#include "linkwork/files/base64.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

namespace linkwork {
namespace base64_test {

// 1.0 is 00 00 00 00 00 00 f0 3f; expected texts from coreutils' base64.
TEST(Base64, WritesLittleEndianDoubles) {
  EXPECT_EQ(base64(std::array{1.0}), "AAAAAAAA8D8=");
  EXPECT_EQ(base64(std::array{1.0, -2.5}), "AAAAAAAA8D8AAAAAAAAEwA==");
  EXPECT_EQ(base64(std::array{1.0, -2.5, 0.1}), "AAAAAAAA8D8AAAAAAAAEwJqZmZmZmbk/");
  EXPECT_EQ(base64({}), "");
}

TEST(Base64, ReadsBytesBack) {
  EXPECT_EQ(bytesOfBase64(""), "");
  EXPECT_EQ(bytesOfBase64("TQ=="), "M");
  EXPECT_EQ(bytesOfBase64("TWE="), "Ma");
  EXPECT_EQ(bytesOfBase64("TWFu"), "Man");
  const std::array values{0.1, -2.5e300, 3.0, 7e-310};
  const std::optional<std::string> bytes = bytesOfBase64(base64(values));
  ASSERT_TRUE(bytes.has_value());
  ASSERT_EQ(bytes->size(), sizeof values);
  std::array<double, values.size()> back{};
  std::memcpy(back.data(), bytes->data(), sizeof back);  // on a little-endian machine
  EXPECT_EQ(back, values);
}

TEST(Base64, RefusesWhatIsNone) {
  for (const char* text : {"TQ=", "T", "TQ=A", "=QQQ", "T!==", "TQ\n="}) EXPECT_FALSE(bytesOfBase64(text)) << text;
}

// 1.0f is 00 00 80 3f, 258 is 02 01 00 00.
TEST(Base64, WritesLittleEndianFloatsAndIndices) {
  EXPECT_EQ(base64OfFloats(std::array{1.0F}), "AACAPw==");
  EXPECT_EQ(base64OfIndices(std::array{std::uint32_t{258}, std::uint32_t{0xffffffff}}), "AgEAAP////8=");
}

}  // namespace base64_test
}  // namespace linkwork
