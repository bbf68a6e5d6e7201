// TreeProgram: what the forms in joint coordinates of a spanning tree share: the plan of the tree, its kernels' letters
// as lines of a program, places of the links, loads of the model and rows of the cuts.
//
// The kernels run with Expr; each `let` of theirs comes to let() here, which makes a line of it.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "linkwork/codegen/form_builders.hpp"
#include "linkwork/formulation/absolute/equations.hpp"
#include "linkwork/formulation/recursive/tree_equations.hpp"
#include "linkwork/recursion/articulated_impl.hpp"
#include "linkwork/topology/tree_plan.hpp"

namespace linkwork {

using LetExpr = std::function<Expr(const LetName&, const Expr&)>;

template <class G>
class TreeProgram {
 protected:
  using Wrench = typename G::Wrench;
  using WrenchLetters = std::array<const char*, static_cast<std::size_t>(G::kFreedoms)>;

  TreeProgram(const Mechanism& mechanism, const EquationRequest& request)
      : mechanism_(mechanism),
        request_(request),
        weightless_(withLoadsAlone(mechanism)),
        plan_(planRecursiveTree(mechanism)),
        equations_(weightless_, cutsOnly()),
        tree_(makeTree<G>(mechanism, plan_.links)),
        pk_(tree_),
        vk_(tree_),
        let_([this](const LetName& what, const Expr& value) {
          return let({what.letter, what.i, what.j, 0}, value);
        }),
        work_(equations_.makeWork()) {}

  int freedoms() const { return tree_.freedoms; }
  bool plain() const { return tree_.coordinates == tree_.freedoms; }  // u are the rates of q
  // Whether drives prescribe columns of the tree.
  bool follows() const { return tree_.freedoms != static_cast<int>(tree_.columns.size()); }

  static bool nothingToWrite(const Expr& value) {
    return value.isNumber() || value.isSymbol() || (value.kind() == ExprKind::Neg && value.operands()[0].isSymbol());
  }

  Expr let(SymbolName name, const Expr& value) {
    // Rotations and velocities in space have many entries that are zero, one or a cosine: these need no word.
    if (nothingToWrite(value) && ofSpace(name.letter)) return value;
    if (nothingToWrite(value)) {
      // A joint of several columns has several of a name: the first is listed.
      const auto [place, is_new] = named_.emplace(internalName(name), value);
      return is_new || place->second == value ? program_.let(name, value) : value;
    }
    return line(std::move(name), value);
  }

  // Pivots and other things by columns, and names of which a sweep makes a second set, are told apart by use.
  Expr line(SymbolName name, const Expr& value) {
    while (taken(name, value)) name.letter += "x";
    return program_.let(name, value);
  }

  static bool ofSpace(const std::string& letter) {
    static constexpr std::string_view kFirst = "ERAVWBGlOC";
    return G::kSpatial && letter.size() > 1 && kFirst.find(letter[0]) != std::string_view::npos;
  }

  // Whether the name belongs to something else already.
  bool taken(const SymbolName& name, const Expr& value) {
    const auto [place, is_new] = named_.emplace(internalName(name), value);
    return !is_new && !(place->second == value);
  }

  // Time and joint coordinates.
  void timeAndPlace() {
    t_ = program_.input({"t"}, SymbolRole::time, "t", -1, "s", "time");
    q_ =
        inputsNamed(program_, "q", 0, SymbolRole::position, "q", tree_.coordinates, "", "joint coordinates, rad and m");
  }

  RowFilter cutsOnly() const {
    RowFilter out = withoutAllRows(mechanism_);
    for (const PlannedCut& cut : plan_.cuts) {
      if (cut.joint >= 0) std::erase(out.without_joints, cut.joint);
      if (cut.drive >= 0) std::erase(out.without_drives, cut.drive);
    }
    return out;
  }

  // Motions of the drives, which depend on time alone; then where the links are.
  void placeLinks(const LetExpr& let) {
    program_.section("Places of the links");
    work_.turns = turns_;
    equations_.positions(t_, work_);
    motions_ = work_.motions;
    positionKinematics<G, LetExpr>(tree_, q_, motions_, pk_, let);
    work_.x = pk_.body;
  }

  // Whole turns as inputs, or where the whole state is asked for references.
  void countTurns() {
    turns_.assign(at(equations_.turns()), Expr());
    if (request_.whole_state) {
      references_ = referenceInputs(equations_, program_);
    } else {
      turns_ = turnInputs(equations_, program_);
    }
  }
  // With the bodies placed and named.
  void placeElements() {
    if (!references_.empty())
      countByReferences(equations_, references_, work_,
                        [this](SymbolName name, const Expr& value) { return line(std::move(name), value); });
    equations_.positions(t_, work_);
  }

