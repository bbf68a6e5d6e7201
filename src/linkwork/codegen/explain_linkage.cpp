#include "linkwork/codegen/explain_linkage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "linkwork/base/contract.hpp"
#include "linkwork/codegen/explain_table.hpp"
#include "linkwork/formulation/linkage/linkage_system.hpp"

namespace linkwork {

namespace {

using linkage::Form;

struct NamedForm {
  const char* name;
  std::optional<Form> form;  // none: a way without a matrix
  const char* words;
};

constexpr NamedForm kLinkageForms[] = {
    {"rud", Form::rud, "recurrent equations in absolute angles, Telegin and Kaygorodtsev (2010), eq. 20 to 24"},
    {"statement1", Form::statement1,
     "statement 1: one torque per equation, absolute angles, coefficients from vectors"},
    {"statement2", Form::statement2, "statement 2: one torque per equation, absolute angles, coefficients as sums"},
    {"statement3", Form::statement3,
     "statement 3: one torque per equation, absolute angles, coefficients by recursion"},
    {"statement4", Form::statement4, "statement 4: relative angles, coefficients from vectors"},
    {"statement5", Form::statement5, "statement 5: relative angles, coefficients as sums"},
    {"statement6", Form::statement6, "statement 6: relative angles, coefficients by recursion"},
    {"sweep", {}, "two sweeps along the tree: torques and all hinge forces from the accelerations"},
    {"elimination", {}, "elimination link by link in ground axes: accelerations and hinge forces from the torques"},
};

const NamedForm& formNamed(std::string_view name) {
  const auto* found = std::find_if(std::begin(kLinkageForms), std::end(kLinkageForms),
                                   [&](const NamedForm& form) { return name == form.name; });
  expect(found != std::end(kLinkageForms), fmt::format("explainLinkage: no form {}", name));
  return *found;
}

std::vector<std::string> numbered(const std::string& letter, int n, const char* dots = "") {
  std::vector<std::string> out;
  for (int k = 1; k <= n; ++k) out.push_back(fmt::format("{}_{}{}", letter, k, dots));
  return out;
}

class LinkageWriter {
 public:
  LinkageWriter(const NamedForm& named, const LinkageSystem& system, const Mechanism& mechanism, Explanation& out)
      : named_(named), m_(mechanism), plan_(system.plan()), constants_(system.constants()), out_(out) {
    for (int k = 1; k <= n(); ++k) links_.push_back(fmt::format("link {}", k));
  }

  int n() const { return plan_.tree.links(); }
  bool relative() const { return named_.form && linkage::isRelative(*named_.form); }

  void plan() {
    ExplainedSection section{"Links and cuts", "", "", "", {}, {}};
    for (const std::string& line : linkage::planInWords(m_, plan_)) {
      const std::size_t end = std::min(line.find_first_of(":="), line.size());
      const std::size_t from = line.find_first_not_of(":= ", end);
      if (from == std::string::npos) {
        section.words += line + ".";
      } else {
        section.names.push_back({line.substr(0, line.find_last_not_of(' ', end - 1) + 1), {}, line.substr(from)});
      }
    }
    out_.sections.push_back(std::move(section));
  }

  void bodies() {
    std::vector<double> m, mux, muy, md, dl, J, Rx, Ry;
    for (const auto& link : constants_.link) {
      m.push_back(link.m);
      mux.push_back(link.mu.x);
      muy.push_back(link.mu.y);
      md.push_back(std::hypot(link.mu.x, link.mu.y));
      dl.push_back(md.back() > 0.0 ? std::atan2(link.mu.y, link.mu.x) : 0.0);
      J.push_back(link.J);
      Rx.push_back(link.R.x);
      Ry.push_back(link.R.y);
    }
    add("Augmented bodies",
        "Each link with the whole mass of what it carries in the hinges it carries it by: mass m in kg, first moment "
        "mu "
        "in kg*m, from the link's hinge and in its axes, of size md and direction dl in rad; moment of inertia J about "
        "the hinge in kg*m^2. R in m leads to the hinge, from that of the base and in axes of the base.",
        "m_k = mo_k + sum m_j,  mu_k = mo_k c_k + sum m_j R_j,  J_k = Jo_k + mo_k c_k^2 + sum m_j R_j^2",
        TableMaker(links_)
            .add("m", m)
            .add("mux", mux)
            .add("muy", muy)
            .add("md", md)
            .add("dl", dl)
            .add("J", J)
            .add("Rx", Rx)
            .add("Ry", Ry)
            .done());
  }

