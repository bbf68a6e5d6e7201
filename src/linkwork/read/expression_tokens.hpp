// Tokens of a formula.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace linkwork {

enum class TokenKind { number, name, unit, symbol, end, bad };

struct Token {
  TokenKind kind = TokenKind::end;
  std::size_t offset = 0;
  std::size_t length = 0;
  double number = 0.0;
  std::string text;  // name without quotes; unit without brackets; symbol; for bad: what is wrong
};

// Cuts one token after another; after the end it keeps answering `end`.
class Tokeniser {
 public:
  explicit Tokeniser(std::string_view text) : text_(text) {}
  Token next();

 private:
  Token number();
  Token name();
  Token unit();
  bool nameSegment(Token& token);
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }

  std::string_view text_;
  std::size_t position_ = 0;
};

bool startsName(char c);
bool continuesName(char c);
// The character at `offset` as it may be shown in a message: whole UTF-8 sequences, control characters as their code.
std::string glyphAt(std::string_view text, std::size_t offset);

}  // namespace linkwork
