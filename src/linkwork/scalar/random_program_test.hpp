// Random straight-line programs for the tests: one recipe, run with any scalar.
#pragma once

#include <cstddef>
#include <random>
#include <span>
#include <vector>

#include "linkwork/scalar/scalar.hpp"

namespace linkwork::test {

struct RandomProgram {
  struct Line {
    int operation;
    std::size_t a, b, c;
    double number;
  };
  static constexpr int kOperations = 27;
  std::size_t input_count = 0;
  std::vector<Line> lines;
};

inline RandomProgram makeRandomProgram(unsigned seed, std::size_t input_count, std::size_t line_count) {
  std::mt19937 random(seed);
  RandomProgram program{input_count, {}};
  std::uniform_real_distribution<double> numbers(-2, 2);
  for (std::size_t i = 0; i < line_count; ++i) {
    const auto pick = [&] { return static_cast<std::size_t>(random() % (input_count + i)); };
    const int operation = static_cast<int>(random() % RandomProgram::kOperations);
    const std::size_t a = pick(), b = pick(), c = pick();
    program.lines.push_back({operation, a, b, c, numbers(random)});
  }
  return program;
}

// Every line maps numbers of moderate size to numbers of moderate size, and stays away from poles.
template <class T>
T runLine(const RandomProgram::Line& line, const T& a, const T& b, const T& c) {
  const double k = line.number;
  switch (line.operation) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return sin(a) * b;
    case 3: return a / (2.0 + cos(b));
    case 4: return -a;
    case 5: return k * a;
    case 6: return a + k;
    case 7: return k - a;
    case 8: return sqrt(1.0 + a * a);
    case 9: return sin(a);
    case 10: return cos(a);
    case 11: return tan(0.5 * sin(a));
    case 12: return asin(0.9 * sin(a));
    case 13: return acos(0.9 * cos(a));
    case 14: return atan(a);
    case 15: return atan2(1.5 + sin(a), b);
    case 16: return sinh(sin(a));
    case 17: return cosh(sin(a));
    case 18: return tanh(a);
    case 19: return exp(sin(a));
    case 20: return log(1.5 + sin(a));
    case 21: return abs(a);
    case 22: return min(a, b);
    case 23: return max(a, b);
    case 24: return select(a, b, c);
    case 25: return pow(1.5 + sin(a), 0.3 * cos(b));
    case 26: return pow(sin(a), 3.0) + pow(cos(b), 2.0) / 4.0 + sign(c) * k;
    default: return a;
  }
}

template <class T>
T runProgram(const RandomProgram& program, std::span<const T> inputs) {
  std::vector<T> values(inputs.begin(), inputs.end());
  for (const auto& line : program.lines)
    values.push_back(runLine<T>(line, values[line.a], values[line.b], values[line.c]));
  return values.back();
}

}  // namespace linkwork::test
