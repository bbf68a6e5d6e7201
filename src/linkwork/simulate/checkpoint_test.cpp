#include "linkwork/simulate/checkpoint.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "linkwork/base/version.hpp"
#include "linkwork/integrate/make_integrator.hpp"
#include "linkwork/integrate/sundials/make_sundials.hpp"
#include "linkwork/model/space_mechanisms_for_tests.hpp"
#include "linkwork/model/test_mechanisms.hpp"
#include "linkwork/simulate/simulate.hpp"

namespace linkwork {
namespace checkpoint_test {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

// To the last bit: -0 and NaN too.
bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

void expectSame(const Result& a, const Result& b, const std::string& what) {
  EXPECT_EQ(a.status, b.status) << what;
  EXPECT_EQ(a.message, b.message) << what;
  EXPECT_TRUE(same(a.time, b.time)) << what;
  ASSERT_EQ(a.series.size(), b.series.size()) << what;
  for (std::size_t k = 0; k < a.series.size(); ++k) {
    EXPECT_TRUE(same(a.series[k].values, b.series[k].values)) << what << ": " << a.series[k].name;
    EXPECT_EQ(a.series[k].unique, b.series[k].unique) << what << ": " << a.series[k].name;
  }
  ASSERT_EQ(a.events.size(), b.events.size()) << what;
  for (std::size_t k = 0; k < a.events.size(); ++k) EXPECT_EQ(a.events[k].time, b.events[k].time) << what;
  Archive first;
  Archive second;
  Ledger ledger_a = a.ledger;
  Ledger ledger_b = b.ledger;
  first(ledger_a);
  second(ledger_b);
  EXPECT_EQ(first.bytes(), second.bytes()) << what << ": ledger";
  EXPECT_EQ(ledgerTable(a.ledger), ledgerTable(b.ledger)) << what;
  // Not by the archive alone: what that leaves out would not be missed.
  ASSERT_EQ(a.ledger.output_gaps.size(), b.ledger.output_gaps.size()) << what;
  for (std::size_t k = 0; k < a.ledger.output_gaps.size(); ++k)
    EXPECT_EQ(a.ledger.output_gaps[k].time, b.ledger.output_gaps[k].time) << what;
  ASSERT_EQ(a.loads.size(), b.loads.size()) << what;
  for (std::size_t k = 0; k < a.loads.size(); ++k) {
    EXPECT_EQ(a.loads[k].time, b.loads[k].time) << what;
    EXPECT_EQ(a.loads[k].load.force, b.loads[k].load.force) << what;
    EXPECT_EQ(a.loads[k].load.moment, b.loads[k].load.moment) << what;
    EXPECT_EQ(a.loads[k].load.force_unique, b.loads[k].load.force_unique) << what;
  }
}

class CheckpointTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / ("linkwork_" + std::string(info->name()) + std::to_string(::getpid()));
    fs::create_directories(folder_);
    path_ = (folder_ / "run.checkpoint").string();
  }
  void TearDown() override { fs::remove_all(folder_); }

  Result run(const Mechanism& m, const RunOptions& options, const RunControl& control = {}) {
    return simulate(m, assemble(m), options, control);
  }

  // Up to the given step, leaving its checkpoint.
  Result runAndStop(const Mechanism& m, const RunOptions& options, int steps) {
    RunControl control;
    control.checkpoint_path = path_;
    control.checkpoint_wall = 0.0;
    control.interrupted = [&steps] { return --steps <= 0; };
    return run(m, options, control);
  }

  Checkpoint found(const Mechanism& m, const RunOptions& options) {
    return readCheckpoint(path_, runIdentity(m, options, assemble(m).state()));
  }

  Result resume(const Mechanism& m, const RunOptions& options, int steps = 1 << 30) {
    const Checkpoint checkpoint = found(m, options);
    EXPECT_EQ(checkpoint.problem, "");
    RunControl control;
    control.checkpoint_path = path_;
    control.checkpoint_wall = 0.0;
    control.resume = checkpoint.found ? &checkpoint : nullptr;
    control.interrupted = [&steps] { return --steps <= 0; };
    return run(m, options, control);
  }

  fs::path folder_;
  std::string path_;
};

// A loop with loads, one of which jumps at a known time, one has a corner that is found on the way and one limits the
// steps for a while, an event, and an output that is no number at first.
Mechanism busyLinkage() {
  Mechanism m = test::crankSlider();
  test::drawAt(m, test::crankSliderStart());
  const Expr t = Expr::symbol("t");
  test::addCouple(m, "push", kGround, BodyIndex(0), select(t - Expr(0.31), Expr(1.0), Expr(-0.5)));
  test::addCouple(m, "rub", kGround, BodyIndex(0), abs(Expr::symbol("crank.angle_rate") - Expr(1.5)));
  test::addCouple(m, "tap", kGround, BodyIndex(0), Expr(20.0) * exp(-pow((t - Expr(0.63)) / Expr(0.002), 2.0)));
  m.events.push_back({"middle", Expr::symbol("crank.angle_rate"), Crossing::both, false, {}});
  m.outputs.push_back({"late", sqrt(t - Expr(0.1)), "1", {}});
  return m;
}

