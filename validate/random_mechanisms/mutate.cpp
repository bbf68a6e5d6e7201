#include "mutate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "text_pieces.hpp"

namespace linkwork::random_mechanisms {

namespace {

constexpr std::array<std::string_view, 46> kWords{
    "revolute",     "prismatic",   "pin_slot",  "fixed",     "distance",
    "spherical",    "cylindrical", "universal", "planar",    "screw",
    "floating",     "point_line",  "rod",       "disc",      "box",
    "spring",       "damper",      "force",     "couple",    "actuator",
    "bushing",      "mass",        "inertia",   "com",       "axis",
    "at",           "on",          "stiffness", "damping",   "free_length",
    "tension_only", "length",      "absolute",  "recursive", "linkage",
    "hamiltonian",  "projection",  "baumgarte", "ggl",       "index3",
    "radau5",       "dop853",      "cvode",     "rk4",       "generalized_alpha",
    "ground"};

constexpr std::array<std::string_view, 12> kNumbers{"0",   "-1",  "1e-12", "1e12", "1e-300", "1e300",
                                                    "nan", "inf", "1e-6",  "1e6",  "3",      "-0.5"};

int lastOf(const Lines& lines) { return static_cast<int>(lines.size()) - 1; }

std::size_t someLine(const Lines& lines, Draws& draws) {
  return static_cast<std::size_t>(draws.below(static_cast<int>(lines.size())));
}

void changeNumber(std::string& line, Draws& draws) {
  const std::vector<Piece> numbers = numbersIn(line);
  if (numbers.empty()) return;
  const Piece place = numbers[static_cast<std::size_t>(draws.below(static_cast<int>(numbers.size())))];
  const double value = std::strtod(line.c_str() + place.begin, nullptr);
  std::string other(kNumbers[static_cast<std::size_t>(draws.below(static_cast<int>(kNumbers.size())))]);
  switch (draws.below(5)) {
    case 0: other = fmt::format("{}", -value); break;
    case 1: other = fmt::format("{}", value * std::pow(10.0, draws.from(-6, 6))); break;
    case 2: other = fmt::format("{:.3g}", value * (1.0 + 1e-3 * draws.between(-1, 1))); break;
    default: break;
  }
  line.replace(place.begin, place.end - place.begin, other);
}

// A word of the line becomes another of the file's, or one of the language's.
void changeWord(Lines& lines, std::string& line, Draws& draws) {
  const std::vector<Piece> words = wordsIn(line);
  if (words.empty()) return;
  const Piece place = words[static_cast<std::size_t>(draws.below(static_cast<int>(words.size())))];
  std::string other(kWords[static_cast<std::size_t>(draws.below(static_cast<int>(kWords.size())))]);
  if (draws.chance(0.6)) {
    const std::string& from = lines[someLine(lines, draws)];
    const std::vector<Piece> others = wordsIn(from);
    if (others.empty()) return;
    const Piece taken = others[static_cast<std::size_t>(draws.below(static_cast<int>(others.size())))];
    other = from.substr(taken.begin, taken.end - taken.begin);
  }
  line.replace(place.begin, place.end - place.begin, other);
}

void changeOnce(Lines& lines, Draws& draws) {
  if (lines.size() < 2) return;
  const std::size_t k = someLine(lines, draws);
  switch (draws.below(14)) {
    case 0: lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(k)); return;
    case 1: std::swap(lines[k], lines[someLine(lines, draws)]); return;
    case 2: {
      std::string copy = lines[k];
      if (!copy.empty()) copy.insert(0, 1, 'z');  // another name
      lines.insert(lines.begin() + draws.from(0, lastOf(lines)), copy);
      return;
    }
    case 3:
      if (!lines[k].empty())
        lines[k].erase(static_cast<std::size_t>(draws.below(static_cast<int>(lines[k].size()))), 1);
      return;
    case 4:
    case 5: changeWord(lines, lines[k], draws); return;
    default: changeNumber(lines[k], draws); return;
  }
}

}  // namespace

std::string mutated(const std::string& text, Draws& draws) {
  Lines lines = linesOf(text);
  // Comments and empty lines are not worth a change.
  std::erase_if(lines, [](const std::string& line) { return line.empty() || line.front() == '#'; });
  const int changes = draws.chance(0.6) ? 1 : draws.from(2, 4);  // the more, the rather it is refused
  for (int k = 0; k < changes; ++k) changeOnce(lines, draws);
  return textOf(lines);
}

}  // namespace linkwork::random_mechanisms
