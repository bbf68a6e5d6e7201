#include "linkwork/codegen/explain_hamiltonian.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Dense>
#include <map>

#include "linkwork/base/contract.hpp"
#include "linkwork/codegen/explain_table.hpp"
#include "linkwork/formulation/hamiltonian/hamiltonian_system.hpp"

namespace linkwork {

namespace {

std::vector<double> listOf(std::span<const double> numbers) { return {numbers.begin(), numbers.end()}; }

template <class G>
class ImpulseWriter {
 public:
  using Link = LinkAxes<G>;
  using Screw = typename Link::Force;
  static constexpr int kSize = G::kFreedoms;

  ImpulseWriter(const HamiltonianSystem<G>& system, const Workspace& work, Explanation& out)
      : system_(system), m_(system.opened()), tree_(system.tree()), seen_(system.seen(work)), out_(out) {
    for (int k = 0; k < tree_.size(); ++k) links_.push_back(fmt::format("link {}", k + 1));
    for (const TreeColumn& column : tree_.columns) {
      const TreeLink<G>& link = tree_.links[at(column.link)];
      const std::string joint = link.joint < 0 ? "free" : m_.joints[at(link.joint)].name;
      columns_.push_back(link.columns == 1 ? joint : fmt::format("{}, {}", joint, ++number_[joint]));
    }
    for (const RowInfo& row : system.cuts().elements().row_info) rows_.push_back(row.name);
    if constexpr (G::kSpatial) {
      components_ = {"vx", "vy", "vz", "wx", "wy", "wz"};
    } else {
      components_ = {"vx", "vy", "w"};
    }
    auto& words = out_.constraint_rows;
    words.insert(words.end(), links_.begin(), links_.end());
    words.insert(words.end(), columns_.begin(), columns_.end());
    words.insert(words.end(), rows_.begin(), rows_.end());
  }

  void plan() {
    ExplainedSection section{"Links", "Base k, path P from the ground, and links U that each carries.", "", "", {}, {}};
    for (int k = 0; k < tree_.size(); ++k) {
      const TreeLink<G>& link = tree_.links[at(k)];
      std::vector<int> path;
      std::vector<int> carried;
      for (int on = k; on >= 0; on = tree_.links[at(on)].parent) path.insert(path.begin(), on + 1);
      for (int j = 0; j < tree_.size(); ++j) {
        if (tree_.links[at(j)].parent == k) carried.push_back(j + 1);
      }
      section.names.push_back({links_[at(k)],
                               {},
                               fmt::format("{}: k = {}, P = {{{}}}, U = {{{}}}, by {}", m_.bodies[at(link.body)].name,
                                           link.parent + 1, fmt::join(path, ", "), fmt::join(carried, ", "),
                                           link.joint < 0 ? "nothing" : m_.joints[at(link.joint)].name)});
    }
    out_.sections.push_back(std::move(section));
  }

  // +1 at the link of a cut's first body, -1 at that of its second; relations and drives touch others and have a row of
  // their own in J alone.
  void loops() {
    if (rows_.empty()) return;
    std::vector<std::string> names;
    std::vector<std::vector<double>> eps(links_.size());
    for (const RowGroup& group : system_.cuts().elements().groups) {
      if (group.rows == 0 || !group.related.empty()) continue;
      names.push_back(group.name);
      for (std::size_t k = 0; k < links_.size(); ++k) {
        const int body = tree_.links[k].body;
        eps[k].push_back(body == group.i ? 1.0 : body == group.j ? -1.0 : 0.0);
      }
    }
    if (names.empty()) return;
    auto& words = out_.constraint_rows;
    words.insert(words.end(), names.begin(), names.end());
    TableMaker table(names);
    for (std::size_t k = 0; k < links_.size(); ++k) table.add(links_[k], eps[k]);
    add("Loops eps", "One line for each joint that is cut; a split body is cut by a fixed joint to its image.", "",
        table.done());
  }

