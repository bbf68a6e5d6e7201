#include "linkwork/files/stiffness_plot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace linkwork {
namespace stiffness_plot_test {

using ::testing::HasSubstr;

StiffnessSample sampleAt(double stiffness, double place, double gap) {
  StiffnessSample out;
  out.stiffness = stiffness;
  out.errors.place = place;
  out.errors.force = 100.0 * place;
  out.errors.most_force = 300.0 * place;
  out.gap = gap;
  return out;
}

// A decade of stiffness is a decade of the error: from (0, 0) to (1, 1) of a panel of two decades each way.
TEST(StiffnessPlot, DrawsALineForEachQuantityAndAPanelOfMomentsOnlyWhereThereAreSome) {
  StiffnessSweep sweep;
  sweep.samples = {sampleAt(1e4, 1e-3, 1e-4), sampleAt(1e6, 1e-5, 1e-6)};
  const std::string svg = stiffnessSvg(sweep);
  // Places from the upper left corner to a third above the lower edge, the gap down to that.
  EXPECT_THAT(svg, HasSubstr("<path d=\"M62.0 30.0L366.0 155.3\" stroke=\"#0072b2\""));
  EXPECT_THAT(svg, HasSubstr("<path d=\"M62.0 92.7L366.0 218.0\" stroke=\"#d55e00\""));
  EXPECT_EQ(svg.find("moments"), std::string::npos);
  sweep.samples[0].errors.moment = 0.1;
  EXPECT_THAT(stiffnessSvg(sweep), HasSubstr("moments, N m"));
}

TEST(StiffnessPlot, StandsWithoutAnySample) { EXPECT_THAT(stiffnessSvg(StiffnessSweep()), HasSubstr("</svg>")); }

}  // namespace stiffness_plot_test
}  // namespace linkwork