RunOptions shortRun() {
  RunOptions options;
  options.until = 1.0;
  options.output_step = 0.013;
  options.checkpoint_step = 0.07;
  options.columns = Columns::all;
  return options;
}

// A step that is taken again for what no stage saw, wherever the run was interrupted before.
TEST_F(CheckpointTest, ResumesToTheSameBitBeforeAStepThatIsTakenAgain) {
  Mechanism m;
  m.name = "coming";
  (void)test::addBody(m, "b", 1.0, 0.1);
  m.bodies[0].free = true;
  m.initial.push_back({{QuantityKind::body_x_rate, 0}, Value(1.0), {}});
  Load wall;
  wall.name = "wall";
  wall.second = BodyIndex(0);
  wall.force[0] = Expr(-1e3) * exp(-pow((Expr::symbol("b.x") - Expr(5.0123)) / Expr(1e-3), 2.0));
  m.loads.push_back(wall);
  for (const char* integrator : {"dopri5", "dop853"}) {
    RunOptions options;
    options.integrator = integrator;
    options.checkpoint_step = 1e-3;
    fs::remove(path_);
    const Result whole = run(m, options);
    ASSERT_EQ(whole.status, RunStatus::complete) << whole.message;
    EXPECT_GE(whole.ledger.retaken, 1);
    for (const int steps : {1, 2, 3, 4, 5, 6, 7, 8, 9, 20}) {
      fs::remove(path_);
      (void)runAndStop(m, options, steps);
      expectSame(whole, resume(m, options), fmt::format("{} after {} steps", integrator, steps));
    }
  }
}

// Every integrator with every stabilisation that admits it: interrupted twice, resumed twice, to the last bit the run
// that never was.
TEST_F(CheckpointTest, ResumesToTheSameBitWithEveryMethod) {
  const Mechanism m = busyLinkage();
  int methods = 0;
  for (const std::string& integrator : integratorNames()) {
    for (const std::string& stabilisation : stabilisationNames()) {
      RunOptions options = shortRun();
      options.integrator = integrator;
      options.system.stabilisation = stabilisation;
      options.steps.rtol = 1e-6;
      options.steps.atol = 1e-8;
      const IntegratorInfo* info = findIntegrator(integrator);
      if (info->control == StepControl::fixed) options.steps.step = 0.004;
      if (!runProblem(m, options).empty()) continue;
      ++methods;
      const std::string what = fmt::format("{} with {}", integrator, stabilisation);
      fs::remove(path_);
      const Result whole = run(m, options);
      ASSERT_EQ(whole.status, RunStatus::complete) << what << ": " << whole.message;
      const auto steps = static_cast<int>(whole.ledger.steps);
      EXPECT_EQ(runAndStop(m, options, steps / 3).status, RunStatus::interrupted) << what;
      EXPECT_EQ(resume(m, options, steps / 3).status, RunStatus::interrupted) << what;
      const Checkpoint left = found(m, options);
      EXPECT_TRUE(left.found) << what;
      expectSame(resume(m, options), whole, what);
    }
  }
  EXPECT_GE(methods, 15);
}

// Wherever the writer is ended, what is left is read up to the last whole checkpoint.
TEST_F(CheckpointTest, SurvivesBeingCutOffAnywhere) {
  const Mechanism m = busyLinkage();
  const RunOptions options = shortRun();
  const Result whole = run(m, options);
  runAndStop(m, options, static_cast<int>(whole.ledger.steps) - 2);
  std::string bytes;
  {
    std::ifstream stream(path_, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(stream), {});
  }
  ASSERT_GT(bytes.size(), 10000U);
  int from_the_start = 0;
  for (std::size_t cut = 0; cut < bytes.size(); cut += 1 + bytes.size() / 23) {
    std::ofstream(path_, std::ios::binary) << bytes.substr(0, cut);
    if (!found(m, options).found) ++from_the_start;
    expectSame(resume(m, options), whole, std::to_string(cut) + " bytes");
  }
  EXPECT_GE(from_the_start, 1);
  EXPECT_LE(from_the_start, 5);
}

// A byte that changed on the disk ends what is read, like a cut.
TEST_F(CheckpointTest, DoesNotReadWhatIsDamaged) {
  const Mechanism m = busyLinkage();
  const RunOptions options = shortRun();
  runAndStop(m, options, 150);
  const std::size_t chunks = found(m, options).chunks.size();
  std::fstream stream(path_, std::ios::binary | std::ios::in | std::ios::out);
  stream.seekp(static_cast<std::streamoff>(fs::file_size(path_)) - 20);
  stream.put('\x5a');
  stream.put('\x5a');
  stream.close();
  EXPECT_EQ(found(m, options).chunks.size(), chunks - 1);
}

