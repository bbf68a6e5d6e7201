#include "linkwork/codegen/expr_writer.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <stdexcept>
#include <string_view>

#include "linkwork/base/contract.hpp"
#include "linkwork/codegen/expr_order.hpp"
#include "linkwork/scalar/random_program_test.hpp"

namespace linkwork {
namespace expr_writer_test {

Expr sym(const char* name) { return Expr::symbol(name); }
const Expr x = sym("x"), y = sym("y"), z = sym("z"), a = sym("a"), m1 = sym("m1"), phi2 = sym("phi2");

TEST(ToText, WritesTablesAsFunctionsOfTheirName) {
  const auto table = [](const char* name) {
    return std::make_shared<const Table>(name, std::vector<double>{0.0, 1.0}, std::vector<double>{0.0, 2.0},
                                         TableKind::cubic, TableOutside::extend);
  };
  const Expr law = applyTable(table("spring_law"), 0, x - y);
  EXPECT_EQ(toText(2.0 * law), "2*spring_law(x - y)");
  EXPECT_EQ(toText(differentiate(pow(law, 2.0), x)), "2*spring_law(x - y)*spring_law'(x - y)");
  EXPECT_EQ(toLatex(applyTable(table("f"), 2, x)), "f''\\left(x\\right)");
  // Tables that differ in name, order or contents have an order, whatever their arguments.
  EXPECT_EQ(toText(applyTable(table("g"), 0, x) + applyTable(table("f"), 0, x)), "f(x) + g(x)");
  const auto other = std::make_shared<const Table>("f", std::vector<double>{0.0, 1.0}, std::vector<double>{0.0, 3.0},
                                                   TableKind::cubic, TableOutside::extend);
  EXPECT_EQ(toText(applyTable(other, 0, x) * applyTable(table("f"), 0, x)), "f(x)*f(x)");
}

TEST(ToText, WritesInfixWithFewestBrackets) {
  EXPECT_EQ(toText(m1 * (x - a * pow(cos(phi2), 2.0))), "m1*(x - a*cos(phi2)^2)");
  EXPECT_EQ(toText(x * y * z), "x*y*z");
  EXPECT_EQ(toText(z * (y * x)), "x*y*z");
  EXPECT_EQ(toText((x + y) + z), "x + y + z");
  EXPECT_EQ(toText(x - (y - z)), "x - y + z");
  EXPECT_EQ(toText((x + y) * (x - y)), "(x + y)*(x - y)");
  EXPECT_EQ(toText(pow(x + y, 2.0)), "(x + y)^2");
  EXPECT_EQ(toText(pow(x * y, 2.0)), "(x*y)^2");
  EXPECT_EQ(toText(pow(pow(x, y), z)), "(x^y)^z");
  EXPECT_EQ(toText(pow(x, y + 1.0)), "x^(y + 1)");
  EXPECT_EQ(toText(pow(x, pow(y, z))), "x^(y^z)");
  EXPECT_EQ(toText(pow(2.0, x)), "2^x");
  EXPECT_EQ(toText(pow(Expr(-2.0), x)), "(-2)^x");
  EXPECT_EQ(toText(pow(x, -0.5)), "x^(-0.5)");
  EXPECT_EQ(toText(pow(-x, y)), "(-x)^y");
  EXPECT_EQ(toText(sin(x + y)), "sin(x + y)");
}

TEST(ToText, WritesFractions) {
  EXPECT_EQ(toText(x / y), "x/y");
  EXPECT_EQ(toText(x / 2.0), "x/2");
  EXPECT_EQ(toText(1.0 / x), "1/x");
  EXPECT_EQ(toText(x / y / z), "x/(y*z)");
  EXPECT_EQ(toText(x / (y / z)), "x*z/y");
  EXPECT_EQ(toText((x + y) / (x - y)), "(x + y)/(x - y)");
  EXPECT_EQ(toText(-x / (2.0 * y)), "-x/(2*y)");
  EXPECT_EQ(toText(3.0 * x / y), "3*x/y");
  EXPECT_EQ(toText(pow(x, -2.0)), "1/x^2");
  EXPECT_EQ(toText(y * pow(x, -2.0)), "y/x^2");
  EXPECT_EQ(toText(pow(x / y, 2.0)), "(x/y)^2");
  EXPECT_EQ(toText(1.0 - x / y), "1 - x/y");
}

TEST(ToText, WritesMinusSignsAsSubtraction) {
  EXPECT_EQ(toText(-x), "-x");
  EXPECT_EQ(toText(x - y), "x - y");
  EXPECT_EQ(toText(x + (-2.0) * y), "x - 2*y");
  EXPECT_EQ(toText(-2.0 * y + x), "x - 2*y");
  EXPECT_EQ(toText(-(x + y)), "-x - y");
  EXPECT_EQ(toText(-(x * y)), "-x*y");
  EXPECT_EQ(toText(x - 1.0), "x - 1");
  EXPECT_EQ(toText(1.0 - x), "1 - x");
  EXPECT_EQ(toText(1.0 + x), "x + 1");
  EXPECT_EQ(toText(z * (-1.0 - x)), "z*(-x - 1)");
  EXPECT_EQ(toText(sin(-x)), "-sin(x)");
  EXPECT_EQ(toText(y - sin(x)), "y - sin(x)");
}

TEST(ToText, OrdersAsAPersonWould) {
  const Expr x2 = sym("x2"), x10 = sym("x10"), B = sym("B");
  EXPECT_EQ(toText(x10 * x2 * 3.0), "3*x2*x10");
  EXPECT_EQ(toText(x10 + x2), "x2 + x10");
  EXPECT_EQ(toText(sin(x) * y), "y*sin(x)");
  EXPECT_EQ(toText(cos(y) * sin(x) * (y + 1.0) * sqrt(x)), "(y + 1)*sqrt(x)*sin(x)*cos(y)");
  EXPECT_EQ(toText(sin(x) + y), "y + sin(x)");
  EXPECT_EQ(toText(x + x * x + 1.0), "x^2 + x + 1");
  EXPECT_EQ(toText(z + B + a), "a + B + z");
  EXPECT_EQ(toText(y * x * y), "x*y^2");
  EXPECT_EQ(toText(2.0 * x * (3.0 * y)), "6*x*y");
  EXPECT_EQ(toText((x + 1.0) + (y + 2.0)), "x + y + 3");
}

TEST(ToText, NumbersReadBackExactly) {
  EXPECT_EQ(toText(Expr()), "0");
  EXPECT_EQ(toText(2.0), "2");
  EXPECT_EQ(toText(-2.5), "-2.5");
  EXPECT_EQ(toText(1e-5), "1e-05");
  EXPECT_EQ(toText(1e300 * (1e300 * x)), "1e+300*1e+300*x");
  std::mt19937_64 random(3);
  for (int i = 0; i < 1000; ++i) {
    const double value = std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 200) - 100);
    EXPECT_EQ(std::stod(toText(value)), value);
  }
  EXPECT_EQ(toText(Expr(std::numeric_limits<double>::infinity())), "inf");
}

