#include "linkwork/files/locus_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <ostream>

#include "linkwork/files/atomic_file.hpp"

namespace linkwork {

namespace {

using Json = nlohmann::ordered_json;

constexpr double kPlotWidth = 720.0, kPlotHeight = 420.0;
constexpr double kPlotLeft = 64.0, kPlotRight = 16.0, kPlotTop = 28.0, kPlotBottom = 44.0;
constexpr double kAxisDigits = 3.0;
// Okabe and Ito's colours, which most people can tell apart.
constexpr std::array<const char*, 7> kBranchColours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                    "#e69f00", "#56b4e9", "#000000"};
constexpr std::size_t kMostMovers = 4;

const char* shadeOf(StabilityClass is) {
  switch (is) {
    case StabilityClass::stable: return "#dff0d8";
    case StabilityClass::neutral: return "#fcf8e3";
    case StabilityClass::unstable: break;
  }
  return "#f2dede";
}

struct PlotAxes {
  double x_low = 0.0, x_high = 1.0, y_low = 0.0, y_high = 1.0;
  double x(double value) const {
    return kPlotLeft + (value - x_low) / (x_high - x_low) * (kPlotWidth - kPlotLeft - kPlotRight);
  }
  double y(double value) const {
    return kPlotHeight - kPlotBottom - (value - y_low) / (y_high - y_low) * (kPlotHeight - kPlotTop - kPlotBottom);
  }
};

// Round steps, at most six of them.
std::vector<double> ticksOf(double low, double high) {
  double step = std::pow(10.0, std::floor(std::log10(std::max(high - low, 1e-300))));
  for (const double share : {1.0, 0.5, 0.2}) {
    if ((high - low) / (step * share) >= kAxisDigits) {
      step *= share;
      break;
    }
  }
  std::vector<double> out;
  for (double value = std::ceil(low / step) * step; value <= high + 1e-9 * step; value += step) {
    out.push_back(std::abs(value) < 1e-9 * step ? 0.0 : value);
  }
  return out;
}

PlotAxes axesFor(const Locus& locus, LocusPlot plot) {
  PlotAxes axes;
  axes.x_low = locus.samples.front().p;
  axes.x_high = locus.samples.back().p;
  double low = 0.0;
  double high = 0.0;
  // What is far off, as a castering mode at high speed, does not press the rest together.
  std::vector<double> parts;
  for (const LocusSample& sample : locus.samples) {
    for (const auto& value : sample.values) {
      parts.push_back(plot == LocusPlot::parts ? value.real() : std::abs(value.imag()));
      if (plot == LocusPlot::parts) parts.push_back(std::abs(value.imag()));
    }
  }
  std::sort(parts.begin(), parts.end());
  if (!parts.empty()) {
    low = std::min(0.0, parts[parts.size() / 50]);
    high = std::max(0.0, parts[parts.size() - 1 - parts.size() / 50]);
  }
  if (plot == LocusPlot::campbell) low = 0.0;
  const double margin = 0.06 * std::max(high - low, 1e-9);
  axes.y_low = plot == LocusPlot::campbell ? 0.0 : low - margin;
  axes.y_high = high + margin;
  return axes;
}

std::string curve(const Locus& locus, const PlotAxes& axes, Eigen::Index branch, bool imaginary, const char* colour) {
  std::string points;
  for (const LocusSample& sample : locus.samples) {
    const auto value = sample.values[branch];
    const double y = std::clamp(imaginary ? std::abs(value.imag()) : value.real(), axes.y_low, axes.y_high);
    points += fmt::format("{:.2f},{:.2f} ", axes.x(sample.p), axes.y(y));
  }
  return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"{}/>\n", points, colour,
                     imaginary ? " stroke-dasharray=\"5 3\"" : "");
}

Json valueJson(std::complex<double> value) { return {{"re", value.real()}, {"im", value.imag()}}; }

}  // namespace