  void links() {
    TableMaker steps(links_);
    std::vector<std::vector<double>> p(G::kDimension);
    std::vector<std::vector<double>> R(9);
    for (const auto& step : seen_.pk.step) {
      for (int c = 0; c < G::kDimension; ++c) p[at(c)].push_back(step.p[c]);
      if constexpr (G::kSpatial) {
        const Vec3<double>* axes[] = {&step.R.x, &step.R.y, &step.R.z};
        for (int a = 0; a < 3; ++a) {
          for (int c = 0; c < 3; ++c) R[at(3 * c + a)].push_back((*axes[a])[c]);
        }
      }
    }
    const char* const letters[] = {"x", "y", "z"};
    for (int c = 0; c < G::kDimension; ++c) steps.add(fmt::format("rho_{}", letters[c]), p[at(c)]);
    if constexpr (G::kSpatial) {
      for (int c = 0; c < 9; ++c) steps.add(fmt::format("R_{}{}", letters[c / 3], letters[c % 3]), R[at(c)]);
    }
    add("Steps C",
        G::kSpatial
            ? "rho in m from the base's origin to the link's, and R from the link's to the base's axes, in axes "
              "of the base: C takes a velocity of the base over to the link."
            : "rho in m from the base's origin to the link's, in ground axes: C takes a velocity of the base over "
              "to the link.",
        "v_i = C_i v_k + A_i u_i + v^r_i", steps.done());
    std::vector<std::vector<double>> A(kSize);
    for (const auto& s : seen_.pk.s) {
      for (int c = 0; c < kSize; ++c) A[at(c)].push_back(s[c]);
    }
    TableMaker columns(columns_);
    for (int c = 0; c < kSize; ++c) columns.add(components_[at(c)], A[at(c)]);
    add("Columns A", G::kSpatial ? "Of each freedom, in the link's axes." : "Of each freedom, in ground axes.", "",
        columns.done());
  }

  // M*_k = M_k + sum C_j^T H_j M*_j C_j, from what the factor leaves of each link.
  void factor() {
    if (seen_.factor == nullptr || tree_.columns.empty()) return;
    std::vector<Eigen::MatrixXd> M;
    for (const auto& rigid : seen_.pk.rigid) M.push_back(dense(Link::asMatrix(rigid)));
    for (int k = 0; k < tree_.size(); ++k) {
      const int parent = tree_.links[at(k)].parent;
      if (parent >= 0) M[at(parent)] += dense(Link::intoParent(seen_.pk.step[at(k)], seen_.factor->inertia[at(k)]));
    }
    std::vector<std::string> lines;
    std::vector<std::vector<double>> stars(kSize);
    std::vector<std::vector<double>> rest(kSize);
    for (int k = 0; k < tree_.size(); ++k) {
      const Eigen::MatrixXd A = freeColumns(k);
      Eigen::MatrixXd H = Eigen::MatrixXd::Identity(kSize, kSize);
      if (A.cols() > 0) {
        const Eigen::MatrixXd D = (A.transpose() * M[at(k)] * A).inverse();
        H -= M[at(k)] * A * D * A.transpose();
        inverse(k, D);
      }
      for (int r = 0; r < kSize; ++r) {
        lines.push_back(fmt::format("link {}, {}", k + 1, components_[at(r)]));
        for (int c = 0; c < kSize; ++c) {
          stars[at(c)].push_back(M[at(k)](r, c));
          rest[at(c)].push_back(H(r, c));
        }
      }
    }
    auto& words = out_.constraint_rows;
    words.insert(words.end(), lines.begin(), lines.end());
    TableMaker star(lines);
    TableMaker left(lines);
    for (int c = 0; c < kSize; ++c) {
      star.add(components_[at(c)], stars[at(c)]);
      left.add(components_[at(c)], rest[at(c)]);
    }
    add("Inertias M*", "Each link with all that it carries, whose joints are free, about its origin; SI units.",
        "M*_i = M_i + sum C_j^T H_j M*_j C_j", star.done());
    out_.sections.push_back(std::move(inverse_));
    add("What a joint passes on, H", "", "H = E - M* A D A^T", left.done());
  }

  void closure() {
    if (rows_.empty()) return;
    TableMaker table(rows_);
    const std::size_t n = tree_.columns.size();
    for (std::size_t s = 0; s < rows_.size(); ++s) {
      std::vector<double> column;
      for (std::size_t r = 0; r < rows_.size(); ++r) {
        double sum = 0.0;
        for (std::size_t c = 0; c < n && seen_.factor != nullptr; ++c)
          sum += seen_.parts[r * n + c] * seen_.parts[s * n + c];
        column.push_back(sum);
      }
      if (seen_.factor != nullptr) table.add(rows_[s], column);
    }
    table.add("b", listOf(seen_.open));
    table.add("eta", listOf(seen_.eta));
    add("Closure Phi, b and eta",
        "Rows of the loops on the velocities that p* alone would have, b, and the impulses eta that bring them to "
        "zero. "
        "Before a step p* is p: then b and eta are zero but for round-off.",
        "Phi eta + b = 0,  Phi = J M^-1 J^T", table.done());
  }

