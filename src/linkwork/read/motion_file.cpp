#include "linkwork/read/motion_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "linkwork/base/diagnostics.hpp"
#include "linkwork/base/input_file.hpp"
#include "linkwork/model/drive_of.hpp"
#include "linkwork/read/units.hpp"

namespace linkwork {

namespace {

// Two values at one time that differ by less than this are one, with round-off.
constexpr double kSameValue = 1e-9;

constexpr std::size_t kFewestRows = 4;
// The spline through every second row may miss the rows between by this part of the motion's range.
constexpr double kCoarse = 1e-3;

std::string trimmed(std::string text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '"'; };
  while (!text.empty() && blank(text.back())) text.pop_back();
  const auto first = std::find_if_not(text.begin(), text.end(), blank);
  return {first, text.end()};
}

std::vector<std::string> cellsOf(const std::string& line) {
  std::vector<std::string> out;
  std::stringstream stream(line);
  std::string cell;
  while (std::getline(stream, cell, ',')) out.push_back(trimmed(cell));
  if (!line.empty() && line.back() == ',') out.emplace_back();
  return out;
}

// "O.angle [deg]": the name, and what brings the column to SI.
std::string readHead(const std::string& cell, std::string& name, Unit& unit) {
  const auto open = cell.find('[');
  name = trimmed(cell.substr(0, open));
  if (open == std::string::npos) return {};
  const auto close = cell.find(']', open);
  if (close == std::string::npos) return fmt::format("\"{}\": the bracket of the unit is not closed", cell);
  const auto parsed = parseUnit(cell.substr(open + 1, close - open - 1));
  if (const auto* error = std::get_if<TextError>(&parsed)) return fmt::format("\"{}\": {}", cell, error->message);
  unit = std::get<Unit>(parsed);
  return {};
}

bool isCoordinate(QuantityKind kind) {
  switch (kind) {
    case QuantityKind::joint_angle:
    case QuantityKind::joint_slide:
    case QuantityKind::body_x:
    case QuantityKind::body_y:
    case QuantityKind::body_z:
    case QuantityKind::body_angle: return true;
    default: return false;
  }
}

// How far the spline through every second row is from the rows between, and where; ends with less support left out.
double coarseness(const std::vector<double>& time, const std::vector<double>& values, double& where) {
  std::vector<double> t, y;
  for (std::size_t k = 0; k < time.size(); k += 2) {
    t.push_back(time[k]);
    y.push_back(values[k]);
  }
  where = 0.0;
  if (t.size() < 6) return 0.0;
  const Table half("", t, y, TableKind::cubic, TableOutside::hold);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double range = *most - *least;
  double worst = 0.0;
  for (std::size_t k = 5; k + 5 < time.size(); k += 2) {
    const double off = std::abs(half.value(time[k], 0) - values[k]);
    if (off <= worst) continue;
    worst = off;
    where = time[k];
  }
  return range > 0.0 ? worst / range : 0.0;
}

// The last row in place of the one before it, at the same time; false where no column goes on without a jump.
bool takeSecond(MotionFile& file) {
  bool goes_on = false;
  for (std::size_t k = 0; k < file.columns.size(); ++k) {
    std::vector<double>& values = file.columns[k];
    const double right = values.back();
    values.pop_back();
    const bool jumps = std::abs(right - values.back()) > kSameValue * (1.0 + std::abs(right));
    if (jumps) file.jumps[k] = file.time.back();
    goes_on = goes_on || !jumps;
    values.back() = right;
  }
  file.time.pop_back();
  return goes_on;
}

}  // namespace

