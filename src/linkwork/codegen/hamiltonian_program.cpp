// Equations in joint coordinates of a spanning tree and in impulses, by the recursions.             [docs/theory/09]
//
//   M*, D, g   of the tree's factors, inwards                      M* inertia of a link with what it carries
//   phi, e     e = p* - A^T phi, inwards                           what is left of the impulses p*
//   W          rows J of the cuts, inwards, likewise               Phi = J M^-1 J^T = W D W^T,  b = W D e - (-Phi_t ..)
//   eta        Phi eta + b = 0                                     impulses of the cuts
//   u, v       from e + W^T eta, outwards
//   P, L       momenta mu*, less what eta brings; f, n forces, less kappa; both inwards
//   p*'        A'^T mu* + A^T (f - Omega mu*)
//
// So the loops take one sweep inwards for each row, and velocities are found once, with eta in them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "linkwork/codegen/tree_program.hpp"
#include "linkwork/formulation/hamiltonian/wrench_rate.hpp"
#include "linkwork/recursion/impulses_impl.hpp"

namespace linkwork {

namespace {

template <class G>
class HamiltonianBuilder : TreeProgram<G> {
  using Base = TreeProgram<G>;
  using Base::equations_;
  using Base::follows;
  using Base::freedoms;
  using Base::let_;
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
  using Base::turns_;
  using Base::vk_;
  using Base::work_;
  using Link = LinkAxes<G>;
  using Force = typename Link::Force;
  using Wrench = typename G::Wrench;
  using Letters = typename Base::WrenchLetters;

 public:
  HamiltonianBuilder(const Mechanism& mechanism, const EquationRequest& request) : Base(mechanism, request) {
    let_ = [this](const LetName& what, const Expr& value) { return write({what.letter, what.i, what.j, 0}, value); };
  }

  EquationProgram build() {
    head();
    this->placeLinks(let_);
    for (int b = 0; b < equations_.bodies(); ++b) this->nameBodyPlace(b);
    equations_.positions(t_, work_);
    switch (request_.task) {
      case EquationTask::mass_matrix: massMatrixTask(); break;
      case EquationTask::inverse: impulsesOfVelocities(); break;
      default: forward(); break;
    }
    leaveUsedTurns(program_);
    return std::move(program_);
  }

 private:
  bool hasLoops() const { return equations_.rows() > 0; }

  // A line only where there is something to compute.
  Expr write(SymbolName name, const Expr& value) {
    return Base::nothingToWrite(value) ? value : this->line(std::move(name), value);
  }

  void head() {
    program_.form = "joint coordinates of a spanning tree and impulses, by recursion";
    program_.notes.push_back(inWords(plan_, mechanism_));
    this->timeAndPlace();
    if (request_.task == EquationTask::inverse) {
      u_ = inputsNamed(program_, plain() ? "q" : "u", plain() ? 1 : 0, SymbolRole::rate, "u", freedoms(), "",
                       plain() ? "their rates" : "joint velocities");
    } else {
      p_ = inputsNamed(program_, "p", 0, SymbolRole::impulse, "p", freedoms(), "",
                       hasLoops() ? "impulses p*, kg*m^2/s and kg*m/s; those of the cuts, eta, come beside them"
                                  : "impulses, kg*m^2/s and kg*m/s");
    }
    turns_ = turnInputs(equations_, program_);
    if (request_.task == EquationTask::forward && request_.torques == Torques::given) {
      tau_ = inputsNamed(program_, "tau", 0, SymbolRole::effort, "tau", freedoms(), "",
                         "efforts in the joints, beside the loads of the model");
    }
    addModelParameters(mechanism_, program_);
  }

  // ---- letters

  // Of a row on its way inwards: z, but W where a joint's one column takes an entry as it is.
  LetExpr rowLetters(int row) {
    const LetExpr as_force = inLetters(letters({"zx", "zy", "zz", "znx", "zny", "znz"}, {"zx", "zy", "zn"}), row);
    return [this, as_force, row](const LetName& what, const Expr& value) {
      if (std::string_view(what.letter) == "W") return write({"W", row, what.i}, value);
      const TreeLink<G>& link = tree_.links[at(what.i - 1)];
      const TreeColumn* column = link.columns == 1 ? &tree_.columns[at(link.first_column)] : nullptr;
      const bool taken = column != nullptr && column->freedom >= 0 && column->unit >= 0 && column->sign > 0.0 &&
                         std::string_view(what.letter) == Link::kForceLetters[at(column->unit)];
      return taken ? write({"W", row, link.first_column + 1}, value) : as_force(what, value);
    };
  }

