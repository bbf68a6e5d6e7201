#include "linkwork/elements/formula_bounds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <queue>

#include "linkwork/elements/corners.hpp"
#include "linkwork/scalar/interval_series.hpp"
#include "linkwork/scalar/tape.hpp"

namespace linkwork {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What differs from a polynomial by less than this share of the greatest value is not seen by any tolerance in use.
constexpr double kBlur = 1e-9;
// Over points of a cubic table no derivative beyond the third has bounds. Measured data are smooth to some digits only:
// what differs from a parabola by less than this is one.
constexpr double kRoughBlur = 1e-4;
constexpr std::size_t kRoughOrder = 4;
// A bell exp(-(t/w)^2) has parts of 0.15 w to 0.25 w, a sine those of 0.15 of its period: steps of so many parts still
// see them, and are longer than what tolerances of 1e-4 allow for a sine.
constexpr double kPartsPerStep = 4.0;
// Stretches are not halved more often; one that holds a corner ends so small.
constexpr int kMostHalvings = 36;
// A stretch that is passed in so many steps is not worth halving.
constexpr double kFewSteps = 2.0;
// Looks at stretches: for the greatest value, for the steps, and without the steps growing by a third.
constexpr int kMostLooksForScale = 1024;
constexpr int kMostLooks = 6144;
constexpr int kMostIdleLooks = 256;
// Bounds that ask for more steps than this over the run are not followed; so many are then taken.
constexpr double kMostSteps = 1e6;
constexpr double kStepsInstead = 1e5;
// Where a pole is near and where a run ends before it, as shares of the run and, where that is less, of the time to the
// pole.
constexpr double kNearPole = 1e-3;
constexpr double kNearPoleOfIts = 0.1;
constexpr double kBeforePole = 1e-6;
constexpr double kBeforePoleOfIts = 1e-4;
constexpr double kPlaces = 4.0;  // of what its place is known to, at the least
// Steps near a pole are no longer than this share of what is left to it: a power of the distance is then seen to be
// one.
constexpr double kPoleStep = 0.125;
// Where the formula is compared with itself nearer to the pole, and how much it must have grown in between: like
// 1/distance or faster, but for a tenth of the exponent.
constexpr double kPoleFar = 1e-5;
constexpr double kPoleNear = 1e-8;
constexpr double kPoleGrowth = 500.0;

constexpr int kMostDerivatives = 2;
using Sizes = std::array<double, kMostDerivatives + 1>;  // of the formula and its derivatives

struct Stretch {
  double from = 0.0, to = 0.0;
  Sizes most{};                  // bounds of |f|, |f'|, |f''|
  double part = 0.0;             // L; infinite where nothing happens
  double most_part = kInfinity;  // a formula made of pieces may be another one beyond the ends of a piece

  double length() const { return to - from; }
};

class FormulaBounder {
 public:
  FormulaBounder(const Expr& f, int derivatives, double until)
      : tape_({f}, {"t"}),
        derivatives_(derivatives),
        until_(until),
        breaks_(breakTimes(f, derivatives > 0 ? TablePoints::all : TablePoints::corners)),
        has_points_(breakTimes(f, TablePoints::all).size() > breaks_.size()),
        scratch_(tape_.scratchSize()) {}

  FormulaBounds bound() {
    FormulaBounds out;
    double end = until_;
    if (!findScale(end)) {
      out.pole = pole_;
      out.pole_derivative = pole_derivative_;
      end = PoleApproach(pole_, until_).near;
      scale_ = {};
      if (end > 0.0) (void)findScale(end);
    }
    if (end > 0.0) findSteps(end, out);
    if (out.pole > 0.0) approachPole(out);
    out.looks = looks_;
    return out;
  }

 private:
  // Half of what is left, again and again.
  void approachPole(FormulaBounds& out) const {
    const PoleApproach way(pole_, until_);
    for (double from = way.near; from < way.end;) {
      const double left = pole_ - from;
      const double to = std::min(way.end, pole_ - 0.5 * left);
      out.stretches.push_back({from, to, 0.5 * kPoleStep * left});
      from = to;
    }
  }

