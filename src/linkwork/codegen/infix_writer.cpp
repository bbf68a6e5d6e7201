#include "linkwork/codegen/infix_writer.hpp"

#include "linkwork/base/contract.hpp"

namespace linkwork {

const char* functionName(ExprKind kind) {
  switch (kind) {
    case ExprKind::Sqrt: return "sqrt";
    case ExprKind::Sin: return "sin";
    case ExprKind::Cos: return "cos";
    case ExprKind::Tan: return "tan";
    case ExprKind::Asin: return "asin";
    case ExprKind::Acos: return "acos";
    case ExprKind::Atan: return "atan";
    case ExprKind::Atan2: return "atan2";
    case ExprKind::Sinh: return "sinh";
    case ExprKind::Cosh: return "cosh";
    case ExprKind::Tanh: return "tanh";
    case ExprKind::Exp: return "exp";
    case ExprKind::Log: return "log";
    case ExprKind::Abs: return "abs";
    case ExprKind::Sign: return "sign";
    case ExprKind::Min: return "min";
    case ExprKind::Max: return "max";
    case ExprKind::Select: return "select";
    default: throw ContractError("functionName: not a function");
  }
}

std::string tableName(const Expr& e) {
  expect(e.tableOrder() != kTableCorner, "tableName: the mark of a corner is not written");
  return e.table()->name() + std::string(static_cast<std::size_t>(e.tableOrder()), '\'');
}

}  // namespace linkwork
