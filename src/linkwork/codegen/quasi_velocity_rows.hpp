// QuasiVelocityRows: what all tasks of the form quasivelocity begin with: the rows of the cuts eliminated, and
// velocities from the independent ones. [docs/theory/11]
//
//   G v = g            rows of the cuts by velocities v along own axes; v = [om, v_D], which is fixed beforehand
//   v_D = E (g - G_I om),  N = [1; -E G_I],  u = R v          E = G_D^-1
//   c                  u' at om' = 0: E (gam - Phi_q a_0) in the dependent ones, and what own axes bring
//
// Velocities that the user names are the first om; their forms are rows below those of the cuts, with om - f_0 for g.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "linkwork/base/contract.hpp"
#include "linkwork/codegen/tree_program.hpp"
#include "linkwork/codegen/written_elimination.hpp"
#include "linkwork/formulation/quasivelocity/named_forms.hpp"
#include "linkwork/formulation/quasivelocity/own_axes.hpp"

namespace linkwork {

template <class G>
class QuasiVelocityRows : protected TreeProgram<G> {
 protected:
  using Base = TreeProgram<G>;
  using Base::equations_;
  using Base::follows;
  using Base::freedoms;
  using Base::mechanism_;
  using Base::motions_;
  using Base::ofFreedoms;
  using Base::pk_;
  using Base::plan_;
  using Base::program_;
  using Base::q_;
  using Base::request_;
  using Base::t_;
  using Base::tree_;
  using Base::vk_;
  using Base::work_;
  using List = std::vector<Expr>;

  QuasiVelocityRows(const Mechanism& mechanism, const EquationRequest& request, const VelocityChoice& choice)
      : Base(mechanism, request),
        own_axes_(tree_),
        forms_(mechanism),
        named_(forms_.makeWork()),
        let_([this](const LetName& what, const Expr& value) {
          return isPassedOver(what.letter) ? value : this->let({what.letter, what.i, what.j, 0}, value);
        }) {
    for (int i = 0; i < freedoms(); ++i) (choice.independent[at(i)] != 0 ? independent_ : dependent_).push_back(i);
    for (int r = 0; r < equations_.rows(); ++r) {
      if (choice.left_out[at(r)] == 0) kept_.push_back(r);
    }
  }

  // Up to the velocities, and the loads there.
  void prepare() {
    head();
    this->placeLinks(let_);
    takeOwnAxes();
    for (int b = 0; b < equations_.bodies(); ++b) this->nameBodyPlace(b);
    this->placeElements();
    rows();
    elimination_ = std::make_unique<WrittenElimination>(byDependent(), program_);
    expect(!elimination_->singular(), "quasi-velocities: the rows do not determine the other velocities");
    velocities();
  }

  // What the sweeps name for others.
  static bool isPassedOver(std::string_view letter) {
    return letter.starts_with("solved") || letter.starts_with(kPassedOn) || letter == "vx" || letter == "vy";
  }

  int count() const { return forms_.count() + static_cast<int>(independent_.size()); }
  bool byTree() const {
    return equations_.rows() + forms_.count() == 0 && recursiveObstacle(mechanism_, EquationTask::forward).empty();
  }

  void head() {
    program_.form = "joint coordinates of a spanning tree and independent quasi-velocities";
    program_.notes.push_back(inWords(plan_, mechanism_));
    noteChoice();
    this->timeAndPlace();
    om_ = inputsNamed(program_, "om", 0, SymbolRole::rate, "om", count(), "", "independent quasi-velocities");
    this->countTurns();
    if (request_.task == EquationTask::inverse || request_.task == EquationTask::linear) {
      omdot_ =
          inputsNamed(program_, "om", 1, SymbolRole::acceleration, "omd", count(), "", "rates of the quasi-velocities");
    } else if (request_.torques == Torques::given) {
      tau_ = inputsNamed(program_, "tau", 0, SymbolRole::effort, "tau", freedoms(), "",
                         "efforts in the joints, beside the loads of the model");
    }
    addModelParameters(mechanism_, program_);
  }

