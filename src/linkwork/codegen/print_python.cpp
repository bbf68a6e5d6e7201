// Python with NumPy.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "linkwork/codegen/code_printer.hpp"
#include "linkwork/codegen/program_printers.hpp"

namespace linkwork {

namespace {

constexpr const char* kPythonSolver = R"(def solve_pivoted(A, b, P, X):
    """A x = b by elimination with complete pivoting; x and the rank. Where the rank is low, equations that depend on
    others are left out and their unknowns set to zero. A = P X^T is worse conditioned than P and X: what is left over
    of b with them is solved for once more."""
    A = np.array(A, dtype=float)
    n = len(b)
    largest = np.max(np.abs(A), axis=1)
    scale = 1.0/np.sqrt(np.where(largest > 0.0, largest, 1.0))
    A = A*np.outer(scale, scale)
    row = np.arange(n)
    column = np.arange(n)
    x = np.zeros(n)
    rank = 0
    first = np.max(np.abs(A))
    while rank < n:
        r, c = np.unravel_index(np.argmax(np.abs(A[rank:, rank:])), (n - rank, n - rank))
        r, c = r + rank, c + rank
        if not abs(A[r, c]) > 1e-10*first:
            break
        A[[r, rank]] = A[[rank, r]]
        row[[r, rank]] = row[[rank, r]]
        A[:, [c, rank]] = A[:, [rank, c]]
        column[[c, rank]] = column[[rank, c]]
        A[rank + 1:, rank] /= A[rank, rank]
        A[rank + 1:, rank + 1:] -= np.outer(A[rank + 1:, rank], A[rank, rank + 1:])
        rank += 1
    for rest in range(2):
        z = ((b - P @ (X.T @ x) if rest else b)*scale)[row[:rank]]
        for i in range(rank):
            z[i] -= A[i, :i] @ z[:i]
        for i in range(rank - 1, -1, -1):
            z[i] = (z[i] - A[i, i + 1:rank] @ z[i + 1:])/A[i, i]
        x[column[:rank]] += z*scale[column[:rank]]
    return x, rank


)";

constexpr const char* kPythonInverse = R"(def invert_pivoted(A):
    """The inverse row by row, and the rank. Below the size the rows do not determine the velocities that are eliminated
    with them, and there is none."""
    scale = np.max(np.abs(A), axis=1)
    scale = np.where(scale > 0.0, scale, 1.0)
    A = A/scale[:, None]
    rank = int(np.linalg.matrix_rank(A, tol=1e-10))
    return (np.linalg.inv(A)/scale).ravel() if rank == len(A) else np.full(A.size, np.nan), rank


)";

class PythonPrinter final : public CodePrinter {
 public:
  using CodePrinter::CodePrinter;

 private:
  std::string indexed(const std::string& array, int index) const override {
    return fmt::format("{}[{}]", array, index);
  }
  std::string parameterText(const std::string& name) const override { return fmt::format("p[\"{}\"]", name); }
  std::string numberText(double value) const override {
    if (std::isinf(value)) return "np.inf";
    return std::isnan(value) ? "np.nan" : realNumberText(value);
  }
  std::string comment(const std::string& words) const override { return words; }
  std::string statementComment(const std::string& words) const override { return fmt::format("    # {}\n", words); }
  std::string powerSign() const override { return "**"; }

  std::string functionText(ExprKind kind) const override {
    switch (kind) {
      case ExprKind::Asin: return "np.arcsin";
      case ExprKind::Acos: return "np.arccos";
      case ExprKind::Atan: return "np.arctan";
      case ExprKind::Atan2: return "np.arctan2";
      case ExprKind::Min: return "np.minimum";
      case ExprKind::Max: return "np.maximum";
      case ExprKind::Select: return "select_of";
      default: return std::string("np.") + functionName(kind);
    }
  }

  static std::string statement(const std::string& name, const std::string& value) {
    const std::string one = fmt::format("{} = {}", name, value);
    if (one.size() < 106) return "    " + one + "\n";
    return brokenLines(fmt::format("{} = ({})", name, value), "    ", "", false);
  }

  std::string matrix(std::size_t cols, const std::vector<Expr>& entries) {
    std::string out = "np.array([\n";
    for (std::size_t e = 0; e < entries.size(); e += cols) {
      std::vector<std::string> row;
      for (std::size_t j = 0; j < cols; ++j) row.push_back(formula(entries[e + j]));
      out += fmt::format("        [{}],\n", fmt::join(row, ", "));
    }
    return out + "    ])";
  }

  std::string vector(const std::vector<Expr>& entries) {
    std::string out = "np.array([\n";
    for (const Expr& e : entries) out += brokenLines(formula(e) + ",", "        ", "", false);
    return out + "    ])";
  }

  std::string file() override {
    std::string out = fmt::format("\"\"\"{}\n\"\"\"\nimport numpy as np\n\n", commentedHead());
    if (!parameters().empty()) {
      out += "# the model's own values\nparameters = {\n";
      for (const ProgramSymbol* s : parameters()) {
        out += fmt::format("    \"{}\": {},{}\n", plainName(s->symbol), valueText(*s), remarkOn(*s, "# "));
      }
      out += "}\n";
    }
    out += "\n\n";
    if (uses(ExprKind::Select)) out += "def select_of(a, b, c):\n    return np.where(a >= 0.0, b, c)\n\n\n";
    if (hasSolve()) out += inverts() ? kPythonInverse : kPythonSolver;
    std::vector<std::string> list;
    if (!parameters().empty()) list.emplace_back("p");
    for (const CodeArgument& argument : arguments()) list.push_back(argument.name);
    out += fmt::format("def {}({}):\n", function(), fmt::join(list, ", "));
    const auto step = [](const std::string& name, const std::string& value, bool) { return statement(name, value); };
    out += statements(false, step);
    if (hasSolve()) {
      const ProgramSolve& s = steps().solve;
      out += inverts() ? fmt::format("    found, rank = invert_pivoted({})\n", matrix(s.size(), s.matrix))
                       : fmt::format("    found, rank = solve_pivoted({}, {}, {}, {})\n", matrix(s.size(), s.matrix),
                                     vector(s.right), matrix(s.width, s.rows), matrix(s.width, s.effects));
      out += statements(true, step);
    }
    std::vector<std::string> results;
    for (std::size_t k = 0; k < steps().outputs.size(); ++k) {
      const ProgramOutput& o = steps().outputs[k];
      results.push_back(outputName(k));
      out += fmt::format("    {} = {}\n", outputName(k),
                         o.cols > 0 ? matrix(static_cast<std::size_t>(o.cols), o.entries) : vector(o.entries));
    }
    if (hasSolve()) results.emplace_back("rank");
    return out + fmt::format("    return {}\n", fmt::join(results, ", "));
  }
};

}  // namespace

std::string programPython(const ProgramSteps& steps) { return PythonPrinter(steps).print(); }

}  // namespace linkwork