  // The kernels' letters for a force, here by others; of a row, which then comes first.
  LetExpr inLetters(const Letters& letters, int row = 0) {
    return [this, letters, row](const LetName& what, const Expr& value) {
      const auto& own = Link::kForceLetters;
      const auto found = std::find(own.begin(), own.end(), std::string_view(what.letter));
      const std::string letter =
          found == own.end() ? what.letter : letters[static_cast<std::size_t>(found - own.begin())];
      return write(row == 0 ? SymbolName{letter, what.i, what.j} : SymbolName{letter, row, what.i}, value);
    };
  }
  static Letters letters(const std::array<const char*, 6>& space, const std::array<const char*, 3>& plane) {
    return Base::lettersOfSpaceOrPlane(space, plane);
  }

  // M* = [M, N; N^T, I] for the kernels' [X, H; H^T, J]; H M* for what of it goes to the parent.
  LetExpr factorLetters() {
    return [this](const LetName& what, const Expr& value) {
      std::string letter = what.letter;
      const bool passed = letter.starts_with(kPassedOn);
      if (passed) letter.erase(0, std::string_view(kPassedOn).size());
      if (letter[0] == 'X') letter[0] = 'M';
      if (letter[0] == 'U' || letter[0] == 'H') letter[0] = 'N';
      if (letter[0] == 'J') letter[0] = 'I';
      return write({passed ? "H" + letter : letter, what.i, what.j}, value);
    };
  }

  // Of the sweeps for velocities: phi, e, the velocity that a link's base gives it (vb, wb), and its own.
  LetExpr sweepLetters() {
    return [this](const LetName& what, const Expr& value) { return write(sweepName(what), value); };
  }
  SymbolName sweepName(const LetName& what) const {
    const std::string letter = what.letter;
    if (letter == "qdd") return plain() ? SymbolName{"q", what.i, 0, 1} : SymbolName{"u", what.i};
    if (letter[0] == 'p') return {"phi" + letter.substr(1), what.i};
    for (std::size_t c = 0; c < Link::kVelocityLetters.size(); ++c) {
      const std::string own = Link::kVelocityLetters[c];
      if (letter == Link::kSolvedLetters[c]) return {own, what.i};
      if (letter != Link::kMotionLetters[c]) continue;
      // Without slides a link's origin moves with its base.
      const TreeLink<G>& link = tree_.links[at(what.i - 1)];
      const bool same = c < static_cast<std::size_t>(Link::kTurn) && link.slides == 0 && !link.screw;
      return {same ? own : own.substr(0, 1) + "b" + own.substr(1), what.i};
    }
    return {letter, what.i};
  }

  // ---- loops

  struct Rows {
    std::vector<Expr> minus_phi_t;
    std::vector<std::pair<int, typename G::RowBlock>> on;  // bodies and what the rows have of them, row after row
    std::vector<std::size_t> first;                        // of each row in `on`, and the end

    // Phi_q v + Phi_t of row r.
    Expr open(std::size_t r, const std::vector<typename G::Velocity>& v) const {
      Expr sum = -minus_phi_t[r];
      for (std::size_t n = first[r]; n < first[r + 1]; ++n) sum += Base::along(on[n].second, v[at(on[n].first)]);
      return sum;
    }
  };
  // After the positions of work_; -Phi_t asks for nothing but the motions.
  Rows rows() {
    Rows out;
    equations_.velocities(work_);
    for (int r = 0; r < equations_.rows(); ++r) {
      out.first.push_back(out.on.size());
      out.minus_phi_t.push_back(work_.minus_phi_t[at(r)]);
      this->forEachBlock(r, [&](int p, int body) {
        out.on.emplace_back(body, this->namedBlock(r, body, Base::blockAt(work_.jacobian, p)));
      });
    }
    out.first.push_back(out.on.size());
    return out;
  }

