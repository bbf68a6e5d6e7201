// linkwork equations: the equations of motion of a model written out, to read or to compile.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <ostream>
#include <sstream>

#include "equations_json.hpp"
#include "equations_linear.hpp"
#include "equations_steady.hpp"
#include "equations_verbs.hpp"
#include "linkwork/codegen/equation_counts.hpp"
#include "linkwork/codegen/equations_file_program.hpp"
#include "linkwork/codegen/program_names.hpp"
#include "linkwork/codegen/program_printers.hpp"
#include "linkwork/files/atomic_file.hpp"
#include "linkwork/formulation/make_system.hpp"
#include "linkwork/report/equations_page.hpp"
#include "linkwork/simulate/provenance.hpp"
#include "linkwork/simulate/still_result.hpp"
#include "output.hpp"
#include "result_output.hpp"
#include "verbs.hpp"

namespace linkwork::app {

namespace {

struct Options : SteadyOptions {
  std::string form;
  std::string task = "forward";
  std::string symbols = "all";
  std::string format = "text";
  std::string style = "auto";
  std::string letters = "links";
  std::string opening = "cut_joints";
  std::string output;
  std::string page;
  bool counts = false;
  bool no_torques = false;
  bool json = false;
  bool steady = false;
};

bool isCode(const std::string& format) { return format != "text" && format != "latex" && format != "mathml"; }

std::vector<std::string> listOf(const std::string& words) {
  std::vector<std::string> out;
  std::stringstream stream(words);
  for (std::string word; std::getline(stream, word, ',');) {
    if (!word.empty()) out.push_back(word);
  }
  return out;
}

EquationRequest requestOf(const Options& options, const Mechanism& mechanism) {
  EquationRequest request;
  request.task = *equationTaskNamed(options.task);
  request.form = options.form.empty() ? usualForm(mechanism, request.task).form : *writtenFormNamed(options.form);
  request.torques = options.no_torques ? Torques::none : Torques::given;
  if (options.letters == "model") request.letters = LinkLetters::model;
  request.opening = openingOf(options.opening);
  request.all_symbols = options.symbols == "all";
  if (!request.all_symbols && options.symbols != "none") request.symbols = listOf(options.symbols);
  if (options.style == "vectors") request.style = EquationStyle::vectors;
  if (options.style == "sweep") request.style = EquationStyle::vectors_and_sweep;
  if (options.style == "auto" && isCode(options.format)) request.style = cheapestStyle(mechanism, request);
  return request;
}

std::string toRead(const EquationProgram& program, const std::string& format) {
  if (format == "text") return programText(program);
  return format == "latex" ? programLatex(program) : programMathml(program);
}

std::string asCode(const ProgramSteps& steps, const std::string& format) {
  if (format == "c") return programC(steps);
  if (format == "cpp") return programCpp(steps);
  if (format == "python") return programPython(steps);
  return format == "matlab" ? programMatlab(steps) : programJulia(steps);
}

int print(const std::string& text, const std::string& output) {
  if (output.empty() || output == "-") {
    writeOut(text);
    return kGood;
  }
  const std::string problem = writeAtomically(output, [&](std::ostream& file) { file << text; });
  if (problem.empty()) return kGood;
  printErr("linkwork equations: error: {}\n", problem);
  return kBadInput;
}

// The command that prints the same equations, for the page.
std::string commandFor(const Options& options, const Mechanism& mechanism) {
  std::string out = fmt::format("linkwork equations {}{}", options.file, parametersSetAsOptions(mechanism));
  if (!options.form.empty()) out += " --form " + options.form;
  if (options.task != "forward") out += " --for " + options.task;
  if (options.symbols != "all") out += " --symbols " + options.symbols;
  if (options.style != "auto") out += " --style " + options.style;
  if (options.opening != "cut_joints") out += " --opening " + options.opening;
  if (options.steady) out += " --steady";
  return out + (options.no_torques ? " --no-torques" : "");
}

// The assembled pose, if there is one; why not is no concern of the equations.
Result poseOf(const Mechanism& mechanism) {
  const Assembly assembly = assemble(mechanism);
  if (assembly.ok) return stillResult(mechanism, assembly, 0.0, assembly.state());
  Result out;
  out.name = mechanism.name;
  return out;
}

// What is to be written, of a mechanism or of a file of equations; the latter's frame stands for the mechanism.
struct Written {
  Mechanism mechanism;
  EquationRequest request;
  EquationProgram program;
  std::vector<FormCost> costs;
  bool of_equations = false;
};

int writeThePage(const Written& written, const Diagnostics& diagnostics, const Options& options) {
  const Mechanism& mechanism = written.mechanism;
  Result still;
  still.name = mechanism.name;
  const std::vector<FormCost> costs =
      written.of_equations ? std::vector<FormCost>() : costsOfForms(mechanism, written.request);
  const std::string data =
      equationsPageData(mechanism, written.program, costs, written.of_equations ? still : poseOf(mechanism),
                        commandFor(options, mechanism), warningsOf(diagnostics));
  if (const std::string problem = writePageFile(data, options.page); !problem.empty()) {
    printErr("linkwork equations: error: {}\n", problem);
    return kBadInput;
  }
  printErr("wrote {}\n", options.page);
  return kGood;
}

// --steady goes with one form and task; empty if all is well.
std::string steadyProblem(const Options& options) {
  if (!options.steady)
    return options.given.empty() && options.find.empty() ? "" : "--given and --find go with --steady.";
  const bool form_fits = options.form == "quasivelocity" || (options.form.empty() && isEquationsFile(options.file));
  if (form_fits && options.task == "linear" && !options.counts) return {};
  return "--steady is for --form quasivelocity --for linear.";
}

// Page, file or print.
int put(Written written, const Diagnostics& diagnostics, const Options& options) {
  const Mechanism& mechanism = written.mechanism;
  EquationProgram& program = written.program;
  if (!mechanism.set.empty()) program.notes.push_back(parametersSetInWords(mechanism));
  const std::filesystem::path model(mechanism.file_name);
  // A function of MATLAB has the name of its file.
  const std::string wanted = options.output.empty() || options.output == "-"
                                 ? fmt::format("{}_{}", model.stem().string(), wordFor(written.request.task))
                                 : std::filesystem::path(options.output).stem().string();
  program.function = legalName(wanted);
  program.source = model.filename().string();
  if (!options.page.empty()) {
    const int code = writeThePage(written, diagnostics, options);
    if (code != kGood || (options.output.empty() && !options.json)) return code;
  }
  if (options.json) {
    const std::vector<WrittenForm> forms =
        written.of_equations ? std::vector{WrittenForm::quasivelocity} : allWrittenForms();
    return print(equationsJson(mechanism, written.request, program, written.costs, forms), options.output);
  }
  if (!isCode(options.format)) return print(toRead(program, options.format), options.output);
  const ProgramSteps steps = stepsOf(program);
  if (const std::optional<std::string> why = whyNotCode(steps)) {
    printErr("{}: error: {} cannot be written: {}.\n", mechanism.file_name, options.format, *why);
    return kBadInput;
  }
  return print(asCode(steps, options.format), options.output);
}

// Of a file of equations there is one form, with nothing to choose but the task and letters.
int runEquations(const Options& options) {
  const bool other_form = !options.form.empty() && options.form != "quasivelocity";
  if (refusesOptions("equations", {{"--form", other_form},
                                   {"--style", options.style != "auto"},
                                   {"--letters", options.letters != "links"},
                                   {"--opening", options.opening != "cut_joints"},
                                   {"--counts", options.counts},
                                   {"--no-torques", options.no_torques}}))
    return kBadInput;
  Diagnostics diagnostics;
  const std::optional<EquationsModel> model = readEquations(options, diagnostics, options.given);
  if (!model) return kBadInput;
  EquationRequest request;
  request.form = WrittenForm::quasivelocity;
  request.task = *equationTaskNamed(options.task);
  request.all_symbols = options.symbols == "all";
  if (!request.all_symbols && options.symbols != "none") request.symbols = listOf(options.symbols);
  std::map<std::string, Expr> numbers;
  std::string note;
  if (options.steady) {
    EquationsSteadyAsked asked;
    static_cast<SteadyOptions&>(asked.model) = options;
    const EquationsSteadyState state = steadyStateOfEquations(asked);
    if (state.exit_code != kGood) return state.exit_code;
    request.about = state.about;
    numbers = state.numbers;
    note = state.note;
  }
  const std::string file = options.output == "-" ? std::string() : options.output;
  if (!canBeWritten("equations", {file, options.page})) return kBadInput;
  WrittenEquations equations = writeEquationsFile(*model, request);
  if (!equations.program) {
    printErr("{}: error: {}\n", model->frame.file_name, equations.problem);
    return kBadInput;
  }
  Written written{model->frame, request, *std::move(equations.program), {}, true};
  if (options.steady) {
    written.program = written.program.withNumbers(numbers);
    written.program.notes.push_back(note);
  }
  return put(std::move(written), diagnostics, options);
}

int run(const Options& options) {
  if (const std::string problem = steadyProblem(options); !problem.empty()) {
    printErr("linkwork equations: error: {}\n", problem);
    return kBadInput;
  }
  if (isEquationsFile(options.file)) return runEquations(options);
  Diagnostics diagnostics;
  int code = kGood;
  const std::optional<SteadyInLetters> steady =
      options.steady ? findSteadyInLetters(options, code) : std::optional<SteadyInLetters>();
  if (code != kGood) return code;
  const std::optional<Mechanism> mechanism = steady ? steady->mechanism : readModel(options, diagnostics);
  if (!mechanism) return kBadInput;
  EquationRequest request = requestOf(options, *mechanism);
  if (steady) {
    request.velocities = steady->velocities;
    request.about = steady->about;
  }
  if (request.opening == LoopOpening::split_bodies && request.form != WrittenForm::hamiltonian && !options.counts) {
    printErr("linkwork equations: error: --opening is for --form hamiltonian, and this is {}.\n",
             wordFor(request.form));
    return kBadInput;
  }
  const std::string file = options.output == "-" ? std::string() : options.output;
  if (!canBeWritten("equations", {file, options.page})) return kBadInput;
  const std::vector<FormCost> costs = options.counts ? costsOfForms(*mechanism, request) : std::vector<FormCost>();
  if (options.counts && !options.json) return print(costsText(*mechanism, costs), options.output);
  WrittenEquations equations = writeEquations(*mechanism, request);
  if (!equations.program) {
    printErr("{}: error: {}\n", mechanism->file_name, equations.problem);
    return kBadInput;
  }
  EquationProgram& program = *equations.program;
  if (steady) {
    program = program.withNumbers(steady->numbers);
    program.notes.push_back(steady->note);
  }
  if (options.form.empty()) program.notes.insert(program.notes.begin(), usualForm(*mechanism, request.task).why);
  return put({*mechanism, request, std::move(program), costs}, diagnostics, options);
}

}  // namespace

void addEquations(CommandLine& line) {
  auto options = std::make_shared<Options>();
  Verb& verb = line.add("equations", "Write out the equations of motion, to read or to compile",
                        [options] { return run(*options); });
  options->addFile(verb);
  std::vector<std::string> forms;
  for (const WrittenForm form : allWrittenForms()) forms.emplace_back(wordFor(form));
  verb.add("--form", options->form,
           "rud, statement1 to statement6, sweep or elimination (linkages of hinges), recursive, hamiltonian "
           "(velocities and rates of impulses), quasivelocity (only the independent velocities) or absolute; the usual "
           "one: rud where it fits, else recursive, else absolute")
      .oneOf(forms);
  verb.add(
          "--for", options->task,
          "forward (accelerations; of hamiltonian: velocities and rates of impulses), inverse (torques; "
          "impulses; forces along quasi-velocities), mass-matrix (with the right-hand side), linear (small motions) or "
          "reactions")
      .oneOf({"forward", "inverse", "mass-matrix", "linear", "reactions"})
      .showDefault();
  verb.add("--symbols", options->symbols,
           "Parameters that stay letters: all, none, or a list such as m,J; the others become numbers")
      .showDefault();
  verb.add("--letters", options->letters,
           "Of linkages of hinges: links (a letter for each number of a link) or model (the parameters of the "
           "model file)")
      .oneOf({"links", "model"})
      .showDefault();
  verb.add("--format", options->format, "text, latex, mathml, c, cpp, python, matlab or julia")
      .oneOf({"text", "latex", "mathml", "c", "cpp", "python", "matlab", "julia"})
      .showDefault();
  verb.add("--style", options->style,
           "Of rud and statements 2, 3, 5, 6: printed (a cosine for every pair of vectors), vectors, sweep "
           "(vectors, right-hand side by sweeps) or auto (printed to read, the cheapest to compile)")
      .oneOf({"printed", "vectors", "sweep", "auto"})
      .showDefault();
  verb.add("--opening", options->opening, "How hamiltonian opens loops").oneOf(openingNames()).showDefault();
  verb.add(
      "--steady", options->steady,
      "With --form quasivelocity --for linear: about the model's steady motion, whose numbers take the place of the "
      "state; parameters that the motion does not depend on stay letters");
  options->addConditions(verb);
  verb.add("--no-torques", options->no_torques, "No torques in the joints beside the loads of the model");
  verb.add("--output", options->output, "File to write; a function in code is named after it");
  verb.add("--page", options->page,
           "Write a page with the equations and the operations of all forms; they are then not printed unless "
           "--output or --json asks for it");
  verb.add("--counts", options->counts, "A table of the operations of all forms instead, and which to take");
  verb.add("--json", options->json, "As one JSON object instead; with --counts also the operations of all forms");
}

}  // namespace linkwork::app
