#include "linkwork/scalar/expr.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>

#include "linkwork/base/contract.hpp"
#include "linkwork/scalar/expr_apply.hpp"

namespace linkwork {

namespace {

std::uint64_t mix(std::uint64_t h) {
  h ^= h >> 30;
  h *= 0xbf58476d1ce4e5b9ULL;
  h ^= h >> 27;
  h *= 0x94d049bb133111ebULL;
  return h ^ (h >> 31);
}

std::uint64_t hashOfNumber(double value) { return mix(std::bit_cast<std::uint64_t>(value) ^ 0x9e3779b97f4a7c15ULL); }

std::uint64_t hashOfSymbol(const std::string& name) {
  std::uint64_t h = 0xcbf29ce484222325ULL;
  for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return mix(h ^ 0x2545f4914f6cdd1dULL);
}

std::uint64_t hashOfOperation(ExprKind kind, std::span<const Expr> operands) {
  std::uint64_t h = mix(static_cast<std::uint64_t>(kind) + 1);
  for (const Expr& e : operands) h = mix(h + 0x9e3779b97f4a7c15ULL + std::rotl(e.structuralHash(), 17));
  return h;
}

int arity(ExprKind kind) {
  switch (kind) {
    case ExprKind::Num:
    case ExprKind::Sym: return 0;
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
    case ExprKind::Div:
    case ExprKind::Pow:
    case ExprKind::Atan2:
    case ExprKind::Min:
    case ExprKind::Max: return 2;
    case ExprKind::Select: return 3;
    default: return 1;
  }
}

}  // namespace

namespace detail {

struct ExprNode {
  ExprKind kind = ExprKind::Num;
  std::uint8_t operand_count = 0;
  std::atomic<std::uint32_t> references{1};
  std::uint64_t hash = 0;
  std::uint64_t id = 0;
  ExprNode* next = nullptr;  // in its bucket; in the list of the dead once it has left the table
  double value = 0;
  std::unique_ptr<const std::string> name;
  TablePointer table;  // its order stands in value
  Expr operands[3];

  static Expr intern(ExprKind kind, double value, const std::string* name, std::span<const Expr> operands,
                     std::uint64_t hash, const TablePointer* table = nullptr);
  static void release(ExprNode* node) noexcept;

 private:
  bool matches(ExprKind k, double v, const std::string* n, std::span<const Expr> ops, std::uint64_t h,
               const TablePointer* t) const {
    if (hash != h || kind != k || operand_count != ops.size()) return false;
    if (k == ExprKind::Num) return std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(v);
    if (k == ExprKind::Sym) return *name == *n;
    if (k == ExprKind::Table && !(value == v && (table == *t || *table == **t))) return false;
    return std::equal(ops.begin(), ops.end(), operands);
  }
};

// The table of all nodes alive. A reference count falls to zero only under the mutex, and the node leaves the table in
// the same breath, so that a search under the mutex never finds a dying node.
struct ExprTable {
  std::mutex mutex;
  std::vector<ExprNode*> buckets = std::vector<ExprNode*>(kFewestBuckets);
  std::size_t count = 0;
  std::uint64_t last_id = 0;

  static constexpr std::size_t kFewestBuckets = 1024;  // a power of two, like every size of the table

  ExprNode*& bucketOf(std::uint64_t hash) { return buckets[hash & (buckets.size() - 1)]; }

  void insert(ExprNode* node) {
    if (count >= buckets.size()) resize(2 * buckets.size());
    node->next = bucketOf(node->hash);
    bucketOf(node->hash) = node;
    ++count;
  }

  void remove(ExprNode* node) noexcept {
    ExprNode** link = &bucketOf(node->hash);
    while (*link != node) link = &(*link)->next;
    *link = node->next;
    --count;
  }

  void shrinkIfSparse() noexcept {
    if (buckets.size() <= kFewestBuckets || count >= buckets.size() / 8) return;
    try {
      resize(std::max(kFewestBuckets, std::bit_ceil(2 * count + 1)));
    } catch (const std::bad_alloc&) {
      return;  // the old, larger table serves as well
    }
  }

