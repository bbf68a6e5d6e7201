#include "linkwork/model/bushing_matrix.hpp"

#include <gtest/gtest.h>

namespace linkwork {
namespace bushing_matrix_test {

BushingMatrix planar(const std::array<std::array<double, 3>, 3>& entries) {
  BushingMatrix out{};
  const std::array<std::size_t, 3> place{0, 1, 5};
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c) out[place[r]][place[c]] = Value(entries[r][c]);
  }
  return out;
}

std::string problem(const std::array<std::array<double, 3>, 3>& entries) {
  return bushingProblem(planar(entries), Space::planar);
}

TEST(BushingMatrix, SemiDefiniteOnesAreGood) {
  EXPECT_EQ(problem({{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}), "");
  EXPECT_EQ(problem({{{1e9, 0, 0}, {0, 2, 0}, {0, 0, 1e-6}}}), "");
  EXPECT_EQ(problem({{{4, 2, 0}, {2, 1, 0}, {0, 0, 3}}}), "");  // of rank two
  EXPECT_EQ(problem({{{1, 0.1, 0}, {0.1 * (1 + 1e-12), 1, 0}, {0, 0, 0}}}), "");
}

TEST(BushingMatrix, SaysWhatIsWrong) {
  EXPECT_EQ(problem({{{4, 2, 0}, {1, 4, 0}, {0, 0, 3}}}), "is not symmetric: row 1 column 2 is 2, row 2 column 1 is 1");
  EXPECT_EQ(problem({{{4, 0, 0}, {0, 4, 0}, {0, 0, -3}}}), "is not positive semi-definite: row 3 column 3 is -3");
  EXPECT_EQ(problem({{{4, 0, 1}, {0, 4, 0}, {1, 0, 0}}}),
            "is not positive semi-definite: row 1 column 3 is 1 beside a zero on the diagonal");
  EXPECT_EQ(problem({{{4, 5, 0}, {5, 4, 0}, {0, 0, 1}}}),
            "is not positive semi-definite: some displacement would gain energy");
  // All 2x2 minors good, the whole not.
  EXPECT_EQ(problem({{{1, 0.9, -0.9}, {0.9, 1, 0.9}, {-0.9, 0.9, 1}}}),
            "is not positive semi-definite: some displacement would gain energy");
}

}  // namespace bushing_matrix_test
}  // namespace linkwork
