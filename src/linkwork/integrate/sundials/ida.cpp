// IDA: backward differentiation of orders 1 to 5 for the constrained equations themselves, B y' = F(t, y).
//
//   residual B y' - F,   Newton matrix c B - dF/dy
// Entries of index i carry errors divided by h^(i-1) by nature: they are weighed by h^(i-1), and the multipliers are
// left out of the error test. x is that of the system; the multipliers follow it in y.
#include <ida/ida.h>
#include <ida/ida_ls.h>

#include <algorithm>
#include <cmath>

#include "linkwork/base/contract.hpp"
#include "linkwork/integrate/sundials/make_sundials.hpp"
#include "linkwork/integrate/sundials/stepping.hpp"
#include "linkwork/system/dae_system.hpp"

namespace linkwork {
namespace sundials {
namespace {

constexpr int kMostFailures = 20;  // of one step, before the library gives it up

const DaeSystem& daeOf(const OdeSystem& system) {
  expect(system.dae() != nullptr, "ida: the system keeps no constraints");
  return *system.dae();
}

std::size_t unknownsOf(const OdeSystem& system) {
  return static_cast<std::size_t>(daeOf(system).space().size() + daeOf(system).algebraic());
}

class Ida final : public SundialsIntegrator {
 public:
  Ida(const OdeSystem& system, const IntegratorOptions& options)
      : SundialsIntegrator(system, options, unknownsOf(system)),
        dae_(daeOf(system)),
        dae_work_(dae_.makeWorkspace()),
        newton_(context_, static_cast<Eigen::Index>(unknownsOf(system))),
        solve_(dae_.makeShiftedSolve()),
        ydot_(context_, unknownsOf(system)),
        differential_(context_, unknownsOf(system)),
        multipliers_(static_cast<std::size_t>(dae_.multipliers())),
        memory_(IDACreate(context_.get())) {
    std::fill_n(differential_.values().begin(), x_.size(), 1.0);
    const bool good = memory_ != nullptr && IDASetErrHandlerFn(memory_, ignore, nullptr) == 0 &&
                      IDAInit(memory_, onResidual, 0, y_.get(), ydot_.get()) == 0 &&
                      IDASetUserData(memory_, this) == 0 && IDAWFtolerances(memory_, onWeights) == 0 &&
                      IDASetLinearSolver(memory_, newton_.solver(), newton_.matrix()) == 0 &&
                      IDASetJacFn(memory_, onJacobian) == 0 && IDASetId(memory_, differential_.get()) == 0 &&
                      IDASetSuppressAlg(memory_, SUNTRUE) == 0 && IDASetMaxNumSteps(memory_, -1) == 0 &&
                      IDASetMaxConvFails(memory_, kMostFailures) == 0 &&
                      IDASetMaxErrTestFails(memory_, kMostFailures) == 0;
    if (!good) IDAFree(&memory_);
    expect(good, "IDA could not be set up");
  }
  Ida(const Ida&) = delete;
  Ida& operator=(const Ida&) = delete;
  ~Ida() override { IDAFree(&memory_); }

  std::span<const double> multipliers() const override { return multipliers_; }

 private:
  static Ida& self(void* data) { return *static_cast<Ida*>(data); }
  static void ignore(int /*code*/, const char* /*module*/, const char* /*function*/, char* /*text*/, void* /*data*/) {}
  static int onResidual(realtype t, N_Vector y, N_Vector ydot, N_Vector residual, void* data) {
    return self(data).residual(t, values(y), values(ydot), values(residual));
  }
  static int onWeights(N_Vector y, N_Vector weights, void* data) {
    self(data).setIndexWeights(values(y), values(weights));
    return 0;
  }
  static int onJacobian(realtype t, realtype c, N_Vector y, N_Vector /*ydot*/, N_Vector /*r*/, SUNMatrix /*a*/,
                        void* data, N_Vector /*1*/, N_Vector /*2*/, N_Vector /*3*/) {
    return self(data).fillNewton(t, c, values(y));
  }

  int answerDae(double t, Eval eval) {
    ask_dae_ = eval != Eval::ok;
    ask_solve_ = false;
    if (ask_dae_) note(t, "", AskSystem::yes);
    return answer(eval);
  }
  std::string describeTrouble() const override {
    if (ask_solve_) return solve_->describeFailure();
    return ask_dae_ ? dae_.describeFailure(*dae_work_) : Integrator::describeTrouble();
  }

