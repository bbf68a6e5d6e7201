// Expr: a scalar that remembers the formula, as a handle to an immutable node of a shared (hash-consed) expression
// graph.
//
// Two expressions built the same way are the same node, so a subexpression that occurs twice is stored, differentiated
// and evaluated once, and comparing two expressions is comparing two pointers. Nodes are reference counted: when the
// last handle goes, the node goes. Building, copying and dropping handles is safe from several threads.
//
// Building folds constants and applies identities that hold for every finite value at which both sides are defined
// (x+0, 0*x, 1*x, x-x, x/1, x/x, --x, x*x = x^2, sin(-x) = -sin(x), ...). Sums and products are binary and stay as
// built, except that two numbers meeting in one chain are joined, so an expression evaluates to what the same C++
// statements give in double up to the rounding of those joined numbers.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "linkwork/scalar/scalar.hpp"
#include "linkwork/scalar/table.hpp"

namespace linkwork {

enum class ExprKind : std::uint8_t {
  Num,  // a double
  Sym,  // a named unknown
  Neg,  // -a
  Add,  // a + b
  Sub,  // a - b
  Mul,  // a * b
  Div,  // a / b
  Pow,  // a ^ b
  Sqrt,
  Sin,
  Cos,
  Tan,
  Asin,
  Acos,
  Atan,
  Atan2,  // atan2(a = y, b = x)
  Sinh,
  Cosh,
  Tanh,
  Exp,
  Log,
  Abs,
  Sign,    // -1, 0 or 1
  Min,     // b < a ? b : a
  Max,     // a < b ? b : a
  Select,  // a >= 0 ? b : c, both sides evaluated
  Table,   // a table, or a derivative of it, at a
};

// Circular functions and their inverses.
constexpr bool isTrigonometric(ExprKind kind) { return kind >= ExprKind::Sin && kind <= ExprKind::Atan2; }

namespace detail {
struct ExprNode;
}

class Expr {
 public:
  constexpr Expr() noexcept = default;          // the number 0
  Expr(double value);                           // NOLINT: numbers are expressions
  static Expr symbol(const std::string& name);  // the same name is the same symbol

  Expr(const Expr& other) noexcept;
  Expr(Expr&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}  // leaves 0 behind
  Expr& operator=(const Expr& other) noexcept;
  Expr& operator=(Expr&& other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~Expr() {
    if (node_ != nullptr) release(node_);
  }

  ExprKind kind() const;
  bool isNumber() const { return kind() == ExprKind::Num; }
  bool isNumber(double value) const { return isNumber() && number() == value; }
  bool isSymbol() const { return kind() == ExprKind::Sym; }
  double number() const;                   // throws ContractError unless isNumber()
  const std::string& name() const;         // throws ContractError unless isSymbol()
  const TablePointer& table() const;       // throws ContractError unless the kind is Table
  int tableOrder() const;                  // which derivative of the table, or kTableCorner; as above
  std::span<const Expr> operands() const;  // valid while this handle (or another to the same node) lives

  // A number of the node, unique among the nodes alive; it depends on what was built before, so never let it order
  // output.
  std::uint64_t id() const;
  // A digest of the structure alone: the same in every run, whatever else was built.
  std::uint64_t structuralHash() const;

  Expr& operator+=(const Expr& b);
  Expr& operator-=(const Expr& b);
  Expr& operator*=(const Expr& b);
  Expr& operator/=(const Expr& b);

  // Structural identity, not algebraic equality: x*(y+z) and x*y+x*z differ.
  friend bool operator==(const Expr& a, const Expr& b) { return a.node_ == b.node_; }

  // Nodes alive in the program, for tests and statistics.
  static std::size_t liveNodeCount();

 private:
  friend struct detail::ExprNode;
  struct Adopt {};
  Expr(Adopt, detail::ExprNode* node) noexcept : node_(node) {}
  static void release(detail::ExprNode* node) noexcept;

  detail::ExprNode* node_ = nullptr;  // null is the number 0
};

Expr operator+(const Expr& a, const Expr& b);
Expr operator-(const Expr& a, const Expr& b);
Expr operator*(const Expr& a, const Expr& b);
Expr operator/(const Expr& a, const Expr& b);
Expr operator-(const Expr& a);
inline Expr operator+(const Expr& a) { return a; }

Expr sqrt(const Expr& a);
Expr sin(const Expr& a);
Expr cos(const Expr& a);
Expr tan(const Expr& a);
Expr asin(const Expr& a);
Expr acos(const Expr& a);
Expr atan(const Expr& a);
Expr atan2(const Expr& y, const Expr& x);
Expr sinh(const Expr& a);
Expr cosh(const Expr& a);
Expr tanh(const Expr& a);
Expr exp(const Expr& a);
Expr log(const Expr& a);
Expr abs(const Expr& a);
Expr sign(const Expr& a);
Expr pow(const Expr& base, const Expr& exponent);
Expr min(const Expr& a, const Expr& b);
Expr max(const Expr& a, const Expr& b);
Expr select(const Expr& condition, const Expr& if_not_negative, const Expr& otherwise);

// The table's derivative of this order (or its corner mark) at a.
Expr applyTable(const TablePointer& table, int order, const Expr& a);

double valueOf(const Expr& a);  // throws ContractError unless a is a number

// The node of this kind over these operands, through the same folding as the operators and functions above. Not for
// tables, which a kind alone does not name.
Expr makeExpr(ExprKind kind, std::span<const Expr> operands);
// The node like this one over other operands.
Expr withOperands(const Expr& like, std::span<const Expr> operands);

// Every distinct node below the roots once, operands before the nodes that use them; the order follows structure alone.
std::vector<Expr> postOrder(std::span<const Expr> roots);

std::vector<std::string> symbolsOf(const Expr& e);  // sorted by name
std::vector<std::string> symbolsOf(std::span<const Expr> es);

Expr differentiate(const Expr& e, const Expr& symbol);

// All replacements happen at once: values are not searched for further names.
Expr substitute(const Expr& e, const std::map<std::string, Expr>& replacements);

// Throws ContractError that names the symbol without a value.
double evaluate(const Expr& e, const std::map<std::string, double>& values);

}  // namespace linkwork

template <>
struct std::hash<linkwork::Expr> {
  std::size_t operator()(const linkwork::Expr& e) const noexcept {
    return static_cast<std::size_t>(e.structuralHash());
  }
};
