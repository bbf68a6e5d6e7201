// Crank-slider with a slotted rocker: motion and every reaction against a reference of 30 digits, found with
// Newton-Euler equations in minimal coordinates.
#include <gtest/gtest.h>

#include <array>

#include "linkwork/model/reference_motions_for_tests.hpp"
#include "run_model.hpp"

namespace linkwork::validation {
namespace crank_slider_rocker_test {

using Twelve = std::array<double, 12>;  // x, y, angle of crank, rod, slider, rocker

// The recorded sample at the start or at the end of the run.
struct Sample {
  const Result& result;
  bool end;
  double operator()(const std::string& name) const {
    const Series* series = result.find(name);
    expect(series != nullptr, "no series " + name);
    return end ? series->values.back() : series->values.front();
  }
  Twelve level(const std::string& suffix) const {
    Twelve out{};
    std::size_t next = 0;
    for (const char* body : {"crank", "rod", "slider", "rocker"}) {
      for (const char* word : {"x", "y", "angle"}) out[next++] = (*this)(std::string(body) + "." + word + suffix);
    }
    return out;
  }
};

double greatest(std::span<const double> values) {
  double out = 0.0;
  for (const double value : values) out = std::max(out, std::abs(value));
  return out;
}

void expectNear(std::span<const double> got, std::span<const double> exact, double tolerance, const char* what) {
  for (std::size_t k = 0; k < exact.size(); ++k) EXPECT_NEAR(got[k], exact[k], tolerance) << what << " " << k;
}

class CrankSliderRocker : public ::testing::TestWithParam<test::CrankSliderState> {};

TEST_P(CrankSliderRocker, AgreesWithTheReferenceInMotionAndReactions) {
  const test::CrankSliderState& exact = GetParam();
  const Result result = runTo(readShippedModel("crank_slider_rocker"), std::max(exact.t, 1e-3), 1e-12);
  const Sample at{result, exact.t > 0.0};
  // The references are printed to 12 digits.
  expectNear(at.level(""), exact.q, 1e-10, "q");
  expectNear(at.level("_rate"), exact.dq, 1e-10 * std::max(1.0, greatest(exact.dq)), "dq");
  expectNear(at.level("_acceleration"), exact.ddq, 1e-9 * std::max(1.0, greatest(exact.ddq)), "ddq");

  const double scale = 1e-9 * greatest(exact.lambda);
  const auto& lambda = exact.lambda;
  // A reaction is recorded as the force of the first-named body on the second: A on the rod, B on the slider.
  EXPECT_NEAR(at("O.force.x"), lambda[0], scale);
  EXPECT_NEAR(at("O.force.y"), lambda[1], scale);
  EXPECT_NEAR(at("A.force.x"), -lambda[2], scale);
  EXPECT_NEAR(at("A.force.y"), -lambda[3], scale);
  EXPECT_NEAR(at("B.force.x"), -lambda[4], scale);
  EXPECT_NEAR(at("B.force.y"), -lambda[5], scale);
  EXPECT_NEAR(at("slide.moment"), lambda[6], scale);
  EXPECT_NEAR(at("slide.force.x"), lambda[7] * std::sin(0.1), scale);
  EXPECT_NEAR(at("slide.force.y"), -lambda[7] * std::cos(0.1), scale);
  EXPECT_NEAR(at("C.force.x"), lambda[8], scale);
  EXPECT_NEAR(at("C.force.y"), lambda[9], scale);
  const double turn = at("rocker.angle");
  EXPECT_NEAR(at("slot.force.x"), lambda[10] * std::cos(turn), scale);
  EXPECT_NEAR(at("slot.force.y"), lambda[10] * std::sin(turn), scale);
}

INSTANTIATE_TEST_SUITE_P(Times, CrankSliderRocker, ::testing::ValuesIn(test::crankSliderReference()),
                         [](const auto& reference) {
                           return "At" + std::to_string(static_cast<int>(1000 * reference.param.t)) + "ms";
                         });

}  // namespace crank_slider_rocker_test
}  // namespace linkwork::validation
