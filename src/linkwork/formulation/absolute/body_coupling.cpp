#include "linkwork/formulation/absolute/body_coupling.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <string>

#include "linkwork/model/walk.hpp"

namespace linkwork {

namespace {

// The moving bodies that the formula of each load names, with the load.
template <class G>
std::vector<std::vector<int>> namedBodies(const Mechanism& mechanism, const ElementSet<G>& set) {
  std::map<std::string, const NamedQuantity<G>*> quantity;
  for (std::size_t k = 0; k < set.load_formulas.inputs.size(); ++k) {
    quantity.emplace(set.load_formulas.tape.inputNames()[k + 1], &set.load_formulas.inputs[k]);  // t comes first
  }
  std::vector<std::vector<int>> out;
  for (const Load& load : mechanism.loads) {
    std::vector<int> bodies;
    const std::vector<Expr> formulas = formulasOf(load);
    for (const std::string& name : symbolsOf(std::span<const Expr>(formulas))) {
      const auto found = quantity.find(name);
      if (found == quantity.end()) continue;  // t or a parameter
      for (const int body : {found->second->i, found->second->j}) {
        if (body < set.bodies) bodies.push_back(body);
      }
    }
    out.push_back(std::move(bodies));
  }
  return out;
}

void sortUnique(std::vector<int>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

// Greedy: a body joins the first group in which no body that feels it feels another one.
std::vector<std::vector<int>> groupsOf(const std::vector<std::vector<int>>& felt_by) {
  const std::size_t bodies = felt_by.size();
  std::vector<std::vector<int>> felt_in(bodies);  // transposed: the bodies that feel b
  for (std::size_t a = 0; a < bodies; ++a) {
    for (const int b : felt_by[a]) felt_in[at(b)].push_back(static_cast<int>(a));
  }
  std::vector<int> group(bodies, -1);
  std::vector<int> taken;  // by group: the last body for which it was found taken
  std::vector<std::vector<int>> groups;
  for (std::size_t b = 0; b < bodies; ++b) {
    const int self = static_cast<int>(b);
    for (const int a : felt_in[b]) {
      for (const int other : felt_by[at(a)]) {
        if (group[at(other)] >= 0) taken[at(group[at(other)])] = self;
      }
    }
    const auto open = std::find_if(taken.begin(), taken.end(), [&](int body) { return body != self; });
    group[b] = static_cast<int>(open - taken.begin());
    if (open == taken.end()) {
      taken.push_back(-1);
      groups.emplace_back();
    }
    groups[at(group[b])].push_back(self);
  }
  return groups;
}

}  // namespace

template <class G>
BodyCoupling bodyCoupling(const Mechanism& mechanism, const AbsoluteEquations<G>& equations) {
  const ElementSet<G>& set = equations.elements();
  BodyCoupling out;
  out.by_motion.resize(at(set.bodies));
  out.by_velocity.resize(at(set.bodies));
  const auto couple = [&](std::vector<std::vector<int>>& lists, std::span<const int> acted_on,
                          std::span<const int> acting) {
    for (const int a : acted_on) {
      if (a < set.bodies) lists[at(a)].insert(lists[at(a)].end(), acting.begin(), acting.end());
    }
  };
  const auto coupleLoad = [&](int i, int j, std::vector<int> acting) {
    for (const int body : {i, j}) {
      if (body < set.bodies) acting.push_back(body);
    }
    couple(out.by_velocity, std::array{i, j}, acting);
  };
  const std::vector<std::vector<int>> named = namedBodies(mechanism, set);
  forEachLoad(set, [&](const auto& placed) {
    coupleLoad(placed.i, placed.j, placed.load < 0 ? std::vector<int>() : named[at(placed.load)]);
  });
  for (int b = 0; b < set.bodies; ++b) {
    if (G::kSpatial) out.by_velocity[at(b)].push_back(b);  // gyroscopic
    sortUnique(out.by_velocity[at(b)]);
    out.by_motion[at(b)] = out.by_velocity[at(b)];
    out.by_motion[at(b)].push_back(b);
  }
  for (int r = 0; r < set.rows; ++r) {
    const auto bodies = std::span(equations.rowBodies())
                            .subspan(at(equations.rowStart()[at(r)]),
                                     at(equations.rowStart()[at(r) + 1] - equations.rowStart()[at(r)]));
    couple(out.by_motion, bodies, bodies);
  }
  for (auto& list : out.by_motion) sortUnique(list);
  out.groups = groupsOf(out.by_motion);
  return out;
}

template BodyCoupling bodyCoupling(const Mechanism&, const AbsoluteEquations<Planar<double>>&);
template BodyCoupling bodyCoupling(const Mechanism&, const AbsoluteEquations<Spatial<double>>&);

}  // namespace linkwork