std::string shapeText(const Eigen::VectorXcd& shape, const std::vector<std::string>& names) {
  std::vector<std::pair<double, Eigen::Index>> order;
  for (Eigen::Index k = 0; k < shape.size(); ++k) order.emplace_back(-std::abs(shape[k]), k);
  std::sort(order.begin(), order.end());
  if (order.empty() || order.front().first == 0.0) return {};
  const std::complex<double> first = shape[order.front().second];
  std::vector<std::string> words;
  for (const auto& [size, k] : order) {
    const std::complex<double> share = shape[k] / first;
    if (std::abs(share) < 0.05 || words.size() == kMostMovers) break;
    const double phase = std::arg(share) * 180.0 / std::numbers::pi;
    words.push_back(
        std::abs(phase) < 0.05
            ? fmt::format("{} {:.3g}", names[static_cast<std::size_t>(k)], std::abs(share))
            : fmt::format("{} {:.3g} ({:.4g} deg)", names[static_cast<std::size_t>(k)], std::abs(share), phase));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string writeLocusCsv(const std::string& path, const Locus& locus, const LocusNames& names) {
  return writeAtomically(path, [&](std::ostream& file) {
    file << names.parameter << (names.unit.empty() ? "" : " [" + names.unit + "]");
    const Eigen::Index branches = locus.samples.empty() ? 0 : locus.samples.front().values.size();
    for (Eigen::Index k = 1; k <= branches; ++k) file << fmt::format(",re {0} [1/s],im {0} [1/s]", k);
    file << ",stability\n";
    for (const LocusSample& sample : locus.samples) {
      file << fmt::format("{}", sample.p);
      for (const auto& value : sample.values) file << fmt::format(",{},{}", value.real(), value.imag());
      file << ',' << wordFor(classOf(sample.values)) << '\n';
    }
  });
}

std::string locusSvg(const Locus& locus, const LocusNames& names, LocusPlot plot) {
  const PlotAxes axes = axesFor(locus, plot);
  const double bottom = kPlotHeight - kPlotBottom;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      kPlotWidth, kPlotHeight);
  for (const StabilityRange& range : locus.ranges) {
    out +=
        fmt::format("<rect x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\" fill=\"{}\"><title>{}</title></rect>\n",
                    axes.x(range.from), kPlotTop, axes.x(range.to) - axes.x(range.from), bottom - kPlotTop,
                    shadeOf(range.is), wordFor(range.is));
  }
  for (const double tick : ticksOf(axes.x_low, axes.x_high)) {
    out += fmt::format(
        "<line x1=\"{0:.2f}\" y1=\"{1}\" x2=\"{0:.2f}\" y2=\"{2}\" stroke=\"#ccc\"/><text x=\"{0:.2f}\" y=\"{3}\" "
        "text-anchor=\"middle\">{4:.6g}</text>\n",
        axes.x(tick), kPlotTop, bottom, bottom + 16.0, tick);
  }
  for (const double tick : ticksOf(axes.y_low, axes.y_high)) {
    out += fmt::format(
        "<line x1=\"{1}\" y1=\"{0:.2f}\" x2=\"{2}\" y2=\"{0:.2f}\" stroke=\"{5}\"/><text x=\"{3}\" y=\"{0:.2f}\" "
        "text-anchor=\"end\" dominant-baseline=\"middle\">{4:.6g}</text>\n",
        axes.y(tick), kPlotLeft, kPlotWidth - kPlotRight, kPlotLeft - 6.0, tick, tick == 0.0 ? "#666" : "#ccc");
  }
  const Eigen::Index branches = locus.samples.front().values.size();
  std::size_t colour = 0;
  for (Eigen::Index k = 0; k < branches; ++k) {
    // Of a pair the one above the axis, wherever it is a pair.
    double im = 0.0;
    for (const LocusSample& sample : locus.samples) im += sample.values[k].imag();
    if (im < 0.0) continue;
    const char* own = kBranchColours[colour++ % kBranchColours.size()];
    if (plot == LocusPlot::parts) out += curve(locus, axes, k, false, own);
    if (im > 0.0) out += curve(locus, axes, k, true, own);
  }
  if (plot == LocusPlot::campbell) {
    // Once a turn: frequency = parameter.
    const double end = std::min(axes.x_high, axes.y_high);
    const double start = std::max(axes.x_low, 0.0);
    out += fmt::format(
        "<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" stroke=\"#666\"><title>once a "
        "turn</title></line>\n",
        axes.x(start), axes.y(start), axes.x(end), axes.y(end));
  }
  for (const StabilityLimit& limit : locus.limits) {
    out += fmt::format(
        "<line x1=\"{0:.2f}\" y1=\"{1}\" x2=\"{0:.2f}\" y2=\"{2}\" stroke=\"#333\" stroke-dasharray=\"2 2\"/><text "
        "x=\"{0:.2f}\" y=\"{3}\" text-anchor=\"middle\">{4:.5g}</text>\n",
        axes.x(limit.at), kPlotTop, bottom, kPlotTop - 6.0, limit.at);
  }
  const std::string unit = names.unit.empty() ? "" : fmt::format(" [{}]", names.unit);
  out += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}{}</text>\n", 0.5 * kPlotWidth,
                     kPlotHeight - 10.0, names.parameter, unit);
  out += fmt::format("<text transform=\"translate(14 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n</svg>\n",
                     0.5 * kPlotHeight,
                     plot == LocusPlot::parts ? "real part, and imaginary part (dashed) [1/s]" : "frequency [rad/s]");
  return out;
}

std::string writeLocusSvg(const std::string& path, const Locus& locus, const LocusNames& names, LocusPlot plot) {
  return writeAtomically(path, [&](std::ostream& file) { file << locusSvg(locus, names, plot); });
}

Json locusJson(const Locus& locus, const LocusNames& names) {
  Json out;
  out["parameter"] = names.parameter;
  out["unit"] = names.unit;
  out["ranges"] = Json::array();
  for (const StabilityRange& range : locus.ranges) {
    out["ranges"].push_back({{"from", range.from},
                             {"to", range.to},
                             {"stability", wordFor(range.is)},
                             {"fastest", valueJson(range.fastest)}});
  }
  out["limits"] = Json::array();
  for (const StabilityLimit& limit : locus.limits) {
    Json one{{"at", limit.at},
             {"kind", wordFor(limit.kind)},
             {"frequency_Hz", std::abs(limit.eigenvalue.imag()) / (2.0 * std::numbers::pi)},
             {"eigenvalue", valueJson(limit.eigenvalue)},
             {"unstable_above", limit.unstable_above},
             {"branch", limit.branch + 1},
             {"mode", shapeText(limit.shape, names.seen)}};
    // Eigenvalues near a double one move by the root of what changes them.
    if (limit.kind == LimitKind::double_root) one["eigenvalue_accuracy"] = 1e-8;
    out["limits"].push_back(std::move(one));
  }
  out["samples"] = Json::array();
  for (const LocusSample& sample : locus.samples) {
    Json one{{names.parameter, sample.p}, {"eigenvalues", Json::array()}};
    for (const auto& value : sample.values) one["eigenvalues"].push_back({value.real(), value.imag()});
    out["samples"].push_back(std::move(one));
  }
  return out;
}

}  // namespace linkwork
