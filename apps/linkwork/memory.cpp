#include "memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <limits>

#include "output.hpp"

namespace linkwork::app {

namespace {

// Told by those who know it to the one place that needs it, where an exception that says nothing arrives (main.cpp).
Workload at_work;

double memoryOfMachine() {
  double out = std::numeric_limits<double>::infinity();
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long size = ::sysconf(_SC_PAGESIZE);
  if (pages > 0 && size > 0) out = static_cast<double>(pages) * static_cast<double>(size);
  for (const auto which : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit limit{};
    if (::getrlimit(which, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
      out = std::min(out, static_cast<double>(limit.rlim_cur));
  }
  return out;
}

std::string sizeText(double bytes) {
  return bytes < 1e9 ? fmt::format("{:.3g} MB", bytes * 1e-6) : fmt::format("{:.3g} GB", bytes * 1e-9);
}

std::string workText(const Workload& work) {
  std::string bodies = fmt::format("{} {}", work.bodies, work.bodies == 1 ? "body" : "bodies");
  if (work.samples == 0.0) return bodies;
  return fmt::format("{} and {:.0f} samples of {:.0f} series ({} of numbers)", bodies, work.samples, work.series,
                     sizeText(work.bytes()));
}

std::string wayOut(const Workload& work) {
  return work.samples == 0.0 ? "take a model with fewer bodies, or allow the program more"
                             : "record fewer samples by a greater --output-step or an earlier --until, or take a model "
                               "with fewer bodies";
}

}  // namespace

Workload workloadOf(const Mechanism& mechanism, double until, double output_step, Columns columns, int runs) {
  const double step = output_step > 0.0 ? output_step : usualOutputStep(until);
  const auto series = static_cast<double>(Recorder(mechanism, 0, columns).series().size() + 1);  // and the time
  return {mechanism.bodies.size(), until / step + 1.0, runs * series};
}

void beginWork(const Workload& work) { at_work = work; }

bool beginRun(std::string_view verb, const Workload& work) {
  beginWork(work);
  const double memory = memoryOfMachine();
  if (work.bytes() <= memory) return true;
  printErr("linkwork {}: error: the results would not fit into memory, of which there is {}: {}; {}.\n", verb,
           sizeText(memory), workText(work), wayOut(work));
  return false;
}

std::string memoryWords() {
  if (at_work.bodies == 0) return "the memory is exhausted; allow the program more, or read a smaller file.";
  return fmt::format("the memory is exhausted, with {}; {}.", workText(at_work), wayOut(at_work));
}

}  // namespace linkwork::app
