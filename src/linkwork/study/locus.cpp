#include "linkwork/study/locus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "linkwork/study/assignment.hpp"

namespace linkwork {

namespace {

using Complex = std::complex<double>;

constexpr double kZeroPart = 1e-9;    // of the largest eigenvalue: a real part that is none
constexpr double kSmoothStep = 0.04;  // of the largest eigenvalue: how far a branch may go between samples
constexpr double kAlike = 0.9;        // shapes of one branch at neighbours
constexpr double kFinest = 1e-4;      // of the range: samples are not put nearer
constexpr double kRefined = 1e-13;    // of the range: limits
constexpr int kRefineSteps = 200;

double sizeOf(const Eigen::VectorXcd& values) { return values.size() == 0 ? 0.0 : values.cwiseAbs().maxCoeff(); }

double likeness(const LocusSample& a, Eigen::Index i, const LocusSample& b, Eigen::Index j) {
  return std::abs(a.shapes.col(i).dot(b.shapes.col(j)));
}

void reorder(const LocusSample& like, LocusSample& sample) {
  const Eigen::Index n = sample.values.size();
  const double size = std::max({sizeOf(like.values), sizeOf(sample.values), 1e-300});
  Eigen::MatrixXd cost(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      cost(i, j) = std::abs(like.values[i] - sample.values[j]) / size + 0.05 * (1.0 - likeness(like, i, sample, j));
    }
  }
  const std::vector<int> columns = assign(cost);
  LocusSample out = sample;
  for (Eigen::Index i = 0; i < n; ++i) {
    out.values[i] = sample.values[columns[static_cast<std::size_t>(i)]];
    out.shapes.col(i) = sample.shapes.col(columns[static_cast<std::size_t>(i)]);
  }
  sample = std::move(out);
}

// Whether what lies between two neighbours can be drawn, and followed, by straight lines.
bool isSmooth(const LocusSample& a, const LocusSample& b) {
  const double size = std::max(sizeOf(a.values), sizeOf(b.values));
  for (Eigen::Index k = 0; k < a.values.size(); ++k) {
    const double step = std::abs(a.values[k] - b.values[k]);
    if (step > kSmoothStep * size) return false;
    if (step > 1e-3 * kSmoothStep * size && likeness(a, k, b, k) < kAlike) return false;
  }
  return true;
}

int signOf(double part, double size) { return part > kZeroPart * size ? 1 : part < -kZeroPart * size ? -1 : 0; }

// A zero of f in [a, b], whose signs differ there: secants kept inside halved brackets (Brent's safeguard).
double zeroOf(const std::function<double(double)>& f, double a, double b, double fa, double fb, double width) {
  for (int k = 0; k < kRefineSteps && std::abs(b - a) > width; ++k) {
    if (fa == 0.0) return a;
    if (fb == 0.0) return b;
    double c = k % 3 == 2 ? 0.5 * (a + b) : a - fa * (b - a) / (fb - fa);
    // Off the ends, so that both move.
    const double off = 0.4 * width;
    c = std::clamp(c, std::min(a, b) + off, std::max(a, b) - off);
    const double fc = f(c);
    if (!std::isfinite(fc)) break;
    if ((fc < 0.0) == (fa < 0.0)) {
      a = c;
      fa = fc;
    } else {
      b = c;
      fb = fc;
    }
  }
  return std::abs(fa) < std::abs(fb) ? a : b;
}

class Tracer {
 public:
  Tracer(const LocusAt& at, const LocusOptions& options) : at_(at), options_(options) {
    range_ = std::abs(options.to - options.from);
  }

  Locus run() {
    sampleEvenly();
    if (!out_.problem.empty()) return out_;
    refine();
    findLimits();
    findRanges();
    out_.ok = true;
    return out_;
  }

 private:
  void sampleEvenly() {
    for (int k = 0; k < options_.points; ++k) {
      const double p = options_.from + (options_.to - options_.from) * k / (options_.points - 1);
      LocusSample sample = at_(p);
      if (!sample.ok) {
        out_.problem = fmt::format("at {:.6g}: {}", p, sample.problem);
        return;
      }
      if (!out_.samples.empty()) {
        if (sample.values.size() != out_.samples.back().values.size()) {
          out_.problem = fmt::format("at {:.6g} the motion has other freedoms than before", p);
          return;
        }
        reorder(out_.samples.back(), sample);
      }
      out_.samples.push_back(std::move(sample));
    }
  }