  IntervalSeries seriesOver(const Interval& t) {
    ++looks_;
    const std::array<IntervalSeries, 1> in{IntervalSeries::variable(t)};
    std::array<IntervalSeries, 1> out;
    tape_.evaluate<IntervalSeries>(in, scratch_, out);
    return out[0];
  }

  // Between the pieces of a formula round-off decides where they end: a little less than the stretch is looked at.
  Stretch look(double from, double to, double most_part) {
    Stretch out{from, to, {}, most_part, most_part};
    // Between two points of a table, what lies beside the stretch may be another piece.
    if (has_points_) out.part = std::min(out.part, (to - from) / kPartsPerStep);
    const double less = std::min(16.0 * std::numeric_limits<double>::epsilon() * until_, 0.1 * (to - from));
    IntervalSeries f = seriesOver({from + less, to - less});
    for (int d = 0; d <= derivatives_; ++d) {
      if (d > 0) f = f.derivative();
      const auto order = static_cast<std::size_t>(d);
      out.most[order] = f[0].isEmpty() ? 0.0 : f[0].magnitude();
      out.part = std::min(out.part, longestPart(f, scale_[order]));
    }
    return out;
  }

  // The longest L with |f - polynomial of degree k - 1| <= c_k L^k <= kBlur scale, over all k.
  static double longestPart(const IntervalSeries& f, double scale) {
    if (f[0].isEmpty()) return kInfinity;  // no value, and so no motion
    if (f[0].width() <= kBlur * scale) return kInfinity;
    const double blur = (f[kRoughOrder].isBounded() ? kBlur : kRoughBlur) * scale;
    double longest = 0.0;
    for (std::size_t k = 1; k <= IntervalSeries::kOrder; ++k) {
      const double most = f[k].magnitude();
      if (most == 0.0) return kInfinity;
      if (std::isfinite(most)) longest = std::max(longest, std::pow(blur / most, 1.0 / static_cast<double>(k)));
    }
    return longest;
  }

  Sizes sizesAt(double t) {
    Sizes out{};
    IntervalSeries f = seriesOver(Interval(t));
    for (int d = 0; d <= derivatives_; ++d) {
      if (d > 0) f = f.derivative();
      const double size = f[0].magnitude();
      out[static_cast<std::size_t>(d)] = std::isfinite(size) ? size : 0.0;
    }
    return out;
  }

  // Stretches between the times at which the formula is known to change pieces.
  std::vector<Stretch> firstStretches(double end) {
    std::vector<Stretch> out;
    double from = 0.0;
    for (const double t : breaks_) {
      if (t <= from || t >= end) continue;
      out.push_back(look(from, t, (t - from) / kPartsPerStep));
      from = t;
    }
    out.push_back(look(from, end, out.empty() ? kInfinity : (end - from) / kPartsPerStep));
    return out;
  }

  // The greatest values, to a factor of four: the stretch with the largest bound is halved until a value near to it has
  // been seen. False: one has none, at pole_.
  bool findScale(double end) {
    const std::vector<Stretch> first = firstStretches(end);
    for (const Stretch& stretch : first) sample(0.5 * (stretch.from + stretch.to));
    for (int d = 0; d <= derivatives_; ++d) {
      const auto order = static_cast<std::size_t>(d);
      // The earlier one of two without bounds first, so that the first pole is met first.
      const auto after = [order](const Stretch& a, const Stretch& b) {
        return a.most[order] < b.most[order] || (a.most[order] == b.most[order] && a.from > b.from);
      };
      std::priority_queue<Stretch, std::vector<Stretch>, decltype(after)> queue(after, first);
      const int allowed = looks_ + kMostLooksForScale;
      while (!queue.empty() && queue.top().most[order] > 4.0 * scale_[order] && looks_ < allowed) {
        const Stretch top = queue.top();
        queue.pop();
        const double middle = 0.5 * (top.from + top.to);
        if (top.length() <= leastLength()) {
          if (!isPole(middle, order)) continue;
          pole_ = middle;
          pole_derivative_ = d;
          return false;
        }
        sample(middle);
        queue.push(look(top.from, middle, top.most_part));
        queue.push(look(middle, top.to, top.most_part));
      }
      // What could not be told apart from round-off, or was too much to look at, is no scale for the rest.
      if (!queue.empty() && std::isfinite(queue.top().most[order]))
        scale_[order] = std::max(scale_[order], kBlur * queue.top().most[order]);
    }
    return true;
  }

