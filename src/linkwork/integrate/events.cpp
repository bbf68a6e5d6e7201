#include "linkwork/integrate/events.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "linkwork/base/contract.hpp"

namespace linkwork {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

int sign(double value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

bool changes(double from, double to) { return sign(from) != 0 && sign(to) != sign(from); }

}  // namespace

EventLocator::EventLocator(const OdeSystem& system, int subintervals) : system_(system), subintervals_(subintervals) {
  expect(subintervals >= 1, "EventLocator: at least one subinterval per step");
  const auto count = static_cast<std::size_t>(system.eventCount());
  x_.resize(static_cast<std::size_t>(system.space().size()));
  for (auto* values : {&start_values_, &end_values_, &values_}) values->resize(count);
  events_.reserve(count);
}

EventSearch EventLocator::start(Integrator& integrator) {
  events_.clear();
  searched_to_ = integrator.time();
  if (start_values_.empty()) return EventSearch::none;
  return evaluate(integrator, searched_to_, start_values_) ? EventSearch::none : EventSearch::failed;
}

EventSearch EventLocator::find(Integrator& integrator) {
  events_.clear();
  if (start_values_.empty()) return EventSearch::none;
  expect(searched_to_ >= integrator.previousTime(), "EventLocator: a step was not searched; call start first");
  const double from = integrator.previousTime();
  const double to = integrator.time();
  for (int piece = 1; piece <= subintervals_; ++piece) {
    const double t = piece == subintervals_ ? to : from + (to - from) * piece / subintervals_;
    if (t <= searched_to_) continue;
    EventSearch result = EventSearch::none;
    do {
      result = findIn(integrator, t);
    } while (result == EventSearch::found && events_.empty());  // a change of sign that does not count
    if (result != EventSearch::none) return result;
  }
  return EventSearch::none;
}

bool EventLocator::evaluate(Integrator& integrator, double t, std::vector<double>& values) {
  integrator.interpolate(t, x_);
  ++evaluations_;
  if (system_.eventValues(t, x_, integrator.modes(), integrator.workspace(), values) != Eval::ok) return false;
  return std::none_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
}

// Searches (searched_to_, t_to].
EventSearch EventLocator::findIn(Integrator& integrator, double t_to) {
  if (!evaluate(integrator, t_to, end_values_)) return EventSearch::failed;
  double t_event = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < start_values_.size(); ++i) {
    if (!changes(start_values_[i], end_values_[i])) continue;
    const double t_i = locate(integrator, i, t_to, end_values_[i]);
    if (std::isnan(t_i)) return EventSearch::failed;
    t_event = std::min(t_event, t_i);
  }
  if (t_event > t_to) {
    searched_to_ = t_to;
    start_values_.swap(end_values_);
    return EventSearch::none;
  }
  if (!evaluate(integrator, t_event, values_)) return EventSearch::failed;
  for (std::size_t i = 0; i < start_values_.size(); ++i) {
    if (!changes(start_values_[i], values_[i])) continue;
    const auto index = static_cast<int>(i);
    const EventDirection direction = start_values_[i] < 0 ? EventDirection::rising : EventDirection::falling;
    if (counts(system_.eventSense(index, integrator.modes()), direction))
      events_.push_back({t_event, index, direction});
  }
  searched_to_ = t_event;
  start_values_.swap(values_);
  return EventSearch::found;
}

// Inverse quadratic interpolation where it is safe, bisection elsewhere.
// T. R. Chandrupatla: A new hybrid quadratic/bisection algorithm, Adv. Eng. Software 28 (1997) 145-149.
double EventLocator::locate(Integrator& integrator, std::size_t index, double t_to, double g_to) {
  // (a, ga) is the newest point, b the one across the sign change, c the one before.
  double a = t_to;
  double ga = g_to;
  double b = searched_to_;
  double gb = start_values_[index];
  double c = b;
  double gc = gb;
  const int side = sign(gb);
  const double tolerance = 2 * kEps * std::max(std::abs(t_to), std::abs(searched_to_));
  double fraction = 0.5;
  // Bisection alone would need about 60 rounds for the width of a step; the hybrid never needs twice as many.
  for (int round = 0; round < 200; ++round) {
    const double width = b - a;
    if (std::abs(width) <= 2 * tolerance) break;
    const double least = tolerance / std::abs(width);
    const double t = a + std::clamp(fraction, least, 1 - least) * width;
    if (t == a || t == b) break;
    if (!evaluate(integrator, t, values_)) return std::numeric_limits<double>::quiet_NaN();
    const double g = values_[index];
    if ((sign(g) == side) == (sign(ga) == side)) {
      c = a;
      gc = ga;
    } else {
      c = b;
      gc = gb;
      b = a;
      gb = ga;
    }
    a = t;
    ga = g;
    const double xi = (a - b) / (c - b);
    const double phi = (ga - gb) / (gc - gb);
    if (phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi) {
      fraction = ga / (gb - ga) * gc / (gb - gc) + (c - a) / (b - a) * ga / (gc - ga) * gb / (gc - gb);
    } else {
      fraction = 0.5;
    }
    if (!std::isfinite(fraction)) fraction = 0.5;
  }
  return std::max(a, b);
}

}  // namespace linkwork
