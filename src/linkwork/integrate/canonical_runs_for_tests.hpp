// Mechanisms in coordinates and impulses, their starts, and where a method of order 8 takes them; for tests of the
// methods that keep the structure of such motions.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "linkwork/formulation/absolute/absolute_system.hpp"
#include "linkwork/formulation/drawn_state_for_tests.hpp"
#include "linkwork/formulation/hamiltonian/hamiltonian_system.hpp"
#include "linkwork/integrate/make_integrator.hpp"
#include "linkwork/model/driven_mechanisms_for_tests.hpp"
#include "linkwork/model/space_mechanisms_for_tests.hpp"

namespace linkwork::test {

using PlaneD = Planar<double>;
using SpaceD = Spatial<double>;

template <class G>
class CanonicalCase {
 public:
  // From the drawing, with these impulses as far as the cuts allow them; those left out are zero.
  CanonicalCase(Mechanism m, std::vector<double> impulses, double until)
      : mechanism_(std::move(m)), system_(mechanism_, optionsOf(mechanism_)), until_(until) {
    start_ = system_.fromAbsolute(0.0, drawnState(mechanism_));
    const auto first = static_cast<std::size_t>(system_.space().positions());
    for (std::size_t k = 0; k < impulses.size(); ++k) start_[first + k] = impulses[k];
    start_ = system_.fromVelocities(0.0, system_.toVelocities(0.0, start_));
  }

  const HamiltonianSystem<G>& system() const { return system_; }
  const std::vector<double>& start() const { return start_; }
  std::size_t positions() const { return static_cast<std::size_t>(system_.space().positions()); }
  std::size_t freedoms() const { return static_cast<std::size_t>(system_.space().velocities()); }

  std::unique_ptr<Integrator> begun(const std::string& name, double step, std::vector<double> x, double until) const {
    IntegratorOptions options;
    options.rtol = options.atol = 1e-13;
    options.step = step;
    auto out = makeIntegrator(name, system_, options);
    EXPECT_EQ(out->begin(0.0, x, until), StepStatus::ok) << name << ": " << out->failure();
    return out;
  }
  // One step with p turned around, and around again: where the step came from.
  std::vector<double> stepped(const std::string& name, double step, std::vector<double> x) const {
    const auto integrator = begun(name, step, std::move(x), step);
    EXPECT_EQ(integrator->step(), StepStatus::finished) << integrator->failure();
    return {integrator->state().begin(), integrator->state().end()};
  }
  std::vector<double> reversed(std::vector<double> x) const {
    for (std::size_t k = positions(); k < positions() + freedoms(); ++k) x[k] = -x[k];
    return x;
  }

  // [q, u, work, turns] at the end.
  std::vector<double> end(const std::string& name, double step) const {
    const auto integrator = begun(name, step, start_, until_);
    StepStatus status = StepStatus::ok;
    while (status == StepStatus::ok) status = integrator->step();
    EXPECT_EQ(status, StepStatus::finished) << integrator->failure();
    return system_.toVelocities(until_, integrator->state());
  }
  // Largest error at the end of steps of until/count, against order 8.
  double error(const std::string& name, int count) {
    if (reference_.empty()) reference_ = end("dop853", 0.0);
    const std::vector<double> found = end(name, until_ / count);
    double out = 0.0;
    for (std::size_t k = 0; k < found.size(); ++k) out = std::max(out, std::abs(found[k] - reference_[k]));
    return out;
  }

  double energy(double t, std::span<const double> x) const {
    const auto work = system_.makeWorkspace();
    Observation seen;
    EXPECT_EQ(system_.observe(t, x, system_.startModes(), *work, seen), Eval::ok);
    return seen.kinetic + seen.potential;
  }

 private:
  static HamiltonianOptions optionsOf(const Mechanism& m) {
    const BasicAbsoluteSystem<G> absolute(m, {});
    const auto work = absolute.makeWorkspace();
    HamiltonianOptions out;
    out.stabilisation = Stabilisation::projection;
    out.doubtful_rows = absolute.dependentRows(0.0, drawnState(m), *work);
    return out;
  }

