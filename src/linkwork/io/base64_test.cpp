#include "linkwork/io/base64.hpp"

#include <gtest/gtest.h>

#include <array>

namespace linkwork {
namespace {

// 1.0 is 00 00 00 00 00 00 f0 3f; expected texts from coreutils' base64.
TEST(Base64, WritesLittleEndianDoubles) {
  EXPECT_EQ(base64(std::array{1.0}), "AAAAAAAA8D8=");
  EXPECT_EQ(base64(std::array{1.0, -2.5}), "AAAAAAAA8D8AAAAAAAAEwA==");
  EXPECT_EQ(base64(std::array{1.0, -2.5, 0.1}), "AAAAAAAA8D8AAAAAAAAEwJqZmZmZmbk/");
  EXPECT_EQ(base64({}), "");
}

// 1.0f is 00 00 80 3f, 258 is 02 01 00 00.
TEST(Base64, WritesLittleEndianFloatsAndIndices) {
  EXPECT_EQ(base64OfFloats(std::array{1.0F}), "AACAPw==");
  EXPECT_EQ(base64OfIndices(std::array{std::uint32_t{258}, std::uint32_t{0xffffffff}}), "AgEAAP////8=");
}

}  // namespace
}  // namespace linkwork
