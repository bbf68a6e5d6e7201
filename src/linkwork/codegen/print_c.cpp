// C99.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string_view>

#include "linkwork/codegen/code_printer.hpp"
#include "linkwork/codegen/program_printers.hpp"

namespace linkwork {

namespace {

// Complete pivoting after scaling rows and columns alike; N stands for the size, M for the width.
constexpr const char* kCSolver =
    R"(/* A x = b by elimination with complete pivoting; gives back the rank. Where the rank is below N, equations that depend
   on others are left out and their unknowns set to zero. A = P X^T is worse conditioned than P and X: what is left over
   of b with them is solved for once more. A is overwritten. */
static int solve_pivoted(double A[N][N], const double b[N], double P[N][M], double X[N][M], double x[N])
{
  double scale[N], z[N];
  int row[N], column[N];
  int rank = 0;
  double first = 0.0;
  for (int i = 0; i < N; ++i) {
    double largest = 0.0;
    for (int j = 0; j < N; ++j) largest = fmax(largest, fabs(A[i][j]));
    scale[i] = largest > 0.0 ? 1.0/sqrt(largest) : 1.0;
    row[i] = i;
    column[i] = i;
    x[i] = 0.0;
  }
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) A[i][j] *= scale[i]*scale[j];
  }
  for (; rank < N; ++rank) {
    int r = rank, c = rank;
    for (int i = rank; i < N; ++i) {
      for (int j = rank; j < N; ++j) {
        if (fabs(A[i][j]) > fabs(A[r][c])) { r = i; c = j; }
      }
    }
    if (rank == 0) first = fabs(A[r][c]);
    if (!(fabs(A[r][c]) > 1e-10*first)) break;
    for (int j = 0; j < N; ++j) { const double swap = A[r][j]; A[r][j] = A[rank][j]; A[rank][j] = swap; }
    { const int swap = row[r]; row[r] = row[rank]; row[rank] = swap; }
    for (int i = 0; i < N; ++i) { const double swap = A[i][c]; A[i][c] = A[i][rank]; A[i][rank] = swap; }
    { const int swap = column[c]; column[c] = column[rank]; column[rank] = swap; }
    for (int i = rank + 1; i < N; ++i) {
      A[i][rank] /= A[rank][rank];
      for (int j = rank + 1; j < N; ++j) A[i][j] -= A[i][rank]*A[rank][j];
    }
  }
  for (int pass = 0; pass < 2; ++pass) {
    double rest[N];
    for (int i = 0; i < N; ++i) rest[i] = b[i];
    for (int k = 0; pass > 0 && k < M; ++k) {
      double sum = 0.0;
      for (int i = 0; i < N; ++i) sum += X[i][k]*x[i];
      for (int i = 0; i < N; ++i) rest[i] -= P[i][k]*sum;
    }
    for (int i = 0; i < rank; ++i) {
      z[i] = rest[row[i]]*scale[row[i]];
      for (int j = 0; j < i; ++j) z[i] -= A[i][j]*z[j];
    }
    for (int i = rank - 1; i >= 0; --i) {
      for (int j = i + 1; j < rank; ++j) z[i] -= A[i][j]*z[j];
      z[i] /= A[i][i];
    }
    for (int i = 0; i < rank; ++i) x[column[i]] += z[i]*scale[column[i]];
  }
  return rank;
}

)";

// Rows scaled, pivots by columns; N stands for the size.
constexpr const char* kCInverse =
    R"(/* E = 1/A by elimination with pivoting; gives back the rank. Below N the rows do not determine the velocities that are
   eliminated with them, and E is of no use. A is overwritten. */
static int invert_pivoted(double A[N][N], double E[N][N])
{
  for (int i = 0; i < N; ++i) {
    double largest = 0.0;
    for (int j = 0; j < N; ++j) largest = fmax(largest, fabs(A[i][j]));
    for (int j = 0; j < N; ++j) {
      if (largest > 0.0) A[i][j] /= largest;
      E[i][j] = i == j && largest > 0.0 ? 1.0/largest : 0.0;
    }
  }
  for (int k = 0; k < N; ++k) {
    int r = k;
    for (int i = k + 1; i < N; ++i) {
      if (fabs(A[i][k]) > fabs(A[r][k])) r = i;
    }
    const double pivot = A[r][k];
    if (!(fabs(pivot) > 1e-10)) return k;
    for (int j = 0; j < N; ++j) {
      const double a = A[r][j], e = E[r][j];
      A[r][j] = A[k][j];
      E[r][j] = E[k][j];
      A[k][j] = a/pivot;
      E[k][j] = e/pivot;
    }
    for (int i = 0; i < N; ++i) {
      const double share = A[i][k];
      if (i == k || share == 0.0) continue;
      for (int j = 0; j < N; ++j) {
        A[i][j] -= share*A[k][j];
        E[i][j] -= share*E[k][j];
      }
    }
  }
  return N;
}

)";

class CPrinter final : public CodePrinter {
 public:
  using CodePrinter::CodePrinter;

