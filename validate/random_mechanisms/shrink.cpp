#include "shrink.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <vector>

#include "text_pieces.hpp"

namespace linkwork::random_mechanisms {

namespace {

// The place of a whole word in a line, or npos.
std::size_t findWord(const std::string& line, const std::string& word, std::size_t from = 0) {
  for (std::size_t at = line.find(word, from); at != std::string::npos; at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !isWordLetter(line[at - 1])) && (end == line.size() || !isWordLetter(line[end]))) return at;
  }
  return std::string::npos;
}

// The name that a line defines: "b1" of "b1 = { ... }".
std::string nameIn(const std::string& line) {
  std::size_t end = 0;
  while (end < line.size() && isWordLetter(line[end])) ++end;
  return line.compare(end, 3, " = ") == 0 ? line.substr(0, end) : "";
}

// The ends of ", key = value" that begins at a comma: up to the next comma or brace outside of brackets and quotes.
std::size_t endOfPair(const std::string& line, std::size_t comma) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t k = comma + 1; k < line.size(); ++k) {
    if (line[k] == '"') quoted = !quoted;
    if (quoted) continue;
    if (line[k] == '[' || line[k] == '{') ++depth;
    if (line[k] == ']' || line[k] == '}') {
      if (depth == 0) return k;
      --depth;
    }
    if (line[k] == ',' && depth == 0) return k;
  }
  return std::string::npos;
}

// Every number of a line to so many digits.
std::string rounded(const std::string& line, int digits) {
  std::string out;
  std::size_t done = 0;
  for (const Piece& place : numbersIn(line)) {
    out += line.substr(done, place.begin - done);
    out += fmt::format("{:.{}g}", std::strtod(line.c_str() + place.begin, nullptr), digits);
    done = place.end;
  }
  return out + line.substr(done);
}

class Shrinker {
 public:
  Shrinker(std::string text, const Shows& shows, int questions)
      : lines_(linesOf(text)), shows_(shows), questions_(questions) {}

  std::string go() {
    for (bool smaller = true; smaller && questions_ > 0;) {
      smaller = leaveOutNames();
      smaller = tieToGround() || smaller;
      smaller = leaveOutLines() || smaller;
      smaller = leaveOutKeys() || smaller;
      smaller = shortenNumbers() || smaller;
    }
    return textOf(lines_);
  }

 private:
  bool take(Lines candidate) {
    if (candidate == lines_ || questions_ <= 0) return false;
    --questions_;
    if (!shows_(textOf(candidate))) return false;
    lines_ = std::move(candidate);
    return true;
  }

  Lines names() const {
    Lines out;
    for (const std::string& line : lines_) {
      if (std::string name = nameIn(line); !name.empty()) out.push_back(name);
    }
    return out;
  }

  // A body, joint, point or load, with all that mentions it.
  bool leaveOutNames() {
    bool any = false;
    for (const std::string& name : names()) {
      Lines candidate = lines_;
      std::erase_if(candidate, [&](const std::string& line) { return findWord(line, name) != std::string::npos; });
      any = take(std::move(candidate)) || any;
    }
    return any;
  }

  // What was joined to a body is joined to the ground instead.
  bool tieToGround() {
    bool any = false;
    for (const std::string& name : names()) {
      Lines candidate;
      for (std::string line : lines_) {
        if (nameIn(line) == name) continue;
        for (std::size_t at = findWord(line, name); at != std::string::npos; at = findWord(line, name, at + 1))
          line.replace(at, name.size(), "ground");
        candidate.push_back(line);
      }
      any = take(std::move(candidate)) || any;
    }
    return any;
  }

  bool leaveOutLines() {
    bool any = false;
    for (std::size_t k = lines_.size(); k-- > 0;) {
      if (k >= lines_.size()) continue;
      Lines candidate = lines_;
      candidate.erase(candidate.begin() + static_cast<std::ptrdiff_t>(k));
      any = take(std::move(candidate)) || any;
    }
    return any;
  }

  bool leaveOutKeys() {
    bool any = false;
    for (std::size_t k = 0; k < lines_.size(); ++k) {
      for (std::size_t comma = lines_[k].rfind(", "); comma != std::string::npos && comma > 0;
           comma = lines_[k].rfind(", ", comma - 1)) {
        const std::size_t end = endOfPair(lines_[k], comma);
        if (end == std::string::npos || !std::isalpha(static_cast<unsigned char>(lines_[k][comma + 2]))) continue;
        Lines candidate = lines_;
        candidate[k].erase(comma, end - comma);
        any = take(std::move(candidate)) || any;
        if (comma >= lines_[k].size()) comma = lines_[k].size();
      }
    }
    return any;
  }

  bool shortenNumbers() {
    bool any = false;
    for (const int digits : {1, 2, 4}) {
      Lines all = lines_;
      for (std::string& line : all) line = rounded(line, digits);
      if (take(std::move(all))) return true;
    }
    for (std::size_t k = 0; k < lines_.size(); ++k) {
      for (const int digits : {1, 2, 4}) {
        Lines candidate = lines_;
        candidate[k] = rounded(candidate[k], digits);
        if (!take(std::move(candidate))) continue;
        any = true;
        break;
      }
    }
    return any;
  }

  Lines lines_;
  const Shows& shows_;
  int questions_;
};

}  // namespace

std::string shrunk(std::string text, const Shows& shows, int questions) {
  return Shrinker(std::move(text), shows, questions).go();
}

}  // namespace linkwork::random_mechanisms
