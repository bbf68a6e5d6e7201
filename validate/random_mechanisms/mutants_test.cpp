#include "mutants.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "mutate.hpp"

namespace linkwork::random_mechanisms {
namespace mutants_test {

TEST(Mutated, IsAnotherTextAndTheSameForTheSameDraws) {
  const std::string text = "# a comment\nlinkwork = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n";
  int others = 0;
  for (std::uint64_t k = 0; k < 50; ++k) {
    Draws draws(3, k);
    Draws again(3, k);
    const std::string once = mutated(text, draws);
    EXPECT_EQ(once, mutated(text, again));
    others += once != text.substr(text.find('\n') + 1) ? 1 : 0;
  }
  EXPECT_GT(others, 40);
}

// 10 of them; with LINKWORK_FULL set 200. More by linkwork_soak N --mutate models.
TEST(Mutants, EndInTimeWithNumbersOrAReason) {
  MutantRequest request;
  request.folder = LINKWORK_MODELS_DIR;
  request.count = std::getenv("LINKWORK_FULL") != nullptr ? 200 : 10;
  const MutantReport report = mutants(request);
  EXPECT_EQ(report.files, request.count);
  for (const MutantFinding& found : report.findings) {
    // A thousandfold gravity wants a thousand times the steps: that some are slow is no fault in itself.
    if (found.fault != MutantFault::slow) ADD_FAILURE() << found.model;
  }
  if (request.count < 100) return;
  EXPECT_GT(report.complete, request.count / 5) << "too many are refused to prove anything";
}

}  // namespace mutants_test
}  // namespace linkwork::random_mechanisms
