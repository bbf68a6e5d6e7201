// Implicit methods on systems that offer to solve with c - J: the line of masses, beyond the size of full matrices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linkwork/integrate/make_integrator.hpp"
#include "linkwork/integrate/sundials/make_sundials.hpp"
#include "linkwork/system/line_of_masses_for_tests.hpp"
#include "linkwork/system/mechanical_dae.hpp"
#include "linkwork/system/mechanical_systems_for_tests.hpp"

namespace linkwork {
namespace offered_solve_test {

using ::testing::HasSubstr;
using testing_systems::CartesianPendulum;
using testing_systems::LineOde;
using testing_systems::LineOffer;
using testing_systems::LineOfMasses;
using testing_systems::SmallMechanicalOde;

const std::vector<LineOfMasses::Mode> kModes{{1, 0.3}, {3, -0.1}};
constexpr double kEnd = 1.5;

struct Outcome {
  std::vector<double> x;
  StepCounts counts;
};

Outcome run(const std::string& name, const OdeSystem& system, const std::vector<double>& start, double rtol,
            double t_end = kEnd) {
  IntegratorOptions options;
  options.rtol = rtol;
  options.atol = 1e-3 * rtol;
  const auto integrator = makeIntegrator(name, system, options);
  StepStatus status = integrator->begin(0, start, t_end);
  while (status == StepStatus::ok) status = integrator->step();
  EXPECT_EQ(status, StepStatus::finished) << name << ": " << integrator->failure();
  const auto x = integrator->state();
  return {{x.begin(), x.end()}, integrator->counts()};
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double out = 0;
  for (std::size_t i = 0; i < a.size(); ++i) out = std::max(out, std::abs(a[i] - b[i]));
  return out;
}

std::vector<std::string> odeMethods() {
  std::vector<std::string> out{"radau5"};
  if (hasSundials()) out.insert(out.end(), {"cvode", "arkode"});
  return out;
}

// 3,601 unknowns; the fastest mode is 1,100 times faster than the slowest and damped at 1.3e4 1/s.
TEST(OfferedSolve, LongLineFollowsItsModesThroughEveryImplicitMethod) {
  const LineOfMasses line = LineOfMasses::slow(1800, 0.01);
  const LineOde offered(line);
  const LineOde silent(line, LineOffer::nothing);
  const auto start = line.start(kModes);
  const auto exact = line.exact(kModes, kEnd);
  for (const std::string& name : odeMethods()) {
    SCOPED_TRACE(name);
    EXPECT_THAT(integratorProblem(name, silent, {}), HasSubstr("use"));
    const Outcome found = run(name, offered, start, 1e-6);
    // Errors of a step up to 1e-6 of numbers up to 0.3 add up over some ten to three hundred steps.
    EXPECT_LT(distance(found.x, exact), 1e-4);
    EXPECT_LT(found.counts.accepted, 400);  // an explicit method would need 10,000
  }
  // Of second order: 1e-5 a step.
  EXPECT_LT(distance(run("generalized_alpha", offered, start, 1e-5).x, exact), 1e-3);
}

TEST(OfferedSolve, SparseAndStructuredSolvesTakeTheSameSteps) {
  LineOfMasses line = LineOfMasses::slow(60, 0.02);
  line.cubic = 40.0;
  const auto start = line.start(kModes);
  for (const std::string& name : odeMethods()) {
    SCOPED_TRACE(name);
    const Outcome structured = run(name, LineOde(line, LineOffer::structured), start, 1e-7);
    const Outcome sparse = run(name, LineOde(line, LineOffer::sparse), start, 1e-7);
    // The same J, so the same iterations: what differs is round-off.
    EXPECT_EQ(structured.counts.accepted, sparse.counts.accepted);
    EXPECT_LT(distance(structured.x, sparse.x), 1e-10);
    const Outcome by_differences = run(name, LineOde(line, LineOffer::nothing), start, 1e-7);
    EXPECT_LT(distance(structured.x, by_differences.x), 1e-6);
    EXPECT_LT(structured.counts.evaluations, by_differences.counts.evaluations);
  }
}

// With a tenth of the stiffness unknown to the solve the iterations converge more slowly, to the same end.
TEST(OfferedSolve, ApproximateJacobianCostsIterationsAndNoAccuracy) {
  const LineOfMasses line = LineOfMasses::slow(60, 0.02);
  const auto start = line.start(kModes);
  const auto exact = line.exact(kModes, kEnd);
  for (const std::string& name : odeMethods()) {
    SCOPED_TRACE(name);
    const Outcome found = run(name, LineOde(line, LineOffer::approximate), start, 1e-7);
    EXPECT_LT(distance(found.x, exact), 1e-5);
    const Outcome best = run(name, LineOde(line), start, 1e-7);
    // (cvode scales what its iterations leave and may do with as many)
    if (name == "radau5") {
      EXPECT_GT(found.counts.evaluations, best.counts.evaluations);
    }
  }
}

// A system whose J cannot be had beyond some time: the run ends there with its words.
class Reluctant final : public PlainOdeSystem, private StateJacobian {
 public:
  StateSpace space() const override { return StateSpace::firstOrder(1); }
  Evaluation derivative(double t, std::span<const double> x, const Modes& /*modes*/, Workspace& /*work*/,
                        std::span<double> xdot) const override {
    xdot[0] = -200.0 * (x[0] - std::cos(40.0 * t));
    return Eval::ok;
  }
  const StateJacobian* jacobian() const override { return this; }

