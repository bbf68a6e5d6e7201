// RelationCompiler: rows that are formulas of what the user named: relations between positions, and laws linear in
// rates.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "linkwork/elements/row_placer.hpp"

namespace linkwork::element_set {

template <class G>
class RelationCompiler {
 public:
  // All of it must outlive the compiler.
  RelationCompiler(const Mechanism& mechanism, const QuantityCompiler<G>& quantities, ElementSet<G>& set,
                   RowPlacer<G>& rows)
      : m_(mechanism),
        ground_(static_cast<int>(mechanism.bodies.size())),
        quantities_(quantities),
        set_(set),
        rows_(rows) {}

  // f and its derivatives become outputs of the formulas; compile() finds the inputs.
  void placeRelation(const Expr& f, const std::string& name, RowUnit unit) {
    const Expr t = Expr::symbol("t");
    const auto output = [&](const Expr& e) {
      relation_outputs_.push_back(e);
      return static_cast<int>(relation_outputs_.size()) - 1;
    };
    Relation<G> relation;
    relation.row = set_.rows;
    const Expr f_t = differentiate(f, t);
    relation.output = output(f);
    output(f_t);
    output(differentiate(f_t, t));
    std::vector<std::string> names;
    for (const std::string& symbol : symbolsOf(f)) {
      const std::optional<Quantity> q = findQuantity(m_, symbol);
      if (q && q->kind != QuantityKind::time) names.push_back(symbol);
    }
    for (std::size_t a = 0; a < names.size(); ++a) {
      const Expr s = Expr::symbol(names[a]);
      const Expr f_s = differentiate(f, s);
      const Expr f_ts = differentiate(f_t, s);
      typename Relation<G>::First first;
      first.output = output(f_s);
      if (!f_ts.isNumber(0.0)) first.mixed = output(f_ts);
      relation.firsts.push_back(first);
      for (std::size_t b = a; b < names.size(); ++b) {
        const Expr f_sb = differentiate(f_s, Expr::symbol(names[b]));
        if (!f_sb.isNumber(0.0)) relation.seconds.push_back({static_cast<int>(a), static_cast<int>(b), output(f_sb)});
      }
    }
    relation_names_.push_back(std::move(names));
    set_.relations.push_back(std::move(relation));
    rows_.addRow(name, unit, RowLevel::position);
  }

  // compile() finds the formulas: which positions they name is known when all laws are.
  void placeLaw(const Expr& f, RowUnit unit) {
    VelocityLaw<G> law;
    law.row = set_.rows;
    set_.laws.push_back(std::move(law));
    laws_.push_back(f);
    rows_.addRow("velocity", unit, RowLevel::velocity);
  }

  // When all of them are placed.
  void compile() {
    compileRelations();
    compileLaws();
  }

 private:
  void compileRelations() {
    // Every quantity is an input, also where a parameter that is zero takes it out of the formula.
    std::vector<std::string> inputs;
    for (const auto& names : relation_names_) inputs.insert(inputs.end(), names.begin(), names.end());
    std::sort(inputs.begin(), inputs.end());
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    set_.relation_formulas = quantities_.expressions(relation_outputs_, inputs);
    const auto indexOf = [](const auto& list, const auto& value) {
      return static_cast<int>(std::lower_bound(list.begin(), list.end(), value) - list.begin());
    };
    for (std::size_t r = 0; r < set_.relations.size(); ++r) {
      Relation<G>& relation = set_.relations[r];
      const auto inputOf = [&](std::size_t k) { return indexOf(inputs, relation_names_[r][k]); };
      const auto quantityOf = [&](int input) -> const NamedQuantity<G>& {
        return set_.relation_formulas.inputs[static_cast<std::size_t>(input)];
      };
      for (std::size_t k = 0; k < relation.firsts.size(); ++k) {
        relation.firsts[k].input = inputOf(k);
        const NamedQuantity<G>& s = quantityOf(relation.firsts[k].input);
        for (const int body : {s.i, s.j}) {
          if (body < ground_) relation.bodies.push_back(body);
        }
      }
      for (auto& second : relation.seconds) {
        second.a = inputOf(static_cast<std::size_t>(second.a));
        second.b = inputOf(static_cast<std::size_t>(second.b));
      }
      sortBodies(relation.bodies);
      bool touches_ground = false;
      for (auto& first : relation.firsts) {
        const NamedQuantity<G>& s = quantityOf(first.input);
        first.block_i = blockOf(relation.bodies, s.i);
        first.block_j = blockOf(relation.bodies, s.j);
        touches_ground = touches_ground || first.block_i < 0 || first.block_j < 0;
      }
      relateBodies(relation.row, relation.bodies, touches_ground);
    }
  }

