#include "linkwork/codegen/reading_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "linkwork/codegen/tidy.hpp"

namespace linkwork {

namespace {

// Characters on paper, counted roughly.
constexpr int kWidestConstant = 60;
constexpr int kWidestBracket = 100;
constexpr int kWidestNumber = 18;
constexpr int kMostWide = 1 << 20;  // widths of formulas with shared parts grow without bound

bool isSum(const Expr& e) { return e.kind() == ExprKind::Add || e.kind() == ExprKind::Sub; }

class WideParts {
 public:
  explicit WideParts(ProgramDocument& document)
      : document_(document), constants_{letterOf("k"), 0}, brackets_{letterOf("z"), 0} {
    for (const ProgramSymbol& s : document.program.symbols()) {
      if (s.role == SymbolRole::parameter) constant_names_.insert(s.symbol.name());
    }
  }

  void apply() {
    std::vector<DocumentChapter> chapters = std::move(document_.chapters);
    for (DocumentChapter& chapter : chapters) {
      std::vector<DocumentLine> lines;
      for (DocumentLine& line : chapter.lines) {
        line.right = named(line.right);
        takeNew(lines);
        lines.push_back(std::move(line));
      }
      chapter.lines = std::move(lines);
    }
    EquationProgram& program = document_.program;
    for (ProgramOutput& output : program.outputs) change(output.entries);
    change(program.solve.matrix);
    change(program.solve.right);
    for (ProgramEquation& e : program.equations) e = {named(e.left), named(e.right)};
    if (!constant_lines_.empty()) chapters.insert(chapters.begin(), {"Constants", std::move(constant_lines_), false});
    if (!new_lines_.empty()) chapters.push_back({"Parts of what follows", std::move(new_lines_), false});
    document_.chapters = std::move(chapters);
  }

 private:
  struct Names {
    std::string letter;
    int count = 0;
  };

  // The letter, doubled until nothing else has it with an index.
  std::string letterOf(std::string letter) const {
    const auto taken = [&] {
      const auto& symbols = document_.program.symbols();
      return std::any_of(symbols.begin(), symbols.end(), [&](const ProgramSymbol& s) {
        return s.name.letter == letter && (s.name.i > 0 || s.role != SymbolRole::parameter);
      });
    };
    while (taken()) letter += letter.front();
    return letter;
  }

  void takeNew(std::vector<DocumentLine>& to) {
    std::move(new_lines_.begin(), new_lines_.end(), std::back_inserter(to));
    new_lines_.clear();
  }

  void change(std::vector<Expr>& list) {
    for (Expr& e : list) e = named(e);
  }

  // The formula with names for its wide parts; it gets none itself.
  Expr named(const Expr& root) {
    for (const Expr& e : postOrder(std::span(&root, 1))) {
      if (!done_.contains(e)) done_.emplace(e, rebuilt(e));
    }
    return done_.at(root);
  }

  // The node over its operands, of which those that are too wide have become names.
  Expr rebuilt(const Expr& e) {
    if (e.operands().empty()) return e;
    std::vector<Expr> operands;
    for (const Expr& operand : e.operands()) operands.push_back(partOf(e, done_.at(operand)));
    return withOperands(e, operands);
  }

  Expr partOf(const Expr& whole, const Expr& part) {
    if (part.kind() == ExprKind::Neg) return -partOf(whole, part.operands()[0]);
    if (part.operands().empty()) return part;
    const bool constant = isConstant(part);
    if (constant && !isConstant(whole) && widthOf(part) > kWidestConstant) return nameFor(part, true);
    const bool in_bracket = isSum(part) ? !isSum(whole) : !isSum(whole) && !isProduct(whole);
    if (in_bracket && widthOf(part) > kWidestBracket) return nameFor(part, constant);
    return part;
  }

  static bool isProduct(const Expr& e) { return e.kind() == ExprKind::Mul || e.kind() == ExprKind::Div; }

  Expr nameFor(const Expr& part, bool constant) {
    const auto found = names_.find(part);
    if (found != names_.end()) return found->second;
    Names& names = constant ? constants_ : brackets_;
    Expr symbol = document_.program.temporary({names.letter, ++names.count});
    if (constant) constant_names_.insert(symbol.name());
    (constant ? constant_lines_ : new_lines_)
        .push_back({symbol, constant ? tidied(part) : part, constant ? "constant" : ""});
    names_.emplace(part, symbol);
    return symbol;
  }

  bool isConstant(const Expr& e) {
    if (e.isNumber()) return true;
    if (e.isSymbol()) return constant_names_.contains(e.name());
    const auto found = constant_.find(e);
    if (found != constant_.end()) return found->second;
    const auto ops = e.operands();
    const bool all = std::all_of(ops.begin(), ops.end(), [&](const Expr& operand) { return isConstant(operand); });
    constant_.emplace(e, all);
    return all;
  }

  int widthOf(const Expr& e) {
    if (e.isNumber()) return std::min(static_cast<int>(fmt::format("{}", e.number()).size()), kWidestNumber);
    if (e.isSymbol()) return 3;
    const auto found = widths_.find(e);
    if (found != widths_.end()) return found->second;
    int width = e.operands().size() == 1 ? 5 : 3;
    for (const Expr& operand : e.operands()) width = std::min(width + widthOf(operand), kMostWide);
    widths_.emplace(e, width);
    return width;
  }

  ProgramDocument& document_;
  Names constants_, brackets_;
  std::unordered_set<std::string> constant_names_;
  std::unordered_map<Expr, Expr> done_, names_;
  std::unordered_map<Expr, bool> constant_;
  std::unordered_map<Expr, int> widths_;
  std::vector<DocumentLine> constant_lines_, new_lines_;
};

}  // namespace

void nameWideParts(ProgramDocument& document) { WideParts(document).apply(); }

}  // namespace linkwork
