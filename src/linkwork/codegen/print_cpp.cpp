// C++17: a structure with the parameters as members and a templated call, so that it also takes dual numbers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "linkwork/codegen/code_printer.hpp"
#include "linkwork/codegen/program_printers.hpp"

namespace linkwork {

namespace {

constexpr const char* kCppSolver =
    R"(  // A x = b by elimination with complete pivoting; gives back the rank. Where the rank is below the size, equations
  // that depend on others are left out and their unknowns set to zero. A = P X^T is worse conditioned than P and X: what
  // is left over of b with them is solved for once more.
  template <class T, std::size_t n, std::size_t m>
  static int solve_pivoted(std::array<std::array<T, n>, n> A, const std::array<T, n>& b,
                           const std::array<std::array<T, m>, n>& P, const std::array<std::array<T, m>, n>& X,
                           std::array<T, n>& x) {
    using std::abs;
    using std::sqrt;
    std::array<T, n> scale, z;
    std::array<std::size_t, n> row, column;
    for (std::size_t i = 0; i < n; ++i) {
      T largest(0.0);
      for (std::size_t j = 0; j < n; ++j) largest = abs(A[i][j]) > largest ? T(abs(A[i][j])) : largest;
      scale[i] = largest > 0.0 ? T(1.0/sqrt(largest)) : T(1.0);
      row[i] = i;
      column[i] = i;
      x[i] = T(0.0);
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) A[i][j] = A[i][j]*scale[i]*scale[j];
    }
    std::size_t rank = 0;
    T first(0.0);
    for (; rank < n; ++rank) {
      std::size_t r = rank, c = rank;
      for (std::size_t i = rank; i < n; ++i) {
        for (std::size_t j = rank; j < n; ++j) {
          if (abs(A[i][j]) > abs(A[r][c])) { r = i; c = j; }
        }
      }
      if (rank == 0) first = abs(A[r][c]);
      if (!(abs(A[r][c]) > 1e-10*first)) break;
      std::swap(A[r], A[rank]);
      std::swap(row[r], row[rank]);
      for (std::size_t i = 0; i < n; ++i) std::swap(A[i][c], A[i][rank]);
      std::swap(column[c], column[rank]);
      for (std::size_t i = rank + 1; i < n; ++i) {
        A[i][rank] = A[i][rank]/A[rank][rank];
        for (std::size_t j = rank + 1; j < n; ++j) A[i][j] = A[i][j] - A[i][rank]*A[rank][j];
      }
    }
    for (int pass = 0; pass < 2; ++pass) {
      std::array<T, n> rest = b;
      for (std::size_t k = 0; pass > 0 && k < m; ++k) {
        T sum(0.0);
        for (std::size_t i = 0; i < n; ++i) sum = sum + X[i][k]*x[i];
        for (std::size_t i = 0; i < n; ++i) rest[i] = rest[i] - P[i][k]*sum;
      }
      for (std::size_t i = 0; i < rank; ++i) {
        z[i] = rest[row[i]]*scale[row[i]];
        for (std::size_t j = 0; j < i; ++j) z[i] = z[i] - A[i][j]*z[j];
      }
      for (std::size_t i = rank; i-- > 0;) {
        for (std::size_t j = i + 1; j < rank; ++j) z[i] = z[i] - A[i][j]*z[j];
        z[i] = z[i]/A[i][i];
      }
      for (std::size_t i = 0; i < rank; ++i) x[column[i]] = x[column[i]] + z[i]*scale[column[i]];
    }
    return static_cast<int>(rank);
  }

)";

constexpr const char* kCppInverse =
    R"(  // E = 1/A by elimination with pivoting, row by row; gives back the rank. Below the size the rows do not determine the
  // velocities that are eliminated with them, and E is of no use.
  template <class T, std::size_t n>
  static int invert_pivoted(std::array<std::array<T, n>, n> A, std::array<T, n*n>& E) {
    using std::abs;
    for (std::size_t i = 0; i < n; ++i) {
      T largest(0.0);
      for (std::size_t j = 0; j < n; ++j) largest = abs(A[i][j]) > largest ? T(abs(A[i][j])) : largest;
      const T scale = largest > 0.0 ? T(1.0/largest) : T(0.0);
      for (std::size_t j = 0; j < n; ++j) {
        A[i][j] = A[i][j]*scale;
        E[i*n + j] = i == j ? scale : T(0.0);
      }
    }
    for (std::size_t k = 0; k < n; ++k) {
      std::size_t r = k;
      for (std::size_t i = k + 1; i < n; ++i) {
        if (abs(A[i][k]) > abs(A[r][k])) r = i;
      }
      const T pivot = A[r][k];
      if (!(abs(pivot) > 1e-10)) return static_cast<int>(k);
      std::swap(A[r], A[k]);
      for (std::size_t j = 0; j < n; ++j) {
        std::swap(E[r*n + j], E[k*n + j]);
        A[k][j] = A[k][j]/pivot;
        E[k*n + j] = E[k*n + j]/pivot;
      }
      for (std::size_t i = 0; i < n; ++i) {
        const T share = A[i][k];
        if (i == k || share == 0.0) continue;
        for (std::size_t j = 0; j < n; ++j) {
          A[i][j] = A[i][j] - share*A[k][j];
          E[i*n + j] = E[i*n + j] - share*E[k*n + j];
        }
      }
    }
    return static_cast<int>(n);
  }

)";

