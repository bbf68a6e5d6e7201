#include "linkwork/files/page_samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <string_view>

namespace linkwork {

namespace {

constexpr double kVisible = 0.01;  // of a series' range: about two pixels of a plot

struct Extremes {
  std::size_t least, greatest;
};

// Among the samples [from, to); values that are not finite are passed over. `from` where there is none.
Extremes extremesOf(const std::vector<double>& values, std::size_t from, std::size_t to) {
  Extremes out{from, from};
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (std::size_t k = from; k < to; ++k) {
    const double v = values[k];
    if (!std::isfinite(v)) continue;
    if (v < low) low = values[out.least = k];
    if (v > high) high = values[out.greatest = k];
  }
  return out;
}

// Names of the bodies: they have a series x of their own.
std::set<std::string_view> bodiesOf(const Result& result) {
  std::set<std::string_view> out;
  for (const Series& series : result.series) {
    if (series.label == "x") out.insert(series.group);
  }
  return out;
}

// The number of series k and its companions if it is the x of a vector.
std::vector<std::size_t> vectorAt(const Result& result, std::size_t k) {
  const auto named = [&](std::size_t i, std::string_view stem, std::string_view end) {
    if (i >= result.series.size()) return false;
    const std::string& name = result.series[i].name;
    return name.size() == stem.size() + end.size() && name.starts_with(stem) && name.ends_with(end);
  };
  const std::string& name = result.series[k].name;
  if (!name.ends_with(".x")) return {};
  const std::string_view stem = std::string_view(name).substr(0, name.size() - 2);
  std::vector<std::size_t> out{k};
  // Companions stand next to it, or every other where a second vector is recorded alongside.
  for (const char* end : {".y", ".z"}) {
    for (const std::size_t step : {std::size_t{1}, std::size_t{2}}) {
      if (named(out.back() + step, stem, end)) {
        out.push_back(out.back() + step);
        break;
      }
    }
  }
  return out;
}

// Of the samples that all parts have.
std::size_t longestAt(const Result& result, const std::vector<std::size_t>& parts) {
  std::size_t samples = result.time.size();
  for (const std::size_t part : parts) samples = std::min(samples, result.series[part].values.size());
  std::size_t best = 0;
  double most = -1.0;
  for (std::size_t k = 0; k < samples; ++k) {
    double square = 0.0;
    for (const std::size_t part : parts) square += result.series[part].values[k] * result.series[part].values[k];
    if (!std::isfinite(square) || square <= most) continue;
    most = square;
    best = k;
  }
  return best;
}

class Chooser {
 public:
  Chooser(const Result& result, std::size_t most_samples)
      : result_(result), places_(most_samples), kept_(result.time.size(), false) {}

  std::vector<std::size_t> choose() {
    keep(0, places_);
    keep(kept_.size() - 1, places_);
    keepExtremes(places_ - places_ / 4);
    keepJumps(places_ - places_ / 8);
    spread();
    keepCorners();
    std::vector<std::size_t> out;
    for (std::size_t k = 0; k < kept_.size(); ++k) {
      if (kept_[k]) out.push_back(k);
    }
    return out;
  }

 private:
  // Of a run that stopped early there are fewer than there are times.
  std::size_t samplesOf(const Series& series) const { return std::min(series.values.size(), kept_.size()); }

  // Unless so many are kept already.
  void keep(std::size_t k, std::size_t most) {
    if (kept_[k] || count_ >= most) return;
    ++count_;
    kept_[k] = true;
  }

  // Half of the places, so that the other half is left for what happens in between.
  void spread() {
    const std::size_t last = kept_.size() - 1;
    const std::size_t even = std::max<std::size_t>(std::min(places_ / 2, places_ - count_), 2);
    for (std::size_t k = 0; k < even; ++k) {
      even_.push_back(k * last / (even - 1));
      keep(even_.back(), places_);
    }
  }

  void keepJumps(std::size_t most) {
    for (std::size_t k = 1; k < kept_.size(); ++k) {
      if (result_.time[k] != result_.time[k - 1]) continue;
      keep(k - 1, most);
      keep(k, most);
    }
  }

  // Of loads and the like first, then of the motions of bodies, which with many hundreds of them need not all fit.
  void keepExtremes(std::size_t most) {
    const std::set<std::string_view> bodies = bodiesOf(result_);
    for (const bool of_bodies : {false, true}) {
      for (std::size_t s = 0; s < result_.series.size() && count_ < most; ++s) {
        if (bodies.contains(result_.series[s].group) == of_bodies) keepExtremesOf(s, most);
      }
    }
  }

  void keepExtremesOf(std::size_t s, std::size_t most) {
    const Series& series = result_.series[s];
    const std::size_t samples = samplesOf(series);
    if (samples == 0) return;
    const Extremes ends = extremesOf(series.values, 0, samples);
    keep(ends.least, most);
    keep(ends.greatest, most);
    if (samples < kept_.size()) keep(samples - 1, most);
    if (const std::vector<std::size_t> parts = vectorAt(result_, s); parts.size() > 1)
      keep(longestAt(result_, parts), most);
  }

  // How far a value lies from the straight line between two samples.
  double deviation(const std::vector<double>& values, std::size_t at, std::size_t from, std::size_t to) const {
    const double span = result_.time[to] - result_.time[from];
    const double share = span > 0.0 ? (result_.time[at] - result_.time[from]) / span : 0.0;
    return std::abs(values[at] - (values[from] + share * (values[to] - values[from])));
  }

  void keepCorners() {
    struct Corner {
      double size;
      std::size_t at;
    };
    std::vector<Corner> corners;
    for (const Series& series : result_.series) {
      const std::size_t samples = samplesOf(series);
      if (samples == 0) continue;
      const Extremes ends = extremesOf(series.values, 0, samples);
      const double range = series.values[ends.greatest] - series.values[ends.least];
      if (!(range > 0.0)) continue;
      for (std::size_t k = 1; k < even_.size() && even_[k] < samples; ++k) {
        const Extremes here = extremesOf(series.values, even_[k - 1], even_[k] + 1);
        for (const std::size_t at : {here.least, here.greatest}) {
          const double size = deviation(series.values, at, even_[k - 1], even_[k]) / range;
          if (size > kVisible && !kept_[at]) corners.push_back({size, at});
        }
      }
    }
    std::stable_sort(corners.begin(), corners.end(), [](const Corner& a, const Corner& b) { return a.size > b.size; });
    for (const Corner& corner : corners) {
      if (count_ >= places_) return;
      keep(corner.at, places_);
    }
  }

  const Result& result_;
  std::size_t places_;
  std::size_t count_ = 0;
  std::vector<std::size_t> even_;
  std::vector<bool> kept_;
};

}  // namespace

std::vector<std::size_t> pageSamples(const Result& result, std::size_t most) {
  const std::size_t samples = result.time.size();
  if (samples > std::max<std::size_t>(most, 2)) return Chooser(result, std::max<std::size_t>(most, 2)).choose();
  std::vector<std::size_t> all(samples);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

std::vector<double> picked(const std::vector<double>& values, const std::vector<std::size_t>& samples) {
  std::vector<double> out;
  out.reserve(samples.size());
  for (const std::size_t k : samples) {
    if (k < values.size()) out.push_back(values[k]);  // of a run that stopped early there are fewer
  }
  return out;
}

}  // namespace linkwork
