// Equations in joint coordinates of a spanning tree, by the recursions.                             [docs/theory/07]
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string_view>
#include <type_traits>

#include "linkwork/codegen/form_builders.hpp"
#include "linkwork/formulation/absolute/equations.hpp"
#include "linkwork/recursion/articulated_impl.hpp"
#include "linkwork/topology/tree_plan.hpp"

namespace linkwork {

namespace {

using tree::at;
using LetExpr = std::function<Expr(const LetName&, const Expr&)>;

template <class G>
struct Numbers;
template <>
struct Numbers<Planar<Expr>> {
  using Geometry = Planar<double>;
};
template <>
struct Numbers<Spatial<Expr>> {
  using Geometry = Spatial<double>;
};

template <class G>
class RecursiveBuilder {
 public:
  RecursiveBuilder(const Mechanism& mechanism, const EquationRequest& request)
      : mechanism_(mechanism),
        request_(request),
        weightless_(withLoadsAlone(mechanism)),
        plan_(planTree(mechanism, compileElements<typename Numbers<G>::Geometry>(mechanism).groups,
                       TreeRules{canCarry, DrivenJoints::follow})),
        equations_(weightless_, cutsOnly()),
        tree_(makeTree<G>(mechanism, plan_.links)),
        pk_(tree_),
        vk_(tree_),
        let_([this](const LetName& what, const Expr& value) { return let(what, value); }) {}

  EquationProgram build() {
    head();
    kinematics();
    switch (request_.task) {
      case EquationTask::mass_matrix: massMatrixTask(); break;
      case EquationTask::forward: forward(); break;
      case EquationTask::reactions: reactions(); break;
      case EquationTask::inverse: inverse(); break;
      case EquationTask::linear: linear(); break;
    }
    leaveUsedTurns(program_);
    return std::move(program_);
  }

 private:
  int freedoms() const { return tree_.freedoms; }

