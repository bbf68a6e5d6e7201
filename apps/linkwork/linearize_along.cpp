#include "linearize_along.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "linkwork/files/atomic_file.hpp"
#include "linkwork/files/json_settings.hpp"
#include "linkwork/files/stored_run.hpp"
#include "linkwork/model/input_names.hpp"
#include "linkwork/study/linearise_along.hpp"
#include "output.hpp"
#include "result_output.hpp"

namespace linkwork::app {

namespace {

using Json = nlohmann::ordered_json;

struct Part {
  const char* name;
  Eigen::MatrixXd Linearisation::*matrix;
  std::vector<std::string> rows, columns;
};

std::vector<std::string> namesOf(const std::vector<LinearSignal>& signals) {
  std::vector<std::string> out;
  for (const LinearSignal& signal : signals) out.push_back(signal.name);
  return out;
}

std::vector<Part> partsOf(const Linearisation& linear) {
  const auto states = linear.stateNames();
  const auto inputs = namesOf(linear.inputs);
  const auto outputs = namesOf(linear.outputs);
  std::vector<Part> out{{"A", &Linearisation::A, states, states}};
  if (!inputs.empty()) out.push_back({"B", &Linearisation::B, states, inputs});
  if (!outputs.empty()) out.push_back({"C", &Linearisation::C_y, outputs, states});
  if (!inputs.empty() && !outputs.empty()) out.push_back({"D", &Linearisation::D, outputs, inputs});
  return out;
}

// A line for each sample, a column for each entry: "A[O.angle_rate,O.angle]".
void writeTable(std::ostream& file, const LinearAlong& along) {
  const std::vector<Part> parts = partsOf(along.linear.front());
  file << "t [s]";
  for (const Part& part : parts) {
    for (const std::string& row : part.rows) {
      for (const std::string& column : part.columns) {
        file << ',' << csvText(fmt::format("{}[{},{}]", part.name, row, column));
      }
    }
  }
  file << '\n';
  for (std::size_t k = 0; k < along.time.size(); ++k) {
    file << fmt::format("{}", along.time[k]);
    for (const Part& part : parts) {
      const Eigen::MatrixXd& matrix = along.linear[k].*part.matrix;
      for (Eigen::Index r = 0; r < matrix.rows(); ++r) {
        for (Eigen::Index c = 0; c < matrix.cols(); ++c) file << ',' << fmt::format("{}", matrix(r, c));
      }
    }
    file << '\n';
  }
}

Json signalsJson(const std::vector<std::string>& names, const std::vector<std::string>& units) {
  Json out = Json::array();
  for (std::size_t k = 0; k < names.size(); ++k) out.push_back({{"name", names[k]}, {"unit", units[k]}});
  return out;
}

std::vector<std::string> unitsOf(const std::vector<LinearSignal>& signals) {
  std::vector<std::string> out;
  for (const LinearSignal& signal : signals) out.push_back(signal.unit);
  return out;
}

Json toJson(const Mechanism& mechanism, const LinearAlong& along, const std::string& run) {
  const Linearisation& first = along.linear.front();
  Json out;
  out["model"] = mechanism.file_name;
  addParametersSet(mechanism, out);
  out["along"] = run;
  out["states"] = signalsJson(first.stateNames(), first.stateUnits());
  out["inputs"] = signalsJson(namesOf(first.inputs), unitsOf(first.inputs));
  out["outputs"] = signalsJson(namesOf(first.outputs), unitsOf(first.outputs));
  out["time"] = along.time;
  for (const Part& part : partsOf(first)) {
    Json& list = out[part.name];
    list = Json::array();
    for (const Linearisation& linear : along.linear) list.push_back(matrixJson(linear.*part.matrix));
  }
  return out;
}

// The greatest change of any entry along the run, relative to the largest of its matrix.
double changeOf(const LinearAlong& along, const Part& part) {
  double change = 0.0;
  double size = 0.0;
  const Eigen::MatrixXd& first = along.linear.front().*part.matrix;
  for (const Linearisation& linear : along.linear) {
    const Eigen::MatrixXd& matrix = linear.*part.matrix;
    if (matrix.size() == 0) continue;
    change = std::max(change, (matrix - first).cwiseAbs().maxCoeff());
    size = std::max(size, matrix.cwiseAbs().maxCoeff());
  }
  return size > 0.0 ? change / size : 0.0;
}

void print(const LinearAlong& along) {
  const Linearisation& first = along.linear.front();
  printOut("{} samples from t = {:.9g} to {:.9g} s; {} states, {} inputs, {} outputs\n", along.time.size(),
           along.time.front(), along.time.back(), first.stateNames().size(), first.inputs.size(), first.outputs.size());
  for (const Part& part : partsOf(first)) {
    const double change = changeOf(along, part);
    printOut("  {}(t) {}\n", part.name,
             change <= 1e-9 ? "is constant" : fmt::format("changes by up to {:.3g} of its largest entry", change));
  }
}

}  // namespace

int linearizeAlong(const LinearStateOptions& state, const AlongOptions& options) {
  Diagnostics diagnostics;
  const std::optional<Mechanism> named = readModel(state, diagnostics, InputsAs::names);
  if (!named) return kBadInput;
  const std::optional<Assembly> assembly = assembleModel(withInputValues(*named));
  if (!assembly) return kNumericalFailure;
  const std::string path = options.out.empty() ? std::string() : options.out + "_along.csv";
  if (!canBeWritten("linearize", {path})) return kBadInput;
  const auto failed = [](const std::string& problem) {
    printErr("linkwork linearize: error: {}\n", problem);
    return kBadInput;
  };
  const StoredRun run = readStored(options.run);
  if (!run.problem.empty()) return failed(run.problem);
  if (!run.page_data.empty()) {
    return failed(fmt::format("--along {}: a page holds a thinned run. Name the CSV, JSON or HDF5 file.", options.run));
  }
  const LinearAlong along = lineariseAlong(*named, *assembly, run.result, state.coordinates);
  if (!along.ok) {
    printErr("{}: error: --along {}: {}.{}{}\n", named->file_name, options.run, along.problem,
             along.hint.empty() ? "" : " ", along.hint);
    return kNumericalFailure;
  }
  if (options.json) {
    printOut("{}\n", toJson(*named, along, options.run).dump());
  } else {
    print(along);
  }
  if (path.empty()) return kGood;
  const std::string problem = writeAtomically(path, [&](std::ostream& file) { writeTable(file, along); });
  if (!problem.empty()) return failed(problem);
  printErr("wrote {}\n", path);
  return kGood;
}

}  // namespace linkwork::app
