// ARKODE: diagonally implicit Runge-Kutta steps of order 4 (ESDIRK4(3)7L[2]SA) for stiff systems, one step at a time.
//
// C. A. Kennedy, M. H. Carpenter: Diagonally implicit Runge-Kutta methods for stiff ODEs, Appl. Numer. Math. 146 (2019)
// 221-244. Each step is corrected by the system when its error has been found small enough; the dense output is a cubic
// with the slopes at both ends. Quadratures are taken by Simpson's rule along it: Newton's iteration, which does not
// look at them, may stop before they have settled.
#include <arkode/arkode_arkstep.h>

#include <algorithm>

#include "linkwork/base/contract.hpp"
#include "linkwork/integrate/sundials/make_sundials.hpp"
#include "linkwork/integrate/sundials/ode_newton.hpp"

namespace linkwork {
namespace sundials {
namespace {

constexpr int kMostFailures = 20;  // of one step, before the library gives it up

// The matrix is formed anew for each gamma and in each step. The library believes for as long as it keeps one in how
// well Newton's iteration converged with it once, and ends it after the first try when that was very well: where the
// step, and with it gamma, has changed in between, what is left over is far above the tolerance.
constexpr double kSameGamma = 1e-12;

class Arkode final : public OdeNewton {
 public:
  Arkode(const OdeSystem& system, const IntegratorOptions& options)
      : OdeNewton(system, options),
        memory_(ARKStepCreate(nullptr, onRightSide, 0, y_.get(), context_.get())),
        end_slope_(x_.size()),
        middle_(x_.size()),
        middle_slope_(x_.size()) {
    const bool good =
        memory_ != nullptr && ARKStepSetErrHandlerFn(memory_, ignore, nullptr) == 0 &&
        ARKStepSetUserData(memory_, this) == 0 && ARKStepWFtolerances(memory_, onWeights) == 0 &&
        ARKStepSetTableNum(memory_, ARKODE_ESDIRK437L2SA_7_3_4, ARKODE_ERK_NONE) == 0 &&
        ARKStepSetLinearSolver(memory_, newton_.solver(), newton_.matrix()) == 0 &&
        ARKStepSetLinSysFn(memory_, onLinearSystem) == 0 && ARKStepSetPostprocessStepFn(memory_, onProject) == 0 &&
        ARKStepSetDeltaGammaMax(memory_, kSameGamma) == 0 && ARKStepSetLSetupFrequency(memory_, 1) == 0 &&
        ARKStepSetMaxNumSteps(memory_, -1) == 0 && ARKStepSetMaxHnilWarns(memory_, -1) == 0 &&
        ARKStepSetMaxConvFails(memory_, kMostFailures) == 0 && ARKStepSetMaxErrTestFails(memory_, kMostFailures) == 0;
    if (!good) ARKStepFree(&memory_);
    expect(good, "ARKODE could not be set up");
  }
  Arkode(const Arkode&) = delete;
  Arkode& operator=(const Arkode&) = delete;
  ~Arkode() override { ARKStepFree(&memory_); }

 private:
  static Arkode& self(void* data) { return *static_cast<Arkode*>(data); }
  static void ignore(int /*code*/, const char* /*module*/, const char* /*function*/, char* /*text*/, void* /*data*/) {}
  static int onRightSide(realtype t, N_Vector y, N_Vector ydot, void* data) { return self(data).rightSide(t, y, ydot); }
  static int onWeights(N_Vector y, N_Vector weights, void* data) {
    self(data).setWeights(values(y), values(weights));
    return 0;
  }
  static int onLinearSystem(realtype t, N_Vector y, N_Vector /*fy*/, SUNMatrix /*a*/, SUNMatrix /*mass*/,
                            booleantype jok, booleantype* jcur, realtype gamma, void* data, N_Vector /*1*/,
                            N_Vector /*2*/, N_Vector /*3*/) {
    return self(data).fillNewton(t, y, jok == SUNTRUE, *jcur, gamma);
  }
  static int onProject(realtype t, N_Vector y, void* data) {
    Arkode& me = self(data);
    int answer = me.project(t, y);
    if (answer == 0) answer = me.answer(me.takeSlopes(t));
    if (answer == 0) std::copy(me.x_new_.begin(), me.x_new_.end(), values(y).begin());
    return answer;
  }

