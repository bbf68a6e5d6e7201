// linkwork check: is the file well described, and what does it describe?
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "equations_verbs.hpp"
#include "linkwork/analyse/mobility_problem.hpp"
#include "linkwork/files/json_settings.hpp"
#include "linkwork/formulation/recursive/tree_equations.hpp"
#include "linkwork/model/compliance.hpp"
#include "linkwork/topology/spanning_tree.hpp"
#include "mobility_json.hpp"
#include "output.hpp"
#include "verbs.hpp"

namespace linkwork::app {

namespace {

struct Options : ModelOptions {
  bool json = false;
  bool mobility = false;
};

struct Summary {
  int rows = 0;
  int loops = 0;
  std::vector<std::string> cuts;
  std::string tree;  // in words
  int rank = -1;
  int velocity_rows = 0;             // so many of the rows hold velocities alone
  int velocity_rank = 0;             // and of the rank
  std::vector<std::string> springs;  // joints made of springs
  int spring_freedoms = 0;           // that they add
};

struct Mobility {
  MobilityProblem problem;
  MobilityReport report;
};

// Needs closed joints only: at a dead point there may be no velocities, and that is what one wants to know.
std::optional<Mobility> mobilityOf(const Mechanism& mechanism, const Assembly& assembly) {
  MobilityProblem problem = mobilityProblem(mechanism, assembly.q, 0.0, assembly.turns);
  if (!isClosed(problem, assembly.q)) return std::nullopt;
  MobilityReport report = analyseMobility(problem);
  return Mobility{std::move(problem), std::move(report)};
}

// Of all bodies if no joint held them.
int freedomsOfBodies(const Mechanism& mechanism) {
  return (mechanism.space == Space::spatial ? 6 : 3) * static_cast<int>(mechanism.bodies.size());
}

Summary summarise(const Mechanism& mechanism) {
  Summary out;
  std::vector<Connection> connections;
  const auto planFor = [&](const auto& elements) {
    out.rows = elements.rows;
    out.velocity_rows = elements.velocity_rows;
    for (const RowGroup& group : elements.groups) {
      if (group.is_drive) continue;
      const Joint& joint = mechanism.joints[static_cast<std::size_t>(group.index)];
      // Gears close no loop of bodies, nor does what holds velocities alone.
      if (isRelation(joint.kind) || group.holdsVelocitiesAlone()) continue;
      connections.push_back({joint.first.value(), joint.second.value()});
    }
    out.loops = static_cast<int>(planSpanningTree(elements.bodies, connections).cuts.size());
    return planRecursiveTree(mechanism, elements.groups);
  };
  const TreePlan plan = mechanism.space == Space::spatial ? planFor(compileElements<Spatial<double>>(mechanism))
                                                          : planFor(compileElements<Planar<double>>(mechanism));
  for (const PlannedCut& cut : plan.cuts) {
    if (cut.loop > 0) out.cuts.push_back(mechanism.joints[static_cast<std::size_t>(cut.joint)].name);
  }
  out.tree = inWords(plan, mechanism);
  return out;
}

// By the rank that the constraints in place of the springs would have.
void noteSprings(const Mechanism& mechanism, Summary& summary) {
  for (const Joint& joint : mechanism.joints) {
    if (joint.compliance) summary.springs.push_back(joint.name);
  }
  if (summary.springs.empty()) return;
  const Mechanism hard = withHardJoints(mechanism);
  const Assembly assembly = assemble(hard);
  const int rank = summarise(hard).rows - static_cast<int>(assembly.dependent_rows.size());
  summary.spring_freedoms = rank - summary.rank;
}

std::string jsonOf(const Mechanism* mechanism, const Diagnostics& diagnostics, const Summary& summary,
                   const Assembly& assembly, const std::optional<Mobility>& mobility) {
  nlohmann::ordered_json out;
  out["ok"] = mechanism != nullptr && assembly.ok;
  out["findings"] = nlohmann::ordered_json::array();
  for (const Diagnostic& finding : diagnostics.all()) {
    const char* severity = finding.severity == Severity::error     ? "error"
                           : finding.severity == Severity::warning ? "warning"
                                                                   : "note";
    out["findings"].push_back({{"severity", severity},
                               {"file", finding.file},
                               {"line", finding.line},
                               {"column", finding.column},
                               {"message", finding.message},
                               {"hint", finding.hint}});
  }
  if (mechanism != nullptr) {
    out["space"] = mechanism->space == Space::spatial ? "spatial" : "planar";
    out["lifted"] = mechanism->lifted;
    addParametersSet(*mechanism, out);
    out["bodies"] = mechanism->bodies.size();
    out["joints"] = mechanism->joints.size();
    out["drives"] = mechanism->drives.size();
    out["loads"] = mechanism->loads.size();
    out["loops"] = summary.loops;
    out["loop_joints"] = summary.cuts;
    out["tree"] = summary.tree;
    out["constraint_equations"] = summary.rows;
    if (assembly.ok) {
      out["independent_equations"] = summary.rank;
      out["degrees_of_freedom"] = freedomsOfBodies(*mechanism) - summary.rank;
      if (summary.velocity_rows > 0) {
        out["degrees_of_freedom_of_positions"] = freedomsOfBodies(*mechanism) - summary.rank + summary.velocity_rank;
      }
      out["reaction_length"] = assembly.reaction_length;
      if (!summary.springs.empty()) {
        out["joints_of_springs"] = summary.springs;
        out["degrees_of_freedom_of_springs"] = summary.spring_freedoms;
      }
    }
  }
  if (mobility) out["mobility"] = mobilityJson(mobility->problem, mobility->report);
  return out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

void print(const Mechanism& mechanism, const Summary& summary, double reaction_length) {
  const int free_bodies = freedomsOfBodies(mechanism);
  printOut("{}{}: {}, {}, {}, {}\n", mechanism.name, mechanism.lifted ? " (planar, lifted to space)" : "",
           counted(mechanism.bodies.size(), "body", "bodies"), counted(mechanism.joints.size(), "joint", "joints"),
           counted(mechanism.drives.size(), "drive", "drives"), counted(mechanism.loads.size(), "load", "loads"));
  if (summary.loops == 0) {
    printOut("no closed loops\n");
  } else {
    printOut("{} closed {}, closed at {}\n", summary.loops, summary.loops == 1 ? "loop" : "loops",
             fmt::join(summary.cuts, ", "));
  }
  const int freedoms = free_bodies - summary.rank;
  printOut("{} constraint equations, {} independent in the assembled pose: {} {} of freedom\n", summary.rows,
           summary.rank, freedoms, freedoms == 1 ? "degree" : "degrees");
  if (summary.velocity_rows > 0) {
    const int of_positions = freedoms + summary.velocity_rank;
    printOut("that is of velocities; {} hold{} velocities alone, and of positions there {} {}\n",
             counted(static_cast<std::size_t>(summary.velocity_rows), "equation", "equations"),
             summary.velocity_rows == 1 ? "s" : "", of_positions == 1 ? "is" : "are", of_positions);
  }
  if (!summary.springs.empty()) {
    printOut("{} {} {} made of springs, which add {}\n", summary.springs.size() == 1 ? "joint" : "joints",
             fmt::join(summary.springs, ", "), summary.springs.size() == 1 ? "is" : "are",
             counted(static_cast<std::size_t>(summary.spring_freedoms), "degree of freedom", "degrees of freedom"));
  }
  if (summary.rank < summary.rows) {
    const int repeated = summary.rows - summary.rank;
    printOut("Gruebler's count gives {}: {} what the others say, and some reactions are not unique\n",
             free_bodies - summary.rows,
             repeated == 1 ? std::string("1 equation repeats") : fmt::format("{} equations repeat", repeated));
    printOut("reaction length {:.6g} m: by it moments are divided where the least of many reactions is chosen\n",
             reaction_length);
  }
}

int run(const Options& options) {
  if (isEquationsFile(options.file)) return checkEquations(options, options.mobility, options.json);
  Diagnostics diagnostics;
  const std::optional<Mechanism> mechanism = readModel(options, diagnostics);
  Summary summary;
  Assembly assembly;
  if (mechanism) {
    summary = summarise(*mechanism);
    assembly = assemble(*mechanism);
    summary.rank = summary.rows - static_cast<int>(assembly.dependent_rows.size());
    summary.velocity_rank = assembly.velocity_rank;
    noteSprings(*mechanism, summary);
    const std::size_t printed = diagnostics.all().size();
    addFindings(*mechanism, assembly, diagnostics);
    for (std::size_t k = printed; k < diagnostics.all().size(); ++k) printErr("{}\n", format(diagnostics.all()[k]));
    if (assembly.ok) addIntegrableRows(*mechanism, assembly, diagnostics);
  }
  std::optional<Mobility> mobility;
  // Where lengths do not fit there is no pose whose rank could be told.
  if (mechanism && options.mobility && assembly.misfit == 0.0) mobility = mobilityOf(*mechanism, assembly);
  if (options.json) {
    printOut("{}\n", jsonOf(mechanism ? &*mechanism : nullptr, diagnostics, summary, assembly, mobility));
  } else if (mechanism) {
    if (assembly.ok) print(*mechanism, summary, assembly.reaction_length);
    if (mobility) printOut("\n{}", mobilityText(mobility->problem, mobility->report));
    if (options.mobility && assembly.misfit > 0.0) {
      printOut("\nmobility: not looked at, because the lengths do not fit; see the warning\n");
    }
  }
  if (!mechanism) return kBadInput;
  return assembly.ok ? kGood : kNumericalFailure;
}

}  // namespace

void addCheck(CommandLine& line) {
  auto options = std::make_shared<Options>();
  Verb& verb = line.add("check", "Read a model file, list everything that is wrong with it, and say what it describes",
                        [options] { return run(*options); });
  options->addFile(verb);
  options->addSpace(verb);
  verb.add("--mobility", options->mobility,
           "How the mechanism can move, which constraints repeat each other, which reactions are unique");
  verb.add("--json", options->json, "Findings and summary as JSON");
}

}  // namespace linkwork::app
