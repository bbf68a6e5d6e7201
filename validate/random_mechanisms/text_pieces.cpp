#include "text_pieces.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <sstream>

namespace linkwork::random_mechanisms {

Lines linesOf(const std::string& text) {
  Lines out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

std::string textOf(const Lines& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

bool isWordLetter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::vector<Piece> numbersIn(const std::string& line) {
  std::vector<Piece> out;
  for (std::size_t k = 0; k < line.size();) {
    const bool digit = std::isdigit(static_cast<unsigned char>(line[k])) != 0;
    if (!digit || (k > 0 && isWordLetter(line[k - 1]))) {
      ++k;
      continue;
    }
    char* end = nullptr;
    std::strtod(line.c_str() + k, &end);
    out.push_back({k, std::max(static_cast<std::size_t>(end - line.c_str()), k + 1)});
    k = out.back().end;
  }
  return out;
}

std::vector<Piece> wordsIn(const std::string& line) {
  std::vector<Piece> out;
  for (std::size_t k = 0; k < line.size();) {
    std::size_t end = k;
    while (end < line.size() && isWordLetter(line[end])) ++end;
    if (end > k && std::isdigit(static_cast<unsigned char>(line[k])) == 0) out.push_back({k, end});
    k = std::max(end, k + 1);
  }
  return out;
}

}  // namespace linkwork::random_mechanisms
