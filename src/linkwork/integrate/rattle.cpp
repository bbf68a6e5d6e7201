#include "linkwork/integrate/rattle.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "linkwork/base/contract.hpp"
#include "linkwork/base/index.hpp"
#include "linkwork/integrate/settling.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {
namespace {

using Four = std::array<double, 4>;  // a quaternion, scalar first

Four product(const Four& a, const Four& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3], a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1]};
}
Four conjugate(const Four& a) { return {a[0], -a[1], -a[2], -a[3]}; }
double squareOf(const Four& a) { return a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]; }

Four quaternionOf(std::span<const double> x, const CanonicalSystem::Ball& ball) {
  const auto o = x.subspan(at(ball.coordinate), 4);
  return {o[0], o[1], o[2], o[3]};
}
Four withScalar(double scalar, std::span<const double> of_freedoms, const CanonicalSystem::Ball& ball) {
  const auto v = of_freedoms.subspan(at(ball.freedom), 3);
  return {scalar, v[0], v[1], v[2]};
}

double difference(std::span<const double> a, std::span<const double> b) {
  double out = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double off = std::abs(a[i] - b[i]);
    out = std::isnan(off) ? off : std::max(out, off);
    if (std::isnan(out)) return out;
  }
  return out;
}

const CanonicalSystem& canonicalOf(const OdeSystem& system) {
  expect(system.canonical() != nullptr, "rattle needs a system in coordinates and impulses");
  return *system.canonical();
}

}  // namespace

Rattle::Rattle(const OdeSystem& system, const IntegratorOptions& options)
    : FixedStep(system, options, Dense::by_both_slopes),
      canonical_(canonicalOf(system)),
      balls_(canonical_.balls()),
      mu_0_(at(canonical_.rows())),
      mu_1_(mu_0_),
      rest_(mu_0_),
      q_(at(space_.positions())),
      p_(at(space_.velocities())) {
  for (End* end : {&first_, &last_}) {
    end->work = canonical_.makeWorkspace();
    end->p = end->u = end->rate = p_;
    end->stretch.resize(balls_.size());
  }
}

StepStatus Rattle::start() {
  placed_ = false;
  h_before_ = 0;
  if (slopeAt(t_, x_, slope_) != Eval::ok) return fail(StepStatus::failed, "the motion cannot start: ");
  return FixedStep::start();
}

Eval Rattle::slopeAt(double t, std::span<const double> x, std::span<double> xdot) {
  countEvaluation();
  failed_in_ = nullptr;
  return take(t, canonical_.slope(t, x, modes_, workspace(), xdot));
}

std::string Rattle::describeTrouble() const {
  return failed_in_ == nullptr ? Integrator::describeTrouble() : canonical_.describeFailure(*failed_in_);
}

Eval Rattle::troubleAt(double t, Eval eval, const End& end) {
  if (eval == Eval::ok) return eval;
  failed_in_ = end.work.get();
  note(t, "", AskSystem::yes);
  placed_ = false;
  return eval;
}

Eval Rattle::placeStart() {
  if (placed_) return Eval::ok;
  Eval eval = canonical_.place(t_, x_, modes_, *first_.work);
  if (eval == Eval::ok) eval = canonical_.factorRows(t_, CanonicalSystem::Pose::any, *first_.work);
  placed_ = eval == Eval::ok;
  return troubleAt(t_, eval, first_);
}

// p_h by half a step of the slope, mu_0 from the step before; where the bodies then move.
void Rattle::guess(double h) {
  const double ratio = h_before_ > 0 ? h / h_before_ : 0.0;
  for (std::size_t r = 0; r < mu_0_.size(); ++r) mu_0_[r] = ratio * mu_1_[r];
  const auto p = at(space_.velocityOffset());
  for (std::size_t k = 0; k < p_.size(); ++k) first_.p[k] = x_[p + k] + 0.5 * h * slope_[p + k];
  std::fill(first_.stretch.begin(), first_.stretch.end(), 0.0);
  for (std::size_t i = 0; i < x_.size(); ++i) x_new_[i] = x_[i] + h * slope_[i];
  for (const auto& ball : balls_) {
    const Four o = quaternionOf(x_new_, ball);
    const double length = std::sqrt(squareOf(o));
    for (std::size_t k = 0; k < 4; ++k) x_new_[at(ball.coordinate) + k] = o[k] / length;
  }
}

