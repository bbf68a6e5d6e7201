// Lines, words and numbers of a text, for those who change it without understanding it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace linkwork::random_mechanisms {

using Lines = std::vector<std::string>;

Lines linesOf(const std::string& text);
std::string textOf(const Lines& lines);

// From `begin` to before `end`.
struct Piece {
  std::size_t begin = 0, end = 0;
};

bool isWordLetter(char c);
std::vector<Piece> numbersIn(const std::string& line);  // without signs
std::vector<Piece> wordsIn(const std::string& line);

}  // namespace linkwork::random_mechanisms
