#include "linkwork/codegen/code_printer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "linkwork/scalar/expr_apply.hpp"

namespace linkwork {

namespace {

constexpr std::size_t kLongestLine = 112;

std::string lowered(std::string words) {
  for (char& c : words) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return words;
}

std::vector<Expr> rootsOf(const ProgramSteps& steps) {
  std::vector<Expr> roots;
  for (const ProgramStep& step : steps.steps) roots.push_back(step.value);
  for (const auto* list : steps.solve.lists()) roots.insert(roots.end(), list->begin(), list->end());
  for (const ProgramOutput& output : steps.outputs)
    roots.insert(roots.end(), output.entries.begin(), output.entries.end());
  return roots;
}

}  // namespace

std::string harmless(std::string words) {
  for (char& c : words) {
    if (c == '\n' || c == '\r') c = ' ';
    if (c == '\\' || c == '"') c = '\'';
  }
  for (std::size_t k = words.find("*/"); k != std::string::npos; k = words.find("*/")) words.insert(k + 1, 1, ' ');
  return words;
}

std::string realNumberText(double value) {
  std::string out = fmt::format("{}", value);
  if (out.find_first_of(".en") == std::string::npos) out += ".0";
  return out;
}

std::string CodePrinter::entry(const std::string& array, std::size_t cols, std::size_t k, const Expr& value,
                               const std::string& indent) {
  const std::string place = cols > 0 ? fmt::format("[{}][{}]", k / cols, k % cols) : fmt::format("[{}]", k);
  return brokenLines(fmt::format("{}{} = {};", array, place, formula(value)), indent, "", false);
}

std::string CodePrinter::loopEntries(const std::string& indent) {
  const ProgramSolve& s = steps_.solve;
  std::string out;
  const auto matrix = [&](const char* name, std::size_t width, const std::vector<Expr>& entries) {
    for (std::size_t k = 0; k < entries.size(); ++k) {
      if (!entries[k].isNumber(0.0)) out += entry(name, width, k, entries[k], indent);
    }
  };
  matrix("loop_A", s.size(), s.matrix);
  matrix("loop_P", s.width, s.rows);
  matrix("loop_X", s.width, s.effects);
  for (std::size_t k = 0; k < s.right.size(); ++k) out += entry("loop_b", 0, k, s.right[k], indent);
  return out;
}

std::string CodePrinter::outputEntries(const std::string& indent) {
  std::string out;
  for (std::size_t k = 0; k < steps_.outputs.size(); ++k) {
    const ProgramOutput& o = steps_.outputs[k];
    for (std::size_t e = 0; e < o.entries.size(); ++e)
      out += entry(outputName(k), static_cast<std::size_t>(o.cols), e, o.entries[e], indent);
  }
  return out;
}

std::string brokenLines(const std::string& statement, const std::string& indent, const std::string& end_of_line,
                        bool operator_at_end) {
  std::string out, line = indent + statement;
  const std::string deeper = indent + "    ";
  while (line.size() > kLongestLine) {
    std::size_t cut = std::string::npos;
    for (std::size_t k = std::max<std::size_t>(indent.size() + 8, 1); k + 2 < line.size(); ++k) {
      const bool between = line[k] == ' ' && (line[k + 1] == '+' || line[k + 1] == '-') && line[k + 2] == ' ';
      if (!between) continue;
      if (k > kLongestLine && cut != std::string::npos) break;
      cut = k;
      if (k > kLongestLine) break;
    }
    if (cut == std::string::npos) break;
    const std::size_t rest = operator_at_end ? cut + 2 : cut;
    out += line.substr(0, rest) + end_of_line + "\n";
    line.replace(0, rest + 1, deeper);
  }
  return out + line + "\n";
}

CodePrinter::CodePrinter(const ProgramSteps& steps) : steps_(steps) {
  for (const Expr& e : postOrder(rootsOf(steps))) used_.insert(e.kind());
}

std::string CodePrinter::print() {
  nameEverything();
  return file();
}

std::vector<const ProgramSymbol*> CodePrinter::parameters() const {
  std::vector<const ProgramSymbol*> out;
  for (const ProgramSymbol& s : program().symbols()) {
    if (s.role == SymbolRole::parameter) out.push_back(&s);
  }
  return out;
}

std::string CodePrinter::valueText(const ProgramSymbol& parameter) const {
  return fmt::format("{}{}", parameter.value < 0.0 ? "-" : "", numberText(std::abs(parameter.value)));
}

std::string CodePrinter::remarkOn(const ProgramSymbol& parameter, const char* opening, const char* closing) {
  std::string words = harmless(parameter.meaning);
  if (!parameter.unit.empty()) words += fmt::format("{}[{}]", words.empty() ? "" : " ", parameter.unit);
  return words.empty() ? words : fmt::format("  {}{}{}", opening, words, closing);
}

void CodePrinter::nameEverything() {
  CodeNames names;
  function_ = names.take(lowered(program().function));
  const std::vector<std::string> used = symbolsOf(rootsOf(steps_));
  std::map<std::string, std::size_t> of_array;
  for (const ProgramSymbol& s : program().symbols()) {
    if (s.array.empty()) continue;
    const auto [place, is_new] = of_array.emplace(s.array, arguments_.size());
    if (is_new) arguments_.push_back({names.take(s.array), -1, false, s.meaning});
    CodeArgument& argument = arguments_[place->second];
    if (!argument.meaning.ends_with(s.meaning)) argument.meaning += "; " + s.meaning;
    if (s.index >= 0) argument.size = std::max(argument.size, s.index + 1);
    argument.used = argument.used || std::binary_search(used.begin(), used.end(), s.symbol.name());
  }
  for (const ProgramOutput& output : steps_.outputs) output_names_.push_back(names.take(output.letter));
  for (const ProgramSymbol& s : program().symbols()) {
    const std::string& internal = s.symbol.name();
    if (!s.array.empty()) {
      const std::string& array = arguments_[of_array.at(s.array)].name;
      plain_[internal] = symbols_[internal] = s.index < 0 ? array : indexed(array, s.index);
      continue;
    }
    plain_[internal] = names.take(codeName(s.name));
    symbols_[internal] = s.role == SymbolRole::parameter ? parameterText(plain_[internal]) : plain_[internal];
  }
  for (std::size_t k = 0; k < steps_.solve.unknowns.size(); ++k) {
    const std::string& internal = steps_.solve.unknowns[k].name();
    symbols_[internal] = indexed("found", static_cast<int>(k));
  }
}

std::vector<std::string> CodePrinter::headWords() const {
  std::vector<std::string> out;
  out.push_back(fmt::format("{}: {}", program().name, program().form));
  if (!program().task.empty()) out.push_back(program().task);
  for (const std::string& note : program().notes) out.push_back(note);
  out.emplace_back();
  out.emplace_back("in");
  for (const CodeArgument& argument : arguments_) {
    const std::string shape = argument.size < 0 ? argument.name : fmt::format("{} ({})", argument.name, argument.size);
    out.push_back(fmt::format("  {:<10} {}", shape, argument.meaning));
  }
  out.emplace_back("out");
  for (std::size_t k = 0; k < steps_.outputs.size(); ++k) {
    const ProgramOutput& o = steps_.outputs[k];
    const std::string shape = o.cols > 0 ? fmt::format("{} ({} x {})", output_names_[k], o.rows, o.cols)
                                         : fmt::format("{} ({})", output_names_[k], o.rows);
    out.push_back(fmt::format("  {:<10} {}", shape, o.meaning));
  }
  const OperationCount& n = steps_.count;
  out.emplace_back();
  out.push_back(fmt::format("operations: {} mul, {} add, {} div, {} trig{}{}", n.mul, n.add, n.div, n.trig,
                            n.other > 0 ? fmt::format(", {} other", n.other) : "", afterOperations(steps_.solve)));
  out.push_back(fmt::format("Generated by Linkwork{}. No licence burden: use this file as you like.",
                            program().source.empty() ? "" : " from " + program().source));
  return out;
}

std::string CodePrinter::commentedHead() const {
  std::string out;
  for (const std::string& words : headWords()) out += comment(harmless(words)) + "\n";
  return out;
}

Binding CodePrinter::putNumber(double value) {
  put(numberText(value));
  return Binding::atom;
}

Binding CodePrinter::putSymbol(const std::string& name) {
  put(symbols_.at(name));
  return Binding::atom;
}

Binding CodePrinter::putFunction(const Expr& e) {
  put(functionText(e.kind()) + "(");
  putArguments(e);
  put(")");
  return Binding::atom;
}

Binding CodePrinter::putPower(const Factor& factor) {
  const bool whole = factor.exponent.isNumber() && isProductExponent(factor.exponent.number());
  if (whole && powerSign().empty() && factor.base.isSymbol()) {
    for (int k = 0; k < static_cast<int>(factor.exponent.number()); ++k) {
      if (k > 0) put("*");
      put(factor.base, Binding::atom);
    }
    return Binding::product;
  }
  if (powerSign().empty()) {
    put("pow(");
    put(factor.base, Binding::sum);
    put(", ");
    put(factor.exponent, Binding::sum);
    put(")");
    return Binding::atom;
  }
  put(factor.base, Binding::atom);
  put(powerSign());
  if (whole) {
    put(fmt::format("{}", static_cast<int>(factor.exponent.number())));
  } else {
    put(factor.exponent, Binding::atom);
  }
  return Binding::power;
}

Binding CodePrinter::putProduct(const Fraction& f) {
  putFactors(f.numerator_number, f.numerator);
  if (!f.hasDenominator()) return Binding::product;
  const bool power = std::any_of(f.denominator.begin(), f.denominator.end(),
                                 [](const Factor& factor) { return !factor.exponent.isNumber(1); });
  const bool several = power || f.denominator.size() + (f.denominator_number == 1 ? 0 : 1) > 1;
  put(several ? "/(" : "/");
  putFactors(f.denominator_number, f.denominator);
  if (several) put(")");
  return Binding::product;
}

void CodePrinter::putFactors(double number, const std::vector<Factor>& factors) {
  const bool with_number = number != 1 || factors.empty();
  if (with_number) putNumber(number);
  for (std::size_t i = 0; i < factors.size(); ++i) {
    if (i > 0 || with_number) put("*");
    if (factors[i].exponent.isNumber(1)) {
      put(factors[i].base, Binding::power);
    } else {
      putPower(factors[i]);
    }
  }
}

}  // namespace linkwork
