// linkwork: the command line.
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>

#include "linkwork/base/version.hpp"
#include "verbs.hpp"

int main(int argc, char** argv) {
  using namespace linkwork::app;
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error to report, not to die of
  CLI::App app{"Linkwork: how a mechanism moves, what its joints carry, and whether the answer is right."};
  app.set_version_flag("--version", std::string("linkwork ") + std::string(linkwork::kVersion));
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::help);
  app.footer(
      "Exit codes: 0 good, 1 bad input or no place to write, 2 numerical failure, 3 what --fail-if names or --within "
      "forbids, 130 interrupted.");
  int exit_code = kGood;
  addCheck(app, exit_code);
  addAssemble(app, exit_code);
  addSimulate(app, exit_code);
  addCompare(app, exit_code);
  addExplain(app, exit_code);
  addEquations(app, exit_code);
  addLinearize(app, exit_code);
  addModes(app, exit_code);
  addKinematics(app, exit_code);
  addInverse(app, exit_code);
  addStatics(app, exit_code);
  addMethods(app, exit_code);
  addView(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? kGood : kBadInput;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "linkwork: error: %s\nThis should not happen; please report it with the model file.\n",
                 error.what());
    return kNumericalFailure;
  }
  return exit_code;
}
