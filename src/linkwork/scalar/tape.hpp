// Tape: a list of expressions compiled once into straight-line steps, then evaluated many times without allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "linkwork/scalar/dual.hpp"
#include "linkwork/scalar/expr.hpp"

namespace linkwork {

struct OperationCount {
  int mul = 0;  // with those of small integer powers
  int add = 0;  // additions and subtractions
  int div = 0;
  int trig = 0;   // sin, cos, tan and their inverses
  int other = 0;  // the rest: sqrt, exp, sign changes, choices, ...

  int total() const { return mul + add + div + trig + other; }
  friend bool operator==(const OperationCount&, const OperationCount&) = default;
};

class Tape {
 public:
  Tape() = default;
  // Throws ContractError if an output uses a symbol that is not an input, or if an input is named twice. An input that
  // no output uses is allowed.
  Tape(const std::vector<Expr>& outputs, std::vector<std::string> inputs);

  std::size_t inputCount() const { return input_names_.size(); }
  std::size_t outputCount() const { return output_slots_.size(); }
  std::size_t scratchSize() const { return slot_count_; }
  const std::vector<std::string>& inputNames() const { return input_names_; }
  OperationCount operationCount() const { return operation_count_; }

  // outputs = f(inputs). The spans have the sizes above (else ContractError); scratch need not be initialised and may
  // be used by one thread at a time; the tape itself is constant and may be shared. Outputs must not overlap inputs or
  // scratch. Available for T = double, Dual<1>, Dual<8> and Expr.
  template <class T>
  void evaluate(std::span<const T> inputs, std::span<T> scratch, std::span<T> outputs) const;

 private:
  struct Step {
    ExprKind kind;
    // Slots of scratch; c of a power by a number is its place in exponents_, that of a table its place in tables_.
    std::uint32_t target, a, b, c;
  };
  struct TableStep {
    TablePointer table;
    int order = 0;
  };
  static constexpr std::uint32_t kNoExponent = 0xffffffffU;

  // Scratch is laid out as constants, inputs, intermediate results; a slot is used again once its result was read last.
  std::vector<std::string> input_names_;
  std::vector<double> constants_;
  std::vector<double> exponents_;
  std::vector<TableStep> tables_;
  std::vector<Step> steps_;
  std::vector<std::uint32_t> output_slots_;
  std::size_t slot_count_ = 0;
  OperationCount operation_count_;
};

extern template void Tape::evaluate(std::span<const double>, std::span<double>, std::span<double>) const;
extern template void Tape::evaluate(std::span<const Dual<1>>, std::span<Dual<1>>, std::span<Dual<1>>) const;
extern template void Tape::evaluate(std::span<const Dual<8>>, std::span<Dual<8>>, std::span<Dual<8>>) const;
extern template void Tape::evaluate(std::span<const Expr>, std::span<Expr>, std::span<Expr>) const;

}  // namespace linkwork