  void sample(double t) {
    const Sizes sizes = sizesAt(t);
    for (std::size_t d = 0; d < sizes.size(); ++d) scale_[d] = std::max(scale_[d], sizes[d]);
  }

  bool isPole(double t, std::size_t order) {
    for (const double side : {-1.0, 1.0}) {
      const double far = sizesAt(t + side * kPoleFar * until_)[order];
      const double near = sizesAt(t + side * kPoleNear * until_)[order];
      if (far > 0.0 && near > kPoleGrowth * far) return true;
    }
    return false;
  }

  double leastLength() const { return std::ldexp(until_, -kMostHalvings); }

  // How many steps a stretch asks for.
  double stepsOver(const Stretch& stretch) const {
    return stretch.length() / (kPartsPerStep * std::max(stretch.part, leastLength()));
  }

  // Halves stretches that ask for many steps, as long as that saves some.
  void findSteps(double end, FormulaBounds& out) {
    const auto fewer = [this](const Stretch& a, const Stretch& b) { return stepsOver(a) < stepsOver(b); };
    std::vector<Stretch> done;
    std::priority_queue<Stretch, std::vector<Stretch>, decltype(fewer)> queue(fewer, firstStretches(end));
    const int allowed = looks_ + kMostLooks;
    int idle_until = looks_ + kMostIdleLooks;
    double steps = totalOf(queue);
    double steps_before = steps;
    while (!queue.empty() && looks_ < allowed) {
      const Stretch top = queue.top();
      if (stepsOver(top) <= kFewSteps) break;
      if (steps < 0.7 * steps_before || top.part < leastLength()) {
        steps_before = std::min(steps, steps_before);
        idle_until = looks_ + kMostIdleLooks;
      }
      if (looks_ > idle_until) break;
      queue.pop();
      const double middle = 0.5 * (top.from + top.to);
      steps -= stepsOver(top);
      for (const auto& half : {look(top.from, middle, top.most_part), look(middle, top.to, top.most_part)}) {
        // The whole knows bounds for its halves as well.
        Stretch next = half;
        next.part = std::max(half.part, top.part);
        steps += stepsOver(next);
        queue.push(next);
      }
    }
    for (; !queue.empty(); queue.pop()) done.push_back(queue.top());
    keep(std::move(done), out);
  }

  template <class Queue>
  double totalOf(Queue queue) const {
    double sum = 0.0;
    for (; !queue.empty(); queue.pop()) sum += stepsOver(queue.top());
    return sum;
  }

  void keep(std::vector<Stretch> found, FormulaBounds& out) const {
    std::sort(found.begin(), found.end(), [](const Stretch& a, const Stretch& b) { return a.from < b.from; });
    double steps = 0.0;
    for (const Stretch& stretch : found) steps += stepsOver(stretch);
    for (const Stretch& stretch : found) {
      StepStretch kept{stretch.from, stretch.to, kPartsPerStep * std::max(stretch.part, leastLength())};
      if (!std::isfinite(kept.step) || kept.step >= until_) continue;
      if (steps > kMostSteps && kept.step < until_ / kStepsInstead && stretch.length() > 8.0 * leastLength()) {
        kept.step = until_ / kStepsInstead;
        out.loose.push_back(kept);
      }
      out.stretches.push_back(kept);
    }
  }

  Tape tape_;
  int derivatives_;
  double until_;
  std::vector<double> breaks_;
  bool has_points_;  // of smooth tables, which are no breaks
  std::vector<IntervalSeries> scratch_;
  Sizes scale_{};  // greatest values seen
  double pole_ = -1.0;
  int pole_derivative_ = 0;
  int looks_ = 0;
};

}  // namespace

PoleApproach::PoleApproach(double pole, double until)
    : place(std::ldexp(until, -kMostHalvings)),
      near(pole - std::max(std::min(kNearPole * until, kNearPoleOfIts * pole), kPlaces * place)),
      end(pole - std::max(std::min(kBeforePole * until, kBeforePoleOfIts * pole), kPlaces * place)) {}

FormulaBounds boundFormula(const Expr& f, int derivatives, double until) {
  return FormulaBounder(f, derivatives, until).bound();
}

}  // namespace linkwork