  void state(double t, std::span<const double> x) {
    std::vector<double> angle(x.begin(), x.begin() + n());
    std::vector<double> rate(x.begin() + n(), x.begin() + 2 * n());
    if (relative()) {
      toRelative(angle);
      toRelative(rate);
    }
    add(fmt::format("State at t = {:.6g} s", t),
        relative() ? "Relative angles q = al - al of the base, in rad, and their rates in rad/s."
                   : "Absolute angles al of the links in rad and their rates w in rad/s.",
        "", TableMaker(links_).add(relative() ? "q" : "al", angle).add(relative() ? "dq" : "w", rate).done());
  }

  void form(const linkage::FormWork<double>& work) {
    const bool rud = *named_.form == Form::rud;
    const char* const big = relative() ? "Hr" : rud ? "H" : "[A|B]";
    const char* const small = relative() ? "hr" : rud ? "h" : "[a|b]";
    add(fmt::format("Coefficients {} of the accelerations", big),
        rud || relative() ? "In kg*m^2. Zero where neither link carries the other."
                          : "In kg*m^2. Row k: A_ki at the links i under k, B_ik at k and the links i that it carries.",
        "", square(relative() ? numbered("ddq", n()) : numbered("al", n(), "''"), work.acceleration));
    add(fmt::format("Coefficients {} of the squares", small),
        relative() ? "In kg*m^2, of u_i = w_i^2 - w_p(i)^2. Below the diagonal hr_ki, above it -hr_ik."
                   : "In kg*m^2, of w_i^2.",
        "", square(relative() ? numbered("u", n()) : numbered("w2", n()), work.velocity));
    add("Sides of the equations",
        fmt::format("Squares in rad^2/s^2; moments of gravity {} and of the loads {} in N*m. {}", rud ? "G" : "Go",
                    rud ? "MA" : "MR", "Torques of drives are unknowns and not in it."),
        fmt::format("{} {} + {} {} - {} - {} = {}", big, relative() ? "ddq" : "al''", small, relative() ? "u" : "w^2",
                    rud ? "G" : "Go", rud ? "MA" : "MR", rud ? "S M" : "M"),
        TableMaker(links_)
            .add(relative() ? "u" : "w2", work.squares)
            .add(rud ? "G" : "Go", work.gravity)
            .add(rud ? "MA" : "MR", work.load)
            .done());
    if (plan_.tree.cutCount() > 0) closure(work);
  }

  void closure(const linkage::FormWork<double>& work) {
    std::vector<std::string> rows;
    for (const int joint : plan_.cut_joint) {
      rows.push_back(m_.joints[at(joint)].name + ".x");
      rows.push_back(m_.joints[at(joint)].name + ".y");
    }
    out_.constraint_rows.insert(out_.constraint_rows.end(), rows.begin(), rows.end());
    TableMaker table(rows);
    const auto names = relative() ? numbered("ddq", n()) : numbered("al", n(), "''");
    for (int k = 0; k < n(); ++k) {
      std::vector<double> column;
      for (std::size_t r = 0; r < rows.size(); ++r) column.push_back(work.phi[r * at(n()) + at(k)]);
      table.add(names[at(k)], column);
    }
    table.add("gamma", work.gamma);
    const bool summed = !relative() && *named_.form != Form::rud;
    add("Closure of the cuts",
        fmt::format("Columns in m, gamma in m/s^2. The reactions F of the cuts add P^T F to the equations{}.",
                    summed ? ", summed over the links that each link carries" : ""),
        relative() ? "P ddq = gamma" : "P al'' = gamma", table.done());
  }

