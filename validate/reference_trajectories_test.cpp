// Reference trajectories of many digits by every stabilisation and every explicit integrator that is accurate enough.
#include <gtest/gtest.h>

#include <cstdio>

#include "linkwork/model/test_mechanisms.hpp"
#include "slider_pendulum.hpp"

namespace linkwork::textbook {
namespace reference_trajectories_test {

struct Way {
  std::string stabilisation, integrator;
};

// Asked of the mechanism made in code: the list is wanted before any test runs, in every process, and reads no file.
std::vector<Way> ways() {
  Mechanism mechanism = test::sliderPendulum();
  test::drawAt(mechanism, test::sliderPendulumStart());
  std::vector<Way> out;
  const std::vector<std::string> known = integratorNames();
  for (const std::string& stabilisation : stabilisationNames()) {
    for (const char* integrator : {"dopri5", "dop853", "radau5"}) {
      if (std::find(known.begin(), known.end(), integrator) == known.end()) continue;
      RunOptions options = adaptive(integrator, stabilisation, 1e-12, 1e-13);
      if (runProblem(mechanism, options).empty()) out.push_back({stabilisation, integrator});
    }
  }
  return out;
}

class ReferenceTrajectory : public ::testing::TestWithParam<Way> {};

TEST_P(ReferenceTrajectory, OfTheSliderWithAPendulumIsFollowedForTwentySeconds) {
  const RunOptions options = adaptive(GetParam().integrator, GetParam().stabilisation, 1e-12, 1e-13);
  for (const test::SliderPendulumState& reference : test::sliderPendulumReference()) {
    const RunEnd end = runTo(sliderPendulum(), options, reference.t);
    const double q = greatestDifference(end.q, reference.q);
    const double dq = greatestDifference(end.dq, reference.dq);
    const double lambda = greatestDifference(end.lambda, reference.lambda) / greatest(reference.lambda);
    std::printf("t = %2.0f s: q %.1e, dq %.1e, lambda %.1e of the largest; %ld evaluations\n", reference.t, q, dq,
                lambda, end.counts.evaluations);
    EXPECT_LT(q, 1e-10) << reference.t;
    EXPECT_LT(dq, 1e-10) << reference.t;
    EXPECT_LT(lambda, 1e-9) << reference.t;
  }
}

// The crank-slider with its slotted rocker to 2 s: twelve coordinates and every reaction.
TEST_P(ReferenceTrajectory, OfTheCrankSliderWithARockerIsFollowed) {
  const Mechanism mechanism = validation::readShippedModel("crank_slider_rocker");
  for (const test::CrankSliderState& reference : test::crankSliderReference()) {
    if (reference.t == 0.0) continue;
    RunOptions options = adaptive(GetParam().integrator, GetParam().stabilisation, 1e-12, 1e-14);
    options.until = options.output_step = reference.t;
    const Result result = validation::runModel(mechanism, options);
    ASSERT_EQ(result.status, RunStatus::complete) << result.message;
    double q = 0.0;
    std::size_t next = 0;
    for (const char* body : {"crank", "rod", "slider", "rocker"}) {
      for (const char* word : {".x", ".y", ".angle"}) {
        q = std::max(q, std::abs(validation::lastOf(result, std::string(body) + word) - reference.q.at(next++)));
      }
    }
    const auto& lambda = reference.lambda;
    double reactions = 0.0;
    double size = 0.0;
    for (const double value : lambda) size = std::max(size, std::abs(value));
    const std::array<std::pair<const char*, double>, 8> exact{{{"O.force.x", lambda[0]},
                                                               {"O.force.y", lambda[1]},
                                                               {"A.force.x", -lambda[2]},
                                                               {"A.force.y", -lambda[3]},
                                                               {"B.force.x", -lambda[4]},
                                                               {"B.force.y", -lambda[5]},
                                                               {"slide.moment", lambda[6]},
                                                               {"C.force.x", lambda[8]}}};
    for (const auto& [name, value] : exact) {
      reactions = std::max(reactions, std::abs(validation::lastOf(result, name) - value));
    }
    std::printf("t = %.1f s: q %.1e, reactions %.1e of the largest; %ld evaluations\n", reference.t, q,
                reactions / size, result.ledger.evaluations);
    EXPECT_LT(q, 1e-10) << reference.t;
    EXPECT_LT(reactions, 1e-9 * size) << reference.t;
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, ReferenceTrajectory, ::testing::ValuesIn(ways()),
                         [](const auto& test) { return test.param.stabilisation + "_" + test.param.integrator; });

}  // namespace reference_trajectories_test
}  // namespace linkwork::textbook