  void refine() {
    std::vector<LocusSample> done{out_.samples.front()};
    std::vector<LocusSample> ahead(out_.samples.rbegin(), out_.samples.rend() - 1);
    while (!ahead.empty()) {
      reorder(done.back(), ahead.back());
      const double a = done.back().p;
      const double b = ahead.back().p;
      const bool full = static_cast<int>(done.size() + ahead.size()) >= options_.most_points;
      if (full || std::abs(b - a) <= kFinest * range_ || isSmooth(done.back(), ahead.back())) {
        done.push_back(std::move(ahead.back()));
        ahead.pop_back();
        continue;
      }
      LocusSample middle = at_(0.5 * (a + b));
      if (!middle.ok || middle.values.size() != done.back().values.size()) {
        done.push_back(std::move(ahead.back()));
        ahead.pop_back();
        continue;
      }
      ahead.push_back(std::move(middle));
    }
    out_.samples = std::move(done);
  }

  // The eigenvalue nearest to a value, and its place.
  static Eigen::Index nearest(const LocusSample& sample, Complex value) {
    Eigen::Index best = 0;
    (sample.values.array() - value).abs().minCoeff(&best);
    return best;
  }

  void findLimits() {
    for (std::size_t k = 0; k + 1 < out_.samples.size(); ++k) {
      const LocusSample& a = out_.samples[k];
      const LocusSample& b = out_.samples[k + 1];
      const double size = std::max(sizeOf(a.values), sizeOf(b.values));
      bool by_determinant = (a.determinant < 0.0) != (b.determinant < 0.0);
      for (Eigen::Index i = 0; i < a.values.size(); ++i) {
        // One of each pair.
        if (a.values[i].imag() < -kZeroPart * size || b.values[i].imag() < -kZeroPart * size) continue;
        const int before = signOf(a.values[i].real(), size);
        const int after = signOf(b.values[i].real(), size);
        if (before == after) continue;
        const bool oscillates = a.values[i].imag() > 1e-6 * size && b.values[i].imag() > 1e-6 * size;
        if (!oscillates && by_determinant) {
          addReal(a, b, i);
          by_determinant = false;
        } else if (oscillates && before * after < 0) {
          addHopf(a, b, i);
        } else if (oscillates && (before > 0 || after > 0)) {
          addDouble(a, b, i, size);
        }
      }
    }
    std::sort(out_.limits.begin(), out_.limits.end(),
              [](const StabilityLimit& x, const StabilityLimit& y) { return x.at < y.at; });
  }

  void add(LimitKind kind, double p, Complex near, Eigen::Index branch, bool unstable_above) {
    for (const StabilityLimit& known : out_.limits) {
      if (known.kind == kind && std::abs(known.at - p) <= 1e-9 * range_) return;
    }
    const LocusSample there = at_(p);
    StabilityLimit limit;
    limit.kind = kind;
    limit.at = p;
    limit.branch = static_cast<int>(branch);
    limit.unstable_above = unstable_above;
    if (there.ok) {
      const Eigen::Index i = nearest(there, near);
      limit.eigenvalue = kind == LimitKind::real ? Complex(0.0, 0.0) : Complex(0.0, std::abs(there.values[i].imag()));
      limit.shape = there.shapes.col(i);
    }
    out_.limits.push_back(std::move(limit));
  }

  void addReal(const LocusSample& a, const LocusSample& b, Eigen::Index i) {
    const double p = zeroOf([this](double q) { return at_(q).determinant; }, a.p, b.p, a.determinant, b.determinant,
                            kRefined * range_);
    add(LimitKind::real, p, 0.0, i, b.values[i].real() > a.values[i].real());
  }

