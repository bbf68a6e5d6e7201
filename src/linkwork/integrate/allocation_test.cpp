// No step, interpolation or event search allocates: counted at operator new.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "linkwork/integrate/canonical_runs_for_tests.hpp"
#include "linkwork/integrate/events.hpp"
#include "linkwork/integrate/jumps.hpp"
#include "linkwork/integrate/make_integrator.hpp"
#include "linkwork/integrate/systems_for_tests.hpp"
#include "linkwork/system/jumping_systems_for_tests.hpp"

namespace {

std::atomic<long> allocations{0};

void* allocate(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size); }
void* operator new[](std::size_t size) { return allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace linkwork {
namespace {

using namespace testing_systems;

TEST(Allocation, TheCounterCounts) {
  const long before = allocations;
  const auto probe = std::make_unique<std::vector<double>>(10);
  EXPECT_GE(allocations - before, 2) << probe->size();
}

TEST(Allocation, NoneInStepsInterpolationEventsOrResuming) {
  LambdaSystem system = oscillator();
  // Corrections, a refusal now and then, and events: all paths of a step.
  int calls = 0;
  system.after([&calls](double, Values x) {
    ++calls;
    const bool change = calls % 3 == 0;
    if (change) x[0] *= 1 + 1e-12;
    return AfterStep{Eval::ok, change};
  });
  system.events(1, [](double, ConstValues x, Values g) {
    g[0] = x[0];
    return Eval::ok;
  });
  std::vector<double> x(3);
  for (const std::string& name : plainIntegrators()) {
    IntegratorOptions options;
    options.step = 0.01;
    const auto integrator = makeIntegrator(name, system, options);
    EventLocator locator(system);
    integrator->begin(0, kOscillatorStart, 10);
    locator.start(*integrator);
    int found = 0;
    const long before = allocations;
    StepStatus status = StepStatus::ok;
    while (status == StepStatus::ok) {
      status = integrator->step();
      integrator->interpolate(0.5 * (integrator->previousTime() + integrator->time()), x);
      if (locator.find(*integrator) == EventSearch::found) {
        ++found;
        const double t = locator.events().front().time;
        integrator->interpolate(t, x);
        status = integrator->resumeAt(t, x);
        locator.start(*integrator);
      }
    }
    EXPECT_EQ(allocations - before, 0) << name;
    EXPECT_EQ(found, 3) << name;
    EXPECT_EQ(status, StepStatus::finished);
  }
}

TEST(Allocation, NoneWhereEventsChangeTheMotion) {
  const FloorPoint system({.restitution = 0.8}, FloorForm::ode);
  for (const std::string& name : plainIntegrators()) {
    IntegratorOptions options;
    options.step = options.max_step = 0.01;
    const auto integrator = makeIntegrator(name, system, options);
    Jumps jumps(system);
    StepStatus status = integrator->begin(0, std::vector<double>{0.0, 1.0, 1.0, 0.0, 0.0}, 2);
    jumps.start(*integrator);
    const long before = allocations;
    while (status == StepStatus::ok) status = jumps.step(*integrator);
    EXPECT_EQ(allocations - before, 0) << name;
    EXPECT_EQ(jumps.count(), 3) << name;
    EXPECT_EQ(status, StepStatus::finished);
  }
}

template <class Case>
long allocationsOf(const std::string& name, const Case& run) {
  const auto integrator = run.begun(name, 0.01, run.start(), 0.5);
  const long before = allocations;
  const StepStatus status = runToEnd(*integrator);
  const long counted = allocations - before;
  EXPECT_EQ(status, StepStatus::finished) << integrator->failure();
  return counted;
}

TEST(Allocation, NoneInStepsThatKeepStructure) {
  using test::PlaneD;
  using test::SpaceD;
  const test::CanonicalCase<PlaneD> tree(test::doublePendulum(0.9, 0.5), {}, 0.5);
  EXPECT_EQ(allocationsOf("gauss4", tree), 0);
  EXPECT_EQ(allocationsOf("rattle", tree), 0);
  EXPECT_EQ(allocationsOf("rattle", test::CanonicalCase<PlaneD>(test::freeParallelogram(3), {}, 0.5)), 0);
  EXPECT_EQ(allocationsOf("rattle", test::CanonicalCase<SpaceD>(test::spatialFourBar(), {0.3}, 0.5)), 0);
}

TEST(Allocation, NoneInAStepThatFails) {
  LambdaSystem system(StateSpace(1, 1, 0), [](double t, ConstValues x, Values f) {
    f[0] = x[1];
    f[1] = 0;
    return t > 0.5 ? Eval::retry : Eval::ok;
  });
  for (const std::string& name : plainIntegrators()) {
    IntegratorOptions options;
    options.step = 0.01;
    const auto integrator = makeIntegrator(name, system, options);
    integrator->begin(0, std::vector<double>{0, 1}, 1);
    const long before = allocations;
    StepStatus status = StepStatus::ok;
    while (status == StepStatus::ok) status = integrator->step();
    EXPECT_EQ(allocations - before, 0) << name;
    EXPECT_NE(status, StepStatus::finished);
  }
}

}  // namespace
}  // namespace linkwork