 private:
  std::string indexed(const std::string& array, int index) const override {
    return fmt::format("{}[{}]", array, index);
  }
  std::string parameterText(const std::string& name) const override { return "p->" + name; }
  std::string numberText(double value) const override { return realNumberText(value); }
  std::string comment(const std::string& words) const override { return " * " + words; }
  std::string statementComment(const std::string& words) const override { return fmt::format("  /* {} */\n", words); }

  std::string functionText(ExprKind kind) const override {
    switch (kind) {
      case ExprKind::Abs: return "fabs";
      case ExprKind::Sign: return "sign_of";
      case ExprKind::Min: return "fmin";
      case ExprKind::Max: return "fmax";
      case ExprKind::Select: return "select_of";
      default: return functionName(kind);
    }
  }

  std::string helpers() const {
    std::string out;
    if (uses(ExprKind::Sign)) out += "static double sign_of(double a) { return (double)((a > 0.0) - (a < 0.0)); }\n\n";
    if (uses(ExprKind::Select))
      out += "static double select_of(double a, double b, double c) { return a >= 0.0 ? b : c; }\n\n";
    if (hasSolve()) {
      for (const char c : std::string_view(inverts() ? kCInverse : kCSolver))
        out += c == 'N' ? std::to_string(solveSize()) : c == 'M' ? std::to_string(solveWidth()) : std::string(1, c);
    }
    return out;
  }

  std::string parameterStruct() {
    if (parameters().empty()) return {};
    std::string out = "typedef struct {\n", values;
    for (const ProgramSymbol* s : parameters()) {
      const std::string& name = plainName(s->symbol);
      out += fmt::format("  double {};{}\n", name, remarkOn(*s, "/* ", " */"));
      values += fmt::format("  .{} = {},\n", name, valueText(*s));
    }
    out += fmt::format("}} {}_par;\n\n", function());
    return out +
           fmt::format("/* the model's own values */\nconst {0}_par {0}_defaults = {{\n{1}}};\n\n", function(), values);
  }

  std::string head() {
    std::vector<std::string> list;
    if (!parameters().empty()) list.push_back(fmt::format("const {}_par *p", function()));
    for (const CodeArgument& argument : arguments()) {
      list.push_back(argument.size < 0 ? "double " + argument.name
                                       : fmt::format("const double {}[{}]", argument.name, argument.size));
    }
    for (std::size_t k = 0; k < steps().outputs.size(); ++k) {
      const ProgramOutput& o = steps().outputs[k];
      list.push_back(o.cols > 0 ? fmt::format("double {}[{}][{}]", outputName(k), o.rows, o.cols)
                                : fmt::format("double {}[{}]", outputName(k), o.rows));
    }
    return fmt::format("{} {}({})", hasSolve() ? "int" : "void", function(), fmt::join(list, ", "));
  }

  std::string solveBlock() {
    const ProgramSolve& s = steps().solve;
    if (inverts()) {
      return fmt::format("  double loop_A[{0}][{0}] = {{{{0.0}}}}, loop_E[{0}][{0}];\n", solveSize()) +
             loopEntries("  ") +
             "  const int rank = invert_pivoted(loop_A, loop_E);\n  const double *found = &loop_E[0][0];\n";
    }
    const std::size_t n = s.unknowns.size();
    std::string out = fmt::format(
        "  double loop_A[{0}][{0}] = {{{{0.0}}}}, loop_P[{0}][{1}] = {{{{0.0}}}}, loop_X[{0}][{1}] = {{{{0.0}}}};\n", n,
        s.width);
    out += fmt::format("  double loop_b[{0}], found[{0}];\n", n);
    return out + loopEntries("  ") + "  const int rank = solve_pivoted(loop_A, loop_b, loop_P, loop_X, found);\n";
  }

  std::string file() override {
    const auto statement = [](const std::string& name, const std::string& value, bool /*constant*/) {
      return brokenLines(fmt::format("const double {} = {};", name, value), "  ", "", false);
    };
    std::string out = "/*\n" + commentedHead() + " */\n#include <math.h>\n\n" + parameterStruct() + helpers();
    // Declared first, so that a compiler that asks for a prototype finds one.
    out += brokenSignature(head() + ";") + "\n" + brokenSignature(head()) + "{\n";
    for (const CodeArgument& argument : arguments()) {
      if (!argument.used) out += fmt::format("  (void){};\n", argument.name);
    }
    out += statements(false, statement);
    if (hasSolve()) out += solveBlock() + statements(true, statement);
    out += outputEntries("  ");
    if (hasSolve()) out += "  return rank;\n";
    return out + "}\n";
  }

  static std::string brokenSignature(std::string head) {
    std::string out;
    while (head.size() > 112) {
      const std::size_t comma = head.rfind(", ", 110);
      if (comma == std::string::npos) break;
      out += head.substr(0, comma + 1) + "\n";
      head = "    " + head.substr(comma + 2);
    }
    return out + head + "\n";
  }
};

}  // namespace

std::string programC(const ProgramSteps& steps) { return CPrinter(steps).print(); }

}  // namespace linkwork
