// Equations written out of files of equations (models/equations), evaluated, against the system that simulates them.
#include <gtest/gtest.h>

#include <cmath>

#include "linkwork/codegen/equations_file_program.hpp"
#include "linkwork/codegen/program_values.hpp"
#include "linkwork/formulation/equations/equations_start.hpp"
#include "linkwork/formulation/equations/equations_system.hpp"
#include "linkwork/read/equations_file.hpp"
#include "run_model.hpp"

namespace linkwork::written_files_test {

namespace {

using List = std::vector<double>;

EquationsModel readEquationsModel(const std::string& name) {
  Diagnostics diagnostics;
  auto model = readEquationsFile(fmt::format("{}/equations/{}.toml", LINKWORK_MODELS_DIR, name), diagnostics);
  expect(model.has_value(), diagnostics.format());
  return *std::move(model);
}

// A state beside the start. Constraints of positions need not hold there: the equations are those of their rates.
struct Trial {
  explicit Trial(const std::string& name, EquationTask task)
      : model(readEquationsModel(name)), system(model), x(findEquationsStart(model).x) {
    for (std::size_t k = 0; k + 1 < x.size(); ++k) x[k] += 0.2 * std::sin(1.0 + 3.0 * static_cast<double>(k));
    rates.resize(x.size());
    const auto work = system.makeWorkspace();
    expect(system.derivative(t, x, {}, *work, rates) == Eval::ok, "the state must be one that can be evaluated");
    EquationRequest request;
    request.form = WrittenForm::quasivelocity;
    request.task = task;
    WrittenEquations written = writeEquationsFile(model, request);
    expect(written.program.has_value(), written.problem);
    program = *std::move(written.program);
    q.assign(x.begin(), x.begin() + n());
    om.assign(x.begin() + n(), x.end() - 1);
    qd.assign(rates.begin(), rates.begin() + n());
    omd.assign(rates.begin() + n(), rates.end() - 1);
  }
  int n() const { return system.tapes().n; }
  ProgramValues values() const { return ProgramValues(program, {{"t", {t}}, {"q", q}, {"om", om}, {"omd", omd}}); }

  double t = 0.4;
  EquationsModel model;
  EquationsSystem system;
  List x, rates, q, om, qd, omd;
  EquationProgram program;
};

double sizeOf(const List& list) {
  double out = 1.0;
  for (const double entry : list) out = std::max(out, std::abs(entry));
  return out;
}
// Round-off of some thousand operations.
constexpr double kSame = 1e-11;
void expectNear(const List& found, const List& wanted, double tolerance = kSame) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_NEAR(found[k], wanted[k], tolerance * sizeOf(wanted)) << k;
}

std::vector<std::string> files() {
  return {"ball_on_turntable", "bicycle_four_bodies", "bicycle_three_bodies", "double_pendulum", "driven_hoop",
          "polar_particle",    "rigid_body",          "rolling_disc",         "sleigh"};
}

}  // namespace

class WrittenFiles : public ::testing::TestWithParam<std::string> {};

TEST_P(WrittenFiles, AreWhatIsSimulated) {
  const Trial trial(GetParam(), EquationTask::forward);
  const ProgramValues values = trial.values();
  expectNear(values.output("qd"), trial.qd);
  expectNear(values.output("omd"), trial.omd);
}

TEST_P(WrittenFiles, TasksFitTogether) {
  const Trial masses(GetParam(), EquationTask::mass_matrix);
  const ProgramValues found = masses.values();
  const List A = found.output("A");
  const List B = found.output("B");
  const std::size_t l = B.size();
  List product(l);
  for (std::size_t i = 0; i < l; ++i) {
    for (std::size_t k = 0; k < l; ++k) product[i] += A[i * l + k] * masses.omd[k];
  }
  expectNear(product, B, 10.0 * kSame);
  // At the rates of the motion nothing is left over but round-off of B.
  const Trial inverse(GetParam(), EquationTask::inverse);
  for (const double force : inverse.values().output("Qs")) EXPECT_NEAR(force, 0.0, 10.0 * kSame * sizeOf(B));
}

TEST_P(WrittenFiles, ReactionsAreThoseOfTheConstraints) {
  const Trial trial(GetParam(), EquationTask::reactions);
  auto work = trial.system.kernel().makeWork();
  trial.system.kernel().place(trial.t, trial.q, work);
  trial.system.kernel().move(trial.om, work);
  trial.system.kernel().accelerate(EquationsVariant::corrected, work);
  List wanted;
  for (int r = trial.system.tapes().free; r < trial.n(); ++r) wanted.push_back(trial.system.kernel().reaction(work, r));
  if (wanted.empty()) return;
  expectNear(trial.values().output("lam"), wanted, 10.0 * kSame);
}

// A dom' + D dom + K dq = 0 and dq' = U dq + V dom along any change of the state.
TEST_P(WrittenFiles, SmallMotionsAreTheDerivatives) {
  const Trial trial(GetParam(), EquationTask::linear);
  const ProgramValues found = trial.values();
  const std::size_t l = trial.om.size();
  const std::size_t n = trial.q.size();
  List d(trial.x.size());
  for (std::size_t k = 0; k + 1 < d.size(); ++k) d[k] = std::cos(2.0 + static_cast<double>(k));
  List change(d.size());
  const auto product = makeJacobianProduct(trial.system);
  ASSERT_EQ(product->times(trial.t, trial.x, {}, d, change), Eval::ok);
  const auto times = [&](const char* letter, std::size_t rows, const double* by, std::size_t cols) {
    List out(rows);
    for (const ProgramOutput& output : trial.program.outputs) {
      if (output.letter != letter) continue;
      const List entries = found.output(letter);
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t k = 0; k < cols; ++k) out[i] += entries[i * cols + k] * by[k];
      }
    }
    return out;
  };
  const List masses = times("A", l, &change[n], l);
  const List by_speed = times("D", l, &d[n], l);
  const List by_place = times("K", l, d.data(), n);
  for (std::size_t i = 0; i < l; ++i) {
    const double size = 1.0 + std::abs(masses[i]) + std::abs(by_speed[i]) + std::abs(by_place[i]);
    EXPECT_NEAR(masses[i] + by_speed[i] + by_place[i], 0.0, 100.0 * kSame * size) << i;
  }
  const List of_places = times("U", n, d.data(), n);
  const List of_speeds = times("V", n, &d[n], l);
  for (std::size_t s = 0; s < n; ++s) {
    EXPECT_NEAR(of_places[s] + of_speeds[s], change[s], 100.0 * kSame * (1.0 + std::abs(change[s]))) << s;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, WrittenFiles, ::testing::ValuesIn(files()), [](const auto& one) { return one.param; });

}  // namespace linkwork::written_files_test
