// Joints made of springs against values worked out elsewhere, to 12 digits and more, for a rigid planar four-bar; and
// against the joints that they stand for.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "linkwork/formulation/compliant/soften.hpp"
#include "linkwork/model/compliance.hpp"
#include "linkwork/read/model_file.hpp"
#include "linkwork/simulate/simulate.hpp"
#include "run_model.hpp"

namespace linkwork {
namespace compliant_joints_test {

Mechanism shippedFourBar() {
  Diagnostics diagnostics;
  auto read = readModelFile(std::string(LINKWORK_MODELS_DIR) + "/compliant_four_bar.toml", diagnostics);
  EXPECT_TRUE(read) << diagnostics.format();
  read->initial.clear();  // the reference starts at rest
  return *read;
}

Mechanism fourBar(double stiffness) {
  Mechanism out = shippedFourBar();
  out.joints[2].compliance->stiffness = {Value(stiffness), Value(stiffness), Value(0.0)};
  return out;
}

Result runOf(const Mechanism& mechanism, const std::string& formulation, double rtol = 1e-12) {
  const Assembly assembly = assemble(mechanism);
  EXPECT_TRUE(assembly.ok) << assembly.problem;
  RunOptions options = runOptions(mechanism);
  options.system.formulation = formulation;
  options.integrator = "dop853";
  options.steps.rtol = options.steps.atol = rtol;
  Result out = simulate(mechanism, assembly, options);
  EXPECT_EQ(out.status, RunStatus::complete) << out.message;
  return out;
}

// The last sample at a time, or the first of two.
enum class Side { before, after };
double valueAt(const Result& result, const std::string& name, double t, Side side = Side::before) {
  const Series* series = result.find(name);
  if (series == nullptr) {
    ADD_FAILURE() << "no series " << name;
    return NAN;
  }
  double out = NAN;
  for (std::size_t n = 0; n < result.time.size(); ++n) {
    if (std::abs(result.time[n] - t) > 1e-9) continue;
    out = series->values[n];
    if (side == Side::before) return out;
  }
  return out;
}

struct Reference {
  double t, theta, x, y, force_x, force_y;
};

// Where C is on the rocker.
std::array<double, 2> rockerEnd(const Result& result, double t) {
  const double angle = valueAt(result, "D.angle", t);
  return {0.254 + 0.2705 * std::cos(angle), 0.2705 * std::sin(angle)};
}

void expectReference(const Result& result, const Reference& wanted, double position, double force) {
  SCOPED_TRACE(wanted.t);
  EXPECT_NEAR(valueAt(result, "A.angle", wanted.t), wanted.theta, position);
  const auto [x, y] = rockerEnd(result, wanted.t);
  EXPECT_NEAR(x, wanted.x, position);
  EXPECT_NEAR(y, wanted.y, position);
  EXPECT_NEAR(valueAt(result, "C.force.x", wanted.t), wanted.force_x, force);
  EXPECT_NEAR(valueAt(result, "C.force.y", wanted.t), wanted.force_y, force);
}

// Closed by a constraint: 34 digits elsewhere, 12 agree with another kernel.
TEST(CompliantFourBar, WithAHardHingeIsTheReference) {
  const Result result = runOf(withHardJoints(shippedFourBar()), "recursive");
  expectReference(result, {0.05, 1.4003328094542, 0.24459641932503, 0.270336498961, -1.80407925152, -2.5975754588385},
                  1e-9, 1e-7);
  expectReference(result,
                  {0.1, 3.2171339491408, 0.075252562303137, 0.20302611535664, -8.2877893942738, 9.5189690860688}, 1e-9,
                  1e-6);
  EXPECT_NEAR(valueAt(result, "C.force.x", 0.1, Side::after), -5.1846334287705, 1e-6);
  EXPECT_NEAR(valueAt(result, "C.force.y", 0.1, Side::after), 11.143228656692, 1e-6);
  expectReference(result,
                  {0.2, 9.9636247944991, 0.054142317521562, 0.18228317737616, -5.2197213721487, 15.501332061086}, 1e-8,
                  1e-5);
}

// Closed by springs, from DOP853 elsewhere at 1e-12; forces are printed to nine digits after the point. Under every
// formulation.
TEST(CompliantFourBar, MeetsTheReferenceUnderEveryFormulation) {
  const Mechanism soft = fourBar(1e6);
  for (const std::string& formulation : exactFormulationNames()) {
    if (!formulationProblem(formulation, soft).empty()) continue;
    SCOPED_TRACE(formulation);
    const Result result = runOf(soft, formulation);
    expectReference(result, {0.05, 1.40034005879, 0.244599329204, 0.270336600165, -1.792084513, -2.576808555}, 1e-8,
                    1e-4);
    expectReference(result, {0.1, 3.21707360994, 0.075254693266, 0.203027991471, -8.293109435, 9.534257213}, 1e-8,
                    1e-4);
    expectReference(result, {0.2, 9.95891168462, 0.054294801727, 0.182450222753, -8.776027762, 20.491302563}, 1e-8,
                    1e-3);
    EXPECT_EQ(result.ledger.degrees_of_freedom, 3);
  }
}

TEST(CompliantFourBar, MeetsTheReferenceWithSofterSprings) {
  const Result result = runOf(fourBar(1e5), "recursive");
  expectReference(result, {0.2, 9.71673681926, 0.063466660664, 0.192008584708, -26.830529976, 118.134369981}, 1e-8,
                  1e-3);
}

// The gap is the force over the stiffness, and the motion nears that of the hinge as one over the stiffness.
TEST(CompliantFourBar, NearsTheHingeAsOneOverTheStiffness) {
  const Result hard = runOf(withHardJoints(shippedFourBar()), "recursive");
  std::array<double, 2> off{};
  for (const std::size_t k : {0U, 1U}) {
    const double stiffness = k == 0 ? 1e7 : 1e8;
    const Result soft = runOf(fourBar(stiffness), "recursive", 1e-11);
    const Series* gap = soft.find("C.gap");
    ASSERT_NE(gap, nullptr);
    for (std::size_t n = 0; n < soft.time.size(); n += 37) {
      const double force = std::hypot(soft.find("C.force.x")->values[n], soft.find("C.force.y")->values[n]);
      EXPECT_NEAR(gap->values[n], force / stiffness, 1e-15);
    }
    const auto a = rockerEnd(soft, 0.2);
    const auto b = rockerEnd(hard, 0.2);
    off[k] = std::hypot(a[0] - b[0], a[1] - b[1]);
    ASSERT_EQ(soft.ledger.spring_joints.size(), 1U);
    EXPECT_DOUBLE_EQ(soft.ledger.spring_joints[0].stiffness, stiffness);
    // An undamped spring swings on by what the constraint would have jumped by.
    EXPECT_NEAR(soft.ledger.spring_joints[0].ringing, std::hypot(8.28779 - 5.18463, 11.14323 - 9.51897), 0.05);
    EXPECT_NEAR(soft.ledger.spring_joints[0].ringing_at, 0.1, 1e-9);
  }
  EXPECT_NEAR(off[0] / off[1], 10.0, 1.0);
}

// Springs of 1e8 N/m swing 2,500 times in this run; a method that need not follow them takes a fraction of the work,
// and the place at the end is off by the springs (1e-5 m) and hardly more.
TEST(CompliantFourBar, NeedNotBeFollowedSwingBySwing) {
  const Mechanism soft = fourBar(1e8);
  const Assembly assembly = assemble(soft);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  const auto hard = rockerEnd(runOf(withHardJoints(soft), "recursive"), 0.2);
  std::array<long, 2> evaluations{};
  for (const VelocityErrors errors : {VelocityErrors::chosen, VelocityErrors::as_they_are}) {
    RunOptions options = runOptions(soft);
    options.system.formulation = "recursive";
    options.integrator = "radau5";
    options.steps.rtol = 1e-6;
    options.steps.atol = 1e-8;
    options.steps.velocity_errors = errors;
    const Result result = simulate(soft, assembly, options);
    ASSERT_EQ(result.status, RunStatus::complete) << result.message;
    const auto end = rockerEnd(result, 0.2);
    EXPECT_LT(std::hypot(end[0] - hard[0], end[1] - hard[1]), 5e-5);
    evaluations[errors == VelocityErrors::chosen ? 0 : 1] = result.ledger.evaluations;
  }
  EXPECT_LT(2 * evaluations[0], evaluations[1]);
}

// --- redundant mechanisms ------------------------------------------------------------------------------------------

Mechanism modelOf(const std::string& text) {
  Diagnostics diagnostics;
  auto read = readModelText(text, "m.toml", diagnostics);
  EXPECT_TRUE(read) << diagnostics.format();
  return *read;
}

// A door of 20 kg on two hinges, 1.2 m apart, its weight 0.4 m out. By hand, for small tilts theta about y: the upper
// hinge's x is off by 1.2 theta against the lower one's, so
//   theta = 0.4 m g / (1.44 c_1 c_2 / (c_1 + c_2) + 2 k),  F_x = 1.2 theta c_1 c_2 / (c_1 + c_2),  F_z in the ratio c_1
//   : c_2
// which has the least lambda^T C^-1 lambda of all reactions that hold the door. Tilts of 1e-8 rad are small to 1e-8;
// the rounding of 1.2 m times 2e10 N/m is 5e-6 N of 400 N.
TEST(CompliantReactions, OfADoorOnTwoHingesAreThoseOfLeastEnergy) {
  const Mechanism door = modelOf(R"model(linkwork = 1
space    = "spatial"
gravity  = [0, 0, -9.81]
[points]
L = [0, 0, 0]
U = [0, 0, 1.2]
[bodies]
door = { position = [0, 0, 0], mass = 20, com = [0.4, 0, 0.6], inertia = { xx = 2.4, yy = 3.5, zz = 1.1 } }
[joints]
low  = { revolute = ["ground", "door"], at = "L", axis = [0, 0, 1], compliance = { stiffness = 1e10, rotational_stiffness = 1e9 } }
high = { revolute = ["ground", "door"], at = "U", axis = [0, 0, 1], compliance = { stiffness = 2e10, rotational_stiffness = 1e9 } }
)model");
  const Assembly assembly = assemble(door);
  ASSERT_TRUE(assembly.ok) << assembly.problem;
  SystemOptions options = startingFrom(assembly);
  const double weight = 20.0 * 9.81;
  const double both = 2.0 / 3.0 * 1e10;
  const double theta = 0.4 * weight / (1.44 * both + 2e9);
  for (const char* formulation : {"absolute", "recursive", "hamiltonian", "quasivelocity"}) {
    SCOPED_TRACE(formulation);
    options.formulation = formulation;
    const auto system = makeSystem(door, options);
    const auto work = system->makeWorkspace();
    Observation seen;
    ASSERT_EQ(system->observe(0.0, system->fromAbsolute(0.0, assembly.state()), system->startModes(), *work, seen).eval,
              Eval::ok);
    const Reaction& low = seen.joints[0];
    const Reaction& high = seen.joints[1];
    EXPECT_TRUE(low.unique && high.unique);
    // Along x the joints carry the door's weight about y; frames turned about z by the reader share it between x and y.
    EXPECT_NEAR(high.force_on_second[0], -1.2 * theta * both, 1e-6 * weight);
    EXPECT_NEAR(low.force_on_second[0], 1.2 * theta * both, 1e-6 * weight);
    EXPECT_NEAR(low.force_on_second[2], weight / 3.0, 1e-6 * weight);
    EXPECT_NEAR(high.force_on_second[2], 2.0 * weight / 3.0, 1e-6 * weight);
    EXPECT_NEAR(low.moment_on_second[1], -1e9 * theta, 1e-6 * weight);
    EXPECT_NEAR(high.moment_on_second[1], -1e9 * theta, 1e-6 * weight);
    // Held as by constraints: nothing rings.
    for (const double a : seen.bodies[0].acceleration) EXPECT_NEAR(a, 0.0, 1e-5);
    for (const double a : seen.bodies[0].angular_acceleration) EXPECT_NEAR(a, 0.0, 1e-5);
  }
}

// Three cranks on one coupler: of the four components at the two cuts one is free, a share n that the motion does not
// feel. Springs c leave lambda^T C^-1 n = 0, the least of lambda^T C^-1 lambda; n is what two choices of springs differ
// by.
TEST(CompliantReactions, OfThreeCranksAreThoseOfLeastEnergy) {
  Diagnostics diagnostics;
  const auto read = readModelFile(std::string(LINKWORK_MODELS_DIR) + "/parallelogram_three_cranks.toml", diagnostics);
  ASSERT_TRUE(read) << diagnostics.format();
  const Assembly hard = assemble(*read);
  SystemOptions options = startingFrom(hard);
  options.stiffness = 1e8;
  Mechanism soft = soften(*read, options, options.start);
  std::vector<std::size_t> cuts;
  for (std::size_t k = 0; k < soft.joints.size(); ++k) {
    if (soft.joints[k].compliance) cuts.push_back(k);
  }
  ASSERT_EQ(cuts.size(), 2U);
  using Loads = std::array<double, 4>;
  const auto loadsWith = [&](double second) {
    soft.joints[cuts[1]].compliance->stiffness = {Value(second), Value(second), Value(0.0)};
    const Assembly start = assemble(soft);
    SystemOptions own = startingFrom(start);
    own.formulation = "recursive";
    const auto system = makeSystem(soft, own);
    const auto work = system->makeWorkspace();
    Observation seen;
    EXPECT_EQ(system->observe(0.0, system->fromAbsolute(0.0, start.state()), system->startModes(), *work, seen).eval,
              Eval::ok);
    const auto& a = seen.joints[cuts[0]].force_on_second;
    const auto& b = seen.joints[cuts[1]].force_on_second;
    return Loads{a[0], a[1], b[0], b[1]};
  };
  const Loads alike = loadsWith(1e8);
  const Loads stiffer = loadsWith(4e8);
  double apart = 0.0;
  double size = 0.0;
  double work_alike = 0.0;
  double work_stiffer = 0.0;
  for (std::size_t k = 0; k < 4; ++k) {
    const double n = stiffer[k] - alike[k];
    apart += n * n;
    size += alike[k] * alike[k];
    work_alike += alike[k] * n;
    work_stiffer += stiffer[k] * n / (k < 2 ? 1.0 : 4.0);
  }
  ASSERT_GT(apart, 1e-4 * size);
  EXPECT_NEAR(work_alike, 0.0, 1e-6 * std::sqrt(apart * size));
  EXPECT_NEAR(work_stiffer, 0.0, 1e-6 * std::sqrt(apart * size));
}

// Every shipped mechanism that the formulation softens starts with the accelerations of its hard joints: the force of
// the springs is that of the constraints, to the second order of the opening.
TEST(CompliantStart, HasTheAccelerationsOfHardJoints) {
  for (const char* name : {"four_bar", "parallelogram_three_cranks", "rssr", "spatial_slider_crank", "n_four_bar",
                           "door_two_hinges", "stewart_platform", "universal_joint_shaft"}) {
    SCOPED_TRACE(name);
    Diagnostics diagnostics;
    const auto read = readModelFile(std::string(LINKWORK_MODELS_DIR) + "/" + name + ".toml", diagnostics);
    ASSERT_TRUE(read) << diagnostics.format();
    const Assembly hard = assemble(*read);
    SystemOptions options = startingFrom(hard);
    options.stiffness = 1e9;
    options.rotational_stiffness = 1e9;
    const Mechanism soft = soften(*read, options, options.start);
    const Assembly start = assemble(soft);
    ASSERT_TRUE(start.ok) << start.problem;
    const auto seenAt = [](const Mechanism& mechanism, const Assembly& assembly) {
      SystemOptions own = startingFrom(assembly);
      own.formulation = "recursive";
      const auto system = makeSystem(mechanism, own);
      const auto work = system->makeWorkspace();
      Observation seen;
      EXPECT_EQ(
          system->observe(0.0, system->fromAbsolute(0.0, assembly.state()), system->startModes(), *work, seen).eval,
          Eval::ok);
      return seen;
    };
    const Observation a = seenAt(*read, hard);
    const Observation b = seenAt(soft, start);
    double size = 1.0;
    for (const BodyMotion& body : a.bodies) {
      for (std::size_t k = 0; k < 3; ++k)
        size = std::max({size, std::abs(body.acceleration[k]), std::abs(body.angular_acceleration[k])});
    }
    for (std::size_t n = 0; n < a.bodies.size(); ++n) {
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(b.bodies[n].acceleration[k], a.bodies[n].acceleration[k], 1e-4 * size) << n;
        EXPECT_NEAR(b.bodies[n].angular_acceleration[k], a.bodies[n].angular_acceleration[k], 1e-4 * size) << n;
      }
    }
  }
}

// Undeformed springs are loaded at once and swing to twice the force; deflected ones carry it from the start.
TEST(CompliantStart, DeflectedSpringsDoNotRing) {
  const auto hanging = [](const char* start) {
    return modelOf(std::string(R"model(linkwork = 1
space    = "planar"
gravity  = [0, -9.81]
[bodies]
bob = { mass = 2, inertia = 0.1 }
[joints]
O = { fixed = ["ground", "bob"], at = [0, 0], compliance = { stiffness = 1e5, rotational_stiffness = 1e3, start = ")model") +
                   start + "\" } }\n[simulate]\nuntil = 0.1\n");
  };
  const Result calm = runOf(hanging("deflected"), "recursive");
  const Result rings = runOf(hanging("undeformed"), "recursive");
  const double weight = 2 * 9.81;
  double least = 1e9;
  double most = 0.0;
  for (const double force : rings.find("O.force.y")->values) {
    least = std::min(least, force);
    most = std::max(most, force);
  }
  EXPECT_NEAR(least, 0.0, 1e-3 * weight);
  EXPECT_NEAR(most, 2.0 * weight, 1e-3 * weight);
  for (const double force : calm.find("O.force.y")->values) EXPECT_NEAR(force, weight, 1e-9 * weight);
}

}  // namespace compliant_joints_test
}  // namespace linkwork
