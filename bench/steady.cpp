// A steady motion of the bicycle: one linearisation with its eigenvalues, set-up aside; finding the motion at another
// speed; both, as a locus needs them at every sample.
#include <benchmark/benchmark.h>

#include <memory>
#include <string>

#include "linkwork/analyse/steady_linear.hpp"
#include "linkwork/linalg/decompositions.hpp"
#include "linkwork/read/model_file.hpp"

namespace {

using namespace linkwork;

struct Bicycle {
  Bicycle() {
    Diagnostics diagnostics;
    const auto mechanism = readModelFile(std::string(LINKWORK_MODELS_DIR) + "/bicycle.toml", diagnostics);
    std::string problem;
    auto model = makeSteadyModel(*mechanism, mechanism->steady, problem);
    const std::vector<double> start = model->start;
    solver = std::make_unique<SteadySolver>(std::move(model));
    motion = solver->find(start);
    zeros = countZeros(*solver, motion);
  }
  std::unique_ptr<SteadySolver> solver;
  SteadyMotion motion;
  StructuralZeros zeros;
};

void BM_BicycleLinearisation(benchmark::State& state) {
  Bicycle bicycle;
  for (auto _ : state) {
    const Deflated deflated = deflate(*bicycle.solver, bicycle.motion, bicycle.zeros);
    benchmark::DoNotOptimize(Eigen::EigenSolver<Eigen::MatrixXd>(deflated.A).eigenvalues().data());
  }
}
BENCHMARK(BM_BicycleLinearisation);

void BM_BicycleAtAnotherSpeed(benchmark::State& state) {
  Bicycle bicycle;
  double rate = bicycle.solver->model().values.front();
  double step = 0.1;
  SteadyMotion motion = bicycle.motion;
  for (auto _ : state) {
    rate += step;
    step = -step;
    bicycle.solver->setValues({rate});
    motion = bicycle.solver->find(motion.x);
    benchmark::DoNotOptimize(motion.x.data());
  }
}
BENCHMARK(BM_BicycleAtAnotherSpeed);

}  // namespace
