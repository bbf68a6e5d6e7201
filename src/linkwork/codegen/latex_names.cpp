#include "linkwork/codegen/latex_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace linkwork {

namespace {

bool allDigits(std::string_view s) {
  return !s.empty() && std::all_of(s.begin(), s.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

struct GreekLetter {
  std::string_view name;
  std::string_view latex;
};

constexpr auto kGreekLetters = std::to_array<GreekLetter>({
    {"alpha", "\\alpha"},
    {"beta", "\\beta"},
    {"gamma", "\\gamma"},
    {"delta", "\\delta"},
    {"epsilon", "\\varepsilon"},
    {"zeta", "\\zeta"},
    {"eta", "\\eta"},
    {"theta", "\\theta"},
    {"iota", "\\iota"},
    {"kappa", "\\kappa"},
    {"lambda", "\\lambda"},
    {"mu", "\\mu"},
    {"nu", "\\nu"},
    {"xi", "\\xi"},
    {"pi", "\\pi"},
    {"rho", "\\rho"},
    {"sigma", "\\sigma"},
    {"tau", "\\tau"},
    {"upsilon", "\\upsilon"},
    {"phi", "\\varphi"},
    {"chi", "\\chi"},
    {"psi", "\\psi"},
    {"omega", "\\omega"},
    {"Gamma", "\\Gamma"},
    {"Delta", "\\Delta"},
    {"Theta", "\\Theta"},
    {"Lambda", "\\Lambda"},
    {"Xi", "\\Xi"},
    {"Pi", "\\Pi"},
    {"Sigma", "\\Sigma"},
    {"Upsilon", "\\Upsilon"},
    {"Phi", "\\Phi"},
    {"Psi", "\\Psi"},
    {"Omega", "\\Omega"},
});

std::string upright(std::string_view word) {
  return fmt::format("\\mathrm{{{}}}", escapedLatex(word, {{'\\', "\\backslash "}, {'^', "\\hat{}"}, {'~', "\\sim "}}));
}

std::string subscript(std::string_view word) {
  return word.size() == 1 || allDigits(word) ? std::string(word) : upright(word);
}

// A letter (Latin or Greek) with indices, as x, x1, x_B, phi_crank_2.
struct IndexedLetter {
  std::string letter;
  std::vector<std::string> indices;
};

bool readIndexedLetter(std::string_view name, IndexedLetter& result) {
  std::string_view letter, rest;
  for (const GreekLetter& greek : kGreekLetters) {
    if (!name.starts_with(greek.name)) continue;
    const std::string_view after = name.substr(greek.name.size());
    if (after.empty() || !isLetter(after.front())) {
      letter = greek.latex;
      rest = after;
    }
  }
  if (letter.empty()) {
    if (name.empty() || !isLetter(name.front())) return false;
    letter = name.substr(0, 1);
    rest = name.substr(1);
  }
  result = {std::string(letter), {}};
  std::size_t digits = 0;
  while (digits < rest.size() && allDigits(rest.substr(digits, 1))) ++digits;
  if (digits > 0) result.indices.emplace_back(rest.substr(0, digits));
  rest.remove_prefix(digits);
  while (!rest.empty()) {
    if (rest.front() != '_') return false;
    rest.remove_prefix(1);
    const std::string_view index = rest.substr(0, rest.find('_'));
    if (index.empty()) return false;
    result.indices.push_back(subscript(index));
    rest.remove_prefix(index.size());
  }
  return true;
}

bool readDottedLetter(std::string_view name, IndexedLetter& result, int& dots) {
  dots = 0;
  for (const auto& [suffix, count] : {std::pair<std::string_view, int>{"_ddot", 2}, {"_dot", 1}}) {
    if (name.ends_with(suffix) && readIndexedLetter(name.substr(0, name.size() - suffix.size()), result)) {
      dots = count;
      return true;
    }
  }
  if (readIndexedLetter(name, result)) return true;
  for (const auto& [prefix, count] : {std::pair<std::string_view, int>{"dd", 2}, {"d", 1}}) {
    if (name.starts_with(prefix) && readIndexedLetter(name.substr(prefix.size()), result)) {
      dots = count;
      return true;
    }
  }
  return false;
}

}  // namespace

std::string escapedLatex(std::string_view words, std::initializer_list<LatexFor> others) {
  std::string out;
  for (const char c : words) {
    const auto* other = std::find_if(others.begin(), others.end(), [c](const LatexFor& o) { return o.c == c; });
    if (other != others.end()) {
      out += other->latex;
      continue;
    }
    if (std::string_view("_#$%&{}").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string numberText(double value) { return fmt::format("{}", value); }

std::string numberLatex(double value) {
  if (std::isnan(value)) return "\\mathrm{nan}";
  if (std::isinf(value)) return value < 0 ? "-\\infty" : "\\infty";
  std::string number = numberText(value);
  const std::size_t e = number.find('e');
  if (e == std::string::npos) return number;
  const std::string mantissa = number.substr(0, e);
  std::string power = fmt::format("10^{{{}}}", std::stoi(number.substr(e + 1)));
  if (mantissa == "1") return power;
  if (mantissa == "-1") return "-" + power;
  return mantissa + " \\cdot " + power;
}

std::string symbolLatex(std::string_view name) {
  const std::size_t point = name.rfind('.');
  const std::string_view owner = point == std::string_view::npos ? std::string_view() : name.substr(0, point);
  const std::string_view own = point == std::string_view::npos ? name : name.substr(point + 1);
  IndexedLetter letter;
  int dots = 0;
  if (!readDottedLetter(own, letter, dots)) return upright(name);
  std::string latex = dots == 0 ? letter.letter : (dots == 1 ? "\\dot{" : "\\ddot{") + letter.letter + "}";
  if (!owner.empty()) letter.indices.insert(letter.indices.begin(), upright(owner));
  if (!letter.indices.empty()) latex += fmt::format("_{{{}}}", fmt::join(letter.indices, ","));
  return latex;
}

}  // namespace linkwork
