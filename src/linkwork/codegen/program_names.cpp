#include "linkwork/codegen/program_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>
#include <string_view>
#include <tuple>
#include <unordered_set>

#include "linkwork/codegen/latex_names.hpp"

namespace linkwork {

namespace {

struct LetterStyle {
  std::string_view letter;
  std::string_view text;
  std::string_view base;   // LaTeX
  std::string_view below;  // first thing in the subscript
  std::string_view above;
};

// Letters that are not simply a Latin or Greek letter with what follows it as index.
constexpr auto kLetterStyles = std::to_array<LetterStyle>({
    {"al", "al", "\\alpha", "", ""},
    {"dl", "dl", "\\delta", "", ""},
    {"ep", "ep", "\\varepsilon", "", ""},
    {"ka", "ka", "\\kappa", "", ""},
    {"phi", "phi", "\\varphi", "", ""},
    {"psi", "psi", "\\psi", "", ""},
    {"chi", "chi", "\\chi", "", ""},
    {"gam", "gam", "\\gamma", "", ""},
    {"la", "la", "\\lambda", "", ""},
    {"w", "w", "\\omega", "", ""},
    {"md", "m_d", "m", "d", ""},
    {"mo", "mo", "m", "", "o"},
    {"Jo", "Jo", "J", "", "o"},
    {"Jc", "Jc", "J", "", "c"},
    {"Js", "Js", "J", "", "s"},
    {"Hr", "Hr", "H", "", "r"},
    {"hr", "hr", "h", "", "r"},
    {"mux", "mux", "\\mu", "x", ""},
    {"muy", "muy", "\\mu", "y", ""},
    {"Phi", "Phi", "\\Phi", "", ""},
    {"gamx", "gamx", "\\gamma", "x", ""},
    {"gamy", "gamy", "\\gamma", "y", ""},
    {"phix", "phix", "\\varphi", "x", ""},
    {"phiy", "phiy", "\\varphi", "y", ""},
    {"phiz", "phiz", "\\varphi", "z", ""},
    {"phin", "phin", "\\varphi", "n", ""},
    {"phinx", "phinx", "\\varphi", "nx", ""},
    {"phiny", "phiny", "\\varphi", "ny", ""},
    {"phinz", "phinz", "\\varphi", "nz", ""},
    {"kax", "kax", "\\kappa", "x", ""},
    {"kay", "kay", "\\kappa", "y", ""},
    {"kaz", "kaz", "\\kappa", "z", ""},
    {"kan", "kan", "\\kappa", "n", ""},
    {"kanx", "kanx", "\\kappa", "nx", ""},
    {"kany", "kany", "\\kappa", "ny", ""},
    {"kanz", "kanz", "\\kappa", "nz", ""},
    {"wb", "wb", "\\omega", "b", ""},
    {"ec", "ec", "e", "", "c"},
});

const LetterStyle* styleOf(std::string_view letter) {
  const auto* found = std::find_if(kLetterStyles.begin(), kLetterStyles.end(),
                                   [letter](const LetterStyle& s) { return s.letter == letter; });
  return found == kLetterStyles.end() ? nullptr : found;
}

std::string indicesOf(const SymbolName& name, std::string_view between) {
  std::string out;
  if (name.i > 0) out += std::to_string(name.i);
  if (name.j > 0) out += fmt::format("{}{}", between, name.j);
  return out;
}

// Keywords and library names of C, C++, Python with NumPy, MATLAB, Octave and Julia, and the names that our own
// printers use for themselves.
constexpr const char* kReservedNames =
    // C and C++
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t "
    "char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr "
    "constinit continue decltype default delete do double dynamic_cast else enum explicit export extern "
    "false float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr "
    "operator or or_eq private protected public register reinterpret_cast requires restrict return short "
    "signed sizeof static static_assert static_cast struct switch template this thread_local throw true "
    "try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq std "
    "main linux unix errno NULL NAN INFINITY I EOF "
    // the C library
    "abs acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs "
    "fdim floor fma fmax fmin fmod frexp gamma hypot ilogb j0 j1 jn y0 y1 yn ldexp lgamma log log10 "
    "log1p log2 logb modf nan nearbyint pow remainder remquo rint round scalbn signgam sin sinh sqrt tan "
    "tanh tgamma trunc fork exit abort system time clock index rindex read write open close link pipe "
    "pause wait signal sleep select div rand free malloc printf puts remove rename send truncate drem "
    "significand finite "
    // Python
    "False None True as assert async await def del elif except finally from global import in is lambda "
    "nonlocal pass raise with yield match np print len range sum min max type id input list dict set "
    // MATLAB and Octave
    "end function elseif otherwise parfor persistent classdef spmd pi i j e Inf NaN eps ans beta ones "
    "zeros eye sign size isempty end_try_catch endfunction endif endwhile endfor until unwind_protect "
    "nargin nargout inv diag det "
    // Julia
    "baremodule begin const let local macro module quote where isa im missing nothing abstract primitive "
    "mod rem "
    // our own
    "p T parameters solve_pivoted invert_pivoted full rank found loop_A loop_b loop_P loop_X loop_E ";

const std::unordered_set<std::string>& reservedNames() {
  static const std::unordered_set<std::string> names = [] {
    std::istringstream words(kReservedNames);
    return std::unordered_set<std::string>{std::istream_iterator<std::string>(words), {}};
  }();
  return names;
}

// Impulses stand where efforts do.
int termClass(SymbolRole role) { return static_cast<int>(role == SymbolRole::impulse ? SymbolRole::effort : role); }

constexpr int kNoSymbol = 10;  // behind every role

int factorClass(SymbolRole role) {
  switch (role) {
    case SymbolRole::parameter: return 0;
    case SymbolRole::coefficient: return 1;
    case SymbolRole::effort:
    case SymbolRole::impulse: return 4;
    case SymbolRole::unknown: return 5;
    case SymbolRole::position:
    case SymbolRole::turns:
    case SymbolRole::time: return 6;
    case SymbolRole::rate: return 7;
    case SymbolRole::acceleration: return 8;
  }
  return 9;
}

using FactorKey = std::tuple<int, std::size_t>;

FactorKey keyOf(const EquationProgram& program, const Factor& factor) {
  if (factor.base.isNumber()) return {-1, 0};
  if (factor.base.isSymbol() && program.knows(factor.base.name())) {
    const std::size_t rank = program.rankOf(factor.base.name());
    return {factorClass(program.symbols()[rank].role), program.symbols()[rank].order};
  }
  const ExprKind kind = factor.base.kind();
  const bool bracket = kind == ExprKind::Add || kind == ExprKind::Sub || kind == ExprKind::Mul ||
                       kind == ExprKind::Div || kind == ExprKind::Pow || kind == ExprKind::Neg;
  return {bracket ? 2 : 3, 0};
}

void arrangeFactors(const EquationProgram& program, std::vector<Factor>& factors) {
  std::stable_sort(factors.begin(), factors.end(),
                   [&](const Factor& a, const Factor& b) { return keyOf(program, a) < keyOf(program, b); });
}

// The symbol that decides where a term stands, then the others in their order.
struct TermKey {
  int lowest = kNoSymbol;
  std::vector<std::size_t> ranks;  // of the deciding symbol first
  friend auto operator<=>(const TermKey&, const TermKey&) = default;
};

TermKey keyOf(const EquationProgram& program, const Fraction& term) {
  TermKey key;
  if (term.isNumber()) {
    key.lowest = kNoSymbol + 1;
    return key;
  }
  std::size_t deciding = 0;
  std::vector<std::size_t> others;
  const auto look = [&](const Expr& base) {
    if (!base.isSymbol() || !program.knows(base.name())) return;
    const ProgramSymbol& symbol = program.symbols()[program.rankOf(base.name())];
    const int of_role = termClass(symbol.role);
    others.push_back(symbol.order);
    if (of_role < key.lowest || (of_role == key.lowest && symbol.order < deciding)) {
      key.lowest = of_role;
      deciding = symbol.order;
    }
  };
  for (const Factor& factor : term.numerator) look(factor.base);
  for (const Factor& factor : term.denominator) look(factor.base);
  key.ranks.push_back(deciding);
  key.ranks.insert(key.ranks.end(), others.begin(), others.end());
  return key;
}

}  // namespace

std::string textName(const SymbolName& name, bool separated) {
  const LetterStyle* style = name.i > 0 ? styleOf(name.letter) : nullptr;
  std::string out(style != nullptr ? style->text : std::string_view(name.letter));
  const std::string indices = indicesOf(name, separated ? "," : "");
  if (!indices.empty()) {
    // m_d2: the letter has an underscore already
    if (out.find('_') == std::string::npos) out += '_';
    out += indices;
  }
  return out + std::string(static_cast<std::size_t>(name.primes), '\'');
}

std::string latexName(const SymbolName& name) {
  if (name.i == 0 && name.primes == 0 && styleOf(name.letter) == nullptr) return symbolLatex(name.letter);
  std::string base, below, above;
  if (const LetterStyle* style = styleOf(name.letter)) {
    base = style->base;
    below = style->below;
    above = style->above;
  } else {
    // The first letter, and what follows it in the subscript: Fx -> F_{x..}
    const std::string whole = symbolLatex(name.letter);
    const bool plain = name.letter.size() == 1 || whole.find("mathrm") == std::string::npos;
    base = plain ? whole : name.letter.substr(0, 1);
    below = plain ? "" : name.letter.substr(1);
  }
  std::string out = name.primes == 0 ? base : fmt::format("\\{}{{{}}}", name.primes == 1 ? "dot" : "ddot", base);
  if (!above.empty()) out += fmt::format("^{{{}}}", above);
  const std::string indices = below + indicesOf(name, ",");
  if (!indices.empty()) out += fmt::format("_{{{}}}", indices);
  return out;
}

std::string codeName(const SymbolName& name) {
  std::string out = name.letter;
  if (name.i > 0) out += fmt::format("_{}", name.i);
  if (name.j > 0) out += fmt::format("_{}", name.j);
  for (int k = 0; k < name.primes; ++k) out += k == 0 ? "_d" : "d";
  return out;
}

bool needsSeparators(const EquationProgram& program) {
  const auto large = [](const SymbolName& name) { return name.i > 9 || name.j > 9; };
  return std::any_of(program.symbols().begin(), program.symbols().end(),
                     [&](const ProgramSymbol& s) { return large(s.name); }) ||
         std::any_of(program.aliases().begin(), program.aliases().end(),
                     [&](const ProgramAlias& a) { return large(a.name); });
}

std::string legalName(const std::string& wanted) {
  std::string out;
  for (const char c : wanted) {
    const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    out += good ? c : '_';
  }
  // A leading underscore is not allowed in MATLAB and belongs to the library in C.
  if (out.empty() || out.front() == '_' || (out.front() >= '0' && out.front() <= '9')) out = "x" + out;
  return out;
}

bool isReservedName(const std::string& name) { return reservedNames().contains(name); }

std::string CodeNames::take(const std::string& wanted) {
  std::string name = legalName(wanted);
  while (isReservedName(name) || taken_.contains(name)) name += '_';
  taken_.emplace(name, 1);
  return name;
}

void arrangeForReading(const EquationProgram& program, std::vector<Fraction>& terms) {
  for (Fraction& term : terms) {
    arrangeFactors(program, term.numerator);
    arrangeFactors(program, term.denominator);
  }
  std::stable_sort(terms.begin(), terms.end(),
                   [&](const Fraction& a, const Fraction& b) { return keyOf(program, a) < keyOf(program, b); });
  const auto positive = std::find_if(terms.begin(), terms.end(), [](const Fraction& t) { return !t.negative; });
  if (positive != terms.end()) std::rotate(terms.begin(), positive, positive + 1);
}

}  // namespace linkwork
