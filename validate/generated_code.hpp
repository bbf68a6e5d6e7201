// Writes a program of equations as code, compiles and runs it on a list of states, and reads back what it says.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "linkwork/base/contract.hpp"
#include "linkwork/codegen/program_printers.hpp"

namespace linkwork::validation {

enum class Language { c, cpp, python, octave };

// A folder of its own, gone afterwards.
class ScratchFolder {
 public:
  explicit ScratchFolder(const std::string& name)
      : path_(std::filesystem::temp_directory_path() / fmt::format("linkwork_{}_{}", name, ::getpid())) {
    std::filesystem::create_directories(path_);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string name() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

inline void writeText(const std::string& file, const std::string& text) { std::ofstream(file) << text; }

inline std::string readText(const std::string& file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Throws ContractError with what the command printed if it fails.
inline void runCommand(const std::string& command, const ScratchFolder& folder) {
  const std::string log = folder.file("log.txt");
  const int status = std::system(fmt::format("cd '{}' && {{ {}; }} > log.txt 2>&1", folder.name(), command).c_str());
  expect(status == 0, fmt::format("{}\n{}", command, readText(log)));
}

// The arguments of the function in their order: names with their sizes, -1 for one number.
struct Arguments {
  std::vector<std::pair<std::string, int>> list;
  int numbers = 0;  // that make up a state

  explicit Arguments(const EquationProgram& program) {
    for (const ProgramSymbol& s : program.symbols()) {
      if (s.array.empty()) continue;
      if (list.empty() || list.back().first != s.array) list.emplace_back(s.array, s.index < 0 ? -1 : 0);
      if (s.index >= 0) list.back().second = s.index + 1;
      ++numbers;
    }
  }
};

inline int outputNumbers(const EquationProgram& program) {
  int sum = 0;
  for (const ProgramOutput& output : program.outputs) sum += static_cast<int>(output.size());
  return sum;
}

inline bool hasParameters(const ProgramSteps& steps) {
  for (const ProgramSymbol& s : steps.program.symbols()) {
    if (s.role == SymbolRole::parameter) return true;
  }
  return false;
}

// ---- drivers: a loop over the states of states.txt that prints all outputs, one state to a line

inline std::string driverInC(const ProgramSteps& steps, bool cpp) {
  const Arguments arguments(steps.program);
  const std::string f = steps.program.function;
  std::string call, declare, print;
  if (hasParameters(steps) && !cpp) call = fmt::format("&{}_defaults", f);
  int place = 0;
  const auto more = [&](const std::string& what) { call += (call.empty() ? "" : ", ") + what; };
  for (const auto& [name, size] : arguments.list) {
    if (cpp && size >= 0) {
      declare +=
          fmt::format("    std::array<double, {0}> in_{1}; for (int i = 0; i < {0}; ++i) in_{1}[i] = x[{2} + i];\n",
                      size, name, place);
      more("in_" + name);
    } else {
      more(size < 0 ? fmt::format("x[{}]", place) : fmt::format("x + {}", place));
    }
    place += size < 0 ? 1 : size;
  }
  int k = 0;
  for (const ProgramOutput& o : steps.program.outputs) {
    const std::string name = fmt::format("out_{}", k++);
    if (cpp) {
      declare += o.cols > 0 ? fmt::format("    std::array<std::array<double, {}>, {}> {};\n", o.cols, o.rows, name)
                            : fmt::format("    std::array<double, {}> {};\n", o.rows, name);
    } else {
      declare += o.cols > 0 ? fmt::format("    double {}[{}][{}];\n", name, o.rows, o.cols)
                            : fmt::format("    double {}[{}];\n", name, o.rows);
    }
    more(name);
    for (int i = 0; i < o.rows; ++i) {
      for (int j = 0; j < std::max(o.cols, 1); ++j) {
        const std::string entry = o.cols > 0 ? fmt::format("{}[{}][{}]", name, i, j) : fmt::format("{}[{}]", name, i);
        print += fmt::format("    printf(\"%.17g \", {});\n", entry);
      }
    }
  }
  return fmt::format(
      "#include <stdio.h>\n#include \"{0}.{1}\"\n"
      "int main(void) {{\n  double x[{2}];\n  FILE* file = fopen(\"states.txt\", \"r\");\n  if (!file) return 1;\n"
      "  for (;;) {{\n    for (int i = 0; i < {3}; ++i) if (fscanf(file, \"%lf\", x + i) != 1) {{ fclose(file); return "
      "0; }}\n"
      "{4}    {5}({6});\n{7}    printf(\"\\n\");\n  }}\n}}\n",
      f, cpp ? "hpp" : "c", std::max(arguments.numbers, 1), arguments.numbers, declare, cpp ? f + "()" : f, call,
      print);
}

inline std::string driverInPython(const ProgramSteps& steps) {
  const Arguments arguments(steps.program);
  const std::string f = steps.program.function;
  std::string call = hasParameters(steps) ? fmt::format("{}.parameters", f) : "";
  int place = 0;
  for (const auto& [name, size] : arguments.list) {
    call += call.empty() ? "" : ", ";
    call += size < 0 ? fmt::format("x[{}]", place) : fmt::format("x[{}:{}]", place, place + size);
    place += size < 0 ? 1 : size;
  }
  return fmt::format(
      "import numpy as np\nimport {0}\nfor x in np.loadtxt('states.txt', ndmin=2):\n    out = {0}.{0}({1})\n"
      "    out = list(out) if isinstance(out, tuple) else [out]\n"
      "    print(' '.join(repr(float(v)) for o in out[:{2}] for v in np.ravel(o)))\n",
      f, call, steps.program.outputs.size());
}

inline std::string driverInOctave(const ProgramSteps& steps) {
  const Arguments arguments(steps.program);
  std::string call = hasParameters(steps) ? "[]" : "";
  int place = 1;
  for (const auto& [name, size] : arguments.list) {
    call += call.empty() ? "" : ", ";
    call += size < 0 ? fmt::format("x({})", place) : fmt::format("x({}:{})", place, place + size - 1);
    place += size < 0 ? 1 : size;
  }
  std::string names, print;
  for (std::size_t k = 0; k < steps.program.outputs.size(); ++k) {
    names += fmt::format("{}o{}", k > 0 ? ", " : "", k);
    print += fmt::format("  printf('%.17g ', o{}.');\n", k);
  }
  return fmt::format(
      "all = load('states.txt');\nfor k = 1:rows(all)\n  x = all(k, :);\n  [{}] = {}({});\n{}  printf('\\n');\nend\n",
      names, steps.program.function, call, print);
}

// Every state is one line of numbers, in the order of the arguments; so is every answer.
inline std::vector<std::vector<double>> runGenerated(Language language, const ProgramSteps& steps,
                                                     const std::vector<std::vector<double>>& states) {
  const ScratchFolder folder("generated");
  const std::string f = steps.program.function;
  std::string lines;
  for (const auto& state : states) {
    for (const double value : state) lines += fmt::format("{} ", value);
    lines += "\n";
  }
  writeText(folder.file("states.txt"), lines);
  switch (language) {
    case Language::c:
      writeText(folder.file(f + ".c"), programC(steps));
      writeText(folder.file("driver.c"), driverInC(steps, false));
      runCommand("cc -std=c99 -O1 -Wall -Wextra -Werror -o driver driver.c -lm && ./driver > out.txt", folder);
      break;
    case Language::cpp:
      writeText(folder.file(f + ".hpp"), programCpp(steps));
      writeText(folder.file("driver.cpp"), driverInC(steps, true));
      runCommand("c++ -std=c++17 -O1 -Wall -Wextra -Werror -o driver driver.cpp && ./driver > out.txt", folder);
      break;
    case Language::python: {
      // The system's own, which has Debian's NumPy.
      const std::string python = std::filesystem::exists("/usr/bin/python3") ? "/usr/bin/python3" : "python3";
      writeText(folder.file(f + ".py"), programPython(steps));
      writeText(folder.file("driver.py"), driverInPython(steps));
      runCommand(python + " driver.py > out.txt", folder);
      break;
    }
    case Language::octave:
      writeText(folder.file(f + ".m"), programMatlab(steps));
      writeText(folder.file("driver.m"), driverInOctave(steps));
      runCommand("octave-cli --no-init-file --no-history driver.m > out.txt", folder);
      break;
  }
  std::ifstream stream(folder.file("out.txt"));
  std::vector<std::vector<double>> out;
  const auto size = static_cast<std::size_t>(outputNumbers(steps.program));
  for (double value = 0.0; stream >> value;) {
    if (out.empty() || out.back().size() == size) out.emplace_back();
    out.back().push_back(value);
  }
  return out;
}

}  // namespace linkwork::validation