  // The slope at the end, and quadratures by Simpson's rule.
  Eval takeSlopes(double t_new) {
    const double h = t_new - t_;
    Eval eval = evaluate(t_new, x_new_, end_slope_);
    if (eval == Eval::ok) eval = checkFinite(t_new, end_slope_);
    if (eval != Eval::ok || space_.quadratures() == 0) return eval;
    for (std::size_t i = 0; i < x_.size(); ++i)  // of the cubic
      middle_[i] = 0.5 * (x_[i] + x_new_[i]) + h / 8 * (slope_[i] - end_slope_[i]);
    eval = evaluate(t_ + 0.5 * h, middle_, middle_slope_);
    if (eval != Eval::ok) return eval;
    for (auto i = static_cast<std::size_t>(space_.quadratureOffset()); i < x_.size(); ++i)
      x_new_[i] = x_[i] + h / 6 * (slope_[i] + 4 * middle_slope_[i] + end_slope_[i]);
    return Eval::ok;
  }

  bool initialise(double first_step) override {
    return ARKStepReInit(memory_, nullptr, onRightSide, t_, y_.get()) == 0 &&
           ARKStepSetStopTime(memory_, t_end_) == 0 && ARKStepSetMinStep(memory_, 0) == 0 &&
           ARKStepSetMaxStep(memory_, options_.max_step) == 0 && ARKStepSetMinStep(memory_, smallestStep()) == 0 &&
           ARKStepSetInitStep(memory_, first_step) == 0;
  }
  bool goOnFrom(std::span<const double> x) override {  // which makes it forget where to stop
    std::copy(x.begin(), x.end(), y_.values().begin());
    return ARKStepReset(memory_, t_, y_.get()) == 0 && ARKStepSetStopTime(memory_, t_end_) == 0;
  }
  void stopAt(double t) override { ARKStepSetStopTime(memory_, t); }
  int takeStep(double& t_new) override { return ARKStepEvolve(memory_, t_end_, y_.get(), &t_new, ARK_ONE_STEP); }

  double wantedStep() const override {
    double h = 0;
    ARKStepGetCurrentStep(memory_, &h);
    return h;
  }
  long failedSteps() const override {
    long attempts = 0;
    long steps = 0;
    ARKStepGetNumStepAttempts(memory_, &attempts);
    ARKStepGetNumSteps(memory_, &steps);
    return attempts - steps;
  }
  bool isErrorFailure(int flag) const override { return flag == ARK_ERR_FAILURE; }
  bool isTooAccurate(int flag) const override { return flag == ARK_TOO_MUCH_ACC; }

  // x_new_ is what the correction left, with the quadratures.
  Eval finish(double t_new, double h, EndSlope& end_slope) override {
    if (const Eval eval = checkFinite(t_new, x_new_); eval != Eval::ok) return eval;
    std::copy(x_new_.begin() + space_.quadratureOffset(), x_new_.end(), raw_x_new_.begin() + space_.quadratureOffset());
    dense_.setEnds(h, x_, slope_, raw_x_new_);
    dense_.setLastSlope(h, end_slope_);
    if (after_.changed) dense_.addCorrection(raw_x_new_, x_new_);
    slope_.swap(end_slope_);
    end_slope = EndSlope::known;
    return Eval::ok;
  }

  void* memory_;
  std::vector<double> end_slope_, middle_, middle_slope_;
};

}  // namespace
}  // namespace sundials

std::unique_ptr<Integrator> makeArkode(const OdeSystem& system, const IntegratorOptions& options) {
  return std::make_unique<sundials::Arkode>(system, options);
}

}  // namespace linkwork
