#include "linkwork/simulate/still_result.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "linkwork/model/test_mechanisms.hpp"

namespace linkwork {
namespace still_result_test {

TEST(StillResult, HoldsTheAssembledPoseAndWhatItTakesToHoldIt) {
  const Mechanism m = test::fourBar();
  const Assembly assembly = assemble(m);
  ASSERT_TRUE(assembly.ok);
  const Result result = stillResult(m, assembly, 0.0, assembly.state());
  ASSERT_EQ(result.time, std::vector<double>{0.0});
  for (const Body& body : m.bodies) {
    for (const char* label : {".x", ".y", ".angle"}) {
      const Series* series = result.find(body.name + label);
      ASSERT_NE(series, nullptr);
      ASSERT_EQ(series->values.size(), 1U);
      EXPECT_TRUE(std::isfinite(series->values[0]));
    }
  }
  EXPECT_LT(result.find("violation.position")->values[0], 1e-9);  // assembled
  EXPECT_EQ(result.provenance[1].text(), m.file_name);
}

}  // namespace still_result_test
}  // namespace linkwork