TEST(ToText, WritesEveryFunction) {
  EXPECT_EQ(toText(select(x - y, min(x, y), max(x, 1.0))), "select(x - y, min(x, y), max(x, 1))");
  EXPECT_EQ(toText(atan2(y, x)), "atan2(y, x)");
  EXPECT_EQ(toText(abs(x) * sign(y)), "abs(x)*sign(y)");
  EXPECT_EQ(toText(exp(log(tanh(x)))), "exp(log(tanh(x)))");
  EXPECT_EQ(toText(asin(acos(atan(x)))), "asin(acos(atan(x)))");
  EXPECT_EQ(toText(sinh(cosh(tan(x)))), "sinh(cosh(tan(x)))");
}

// What the text of one process says must not depend on what it built before.
TEST(ToText, DoesNotDependOnTheOrderOfBuilding) {
  std::vector<Expr> parts = {x * y, sin(z) * 2.0, -a, Expr(3.0), m1 * cos(phi2), y / z, pow(x, 2.0), -2.0 * exp(x)};
  Expr in_order;
  for (const Expr& part : parts) in_order += part;
  const std::string expected = toText(in_order);
  EXPECT_EQ(expected, "x^2 - a + x*y + y/z - 2*exp(x) + m1*cos(phi2) + 2*sin(z) + 3");
  std::mt19937 random(5);
  for (int i = 0; i < 50; ++i) {
    std::shuffle(parts.begin(), parts.end(), random);
    Expr sum;
    for (const Expr& part : parts) sum += part;
    EXPECT_EQ(toText(sum), expected);
  }
}

TEST(ToText, WritesDeepExpressions) {
  Expr chain = x;
  for (int i = 0; i < 20000; ++i) chain = sin(chain) + y;
  const std::string written = toText(chain);
  EXPECT_EQ(written.size(), 1 + 20000 * std::string("y + sin()").size());
  Expr product = x;
  for (int i = 0; i < 20000; ++i) product *= Expr::symbol(fmt::format("p{}", i % 5000));
  EXPECT_TRUE(toText(product).starts_with("p0^4*p1^4*p2^4"));
}

