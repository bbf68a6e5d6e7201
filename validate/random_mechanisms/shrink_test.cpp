#include "shrink.hpp"

#include <gtest/gtest.h>

#include <string>

namespace linkwork::random_mechanisms {
namespace shrink_test {

const char* const kText =
    "linkwork = 1\n"
    "\n"
    "[bodies]\n"
    "b1 = { position = [0.12345678, 1.5], mass = 2, com = [0.1, 0.2] }\n"
    "b2 = { position = [3.25, 1.5], mass = 7.654321 }\n"
    "b10 = { position = [1, 1], mass = 1 }\n"
    "\n"
    "[joints]\n"
    "j1 = { revolute = [\"ground\", \"b1\"] }\n"
    "j2 = { revolute = [\"b1\", \"b2\"] }\n"
    "j3 = { revolute = [\"b2\", \"b10\"] }\n";

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

TEST(Shrunk, KeepsNothingButWhatShows) {
  const auto shows = [](const std::string& text) { return has(text, "b10 = ") && has(text, "mass"); };
  EXPECT_EQ(shrunk(kText, shows), "b10 = { position = [1, 1], mass = 1 }\n");
}

TEST(Shrunk, TiesToTheGroundWhatHungOnABody) {
  const auto shows = [](const std::string& text) { return has(text, "b2 = ") && has(text, "\"b2\"]"); };
  const std::string small = shrunk(kText, shows);
  EXPECT_TRUE(has(small, "j2 = { revolute = [\"ground\", \"b2\"] }")) << small;
  EXPECT_FALSE(has(small, "b1 = ")) << small;
}

TEST(Shrunk, ShortensNumbersAndLeavesOutKeys) {
  const auto shows = [](const std::string& text) { return has(text, "b1 = ") && has(text, "position"); };
  EXPECT_EQ(shrunk(kText, shows), "b1 = { position = [0.1, 2]}\n");
}

TEST(Shrunk, StopsAsking) {
  int asked = 0;
  const auto shows = [&](const std::string&) {
    ++asked;
    return false;
  };
  EXPECT_EQ(shrunk(kText, shows, 5), kText);
  EXPECT_EQ(asked, 5);
}

}  // namespace shrink_test
}  // namespace linkwork::random_mechanisms
