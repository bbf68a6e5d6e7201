#include "linkwork/study/linearise_along.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "linkwork/base/contract.hpp"
#include "linkwork/formulation/mechanism_system.hpp"
#include "linkwork/geometry/planar.hpp"
#include "linkwork/geometry/spatial.hpp"
#include "linkwork/model/input_names.hpp"

namespace linkwork {

namespace {

// Of the mechanism's length, and of rates: a recorded state that misses the joints by more is of another model.
constexpr double kAnotherModel = 1e-5;

// Numbers of one sample by name.
class Sample {
 public:
  Sample(const Result& run, std::size_t sample, std::string& problem) : run_(run), sample_(sample), problem_(problem) {}

  double operator()(const std::string& name) const {
    const Series* series = run_.find(name);
    if (series == nullptr || sample_ >= series->values.size() || !std::isfinite(series->values[sample_])) {
      if (problem_.empty()) {
        problem_ = series == nullptr
                       ? fmt::format("the run has no series \"{}\"", name)
                       : fmt::format("the run has no value of \"{}\" at t = {:.9g} s", name, run_.time[sample_]);
      }
      return 0.0;
    }
    return series->values[sample_];
  }

 private:
  const Result& run_;
  std::size_t sample_;
  std::string& problem_;
};

// The mass centre and its velocity from those of the body frame's origin.
void putPlanar(const Body& body, const Sample& value, double* q, double* v) {
  const double angle = value(body.name + ".angle");
  const double rate = value(body.name + ".angle_rate");
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const double x = c * body.com[0].number - s * body.com[1].number;
  const double y = s * body.com[0].number + c * body.com[1].number;
  q[0] = value(body.name + ".x") + x;
  q[1] = value(body.name + ".y") + y;
  q[2] = angle;
  v[0] = value(body.name + ".x_rate") - rate * y;
  v[1] = value(body.name + ".y_rate") + rate * x;
  v[2] = rate;
}

void putSpatial(const Body& body, const Sample& value, double* q, double* v) {
  std::array<double, 4> o{};
  double size = 0.0;
  for (std::size_t k = 0; k < 4; ++k) {
    o[k] = value(fmt::format("{}.orientation.{}", body.name, "wxyz"[k]));
    size += o[k] * o[k];
  }
  for (double& part : o) part /= size > 0.0 ? std::sqrt(size) : 1.0;
  const auto R = Rotation3<double>::fromQuaternion(o[0], o[1], o[2], o[3]);
  const Vec3<double> w{value(body.name + ".angular_velocity.x"), value(body.name + ".angular_velocity.y"),
                       value(body.name + ".angular_velocity.z")};
  const Vec3<double> arm = R * Vec3<double>{body.com[0].number, body.com[1].number, body.com[2].number};
  const Vec3<double> extra = cross(w, arm);
  for (int k = 0; k < 3; ++k) {
    const std::string name = fmt::format("{}.{}", body.name, "xyz"[k]);
    q[k] = value(name) + arm[k];
    v[k] = value(name + "_rate") + extra[k];
  }
  std::copy(o.begin(), o.end(), q + 3);
  v[3] = dot(R.x, w);
  v[4] = dot(R.y, w);
  v[5] = dot(R.z, w);
}

}  // namespace

std::vector<double> recordedState(const Mechanism& mechanism, const Result& run, std::size_t sample,
                                  const std::vector<double>& like, std::string& problem) {
  const bool spatial = mechanism.space == Space::spatial;
  const std::size_t coordinates = spatial ? 7 : 3;
  const std::size_t freedoms = spatial ? 6 : 3;
  const std::size_t bodies = mechanism.bodies.size();
  std::vector<double> out = like;
  const Sample value(run, sample, problem);
  for (std::size_t b = 0; b < bodies; ++b) {
    double* q = out.data() + coordinates * b;
    double* v = out.data() + coordinates * bodies + freedoms * b;
    spatial ? putSpatial(mechanism.bodies[b], value, q, v) : putPlanar(mechanism.bodies[b], value, q, v);
  }
  if (!problem.empty()) out.clear();
  return out;
}

LinearAlong lineariseAlong(const Mechanism& named, const Assembly& assembly, const Result& run,
                           const std::vector<std::string>& coordinates) {
  expect(assembly.ok, "lineariseAlong: the mechanism is not assembled");
  LinearAlong out;
  if (run.time.empty()) {
    out.problem = "the run has no samples";
    return out;
  }
  const Mechanism plain = withInputValues(named);
  const auto system = makeSystem(plain, startingFrom(assembly));
  const auto work = system->makeWorkspace();
  const auto modes = system->startModes();
  LineariseOptions options{coordinates};
  std::vector<double> x = assembly.state();
  for (std::size_t k = 0; k < run.time.size(); ++k) {
    const double t = run.time[k];
    // References of counted turns go on from sample to sample.
    x = recordedState(plain, run, k, x, out.problem);
    if (x.empty()) {
      out.hint = "Name a result of this model, which simulate writes.";
      return out;
    }
    const Violation off = system->violation(t, x, modes, *work);
    if (!(off.position <= kAnotherModel * system->referenceLength()) ||
        system->afterStep(t, x, modes, *work).eval != Eval::ok) {
      out.problem =
          fmt::format("at t = {:.9g} s the joints of this model are {:.2g} m apart in the run", t, off.position);
      out.hint = "The run is of another model, or was made with other values of --set.";
      return out;
    }
    Linearisation linear = linearise(named, assembly, t, x, options);
    if (!linear.ok) {
      out.problem = fmt::format("at t = {:.9g} s: {}", t, linear.problem);
      out.hint = linear.hint;
      return out;
    }
    if (options.coordinates.empty()) {
      for (const LinearCoordinate& s : linear.coordinates) options.coordinates.push_back(s.name);
    }
    if (!out.linear.empty() && linear.stateNames() != out.linear.front().stateNames()) {
      out.problem = fmt::format("at t = {:.9g} s other speeds than at the start are independent", t);
      out.hint = "Choose others with --coordinates.";
      return out;
    }
    out.time.push_back(t);
    out.linear.push_back(std::move(linear));
  }
  out.ok = true;
  return out;
}

}  // namespace linkwork