  // The links between the bodies of a row and the ground, children before parents.
  std::vector<int> pathOf(const Rows& rows, std::size_t r) const {
    std::vector<bool> on(tree_.links.size(), false);
    for (std::size_t n = rows.first[r]; n < rows.first[r + 1]; ++n)
      on[at(tree_.link_of_body[at(rows.on[n].first)])] = true;
    std::vector<int> out;
    for (int k = tree_.size() - 1; k >= 0; --k) {
      if (!on[at(k)]) continue;
      out.push_back(k);
      const int parent = tree_.links[at(k)].parent;
      if (parent >= 0) on[at(parent)] = true;
    }
    return out;
  }

  // W of every row, by columns.
  std::vector<std::vector<Expr>> eliminated(const Rows& rows, const ArticulatedFactor<G>& factor) {
    std::vector<std::vector<Expr>> out;
    std::vector<Force> forces(tree_.links.size());
    for (std::size_t r = 0; r < rows.minus_phi_t.size(); ++r) {
      for (std::size_t n = rows.first[r]; n < rows.first[r + 1]; ++n) {
        const int k = tree_.link_of_body[at(rows.on[n].first)];
        forces[at(k)] += linkForce<G>(tree_, pk_, k, wrenchOf<G>(rows.on[n].second, Expr(1.0)));
      }
      std::vector<Expr>& W = out.emplace_back(tree_.columns.size());
      eliminateRow<G, LetExpr>(tree_, pk_, factor, pathOf(rows, r), forces, W, rowLetters(static_cast<int>(r) + 1));
    }
    return out;
  }

  // How the bodies move with p* alone. Only where drives prescribe motions: without them e tells it.
  std::vector<typename G::Velocity> withoutLoops(const ArticulatedFactor<G>& factor,
                                                 const std::vector<typename Link::Motion>& prescribed,
                                                 TreeSolve<G> solve) {
    program_.section("Velocities without the loops, outwards");
    const LetExpr name = [this](const LetName& what, const Expr& value) {
      const bool freedom = std::string_view(what.letter) == "qdd";
      return write({freedom ? "u0" : sweepName(what).letter + "0", what.i}, value);
    };
    std::vector<Expr> u(at(freedoms()));
    solveOutwards<G, LetExpr>(tree_, pk_, factor, {}, prescribed, solve, u, name);
    return bodyVelocities(solve.A);
  }
  std::vector<typename G::Velocity> bodyVelocities(const std::vector<typename Link::Motion>& V) const {
    std::vector<typename G::Velocity> out = vk_.body;
    for (int k = 0; k < tree_.size(); ++k) {
      const TreeLink<G>& link = tree_.links[at(k)];
      out[at(link.body)] = tree::asVelocity(link, k, pk_, V[at(k)]);
    }
    return out;
  }

  // Phi eta + b = 0, and what the cuts add to e.
  void closeLoops(const ArticulatedFactor<G>& factor, const std::vector<typename Link::Motion>& prescribed,
                  TreeSolve<G>& solve) {
    const auto v0 = follows() ? withoutLoops(factor, prescribed, solve) : std::vector<typename G::Velocity>();
    program_.section("Rows of the cuts");
    rows_ = rows();
    const std::vector<std::vector<Expr>> W = eliminated(rows_, factor);
    program_.section("Loop equations");
    const std::size_t m = W.size();
    const std::size_t n = tree_.columns.size();
    ProgramSolve& loop = program_.solve;
    loop.width = n;
    loop.matrix.resize(m * m);
    std::vector<std::vector<Expr>> X(m, std::vector<Expr>(n));
    for (std::size_t r = 0; r < m; ++r) {
      const int row = static_cast<int>(r) + 1;
      eta_.push_back(program_.unknown({"eta", row}, "", equations_.elements().row_info[r].name));
      Expr b = follows() ? rows_.open(r, v0) : -rows_.minus_phi_t[r];
      for (std::size_t i = 0; i < n; ++i) {
        X[r][i] = write({"X", row, static_cast<int>(i) + 1}, W[r][i] * factor.inverse[i]);
        if (!follows()) b += X[r][i] * solve.e[i];  // J u of what p* alone would move
      }
      loop.right.push_back(-write({"b", row}, b));
      for (std::size_t s = 0; s <= r; ++s) {
        Expr sum;
        for (std::size_t i = 0; i < n; ++i) sum += X[r][i] * W[s][i];
        loop.matrix[r * m + s] = loop.matrix[s * m + r] = write({"Phi", row, static_cast<int>(s) + 1}, sum);
      }
    }
    loop.unknowns = eta_;
    for (std::size_t r = 0; r < m; ++r) {
      loop.rows.insert(loop.rows.end(), W[r].begin(), W[r].end());
      loop.effects.insert(loop.effects.end(), X[r].begin(), X[r].end());
    }
    program_.section("Velocities, outwards");
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t r = 0; r < m; ++r) solve.e[i] += W[r][i] * eta_[r];
      solve.e[i] = write({"ec", static_cast<int>(i) + 1}, solve.e[i]);
    }
  }