  void solution(std::span<const double> acceleration, std::span<const double> rows, const char* words) {
    std::vector<double> a(acceleration.begin(), acceleration.end());
    if (relative()) toRelative(a);
    add("Accelerations", "In rad/s^2.", "", TableMaker(links_).add(relative() ? "ddq" : "al''", a).done());
    std::vector<std::string> names;
    for (int c = 0; c < plan_.tree.cutCount(); ++c) {
      const std::string& joint = m_.joints[at(plan_.cut_joint[at(c)])].name;
      names.push_back(fmt::format("{} on link {}, x", joint, plan_.tree.cuts()[at(c)].a + 1));
      names.push_back(fmt::format("{} on link {}, y", joint, plan_.tree.cuts()[at(c)].a + 1));
    }
    for (const auto& row : plan_.drives) names.push_back(fmt::format("drive {}", m_.drives[at(row.drive)].name));
    if (names.empty()) return;
    add("Reactions of the cuts and torques of the drives", words, "",
        TableMaker(names).add("value", std::vector<double>(rows.begin(), rows.end())).done());
  }

  void sweep(const linkage::SweepWork<double>& work) {
    add("Outwards: accelerations of the hinges less gravity", "In m/s^2.", "A_k = A_p + al_p'' (k x R_k) - w_p^2 R_k",
        TableMaker(links_).add("R", work.place.R).add("mu", work.place.mu).add("A", work.A).done());
    add("Inwards: what the links press, and torques",
        "Q in N without m_k A_k, M in N*m. The reactions of cuts are among the loads.",
        "Q_k = al_k'' (k x mu_k) - w_k^2 mu_k - F_k + sum Q_j\n"
        "M_k = J_k al_k'' + (k x mu_k) . A_k - ML_k + sum (R_j x Q_j + M_j)",
        TableMaker(links_).add("Q", work.Q).add("M", work.torque).done());
    hinges(work.hinge, "N_k = m_k A_k + Q_k");
  }

  void elimination(const linkage::EliminationWork<double>& work) {
    std::vector<double> E, xx, xy, yy, e;
    std::vector<Vec2<double>> u, f, A;
    for (const auto& link : work.link) {
      E.push_back(link.J);
      u.push_back(link.u);
      xx.push_back(link.xx);
      xy.push_back(link.xy);
      yy.push_back(link.yy);
      f.push_back(link.f);
      e.push_back(link.n);
      A.push_back(link.A);
    }
    add("Inwards: links with all that hangs on them",
        "Inertia E about the hinge in kg*m^2, u in kg*m, the mass X that the base feels in kg, the force f that comes "
        "with it in N, e = (M - n)/E in rad/s^2. The reactions of cuts are among the loads.",
        "X_k = X - u u^T/E,  f_k = f + u e",
        TableMaker(links_)
            .add("E", E)
            .add("u", u)
            .add("Xxx", xx)
            .add("Xxy", xy)
            .add("Xyy", yy)
            .add("f", f)
            .add("e", e)
            .done());
    add("Outwards: accelerations", "A in m/s^2, al'' in rad/s^2.", "al_k'' = e_k - u_k . A_k/E_k",
        TableMaker(links_).add("A", A).add("al''", work.acceleration).done());
    hinges(work.hinge, "N_k = X_k A_k + f_k");
  }

  void words() { out_.constraint_rows.insert(out_.constraint_rows.end(), links_.begin(), links_.end()); }

 private:
  void hinges(const std::vector<Vec2<double>>& forces, const char* formula) {
    add("Hinge forces", "Of the base on the link, in N, ground axes.", formula,
        TableMaker(links_).add("N", forces).done());
  }

  ExplainedTable square(const std::vector<std::string>& names, const linkage::SquareTable<double>& table) const {
    TableMaker out(links_);
    for (int i = 0; i < n(); ++i) {
      std::vector<double> column;
      for (int k = 0; k < n(); ++k) column.push_back(table(k, i));
      out.add(names[at(i)], column);
    }
    return out.done();
  }

