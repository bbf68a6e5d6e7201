#include "linkwork/simulate/provenance.hpp"

#include <gtest/gtest.h>

#include "linkwork/model/mechanism.hpp"
#include "linkwork/simulate/simulate.hpp"

namespace linkwork {
namespace provenance_test {

TEST(Provenance, TellsWhatWasSetFromOutside) {
  Mechanism m;
  EXPECT_TRUE(parametersSet(m).empty());
  EXPECT_EQ(parametersSetInWords(m), "");
  EXPECT_EQ(parametersSetAsOptions(m), "");
  m.set = {{"L", "12 mm"}, {"N", "3"}, {"b", "2*'odd'"}};
  EXPECT_EQ(parametersSet(m)[0], (Setting{"parameter L", "12 mm"}));
  EXPECT_EQ(parametersSetInWords(m), "With L = 12 mm, N = 3, b = 2*'odd' instead of what the file says.");
  EXPECT_EQ(parametersSetAsOptions(m), R"( --set 'L=12 mm' --set N=3 --set 'b=2*'\''odd'\''')");
}

TEST(Provenance, WhatWasSetDecidesWhichRunItIs) {
  Mechanism m;
  const RunIdentity before = runIdentity(m, {}, {});
  m.set = {{"L", "12 mm"}};
  const RunIdentity after = runIdentity(m, {}, {});
  ASSERT_EQ(after.size(), before.size() + 1);
  EXPECT_EQ(after.back(), std::pair(std::string("parameter L"), std::string("12 mm")));
  // The text of the model is the same.
  EXPECT_EQ(provenanceOf(m)[2], provenanceOf(Mechanism{})[2]);
}

}  // namespace provenance_test
}  // namespace linkwork