// r and power at the pose and p of an end, r by (4) where there are balls.
Eval Rattle::ratesAt(double t, End& end) {
  countEvaluation();
  canonical_.velocities(end.p, *end.work, end.u);
  if (const Eval eval = canonical_.rates(t, *end.work, end.rate, end.power); eval != Eval::ok)
    return troubleAt(t, eval, end);
  for (std::size_t b = 0; b < balls_.size(); ++b) {
    const std::size_t f = at(balls_[b].freedom);
    const double s = end.stretch[b];
    const double stretching = s / balls_[b].inertia;
    const double* p = &end.p[f];
    const double* u = &end.u[f];
    const std::array<double, 3> turned{p[1] * u[2] - p[2] * u[1], p[2] * u[0] - p[0] * u[2], p[0] * u[1] - p[1] * u[0]};
    for (std::size_t k = 0; k < 3; ++k) end.rate[f + k] += 0.5 * (s * u[k] - p[k] * stretching - turned[k]);
  }
  return Eval::ok;
}

// (5)
void Rattle::carryImpulses() {
  last_.p = first_.p;
  for (std::size_t b = 0; b < balls_.size(); ++b) {
    const auto& ball = balls_[b];
    const Four turn = product(conjugate(quaternionOf(x_new_, ball)), quaternionOf(x_, ball));
    const Four carried = product(turn, withScalar(first_.stretch[b], first_.p, ball));
    last_.stretch[b] = carried[0];
    std::copy_n(carried.begin() + 1, 3, last_.p.begin() + ball.freedom);
  }
}

// What is open at q_1 closes by an impulse at q_0, which moves q_1 by h M^-1 J^T mu: exact but for terms in h.
void Rattle::closeStart(double h) {
  const auto phi = canonical_.phi(*last_.work);
  for (std::size_t r = 0; r < rest_.size(); ++r) rest_[r] = -phi[r] / h;
  canonical_.solveRows(rest_, *first_.work);
  for (std::size_t r = 0; r < rest_.size(); ++r) mu_0_[r] += rest_[r];
  if (!rest_.empty()) (void)canonical_.push(rest_, *first_.work, first_.p);
  for (std::size_t b = 0; b < balls_.size(); ++b) {
    // |o_1| grows by h/2 (s/I)
    const double length = std::sqrt(squareOf(quaternionOf(x_new_, balls_[b])));
    first_.stretch[b] -= 2 * balls_[b].inertia / h * (length - 1);
  }
}

// (2) into q_. Of a ball, with the known end on the right: o_1 (1 - h/4 (s/I, u)_1) = o_0 (1 + h/4 (s/I, u)_0)
void Rattle::moveTo(double h) {
  std::size_t next_ball = 0;
  int freedom = 0;
  for (int i = 0; i < space_.positions();) {
    if (next_ball == balls_.size() || balls_[next_ball].coordinate != i) {
      q_[at(i)] = x_[at(i)] + 0.5 * h * (first_.u[at(freedom)] + last_.u[at(freedom)]);
      ++i;
      ++freedom;
      continue;
    }
    const auto& ball = balls_[next_ball];
    Four ahead = withScalar(first_.stretch[next_ball] / ball.inertia, first_.u, ball);
    Four back = withScalar(last_.stretch[next_ball] / ball.inertia, last_.u, ball);
    for (std::size_t k = 0; k < 4; ++k) {
      ahead[k] *= 0.25 * h;
      back[k] *= -0.25 * h;
    }
    ahead[0] += 1;
    back[0] += 1;
    const Four o = product(product(quaternionOf(x_, ball), ahead), conjugate(back));
    for (std::size_t k = 0; k < 4; ++k) q_[at(i) + k] = o[k] / squareOf(back);
    ++next_ball;
    i += 4;
    freedom += 3;
  }
}

