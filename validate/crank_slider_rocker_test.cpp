// Crank-slider with a slotted rocker: motion and every reaction against a reference of 30 digits, found with
// Newton-Euler equations in minimal coordinates.
#include <gtest/gtest.h>

#include <array>

#include "run_model.hpp"

namespace linkwork::validation {
namespace {

using Twelve = std::array<double, 12>;  // x, y, angle of crank, rod, slider, rocker

// lambda: O on the crank (x, y), A on the crank, B on the rod, couple of the slide on the slider, slide (the force on
// the slider is -lambda times the rail's normal), C on the rocker, slot (the force on the rod's pin is -lambda times
// the rocker's x axis).
struct Reference {
  double t;
  Twelve q, dq, ddq;
  std::array<double, 11> lambda;
};

const Reference kReference[] = {
    {0.0,
     {0.0600000000000, 0.103923048454, 1.04719755120, 0.599954744995, 0.253425814447, -0.0141822680661, 1.15289443582,
      0.215775703535, 0.100000000000, 0.579845631909, -0.201115006229, -0.0746834864705},
     {-0.415692193817, 0.240000000000, 4.00000000000, -1.04373186278, 0.282626473241, -0.705345438156, -1.04923354729,
      -0.105274503908, 0.0, -0.412113480000, 0.0308354222918, 1.03316365979},
     {0.196982995545, -2.33075321919, -11.1330740654, 0.305793994134, -3.20127974462, 5.82820451595, 0.0776497228010,
      0.00779095947476, 0.0, 0.0714884520639, -0.433513329386, -0.259088437579},
     {-12.2414190373, 14.7543882809, 12.4777986319, -5.77929214397, 3.32886232650, 8.16845665076, -1.20702971783,
      -23.2096417010, 2.56695535055, 14.3332717462, -9.78780796078}},
    {0.5,
     {-0.0690195651240, 0.0981646557071, 2.18359977013, 0.277217874549, 0.230925888022, -0.0321961203985,
      0.829927839375, 0.183370955986, 0.100000000000, 0.445826703745, -0.213803256944, 0.263470901084},
     {-0.122626788457, -0.0862188895878, 1.24919491209, -0.303880108618, -0.132123071148, 0.185483132963,
      -0.300596165533, -0.0301602176988, 0.0, -0.138733555686, -0.0374222001008, 0.359230258100},
     {0.186633174164, -0.0976898006866, -0.804046786451, 0.455274672262, -0.114391586198, 0.287559133923,
      0.441453461748, 0.0442930883255, 0.0, 0.157258017244, -0.0110444600878, -0.372387476665},
     {-41.9262487458, 23.2825857735, 42.1502085548, -11.6278135344, 41.6129013041, 7.37285625538, -1.94714258855,
      -21.9880904881, -0.953817084809, 12.1850476565, -1.49960518444}},
    {1.0,
     {-0.109461213567, -0.0491756314089, 3.56382408157, 0.152568268409, 0.0214056527410, 0.326538184792, 0.676500418196,
      0.167976865993, 0.100000000000, 0.352156373274, -0.252353772689, 0.517384968277},
     {0.461511569113, -1.02728963478, 9.38496478624, 0.758187411306, -1.40012097897, 2.74060236224, 0.274686675056,
      0.0275605974680, 0.0, -0.116528901182, -0.0663159804915, 0.335193918494},
     {12.6581023056, -2.38439882336, 61.3520390382, 26.8474900528, -2.33112826943, 11.0600474309, 20.9835541835,
      2.10537802819, 0.0, 8.33816340473, 4.69349461022, -23.9206815379},
     {47.7020330403, 17.9272703533, -32.5123102736, -9.01654894137, 28.7124635258, 10.2263602309, -1.72761091355,
      -27.1023416668, -0.647185824009, 12.2125629311, 8.66374273866}},
    {2.0,
     {-0.00544100058431, 0.119876584505, 7.89933885598, 0.435270734725, 0.267866662184, -0.0707808621285,
      0.986888581451, 0.199119560573, 0.100000000000, 0.513677890069, -0.201652533170, 0.0909305307814},
     {0.0661161278361, 0.00300090206668, -0.551534964972, 0.165582157005, 0.0116184792597, 0.00917012590905,
      0.165938847178, 0.0166494198179, 0.0, 0.0681372324522, 0.00621288762596, -0.171049744572},
     {0.176313982509, -0.0285378775640, -1.45698912605, 0.444460413315, -0.0189690995519, 0.116676410956,
      0.448952638589, 0.0450455157747, 0.0, 0.178675741541, 0.00454025105693, -0.445874628280},
     {-19.6450983913, 24.2887544505, 19.8566751703, -12.5509999036, 22.7315979118, 7.21214948012, -1.53687079075,
      -22.3618770228, -0.559032957290, 9.97973020757, 1.99424078748}},
};

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

class CrankSliderRocker : public ::testing::TestWithParam<Reference> {};

TEST_P(CrankSliderRocker, AgreesWithTheReferenceInMotionAndReactions) {
  const Reference& exact = GetParam();
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

INSTANTIATE_TEST_SUITE_P(Times, CrankSliderRocker, ::testing::ValuesIn(kReference), [](const auto& reference) {
  return "At" + std::to_string(static_cast<int>(1000 * reference.param.t)) + "ms";
});

}  // namespace
}  // namespace linkwork::validation
