#include "linkwork/elements/quick_stretches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>

#include "linkwork/model/walk.hpp"

namespace linkwork {

namespace {

// The least of all limits, piece by piece between the ends of all stretches.
std::vector<StepStretch> merged(const std::vector<std::vector<StepStretch>>& lists) {
  std::vector<double> borders;
  for (const auto& list : lists) {
    for (const StepStretch& stretch : list) borders.insert(borders.end(), {stretch.from, stretch.to});
  }
  std::sort(borders.begin(), borders.end());
  borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
  std::vector<std::size_t> next(lists.size(), 0);
  std::vector<StepStretch> out;
  for (std::size_t k = 0; k + 1 < borders.size(); ++k) {
    StepStretch piece{borders[k], borders[k + 1], std::numeric_limits<double>::infinity()};
    for (std::size_t i = 0; i < lists.size(); ++i) {
      while (next[i] < lists[i].size() && lists[i][next[i]].to <= piece.from) ++next[i];
      if (next[i] < lists[i].size() && lists[i][next[i]].from <= piece.from)
        piece.step = std::min(piece.step, lists[i][next[i]].step);
    }
    if (piece.step < std::numeric_limits<double>::infinity()) out.push_back(piece);
  }
  return out;
}

class Search {
 public:
  Search(const Mechanism& mechanism, double until) : until_(until) {
    for (const Parameter& parameter : mechanism.parameters)
      numbers_.emplace(parameter.name, Expr(parameter.value.number));
  }

  // The formula acts on the motion with so many of its derivatives by time.
  void add(const std::string& kind, const std::string& name, const Expr& formula, int derivatives) {
    for (const Expr& part : partsOfTime(substitute(formula, numbers_))) {
      // What several formulas share is looked at once; its derivatives may be asked for later.
      const auto [place, is_new] = seen_.try_emplace(part.id(), derivatives);
      if (!is_new && place->second >= derivatives) continue;
      place->second = derivatives;
      FormulaBounds bounds = boundFormula(part, derivatives, until_);
      const std::string owner = fmt::format("{} \"{}\"", kind, name);
      if (bounds.pole >= 0.0) {
        const std::array<const char*, 3> what{"", "the rate of ", "the acceleration of "};
        out_.poles.push_back({what.at(static_cast<std::size_t>(bounds.pole_derivative)) + owner, bounds.pole});
      }
      if (!bounds.loose.empty()) out_.loose.push_back({owner, aroundAll(bounds.loose)});
      if (!bounds.stretches.empty()) lists_.push_back(std::move(bounds.stretches));
      kept_.push_back(part);
    }
  }

  // An event is to be seen, and grows as it likes.
  void addEvent(const Event& event) {
    const std::size_t poles = out_.poles.size();
    add("event", event.name, event.when, 0);
    out_.poles.resize(poles);
  }

  QuickStretches take() {
    out_.stretches = merged(lists_);
    return std::move(out_);
  }

 private:
  static StepStretch aroundAll(const std::vector<StepStretch>& list) {
    StepStretch out{list.front().from, list.back().to, list.front().step};
    for (const StepStretch& stretch : list) out.step = std::min(out.step, stretch.step);
    return out;
  }

  double until_;
  std::map<std::string, Expr> numbers_;
  std::unordered_map<std::uint64_t, int> seen_;  // by the number of the node
  std::vector<Expr> kept_;                       // so that these numbers stay theirs
  std::vector<std::vector<StepStretch>> lists_;
  QuickStretches out_;
};

}  // namespace

std::vector<Expr> partsOfTime(const Expr& formula) {
  enum class Kind { number, of_time, other };
  std::unordered_map<std::uint64_t, Kind> kinds;
  std::vector<Expr> out;
  const auto keep = [&](const Expr& part) {
    if (kinds.at(part.id()) == Kind::of_time && std::find(out.begin(), out.end(), part) == out.end())
      out.push_back(part);
  };
  const std::vector<Expr> parts = postOrder(std::span<const Expr>(&formula, 1));
  for (const Expr& part : parts) {
    Kind kind = Kind::number;
    if (part.isSymbol()) kind = part.name() == "t" ? Kind::of_time : Kind::other;
    for (const Expr& operand : part.operands()) kind = std::max(kind, kinds.at(operand.id()));
    kinds[part.id()] = kind;
  }
  keep(formula);
  for (const Expr& part : parts) {
    if (kinds.at(part.id()) != Kind::other) continue;
    for (const Expr& operand : part.operands()) keep(operand);
  }
  return out;
}

QuickStretches findQuickStretches(const Mechanism& mechanism, double until, const std::vector<ActingFormula>& others) {
  Search search(mechanism, until);
  for (const Drive& drive : mechanism.drives) search.add("drive", drive.name, drive.motion, 2);
  for (const Joint& joint : mechanism.joints) {
    search.add("joint", joint.name, joint.expression, 2);
    search.add("joint", joint.name, joint.speed, 1);
  }
  for (const Load& load : mechanism.loads) {
    for (const Expr& formula : formulasOf(load)) search.add("load", load.name, formula, 0);
  }
  for (const ActingFormula& other : others) search.add(other.kind, other.name, other.formula, other.derivatives);
  for (const Event& event : mechanism.events) search.addEvent(event);
  return search.take();
}

}  // namespace linkwork
