#include "equations_steady.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/make_system.hpp"
#include "steady_point.hpp"

namespace linkwork::app {

namespace {

// A formula and its number.
constexpr double kRoundOff = 1e-12;
// Of the largest entry: what Newton's method leaves of a zero, or brings in along a way that nothing depends on.
constexpr double kZero = 1e-9;

// A steady state in coordinates and quasi-velocities.
struct QuasiState {
  std::vector<double> q, om;
};

SystemOptions optionsAt(const Assembly& assembly, const std::vector<double>& absolute) {
  SystemOptions options = startingFrom(assembly);
  options.formulation = "quasivelocity";
  options.start = absolute;
  return options;
}

QuasiState quasiState(const Mechanism& mechanism, const SystemOptions& options) {
  const auto system = makeSystem(mechanism, options);
  const std::vector<double> x = system->fromAbsolute(0.0, options.start);
  const auto velocities = x.begin() + system->space().velocityOffset();
  return {{x.begin(), x.begin() + system->space().positions()},
          {velocities, velocities + system->space().velocities()}};
}

bool near(double a, double b, double size) { return std::abs(a - b) <= kRoundOff * size; }

double sizeOf(const std::vector<double>& values) {
  double size = 1.0;
  for (const double value : values) size = std::max(size, std::abs(value));
  return size;
}

// Zeros without their round-off, so that what vanishes at the state is gone from the formulas.
std::vector<Expr> inNumbers(const std::vector<double>& values) {
  std::vector<Expr> out;
  for (const double value : values) out.emplace_back(std::abs(value) <= kZero * sizeOf(values) ? 0.0 : value);
  return out;
}

// What is given as a formula stays one.
std::vector<Expr> inLetters(const std::vector<double>& values, const std::vector<InitialValue>& given) {
  std::vector<Expr> out = inNumbers(values);
  for (std::size_t k = 0; k < out.size(); ++k) {
    for (const InitialValue& one : given) {
      if (symbolsOf(one.value.expr).empty() || out[k].isNumber(0.0)) continue;
      if (near(values[k], one.value.number, std::abs(values[k]))) out[k] = one.value.expr;
      if (near(values[k], -one.value.number, std::abs(values[k]))) out[k] = -one.value.expr;
    }
  }
  return out;
}

bool agree(const std::vector<double>& found, const std::vector<Expr>& letters,
           const std::map<std::string, double>& of) {
  // Of a state that Newton's method finds anew.
  constexpr double kSame = 10.0 * kZero;
  if (found.size() != letters.size()) return false;
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (std::abs(found[k] - evaluate(letters[k], of)) > kSame * sizeOf(found)) return false;
  }
  return true;
}

// Whether the motion is where the letters say also with another value of a parameter.
bool followsLetters(SteadyPoint& point, const SteadyInLetters& letters, const std::string& name) {
  constexpr double kOther = 1e-2;
  const double value = *point.models->valueOf(name);
  const double other = value == 0.0 ? kOther : value * (1.0 + kOther);
  std::string problem;
  std::unique_ptr<SteadyModel> model = point.models->make({{name, other}}, problem);
  if (!model) return false;
  SteadySolver& solver = point.follower->solver();
  solver.take(std::move(model));
  const SteadyMotion motion = solver.find(point.motion.x);
  if (!motion.ok) return false;
  const Mechanism& mechanism = solver.model().mechanism;
  const QuasiState state = quasiState(mechanism, optionsAt(solver.model().assembly, motion.absolute));
  std::map<std::string, double> values;
  for (const Parameter& p : mechanism.parameters) values[p.name] = p.value.number;
  return agree(state.q, letters.about.q, values) && agree(state.om, letters.about.om, values);
}

}  // namespace

std::optional<SteadyInLetters> findSteadyInLetters(const SteadyOptions& options, int& exit_code) {
  std::optional<SteadyPoint> point = findSteadyPoint("equations", options, exit_code);
  if (!point) return std::nullopt;
  const SteadyModel& model = point->follower->solver().model();
  SteadyInLetters out;
  out.mechanism = model.mechanism;
  const SystemOptions at = optionsAt(model.assembly, point->motion.absolute);
  out.velocities = velocityChoice(out.mechanism, at);
  const QuasiState state = quasiState(out.mechanism, at);
  out.about.q = inNumbers(state.q);
  out.about.om = inLetters(state.om, out.mechanism.steady);
  std::vector<std::string> moved;
  for (const Parameter& p : out.mechanism.parameters) {
    if (!symbolsOf(p.value.expr).empty() || followsLetters(*point, out, p.name)) continue;
    out.numbers.emplace(p.name, p.value.number);
    moved.push_back(p.name);
  }
  std::vector<std::string> going;
  for (const GoesOn& one : point->motion.goes_on)
    going.push_back(fmt::format("{} at {:.9g} {}", one.name, one.rate, one.unit));
  out.note = fmt::format("About the steady motion{}{}.", going.empty() ? " at rest" : ": ", fmt::join(going, ", "));
  if (!moved.empty())
    out.note += fmt::format(" Numbers, because the motion depends on them: {}.", fmt::join(moved, ", "));
  return out;
}

}  // namespace linkwork::app