  // ---- velocities from impulses

  void velocities() {
    program_.section("Inertias M* of links with what they carry, inwards");
    ArticulatedFactor<G> factor(tree_);
    factorTree<G, LetExpr>(tree_, pk_, factor, factorLetters());
    program_.section("Impulses, inwards");
    std::vector<typename Link::Motion> prescribed(follows() ? tree_.links.size() : 0);
    if (follows()) prescribedVelocities<G>(tree_, pk_, motions_, prescribed);
    TreeSolve<G> solve(tree_);
    solveInwards<G, LetExpr>(tree_, pk_, factor, p_, prescribed, solve, sweepLetters());
    if (hasLoops()) closeLoops(factor, prescribed, solve);
    program_.section("Velocities, outwards");
    u_.assign(at(freedoms()), Expr());
    solveOutwards<G, LetExpr>(tree_, pk_, factor, {}, prescribed, solve, u_, sweepLetters());
    vk_.V = solve.A;
    vk_.body = bodyVelocities(vk_.V);
    work_.v = vk_.body;
    for (int b = 0; b < equations_.bodies(); ++b) this->nameBodyMotion(b);
    equations_.velocities(work_);
  }

  // Of each link and what it carries, less what z brings to it.
  std::vector<Force> momenta(const VelocityKinematics<G>& vk, const std::vector<Wrench>& z) {
    program_.section("Momenta mu* of links with what they carry, inwards");
    std::vector<Force> h(tree_.links.size());
    linkMomenta<G>(tree_, pk_, vk, h);
    for (int k = 0; k < tree_.size() && !z.empty(); ++k)
      h[at(k)] -= linkForce<G>(tree_, pk_, k, z[at(tree_.links[at(k)].body)]);
    gatherInwards<G, LetExpr>(tree_, pk_, h,
                              inLetters(letters({"Px", "Py", "Pz", "Lx", "Ly", "Lz"}, {"Px", "Py", "L"})));
    return h;
  }

  // ---- rates of the impulses

  // Phi_q^T eta of every body, for Phi_q or its rate.
  std::vector<Wrench> cutWrenches(const std::vector<Expr>& jacobian) const {
    std::vector<Wrench> out(at(equations_.bodies()));
    for (int r = 0; r < equations_.rows(); ++r) {
      this->forEachBlock(
          r, [&](int p, int body) { out[at(body)] += wrenchOf<G>(Base::blockAt(jacobian, p), eta_[at(r)]); });
    }
    return out;
  }
  std::vector<Wrench> impulsesOfCuts() {
    program_.section("Impulses of the cuts on the bodies, and their rates");
    std::vector<Wrench> z(at(equations_.bodies()));
    for (std::size_t r = 0; r < eta_.size(); ++r) {
      for (std::size_t n = rows_.first[r]; n < rows_.first[r + 1]; ++n)
        z[at(rows_.on[n].first)] += wrenchOf<G>(rows_.on[n].second, eta_[r]);
    }
    for (int b = 0; b < equations_.bodies(); ++b)
      z[at(b)] = this->namedWrench(b, z[at(b)], letters({"Zx", "Zy", "Zz", "Zax", "Zay", "Zaz"}, {"Zx", "Zy", "Za"}));
    return z;
  }
  std::vector<Wrench> ratesOfCuts(const std::vector<Wrench>& z) {
    std::vector<Expr> jacobian(work_.jacobian.size());
    minus_phi_t_rate_.resize(work_.minus_phi_t.size());
    equations_.rates(work_, jacobian, minus_phi_t_rate_);
    std::vector<Wrench> out = cutWrenches(jacobian);
    for (int b = 0; b < equations_.bodies(); ++b) {
      out[at(b)] = this->namedWrench(b, rateOfWrench<G>(work_.x[at(b)], work_.v[at(b)], z[at(b)], out[at(b)]),
                                     letters({"kax", "kay", "kaz", "kanx", "kany", "kanz"}, {"kax", "kay", "kan"}));
    }
    return out;
  }