  void addHopf(const LocusSample& a, const LocusSample& b, Eigen::Index i) {
    const auto between = [&](double q) {
      return a.values[i] + (b.values[i] - a.values[i]) * ((q - a.p) / (b.p - a.p));
    };
    const auto part = [&](double q) {
      const LocusSample there = at_(q);
      return there.ok ? there.values[nearest(there, between(q))].real() : std::nan("");
    };
    const double p = zeroOf(part, a.p, b.p, a.values[i].real(), b.values[i].real(), kRefined * range_);
    add(LimitKind::hopf, p, between(p), i, b.values[i].real() > 0.0);
  }

  // Two pairs that meet on the axis: where they are apart along it their difference is imaginary, beyond it is real.
  void addDouble(const LocusSample& a, const LocusSample& b, Eigen::Index i, double size) {
    const bool grows_at_b = b.values[i].real() > a.values[i].real();
    const Complex off = grows_at_b ? b.values[i] : a.values[i];
    const Complex meet(0.0, off.imag());
    const auto difference = [&](const LocusSample& there) {
      const Eigen::Index first = nearest(there, meet);
      Eigen::Index second = first == 0 ? 1 : 0;
      for (Eigen::Index j = 0; j < there.values.size(); ++j) {
        if (j != first && std::abs(there.values[j] - meet) < std::abs(there.values[second] - meet)) second = j;
      }
      const Complex apart = there.values[first] - there.values[second];
      return (apart * apart).real();
    };
    const double fa = difference(a);
    const double fb = difference(b);
    if ((fa < 0.0) == (fb < 0.0) || a.values.size() < 2) return;
    const double p = zeroOf(
        [&](double q) {
          const LocusSample there = at_(q);
          return there.ok ? difference(there) : std::nan("");
        },
        a.p, b.p, fa, fb, kRefined * range_);
    (void)size;
    add(LimitKind::double_root, p, meet, i, grows_at_b);
  }

  void findRanges() {
    std::vector<double> ends{out_.samples.front().p};
    for (const StabilityLimit& limit : out_.limits) ends.push_back(limit.at);
    ends.push_back(out_.samples.back().p);
    for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
      if (ends[k + 1] - ends[k] <= 1e-9 * range_) continue;
      const LocusSample middle = at_(0.5 * (ends[k] + ends[k + 1]));
      if (!middle.ok) continue;
      StabilityRange range{ends[k], ends[k + 1], classOf(middle.values), {}};
      Eigen::Index fastest = 0;
      if (middle.values.size() > 0) {
        middle.values.real().maxCoeff(&fastest);
        range.fastest = {middle.values[fastest].real(), std::abs(middle.values[fastest].imag())};
      }
      if (!out_.ranges.empty() && out_.ranges.back().is == range.is && out_.ranges.back().to == range.from) {
        out_.ranges.back().to = range.to;
        if (range.fastest.real() > out_.ranges.back().fastest.real()) out_.ranges.back().fastest = range.fastest;
        continue;
      }
      out_.ranges.push_back(range);
    }
  }

  const LocusAt& at_;
  LocusOptions options_;
  double range_;
  Locus out_;
};

}  // namespace

std::string_view wordFor(LimitKind kind) {
  switch (kind) {
    case LimitKind::real: return "real";
    case LimitKind::hopf: return "hopf";
    case LimitKind::double_root: break;
  }
  return "double_root";
}

std::string_view wordFor(StabilityClass of) {
  switch (of) {
    case StabilityClass::stable: return "stable";
    case StabilityClass::neutral: return "neutral";
    case StabilityClass::unstable: break;
  }
  return "unstable";
}

StabilityClass classOf(const Eigen::VectorXcd& values) {
  const double size = sizeOf(values);
  int greatest = -1;
  for (const Complex& value : values) greatest = std::max(greatest, signOf(value.real(), size));
  return greatest < 0 ? StabilityClass::stable : greatest == 0 ? StabilityClass::neutral : StabilityClass::unstable;
}

std::string LocusOptions::problem() const {
  if (!std::isfinite(from) || !std::isfinite(to) || !(from < to)) {
    return "the range must go from a number up to a greater one.";
  }
  if (points < 2 || points > 10000) return "the number of points must be between 2 and 10000.";
  return {};
}

Locus traceLocus(const LocusAt& at, const LocusOptions& options) { return Tracer(at, options).run(); }

}  // namespace linkwork
