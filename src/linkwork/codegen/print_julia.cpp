// Julia.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "linkwork/codegen/code_printer.hpp"
#include "linkwork/codegen/program_printers.hpp"

namespace linkwork {

namespace {

constexpr const char* kJuliaSolver =
    R"(# A x = b by elimination with complete pivoting; x and the rank. Where the rank is low, equations that depend on others
# are left out and their unknowns set to zero. A = P X' is worse conditioned than P and X: what is left over of b with
# them is solved for once more.
function solve_pivoted(A, b, P, X)
    n = length(b)
    scale = [1/sqrt(max(maximum(abs, A[k, :]), floatmin())) for k in 1:n]
    A = A .* (scale*scale')
    row = collect(1:n)
    column = collect(1:n)
    x = zero(b)
    rank = 0
    first = maximum(abs, A)
    while rank < n
        k = rank + 1
        r, c = k, k
        for i in k:n, j in k:n
            if abs(A[i, j]) > abs(A[r, c])
                r, c = i, j
            end
        end
        abs(A[r, c]) > 1e-10*first || break
        A[[r, k], :] = A[[k, r], :]
        row[[r, k]] = row[[k, r]]
        A[:, [c, k]] = A[:, [k, c]]
        column[[c, k]] = column[[k, c]]
        for i in k+1:n
            A[i, k] /= A[k, k]
            A[i, k+1:n] -= A[i, k]*A[k, k+1:n]
        end
        rank = k
    end
    for pass in 1:2
        z = ((b - P*(X'*x)) .* scale)[row[1:rank]]
        for k in 1:rank
            for j in 1:k-1
                z[k] -= A[k, j]*z[j]
            end
        end
        for k in rank:-1:1
            for j in k+1:rank
                z[k] -= A[k, j]*z[j]
            end
            z[k] /= A[k, k]
        end
        x[column[1:rank]] += z .* scale[column[1:rank]]
    end
    return x, rank
end

)";

constexpr const char* kJuliaInverse =
    R"(# The inverse row by row, and the rank, by elimination with pivoting. Below the size the rows do not determine the
# velocities that are eliminated with them, and the inverse is of no use.
function invert_pivoted(A)
    n = size(A, 1)
    scale = [max(maximum(abs, A[k, :]), floatmin()) for k in 1:n]
    A = A ./ scale
    E = zero(A)
    for k in 1:n
        E[k, k] = 1/scale[k]
    end
    for k in 1:n
        r = k - 1 + argmax(abs.(A[k:n, k]))
        abs(A[r, k]) > 1e-10 || return vec(permutedims(E)), k - 1
        A[[r, k], :] = A[[k, r], :]
        E[[r, k], :] = E[[k, r], :]
        E[k, :] /= A[k, k]
        A[k, :] /= A[k, k]
        for i in 1:n
            i == k && continue
            E[i, :] -= A[i, k]*E[k, :]
            A[i, :] -= A[i, k]*A[k, :]
        end
    end
    return vec(permutedims(E)), n
end

)";

class JuliaPrinter final : public CodePrinter {
 public:
  using CodePrinter::CodePrinter;

 private:
  std::string indexed(const std::string& array, int index) const override {
    return fmt::format("{}[{}]", array, index + 1);
  }
  std::string parameterText(const std::string& name) const override { return "p." + name; }
  std::string numberText(double value) const override {
    if (std::isinf(value)) return "Inf";
    return std::isnan(value) ? "NaN" : realNumberText(value);
  }
  std::string comment(const std::string& words) const override { return words.empty() ? "#" : "# " + words; }
  std::string statementComment(const std::string& words) const override { return fmt::format("    # {}\n", words); }
  std::string powerSign() const override { return "^"; }

  std::string functionText(ExprKind kind) const override {
    switch (kind) {
      case ExprKind::Atan2: return "atan";  // of two arguments
      case ExprKind::Select: return "select_of";
      default: return functionName(kind);
    }
  }

  static std::string statement(const std::string& name, const std::string& value) {
    return brokenLines(fmt::format("{} = {}", name, value), "    ", "", true);
  }

  // Entries of a matrix are names, numbers and their negatives: a row is a list with blanks between.
  std::string matrix(std::size_t cols, const std::vector<Expr>& entries) {
    std::string out = "[\n";
    for (std::size_t e = 0; e < entries.size(); e += cols) {
      std::vector<std::string> row;
      for (std::size_t j = 0; j < cols; ++j) row.push_back(formula(entries[e + j]));
      out += fmt::format("        {}\n", fmt::join(row, " "));
    }
    return out + "    ]";
  }

  std::string vector(const std::vector<Expr>& entries) {
    std::string out = "[\n";
    for (const Expr& e : entries) out += brokenLines(formula(e) + ",", "        ", "", true);
    return out + "    ]";
  }

  std::string file() override {
    std::string out = commentedHead() + "\n";
    if (!parameters().empty()) {
      out += fmt::format("# the model's own values\nconst {}_defaults = (\n", function());
      for (const ProgramSymbol* s : parameters()) {
        out += fmt::format("    {} = {},{}\n", plainName(s->symbol), valueText(*s), remarkOn(*s, "# "));
      }
      out += ")\n\n";
    }
    if (uses(ExprKind::Select)) out += "select_of(a, b, c) = a >= 0.0 ? b : c\n\n";
    if (hasSolve()) out += inverts() ? kJuliaInverse : kJuliaSolver;
    std::vector<std::string> list, results;
    if (!parameters().empty()) list.emplace_back("p");
    for (const CodeArgument& argument : arguments()) list.push_back(argument.name);
    out += fmt::format("function {}({})\n", function(), fmt::join(list, ", "));
    const auto step = [](const std::string& name, const std::string& value, bool) { return statement(name, value); };
    out += statements(false, step);
    if (hasSolve()) {
      const ProgramSolve& s = steps().solve;
      out += fmt::format("    loop_A = {}\n", matrix(s.size(), s.matrix));
      if (inverts()) {
        out += "    found, rank = invert_pivoted(loop_A)\n";
      } else {
        out += fmt::format("    loop_b = {}\n    loop_P = {}\n    loop_X = {}\n", vector(s.right),
                           matrix(s.width, s.rows), matrix(s.width, s.effects));
        out += "    found, rank = solve_pivoted(loop_A, loop_b, loop_P, loop_X)\n";
      }
      out += statements(true, step);
    }
    for (std::size_t k = 0; k < steps().outputs.size(); ++k) {
      const ProgramOutput& o = steps().outputs[k];
      results.push_back(outputName(k));
      out += fmt::format("    {} = {}\n", outputName(k),
                         o.cols > 0 ? matrix(static_cast<std::size_t>(o.cols), o.entries) : vector(o.entries));
    }
    if (hasSolve()) results.emplace_back("rank");
    return out + fmt::format("    return {}\nend\n", fmt::join(results, ", "));
  }
};

}  // namespace

std::string programJulia(const ProgramSteps& steps) { return JuliaPrinter(steps).print(); }

}  // namespace linkwork
