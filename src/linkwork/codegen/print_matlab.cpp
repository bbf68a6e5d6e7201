// MATLAB and Octave. The file must have the name of its function.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "linkwork/codegen/code_printer.hpp"
#include "linkwork/codegen/program_printers.hpp"

namespace linkwork {

namespace {

constexpr const char* kMatlabSolver = R"(
function [x, rank] = solve_pivoted(A, b, P, X)
% A x = b by elimination with complete pivoting; x and the rank. Where the rank is low, equations that depend on others
% are left out and their unknowns set to zero. A = P X' is worse conditioned than P and X: what is left over of b with
% them is solved for once more.
  n = numel(b);
  largest = max(abs(A), [], 2);
  largest(largest == 0) = 1;
  scale = 1./sqrt(largest);
  A = A.*(scale*scale.');
  b = b(:);
  row = 1:n;
  column = 1:n;
  x = zeros(n, 1);
  rank = 0;
  first = max(abs(A(:)));
  while rank < n
    k = rank + 1;
    block = abs(A(k:n, k:n));
    [biggest, place] = max(block(:));
    if ~(biggest > 1e-10*first)
      break;
    end
    r = k + mod(place - 1, n - rank);
    c = k + floor((place - 1)/(n - rank));
    A([r, k], :) = A([k, r], :);
    row([r, k]) = row([k, r]);
    A(:, [c, k]) = A(:, [k, c]);
    column([c, k]) = column([k, c]);
    A(k+1:n, k) = A(k+1:n, k)/A(k, k);
    A(k+1:n, k+1:n) = A(k+1:n, k+1:n) - A(k+1:n, k)*A(k, k+1:n);
    rank = k;
  end
  for pass = 1:2
    z = (b - P*(X.'*x)).*scale;
    z = z(row(1:rank));
    for k = 1:rank
      for j = 1:k-1
        z(k) = z(k) - A(k, j)*z(j);
      end
    end
    for k = rank:-1:1
      for j = k+1:rank
        z(k) = z(k) - A(k, j)*z(j);
      end
      z(k) = z(k)/A(k, k);
    end
    x(column(1:rank)) = x(column(1:rank)) + z.*scale(column(1:rank));
  end
end
)";

constexpr const char* kMatlabInverse = R"(
function [E, full] = invert_pivoted(A)
% The inverse row by row, and the rank. Below the size the rows do not determine the velocities that are eliminated with
% them, and there is none.
  n = size(A, 1);
  scale = max(abs(A), [], 2);
  scale(scale == 0) = 1;
  A = diag(1./scale)*A;
  full = rank(A, 1e-10);
  if full < n
    E = NaN(n*n, 1);
  else
    E = (inv(A)*diag(1./scale)).';
    E = E(:);
  end
end
)";

class MatlabPrinter final : public CodePrinter {
 public:
  using CodePrinter::CodePrinter;

 private:
  std::string indexed(const std::string& array, int index) const override {
    return fmt::format("{}({})", array, index + 1);
  }
  std::string parameterText(const std::string& name) const override { return "p." + name; }
  std::string numberText(double value) const override {
    if (std::isinf(value)) return "Inf";
    return std::isnan(value) ? "NaN" : fmt::format("{}", value);
  }
  std::string comment(const std::string& words) const override { return words.empty() ? "%" : "% " + words; }
  std::string statementComment(const std::string& words) const override { return fmt::format("  % {}\n", words); }
  std::string powerSign() const override { return "^"; }

  std::string functionText(ExprKind kind) const override {
    return kind == ExprKind::Select ? "select_of" : functionName(kind);
  }

  static std::string statement(const std::string& name, const std::string& value) {
    return brokenLines(fmt::format("{} = {};", name, value), "  ", " ...", false);
  }

  // Rows end at semicolons; a line that goes on says so.
  std::string rows(std::size_t cols, const std::vector<Expr>& entries) {
    std::string out = "[\n";
    for (std::size_t e = 0; e < entries.size(); e += cols) {
      std::vector<std::string> row;
      for (std::size_t j = 0; j < cols; ++j) row.push_back(formula(entries[e + j]));
      const bool last = e + cols >= entries.size();
      out += brokenLines(fmt::format("{}{}", fmt::join(row, ", "), last ? "" : ";"), "    ", " ...", false);
    }
    return out + "  ]";
  }

  std::string defaults() {
    std::string out = fmt::format("\nfunction p = defaults()\n% the model's own values\n");
    for (const ProgramSymbol* s : parameters()) {
      out += fmt::format("  p.{} = {};{}\n", plainName(s->symbol), valueText(*s), remarkOn(*s, "% "));
    }
    return out + "end\n";
  }

  std::string file() override {
    std::vector<std::string> list, results;
    if (!parameters().empty()) list.emplace_back("p");
    for (const CodeArgument& argument : arguments()) list.push_back(argument.name);
    for (std::size_t k = 0; k < steps().outputs.size(); ++k) results.push_back(outputName(k));
    if (hasSolve()) results.emplace_back("rank");
    std::string out =
        fmt::format("function [{}] = {}({})\n", fmt::join(results, ", "), function(), fmt::join(list, ", "));
    out += commentedHead();
    if (!parameters().empty()) {
      out += "% p: structure of parameters; [] takes the model's own values\n";
      out += "  if isempty(p)\n    p = defaults();\n  end\n";
    }
    const auto step = [](const std::string& name, const std::string& value, bool) { return statement(name, value); };
    out += statements(false, step);
    if (hasSolve()) {
      const ProgramSolve& s = steps().solve;
      out += fmt::format("  loop_A = {};\n", rows(s.size(), s.matrix));
      if (inverts()) {
        out += "  [found, rank] = invert_pivoted(loop_A);\n";
      } else {
        out += fmt::format("  loop_b = {};\n  loop_P = {};\n  loop_X = {};\n", rows(1, s.right), rows(s.width, s.rows),
                           rows(s.width, s.effects));
        out += "  [found, rank] = solve_pivoted(loop_A, loop_b, loop_P, loop_X);\n";
      }
      out += statements(true, step);
    }
    for (std::size_t k = 0; k < steps().outputs.size(); ++k) {
      const ProgramOutput& o = steps().outputs[k];
      out += fmt::format("  {} = {};\n", outputName(k), rows(static_cast<std::size_t>(std::max(o.cols, 1)), o.entries));
    }
    out += "end\n";
    if (!parameters().empty()) out += defaults();
    if (uses(ExprKind::Select))
      out += "\nfunction y = select_of(a, b, c)\n  if a >= 0\n    y = b;\n  else\n    y = c;\n  end\nend\n";
    if (hasSolve()) out += inverts() ? kMatlabInverse : kMatlabSolver;
    return out;
  }
};

}  // namespace

std::string programMatlab(const ProgramSteps& steps) { return MatlabPrinter(steps).print(); }

}  // namespace linkwork