class CppPrinter final : public CodePrinter {
 public:
  using CodePrinter::CodePrinter;

 private:
  std::string indexed(const std::string& array, int index) const override {
    return fmt::format("{}[{}]", array, index);
  }
  std::string parameterText(const std::string& name) const override { return name; }
  std::string numberText(double value) const override { return realNumberText(value); }
  std::string comment(const std::string& words) const override { return words.empty() ? "//" : "// " + words; }
  std::string statementComment(const std::string& words) const override { return fmt::format("    // {}\n", words); }

  std::string functionText(ExprKind kind) const override {
    switch (kind) {
      case ExprKind::Sign: return "sign_of<T>";
      case ExprKind::Min: return "smaller_of<T>";
      case ExprKind::Max: return "larger_of<T>";
      case ExprKind::Select: return "select_of<T>";
      default: return functionName(kind);
    }
  }

  std::string helpers() const {
    std::string out;
    if (uses(ExprKind::Sign))
      out +=
          "  template <class T>\n  static T sign_of(const T& a) { return T(a > 0.0 ? 1.0 : a < 0.0 ? -1.0 : 0.0); "
          "}\n\n";
    if (uses(ExprKind::Min))
      out += "  template <class T>\n  static T smaller_of(const T& a, const T& b) { return b < a ? b : a; }\n\n";
    if (uses(ExprKind::Max))
      out += "  template <class T>\n  static T larger_of(const T& a, const T& b) { return a < b ? b : a; }\n\n";
    if (uses(ExprKind::Select))
      out +=
          "  template <class T>\n  static T select_of(const T& a, const T& b, const T& c) { return a >= 0.0 ? b : c; "
          "}\n\n";
    if (hasSolve()) out += inverts() ? kCppInverse : kCppSolver;
    return out;
  }

  std::string usings() const {
    std::string out;
    for (int k = static_cast<int>(ExprKind::Pow); k <= static_cast<int>(ExprKind::Abs); ++k) {
      const auto kind = static_cast<ExprKind>(k);
      if (kind == ExprKind::Pow || !uses(kind)) continue;
      out += fmt::format("    using std::{};\n", functionName(kind));
    }
    if (uses(ExprKind::Pow)) out += "    using std::pow;\n";
    return out;
  }

  std::string members() {
    std::string out;
    for (const ProgramSymbol* s : parameters()) {
      out += fmt::format("  double {} = {};{}\n", plainName(s->symbol), valueText(*s), remarkOn(*s, "// "));
    }
    return out.empty() ? out : out + "\n";
  }

  std::string head() {
    std::vector<std::string> list;
    for (const CodeArgument& argument : arguments()) {
      // A name that is not used would be warned about.
      const std::string name = argument.used ? argument.name : "/*" + argument.name + "*/";
      list.push_back(argument.size < 0 ? "const T& " + name
                                       : fmt::format("const std::array<T, {}>& {}", argument.size, name));
    }
    for (std::size_t k = 0; k < steps().outputs.size(); ++k) {
      const ProgramOutput& o = steps().outputs[k];
      list.push_back(o.cols > 0 ? fmt::format("std::array<std::array<T, {}>, {}>& {}", o.cols, o.rows, outputName(k))
                                : fmt::format("std::array<T, {}>& {}", o.rows, outputName(k)));
    }
    return fmt::format("  template <class T>\n  {} operator()({}) const {{\n", hasSolve() ? "int" : "void",
                       fmt::join(list, ",\n                  "));
  }

  std::string solveBlock() {
    const ProgramSolve& s = steps().solve;
    if (inverts()) {
      return fmt::format("    std::array<std::array<T, {0}>, {0}> loop_A{{}};\n    std::array<T, {1}> found;\n",
                         s.size(), s.unknowns.size()) +
             loopEntries("    ") + "    const int rank = invert_pivoted(loop_A, found);\n";
    }
    const std::size_t n = s.unknowns.size();
    std::string out = fmt::format(
        "    std::array<std::array<T, {0}>, {0}> loop_A{{}};\n    std::array<std::array<T, {1}>, {0}> loop_P{{}}, "
        "loop_X{{}};\n"
        "    std::array<T, {0}> loop_b, found;\n",
        n, s.width);
    return out + loopEntries("    ") + "    const int rank = solve_pivoted(loop_A, loop_b, loop_P, loop_X, found);\n";
  }

  std::string file() override {
    const auto statement = [](const std::string& name, const std::string& value, bool constant) {
      return brokenLines(fmt::format("const {} {} = {};", constant ? "double" : "T", name, value), "    ", "", false);
    };
    std::string out = commentedHead() +
                      "#pragma once\n\n#include <array>\n#include <cmath>\n#include <cstddef>\n#include <utility>\n\n";
    out += fmt::format("struct {} {{\n", function()) + members() + head() + usings() + statements(false, statement);
    if (hasSolve()) out += solveBlock() + statements(true, statement);
    out += outputEntries("    ");
    if (hasSolve()) out += "    return rank;\n";
    out += "  }\n";
    if (const std::string more = helpers(); !more.empty()) out += "\n private:\n" + more.substr(0, more.size() - 1);
    return out + "};\n";
  }
};

}  // namespace

std::string programCpp(const ProgramSteps& steps) { return CppPrinter(steps).print(); }

}  // namespace linkwork
