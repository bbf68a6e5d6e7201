#include "equations_linear.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <numbers>

#include "equations_family.hpp"
#include "equations_matrices_text.hpp"
#include "equations_pages.hpp"
#include "equations_verbs.hpp"
#include "linear_state.hpp"
#include "linkwork/analyse/equations_printed_rule.hpp"
#include "linkwork/files/atomic_file.hpp"
#include "linkwork/files/json_settings.hpp"
#include "linkwork/files/locus_file.hpp"
#include "linkwork/simulate/equations_run.hpp"
#include "linkwork/study/equations_follower.hpp"
#include "locus_output.hpp"
#include "output.hpp"
#include "result_output.hpp"

namespace linkwork::app {

namespace {

using Json = nlohmann::ordered_json;

Json motionJson(const EquationsFile& family, EquationsFollower& follower, const EquationsMotion& motion) {
  Json out;
  out["steady"] = motion.ok;
  if (!motion.ok) out["problem"] = motion.problem;
  out["residual"] = motion.residual;
  for (std::size_t k = 0; k < follower.unknown().size(); ++k) out["found"][family.unknown()[k]] = follower.unknown()[k];
  out["nothing_depends_on"] = follower.solver().ignorable();
  out["goes_on"] = Json::array();
  for (const GoesOn& going : motion.goes_on)
    out["goes_on"].push_back({{"name", going.name}, {"rate", going.rate}, {"unit", going.unit}});
  out["changes"] = motion.changes;
  out["values"] = Json::object();
  const EquationsValues values = valuesAt(follower.solver(), motion.x);
  for (std::size_t k = 0; k < values.numbers.size(); ++k)
    out["values"][values.names[k].name] = {{"value", values.numbers[k]}, {"unit", values.names[k].unit}};
  return out;
}

void printMotion(const EquationsFile& family, EquationsFollower& follower, const EquationsMotion& motion) {
  printOut("{}: a steady motion, accelerations balanced to {:.1e}\n", family.model().frame.name, motion.residual);
  for (std::size_t k = 0; k < follower.unknown().size(); ++k)
    printOut("  found      {} = {:.12g} {}\n", family.unknown()[k], follower.unknown()[k],
             family.unitOf(family.unknown()[k]));
  if (motion.goes_on.empty() && motion.changes.empty()) printOut("  no coordinate goes on\n");
  for (const GoesOn& going : motion.goes_on)
    printOut("  goes on    {}: {:.12g} {}\n", going.name, going.rate, going.unit);
  if (!motion.changes.empty()) printOut("  goes round {}\n", fmt::join(motion.changes, ", "));
  const auto ignorable = follower.solver().ignorable();
  if (!ignorable.empty()) printOut("  nothing depends on {}\n", fmt::join(ignorable, ", "));
  const EquationsLinear linear = follower.solver().linearise(motion.x);
  const auto families = familyNames(linear, follower.solver().deflate(linear, follower.zeros()));
  if (!families.empty()) printOut("  one of a family: {} may have other values\n", fmt::join(families, ", "));
  printOut("\n");
  const EquationsValues values = valuesAt(follower.solver(), motion.x);
  for (std::size_t k = 0; k < values.numbers.size(); ++k)
    printOut("  {:<28} {:>18.12g} {}\n", values.names[k].name, values.numbers[k], values.names[k].unit);
}

int steadyOver(EquationsFile& family, const EquationsSteadyAsked& asked) {
  const auto stretch = axisOf(family, "steady", asked.over.front());
  if (!stretch) return kBadInput;
  if (asked.points < 2) {
    printErr("linkwork steady: error: --points is {}; give at least 2.\n", asked.points);
    return kBadInput;
  }
  EquationsFollower follower(family.over(stretch->name), stretch->from);
  if (!follower.problem().empty()) return failEquations(family.model(), follower.problem(), follower.hint());
  Json rows = Json::array();
  bool all = true;
  for (int k = 0; k < asked.points; ++k) {
    const double p = stretch->from + (stretch->to - stretch->from) * k / (asked.points - 1);
    const EquationsMotion motion = follower.motionAt(p);
    all = all && motion.ok;
    Json row{{stretch->name, p}};
    row.update(motionJson(family, follower, motion));
    if (!asked.json) {
      printOut("{} = {:.9g}:{}", stretch->name, p, motion.ok ? "" : " none");
      for (std::size_t i = 0; i < follower.unknown().size() && motion.ok; ++i)
        printOut(" {} = {:.12g}", family.unknown()[i], follower.unknown()[i]);
      for (const GoesOn& going : motion.goes_on) printOut(" {} {:.12g} {}", going.name, going.rate, going.unit);
      printOut("\n");
    }
    rows.push_back(std::move(row));
    if (!motion.ok)
      printErr("{}: error: {} = {:.6g}: {}.\n", family.model().frame.file_name, stretch->name, p, motion.problem);
  }
  if (asked.json) {
    Json out;
    out["model"] = family.model().frame.file_name;
    addParametersSet(family.model().frame, out);
    out["over"] = stretch->name;
    out["motions"] = std::move(rows);
    printOut("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
  }
  if (all && !asked.page.empty()) return writeEquationsTablePage(family, follower, asked, *stretch);
  return all ? kGood : kNumericalFailure;
}

// The state that is asked for, with what is linear about it; ok() false after a message.
struct Linear {
  std::optional<EquationsFile> family;
  std::unique_ptr<EquationsFollower> follower;
  std::unique_ptr<EquationsSteadySolver> about_start;
  EquationsMotion motion;
  EquationsLinear linear;
  std::vector<int> zeros;
  int exit_code = kBadInput;

  EquationsSteadySolver& solver() { return about_start ? *about_start : follower->solver(); }
};

Linear linearOf(const EquationsSteadyAsked& asked) {
  Linear out;
  out.family = EquationsFile::read(asked);
  if (!out.family) return out;
  out.exit_code = kNumericalFailure;
  if (asked.steady) {
    out.follower = std::make_unique<EquationsFollower>(out.family->over(""), 0.0);
    if (!out.follower->problem().empty()) {
      out.exit_code = failEquations(out.family->model(), out.follower->problem(), out.follower->hint());
      return out;
    }
    out.motion = out.follower->motionAt(0.0);
    out.zeros = out.follower->zeros();
  } else {
    out.about_start = std::make_unique<EquationsSteadySolver>(std::make_unique<EquationsModel>(out.family->model()),
                                                              EquationsSteadySolver::Coordinates::all);
    out.motion.problem = out.about_start->problem();
    out.motion.ok = out.motion.problem.empty();
    out.motion.x = out.about_start->start();
  }
  if (!out.motion.ok) {
    out.exit_code = failEquations(out.family->model(), out.motion.problem, out.motion.hint);
    return out;
  }
  out.linear = out.solver().linearise(out.motion.x);
  if (!out.linear.ok) {
    out.exit_code = failEquations(out.family->model(), out.linear.problem);
    return out;
  }
  if (asked.printed) takePrintedRule(out.solver(), out.motion.x, out.linear);
  out.exit_code = kGood;
  return out;
}

// "about a steady motion with ...", or what is left over where the start is none.
std::string aboutWords(Linear& of, const EquationsSteadyAsked& asked) {
  if (asked.steady) {
    const auto ignorable = of.solver().ignorable();
    return ignorable.empty() ? std::string("about a steady motion")
                             : fmt::format("about a steady motion; nothing depends on {}", fmt::join(ignorable, ", "));
  }
  const double rest = of.linear.rest.size() == 0 ? 0.0 : of.linear.rest.cwiseAbs().maxCoeff();
  if (rest <= 1e-9) return "about the start, which is at rest";
  return fmt::format(
      "about the start, which is no rest: rates of up to {:.3g} are left out; --steady finds a steady "
      "motion near it",
      rest);
}

std::vector<std::string> withUnits(const std::vector<std::string>& names, const std::vector<std::string>& units) {
  std::vector<std::string> out;
  for (std::size_t k = 0; k < names.size(); ++k)
    out.push_back(units[k].empty() ? names[k] : fmt::format("{} [{}]", names[k], units[k]));
  return out;
}

Json matrixRows(const Eigen::MatrixXd& matrix) {
  Json out = Json::array();
  for (Eigen::Index r = 0; r < matrix.rows(); ++r) {
    Json row = Json::array();
    for (Eigen::Index c = 0; c < matrix.cols(); ++c) row.push_back(matrix(r, c));
    out.push_back(std::move(row));
  }
  return out;
}

std::string eigenvalueText(std::complex<double> value) {
  if (value.imag() == 0.0) return fmt::format("{:.12g}", value.real());
  return fmt::format("{:.12g} +- {:.12g}i", value.real(), std::abs(value.imag()));
}

}  // namespace

bool refusesOptions(const std::string& verb, const std::vector<std::pair<const char*, bool>>& given) {
  for (const auto& [name, is_given] : given) {
    if (!is_given) continue;
    printErr("linkwork {}: error: {} is about bodies and joints, and this file holds equations: leave it out.\n", verb,
             name);
    return true;
  }
  return false;
}

int steadyEquations(const EquationsSteadyAsked& asked) {
  std::optional<EquationsFile> family = EquationsFile::read(asked);
  if (!family) return kBadInput;
  if (!asked.over.empty()) return steadyOver(*family, asked);
  EquationsFollower follower(family->over(""), 0.0);
  if (!follower.problem().empty()) return failEquations(family->model(), follower.problem(), follower.hint());
  const EquationsMotion motion = follower.motionAt(0.0);
  if (asked.json) {
    Json out;
    out["model"] = family->model().frame.file_name;
    addParametersSet(family->model().frame, out);
    out.update(motionJson(*family, follower, motion));
    printOut("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
  } else {
    printMotion(*family, follower, motion);
  }
  if (!motion.ok) return kNumericalFailure;
  return asked.page.empty() ? kGood : writeEquationsMotionPage(*family, follower, asked);
}

EquationsSteadyStart steadyStartOfEquations(const EquationsSteadyAsked& asked) {
  Linear of = linearOf(asked);
  EquationsSteadyStart out{of.exit_code, std::nullopt, of.motion.x};
  if (of.exit_code == kGood) out.model = of.solver().model();
  return out;
}

EquationsSteadyState steadyStateOfEquations(const EquationsSteadyAsked& asked) {
  // Of the state: what Newton's method leaves of a zero, and of a state that it finds anew.
  constexpr double kZero = 1e-9;
  constexpr double kSame = 1e-8;
  constexpr double kOther = 1e-2;
  EquationsSteadyState out;
  Linear of = linearOf(asked);
  out.exit_code = of.exit_code;
  if (of.exit_code != kGood) return out;
  const std::size_t n = of.family->model().coordinates.size();
  const std::vector<double>& x = of.motion.x;
  double size = 1.0;
  for (const double value : x) size = std::max(size, std::abs(value));
  for (std::size_t k = 0; k + 1 < x.size(); ++k)
    (k < n ? out.about.q : out.about.om).emplace_back(std::abs(x[k]) <= kZero * size ? 0.0 : x[k]);
  std::vector<std::string> moved;
  for (const Parameter& parameter : of.family->model().frame.parameters) {
    if (!symbolsOf(parameter.value.expr).empty()) continue;
    const double value = parameter.value.number;
    EquationsFollower other(of.family->over(parameter.name), value == 0.0 ? kOther : value * (1.0 + kOther));
    const EquationsMotion motion =
        other.problem().empty() ? other.motionAt(value == 0.0 ? kOther : value * (1.0 + kOther)) : EquationsMotion{};
    bool same = motion.ok;
    for (std::size_t k = 0; same && k + 1 < x.size(); ++k) same = std::abs(motion.x[k] - x[k]) <= kSame * size;
    if (same) continue;
    out.numbers.emplace(parameter.name, value);
    moved.push_back(parameter.name);
  }
  std::vector<std::string> going;
  for (const GoesOn& one : of.motion.goes_on)
    going.push_back(fmt::format("{} at {:.9g} {}", one.name, one.rate, one.unit));
  out.note = fmt::format("About the steady motion{}{}.", going.empty() ? "" : ": ", fmt::join(going, ", "));
  if (!moved.empty())
    out.note += fmt::format(" Numbers, because the motion depends on them: {}.", fmt::join(moved, ", "));
  return out;
}

int linearizeEquations(const EquationsSteadyAsked& asked) {
  Linear of = linearOf(asked);
  if (of.exit_code != kGood) return of.exit_code;
  const EquationsLinear& linear = of.linear;
  const auto names = withUnits(linear.states, linear.units);
  if (asked.json) {
    Json out;
    out["model"] = of.family->model().frame.file_name;
    addParametersSet(of.family->model().frame, out);
    out["about"] = aboutWords(of, asked);
    if (asked.printed) out["variant"] = "printed_rule, which is wrong: for study";
    out["states"] = Json::array();
    for (std::size_t k = 0; k < linear.states.size(); ++k)
      out["states"].push_back({{"name", linear.states[k]}, {"unit", linear.units[k]}});
    out["A"] = matrixRows(linear.A);
    printOut("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
  } else if (asked.out.empty()) {
    printOut("{}: {} states, x' = A x; {}{}\n\n", of.family->model().frame.name, linear.states.size(),
             aboutWords(of, asked), asked.printed ? "; by the paper's rule, which is wrong: for study" : "");
    printMatrix("A", linear.A, names, names);
  }
  if (asked.out.empty()) return kGood;
  const std::string problem = writeMatrixCsv(asked.out + "_A.csv", linear.A, names, names);
  if (!problem.empty()) {
    printErr("linkwork linearize: error: {}\n", problem);
    return kBadInput;
  }
  printErr("wrote {}_A.csv\n", asked.out);
  return kGood;
}

int modesEquations(const EquationsSteadyAsked& asked) {
  Linear of = linearOf(asked);
  if (of.exit_code != kGood) return of.exit_code;
  const LocusSample sample = eigenvaluesOf(of.linear, of.solver().deflate(of.linear, of.zeros));
  int taken = 0;
  for (const int count : of.zeros) taken += count;
  if (asked.json) {
    Json out;
    out["model"] = of.family->model().frame.file_name;
    addParametersSet(of.family->model().frame, out);
    out["about"] = aboutWords(of, asked);
    out["structural_zeros"] = of.zeros;
    out["stability"] = wordFor(classOf(sample.values));
    out["modes"] = Json::array();
    for (Eigen::Index k = 0; k < sample.values.size(); ++k) {
      Json one;
      one["eigenvalue"] = {{"re", sample.values[k].real()}, {"im", sample.values[k].imag()}};
      for (std::size_t i = 0; i < of.linear.states.size(); ++i) {
        const auto entry = sample.shapes(static_cast<Eigen::Index>(i), k);
        one["shape"][of.linear.states[i]] = {{"re", entry.real()}, {"im", entry.imag()}};
      }
      out["modes"].push_back(std::move(one));
    }
    printOut("{}\n", out.dump(2, ' ', false, Json::error_handler_t::replace));
    return kGood;
  }
  printOut("{}: {}; {}{}\n\n", of.family->model().frame.name, aboutWords(of, asked), wordFor(classOf(sample.values)),
           taken > 0 ? fmt::format("; {} zero{} of families left out", taken, taken == 1 ? "" : "s") : "");
  for (Eigen::Index k = 0; k < sample.values.size(); ++k) {
    if (sample.values[k].imag() < 0.0) continue;
    const double rate = std::abs(sample.values[k].imag());
    printOut("  {:>40} 1/s{}\n      {}\n", eigenvalueText(sample.values[k]),
             rate > 0.0 ? fmt::format(", {:.8g} Hz", rate / (2.0 * std::numbers::pi)) : "",
             shapeText(sample.shapes.col(k), of.linear.states));
  }
  return kGood;
}

namespace {

int mapOfEquations(EquationsFile& file, const EquationsSteadyAsked& asked, const LocusAxis& first,
                   const LocusAxis& second) {
  const Mechanism& frame = file.model().frame;
  const MapAsked map_asked{frame.name, frame.file_name, first, second, asked.points, asked.out, asked.json};
  const auto samplesAt = [&](double q) {
    auto follower = std::make_shared<EquationsFollower>(file.over(first.name, {{second.name, q}}),
                                                        first.from + 0.6180339887 * (first.to - first.from));
    return [follower](double p) { return follower->problem().empty() ? follower->sampleAt(p) : LocusSample{}; };
  };
  StabilityMap map;
  const int written = writeMap(map_asked, samplesAt, map);
  if (written != kGood || asked.page.empty()) return written;
  return writeEquationsMapPage(file, asked, first, std::move(map));
}

}  // namespace

int locusEquations(const EquationsSteadyAsked& asked) {
  std::optional<EquationsFile> family = EquationsFile::read(asked);
  if (!family) return kBadInput;
  if (asked.over.empty() || asked.over.size() > 2) {
    printErr("linkwork locus: error: give --over NAME=FROM..TO once, or twice for a map.\n");
    return kBadInput;
  }
  if (asked.points < 2 || asked.points > 1000) {
    printErr("linkwork locus: error: --points is {}; give 2 to 1000.\n", asked.points);
    return kBadInput;
  }
  const auto stretch = axisOf(*family, "locus", asked.over.front());
  if (!stretch || !canBeWritten("locus", {asked.page})) return kBadInput;
  if (asked.over.size() == 2) {
    const auto second = axisOf(*family, "locus", asked.over.back());
    return second ? mapOfEquations(*family, asked, *stretch, *second) : kBadInput;
  }
  // What is left out, and zeros, at a value that is no special one.
  EquationsFollower follower(family->over(stretch->name), stretch->from + 0.6180339887 * (stretch->to - stretch->from));
  if (!follower.problem().empty()) return failEquations(family->model(), follower.problem(), follower.hint());
  LocusOptions options;
  options.from = stretch->from;
  options.to = stretch->to;
  options.points = asked.points;
  const Locus locus = traceLocus([&](double p) { return follower.sampleAt(p); }, options);
  if (!locus.ok) return failEquations(family->model(), locus.problem);
  const EquationsLinear linear = follower.solver().linearise(follower.motionAt(stretch->from).x);
  const LocusNames names{stretch->name, family->unitOf(stretch->name), linear.states};
  Json json;
  json["model"] = family->model().frame.file_name;
  addParametersSet(family->model().frame, json);
  json["structural_zeros"] = follower.zeros();
  json["nothing_depends_on"] = follower.solver().ignorable();
  json.update(locusJson(locus, names));
  if (asked.json) {
    printOut("{}\n", json.dump(1, ' ', false, Json::error_handler_t::replace));
  } else {
    printLocus(family->model().frame.name, locus, names, follower.zeros());
  }
  const int written =
      writeLocus(asked.out, family->model().frame.file_name, locus, names, json, asked.campbell, !asked.json);
  if (written != kGood || asked.page.empty()) return written;
  return writeEquationsLocusPage(*family, follower, asked, *stretch, locus, names);
}

int explainEquations(const ModelOptions& options, double at, bool matrices, const std::string& variant) {
  if (!matrices) {
    printErr("linkwork explain: error: of equations explain shows the matrices: add --matrices.\n");
    return kBadInput;
  }
  Diagnostics diagnostics;
  const std::optional<EquationsModel> model = readEquations(options, diagnostics);
  if (!model) return kBadInput;
  const std::optional<EquationsStart> start = startEquations(*model);
  if (!start) return kNumericalFailure;
  const EquationsSystem system(*model);
  std::vector<double> x = start->x;
  if (at > 0.0) {
    IntegratorOptions tight;
    tight.rtol = 1e-12;
    tight.atol = 1e-14;
    const auto integrator = makeIntegrator("dop853", system, tight);
    StepStatus status = integrator->begin(0.0, x, at);
    while (status == StepStatus::ok) status = integrator->step();
    if (status != StepStatus::finished)
      return failEquations(*model, fmt::format("the equations at t = {:.6g} s: {}", at, integrator->failure()));
    x.assign(integrator->state().begin(), integrator->state().end());
  }
  EquationsMatrices found = equationsMatrices(*model, system, at, x);
  std::string words;
  if (variant != "corrected") {
    EquationsSystem wrong(*model, {true, equationsVariantOf(variant)});
    auto work = wrong.kernel().makeWork();
    const auto n = static_cast<std::size_t>(system.tapes().n);
    const auto l = static_cast<std::size_t>(system.tapes().free);
    wrong.kernel().place(at, std::span(x).first(n), work);
    wrong.kernel().move(std::span(x).subspan(n, l), work);
    wrong.kernel().accelerate(equationsVariantOf(variant), work);
    words = fmt::format("\nB as the paper has it ({}), which is wrong: for study\n", variant);
    for (std::size_t k = 0; k < l; ++k) {
      words += fmt::format("    {}  {:.10g}, instead of {:.10g}\n", model->quasi_velocities[k].name, work.B[k],
                           found.B[static_cast<Eigen::Index>(k)]);
    }
  }
  printOut("{}: the matrices of its equations at t = {:.6g} s\n\n{}{}", model->frame.name, at,
           matricesText(equationsMatrixGroups(*model, found)), words);
  return kGood;
}

}  // namespace linkwork::app
