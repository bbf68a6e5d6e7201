#include "progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "output.hpp"

namespace linkwork::app {

namespace {

constexpr int kBar = 24;

std::string durationText(double seconds) {
  if (!(seconds < 1e7)) return "long";
  const auto whole = static_cast<long>(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

}  // namespace

std::string progressLine(double t, double until, double t_begin, double elapsed_s) {
  const double share = std::clamp(t / until, 0.0, 1.0);
  const auto full = static_cast<int>(share * kBar);
  std::string line = fmt::format("[{:#<{}}{:.<{}}] {:3.0f} %  t = {:.4g} of {:.4g} s", "", full, "", kBar - full,
                                 std::floor(100.0 * share), t, until);
  // A first second is no measure of the rest.
  if (elapsed_s >= 1.0 && t > t_begin)
    line += fmt::format(", {} left", durationText(elapsed_s * (until - t) / (t - t_begin)));
  return line;
}

Progress::Progress() : terminal_(::isatty(2) == 1), begin_(std::chrono::steady_clock::now()), last_(begin_) {}

void Progress::show(double t, double until) {
  if (!terminal_) return;
  const auto now = std::chrono::steady_clock::now();
  if (!begun_) {
    begun_ = true;
    t_begin_ = t;
    begin_ = now;
  }
  if (now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  shown_ = true;
  printErr("\r{:<78}", progressLine(t, until, t_begin_, std::chrono::duration<double>(now - begin_).count()));
}

void Progress::clear() {
  if (shown_) printErr("\r{:78}\r", "");
  shown_ = false;
}

}  // namespace linkwork::app