  void toRelative(std::vector<double>& values) const {
    for (int k = n() - 1; k >= 0; --k) {
      if (!plan_.tree.isRoot(k)) values[at(k)] -= values[at(plan_.tree.base(k))];
    }
  }

  void add(std::string title, std::string words, const std::string& formula, ExplainedTable table) {
    out_.sections.push_back({std::move(title), std::move(words), formula, "", {}, std::move(table)});
  }

  const NamedForm& named_;
  const Mechanism& m_;
  const linkage::LinkagePlan& plan_;
  const linkage::LinkageConstants<double>& constants_;
  Explanation& out_;
  std::vector<std::string> links_;
};

void explainWay(std::string_view way, const LinkageSystem& system, std::span<const double> x, const Workspace& work,
                std::span<const double> rows, LinkageWriter& writer) {
  const LinkageSystem::Acting acting = system.acting(work, rows);
  linkage::LinkageInputs<double> in;
  in.angle = x.first(at(writer.n()));
  in.rate = x.subspan(at(writer.n()), at(writer.n()));
  in.force = acting.force;
  in.moment = acting.moment;
  if (way == "sweep") {
    linkage::SweepWork<double> sweeps(system.plan().tree);
    linkage::sweep(system.plan().tree, system.constants(), in, system.accelerations(work), linkage::HingeForces::yes,
                   sweeps, Unnamed{});
    writer.sweep(sweeps);
  } else {
    in.drive = acting.torque;
    linkage::EliminationWork<double> elimination(system.plan().tree);
    linkage::eliminate(system.plan().tree, system.constants(), in, linkage::HingeForces::yes, elimination, Unnamed{});
    writer.elimination(elimination);
  }
}

}  // namespace

std::vector<std::string> linkageFormNames() {
  std::vector<std::string> names;
  for (const NamedForm& form : kLinkageForms) names.emplace_back(form.name);
  return names;
}

Explanation explainLinkage(const Mechanism& mechanism, std::string_view form, double t, std::span<const double> x,
                           const Assembly& start) {
  const NamedForm& named = formNamed(form);
  Explanation out;
  out.problem = linkage::linkageObstacle(mechanism);
  if (!out.problem.empty()) return out;
  LinkageOptions options;
  options.stabilisation = Stabilisation::none;
  options.doubtful_rows = start.dependent_rows;
  options.misfit = start.misfit;
  options.reaction_length = start.reaction_length;
  const LinkageSystem system(mechanism, options);
  const std::size_t n = mechanism.bodies.size();
  expect(x.size() >= 6 * n, "explainLinkage: the state must hold q and v");
  std::vector<double> absolute(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(6 * n));
  absolute.push_back(0.0);
  const std::vector<double> own = system.fromAbsolute(t, absolute);
  const auto work = system.makeWorkspace();
  Observation seen;
  if (system.observe(t, own, system.startModes(), *work, seen) != Eval::ok) {
    out.problem = system.describeFailure(*work);
    return out;
  }
  const std::vector<double> rows = system.multipliersSeen(seen);
  const bool unique =
      std::all_of(seen.joints.begin(), seen.joints.end(), [](const Reaction& joint) { return joint.unique; });
  out.title = mechanism.name;
  out.words =
      fmt::format("Equations of a planar hinged linkage: {}. With numbers of ten significant digits.", named.words);
  LinkageWriter writer(named, system, mechanism, out);
  writer.words();
  writer.plan();
  writer.bodies();
  writer.state(t, own);
  if (named.form) {
    const auto aside = system.makeWorkspace();
    linkage::FormWork<double> coefficients(system.plan().tree);
    (void)system.formAt(*named.form, linkage::Trig::pairwise, t, own, *aside, coefficients);
    writer.form(coefficients);
  }
  writer.solution(system.accelerations(*work), rows,
                  unique ? "In N and N*m."
                         : "In N and N*m. Constraints repeat each other: of all reactions that fit, these have the "
                           "least norm.");
  if (!named.form) explainWay(named.name, system, own, *work, rows, writer);
  return out;
}

}  // namespace linkwork
