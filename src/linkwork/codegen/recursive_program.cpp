// Equations in joint coordinates of a spanning tree, by the recursions.                             [docs/theory/07]
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linkwork/codegen/tree_program.hpp"

namespace linkwork {

namespace {

template <class G>
class RecursiveBuilder : TreeProgram<G> {
  using Base = TreeProgram<G>;
  using Base::equations_;
  using Base::follows;
  using Base::freedoms;
  using Base::let;
  using Base::mechanism_;
  using Base::motions_;
  using Base::ofFreedoms;
  using Base::pk_;
  using Base::plain;
  using Base::plan_;
  using Base::program_;
  using Base::q_;
  using Base::request_;
  using Base::t_;
  using Base::tree_;
  using Base::vk_;
  using Base::work_;

 public:
  RecursiveBuilder(const Mechanism& mechanism, const EquationRequest& request)
      : Base(mechanism, request), let_([this](const LetName& what, const Expr& value) {
          return isPassedOver(what.letter) ? value : let({what.letter, what.i, what.j, 0}, value);
        }) {}

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
  // What the sweeps name for others: accelerations only need the turning of a link in the plane, and no link's
  // acceleration or inertia as a whole.
  static bool isPassedOver(std::string_view letter) {
    return letter.starts_with("solved") || letter.starts_with(kPassedOn) || letter == "vx" || letter == "vy";
  }

  void head() {
    program_.form = "joint coordinates of a spanning tree, by recursion";
    program_.notes.push_back(inWords(plan_, mechanism_));
    this->timeAndPlace();
    u_ = inputsNamed(program_, plain() ? "q" : "u", plain() ? 1 : 0, SymbolRole::rate, "u", freedoms(), "",
                     plain() ? "their rates" : "joint velocities");
    this->countTurns();
    if (request_.task == EquationTask::inverse || request_.task == EquationTask::linear) {
      udot_ = inputsNamed(program_, plain() ? "q" : "u", plain() ? 2 : 1, SymbolRole::acceleration, "ud", freedoms(),
                          "", "their accelerations");
    } else if (request_.torques == Torques::given) {
      tau_ = inputsNamed(program_, "tau", 0, SymbolRole::effort, "tau", freedoms(), "",
                         "efforts in the joints, beside the loads of the model");
    }
    addModelParameters(mechanism_, program_);
  }

  void kinematics() {
    this->placeLinks(let_);
    program_.section("Velocities");
    velocityKinematics<G, LetExpr>(tree_, pk_, u_, motions_, vk_, let_);
    work_.v = vk_.body;
    for (int b = 0; b < equations_.bodies(); ++b) {
      this->nameBodyPlace(b);
      this->nameBodyMotion(b);
    }
    this->placeElements();
    equations_.velocities(work_);
    wrenches_ = this->namedLoads();
    if (!wrenches_.empty()) supplied_power_ = work_.supplied_power;
    rows();
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
  void rows() {
    if (equations_.rows() == 0) return;
    program_.section("Rows of the cuts");
    const std::vector<Expr> none(at(freedoms()), Expr());
    std::vector<typename LinkAxes<G>::Motion> A(tree_.links.size());
    accelerations<G>(tree_, pk_, vk_, none, typename G::Vector{}, A);
    std::vector<typename G::Velocity> bias(mechanism_.bodies.size());
    for (int k = 0; k < tree_.size(); ++k)
      bias[at(tree_.links[at(k)].body)] = namedBias(k, bodyAcceleration<G>(tree_, pk_, vk_, k, A[at(k)]));
    for (int r = 0; r < equations_.rows(); ++r) {
      minus_phi_t_.push_back(work_.minus_phi_t[at(r)]);
      std::vector<Expr>& row = loops_.P.emplace_back(at(freedoms()), Expr());
      Expr gamma = work_.gamma[at(r)];
      this->forEachBlock(r, [&](int p, int body) {
        const typename G::RowBlock block = Base::blockAt(work_.jacobian, p);
        addJointRow<G>(tree_, pk_, body, block, row);
        if (keepsCuts()) cut_blocks_.push_back({at(r), body, this->namedBlock(r, body, block)});
        gamma -= Base::along(block, bias[at(body)]);
      });
      for (int i = 0; i < freedoms(); ++i) row[at(i)] = program_.let({"P", r + 1, i + 1}, row[at(i)]);
      loops_.gamma.push_back(program_.let({"gam", r + 1}, gamma));
    }
  }

  TreeLoads<G> loads() const { return {tree_.gravity, wrenches_}; }

  std::vector<Expr> residual() {
    program_.section("Inverse dynamics");
    InverseDynamics<G> out(tree_);
    inverseDynamics<G, LetExpr>(tree_, pk_, vk_, udot_, loads(), out, let_);
    return ofFreedoms(out.tau);
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
        return let_(LetName{what.letter, what.i, static_cast<int>(r) + 1}, value);
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

  bool keepsCuts() const { return request_.task == EquationTask::reactions || (request_.whole_state && follows()); }

  void wholeState() {
    outputTurnRates(equations_, work_, program_);
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
    static constexpr auto kLetters =
        Base::lettersOfSpaceOrPlane({"cFx", "cFy", "cFz", "cTx", "cTy", "cTz"}, {"cFx", "cFy", "cT"});
    for (std::size_t b = 0; b < wrenches_.size(); ++b)
      wrenches_[b] = this->namedWrench(static_cast<int>(b), wrenches_[b], kLetters);
    program_.section("Forces of the joints");
    for (int i = 0; i < freedoms(); ++i) udot_[at(i)] = program_.let({"ud", i + 1}, udot_[at(i)]);
    InverseDynamics<G> out(tree_);
    const LetExpr name = [this](const LetName& what, const Expr& value) {
      return isPassedOver(what.letter) ? value : let({std::string("r") + what.letter, what.i, what.j, 0}, value);
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

  LetExpr let_;
  std::vector<Expr> u_, udot_, tau_;
  std::vector<typename G::Wrench> wrenches_;
  Expr supplied_power_;            // by the loads
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
  const Tree<G> tree = makeTree<G>(mechanism, planRecursiveTree(mechanism).links);
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