TEST_F(CheckpointTest, IsRefusedForAnotherRunAndSaysWhatDiffers) {
  Mechanism m = busyLinkage();
  m.file_text = "one";
  const RunOptions options = shortRun();
  runAndStop(m, options, 150);
  EXPECT_EQ(found(m, options).problem, "");

  RunOptions other = options;
  other.until = 2.0;
  other.steps.rtol = 1e-9;
  EXPECT_THAT(found(m, other).problem, HasSubstr("What differs: rtol (1e-08, now 1e-09); until (1, now 2)"));
  EXPECT_FALSE(found(m, other).found);

  m.file_text = "two";
  EXPECT_THAT(found(m, options).problem, HasSubstr("What differs: the model (fnv1a64:"));
  m.file_text = "one";

  RunIdentity identity = runIdentity(m, options, assemble(m).state());
  identity[0].second = "9.9.9";
  EXPECT_THAT(readCheckpoint(path_, identity).problem,
              HasSubstr("What differs: the version of Linkwork (" + std::string(kVersion) + ", now 9.9.9)"));

  std::ofstream(path_) << "something else altogether";
  EXPECT_THAT(found(m, options).problem, HasSubstr("is no checkpoint file"));
}

// Angles in space are followed across the interruption; reactions of this one are not unique.
TEST_F(CheckpointTest, ResumesInSpace) {
  const Mechanism m = test::bricard();
  RunOptions options = shortRun();
  const Result whole = run(m, options);
  ASSERT_EQ(whole.status, RunStatus::complete) << whole.message;
  runAndStop(m, options, static_cast<int>(whole.ledger.steps) / 2);
  expectSame(resume(m, options), whole, "space");
}

// In impulses, which are restated on the way.
TEST_F(CheckpointTest, ResumesInImpulses) {
  const Mechanism m = busyLinkage();
  for (const char* integrator : {"dopri5", "rk4", "radau5", "cvode", "arkode"}) {
    if (findIntegrator(integrator)->sundials && !hasSundials()) continue;
    RunOptions options = shortRun();
    options.integrator = integrator;
    options.system.formulation = "hamiltonian";
    if (findIntegrator(integrator)->control == StepControl::fixed) options.steps.step = 0.004;
    const Result whole = run(m, options);
    ASSERT_EQ(whole.status, RunStatus::complete) << integrator << ": " << whole.message;
    for (int part = 1; part < 8; ++part) {
      fs::remove(path_);
      runAndStop(m, options, part * static_cast<int>(whole.ledger.steps) / 8);
      expectSame(resume(m, options), whole, fmt::format("{}, {} eighths", integrator, part));
    }
  }
}

// Wherever it is interrupted while it passes its flat pose, where steps go by forces and know their impulses.
TEST_F(CheckpointTest, ResumesInImpulsesNearAPoseOfLowerRank) {
  Mechanism m = test::parallelogram(2);
  test::drawAt(m, test::parallelogramAt(0.3, 0.0, 2));
  RunOptions options = shortRun();
  options.until = 0.4;
  options.checkpoint_step = 1e-3;
  options.system.formulation = "hamiltonian";
  options.steps.rtol = options.steps.atol = 1e-8;
  const Result whole = run(m, options);
  ASSERT_EQ(whole.status, RunStatus::complete) << whole.message;
  ASSERT_EQ(whole.ledger.rank_changes.size(), 1U);
  for (int steps = 2; steps < whole.ledger.steps; ++steps) {
    fs::remove(path_);
    runAndStop(m, options, steps);
    expectSame(resume(m, options), whole, fmt::format("after {} steps", steps));
  }
}

TEST_F(CheckpointTest, ResumesWithReactionsThatAreNotUnique) {
  Mechanism m = test::parallelogram();
  test::drawAt(m, test::parallelogramStart());
  const RunOptions options = shortRun();
  const Result whole = run(m, options);
  ASSERT_NE(whole.find("K1.unique_force.x"), nullptr);
  runAndStop(m, options, static_cast<int>(whole.ledger.steps) / 2);
  expectSame(resume(m, options), whole, "three cranks");
}

// Nothing about a run changes because checkpoints are written, for a method that remembers.
TEST_F(CheckpointTest, DoesNotChangeARun) {
  const Mechanism m = busyLinkage();
  RunOptions options = shortRun();
  const Result with = run(m, options);
  options.checkpoint_step = 0.0;
  expectSame(run(m, options), with, "without checkpoints");
}

TEST_F(CheckpointTest, APlaceThatCannotBeWrittenIsNotedAndTheRunGoesOn) {
  const Mechanism m = busyLinkage();
  RunControl control;
  control.checkpoint_path = "/dev/full";
  control.checkpoint_wall = 0.0;
  std::vector<std::string> notes;
  control.note = [&](const std::string& text) { notes.push_back(text); };
  const Result result = run(m, shortRun(), control);
  EXPECT_EQ(result.status, RunStatus::complete);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_THAT(notes[0], HasSubstr("this is a device, not a file; the run goes on without further checkpoints"));
}

}  // namespace checkpoint_test
}  // namespace linkwork