  // Gravity as the acceleration of a link that falls freely, in its axes.
  typename Link::Motion falling(int k) {
    if constexpr (G::kSpatial) {
      const Vec3<Expr> g = pk_.place[at(k)].R.inverseTimes(tree_.gravity);
      const auto name = [&](const char* letter, const Expr& value) { return write({letter, k + 1}, value); };
      return Link::join({name("glx", g.x), name("gly", g.y), name("glz", g.z)}, Vec3<Expr>{});
    } else {
      return Link::join(tree_.gravity, Expr());
    }
  }

  std::vector<Force> forces(const std::vector<Wrench>& loads, const std::vector<Wrench>& kappa) {
    program_.section("Forces on links with what they carry, inwards");
    std::vector<Force> F;
    for (int k = 0; k < tree_.size(); ++k) {
      const std::size_t body = at(tree_.links[at(k)].body);
      Force& f = F.emplace_back(Link::times(pk_.rigid[at(k)], falling(k)));
      if (!loads.empty()) f += linkForce<G>(tree_, pk_, k, loads[body]);
      if (!kappa.empty()) f -= linkForce<G>(tree_, pk_, k, kappa[body]);
    }
    gatherInwards<G, LetExpr>(tree_, pk_, F,
                              inLetters(letters({"fx", "fy", "fz", "nx", "ny", "nz"}, {"fx", "fy", "n"})));
    return F;
  }

  // ---- tasks

  void forward() {
    program_.task = "velocities and rates of the impulses";
    explainLetters();
    velocities();
    const std::vector<Wrench> z = hasLoops() ? impulsesOfCuts() : std::vector<Wrench>();
    const std::vector<Wrench> kappa = hasLoops() ? ratesOfCuts(z) : std::vector<Wrench>();
    const std::vector<Wrench> loads = this->namedLoads();
    const std::vector<Force> h = momenta(vk_, z);
    const std::vector<Force> F = forces(loads, kappa);
    std::vector<Expr> rates(tree_.columns.size());
    impulseRates<G>(tree_, pk_, vk_, u_, motions_, h, F, rates);
    const Expr power = request_.whole_state ? powerWithoutBound(loads, h, rates) : Expr();
    std::vector<Expr> pd = ofFreedoms(rates);
    for (std::size_t i = 0; i < tau_.size(); ++i) pd[i] += tau_[i];
    std::vector<Expr> qd(at(tree_.coordinates));
    coordinateRates<G>(tree_, q_, u_, qd);
    outputVector(program_, StateOutputs::kRates, qd, "rates of the coordinates, rad/s and m/s");
    outputVector(program_, "pd", pd, "rates of the impulses, N*m and N");
    if (request_.whole_state) {
      outputVector(program_, StateOutputs::kPower, {power}, "W, less the rate of what drives and impulses hold");
    } else {
      outputVector(program_, "eta", eta_, "impulses of the cuts, one for each row");
    }
  }

  // work*' of HamiltonianSystem (6).
  Expr powerWithoutBound(const std::vector<Wrench>& loads, const std::vector<Force>& h,
                         const std::vector<Expr>& rates) const {
    Expr power = loads.empty() ? Expr() : work_.supplied_power;
    const std::vector<Expr> p = impulsesOfLinks(h);
    for (std::size_t c = 0; c < tree_.columns.size(); ++c) {
      const TreeColumn& column = tree_.columns[c];
      if (column.freedom >= 0) continue;
      const Motion<Expr>& f = motions_[at(column.motion)];
      power -= p[c] * f.fddot + rates[c] * f.fdot;
    }
    for (std::size_t r = 0; r < eta_.size(); ++r) power -= eta_[r] * minus_phi_t_rate_[r];
    return power;
  }

