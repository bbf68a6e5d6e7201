#include "linkwork/simulate/spike_watch.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace linkwork {

namespace {

using Vector = std::array<double, 3>;

// In the glance, the share of |a| dt that velocities may miss: the trapezoidal rule misses a twelfth of it where a
// swing takes six times dt.
constexpr double kMissable = 0.25;
// Of |a|, what an acceleration may differ from the slope of the interpolation: loose tolerances and low orders stay
// below a hundredth.
constexpr double kSpike = 0.1;
// And what it would change the velocity by, as a multiple of its tolerance.
constexpr double kWorth = 100.0;
// Elsewhere in the step, the share of that difference that counts as a fit.
constexpr double kElsewhere = 0.2;
// From how far away a slope is taken, as a share of the step.
constexpr double kBeside = 1e-3;

constexpr std::size_t kNumbers = 12;  // of each body

double sizeOf(const Vector& a) { return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

// Velocity and acceleration of a body's point, and of its turning.
struct Pair {
  const Vector& velocity;
  const Vector& acceleration;
};
std::array<Pair, 2> pairsOf(const BodyMotion& motion) {
  return {Pair{motion.velocity, motion.acceleration}, Pair{motion.angular_velocity, motion.angular_acceleration}};
}

}  // namespace

void SpikeWatch::keep(double t, const Observation& seen) {
  time_ = t;
  motions_.resize(kNumbers * seen.bodies.size());
  double* out = motions_.data();
  for (const BodyMotion& body : seen.bodies) {
    for (const Vector* vector :
         {&body.velocity, &body.angular_velocity, &body.acceleration, &body.angular_acceleration})
      out = std::copy(vector->begin(), vector->end(), out);
  }
}

bool SpikeWatch::doubts(double t, const Observation& seen) const {
  if (motions_.size() != kNumbers * seen.bodies.size() || !(t > time_)) return false;
  const double dt = t - time_;
  const double* before = motions_.data();
  for (const BodyMotion& body : seen.bodies) {
    for (const auto& [v, a] : pairsOf(body)) {
      double missed = 0.0;
      double greatest = 0.0;
      double speed = 0.0;
      for (std::size_t k = 0; k < 3; ++k) {
        missed = std::max(missed, std::abs(v[k] - before[k] - 0.5 * dt * (before[k + 6] + a[k])));
        greatest = std::max({greatest, std::abs(a[k]), std::abs(before[k + 6])});
        speed = std::max(speed, std::abs(v[k]));
      }
      if (missed > kMissable * dt * greatest && missed > kWorth * toleranceOf(speed)) return true;
      before += 3;
    }
    before += kNumbers - 6;
  }
  return false;
}

bool SpikeWatch::takeSlopes(double t, const Step& step, const Observe& observe) {
  const double away = kBeside * (step.to - step.from);
  left_ = std::max(t - away, step.from);
  right_ = std::min(t + away, step.to);
  return right_ > left_ && observe(left_, before_) && observe(right_, after_);
}

SpikeWatch::Misfit SpikeWatch::misfitOf(std::size_t body, std::size_t pair, const Observation& seen) const {
  const Pair now = pairsOf(seen.bodies[body])[pair];
  const Pair earlier = pairsOf(before_.bodies[body])[pair];
  const Pair later = pairsOf(after_.bodies[body])[pair];
  Vector slope{};
  Vector apart{};
  for (std::size_t k = 0; k < 3; ++k) {
    slope[k] = (later.velocity[k] - earlier.velocity[k]) / (right_ - left_);
    apart[k] = now.acceleration[k] - slope[k];
  }
  return {sizeOf(apart), std::max(sizeOf(now.acceleration), sizeOf(slope)), sizeOf(now.velocity)};
}

int SpikeWatch::bodyInSpike(double t, const Observation& seen, const Step& step, const Observe& observe) {
  if (!takeSlopes(t, step, observe)) return -1;
  const double h = step.to - step.from;
  for (std::size_t body = 0; body < seen.bodies.size(); ++body) {
    for (std::size_t pair = 0; pair < 2; ++pair) {
      const Misfit misfit = misfitOf(body, pair, seen);
      if (misfit.size <= kSpike * misfit.greatest || misfit.size * h <= kWorth * toleranceOf(misfit.speed)) continue;
      return fitsElsewhere(t, body, pair, misfit.size, step, observe) ? static_cast<int>(body) : -1;
    }
  }
  return -1;
}

bool SpikeWatch::fitsElsewhere(double t, std::size_t body, std::size_t pair, double misfit, const Step& step,
                               const Observe& observe) {
  const double h = step.to - step.from;
  const double side = t - step.from > step.to - t ? -1.0 : 1.0;  // where there is more room
  for (const double share : {0.25, 0.45}) {
    const double other = t + side * share * h;
    if (!observe(other, elsewhere_) || !takeSlopes(other, step, observe)) return false;
    if (misfitOf(body, pair, elsewhere_).size > kElsewhere * misfit) return false;
  }
  return true;
}

}  // namespace linkwork
