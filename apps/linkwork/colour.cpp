#include "colour.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdlib>

namespace linkwork::app {

namespace {

constexpr std::string_view kRed = "1;31";
constexpr std::string_view kGreen = "32";
constexpr std::string_view kYellow = "33";
constexpr std::string_view kBlue = "34";

// Of standard output and standard error, which need not go to the same place.
struct Chosen {
  bool out = false;
  bool err = false;
};
Chosen chosen;

bool isSet(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

bool hasColours(int stream) {
  const char* kind = std::getenv("TERM");
  return ::isatty(stream) == 1 && !isSet("NO_COLOR") && kind != nullptr && std::string_view(kind) != "dumb";
}

std::string in(std::string_view colour, std::string_view text) {
  return fmt::format("\x1b[{}m{}\x1b[0m", colour, text);
}

struct FindingWord {
  std::string_view text, colour;
};
constexpr std::array<FindingWord, 3> kFindingWords{FindingWord{"error:", kRed}, FindingWord{"warning:", kYellow},
                                                   FindingWord{"note:", kBlue}};

// The first of these words in a line, at its beginning or behind a place.
std::string paintedLine(std::string_view line) {
  std::size_t first = std::string_view::npos;
  const FindingWord* word = nullptr;
  for (const FindingWord& one : kFindingWords) {
    const std::size_t at = line.find(one.text);
    if (at >= first || (at > 0 && (at < 2 || line.substr(at - 2, 2) != ": "))) continue;
    first = at;
    word = &one;
  }
  if (word == nullptr) return std::string(line);
  return std::string(line.substr(0, first)) + in(word->colour, word->text) +
         std::string(line.substr(first + word->text.size()));
}

}  // namespace

void chooseColours(std::string_view when) {
  const bool always = when == "always";
  chosen.out = always || (when == "auto" && hasColours(STDOUT_FILENO));
  chosen.err = always || (when == "auto" && hasColours(STDERR_FILENO));
}

std::string painted(std::string_view text, Grade grade) {
  if (!chosen.out) return std::string(text);
  return in(grade == Grade::good ? kGreen : grade == Grade::fair ? kYellow : kRed, text);
}

std::string paintedFindings(std::string_view text) {
  if (!chosen.err) return std::string(text);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    out += paintedLine(text.substr(at, end - at));
    if (end == std::string_view::npos) break;
    out += '\n';
    at = end + 1;
  }
  return out;
}

}  // namespace linkwork::app