  int residual(double t, std::span<const double> y, std::span<const double> ydot, std::span<double> out) {
    countEvaluation();
    const Eval eval = dae_.rightSide(timeAsked(t), y, modes_, *dae_work_, out);
    if (eval != Eval::ok) return answerDae(t, eval);
    if (const Eval finite = checkFinite(t, out); finite != Eval::ok) return answer(finite);
    const auto n = static_cast<Eigen::Index>(y.size());
    Eigen::Map<Eigen::VectorXd> r(out.data(), n);
    r = -r;
    const SparseMatrix& B = dae_.B();
    for (Eigen::Index j = 0; j < B.outerSize(); ++j) {
      for (SparseMatrix::InnerIterator entry(B, j); entry; ++entry)
        r[entry.row()] += entry.value() * ydot[static_cast<std::size_t>(j)];
    }
    return 0;
  }

  int fillNewton(double t, double c, std::span<const double> y) {
    if (solve_ != nullptr) {
      countEvaluation();
      newton_.setSolve(*solve_, {.h = 1 / c, .real = c}, 1);
      const Eval eval = solve_->linearise(t, y, modes_);
      const int said = answerDae(t, eval);
      ask_solve_ = eval != Eval::ok;
      return said;
    }
    if (const Eval eval = dae_.jacobian(timeAsked(t), y, modes_, *dae_work_, jacobian_); eval != Eval::ok)
      return answerDae(t, eval);
    newton_matrix_ = c * dae_.B() - jacobian_;
    newton_.setSparse(newton_matrix_);
    return 0;
  }

  void setIndexWeights(std::span<const double> y, std::span<double> weights) const {
    setWeights(y, weights);
    const double h = weight_step_;
    const std::span<const int> index = dae_.index();
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (index[i] > 1) weights[i] *= std::pow(std::min(h, 1.0), index[i] - 1);
    }
  }

  bool initialise(double first_step) override {
    const Eval eval = dae_.start(t_, x_, modes_, *dae_work_, y_.values(), ydot_.values());
    if (answerDae(t_, eval) != 0) return false;
    std::copy_n(y_.values().begin() + static_cast<std::ptrdiff_t>(x_.size()), multipliers_.size(),
                multipliers_.begin());
    weight_step_ = first_step > 0 ? first_step : 1e-3 * (t_end_ - t_);  // the library's own first guess
    steps_taken_ = 0;
    return IDAReInit(memory_, t_, y_.get(), ydot_.get()) == 0 && IDASetStopTime(memory_, t_end_) == 0 &&
           IDASetMinStep(memory_, 0) == 0 && IDASetMaxStep(memory_, options_.max_step) == 0 &&
           IDASetMinStep(memory_, smallestStep()) == 0 && IDASetInitStep(memory_, first_step) == 0;
  }
  void stopAt(double t) override { IDASetStopTime(memory_, t); }
  int takeStep(double& t_new) override {
    if (steps_taken_++ > 0) weight_step_ = wantedStep();
    return IDASolve(memory_, t_end_, &t_new, y_.get(), ydot_.get(), IDA_ONE_STEP);
  }

  double wantedStep() const override {
    double h = 0;
    IDAGetCurrentStep(memory_, &h);
    return h;
  }
  long failedSteps() const override {
    long errors = 0;
    long solves = 0;
    IDAGetNumErrTestFails(memory_, &errors);
    IDAGetNumStepSolveFails(memory_, &solves);
    return errors + solves;
  }
  bool isErrorFailure(int flag) const override { return flag == IDA_ERR_FAIL; }
  bool isTooAccurate(int flag) const override { return flag == IDA_TOO_MUCH_ACC; }

  Eval finish(double t_new, double h, EndSlope& end_slope) override {
    std::copy_n(y_.values().begin(), x_.size(), x_new_.begin());
    if (const Eval eval = checkFinite(t_new, x_new_); eval != Eval::ok) return eval;
    std::copy_n(y_.values().begin() + static_cast<std::ptrdiff_t>(x_.size()), multipliers_.size(),
                multipliers_.begin());
    std::copy_n(ydot_.values().begin(), x_.size(), slope_.begin());
    int order = 1;
    IDAGetLastOrder(memory_, &order);
    setBackward(h, order, [&](int k, N_Vector out) { IDAGetDky(memory_, t_new, k, out); });
    end_slope = EndSlope::known;
    return Eval::ok;
  }

  const DaeSystem& dae_;
  std::unique_ptr<Workspace> dae_work_;
  NewtonMatrix newton_;
  std::unique_ptr<ShiftedSolve> solve_;  // the equations' own; null: their sparse Jacobian
  Vector ydot_, differential_;
  SparseMatrix jacobian_, newton_matrix_;
  std::vector<double> multipliers_;
  double weight_step_ = 0;
  long steps_taken_ = 0;
  bool ask_dae_ = false;  // about the last trouble
  bool ask_solve_ = false;
  void* memory_;
};

}  // namespace
}  // namespace sundials

std::unique_ptr<Integrator> makeIda(const OdeSystem& system, const IntegratorOptions& options) {
  return std::make_unique<sundials::Ida>(system, options);
}

}  // namespace linkwork
