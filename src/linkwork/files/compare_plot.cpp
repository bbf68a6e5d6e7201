#include "linkwork/files/compare_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

namespace linkwork {

namespace {

constexpr double kWidth = 420.0, kHeight = 220.0;                           // of a panel, with its margins
constexpr double kLeft = 58.0, kRight = 12.0, kTop = 28.0, kBottom = 34.0;  // margins
constexpr double kLegendLine = 18.0;
constexpr double kLeast = 1e-17;  // below it all is round-off
constexpr std::size_t kMostPoints = 300;
// Okabe and Ito's colours, which most people can tell apart.
constexpr std::array<std::string_view, 8> kColours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                   "#e69f00", "#56b4e9", "#000000", "#999933"};

struct PlotLine {
  std::string_view colour;
  bool dashed = false;
  const std::vector<double>* time = nullptr;
  const std::vector<double>* values = nullptr;
};

struct Panel {
  std::string title;
  std::vector<PlotLine> curves;
};

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else
      out += c;
  }
  return out;
}

struct Range {
  double low = 0.0, high = 0.0;  // decades
  double end = 1.0;              // s
};

Range rangeOf(const Panel& panel) {
  double least = 1e-6;
  double most = kLeast;
  double end = 0.0;
  for (const PlotLine& curve : panel.curves) {
    for (const double value : *curve.values) {
      if (!std::isfinite(value)) continue;
      most = std::max(most, value);
      if (value > kLeast) least = std::min(least, value);
    }
    if (!curve.time->empty()) end = std::max(end, curve.time->back());
  }
  Range out;
  out.high = std::ceil(std::log10(most));
  out.low = std::min(std::floor(std::log10(least)), out.high - 2.0);
  out.end = end > 0.0 ? end : 1.0;
  return out;
}

std::string lineOf(const PlotLine& curve, const Range& range, double x0, double y0) {
  const std::size_t count = std::min(curve.values->size(), curve.time->size());
  const std::size_t stretch = std::max<std::size_t>(1, (count + kMostPoints - 1) / kMostPoints);
  std::string points;
  for (std::size_t k = 0; k < count; k += stretch) {
    double value = 0.0;
    for (std::size_t j = k; j < std::min(k + stretch, count); ++j) value = std::max(value, (*curve.values)[j]);
    const double decade = std::clamp(std::log10(std::max(value, 1e-300)), range.low, range.high);
    points += fmt::format("{:.1f},{:.1f} ", x0 + kLeft + (kWidth - kLeft - kRight) * (*curve.time)[k] / range.end,
                          y0 + kTop + (kHeight - kTop - kBottom) * (range.high - decade) / (range.high - range.low));
  }
  return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.3\"{}/>\n", points,
                     curve.colour, curve.dashed ? " stroke-dasharray=\"5 3\"" : "");
}

std::string drawn(const Panel& panel, double x0, double y0) {
  const Range range = rangeOf(panel);
  const double left = x0 + kLeft;
  const double right = x0 + kWidth - kRight;
  const double top = y0 + kTop;
  const double bottom = y0 + kHeight - kBottom;
  std::string out = fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-weight=\"bold\">{}</text>\n", left, top - 9.0,
                                escaped(panel.title));
  const double every = std::max(1.0, std::ceil((range.high - range.low) / 6.0));
  for (double decade = range.high; decade >= range.low - 1e-9; decade -= every) {
    const double y = top + (bottom - top) * (range.high - decade) / (range.high - range.low);
    out += fmt::format(
        "<line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{2:.1f}\" y2=\"{1:.1f}\" stroke=\"#ddd\"/>\n"
        "<text x=\"{3:.1f}\" y=\"{4:.1f}\" text-anchor=\"end\">1e{5:.0f}</text>\n",
        left, y, right, left - 6.0, y + 4.0, decade);
  }
  for (const double share : {0.0, 0.5, 1.0}) {
    out += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{:.4g}{}</text>\n",
                       left + (right - left) * share, bottom + 16.0, share == 1.0 ? "end" : "middle", share * range.end,
                       share == 1.0 ? " s" : "");
  }
  out += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"none\" stroke=\"#888\"/>\n", left, top,
      right - left, bottom - top);
  for (const PlotLine& curve : panel.curves) out += lineOf(curve, range, x0, y0);
  return out;
}

}  // namespace

std::string compareSvg(const CompareReport& report) {
  const Comparison& comparison = *report.comparison;
  std::vector<Panel> panels;
  for (const Aspect aspect : kAspects) panels.push_back({fmt::format("{}, relative difference", wordFor(aspect)), {}});
  panels.push_back({"drift of the joints, m", {}});
  std::string legend;
  std::size_t shown = 0;
  for (std::size_t k = 0; k < comparison.runs.size(); ++k) {
    const ComparedRun& run = comparison.runs[k];
    if (!run.comparable()) continue;
    const bool reference = k == comparison.reference;
    PlotLine curve{kColours[shown % kColours.size()], (shown / kColours.size()) % 2 == 1, &run.result.time, nullptr};
    for (std::size_t j = 0; j < kAspects.size() && !reference; ++j) {
      curve.values = &run.difference.over_time[kAspects[j]];
      panels[j].curves.push_back(curve);
    }
    curve.values = &run.result.find("violation.position")->values;
    panels.back().curves.push_back(curve);
    const double y = 52.0 + kLegendLine * static_cast<double>(shown);
    legend += fmt::format(
        "<line x1=\"20\" y1=\"{0:.0f}\" x2=\"48\" y2=\"{0:.0f}\" stroke=\"{1}\" stroke-width=\"2\"{2}/>\n"
        "<text x=\"56\" y=\"{3:.0f}\">{4}{5}</text>\n",
        y, curve.colour, curve.dashed ? " stroke-dasharray=\"5 3\"" : "", y + 4.0, escaped(run.label),
        reference ? " (reference)" : "");
    ++shown;
  }
  const double head = 60.0 + kLegendLine * static_cast<double>(shown);
  const double width = 2.0 * kWidth;
  const double height = head + 3.0 * kHeight;
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      "<text x=\"20\" y=\"28\" font-size=\"15\">{2}: differences between methods over time</text>\n",
      width, height, escaped(report.name));
  out += legend;
  double y = head;
  for (std::size_t k = 0; k < panels.size(); ++k) {
    const bool right = k % 2 == 1;
    out += drawn(panels[k], right ? kWidth : 0.0, y);
    if (right) y += kHeight;
  }
  return out + "</svg>\n";
}

}  // namespace linkwork