  Expr let(const LetName& what, const Expr& value) {
    SymbolName name{what.letter, what.i, what.j, 0};
    const bool nothing_to_write =
        value.isNumber() || value.isSymbol() || (value.kind() == ExprKind::Neg && value.operands()[0].isSymbol());
    // Rotations and velocities in space have many entries that are zero, one or a cosine: these need no word.
    if (nothing_to_write && ofSpace(name.letter)) return value;
    if (nothing_to_write) {
      // A joint of several columns has several of a name: the first is listed.
      const auto [place, is_new] = named_.emplace(internalName(name), value);
      return is_new || place->second == value ? program_.let(name, value) : value;
    }
    // Pivots and other things by columns, and names of which a sweep makes a second set, are told apart by use.
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

  void head() {
    program_.form = "joint coordinates of a spanning tree, by recursion";
    program_.notes.push_back(inWords(plan_, mechanism_));
    t_ = program_.input({"t"}, SymbolRole::time, "t", -1, "s", "time");
    q_ =
        inputsNamed(program_, "q", 0, SymbolRole::position, "q", tree_.coordinates, "", "joint coordinates, rad and m");
    const bool plain = tree_.coordinates == tree_.freedoms;
    u_ = inputsNamed(program_, plain ? "q" : "u", plain ? 1 : 0, SymbolRole::rate, "u", freedoms(), "",
                     plain ? "their rates" : "joint velocities");
    turns_ = turnInputs(equations_, program_);
    if (request_.task == EquationTask::inverse || request_.task == EquationTask::linear) {
      udot_ = inputsNamed(program_, plain ? "q" : "u", plain ? 2 : 1, SymbolRole::acceleration, "ud", freedoms(), "",
                          "their accelerations");
    } else if (request_.torques == Torques::given) {
      tau_ = inputsNamed(program_, "tau", 0, SymbolRole::effort, "tau", freedoms(), "",
                         "efforts in the joints, beside the loads of the model");
    }
    addModelParameters(mechanism_, program_);
  }

  RowFilter cutsOnly() const {
    RowFilter out = withoutAllRows(mechanism_);
    for (const PlannedCut& cut : plan_.cuts) {
      if (cut.joint >= 0) std::erase(out.without_joints, cut.joint);
      if (cut.drive >= 0) std::erase(out.without_drives, cut.drive);
    }
    return out;
  }

  void kinematics() {
    program_.section("Places of the links");
    const AbsoluteEquations<G>& eq = equations_;
    auto work = eq.makeWork();
    work.turns = turns_;
    eq.positions(t_, work);  // for the motions, which depend on time alone
    motions_ = work.motions;
    place(motions_);
    work.x = pk_.body;
    work.v = vk_.body;
    if constexpr (G::kSpatial) {
      for (int b = 0; b < eq.bodies(); ++b) nameBody(b, work.x[at(b)], work.v[at(b)]);
    }
    eq.positions(t_, work);
    eq.velocities(work);
    if (!mechanism_.loads.empty()) {
      eq.forces(work);
      supplied_power_ = work.supplied_power;
      program_.section("Loads of the model");
      if constexpr (!G::kSpatial) {
        std::vector<Expr> Q;
        for (int b = 0; b < eq.bodies(); ++b)
          Q.insert(Q.end(), {work.Q[at(b)].force.x, work.Q[at(b)].force.y, work.Q[at(b)].moment});
        Q = withNamedSprings(weightless_, eq, work, std::move(Q), program_);
        for (int b = 0; b < eq.bodies(); ++b) work.Q[at(b)] = {{Q[at(3 * b)], Q[at(3 * b + 1)]}, Q[at(3 * b + 2)]};
      }
      for (int b = 0; b < eq.bodies(); ++b) wrenches_.push_back(namedWrench(b, work.Q[at(b)]));
    }
    rows(eq, work);
  }

  // Centre of mass, axes and motion of a body: what the elements of cuts and loads are made of.
  void nameBody(int body, typename G::Position& x, typename G::Velocity& v) {
    x.r = namedVector(let_, "C", body, x.r);
    nameAxes(let_, body, x);
    v = {namedVector(let_, "v", body, v.v), namedVector(let_, "om", body, v.w)};
  }

  typename G::Wrench namedWrench(int body, const typename G::Wrench& Q, const std::string& prefix = {}) {
    const auto name = [&](const char* letter, const Expr& value) {
      return program_.let({prefix + letter, body + 1}, value);
    };
    if constexpr (G::kSpatial) {
      return {{name("Fx", Q.force.x), name("Fy", Q.force.y), name("Fz", Q.force.z)},
              {name("Tx", Q.moment.x), name("Ty", Q.moment.y), name("Tz", Q.moment.z)}};
    } else {
      return {{name("Fx", Q.force.x), name("Fy", Q.force.y)}, name("T", Q.moment)};
    }
  }

  static Expr along(const typename G::RowBlock& block, const typename G::Velocity& a) {
    if constexpr (G::kSpatial) {
      return block[0] * a.v.x + block[1] * a.v.y + block[2] * a.v.z + block[3] * a.w.x + block[4] * a.w.y +
             block[5] * a.w.z;
    } else {
      return block[0] * a.v.x + block[1] * a.v.y + block[2] * a.w;
    }
  }

  void place(const std::vector<Motion<Expr>>& motions) {
    positionKinematics<G, LetExpr>(tree_, q_, motions, pk_, let_);
    program_.section("Velocities");
    velocityKinematics<G, LetExpr>(tree_, pk_, u_, motions, vk_, let_);
  }

  // The acceleration that a body has without u'.
  typename G::Velocity namedBias(int link, const typename G::Velocity& a) {
    if constexpr (G::kSpatial) {
      const int body = tree_.links[at(link)].body;
      return {namedVector(let_, "b", body, a.v), namedVector(let_, "eps", body, a.w)};
    } else {
      return a;
    }
  }

  // Rows of the cut joints in joint coordinates: P u' = gamma - Phi_q (accelerations that come without u').
  template <class Equations, class Work>
  void rows(const Equations& eq, const Work& work) {
    if (eq.rows() == 0) return;
    program_.section("Rows of the cuts");
    const std::vector<Expr> none(at(freedoms()), Expr());
    std::vector<typename LinkAxes<G>::Motion> A(tree_.links.size());
    accelerations<G>(tree_, pk_, vk_, none, typename G::Vector{}, A);
    std::vector<typename G::Velocity> bias(mechanism_.bodies.size());
    for (int k = 0; k < tree_.size(); ++k)
      bias[at(tree_.links[at(k)].body)] = namedBias(k, bodyAcceleration<G>(tree_, pk_, vk_, k, A[at(k)]));
    for (int r = 0; r < eq.rows(); ++r) {
      minus_phi_t_.push_back(work.minus_phi_t[at(r)]);
      std::vector<Expr>& row = loops_.P.emplace_back(at(freedoms()), Expr());
      Expr gamma = work.gamma[at(r)];
      for (int p = eq.rowStart()[at(r)]; p < eq.rowStart()[at(r) + 1]; ++p) {
        const int body = eq.rowBodies()[at(p)];
        if (body >= eq.bodies()) continue;
        typename G::RowBlock block;
        for (int k = 0; k < G::kFreedoms; ++k) block[at(k)] = work.jacobian[at(G::kFreedoms * p + k)];
        addJointRow<G>(tree_, pk_, body, block, row);
        if (keepsCuts()) cut_blocks_.push_back({at(r), body, namedBlock(r, body, block)});
        gamma -= along(block, bias[at(body)]);
      }
      for (int i = 0; i < freedoms(); ++i) row[at(i)] = program_.let({"P", r + 1, i + 1}, row[at(i)]);
      loops_.gamma.push_back(program_.let({"gam", r + 1}, gamma));
    }
  }

  // Phi_q of a cut and a body, by names where they are more than a symbol.
  typename G::RowBlock namedBlock(int row, int body, typename G::RowBlock block) {
    static constexpr std::array<const char*, 6> kSpace = {"Jx", "Jy", "Jz", "Jtx", "Jty", "Jtz"};
    static constexpr std::array<const char*, 3> kPlane = {"Jx", "Jy", "Jt"};
    for (std::size_t k = 0; k < block.size(); ++k) {
      const char* const letter = G::kSpatial ? kSpace[k] : kPlane[k % 3];
      block[k] = let(LetName{letter, row + 1, body + 1}, block[k]);
    }
    return block;
  }

  TreeLoads<G> loads() const { return {tree_.gravity, wrenches_}; }

  std::vector<Expr> residual() {
    program_.section("Inverse dynamics");
    InverseDynamics<G> out(tree_);
    inverseDynamics<G, LetExpr>(tree_, pk_, vk_, udot_, loads(), out, let_);
    return ofFreedoms(out.tau);
  }

  std::vector<Expr> ofFreedoms(const std::vector<Expr>& of_columns) const {
    std::vector<Expr> out(at(freedoms()));
    for (std::size_t i = 0; i < tree_.columns.size(); ++i) {
      if (tree_.columns[i].freedom >= 0) out[at(tree_.columns[i].freedom)] = of_columns[i];
    }
    return out;
  }

  void inverse() {
    program_.task = loops_.P.empty() ? "efforts in the joints, less the loads of the model"
                                     : "efforts in the joints of the tree, together with the reactions of the cuts";
    outputVector(program_, "tau", residual(), "N*m and N");
  }

  void massMatrixTask() {
    program_.task = loops_.P.empty() ? "H u' = rhs" : "H u' - P^T la = rhs,  P u' = gamma";
    program_.section("Mass matrix");
    TreeMassMatrix<G> H(tree_);
    massMatrix<G, LetExpr>(tree_, pk_, H, let_);
    udot_.assign(at(freedoms()), Expr());
    std::vector<Expr> rhs = residual();
    for (std::size_t k = 0; k < rhs.size(); ++k) rhs[k] = (tau_.empty() ? Expr() : tau_[k]) - rhs[k];
    outputMatrix(program_, "H", freedoms(), freedoms(), H.entries, "mass matrix");
    outputVector(program_, "rhs", rhs, "right-hand side");
    std::vector<Expr> P;
    for (const auto& row : loops_.P) P.insert(P.end(), row.begin(), row.end());
    outputMatrix(program_, "P", static_cast<int>(loops_.P.size()), freedoms(), P, "rows of the cuts");
    outputVector(program_, "gam", loops_.gamma, "right-hand side of these rows");
  }

  // M^-1 P^T, column by column. Every sweep has its own names, the number of the row as their second index: without
  // them what the sweeps share would be written out again and again.
  void solveRows(const ArticulatedFactor<G>& factor) {
    for (std::size_t r = 0; r < loops_.P.size(); ++r) {
      const LetExpr name = [&](const LetName& what, const Expr& value) {
        return let(LetName{what.letter, what.i, static_cast<int>(r) + 1}, value);
      };
      TreeSolve<G> column(tree_);
      std::vector<Expr>& x = loops_.X.emplace_back(loops_.P[r]);
      solveInwards<G, LetExpr>(tree_, pk_, factor, x, {}, column, name);
      solveOutwards<G, LetExpr>(tree_, pk_, factor, {}, {}, column, x, name);
    }
  }

  std::vector<Expr> solved(TreeSolve<G>& solve) {
    program_.section("Articulated inertias");
    ArticulatedFactor<G> factor(tree_);
    factorTree<G, LetExpr>(tree_, pk_, factor, let_);
    program_.section("Accelerations");
    loops_.x0.assign(at(freedoms()), Expr());
    forwardDynamics<G, LetExpr>(tree_, pk_, vk_, factor, tau_, loads(), solve, loops_.x0, let_);
    solveRows(factor);
    found_ = solveLoops(loops_, program_);
    return found_.x;
  }

  void forward() {
    program_.task = "accelerations of the joints";
    TreeSolve<G> solve(tree_);
    udot_ = solved(solve);
    outputVector(program_, "ud", udot_, "rad/s^2 and m/s^2");
    if (request_.whole_state) wholeState();
  }

  // Whether drives prescribe columns of the tree.
  bool follows() const { return tree_.freedoms != static_cast<int>(tree_.columns.size()); }
  bool keepsCuts() const { return request_.task == EquationTask::reactions || (request_.whole_state && follows()); }

  void wholeState() {
    Expr power = supplied_power_;
    for (std::size_t r = 0; r < found_.F.size(); ++r) power += found_.F[r] * minus_phi_t_[r];
    if (follows()) power += drivePower();
    outputVector(program_, StateOutputs::kPower, {power}, "W, of loads and drives");
    if (tree_.coordinates == tree_.freedoms) return;
    std::vector<Expr> rates(at(tree_.coordinates));
    coordinateRates<G>(tree_, q_, u_, rates);
    outputVector(program_, StateOutputs::kRates, rates, "rates of the coordinates");
  }

  // Of the drives that the tree follows: effort times rate.
  Expr drivePower() {
    const InverseDynamics<G> found = withCuts();
    Expr power;
    for (std::size_t c = 0; c < tree_.columns.size(); ++c) {
      const TreeColumn& column = tree_.columns[c];
      if (column.freedom < 0) power += found.tau[c] * motions_[at(column.motion)].fdot;
    }
    return power;
  }

  void reactions() {
    program_.task = "what the joints carry, about the origin of each link";
    TreeSolve<G> solve(tree_);
    udot_ = solved(solve);
    outputVector(program_, "ud", udot_, "rad/s^2 and m/s^2");
    std::vector<Expr> entries;
    constexpr int kSize = G::kFreedoms;
    for (const auto& F : loops_.P.empty() ? solve.F : withCuts().F) {
      for (int k = 0; k < kSize; ++k) entries.push_back(F[k]);
    }
    outputMatrix(program_, "F", tree_.size(), kSize, entries, "force and moment of the base on each link");
    outputVector(program_, "lam", found_.F, "multipliers of the cuts, one for each row");
  }

  // What the joints carry once the cuts pull at their bodies too: inverse dynamics with Phi_q^T la among the loads.
  InverseDynamics<G> withCuts() {
    program_.section("Forces of the cuts");
    if (wrenches_.empty()) wrenches_.resize(mechanism_.bodies.size());
    for (const CutBlock& cut : cut_blocks_) wrenches_[at(cut.body)] += wrenchOf<G>(cut.block, found_.F[cut.row]);
    for (std::size_t b = 0; b < wrenches_.size(); ++b)
      wrenches_[b] = namedWrench(static_cast<int>(b), wrenches_[b], "c");
    program_.section("Forces of the joints");
    for (int i = 0; i < freedoms(); ++i) udot_[at(i)] = program_.let({"ud", i + 1}, udot_[at(i)]);
    InverseDynamics<G> out(tree_);
    const LetExpr name = [this](const LetName& what, const Expr& value) {
      return let(LetName{(std::string("r") + what.letter).c_str(), what.i, what.j}, value);
    };
    inverseDynamics<G, LetExpr>(tree_, pk_, vk_, udot_, loads(), out, name);
    return out;
  }

  void linear() {
    program_.task = "small motions: H du' + D du + K dq = dtau";
    const std::vector<Expr> tau = residual();
    const int n = freedoms();
    outputMatrix(program_, "H", n, n, derivatives(program_, tau, udot_), "of the accelerations");
    outputMatrix(program_, "D", n, n, derivatives(program_, tau, u_), "of the velocities");
    outputMatrix(program_, "K", n, tree_.coordinates, derivatives(program_, tau, q_), "of the coordinates");
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
  Expr t_;
  std::vector<Expr> q_, u_, turns_, udot_, tau_;
  std::vector<typename G::Wrench> wrenches_;
  Expr supplied_power_;  // by the loads
  std::vector<Motion<Expr>> motions_;
  std::vector<Expr> minus_phi_t_;  // of the rows of the cuts
  LoopEquations loops_;
  LoopSolution found_;
  struct CutBlock {  // Phi_q of a row and a body
    std::size_t row = 0;
    int body = 0;
    typename G::RowBlock block;
  };
  std::vector<CutBlock> cut_blocks_;
};

// The first link, from the tips, that is free to move and carries neither mass nor inertia: its pivot is zero.
template <class G>
std::string linkWithoutInertia(const Mechanism& mechanism) {
  const TreePlan plan = planTree(mechanism, compileElements<G>(mechanism).groups, {canCarry, DrivenJoints::follow});
  const Tree<G> tree = makeTree<G>(mechanism, plan.links);
  std::vector<double> carried(tree.links.size(), 0.0);
  for (int k = tree.size() - 1; k >= 0; --k) {
    const TreeLink<G>& link = tree.links[at(k)];
    const auto values = G::massValues(link.inertia);
    for (const double value : values) carried[at(k)] += std::abs(value);
    const auto columns = tree.columnsOf(k);
    const bool free = std::any_of(columns.begin(), columns.end(), [](const TreeColumn& c) { return c.freedom >= 0; });
    if (free && carried[at(k)] == 0.0) return mechanism.bodies[at(link.body)].name;
    if (link.parent >= 0) carried[at(link.parent)] += carried[at(k)];
  }
  return {};
}

}  // namespace

std::string recursiveObstacle(const Mechanism& mechanism, EquationTask task) {
  if (task != EquationTask::forward && task != EquationTask::reactions) return {};
  const std::string body = mechanism.space == Space::planar ? linkWithoutInertia<Planar<double>>(mechanism)
                                                            : linkWithoutInertia<Spatial<double>>(mechanism);
  if (body.empty()) return {};
  return fmt::format("body \"{}\" and what it carries have no mass, which the sweeps along a tree must divide by",
                     body);
}

EquationProgram recursiveProgram(const Mechanism& mechanism, const EquationRequest& request) {
  if (mechanism.space == Space::planar) return RecursiveBuilder<Planar<Expr>>(mechanism, request).build();
  return RecursiveBuilder<Spatial<Expr>>(mechanism, request).build();
}

}  // namespace linkwork
