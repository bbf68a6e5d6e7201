// linkwork: the command line.
#include <csignal>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "linkwork/base/version.hpp"
#include "memory.hpp"
#include "output.hpp"
#include "verbs.hpp"

int main(int argc, char** argv) {
  using namespace linkwork::app;
  guardStandardFiles();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error to report, not to die of
  std::signal(SIGPIPE, SIG_IGN);  // nor is a reader of the summary that has seen enough: results are written yet
  CommandLine line("Linkwork: how a mechanism moves, what its joints carry, and whether the answer is right.",
                   std::string("linkwork ") + std::string(linkwork::kVersion),
                   "Exit codes: 0 good, 1 bad input or no place to write, 2 numerical failure, 3 what --fail-if names "
                   "or --within forbids, 130 interrupted.");
  addCheck(line);
  addAssemble(line);
  addSimulate(line);
  addCompare(line);
  addExplain(line);
  addEquations(line);
  addLinearize(line);
  addModes(line);
  addKinematics(line);
  addInverse(line);
  addStatics(line);
  addSteady(line);
  addLocus(line);
  addMethods(line);
  addView(line);
  int code = kNumericalFailure;
  try {
    code = line.run(argc, argv);
  } catch (const std::bad_alloc&) {
    printErr("linkwork: error: {}\n", memoryWords());
  } catch (const std::length_error&) {
    printErr("linkwork: error: {}\n", memoryWords());
  } catch (const std::exception& error) {
    printErr("linkwork: error: {}\nThis should not happen; please report it with the model file.\n", error.what());
  }
  return finishOutput(code);
}