  // "quasi-velocities: om_1 = velocity 3 (pose), ...".
  void noteChoice() {
    if (equations_.rows() + forms_.count() == 0 && !own_axes_.any()) {
      program_.notes.emplace_back("Quasi-velocities: the velocities of all joints, in the order of the tree.");
      return;
    }
    std::vector<std::string> words;
    for (int k = 0; k < count(); ++k) words.push_back(fmt::format("om_{} {}", k + 1, quasiVelocityInWords(k)));
    program_.notes.push_back(fmt::format("Quasi-velocities: {}.", fmt::join(words, ", ")));
    if (own_axes_.any())
      program_.notes.emplace_back("A body that moves freely slides along its own axes: v are velocities along these.");
    std::vector<std::string> left;
    for (int r = 0; r < equations_.rows(); ++r) {
      if (std::find(kept_.begin(), kept_.end(), r) == kept_.end())
        left.push_back(equations_.elements().row_info[at(r)].name);
    }
    if (!left.empty())
      program_.notes.push_back(fmt::format("Left out, because they repeat others: {}.", fmt::join(left, ", ")));
  }

  // By its name, or as "turn 1 of steer".
  std::string quasiVelocityInWords(int k) const {
    if (k < forms_.count()) return mechanism_.named_velocities[at(k)].name;
    return inWords(independent_[at(k - forms_.count())]);
  }
  // "turn 1 of steer"
  std::string inWords(int freedom) const {
    const auto column = std::find_if(tree_.columns.begin(), tree_.columns.end(),
                                     [&](const TreeColumn& c) { return c.freedom == freedom; });
    const TreeLink<G>& link = tree_.links[at(column->link)];
    const int place = static_cast<int>(column - tree_.columns.begin()) - link.first_column;
    const bool turns = place >= link.slides;
    const int of_kind = turns ? link.columns - link.slides : link.slides;
    const std::string whose =
        link.joint >= 0 ? mechanism_.joints[at(link.joint)].name : mechanism_.bodies[at(link.body)].name;
    const int number = (turns ? place - link.slides : place) + 1;
    return fmt::format("{}{} of {}", turns ? "turn" : "slide", of_kind > 1 ? fmt::format(" {}", number) : "", whose);
  }
  static std::string inWords(const TreePlan& plan, const Mechanism& mechanism) {
    return linkwork::inWords(plan, mechanism);
  }

  // A link whose slides go along own axes: the first freedoms of its slides and of its turn.
  struct OwnLink {
    int link = 0;
    bool ball = false;
    int slides = 0, turn = 0;
    double sign = 1.0;
  };
  // Those whose slides the axes turn.
  void findOwnLinks() {
    for (int k = 0; k < tree_.size(); ++k) {
      const TreeLink<G>& link = tree_.links[at(k)];
      const auto columns = tree_.columnsOf(k);
      if (link.slides == 0 || link.columns == link.slides || columns[0].freedom < 0) continue;
      List probe(at(freedoms()), Expr());
      probe[at(columns[0].freedom)] = 1.0;
      own_axes_.turnIn(q_, probe);
      if (probe[at(columns[0].freedom)].isNumber(1.0)) continue;
      own_links_.push_back(
          {k, link.turn == TurnKind::ball, columns[0].freedom, columns[at(link.slides)].freedom, link.turn_sign});
    }
  }

