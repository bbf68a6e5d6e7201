#include "linkwork/scalar/tape.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "linkwork/base/contract.hpp"
#include "linkwork/scalar/expr_apply.hpp"
#include "linkwork/scalar/interval_series.hpp"

namespace linkwork {

namespace {

bool isNumberPower(const Expr& e) { return e.kind() == ExprKind::Pow && e.operands()[1].isNumber(); }

// The operands whose values a step reads: the exponent of a power by a number is part of the step.
std::span<const Expr> readOperands(const Expr& e) { return isNumberPower(e) ? e.operands().first(1) : e.operands(); }

void count(const Expr& e, OperationCount& total) {
  if (isTrigonometric(e.kind())) {
    ++total.trig;
    return;
  }
  switch (e.kind()) {
    case ExprKind::Num:
    case ExprKind::Sym: break;
    case ExprKind::Add:
    case ExprKind::Sub: ++total.add; break;
    case ExprKind::Mul: ++total.mul; break;
    case ExprKind::Div: ++total.div; break;
    case ExprKind::Pow:
      if (isNumberPower(e) && isProductExponent(e.operands()[1].number())) {
        total.mul += powNumberMultiplications(e.operands()[1].number());
        if (e.operands()[1].number() < 0) ++total.div;
      } else {
        ++total.other;
      }
      break;
    default: ++total.other;
  }
}

}  // namespace

Tape::Tape(const std::vector<Expr>& outputs, std::vector<std::string> inputs) : input_names_(std::move(inputs)) {
  const std::vector<Expr> parts = postOrder(outputs);

  // Where each part is read last; outputs are read at the end.
  constexpr std::size_t kAtTheEnd = std::numeric_limits<std::size_t>::max();
  std::unordered_map<std::uint64_t, std::size_t> last_read;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (const Expr& operand : readOperands(parts[i])) last_read[operand.id()] = i;
  }
  for (const Expr& output : outputs) last_read[output.id()] = kAtTheEnd;

  // Constants and inputs keep their slots.
  std::unordered_map<std::uint64_t, std::uint32_t> slot_of;
  for (const Expr& part : parts) {
    if (!part.isNumber() || !last_read.contains(part.id())) continue;
    slot_of[part.id()] = static_cast<std::uint32_t>(constants_.size());
    constants_.push_back(part.number());
  }
  std::unordered_map<std::string, std::uint32_t> input_slots;
  for (const std::string& name : input_names_) {
    const auto slot = static_cast<std::uint32_t>(constants_.size() + input_slots.size());
    expect(input_slots.emplace(name, slot).second, "Tape: input \"" + name + "\" is named twice");
  }
  slot_count_ = constants_.size() + input_names_.size();

  std::vector<std::uint32_t> free_slots;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Expr& part = parts[i];
    if (part.isNumber()) continue;
    if (part.isSymbol()) {
      const auto found = input_slots.find(part.name());
      expect(found != input_slots.end(), "Tape: symbol \"" + part.name() + "\" is not an input");
      slot_of[part.id()] = found->second;
      continue;
    }
    count(part, operation_count_);
    Step step{part.kind(), 0, 0, 0, 0};
    const auto ops = readOperands(part);
    step.a = slot_of.at(ops[0].id());
    step.b = ops.size() > 1 ? slot_of.at(ops[1].id()) : step.a;
    step.c = ops.size() > 2 ? slot_of.at(ops[2].id()) : step.a;
    if (part.kind() == ExprKind::Pow) {
      step.c = kNoExponent;
      if (isNumberPower(part)) {
        step.c = static_cast<std::uint32_t>(exponents_.size());
        exponents_.push_back(part.operands()[1].number());
      }
    }
    if (part.kind() == ExprKind::Table) {
      step.c = static_cast<std::uint32_t>(tables_.size());
      tables_.push_back({part.table(), part.tableOrder()});
    }
    // A result may take the slot of an operand that it reads last: a step reads before it writes.
    for (std::size_t k = 0; k < ops.size(); ++k) {
      const bool repeated = std::find(ops.begin(), ops.begin() + static_cast<std::ptrdiff_t>(k), ops[k]) !=
                            ops.begin() + static_cast<std::ptrdiff_t>(k);
      if (repeated || ops[k].operands().empty() || last_read.at(ops[k].id()) != i) continue;
      free_slots.push_back(slot_of.at(ops[k].id()));
    }
    if (free_slots.empty()) {
      step.target = static_cast<std::uint32_t>(slot_count_++);
    } else {
      step.target = free_slots.back();
      free_slots.pop_back();
    }
    slot_of[part.id()] = step.target;
    steps_.push_back(step);
  }
  for (const Expr& output : outputs) output_slots_.push_back(slot_of.at(output.id()));
}

template <class T>
void Tape::evaluate(std::span<const T> inputs, std::span<T> scratch, std::span<T> outputs) const {
  expect(inputs.size() == inputCount(), "Tape::evaluate: wrong number of inputs");
  expect(scratch.size() >= scratchSize(), "Tape::evaluate: scratch is too small");
  expect(outputs.size() == outputCount(), "Tape::evaluate: wrong number of outputs");
  for (std::size_t i = 0; i < constants_.size(); ++i) scratch[i] = T(constants_[i]);
  std::copy(inputs.begin(), inputs.end(), scratch.begin() + static_cast<std::ptrdiff_t>(constants_.size()));
  for (const Step& step : steps_) {
    const T& a = scratch[step.a];
    // The commonest kinds first: they are worth a predictable branch of their own.
    if (step.kind == ExprKind::Mul) {
      scratch[step.target] = a * scratch[step.b];
    } else if (step.kind == ExprKind::Add) {
      scratch[step.target] = a + scratch[step.b];
    } else if (step.kind == ExprKind::Pow) {
      scratch[step.target] = step.c == kNoExponent ? pow(a, scratch[step.b]) : powNumber<T>(a, exponents_[step.c]);
    } else if (step.kind == ExprKind::Table) {
      const TableStep& look = tables_[step.c];
      scratch[step.target] = applyTable(look.table, look.order, a);
    } else {
      scratch[step.target] = applyKind<T>(step.kind, a, scratch[step.b], scratch[step.c]);
    }
  }
  for (std::size_t i = 0; i < output_slots_.size(); ++i) outputs[i] = scratch[output_slots_[i]];
}

template void Tape::evaluate(std::span<const double>, std::span<double>, std::span<double>) const;
template void Tape::evaluate(std::span<const Dual<1>>, std::span<Dual<1>>, std::span<Dual<1>>) const;
template void Tape::evaluate(std::span<const Dual<8>>, std::span<Dual<8>>, std::span<Dual<8>>) const;
template void Tape::evaluate(std::span<const Expr>, std::span<Expr>, std::span<Expr>) const;
template void Tape::evaluate(std::span<const IntervalSeries>, std::span<IntervalSeries>,
                             std::span<IntervalSeries>) const;

}  // namespace linkwork