MotionFile parseMotion(const std::string& text, const std::string& file_name) {
  MotionFile out;
  std::stringstream stream(text);
  std::string line;
  std::vector<Unit> units;
  int number = 0;
  const auto fail = [&](const std::string& why) {
    out.problem = fmt::format("{}:{}: {}", file_name, number, why);
    return out;
  };
  while (std::getline(stream, line)) {
    ++number;
    line = trimmed(line);
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> cells = cellsOf(line);
    if (units.empty()) {
      for (const std::string& cell : cells) {
        std::string name;
        Unit unit;
        if (const std::string why = readHead(cell, name, unit); !why.empty()) return fail(why);
        if (units.empty() && name != "time" && name != "t") {
          return fail(fmt::format("the first column must be time, it is \"{}\"", name));
        }
        if (!units.empty()) out.names.push_back(name);
        units.push_back(unit);
      }
      out.columns.resize(out.names.size());
      out.jumps.assign(out.names.size(), std::nan(""));
      if (out.names.empty()) return fail("there is no column beside the time");
      continue;
    }
    if (cells.size() != units.size()) {
      return fail(fmt::format("{} values under {} headings", cells.size(), units.size()));
    }
    for (std::size_t k = 0; k < cells.size(); ++k) {
      double value = 0.0;
      const char* end = cells[k].data() + cells[k].size();
      const auto read = std::from_chars(cells[k].data(), end, value);
      const bool is_number = read.ec == std::errc() && read.ptr == end && std::isfinite(value);
      if (!is_number && k == 0) return fail(fmt::format("\"{}\" is no time", cells[k]));
      // A column that is not asked for may have gaps.
      value = is_number ? toSi(value, units[k]) : std::nan("");
      (k == 0 ? out.time : out.columns[k - 1]).push_back(value);
    }
    const std::size_t rows = out.time.size();
    if (rows < 2 || out.time[rows - 1] > out.time[rows - 2]) continue;
    if (out.time[rows - 1] < out.time[rows - 2] || !takeSecond(out)) return fail("the time does not go on");
  }
  if (out.time.size() < kFewestRows) {
    return fail(fmt::format("{} rows are too few for a smooth motion; give at least {}", out.time.size(), kFewestRows));
  }
  return out;
}

MotionFile readMotionFile(const std::string& path) {
  const InputFile file = readInputFile(path);
  if (file.ok()) return parseMotion(file.text, path);
  MotionFile out;
  out.problem = fmt::format("{}: cannot be read: {}", path, file.problem);
  return out;
}

std::string driveBy(const MotionFile& file, const MotionOptions& options, Mechanism& mechanism,
                    std::vector<std::string>& warnings) {
  if (file.time.front() > 0.0) {
    return fmt::format("the motion begins at t = {:.6g} s, but a run begins at 0; shift its times", file.time.front());
  }
  const std::vector<std::string> wanted = options.coordinates.empty() ? file.names : options.coordinates;
  for (const std::string& name : wanted) {
    const auto found = std::find(file.names.begin(), file.names.end(), name);
    if (found == file.names.end()) {
      return fmt::format("the motion file has no column \"{}\". {}", name, didYouMean(name, file.names));
    }
    const auto& values = file.columns[static_cast<std::size_t>(found - file.names.begin())];
    const std::optional<Quantity> quantity = findQuantity(mechanism, name);
    if (!quantity || !isCoordinate(quantity->kind)) {
      return fmt::format("column \"{}\" is no coordinate of a joint or body; choose columns with --coordinates. {}",
                         name, quantity ? "" : didYouMean(name, quantityNames(mechanism)));
    }
    const auto gap = std::find_if(values.begin(), values.end(), [](double v) { return !std::isfinite(v); });
    if (gap != values.end()) {
      return fmt::format("column \"{}\" is not a number at t = {:.6g} s", name,
                         file.time[static_cast<std::size_t>(gap - values.begin())]);
    }
    if (const double jump = file.jumps[static_cast<std::size_t>(found - file.names.begin())]; !std::isnan(jump))
      return fmt::format("column \"{}\" has two values at t = {:.6g} s; a motion does not jump", name, jump);
    const auto table =
        std::make_shared<const Table>(name, file.time, values, TableKind::cubic, TableOutside::error, options.ends);
    Drive drive = driveOf(mechanism, *quantity, applyTable(table, 0, Expr::symbol("t")));
    drive.name = name;
    mechanism.drives.push_back(std::move(drive));
    double where = 0.0;
    if (const double off = coarseness(file.time, values, where); off > kCoarse) {
      warnings.push_back(
          fmt::format("column \"{}\": the rows are far apart or not smooth: at t = {:.6g} s every second row foretells "
                      "the one between only to {:.2g} of the range; accelerations are no better",
                      name, where, off));
    }
  }
  return {};
}

}  // namespace linkwork
