#include "linkwork/analyse/motion_curve.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "linkwork/base/contract.hpp"
#include "linkwork/base/index.hpp"

namespace linkwork {

namespace {

constexpr double kLargestStep = 0.1;    // in units of the length, and rad
constexpr double kSmallestStep = 1e-9;  // below this there is no way on
constexpr double kSameWay = 0.97;       // cosine of the greatest turn of the tangent in a step, 14 degrees
// A row nearer to dependence than this is looked at closely; one that comes below the second is dependent somewhere.
constexpr double kSuspicious = 0.1;
constexpr double kDependentThere = 1e-5;
constexpr double kSameTime = 4e-15;  // of the duration

}  // namespace

MotionCurve::MotionCurve(const Mechanism& mechanism, const Assembly& start, double duration, double t)
    : mechanism_(mechanism),
      clocked_(clockedProblem(mechanism, start, duration, t)),
      mover_(clocked_.problem, Drives::held),
      duration_(duration),
      ds_(0.5 * kLargestStep) {
  expect(start.ok && duration > 0.0, "MotionCurve: needs an assembled start and a duration");
  const MobilityProblem& problem = clocked_.problem;
  here_.pose = problem.pose;
  here_.tangent.assign(at(problem.bodies * problem.freedoms), 0.0);
  here_.tangent[clockFreedom()] = 1.0;
  look(here_);
  dropped_ = mover_.factored().dropped_rows;
  here_.distance = std::sqrt(mover_.factored().smallest_kept);
  here_.time = t;
  before_ = here_;
}

std::size_t MotionCurve::clockFreedom() const { return at((clocked_.problem.bodies - 1) * clocked_.problem.freedoms); }

std::span<const double> MotionCurve::q() const {
  const std::size_t bodies = at(clocked_.problem.bodies);
  return std::span(here_.pose).first(here_.pose.size() / bodies * (bodies - 1));
}

std::vector<double> MotionCurve::velocity() const {
  std::vector<double> v(here_.tangent.begin(), here_.tangent.begin() + static_cast<std::ptrdiff_t>(clockFreedom()));
  for (double& value : v) value /= here_.rate;
  return v;
}

// The tangent, time and distance of a spot whose pose is closed; its tangent so far is the guess that gives the sense.
void MotionCurve::look(Spot& spot) {
  const std::size_t clock_at = spot.pose.size() / at(clocked_.problem.bodies) * at(clocked_.problem.bodies - 1);
  spot.time = spot.pose[clock_at] * clocked_.seconds;
  mover_.allow(spot.pose, spot.tangent);
  const double size = mover_.size(spot.tangent);
  for (double& value : spot.tangent) value /= size;
  spot.rate = spot.tangent[clockFreedom()] * clocked_.seconds;
  spot.distance = mover_.factored().dropped_rows > dropped_ ? 0.0 : std::sqrt(mover_.factored().smallest_kept);
}

// ds along the tangent and back onto the curve. False where there is no way back.
bool MotionCurve::advance(const Spot& from, double ds, Spot& to) {
  std::vector<double> step = from.tangent;
  for (double& value : step) value *= ds;
  to.pose = from.pose;
  if (!mover_.go(step, to.pose)) return false;
  // Newton's way back must be short beside the step, or it has led to another branch.
  std::vector<double> back = step;
  for (std::size_t u = 0; u < back.size(); ++u) back[u] -= from.tangent[u] * ds;
  if (mover_.size(back) > 0.3 * std::abs(ds)) return false;
  to.tangent = from.tangent;
  look(to);
  return std::isfinite(to.rate) && alignment(from, to) > kSameWay;
}

// The cosine between two tangents.
double MotionCurve::alignment(const Spot& a, const Spot& b) const {
  double ab = 0.0;
  double aa = 0.0;
  double bb = 0.0;
  for (std::size_t u = 0; u < a.tangent.size(); ++u) {
    const double square = mover_.unit(u) * mover_.unit(u);
    ab += square * a.tangent[u] * b.tangent[u];
    aa += square * a.tangent[u] * a.tangent[u];
    bb += square * b.tangent[u] * b.tangent[u];
  }
  return ab / std::sqrt(aa * bb);
}

// Between `from`, where time goes on, and ds further, where it goes back, it stands still: by bisection.
double MotionCurve::deadPointIn(const Spot& from, double ds, Spot& spot) {
  double low = 0.0;
  double high = ds;
  while (high - low > 1e-14 && high - low > 4e-16 * ds) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high || !advance(from, middle, spot)) break;
    (spot.rate > 0.0 ? low : high) = middle;
  }
  if (!advance(from, low, spot)) spot = from;
  return low;
}

// The spot at time t, which lies between `from` and ds further: secants, kept inside.
bool MotionCurve::reach(const Spot& from, double ds, double t, Spot& spot) {
  double low = 0.0;
  double high = ds;
  double s = std::min((t - from.time) / from.rate, ds);
  double last_s = 0.0;
  double last_off = from.time - t;
  for (int k = 0; k < 100; ++k) {
    if (!(s > low && s < high)) s = 0.5 * (low + high);
    if (!advance(from, s, spot)) return false;
    const double off = spot.time - t;
    if (std::abs(off) <= kSameTime * duration_ || high - low <= 4e-16 * ds) return true;
    (off < 0.0 ? low : high) = s;
    const double next = s - off * (s - last_s) / (off - last_off);
    last_s = s;
    last_off = off;
    s = next;
  }
  return true;
}