// Reads the language of toText and computes its value, with the usual precedence: + -, then * /, then -, then ^.
class TextReader {
 public:
  TextReader(std::string_view text, std::map<std::string, double> values) : rest_(text), values_(std::move(values)) {}

  double read() {
    const double value = sum();
    EXPECT_EQ(rest_, "");
    return value;
  }

 private:
  bool take(std::string_view token) {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  double sum() {
    double value = product();
    while (true) {
      if (take("+")) {
        value += product();
      } else if (take("-")) {
        value -= product();
      } else {
        return value;
      }
    }
  }

  double product() {
    double value = take("-") ? -power() : power();
    while (true) {
      if (take("*")) {
        value *= power();
      } else if (take("/")) {
        value /= power();
      } else {
        return value;
      }
    }
  }

  double power() {
    const double base = atom();
    return take("^") ? std::pow(base, atom()) : base;
  }

  double atom() {
    if (take("(")) {
      const double value = sum();
      EXPECT_TRUE(take(")"));
      return value;
    }
    if (std::isdigit(static_cast<unsigned char>(rest_.front()))) {
      std::size_t used = 0;
      const double value = std::stod(std::string(rest_.substr(0, 40)), &used);
      rest_.remove_prefix(used);
      return value;
    }
    std::string name;
    while (!rest_.empty() && std::isalnum(static_cast<unsigned char>(rest_.front()))) {
      name += rest_.front();
      rest_.remove_prefix(1);
    }
    if (!take("(")) return values_.at(name);
    double arguments[3] = {sum(), 0, 0};
    for (int i = 1; take(","); ++i) arguments[i] = sum();
    EXPECT_TRUE(take(")"));
    return call(name, arguments[0], arguments[1], arguments[2]);
  }

  static double call(const std::string& f, double u, double v, double w) {
    if (f == "sqrt") return std::sqrt(u);
    if (f == "sin") return std::sin(u);
    if (f == "cos") return std::cos(u);
    if (f == "tan") return std::tan(u);
    if (f == "asin") return std::asin(u);
    if (f == "acos") return std::acos(u);
    if (f == "atan") return std::atan(u);
    if (f == "atan2") return std::atan2(u, v);
    if (f == "sinh") return std::sinh(u);
    if (f == "cosh") return std::cosh(u);
    if (f == "tanh") return std::tanh(u);
    if (f == "exp") return std::exp(u);
    if (f == "log") return std::log(u);
    if (f == "abs") return std::abs(u);
    if (f == "sign") return sign(u);
    if (f == "min") return std::min(u, v);
    if (f == "max") return std::max(u, v);
    if (f == "select") return select(u, v, w);
    throw std::invalid_argument(f);
  }

  std::string_view rest_;
  std::map<std::string, double> values_;
};

TEST(ToText, ReadsBackToTheSameValueOnRandomPrograms) {
  const std::map<std::string, double> at = {{"x", 0.4}, {"y", -1.2}, {"z", 0.9}};
  const Expr symbols[] = {x, y, z};
  for (unsigned seed = 1; seed <= 500; ++seed) {
    const Expr e = test::runProgram<Expr>(test::makeRandomProgram(seed, 3, 20), symbols);
    for (const Expr& printed : {e, differentiate(e, x)}) {
      const std::string text = toText(printed);
      const double expected = evaluate(printed, at);
      // The order of terms differs, hence the roundings.
      EXPECT_NEAR(TextReader(text, at).read(), expected, 1e-11 * (1 + std::abs(expected))) << text.substr(0, 2000);
    }
  }
}

TEST(ToLatex, WritesFormulas) {
  EXPECT_EQ(toLatex(m1 * (x - a * pow(cos(phi2), 2.0))), "m_{1} \\left(x - a \\cos^{2} \\varphi_{2}\\right)");
  EXPECT_EQ(toLatex(x / y), "\\frac{x}{y}");
  EXPECT_EQ(toLatex((x + y) / 2.0), "\\frac{x + y}{2}");
  EXPECT_EQ(toLatex(-x / (2.0 * (x + y))), "-\\frac{x}{2 \\left(x + y\\right)}");
  EXPECT_EQ(toLatex(x - 2.0 * y), "x - 2 y");
  EXPECT_EQ(toLatex(pow(x / y, 2.0)), "\\left(\\frac{x}{y}\\right)^{2}");
  EXPECT_EQ(toLatex(pow(x, y + 1.0)), "x^{y + 1}");
  EXPECT_EQ(toLatex(sqrt(x + y)), "\\sqrt{x + y}");
  EXPECT_EQ(toLatex(sin(x + y) * cos(x)), "\\sin\\left(x + y\\right) \\cos x");
  EXPECT_EQ(toLatex(exp(-x) * y), "y e^{-x}");
  EXPECT_EQ(toLatex(pow(exp(x), 2.0)), "\\left(e^{x}\\right)^{2}");
  EXPECT_EQ(toLatex(pow(log(x), 2.0)), "\\left(\\ln x\\right)^{2}");
  EXPECT_EQ(toLatex(abs(x)), "\\left|x\\right|");
  EXPECT_EQ(toLatex(atan2(y, x)), "\\operatorname{atan2}\\left(y, x\\right)");
  EXPECT_EQ(toLatex(asin(x) + sign(y)), "\\operatorname{sgn} y + \\arcsin x");
  EXPECT_EQ(toLatex(max(x, y)), "\\max\\left(x, y\\right)");
  EXPECT_EQ(toLatex(3.0 * pow(2.0, x)), "3 \\cdot 2^{x}");
  EXPECT_EQ(toLatex(1.5e-5 * x), "1.5 \\cdot 10^{-5} x");
  EXPECT_EQ(toLatex(pow(1e-5, x)), "\\left(10^{-5}\\right)^{x}");
  EXPECT_EQ(toLatex(select(x, y, z)),
            "\\begin{cases} y & \\text{if } x \\ge 0 \\\\ z & \\text{otherwise} \\end{cases}");
  EXPECT_EQ(toLatex(a * select(x, y, z)),
            "a \\left(\\begin{cases} y & \\text{if } x \\ge 0 \\\\ z & \\text{otherwise} \\end{cases}\\right)");
}

TEST(SymbolLatex, ReadsTheNamesOfMechanics) {
  EXPECT_EQ(symbolLatex("phi2"), "\\varphi_{2}");
  EXPECT_EQ(symbolLatex("phi_2"), "\\varphi_{2}");
  EXPECT_EQ(symbolLatex("x1"), "x_{1}");
  EXPECT_EQ(symbolLatex("dphi2"), "\\dot{\\varphi}_{2}");
  EXPECT_EQ(symbolLatex("ddphi_12"), "\\ddot{\\varphi}_{12}");
  EXPECT_EQ(symbolLatex("ddx1"), "\\ddot{x}_{1}");
  EXPECT_EQ(symbolLatex("q1_dot"), "\\dot{q}_{1}");
  EXPECT_EQ(symbolLatex("q_ddot"), "\\ddot{q}");
  EXPECT_EQ(symbolLatex("d"), "d");
  EXPECT_EQ(symbolLatex("d1"), "d_{1}");
  EXPECT_EQ(symbolLatex("delta"), "\\delta");
  EXPECT_EQ(symbolLatex("Omega"), "\\Omega");
  EXPECT_EQ(symbolLatex("x_B"), "x_{B}");
  EXPECT_EQ(symbolLatex("m_crank"), "m_{\\mathrm{crank}}");
  EXPECT_EQ(symbolLatex("phi_a_2"), "\\varphi_{a,2}");
  EXPECT_EQ(symbolLatex("spring_rate"), "\\mathrm{spring\\_rate}");
  EXPECT_EQ(symbolLatex("length"), "\\mathrm{length}");
  EXPECT_EQ(symbolLatex("crank.angle_rate"), "\\mathrm{crank.angle\\_rate}");
  EXPECT_EQ(symbolLatex("crank.phi2"), "\\varphi_{\\mathrm{crank},2}");
  EXPECT_EQ(symbolLatex("pin_B.force.x"), "x_{\\mathrm{pin\\_B.force}}");
  EXPECT_EQ(symbolLatex("50%"), "\\mathrm{50\\%}");
}

TEST(ExprOrder, ComparesNamesNaturally) {
  EXPECT_TRUE(compareNames("x2", "x10") < 0);
  EXPECT_TRUE(compareNames("a", "B") < 0);
  EXPECT_TRUE(compareNames("x", "x1") < 0);
  EXPECT_TRUE(compareNames("x01", "x1") != 0);
  EXPECT_TRUE(compareNames("X", "x") != 0);
  EXPECT_TRUE(compareNames("x1", "x1") == 0);
}

}  // namespace expr_writer_test
}  // namespace linkwork