 private:
  void resize(std::size_t size) {
    std::vector<ExprNode*> old(size);
    old.swap(buckets);
    for (ExprNode* node : old) {
      while (node != nullptr) {
        ExprNode* const following = node->next;
        node->next = bucketOf(node->hash);
        bucketOf(node->hash) = node;
        node = following;
      }
    }
  }
};

// Never destroyed: expressions held by objects of static storage duration may die after any static table would have.
ExprTable& exprTable() {
  static ExprTable* const table = new ExprTable;
  return *table;
}

Expr ExprNode::intern(ExprKind kind, double value, const std::string* name, std::span<const Expr> operands,
                      std::uint64_t hash, const TablePointer* of_table) {
  ExprTable& table = exprTable();
  const std::lock_guard lock(table.mutex);
  for (ExprNode* node = table.bucketOf(hash); node != nullptr; node = node->next) {
    if (node->matches(kind, value, name, operands, hash, of_table)) {
      node->references.fetch_add(1, std::memory_order_relaxed);
      return Expr(Expr::Adopt{}, node);
    }
  }
  auto node = std::make_unique<ExprNode>();
  node->kind = kind;
  node->operand_count = static_cast<std::uint8_t>(operands.size());
  node->hash = hash;
  node->id = ++table.last_id;
  node->value = value;
  if (name != nullptr) node->name = std::make_unique<const std::string>(*name);
  if (of_table != nullptr) node->table = *of_table;
  // The operands are copied last: nothing after them may throw, as dropping them would take the mutex again.
  table.insert(node.get());
  std::copy(operands.begin(), operands.end(), node->operands);
  return Expr(Expr::Adopt{}, node.release());
}

void ExprNode::release(ExprNode* node) noexcept {
  std::uint32_t seen = node->references.load(std::memory_order_relaxed);
  while (seen > 1) {
    if (node->references.compare_exchange_weak(seen, seen - 1, std::memory_order_acq_rel)) return;
  }
  // Perhaps the last handle. The dead are collected in a list instead of by recursion: chains may be 100,000 deep.
  ExprNode* dead = nullptr;
  ExprTable& table = exprTable();
  {
    const std::lock_guard lock(table.mutex);
    if (node->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    table.remove(node);
    node->next = nullptr;
    dead = node;
    for (ExprNode *current = dead, *last = dead; current != nullptr; current = current->next) {
      for (std::size_t i = 0; i < current->operand_count; ++i) {
        ExprNode* const operand = std::exchange(current->operands[i].node_, nullptr);
        if (operand == nullptr || operand->references.fetch_sub(1, std::memory_order_acq_rel) != 1) continue;
        table.remove(operand);
        operand->next = nullptr;
        last->next = operand;
        last = operand;
      }
    }
    table.shrinkIfSparse();
  }
  while (dead != nullptr) delete std::exchange(dead, dead->next);
}

}  // namespace detail

using detail::ExprNode;

namespace {

// The bare node: operands already simplified; sums and products in an order that follows structure alone.
Expr node(ExprKind kind, const Expr& a) {
  const Expr operands[] = {a};
  return ExprNode::intern(kind, 0, nullptr, operands, hashOfOperation(kind, operands));
}

Expr node(ExprKind kind, const Expr& a, const Expr& b) {
  const Expr operands[] = {a, b};
  return ExprNode::intern(kind, 0, nullptr, operands, hashOfOperation(kind, operands));
}

Expr commutativeNode(ExprKind kind, const Expr& a, const Expr& b) {
  const auto before = [](const Expr& x, const Expr& y) {
    if (x.isNumber() != y.isNumber()) return x.isNumber();
    if (x.structuralHash() != y.structuralHash()) return x.structuralHash() < y.structuralHash();
    return x.id() < y.id();
  };
  return before(b, a) ? node(kind, b, a) : node(kind, a, b);
}

// Two numbers are joined only if nothing overflows or vanishes by it.
bool joins(double joined) { return std::isfinite(joined) && (joined == 0 || std::isnormal(joined)); }
bool joinsProduct(double joined) { return std::isnormal(joined); }

bool startsWithNumber(const Expr& e, ExprKind kind) { return e.kind() == kind && e.operands()[0].isNumber(); }

bool isEven(double n) { return std::fmod(n, 2.0) == 0; }
bool isInteger(double n) { return std::isfinite(n) && n == std::floor(n); }

bool neverNegative(const Expr& e) {
  switch (e.kind()) {
    case ExprKind::Abs:
    case ExprKind::Sqrt:
    case ExprKind::Exp:
    case ExprKind::Cosh: return true;
    case ExprKind::Pow: return e.operands()[1].isNumber() && isEven(e.operands()[1].number());
    default: return false;
  }
}

enum class Parity { none, odd, even };

Expr unary(ExprKind kind, const Expr& a, Parity parity = Parity::none) {
  if (a.isNumber()) return applyKind<double>(kind, a.number(), 0, 0);
  if (parity != Parity::none) {
    // A sign hides in -x, in -2*x and in -2/x.
    const bool negative =
        a.kind() == ExprKind::Neg ||
        ((startsWithNumber(a, ExprKind::Mul) || startsWithNumber(a, ExprKind::Div)) && a.operands()[0].number() < 0);
    if (negative) return parity == Parity::even ? node(kind, -a) : -node(kind, -a);
  }
  return node(kind, a);
}

}  // namespace

// ---- handles

Expr::Expr(double value) {
  if (value == 0) return;  // also -0: there is one zero
  if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
  *this = ExprNode::intern(ExprKind::Num, value, nullptr, {}, hashOfNumber(value));
}

Expr Expr::symbol(const std::string& name) {
  expect(!name.empty(), "Expr::symbol: a symbol needs a name");
  return ExprNode::intern(ExprKind::Sym, 0, &name, {}, hashOfSymbol(name));
}

Expr::Expr(const Expr& other) noexcept : node_(other.node_) {
  if (node_ != nullptr) node_->references.fetch_add(1, std::memory_order_relaxed);
}

Expr& Expr::operator=(const Expr& other) noexcept {
  Expr copy(other);
  std::swap(node_, copy.node_);
  return *this;
}

void Expr::release(ExprNode* node) noexcept { ExprNode::release(node); }

ExprKind Expr::kind() const { return node_ == nullptr ? ExprKind::Num : node_->kind; }

double Expr::number() const {
  expect(isNumber(), "Expr::number: the expression is not a number");
  return node_ == nullptr ? 0.0 : node_->value;
}

const std::string& Expr::name() const {
  expect(isSymbol(), "Expr::name: the expression is not a symbol");
  return *node_->name;
}

const TablePointer& Expr::table() const {
  expect(kind() == ExprKind::Table, "Expr::table: the expression is not a table");
  return node_->table;
}

int Expr::tableOrder() const {
  expect(kind() == ExprKind::Table, "Expr::tableOrder: the expression is not a table");
  return static_cast<int>(node_->value);
}

std::span<const Expr> Expr::operands() const {
  if (node_ == nullptr) return {};
  return {node_->operands, node_->operand_count};
}

std::uint64_t Expr::id() const { return node_ == nullptr ? 0 : node_->id; }

std::uint64_t Expr::structuralHash() const {
  static const std::uint64_t hash_of_zero = hashOfNumber(0.0);
  return node_ == nullptr ? hash_of_zero : node_->hash;
}

std::size_t Expr::liveNodeCount() {
  detail::ExprTable& table = detail::exprTable();
  const std::lock_guard lock(table.mutex);
  return table.count;
}

Expr& Expr::operator+=(const Expr& b) { return *this = *this + b; }
Expr& Expr::operator-=(const Expr& b) { return *this = *this - b; }
Expr& Expr::operator*=(const Expr& b) { return *this = *this * b; }
Expr& Expr::operator/=(const Expr& b) { return *this = *this / b; }

// ---- arithmetic with folding

Expr operator-(const Expr& a) {
  if (a.isNumber()) return -a.number();
  const auto ops = a.operands();
  if (a.kind() == ExprKind::Neg) return ops[0];
  if (a.kind() == ExprKind::Sub) return ops[1] - ops[0];
  if (startsWithNumber(a, ExprKind::Mul)) return Expr(-ops[0].number()) * ops[1];
  if (startsWithNumber(a, ExprKind::Div)) return Expr(-ops[0].number()) / ops[1];
  return node(ExprKind::Neg, a);
}

Expr operator+(const Expr& a, const Expr& b) {
  if (a.isNumber() && b.isNumber()) return a.number() + b.number();
  if (b.isNumber()) return b + a;
  if (a.isNumber(0)) return b;
  if (b.kind() == ExprKind::Neg) return a - b.operands()[0];
  if (a.kind() == ExprKind::Neg) return b - a.operands()[0];
  if (a.isNumber()) {
    // c1 + (c2 + y) = (c1 + c2) + y,   c1 + (c2 - y) = (c1 + c2) - y
    const bool add = startsWithNumber(b, ExprKind::Add);
    if (add || startsWithNumber(b, ExprKind::Sub)) {
      const double joined = a.number() + b.operands()[0].number();
      if (joins(joined)) return add ? Expr(joined) + b.operands()[1] : Expr(joined) - b.operands()[1];
    }
  }
  if (a == b) return Expr(2.0) * a;
  return commutativeNode(ExprKind::Add, a, b);
}

Expr operator-(const Expr& a, const Expr& b) {
  if (a.isNumber() && b.isNumber()) return a.number() - b.number();
  if (b.isNumber()) return Expr(-b.number()) + a;
  if (a.isNumber(0)) return -b;
  if (a == b) return Expr();
  if (b.kind() == ExprKind::Neg) return a + b.operands()[0];
  if (a.kind() == ExprKind::Neg) return -(a.operands()[0] + b);
  if (a.isNumber()) {
    // c1 - (c2 + y) = (c1 - c2) - y,   c1 - (c2 - y) = (c1 - c2) + y
    const bool add = startsWithNumber(b, ExprKind::Add);
    if (add || startsWithNumber(b, ExprKind::Sub)) {
      const double joined = a.number() - b.operands()[0].number();
      if (joins(joined)) return add ? Expr(joined) - b.operands()[1] : Expr(joined) + b.operands()[1];
    }
  }
  return node(ExprKind::Sub, a, b);
}

Expr operator*(const Expr& a, const Expr& b) {
  if (a.isNumber() && b.isNumber()) return a.number() * b.number();
  if (b.isNumber()) return b * a;
  if (a.isNumber(0)) return Expr();
  if (a.isNumber(1)) return b;
  if (a.isNumber(-1)) return -b;
  if (a == b) return pow(a, 2.0);
  if (a.isNumber()) {
    if (b.kind() == ExprKind::Neg) return Expr(-a.number()) * b.operands()[0];
    // c1 (c2 y) = (c1 c2) y,   c1 (c2 / y) = (c1 c2) / y
    const bool product = startsWithNumber(b, ExprKind::Mul);
    if (product || startsWithNumber(b, ExprKind::Div)) {
      const double joined = a.number() * b.operands()[0].number();
      if (joinsProduct(joined)) return product ? Expr(joined) * b.operands()[1] : Expr(joined) / b.operands()[1];
    }
    return commutativeNode(ExprKind::Mul, a, b);
  }
  if (a.kind() == ExprKind::Neg) return -(a.operands()[0] * b);
  if (b.kind() == ExprKind::Neg) return -(a * b.operands()[0]);
  return commutativeNode(ExprKind::Mul, a, b);
}

Expr operator/(const Expr& a, const Expr& b) {
  if (a.isNumber() && b.isNumber()) return a.number() / b.number();
  if (a.isNumber(0)) return Expr();
  if (b.isNumber(1)) return a;
  if (b.isNumber(-1)) return -a;
  if (a == b) return 1.0;
  if (a.kind() == ExprKind::Neg) return -(a.operands()[0] / b);
  if (b.kind() == ExprKind::Neg) return -(a / b.operands()[0]);
  if (b.isNumber() && startsWithNumber(a, ExprKind::Mul)) {  // (c1 x) / c2 = (c1 / c2) x
    const double joined = a.operands()[0].number() / b.number();
    if (joinsProduct(joined)) return Expr(joined) * a.operands()[1];
  }
  if (b.isNumber() && a.kind() == ExprKind::Div && a.operands()[1].isNumber()) {  // (x / c1) / c2 = x / (c1 c2)
    const double joined = a.operands()[1].number() * b.number();
    if (joinsProduct(joined)) return a.operands()[0] / Expr(joined);
  }
  if (a.isNumber() && startsWithNumber(b, ExprKind::Mul)) {  // c1 / (c2 y) = (c1 / c2) / y
    const double joined = a.number() / b.operands()[0].number();
    if (joinsProduct(joined)) return Expr(joined) / b.operands()[1];
  }
  return node(ExprKind::Div, a, b);
}

Expr pow(const Expr& a, const Expr& b) {
  if (a.isNumber() && b.isNumber()) return powNumber(a.number(), b.number());
  if (a.isNumber(1)) return a;
  if (!b.isNumber()) return node(ExprKind::Pow, a, b);
  const double n = b.number();
  if (n == 0) return 1.0;
  if (n == 1) return a;
  if (n == -1) return Expr(1.0) / a;
  if (n == 0.5) return sqrt(a);
  if (isInteger(n)) {
    if (a.kind() == ExprKind::Neg) return isEven(n) ? pow(a.operands()[0], b) : -pow(a.operands()[0], b);
    if (a.kind() == ExprKind::Abs && isEven(n)) return pow(a.operands()[0], b);
    if (a.kind() == ExprKind::Sqrt && isEven(n)) return pow(a.operands()[0], n / 2);
    if (a.kind() == ExprKind::Pow && a.operands()[1].isNumber() && isInteger(a.operands()[1].number())) {
      return pow(a.operands()[0], n * a.operands()[1].number());
    }
  }
  return node(ExprKind::Pow, a, b);
}

Expr sqrt(const Expr& a) {
  if (a.kind() == ExprKind::Pow && a.operands()[1].isNumber(2)) return abs(a.operands()[0]);
  return unary(ExprKind::Sqrt, a);
}

Expr sin(const Expr& a) { return unary(ExprKind::Sin, a, Parity::odd); }
Expr cos(const Expr& a) { return unary(ExprKind::Cos, a, Parity::even); }
Expr tan(const Expr& a) { return unary(ExprKind::Tan, a, Parity::odd); }
Expr asin(const Expr& a) { return unary(ExprKind::Asin, a, Parity::odd); }
Expr acos(const Expr& a) { return unary(ExprKind::Acos, a); }
Expr atan(const Expr& a) { return unary(ExprKind::Atan, a, Parity::odd); }
Expr sinh(const Expr& a) { return unary(ExprKind::Sinh, a, Parity::odd); }
Expr cosh(const Expr& a) { return unary(ExprKind::Cosh, a, Parity::even); }
Expr tanh(const Expr& a) { return unary(ExprKind::Tanh, a, Parity::odd); }
Expr exp(const Expr& a) { return unary(ExprKind::Exp, a); }
Expr log(const Expr& a) { return unary(ExprKind::Log, a); }
Expr sign(const Expr& a) { return unary(ExprKind::Sign, a, Parity::odd); }

Expr abs(const Expr& a) {
  if (neverNegative(a)) return a;
  return unary(ExprKind::Abs, a, Parity::even);
}

Expr atan2(const Expr& y, const Expr& x) {
  if (y.isNumber() && x.isNumber()) return std::atan2(y.number(), x.number());
  return node(ExprKind::Atan2, y, x);
}

Expr min(const Expr& a, const Expr& b) {
  if (a.isNumber() && b.isNumber()) return min(a.number(), b.number());
  if (a == b) return a;
  return node(ExprKind::Min, a, b);
}

Expr max(const Expr& a, const Expr& b) {
  if (a.isNumber() && b.isNumber()) return max(a.number(), b.number());
  if (a == b) return a;
  return node(ExprKind::Max, a, b);
}

Expr select(const Expr& condition, const Expr& if_not_negative, const Expr& otherwise) {
  if (condition.isNumber()) return condition.number() >= 0 ? if_not_negative : otherwise;
  if (if_not_negative == otherwise) return otherwise;
  const Expr operands[] = {condition, if_not_negative, otherwise};
  return ExprNode::intern(ExprKind::Select, 0, nullptr, operands, hashOfOperation(ExprKind::Select, operands));
}

Expr applyTable(const TablePointer& table, int order, const Expr& a) {
  expect(table != nullptr, "applyTable: there is no table");
  if (a.isNumber()) return applyTable(table, order, a.number());
  const Expr operands[] = {a};
  const std::uint64_t hash =
      mix(hashOfOperation(ExprKind::Table, operands) ^ table->hash() ^ static_cast<std::uint64_t>(order + 2));
  return ExprNode::intern(ExprKind::Table, order, nullptr, operands, hash, &table);
}

double valueOf(const Expr& a) {
  expect(a.isNumber(), "valueOf: the expression is not a number");
  return a.number();
}

Expr makeExpr(ExprKind kind, std::span<const Expr> operands) {
  expect(kind != ExprKind::Num && kind != ExprKind::Sym, "makeExpr: numbers and symbols have no operands");
  expect(kind != ExprKind::Table, "makeExpr: which table?");
  expect(operands.size() == static_cast<std::size_t>(arity(kind)), "makeExpr: wrong number of operands");
  const Expr zero;
  return applyKind<Expr>(kind, operands[0], operands.size() > 1 ? operands[1] : zero,
                         operands.size() > 2 ? operands[2] : zero);
}

Expr withOperands(const Expr& like, std::span<const Expr> operands) {
  if (like.kind() != ExprKind::Table) return makeExpr(like.kind(), operands);
  expect(operands.size() == 1, "withOperands: a table has one operand");
  return applyTable(like.table(), like.tableOrder(), operands[0]);
}

}  // namespace linkwork