  void motion() {
    std::vector<double> velocity;
    for (const TreeColumn& column : tree_.columns) {
      velocity.push_back(column.freedom >= 0 ? seen_.u[at(column.freedom)] : 0.0);
    }
    add("Impulses, velocities and rates",
        "Of each freedom: impulse p* in kg*m/s or kg*m^2/s, velocity u in m/s or rad/s (prescribed ones are shown as "
        "0), "
        "and the rate of the impulse in N or N*m.",
        "p*' = s'^T mu* + s^T (F - Omega mu*)",
        TableMaker(columns_).add("p*", listOf(seen_.impulse)).add("u", velocity).add("p*'", listOf(seen_.rate)).done());
    std::vector<std::vector<double>> mu(kSize);
    for (const Screw& h : seen_.momenta) {
      for (int c = 0; c < kSize; ++c) mu[at(c)].push_back(h[c]);
    }
    TableMaker table(links_);
    const std::vector<std::string> letters = G::kSpatial ? std::vector<std::string>{"Px", "Py", "Pz", "Lx", "Ly", "Lz"}
                                                         : std::vector<std::string>{"Px", "Py", "L"};
    for (int c = 0; c < kSize; ++c) table.add(letters[at(c)], mu[at(c)]);
    add("Momenta mu*", "Of each link and all that it carries, about its origin, less what eta brings to it.", "",
        table.done());
  }

 private:
  static Eigen::MatrixXd dense(const typename Link::Inertia& a) {
    Eigen::MatrixXd out(kSize, kSize);
    for (int r = 0; r < kSize; ++r) {
      for (int c = 0; c < kSize; ++c) out(r, c) = a(r, c);
    }
    return out;
  }
  Eigen::MatrixXd freeColumns(int k) const {
    Eigen::MatrixXd out(kSize, 0);
    const TreeLink<G>& link = tree_.links[at(k)];
    for (int i = link.first_column; i < link.first_column + link.columns; ++i) {
      if (tree_.columns[at(i)].freedom < 0) continue;
      out.conservativeResize(Eigen::NoChange, out.cols() + 1);
      for (int r = 0; r < kSize; ++r) out(r, out.cols() - 1) = seen_.pk.s[at(i)][r];
    }
    return out;
  }
  void inverse(int k, const Eigen::MatrixXd& D) {
    std::vector<std::string> lines;
    for (Eigen::Index r = 0; r < D.rows(); ++r) {
      std::vector<double> row;
      for (Eigen::Index c = 0; c < D.cols(); ++c) row.push_back(D(r, c));
      lines.push_back(fmt::format("{:.10g}", fmt::join(row, ", ")));
    }
    inverse_.names.push_back({links_[at(k)], {}, fmt::format("{}", fmt::join(lines, "; "))});
  }
  void add(std::string title, std::string words, const std::string& formula, ExplainedTable table) {
    out_.sections.push_back({std::move(title), std::move(words), formula, "", {}, std::move(table)});
  }

  const HamiltonianSystem<G>& system_;
  const Mechanism& m_;
  const Tree<G>& tree_;
  typename HamiltonianSystem<G>::Seen seen_;
  Explanation& out_;
  std::vector<std::string> links_, columns_, rows_, components_;
  std::map<std::string, int> number_;
  ExplainedSection inverse_{"Inverses D", "Of the freedoms of each link, row by row.", "D = (A^T M* A)^-1", "", {}, {}};
};

template <class G>
void explain(const Mechanism& mechanism, const HamiltonianOptions& options, double t, std::span<const double> x,
             Explanation& out) {
  const HamiltonianSystem<G> system(mechanism, options);
  const auto work = system.makeWorkspace();
  const std::vector<double> own = system.fromAbsolute(t, x);
  std::vector<double> rates(own.size());
  if (system.derivative(t, own, system.startModes(), *work, rates) != Eval::ok) {
    out.problem = system.describeFailure(*work);
    return;
  }
  ImpulseWriter<G> writer(system, *work, out);
  writer.plan();
  writer.loops();
  writer.links();
  writer.factor();
  writer.closure();
  writer.motion();
}

}  // namespace

Explanation explainHamiltonian(const Mechanism& mechanism, const SystemOptions& options, double t,
                               std::span<const double> x, const Assembly& start) {
  HamiltonianOptions own;
  own.stabilisation = Stabilisation::none;
  own.doubtful_rows = start.dependent_rows;
  own.misfit = start.misfit;
  own.reaction_length = start.reaction_length;
  own.opening = openingOf(options.opening);
  Explanation out;
  out.title = mechanism.name;
  out.words =
      "Equations in joint coordinates and impulses, with the letters of the paper. With numbers of ten significant "
      "digits.";
  if (mechanism.space == Space::planar) {
    explain<Planar<double>>(mechanism, own, t, x, out);
  } else {
    explain<Spatial<double>>(mechanism, own, t, x, out);
  }
  return out;
}

}  // namespace linkwork