 private:
  class Solve final : public ShiftedSolve {
   public:
    Eval linearise(double t, std::span<const double> /*y*/, const Modes& /*modes*/) override {
      return t < 0.5 ? Eval::ok : Eval::failed;
    }
    bool factor(const Shifts& shifts) override { return shifts_ = shifts, true; }
    void solve(std::span<double> r) override { r[0] /= shifts_.real + 100.0; }  // half of J: asked for anew often
    void solve(std::span<std::complex<double>> r) override { r[0] /= shifts_.complex + 100.0; }
    std::string describeFailure() const override { return "the slope is lost"; }

   private:
    Shifts shifts_;
  };
  std::unique_ptr<JacobianProduct> makeProduct() const override { return nullptr; }
  std::unique_ptr<ShiftedSolve> makeSolve() const override { return std::make_unique<Solve>(); }
};

TEST(OfferedSolve, SaysWhyThereIsNoJacobian) {
  const Reluctant system;
  for (const std::string& name : odeMethods()) {
    SCOPED_TRACE(name);
    const auto integrator = makeIntegrator(name, system, {});
    StepStatus status = integrator->begin(0, std::vector<double>{1.0}, 2.0);
    while (status == StepStatus::ok) status = integrator->step();
    EXPECT_EQ(status, StepStatus::failed);
    EXPECT_GT(integrator->time(), 0.3);
    EXPECT_THAT(integrator->failure(), HasSubstr("the slope is lost"));
  }
}

// A DaeSystem that passes another on and offers to solve with its matrices.
class OfferingDae final : public DaeSystem {
 public:
  explicit OfferingDae(const DaeSystem& inner) : inner_(inner) {}
  StateSpace space() const override { return inner_.space(); }
  int algebraic() const override { return inner_.algebraic(); }
  int multipliers() const override { return inner_.multipliers(); }
  std::span<const int> index() const override { return inner_.index(); }
  const SparseMatrix& B() const override { return inner_.B(); }
  std::unique_ptr<Workspace> makeWorkspace() const override { return inner_.makeWorkspace(); }
  Eval rightSide(double t, std::span<const double> y, const Modes& modes, Workspace& work,
                 std::span<double> F) const override {
    return inner_.rightSide(t, y, modes, work, F);
  }
  Eval jacobian(double, std::span<const double>, const Modes&, Workspace&, SparseMatrix&) const override {
    ADD_FAILURE() << "a matrix was asked for where a solve is offered";
    return Eval::failed;
  }
  std::unique_ptr<ShiftedSolve> makeShiftedSolve() const override {
    std::shared_ptr<Workspace> work = inner_.makeWorkspace();
    SparseShiftedSolve::Jacobian jacobian{
        [this, work](double t, std::span<const double> y, const Modes& modes, SparseMatrix& J) {
          return inner_.jacobian(t, y, modes, *work, J);
        },
        [this, work] { return inner_.describeFailure(*work); }};
    return std::make_unique<SparseShiftedSolve>(inner_.B(), std::move(jacobian), inner_.index());
  }
  Eval start(double t, std::span<const double> x, const Modes& modes, Workspace& work, std::span<double> y,
             std::span<double> ydot) const override {
    return inner_.start(t, x, modes, work, y, ydot);
  }
  std::string describeFailure(const Workspace& work) const override { return inner_.describeFailure(work); }

 private:
  const DaeSystem& inner_;
};

TEST(OfferedSolve, IsTakenForConstraintsToo) {
  const CartesianPendulum pendulum({1.0, 1.0, 9.81, 0.1, 0.1, 5.0});
  const auto start = pendulum.start(1.0, 0.5);
  for (const DaeKind kind : {DaeKind::index3, DaeKind::ggl}) {
    const SmallMechanicalOde plain(pendulum);
    const MechanicalDae dae(pendulum, plain, kind);
    const OfferingDae offering(dae);
    SmallMechanicalOde silent(pendulum);
    SmallMechanicalOde offered(pendulum);
    silent.offer(dae);
    offered.offer(offering);
    EXPECT_EQ(run("radau5", offered, start, 1e-7).x, run("radau5", silent, start, 1e-7).x);  // the very same matrices
    if (!hasSundials()) continue;
    // Scaled in another way, so that round-off differs, which a solve at index 3 magnifies by 1/h^2, some 5e4: 1e-11 in
    // each of some 300 steps. With finer tolerances ida on index 3 meets its limit, and refuses other steps.
    const Outcome expected = run("ida", silent, start, 1e-6);
    const Outcome found = run("ida", offered, start, 1e-6);
    EXPECT_EQ(found.counts.accepted, expected.counts.accepted);
    EXPECT_LT(distance(found.x, expected.x), 1e-7);
  }
}

}  // namespace offered_solve_test
}  // namespace linkwork