  // The slides of links that move freely along axes of their own: from here on the kernels' velocities are v, whose
  // columns are simpler, and not u = R v.
  void takeOwnAxes() {
    findOwnLinks();
    for (const OwnLink& own : own_links_) {
      const TreeLink<G>& link = tree_.links[at(own.link)];
      const auto first = at(link.first_column);
      std::array<typename LinkAxes<G>::Motion, 3> sum{};
      const auto turned = turnOf(own);
      for (int j = 0; j < link.slides; ++j) {
        for (int c = 0; c < link.slides; ++c) {
          typename LinkAxes<G>::Motion share{};
          addColumn(tree_.columns[first + at(j)], pk_.s[first + at(j)], turned[at(j)][at(c)], share);
          sum[at(c)] += share;
        }
      }
      for (int c = 0; c < link.slides; ++c) {
        TreeColumn& column = tree_.columns[first + at(c)];
        const bool unit = G::kSpatial && slidesAlongFrame(link);
        column.unit = unit ? c : -1;
        column.sign = 1.0;
        pk_.s[first + at(c)] = unit ? LinkAxes<G>::join(G::unit(c), {}) : sum[at(c)];
      }
    }
  }
  // Rows of R, in the plane by the names of its cosine and sine.
  std::array<std::array<Expr, 3>, 3> turnOf(const OwnLink& own) {
    std::array<std::array<Expr, 3>, 3> out;
    for (int j = 0; j < tree_.links[at(own.link)].slides; ++j) {
      List turned(at(freedoms()), Expr());
      turned[at(own.slides + j)] = 1.0;
      own_axes_.turnIn(q_, turned);
      for (int c = 0; c < tree_.links[at(own.link)].slides; ++c) out[at(j)][at(c)] = turned[at(own.slides + c)];
    }
    if (own.ball) return out;
    const Expr c = this->line({"c", own.link + 1}, out[0][0]);
    const Expr s = this->line({"s", own.link + 1}, out[1][0]);
    if (c.isSymbol() && s.isSymbol()) headings_.emplace_back(c, s);
    out[0] = {c, -s};
    out[1] = {s, c};
    return out;
  }

  // A form of the cosine and the sine of a heading that is the same at every heading, k + a c^2 + a s^2, as k + a.
  Expr withoutHeading(const Expr& e) const {
    Expr out = e;
    for (const auto& [c, s] : headings_) {
      const std::map<std::string, Expr> none{{c.name(), Expr()}, {s.name(), Expr()}};
      const Expr by_c = differentiate(out, c);
      const Expr by_s = differentiate(out, s);
      if (!substitute(by_c, none).isNumber(0.0) || !substitute(by_s, none).isNumber(0.0)) continue;
      const Expr of_squares = differentiate(by_c, c);
      const std::vector<std::string> names = symbolsOf(of_squares);
      const bool free =
          std::none_of(names.begin(), names.end(), [&](const std::string& name) { return none.contains(name); });
      if (!free || !differentiate(by_c, s).isNumber(0.0) || !(differentiate(by_s, s) == of_squares)) continue;
      out = substitute(out, none) + of_squares / 2.0;
    }
    return out;
  }

  // Whether axes of the slides are those of the joint's frame: along the link's own they are then unit columns.
  static bool slidesAlongFrame(const TreeLink<G>& link) {
    if constexpr (G::kSpatial) {
      for (int j = 0; j < link.slides; ++j) {
        const Vec3<Expr> axis = link.frame.inverseTimes(link.slide_axis[at(j)]);
        for (int c = 0; c < 3; ++c) {
          constexpr double kRoundOff = 1e-14;
          if (!axis[c].isNumber() || std::abs(axis[c].number() - (c == j ? 1.0 : 0.0)) > kRoundOff) return false;
        }
      }
      return true;
    } else {
      return false;
    }
  }
  // v' of the joints at v' = 0 by the axes: w x v.
  List ratesOfAxes(const List& v) const {
    List out(v.size(), Expr());
    for (const OwnLink& own : own_links_) {
      const auto s = at(own.slides);
      const auto w = at(own.turn);
      if (own.ball) {
        const Vec3<Expr> rate = cross(Vec3<Expr>{v[w], v[w + 1], v[w + 2]}, Vec3<Expr>{v[s], v[s + 1], v[s + 2]});
        for (int c = 0; c < 3; ++c) out[s + at(c)] = rate[c];
      } else {
        const Expr turning = v[w] * Expr(own.sign);
        out[s] = -v[s + 1] * turning;
        out[s + 1] = v[s] * turning;
      }
    }
    return out;
  }

  // ---- rows