  Mechanism mechanism_;
  HamiltonianSystem<G> system_;
  double until_;
  std::vector<double> start_, reference_;
};

// Another integrator that takes over what one remembers goes on as that one does, to the last bit.
template <class G>
void expectToGoOnFromMemory(const CanonicalCase<G>& run, const std::string& name) {
  const auto whole = run.begun(name, 0.01, run.start(), 1.0);
  for (int k = 0; k < 40; ++k) whole->step();
  const auto other = run.begun(name, 0.01, run.start(), 1.0);
  other->recall(whole->memory());
  for (int k = 0; k < 30; ++k) {
    whole->step();
    other->step();
  }
  EXPECT_GT(whole->time(), 0.69);
  EXPECT_EQ(std::vector<double>(whole->state().begin(), whole->state().end()),
            std::vector<double>(other->state().begin(), other->state().end()));
}

// Two links in a row, drawn at these angles against the downward direction.
inline Mechanism doublePendulum(double upper, double lower) {
  Mechanism m;
  m.gravity = {Value(0.0), Value(-9.81)};
  const BodyIndex first = addBody(m, "upper", 1.0, 0.1);
  const BodyIndex second = addBody(m, "lower", 0.7, 0.05);
  addJoint(m, "O", JointKind::revolute, kGround, frameAt(0, 0), first, frameAt(0, 0.5));
  addJoint(m, "A", JointKind::revolute, first, frameAt(0, -0.5), second, frameAt(0, 0.4));
  m.bodies[0].drawn = {0.5 * std::sin(upper), -0.5 * std::cos(upper), upper};
  m.bodies[1].drawn = {std::sin(upper) + 0.4 * std::sin(lower), -std::cos(upper) - 0.4 * std::cos(lower), lower};
  return m;
}

// Crank, coupler and rocker without friction, and without the parallelogram's spring.
inline Mechanism freeParallelogram(int cranks) {
  Mechanism m = parallelogram(cranks);
  m.loads.clear();
  drawAt(m, parallelogramStart(cranks));
  return m;
}

// A body on a ball at the origin, its mass centre above it.
inline Mechanism top(const Triple& moments, const Triple& centre) {
  Mechanism m = inSpace();
  const BodyIndex body = addSpatialBody(m, "top", 2.0, moments, centre);
  addJointAt(m, "tip", JointKind::spherical, kGround, body, {0, 0, 0});
  return m;
}

// Crank and rocker on hinges that are not parallel, the coupler between them on two balls.
inline Mechanism spatialFourBar() {
  Mechanism m = inSpace();
  const BodyIndex crank = addSpatialBody(m, "crank", 1.5, {0.02, 0.03, 0.04}, {0.02, 0.01, 0.0}, {0.15, 0.0, 0.05});
  const BodyIndex coupler =
      addSpatialBody(m, "coupler", 1.2, {0.11, 0.10, 0.02}, {0.03, -0.02, 0.05}, {0.65, 0.1, 0.35});
  const BodyIndex rocker = addSpatialBody(m, "rocker", 2.0, {0.12, 0.13, 0.02}, {0.02, 0.04, 0.0}, {1.05, 0.2, 0.3});
  addJointAt(m, "O", JointKind::revolute, kGround, crank, {0, 0, 0}, zTo({0, 0, 1}));
  addJointAt(m, "A", JointKind::spherical, crank, coupler, {0.3, 0.0, 0.1});
  addJointAt(m, "B", JointKind::spherical, coupler, rocker, {1.0, 0.2, 0.6});
  addJointAt(m, "C", JointKind::revolute, kGround, rocker, {1.1, 0.2, 0.0}, zTo({0.2, 1.0, 0.1}));
  return m;
}

}  // namespace linkwork::test