MotionCurve::Walk MotionCurve::to(double t) {
  // Time stands still: a step would take less than a billionth of the run.
  if (here_.rate * kLargestStep <= 1e-9 * duration_) {
    if (steps_ == 0 && dead_points_.empty()) addDeadPoint(here_, SingularPose::dead_point);
    return Walk::dead_point;
  }
  Spot trial;
  while (t - here_.time > kSameTime * duration_) {
    const double wanted = (t - here_.time) / here_.rate;
    double ds = std::min(ds_, 1.05 * wanted);
    while (!advance(here_, ds, trial)) {
      ++refused_;
      trouble_time_ = here_.time + here_.rate * ds;
      ds *= 0.5;
      ds_ = ds;
      if (ds < std::min(kSmallestStep, 0.1 * wanted)) return Walk::stuck;
    }
    ++steps_;
    bool dead = false;
    if (trial.rate <= 0.0) {
      ds = deadPointIn(here_, ds, trial);
      dead = trial.time <= t;
    }
    if (trial.time > t && !reach(here_, ds, t, trial)) return Walk::stuck;
    watchBranches(ds, trial);
    before_ = here_;
    before_ds_ = ds;
    here_ = trial;
    clocked_.follow(here_.pose);
    if (dead) {
      addDeadPoint(here_, SingularPose::dead_point);
      here_.rate = 0.0;
      return Walk::dead_point;
    }
    ds_ = std::min(kLargestStep, 1.5 * std::max(ds, 0.5 * ds_));
  }
  here_.time = t;
  return Walk::ok;
}

// Whether the rank was lower somewhere around here_, between before_ and the next spot.
void MotionCurve::watchBranches(double ds, const Spot& next) {
  if (here_.distance > kSuspicious || here_.distance > before_.distance || here_.distance > next.distance) return;
  if (!(before_ds_ > 0.0)) return;
  Spot one, other;
  nearest(before_, before_ds_, one);
  nearest(here_, ds, other);
  const Spot& found = one.distance < other.distance ? one : other;
  if (found.distance > kDependentThere) return;
  if (!dead_points_.empty() && std::abs(dead_points_.back().time - found.time) < 1e-6 * duration_) return;
  addDeadPoint(found, SingularPose::branch_point);
}

// The spot nearest to a pose of lower rank, by golden section.
void MotionCurve::nearest(const Spot& from, double ds, Spot& spot) {
  constexpr double kGolden = 0.6180339887498949;
  double low = 0.0;
  double high = ds;
  const auto distanceAt = [&](double s) { return advance(from, s, spot) ? spot.distance : 1.0; };
  double a = high - kGolden * (high - low);
  double b = low + kGolden * (high - low);
  double at_a = distanceAt(a);
  double at_b = distanceAt(b);
  for (int k = 0; k < 60 && high - low > 1e-13; ++k) {
    if (at_a < at_b) {
      high = b;
      b = a;
      at_b = at_a;
      a = high - kGolden * (high - low);
      at_a = distanceAt(a);
    } else {
      low = a;
      a = b;
      at_a = at_b;
      b = low + kGolden * (high - low);
      at_b = distanceAt(b);
    }
  }
  const double found = 0.5 * (low + high);
  if (!advance(from, crossing(from, found), spot) && !advance(from, found, spot)) spot = from;
}

// The distance from a pose of lower rank is a root, and close to that pose round-off. With a sign it crosses zero
// smoothly there: the cubic through two spots on each side says where.
double MotionCurve::crossing(const Spot& from, double near) {
  constexpr std::array<double, 4> kBeside{-2e-3, -1e-3, 1e-3, 2e-3};
  std::array<double, 4> signed_distance{};
  Spot spot;
  for (std::size_t k = 0; k < 4; ++k) {
    if (!advance(from, near + kBeside[k], spot) || spot.distance == 0.0) return near;
    signed_distance[k] = std::copysign(spot.distance, kBeside[k]);
  }
  double out = 0.0;  // the place as a cubic of the distance, at zero
  for (std::size_t k = 0; k < 4; ++k) {
    double share = kBeside[k];
    for (std::size_t m = 0; m < 4; ++m) {
      if (m != k) share *= -signed_distance[m] / (signed_distance[k] - signed_distance[m]);
    }
    out += share;
  }
  return std::abs(out) < 1e-3 ? near + out : near;
}

void MotionCurve::addDeadPoint(const Spot& spot, SingularPose kind) {
  const std::size_t bodies = at(clocked_.problem.bodies);
  DeadPoint out;
  out.kind = kind;
  out.time = spot.time;
  out.q.assign(spot.pose.begin(),
               spot.pose.begin() + static_cast<std::ptrdiff_t>(spot.pose.size() / bodies * (bodies - 1)));
  const std::span<const double> motion = std::span(spot.tangent).first(clockFreedom());
  describeDeadPoint(mechanism_, clocked_.turns(), motion, out);
  dead_points_.push_back(std::move(out));
}

}  // namespace linkwork