  void rows() {
    if (kept_.empty() && forms_.count() == 0) return;
    program_.section(forms_.count() == 0 ? "Rows of the cuts, by velocities along own axes"
                                         : "Rows of the cuts and of the names, by velocities along own axes");
    equations_.velocities(work_);  // -Phi_t asks for nothing but the motions
    const std::vector<typename G::Velocity> v0 = prescribedVelocities();
    for (std::size_t k = 0; k < kept_.size(); ++k) {
      const int r = kept_[k];
      List& row = G_.emplace_back(at(freedoms()), Expr());
      Expr right = work_.minus_phi_t[at(r)];
      this->forEachBlock(r, [&](int p, int body) {
        const typename G::RowBlock block = this->namedBlock(r, body, Base::blockAt(work_.jacobian, p));
        addJointRow<G>(tree_, pk_, body, block, row);
        if (!v0.empty()) right -= Base::along(block, v0[at(body)]);
        blocks_.push_back({k, body, block});
      });
      for (int i = 0; i < freedoms(); ++i) row[at(i)] = this->line({"G", r + 1, i + 1}, withoutHeading(row[at(i)]));
      g_.push_back(this->line({"g", r + 1}, right));
    }
    rowsOfNames(v0);
  }
  // om = W v + f_0, numbered behind the rows of the cuts.
  void rowsOfNames(const std::vector<typename G::Velocity>& v0) {
    if (forms_.count() == 0) return;
    forms_.place(work_, named_);
    forms_.move(work_, named_);
    for (int k = 0; k < forms_.count(); ++k) {
      const int number = equations_.rows() + k + 1;
      List& row = G_.emplace_back(at(freedoms()), Expr());
      forms_.addRow(tree_, pk_, k, named_, row);
      Expr right = forms_.minusRest(k, named_);
      if (!v0.empty())
        forms_.forEachBlock(k, named_, [&](int body, const auto& block) { right -= Base::along(block, v0[at(body)]); });
      for (int i = 0; i < freedoms(); ++i) row[at(i)] = this->line({"G", number, i + 1}, withoutHeading(row[at(i)]));
      g_.push_back(this->line({"g", number}, right) + om_[at(k)]);
    }
  }

  // Of the bodies, where drives move columns of the tree and nothing else moves.
  std::vector<typename G::Velocity> prescribedVelocities() {
    if (!follows()) return {};
    VelocityKinematics<G> vk(tree_);
    const List still(at(freedoms()), Expr());
    velocityKinematics<G>(tree_, pk_, still, motions_, vk);
    return vk.body;
  }

  std::vector<List> byDependent() const {
    std::vector<List> out;
    for (const List& row : G_) {
      List& entries = out.emplace_back();
      for (const int i : dependent_) entries.push_back(row[at(i)]);
    }
    return out;
  }

  // ---- velocities

  // The dependent entries of v from right sides.
  List complete(const List& right, List v, const char* letter, int index) {
    const List found = elimination_->solve(right);
    for (std::size_t d = 0; d < found.size(); ++d) {
      const int i = dependent_[d] + 1;
      v[at(dependent_[d])] = this->line(index > 0 ? SymbolName{letter, i, index} : SymbolName{letter, i}, found[d]);
    }
    return v;
  }

  void velocities() {
    program_.section("Velocities");
    List v(at(freedoms()), Expr());
    List right = g_;
    for (std::size_t k = 0; k < independent_.size(); ++k) {
      const Expr& omega = om_[at(forms_.count()) + k];
      v[at(independent_[k])] = omega;
      for (std::size_t r = 0; r < G_.size(); ++r) right[r] -= G_[r][at(independent_[k])] * omega;
    }
    v_ = complete(right, v, "v", 0);
    velocityKinematics<G, LetExpr>(tree_, pk_, v_, motions_, vk_, let_);
    work_.v = vk_.body;
    for (int b = 0; b < equations_.bodies(); ++b) this->nameBodyMotion(b);
    equations_.velocities(work_);
    wrenches_ = this->namedLoads();
    if (!wrenches_.empty()) supplied_power_ = work_.supplied_power;
    still_ = ratesOfAxes(v_);
  }

  // N, by columns.
  const std::vector<List>& basis() {
    if (!basis_.empty()) return basis_;
    program_.section("Motions N of each quasi-velocity alone");
    for (int k = 0; k < forms_.count(); ++k) basis_.push_back(motionOfRow(kept_.size() + at(k), "N", k + 1));
    for (std::size_t k = 0; k < independent_.size(); ++k) {
      List v(at(freedoms()), Expr());
      v[at(independent_[k])] = 1.0;
      List right;
      for (const List& row : G_) right.push_back(-row[at(independent_[k])]);
      basis_.push_back(complete(right, v, "N", forms_.count() + static_cast<int>(k) + 1));
    }
    return basis_;
  }
  // v where one of the rows is 1 and all else that is known of v is zero.
  List motionOfRow(std::size_t r, const char* letter, int index) {
    List right(G_.size());
    right[r] = 1.0;
    return complete(right, List(at(freedoms())), letter, index);
  }