  void compileLaws() {
    std::vector<std::string> positions;
    std::vector<Expr> formulas;
    for (std::size_t k = 0; k < set_.laws.size(); ++k) splitLaw(laws_[k], set_.laws[k], formulas, positions);
    std::sort(positions.begin(), positions.end());
    positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
    std::vector<Expr> outputs;
    for (const Expr& g : formulas) {
      outputs.insert(outputs.end(), {g, differentiate(g, Expr::symbol("t"))});
      for (const std::string& name : positions) outputs.push_back(differentiate(g, Expr::symbol(name)));
    }
    set_.law_formulas = quantities_.expressions(outputs, positions);
    const int stride = static_cast<int>(positions.size()) + 2;
    for (VelocityLaw<G>& law : set_.laws) {
      law.output *= stride;
      bool touches_ground = false;
      for (const auto& share : law.shares) {
        for (const int body : {share.s.i, share.s.j}) {
          if (body < ground_) law.bodies.push_back(body);
        }
      }
      sortBodies(law.bodies);
      for (auto& share : law.shares) {
        share.output *= stride;
        share.block_i = blockOf(law.bodies, share.s.i);
        share.block_j = blockOf(law.bodies, share.s.j);
        touches_ground = touches_ground || share.block_i < 0 || share.block_j < 0;
      }
      relateBodies(law.row, law.bodies, touches_ground);
    }
  }

  // f = f_0 + sum_k f_k s_k': f_0 and the f_k behind the formulas of others, by their numbers.
  void splitLaw(const Expr& f, VelocityLaw<G>& law, std::vector<Expr>& formulas, std::vector<std::string>& positions) {
    std::map<std::string, Expr> at_rest;
    std::vector<std::string> rates;
    for (const std::string& name : symbolsOf(f)) {
      const std::optional<Quantity> q = findQuantity(m_, name);
      if (!q || q->kind == QuantityKind::time) continue;
      if (isRate(q->kind)) {
        rates.push_back(name);
        at_rest.emplace(name, Expr(0.0));
      } else {
        positions.push_back(name);
      }
    }
    law.output = static_cast<int>(formulas.size());
    formulas.push_back(substitute(f, at_rest));
    for (const std::string& name : rates) {
      law.shares.push_back({quantities_.quantity(*findQuantity(m_, name)), static_cast<int>(formulas.size())});
      formulas.push_back(substitute(differentiate(f, Expr::symbol(name)), at_rest));
    }
  }

  static void sortBodies(std::vector<int>& bodies) {
    std::sort(bodies.begin(), bodies.end());
    bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  }
  // Where a body stands among those of a row; -1: it is the ground.
  int blockOf(const std::vector<int>& bodies, int body) const {
    if (body >= ground_) return -1;
    return static_cast<int>(std::lower_bound(bodies.begin(), bodies.end(), body) - bodies.begin());
  }
  // Turned or moved all together, bodies keep their joint coordinates, but not their own.
  void relateBodies(int row, const std::vector<int>& bodies, bool touches_ground) {
    RowGroup& group = set_.groups[static_cast<std::size_t>(set_.row_info[static_cast<std::size_t>(row)].group)];
    if (group.is_drive || !isRelation(m_.joints[static_cast<std::size_t>(group.index)].kind)) return;  // a screw
    group.related = bodies;
    if (touches_ground) group.related.push_back(ground_);
  }

  const Mechanism& m_;
  int ground_;
  const QuantityCompiler<G>& quantities_;
  ElementSet<G>& set_;
  RowPlacer<G>& rows_;
  std::vector<Expr> laws_;  // the formula of each
  std::vector<Expr> relation_outputs_;
  std::vector<std::vector<std::string>> relation_names_;  // of each relation: the quantities it names
};

}  // namespace linkwork::element_set
