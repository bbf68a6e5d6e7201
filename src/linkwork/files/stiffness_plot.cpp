#include "linkwork/files/stiffness_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace linkwork {

namespace {

constexpr double kWidth = 380.0, kHeight = 260.0;                           // of a panel, with its margins
constexpr double kLeft = 62.0, kRight = 14.0, kTop = 30.0, kBottom = 42.0;  // margins
constexpr double kLeast = 1e-17;                                            // below it all is round-off

using Points = std::vector<std::pair<double, double>>;  // logarithms to the base of ten

struct StiffnessCurve {
  std::string name;
  const char* colour;
  std::vector<Points> lines;
};

struct StiffnessPanel {
  std::string title;
  std::vector<StiffnessCurve> curves;
};

struct Window {
  double low = 0.0, high = 0.0;
  double part(double value) const { return (value - low) / (high - low); }
};

// One line for each rotational stiffness: the stiffness starts anew there.
StiffnessCurve curveOf(const StiffnessSweep& sweep, std::string name, const char* colour,
                       const std::function<double(const StiffnessSample&)>& value) {
  StiffnessCurve out{std::move(name), colour, {}};
  double before = HUGE_VAL;
  for (const StiffnessSample& sample : sweep.samples) {
    if (sample.stiffness <= before) out.lines.emplace_back();
    before = sample.stiffness;
    const double y = value(sample);
    if (sample.wentThrough() && y > kLeast) out.lines.back().emplace_back(std::log10(sample.stiffness), std::log10(y));
  }
  return out;
}

Window windowOf(const StiffnessPanel& panel, bool across) {
  Window out{HUGE_VAL, -HUGE_VAL};
  for (const StiffnessCurve& curve : panel.curves) {
    for (const Points& line : curve.lines) {
      for (const auto& [x, y] : line) {
        out.low = std::min(out.low, std::floor(across ? x : y));
        out.high = std::max(out.high, std::ceil(across ? x : y));
      }
    }
  }
  if (!(out.high > out.low)) out.high = (std::isfinite(out.low) ? out.low : out.low = 0.0) + 1.0;
  return out;
}

std::string drawn(const StiffnessPanel& panel, double left) {
  const Window across = windowOf(panel, true);
  const Window up = windowOf(panel, false);
  const auto xOf = [&](double x) { return left + kLeft + across.part(x) * (kWidth - kLeft - kRight); };
  const auto yOf = [&](double y) { return kTop + (1.0 - up.part(y)) * (kHeight - kTop - kBottom); };
  std::string out = fmt::format("<text x=\"{}\" y=\"18\" class=\"title\">{}</text>\n", left + kLeft, panel.title);
  for (double k = across.low; k <= across.high; k += 1.0) {
    out += fmt::format(
        "<path class=\"grid\" d=\"M{0:.1f} {1}V{2}\"/><text x=\"{0:.1f}\" y=\"{3}\" class=\"x\">1e{4}</text>\n", xOf(k),
        kTop, kHeight - kBottom, kHeight - kBottom + 15.0, k);
  }
  for (double k = up.low; k <= up.high; k += 1.0) {
    out += fmt::format(
        "<path class=\"grid\" d=\"M{0} {1:.1f}H{2}\"/><text x=\"{3}\" y=\"{4:.1f}\" class=\"y\">1e{5}</text>\n",
        left + kLeft, yOf(k), left + kWidth - kRight, left + kLeft - 6.0, yOf(k) + 4.0, k);
  }
  double legend = kTop + 14.0;
  for (const StiffnessCurve& curve : panel.curves) {
    for (const Points& line : curve.lines) {
      std::string way;
      for (const auto& [x, y] : line) way += fmt::format("{}{:.1f} {:.1f}", way.empty() ? "M" : "L", xOf(x), yOf(y));
      if (!way.empty()) out += fmt::format("<path d=\"{}\" stroke=\"{}\" class=\"line\"/>\n", way, curve.colour);
    }
    out += fmt::format("<text x=\"{}\" y=\"{}\" fill=\"{}\" class=\"name\">{}</text>\n", left + kWidth - kRight - 6.0,
                       legend, curve.colour, curve.name);
    legend += 15.0;
  }
  return out + fmt::format("<text x=\"{}\" y=\"{}\" class=\"x\">stiffness, N/m</text>\n",
                           left + 0.5 * (kLeft + kWidth - kRight), kHeight - 8.0);
}

}  // namespace

std::string stiffnessSvg(const StiffnessSweep& sweep) {
  std::vector<StiffnessPanel> panels{
      {"places and gap, m",
       {curveOf(sweep, "places", "#0072b2", [](const auto& sample) { return sample.errors.place; }),
        curveOf(sweep, "gap", "#d55e00", [](const auto& sample) { return sample.gap; })}},
      {"forces, N",
       {curveOf(sweep, "root mean square", "#0072b2", [](const auto& sample) { return sample.errors.force; }),
        curveOf(sweep, "greatest", "#d55e00", [](const auto& sample) { return sample.errors.most_force; })}}};
  const bool turns = std::any_of(sweep.samples.begin(), sweep.samples.end(),
                                 [](const StiffnessSample& sample) { return sample.errors.moment > kLeast; });
  if (turns) {
    panels.push_back({"moments, N m; axes, rad",
                      {curveOf(sweep, "moment, root mean square", "#0072b2",
                               [](const auto& sample) { return sample.errors.moment; }),
                       curveOf(sweep, "axes", "#d55e00", [](const auto& sample) { return sample.angle; })}});
  }
  const double width = kWidth * static_cast<double>(panels.size());
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" "
      "font-size=\"11\">\n<style>.grid{{stroke:#ddd;fill:none}}.line{{fill:none;stroke-width:1.6}}"
      ".title{{font-size:13px}}.x{{text-anchor:middle}}.y,.name{{text-anchor:end}}</style>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
      width, kHeight);
  for (std::size_t k = 0; k < panels.size(); ++k) out += drawn(panels[k], kWidth * static_cast<double>(k));
  return out + "</svg>\n";
}

}  // namespace linkwork