  std::vector<typename G::Velocity> bodyAccelerations(const List& udot) {
    std::vector<typename LinkAxes<G>::Motion> A(tree_.links.size());
    accelerations<G>(tree_, pk_, vk_, udot, typename G::Vector{}, A);
    std::vector<typename G::Velocity> out(mechanism_.bodies.size());
    for (int k = 0; k < tree_.size(); ++k) {
      const int body = tree_.links[at(k)].body;
      out[at(body)] = bodyAcceleration<G>(tree_, pk_, vk_, k, A[at(k)]);
      if constexpr (G::kSpatial)
        out[at(body)] = {namedVector(let_, "b", body, out[at(body)].v),
                         namedVector(let_, "eps", body, out[at(body)].w)};
    }
    return out;
  }

  // R^T u' at om' = 0.
  List withoutRates() {
    program_.section("Accelerations of the joints without om'");
    List out = still_;
    if (!G_.empty()) {
      List right;
      const std::vector<typename G::Velocity> a = bodyAccelerations(still_);
      for (std::size_t k = 0; k < kept_.size(); ++k) {
        Expr gamma = work_.gamma[at(kept_[k])];
        for (const CutBlock& cut : blocks_) {
          if (cut.row == k) gamma -= Base::along(cut.block, a[at(cut.body)]);
        }
        right.push_back(this->line({"gam", kept_[k] + 1}, gamma));
      }
      if (forms_.count() > 0) forms_.move(work_, named_);
      for (int k = 0; k < forms_.count(); ++k) {
        Expr gamma = forms_.gamma(k, named_);
        forms_.forEachBlock(k, named_, [&](int body, const auto& block) { gamma -= Base::along(block, a[at(body)]); });
        right.push_back(this->line({"gam", equations_.rows() + k + 1}, gamma));
      }
      const List c = complete(right, List(at(freedoms()), Expr()), "cr", 0);
      for (std::size_t i = 0; i < out.size(); ++i) out[i] += c[i];
    }
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = this->line({"ac", static_cast<int>(i) + 1}, out[i]);
    return out;
  }

  // q' of v = R^T u.
  List coordinateRatesOf(List v) {
    own_axes_.turnOut(q_, v);
    List out(at(tree_.coordinates));
    coordinateRates<G>(tree_, q_, v, out);
    return out;
  }

  // M u' + h - f by the freedoms, along own axes, and what every joint carries. Every sweep has its own names: `front`
  // stands first.
  InverseDynamics<G> sweep(const List& udot, const char* front) {
    InverseDynamics<G> out(tree_);
    const LetExpr name = [this, front](const LetName& what, const Expr& value) {
      return isPassedOver(what.letter) ? value
                                       : this->let({std::string(front) + what.letter, what.i, what.j, 0}, value);
    };
    inverseDynamics<G, LetExpr>(tree_, pk_, vk_, udot, {tree_.gravity, wrenches_}, out, name);
    return out;
  }

  static Expr dotted(const List& a, const List& b) {
    Expr sum;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }

  struct CutBlock {  // Phi_q of a kept row and a body
    std::size_t row = 0;
    int body = 0;
    typename G::RowBlock block;
  };

  OwnAxes<G> own_axes_;
  NamedForms<G> forms_;
  typename NamedForms<G>::Work named_;
  LetExpr let_;
  std::vector<int> independent_, dependent_, kept_;
  List om_, omdot_, tau_;
  std::vector<OwnLink> own_links_;
  std::vector<std::pair<Expr, Expr>> headings_;  // cosine and sine, of links with own axes in the plane
  std::vector<List> G_;                          // of the rows kept, then of the names
  List g_;
  std::vector<CutBlock> blocks_;
  std::unique_ptr<WrittenElimination> elimination_;
  List v_;
  List still_;  // R^T u' at v' = 0
  std::vector<List> basis_;
  std::vector<typename G::Wrench> wrenches_;
  Expr supplied_power_;  // by the loads
};

}  // namespace linkwork
