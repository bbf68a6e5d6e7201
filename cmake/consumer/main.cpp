// The smallest program that uses an installed Linkwork: reads a model and runs it.
#include <cstdio>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/read/model_file.hpp"
#include "linkwork/simulate/simulate.hpp"

int main(int count, char** arguments) {
  if (count < 2) return 2;
  linkwork::Diagnostics diagnostics;
  const auto mechanism = linkwork::readModelFile(arguments[1], diagnostics);
  if (!mechanism) return 1;
  const linkwork::Assembly start = linkwork::assemble(*mechanism);
  linkwork::RunOptions options = linkwork::runOptions(*mechanism);
  options.until = 0.1;
  const linkwork::Result result = linkwork::simulate(*mechanism, start, options);
  std::printf("%zu bodies, %zu samples\n", mechanism->bodies.size(), result.time.size());
  return result.status == linkwork::RunStatus::complete ? 0 : 1;
}
