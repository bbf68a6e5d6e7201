#include "linkwork/read/expression_tokens.hpp"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

namespace linkwork {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

bool startsName(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80) != 0; }
bool continuesName(char c) { return startsName(c) || isDigit(c); }

std::string glyphAt(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return {};
  const auto byte = static_cast<unsigned char>(text[offset]);
  if (byte < 0x20 || byte == 0x7F) return fmt::format("character {}", static_cast<int>(byte));
  std::size_t length = 1;
  while (offset + length < text.size() && (static_cast<unsigned char>(text[offset + length]) & 0xC0U) == 0x80U)
    ++length;
  return std::string(text.substr(offset, length));
}

Token Tokeniser::next() {
  while (position_ < text_.size() && isSpace(text_[position_])) ++position_;
  if (position_ >= text_.size()) return {TokenKind::end, text_.size(), 0, 0.0, {}};
  const char c = text_[position_];
  if (isDigit(c) || (c == '.' && isDigit(at(position_ + 1)))) return number();
  if (startsName(c) || c == '\'') return name();
  if (c == '[') return unit();
  if (std::string_view("+-*/^(),").find(c) == std::string_view::npos) {
    Token token{TokenKind::bad, position_, 1, 0.0, fmt::format("unexpected \"{}\"", glyphAt(text_, position_))};
    position_ = text_.size();
    return token;
  }
  Token token{TokenKind::symbol, position_, 1, 0.0, std::string(1, c)};
  if (c == '*' && at(position_ + 1) == '*') token = {TokenKind::symbol, position_, 2, 0.0, "**"};
  position_ += token.length;
  return token;
}

Token Tokeniser::number() {
  Token token{TokenKind::number, position_, 0, 0.0, {}};
  const char* first = text_.data() + position_;
  const auto [end, status] = std::from_chars(first, text_.data() + text_.size(), token.number);
  token.length = static_cast<std::size_t>(end - first);
  if (status != std::errc{}) {
    token.kind = TokenKind::bad;
    token.text = fmt::format("the number \"{}\" is too large or too small", text_.substr(position_, token.length));
  }
  position_ += token.length;
  return token;
}

bool Tokeniser::nameSegment(Token& token) {
  if (at(position_) == '\'') {
    const std::size_t close = text_.find('\'', position_ + 1);
    if (close == std::string_view::npos) return false;
    token.text += text_.substr(position_ + 1, close - position_ - 1);
    position_ = close + 1;
    return true;
  }
  if (!startsName(at(position_)) || position_ >= text_.size()) return false;
  while (position_ < text_.size() && continuesName(text_[position_])) token.text += text_[position_++];
  return true;
}

Token Tokeniser::name() {
  Token token{TokenKind::name, position_, 0, 0.0, {}};
  bool complete = nameSegment(token);
  while (complete && at(position_) == '.') {
    token.text += '.';
    ++position_;
    complete = nameSegment(token);
  }
  if (!complete) {
    const bool open_quote = at(position_) == '\'';
    token.kind = TokenKind::bad;
    token.offset = position_;
    token.text = open_quote ? "the closing ' is missing" : "a name is missing after the dot";
    position_ = text_.size();
  }
  token.length = position_ > token.offset ? position_ - token.offset : 0;
  return token;
}

Token Tokeniser::unit() {
  const std::size_t close = text_.find(']', position_);
  if (close == std::string_view::npos) {
    Token token{TokenKind::bad, position_, 1, 0.0, "the closing \"]\" of the unit is missing"};
    position_ = text_.size();
    return token;
  }
  Token token{TokenKind::unit, position_, close + 1 - position_, 0.0,
              std::string(text_.substr(position_ + 1, close - position_ - 1))};
  position_ = close + 1;
  return token;
}

}  // namespace linkwork
