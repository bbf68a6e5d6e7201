#include "linkwork/codegen/abbreviations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "linkwork/codegen/explain_layout.hpp"
#include "linkwork/codegen/tidy.hpp"

namespace linkwork {

namespace {

using Letters = Planar<Expr>;

Expr withoutSign(const Expr& e) { return e.kind() == ExprKind::Neg ? e.operands()[0] : e; }

// What lies between the two points of a distance joint, a spring or a damper on bodies i and j. Written in the very
// words of those elements, so that the parts are the same nodes and are found again.
void addBetweenPoints(const std::string& name, const PairPosition<Letters>& x, const Letters::Vector& arm_i,
                      const Letters::Vector& arm_j, std::string_view body_i, std::string_view body_j,
                      Abbreviations& out) {
  const auto d = x.j.r + arm_j - x.i.r - arm_i;
  const Expr length = sqrt(dot(d, d));
  const auto u = d * (Expr(1.0) / length);
  out.add(name + ".d_x", d.x, fmt::format("from the point on {} to the point on {}", body_i, body_j));
  out.add(name + ".d_y", d.y, "");
  out.add(name + ".L", length, "length");
  out.add(name + ".u_x", u.x, "direction");
  out.add(name + ".u_y", u.y, "");
}

}  // namespace

void Abbreviations::add(std::string name, const Expr& what, std::string meaning) {
  // Products carry signs outwards, so it is the part without its sign that is met again.
  const Expr bare = withoutSign(what);
  if (bare.isNumber() || bare.isSymbol() || names_.contains(bare)) return;
  const Expr symbol = Expr::symbol(name);
  names_.emplace(bare, bare == what ? symbol : -symbol);
  list_.push_back({std::move(name), what, std::move(meaning)});
}

std::vector<Expr> Abbreviations::apply(std::span<const Expr> es) const { return rewrite(es, Expr()); }

std::vector<ExplainedName> Abbreviations::neededBy(std::span<const Expr> es) const {
  std::vector<ExplainedName> out;
  std::set<std::string> wanted;
  for (std::string& name : symbolsOf(es)) wanted.insert(std::move(name));
  for (auto it = list_.rbegin(); it != list_.rend(); ++it) {
    if (!wanted.contains(it->name)) continue;
    const Expr definition = tidied(rewrite(std::span<const Expr>(&it->what, 1), withoutSign(it->what)).front());
    for (std::string& name : symbolsOf(definition)) wanted.insert(std::move(name));
    out.push_back({it->name, definition, it->meaning});
  }
  std::reverse(out.begin(), out.end());
  return out;
}

std::vector<Expr> Abbreviations::rewrite(std::span<const Expr> es, const Expr& definition) const {
  std::unordered_map<Expr, Expr> done;
  for (const Expr& e : postOrder(es)) {
    const auto named = names_.find(e);
    if (named != names_.end() && !(e == definition)) {
      done.emplace(e, named->second);
      continue;
    }
    std::vector<Expr> operands;
    for (const Expr& operand : e.operands()) operands.push_back(done.at(operand));
    done.emplace(e, operands.empty() ? e : withOperands(e, operands));
  }
  std::vector<Expr> out;
  for (const Expr& e : es) out.push_back(done.at(e));
  return out;
}

Abbreviations abbreviateDistances(const Mechanism& mechanism, const LetterEquations& equations,
                                  const LetterEquations::Work& work) {
  Abbreviations out;
  const auto& set = equations.elements();
  for (const auto& placed : set.distances) {
    const PairPosition<Letters> x{work.x[at(placed.i)], work.x[at(placed.j)]};
    const PairVelocity<Letters> v{work.v[at(placed.i)], work.v[at(placed.j)]};
    const auto a = x.i.R * placed.element.s_A;
    const auto b = x.j.R * placed.element.s_B;
    const std::string& name = set.groups[at(set.row_info[at(placed.row)].group)].name;
    addBetweenPoints(name, x, a, b, nameOfSlot(mechanism, placed.i), nameOfSlot(mechanism, placed.j), out);
    const auto rate = v.j.v + perp(b) * v.j.w - v.i.v - perp(a) * v.i.w;
    out.add(name + ".dd_x", rate.x, "rate of d");
    out.add(name + ".dd_y", rate.y, "");
  }
  return out;
}

Abbreviations abbreviateSprings(const Mechanism& mechanism, const LetterEquations& equations,
                                const LetterEquations::Work& work) {
  Abbreviations out;
  const auto& set = equations.elements();
  for (const auto& placed : set.loadsOf<SpringDamper<Letters>>()) {
    const PairPosition<Letters> x{work.x[at(placed.i)], work.x[at(placed.j)]};
    const auto state = placed.element.state(x, {work.v[at(placed.i)], work.v[at(placed.j)]});
    std::string name = mechanism.loads[at(placed.load)].name;
    const auto hasName = [&](const RowGroup& group) { return group.name == name; };
    if (std::any_of(set.groups.begin(), set.groups.end(), hasName)) name += "_load";
    addBetweenPoints(name, x, x.i.R * placed.element.s_A, x.j.R * placed.element.s_B, nameOfSlot(mechanism, placed.i),
                     nameOfSlot(mechanism, placed.j), out);
    out.add(name + ".dL", state.rate, "rate of the length");
    out.add(name + ".F", state.tension, "tension, positive when it pulls the bodies together");
  }
  return out;
}

}  // namespace linkwork
