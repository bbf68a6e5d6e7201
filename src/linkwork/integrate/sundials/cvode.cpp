// CVODE: backward differentiation of orders 1 to 5 for stiff systems, projected inside of each step.
#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <cvode/cvode_proj.h>

#include <algorithm>

#include "linkwork/base/contract.hpp"
#include "linkwork/integrate/sundials/make_sundials.hpp"
#include "linkwork/integrate/sundials/ode_newton.hpp"

namespace linkwork {
namespace sundials {
namespace {

constexpr int kMostFailures = 20;  // of one step, before the library gives it up

// Up to this size factoring costs less than what Newton's iteration gains by a matrix that fits the step.
constexpr std::size_t kSmall = 200;

class Cvode final : public OdeNewton {
 public:
  Cvode(const OdeSystem& system, const IntegratorOptions& options)
      : OdeNewton(system, options), memory_(CVodeCreate(CV_BDF, context_.get())) {
    const bool good = memory_ != nullptr && CVodeSetErrHandlerFn(memory_, ignore, nullptr) == 0 &&
                      CVodeInit(memory_, onRightSide, 0, y_.get()) == 0 && CVodeSetUserData(memory_, this) == 0 &&
                      CVodeWFtolerances(memory_, onWeights) == 0 &&
                      CVodeSetLinearSolver(memory_, newton_.solver(), newton_.matrix()) == 0 &&
                      CVodeSetLinSysFn(memory_, onLinearSystem) == 0 && CVodeSetProjFn(memory_, onProject) == 0 &&
                      CVodeSetProjErrEst(memory_, SUNFALSE) == 0 && CVodeSetMaxNumSteps(memory_, -1) == 0 &&
                      CVodeSetLSetupFrequency(memory_, x_.size() <= kSmall ? 1 : 0) == 0 &&
                      CVodeSetMaxHnilWarns(memory_, -1) == 0 && CVodeSetMaxConvFails(memory_, kMostFailures) == 0 &&
                      CVodeSetMaxErrTestFails(memory_, kMostFailures) == 0 &&
                      CVodeSetMaxNumProjFails(memory_, kMostFailures) == 0;
    if (!good) CVodeFree(&memory_);
    expect(good, "CVODE could not be set up");
  }
  Cvode(const Cvode&) = delete;
  Cvode& operator=(const Cvode&) = delete;
  ~Cvode() override { CVodeFree(&memory_); }

 private:
  static Cvode& self(void* data) { return *static_cast<Cvode*>(data); }
  static void ignore(int /*code*/, const char* /*module*/, const char* /*function*/, char* /*text*/, void* /*data*/) {}
  static int onRightSide(realtype t, N_Vector y, N_Vector ydot, void* data) { return self(data).rightSide(t, y, ydot); }
  static int onWeights(N_Vector y, N_Vector weights, void* data) {
    self(data).setWeights(values(y), values(weights));
    return 0;
  }
  static int onLinearSystem(realtype t, N_Vector y, N_Vector /*fy*/, SUNMatrix /*a*/, booleantype jok,
                            booleantype* jcur, realtype gamma, void* data, N_Vector /*1*/, N_Vector /*2*/,
                            N_Vector /*3*/) {
    return self(data).fillNewton(t, y, jok == SUNTRUE, *jcur, gamma);
  }
  static int onProject(realtype t, N_Vector y, N_Vector correction, realtype /*eps*/, N_Vector /*error*/, void* data) {
    Cvode& me = self(data);
    const int answer = me.project(t, y);
    for (std::size_t i = 0; i < me.x_.size(); ++i) values(correction)[i] = me.x_new_[i] - me.raw_x_new_[i];
    return answer;
  }

  bool initialise(double first_step) override {
    return CVodeReInit(memory_, t_, y_.get()) == 0 && CVodeSetStopTime(memory_, t_end_) == 0 &&
           CVodeSetMinStep(memory_, 0) == 0 && CVodeSetMaxStep(memory_, options_.max_step) == 0 &&
           CVodeSetMinStep(memory_, smallestStep()) == 0 && CVodeSetInitStep(memory_, first_step) == 0;
  }
  void stopAt(double t) override { CVodeSetStopTime(memory_, t); }
  int takeStep(double& t_new) override { return CVode(memory_, t_end_, y_.get(), &t_new, CV_ONE_STEP); }

  double wantedStep() const override {
    double h = 0;
    CVodeGetCurrentStep(memory_, &h);
    return h;
  }
  long failedSteps() const override {
    long errors = 0;
    long solves = 0;
    long projections = 0;
    CVodeGetNumErrTestFails(memory_, &errors);
    CVodeGetNumStepSolveFails(memory_, &solves);
    CVodeGetNumProjFails(memory_, &projections);
    return errors + solves + projections;
  }
  bool isErrorFailure(int flag) const override { return flag == CV_ERR_FAILURE; }
  bool isTooAccurate(int flag) const override { return flag == CV_TOO_MUCH_ACC; }

  // x_new_ is what the last projection left.
  Eval finish(double t_new, double h, EndSlope& end_slope) override {
    if (const Eval eval = checkFinite(t_new, x_new_); eval != Eval::ok) return eval;
    int order = 1;
    CVodeGetLastOrder(memory_, &order);
    setBackward(h, order, [&](int k, N_Vector out) { CVodeGetDky(memory_, t_new, k, out); });
    CVodeGetDky(memory_, t_new, 1, dky_.get());
    std::copy(dky_.values().begin(), dky_.values().end(), slope_.begin());
    end_slope = EndSlope::known;
    return Eval::ok;
  }

  void* memory_;
};

}  // namespace
}  // namespace sundials

std::unique_ptr<Integrator> makeCvode(const OdeSystem& system, const IntegratorOptions& options) {
  return std::make_unique<sundials::Cvode>(system, options);
}

}  // namespace linkwork