  // Centre of mass and axes of a body: what the elements of cuts and loads are made of.
  void nameBodyPlace(int body) {
    if constexpr (G::kSpatial) {
      typename G::Position& x = work_.x[at(body)];
      x.r = namedVector(let_, "C", body, x.r);
      nameAxes(let_, body, x);
    }
  }
  void nameBodyMotion(int body) {
    if constexpr (G::kSpatial) {
      typename G::Velocity& v = work_.v[at(body)];
      v = {namedVector(let_, "v", body, v.v), namedVector(let_, "om", body, v.w)};
    }
  }

  // Loads of the model on each body, after the velocities of work_.
  std::vector<Wrench> namedLoads() {
    std::vector<Wrench> out;
    if (mechanism_.loads.empty()) return out;
    equations_.forces(work_);
    program_.section("Loads of the model");
    if constexpr (!G::kSpatial) {
      std::vector<Expr> Q;
      for (int b = 0; b < equations_.bodies(); ++b)
        Q.insert(Q.end(), {work_.Q[at(b)].force.x, work_.Q[at(b)].force.y, work_.Q[at(b)].moment});
      Q = withNamedSprings(weightless_, equations_, work_, std::move(Q), program_);
      for (int b = 0; b < equations_.bodies(); ++b)
        work_.Q[at(b)] = {{Q[at(3 * b)], Q[at(3 * b + 1)]}, Q[at(3 * b + 2)]};
    }
    for (int b = 0; b < equations_.bodies(); ++b) out.push_back(namedWrench(b, work_.Q[at(b)]));
    return out;
  }

  Wrench namedWrench(int body, const Wrench& Q, const WrenchLetters& letters = kLoadLetters) {
    const auto name = [&](std::size_t k, const Expr& value) { return let_(LetName{letters[k], body + 1}, value); };
    if constexpr (G::kSpatial) {
      return {{name(0, Q.force.x), name(1, Q.force.y), name(2, Q.force.z)},
              {name(3, Q.moment.x), name(4, Q.moment.y), name(5, Q.moment.z)}};
    } else {
      return {{name(0, Q.force.x), name(1, Q.force.y)}, name(2, Q.moment)};
    }
  }
  static constexpr WrenchLetters lettersOfSpaceOrPlane(const std::array<const char*, 6>& space,
                                                       const std::array<const char*, 3>& plane) {
    if constexpr (G::kSpatial) {
      return space;
    } else {
      return plane;
    }
  }
  static constexpr WrenchLetters kLoadLetters =
      lettersOfSpaceOrPlane({"Fx", "Fy", "Fz", "Tx", "Ty", "Tz"}, {"Fx", "Fy", "T"});

  static Expr along(const typename G::RowBlock& block, const typename G::Velocity& a) {
    if constexpr (G::kSpatial) {
      return block[0] * a.v.x + block[1] * a.v.y + block[2] * a.v.z + block[3] * a.w.x + block[4] * a.w.y +
             block[5] * a.w.z;
    } else {
      return block[0] * a.v.x + block[1] * a.v.y + block[2] * a.w;
    }
  }

  // what(place of the block, body) for every body that a row of the cuts touches; the ground is none.
  template <class What>
  void forEachBlock(int row, const What& what) const {
    for (int p = equations_.rowStart()[at(row)]; p < equations_.rowStart()[at(row) + 1]; ++p) {
      const int body = equations_.rowBodies()[at(p)];
      if (body < equations_.bodies()) what(p, body);
    }
  }
  static typename G::RowBlock blockAt(const std::vector<Expr>& jacobian, int p) {
    typename G::RowBlock block;
    for (int k = 0; k < G::kFreedoms; ++k) block[at(k)] = jacobian[at(G::kFreedoms * p + k)];
    return block;
  }

  // Phi_q of a cut and a body, by names where they are more than a symbol.
  typename G::RowBlock namedBlock(int row, int body, typename G::RowBlock block) {
    static constexpr WrenchLetters kLetters =
        lettersOfSpaceOrPlane({"Jx", "Jy", "Jz", "Jtx", "Jty", "Jtz"}, {"Jx", "Jy", "Jt"});
    for (std::size_t k = 0; k < block.size(); ++k) block[k] = let_(LetName{kLetters[k], row + 1, body + 1}, block[k]);
    return block;
  }

  std::vector<Expr> ofFreedoms(const std::vector<Expr>& of_columns) const {
    std::vector<Expr> out(at(freedoms()));
    for (std::size_t i = 0; i < tree_.columns.size(); ++i) {
      if (tree_.columns[i].freedom >= 0) out[at(tree_.columns[i].freedom)] = of_columns[i];
    }
    return out;
  }

  const Mechanism& mechanism_;
  const EquationRequest& request_;
  Mechanism weightless_;
  TreePlan plan_;
  AbsoluteEquations<G> equations_;  // of cuts and loads
  Tree<G> tree_;
  PositionKinematics<G> pk_;
  VelocityKinematics<G> vk_;
  EquationProgram program_;
  LetExpr let_;
  std::map<std::string, Expr> named_;
  typename AbsoluteEquations<G>::Work work_;
  Expr t_;
  std::vector<Expr> q_, turns_, references_;
  std::vector<Motion<Expr>> motions_;
};

}  // namespace linkwork