// (1) and (2) once: q_1 is in x_new_, p_h in first_.
Eval Rattle::iterate(double h, double& change, double& motion) {
  const double t_new = timeAsked(t_ + h);
  if (const Eval eval = canonical_.place(t_new, x_new_, modes_, *last_.work); eval != Eval::ok)
    return troubleAt(t_new, eval, last_);
  closeStart(h);
  if (const Eval eval = ratesAt(t_, first_); eval != Eval::ok) return eval;
  const auto p = std::span<const double>(x_).subspan(at(space_.velocityOffset()), p_.size());
  for (std::size_t k = 0; k < p_.size(); ++k) p_[k] = p[k] + 0.5 * h * first_.rate[k];
  work_0_ = mu_0_.empty() ? 0.0 : canonical_.push(mu_0_, *first_.work, p_);
  const double p_size = std::max({normInf(p), normInf(p_), h * normInf(first_.rate)});
  change = shareOf(difference(p_, first_.p), p_size);
  first_.p.swap(p_);
  canonical_.velocities(first_.p, *first_.work, first_.u);
  carryImpulses();
  canonical_.velocities(last_.p, *last_.work, last_.u);
  moveTo(h);
  const auto q_new = std::span(x_new_).first(q_.size());
  motion = difference(q_, q_new);
  const double moved = shareOf(motion, std::max(normInf(q_), h * normInf(last_.u)));
  change = std::isnan(moved) ? moved : std::max(change, moved);
  std::copy(q_.begin(), q_.end(), q_new.begin());
  return Eval::ok;
}

// (3), from p_h at q_1, where last_ is placed.
Eval Rattle::finishImpulses(double h) {
  const double t_new = timeAsked(t_ + h);
  if (const Eval eval = ratesAt(t_new, last_); eval != Eval::ok) return eval;
  const auto p = std::span(x_new_).subspan(at(space_.velocityOffset()), p_.size());
  for (std::size_t k = 0; k < p_.size(); ++k) p[k] = last_.p[k] + 0.5 * h * last_.rate[k];
  std::fill(mu_1_.begin(), mu_1_.end(), 0.0);
  work_1_ = 0.0;
  // Twice, against round-off.
  for (int sweep = 0; sweep < 2 && !mu_1_.empty(); ++sweep) {
    canonical_.velocities(p, *last_.work, last_.u);
    canonical_.velocityMiss(*last_.work, rest_);
    for (double& entry : rest_) entry = -entry;
    canonical_.solveRows(rest_, *last_.work);
    work_1_ += canonical_.push(rest_, *last_.work, p);
    for (std::size_t r = 0; r < rest_.size(); ++r) mu_1_[r] += rest_[r];
  }
  return Eval::ok;
}

Eval Rattle::takeStep(double h) {
  if (const Eval eval = placeStart(); eval != Eval::ok) return eval;
  guess(h);
  Settling settling;
  auto state = Settling::State::goes_on;
  while (state == Settling::State::goes_on) {
    double change = 0.0;
    double motion = 0.0;
    if (const Eval eval = iterate(h, change, motion); eval != Eval::ok) return eval;
    state = settling.look(change, motion);
  }
  if (state == Settling::State::lost) {
    placed_ = false;
    note(t_, "the equations of the step do not settle", AskSystem::no);
    return Eval::retry;
  }
  const double t_new = timeAsked(t_ + h);
  Eval eval = canonical_.place(t_new, x_new_, modes_, *last_.work);
  if (eval == Eval::ok) eval = canonical_.factorRows(t_new, CanonicalSystem::Pose::closed, *last_.work);
  if (eval != Eval::ok) return troubleAt(t_new, eval, last_);
  if (eval = finishImpulses(h); eval != Eval::ok) return eval;
  const auto w = at(space_.quadratureOffset());
  x_new_[w] = x_[w] + 0.5 * h * (first_.power + last_.power) + work_0_ + work_1_;
  canonical_.followTurns(*last_.work, x_new_);
  return Eval::ok;
}

AfterStep Rattle::settle(double /*t_new*/) {
  std::copy(x_new_.begin(), x_new_.end(), raw_x_new_.begin());
  return {};
}

void Rattle::finishStep(double h, std::span<const double> /*end_slope*/) {
  std::swap(first_, last_);
  placed_ = space_.quadratures() == 1;  // whole turns changed since the pose was taken
  h_before_ = h;
}

std::vector<double> Rattle::methodMemory() const {
  std::vector<double> out = FixedStep::methodMemory();
  out.push_back(h_before_);
  out.insert(out.end(), mu_1_.begin(), mu_1_.end());
  return out;
}

void Rattle::recallMethod(std::span<const double> was) {
  FixedStep::recallMethod(was);
  h_before_ = was[kMemory];
  std::copy_n(was.begin() + kMemory + 1, mu_1_.size(), mu_1_.begin());
  placed_ = false;
}

}  // namespace linkwork