  void explainLetters() {
    const auto note = [this](std::string words) { program_.notes.push_back(std::move(words)); };
    note(
        "M* = [M, N; N^T, I]: inertia of a link with what it carries, whose joints are free; H M*: what its parent "
        "gets.");
    note("D = 1/(A^T M* A), g = M* A D: of each column A of the joints. phi, e = p - A^T phi: impulses, inwards.");
    note("P, L: momentum mu* of a link with what it carries; f, n: forces on it; p' = A'^T mu* + A^T (f - Omega mu*).");
    if (!hasLoops()) return;
    std::vector<std::string> words;
    for (const RowInfo& row : equations_.elements().row_info)
      words.push_back(fmt::format("{} {}", words.size() + 1, row.name));
    note(fmt::format("Rows J of the cuts: {}. z, W: these rows, inwards; X = D W; eta: their impulses.",
                     fmt::join(words, ", ")));
    note("Phi eta + b = 0 with Phi = J M^-1 J^T = W X^T;  ec = e + W^T eta;  p* = p - J^T eta.");
    note("Z: what eta is on each body, taken from its momentum; ka: what the rate of Z takes from the forces.");
    note(
        "p* + J^T c with eta - c is the same motion: go on with the impulses of the velocities (inverse) now and "
        "then.");
  }

  // What the impulses of given velocities are: those with eta = 0.
  void impulsesOfVelocities() {
    program_.task = "impulses that go with given velocities";
    program_.section("Velocities");
    velocityKinematics<G, LetExpr>(tree_, pk_, u_, motions_, vk_, let_);
    outputVector(program_, "p", ofFreedoms(impulsesOfLinks(momenta(vk_, {}))), "kg*m^2/s and kg*m/s");
  }
  std::vector<Expr> impulsesOfLinks(const std::vector<Force>& h) const {
    std::vector<Expr> p(tree_.columns.size());
    impulsesOf<G>(tree_, pk_, h, p);
    return p;
  }

  void massMatrixTask() {
    program_.task = hasLoops() ? "M u - J^T eta = rhs,  J u = right" : "M u = rhs";
    program_.section("Mass matrix");
    TreeMassMatrix<G> M(tree_);
    massMatrix<G, LetExpr>(tree_, pk_, M, [this](const LetName& what, const Expr& value) {
      return write({std::string(what.letter) == "H" ? "M" : what.letter, what.i, what.j}, value);
    });
    std::vector<Expr> rhs = p_;
    if (follows()) {
      program_.section("Velocities without those of the freedoms");
      velocityKinematics<G, LetExpr>(tree_, pk_, std::vector<Expr>(at(freedoms())), motions_, vk_, let_);
      const std::vector<Expr> p0 = ofFreedoms(impulsesOfLinks(momenta(vk_, {})));
      for (std::size_t i = 0; i < rhs.size(); ++i) rhs[i] -= p0[i];
    }
    outputMatrix(program_, "M", freedoms(), freedoms(), M.entries, "mass matrix");
    outputVector(program_, "rhs", rhs, follows() ? "impulses, less what drives bring" : "impulses");
    if (!hasLoops()) return;
    program_.section("Rows of the cuts");
    rows_ = rows();
    std::vector<Expr> J;
    std::vector<Expr> right;
    for (std::size_t r = 0; r < rows_.minus_phi_t.size(); ++r) {
      right.push_back(follows() ? -rows_.open(r, vk_.body) : rows_.minus_phi_t[r]);
      std::vector<Expr> row(at(freedoms()));
      for (std::size_t n = rows_.first[r]; n < rows_.first[r + 1]; ++n)
        addJointRow<G>(tree_, pk_, rows_.on[n].first, rows_.on[n].second, row);
      J.insert(J.end(), row.begin(), row.end());
    }
    outputMatrix(program_, "J", equations_.rows(), freedoms(), J, "rows of the cuts");
    outputVector(program_, "right", right, "right-hand side of these rows");
  }

  std::vector<Expr> p_, u_, tau_, eta_;
  std::vector<Expr> minus_phi_t_rate_;  // of the rows of the cuts
  Rows rows_;
};

}  // namespace

std::string hamiltonianObstacle(const Mechanism& mechanism, EquationTask task) {
  if (task == EquationTask::linear)
    return "small motions are about accelerations, which impulses do without; recursive writes them";
  if (task == EquationTask::reactions)
    return "forces of joints come from accelerations, which impulses do without; recursive and absolute write them";
  return recursiveObstacle(mechanism, task);
}

EquationProgram hamiltonianProgram(const Mechanism& given, const EquationRequest& request) {
  const bool splits = request.opening == LoopOpening::split_bodies;
  const Mechanism mechanism = splits ? withSplitBodies(given) : given;
  if (mechanism.space == Space::planar) return HamiltonianBuilder<Planar<Expr>>(mechanism, request).build();
  return HamiltonianBuilder<Spatial<Expr>>(mechanism, request).build();
}

}  // namespace linkwork
