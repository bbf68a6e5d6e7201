#include "linkwork/elements/corners.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "linkwork/model/walk.hpp"

namespace linkwork {

namespace {

// slope t + offset, or nothing.
struct Affine {
  double slope = 0.0;
  double offset = 0.0;
};

std::optional<Affine> affineInTime(const Expr& e) {
  const std::vector<std::string> symbols = symbolsOf(e);
  if (symbols.size() != 1 || symbols[0] != "t") return std::nullopt;
  const Expr slope = differentiate(e, Expr::symbol("t"));
  if (!slope.isNumber() || slope.isNumber(0.0) || !std::isfinite(slope.number())) return std::nullopt;
  return Affine{slope.number(), evaluate(e, {{"t", 0.0}})};
}

class CornerFinder {
 public:
  void look(const Expr& part) {
    const auto ops = part.operands();
    switch (part.kind()) {
      case ExprKind::Abs:
      case ExprKind::Sign:
      case ExprKind::Select: add(ops[0]); break;
      case ExprKind::Min:
      case ExprKind::Max: add(ops[0] - ops[1]); break;
      case ExprKind::Table:
        if (part.table()->hasCorners() && part.tableOrder() != kTableCorner) addTable(part);
        break;
      default: break;
    }
  }

  Corners take() {
    std::sort(found_.times.begin(), found_.times.end());
    found_.times.erase(std::unique(found_.times.begin(), found_.times.end()), found_.times.end());
    return std::move(found_);
  }

 private:
  void add(const Expr& where) {
    if (where.isNumber()) return;
    if (const auto line = affineInTime(where)) {
      addTime(-line->offset / line->slope);
    } else {
      addSwitch(where);
    }
  }

  void addTable(const Expr& part) {
    const Expr& argument = part.operands()[0];
    if (const auto line = affineInTime(argument)) {
      for (const double corner : part.table()->corners()) addTime((corner - line->offset) / line->slope);
    } else {
      addSwitch(applyTable(part.table(), kTableCorner, argument));
    }
  }

  void addTime(double t) {
    if (std::isfinite(t)) found_.times.push_back(t);
  }

  void addSwitch(const Expr& where) {
    auto& list = found_.switches;
    if (std::find(list.begin(), list.end(), where) == list.end()) list.push_back(where);
  }

  Corners found_;
};

// All points of tables of t, of which those of smooth ones are no corners.
void addKnots(const Expr& part, std::vector<double>& times) {
  if (part.kind() != ExprKind::Table) return;
  const auto line = affineInTime(part.operands()[0]);
  if (!line) return;
  for (const double knot : part.table()->x()) times.push_back((knot - line->offset) / line->slope);
}

}  // namespace

std::vector<double> breakTimes(const Expr& formula, TablePoints points) {
  CornerFinder finder;
  std::vector<double> times;
  for (const Expr& part : postOrder(std::span<const Expr>(&formula, 1))) {
    finder.look(part);
    if (points == TablePoints::all) addKnots(part, times);
  }
  const Corners corners = finder.take();
  times.insert(times.end(), corners.times.begin(), corners.times.end());
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

Corners findCorners(const Mechanism& mechanism) {
  std::map<std::string, Expr> numbers;
  for (const Parameter& parameter : mechanism.parameters) numbers.emplace(parameter.name, Expr(parameter.value.number));
  std::vector<Expr> formulas;
  for (const Load& load : mechanism.loads) {
    for (const Expr& formula : formulasOf(load)) formulas.push_back(substitute(formula, numbers));
  }
  CornerFinder finder;
  for (const Expr& part : postOrder(std::span<const Expr>(formulas))) finder.look(part);
  return finder.take();
}

}  // namespace linkwork
