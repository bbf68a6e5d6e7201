// A redundant mechanism in which an axis, an angle or a point was rounded runs like the exact one, up to the rounding,
// whether or not its joints close as drawn.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "linkwork/model/lift.hpp"
#include "linkwork/model/space_mechanisms_for_tests.hpp"
#include "run_model.hpp"

namespace linkwork::validation {
namespace rounded_numbers_test {

// Where a number is off: in both frames of a joint, so that it closes as drawn, or in the second alone, so that not
// even the drawing fits.
enum class Where { both_frames, second_frame };

struct Rounding {
  std::array<double, 3> point{};  // m, in axes of the joint
  std::array<double, 3> tilt{};   // rad, about axes of the joint; in the plane the third
};

void addTo(Frame& frame, const Rounding& off, double size, Space space) {
  const double angle = frame.angle.number;
  std::array<double, 3> shift{std::cos(angle) * off.point[0] - std::sin(angle) * off.point[1],
                              std::sin(angle) * off.point[0] + std::cos(angle) * off.point[1], off.point[2]};
  if (space == Space::spatial) {
    const Quaternion& q = frame.rotation;
    const Quaternion turned = product(product(q, {0.0, shift[0], shift[1], shift[2]}), {q[0], -q[1], -q[2], -q[3]});
    shift = {turned[1], turned[2], turned[3]};
    const double tilt = size * std::hypot(off.tilt[0], off.tilt[1], off.tilt[2]);
    if (tilt > 0.0) frame.rotation = product(q, test::aboutAxis({off.tilt[0], off.tilt[1], off.tilt[2]}, tilt));
  } else {
    frame.angle = Value(angle + size * off.tilt[2]);
  }
  for (std::size_t k = 0; k < 3; ++k) frame.point[k] = Value(frame.point[k].number + size * shift[k]);
}

Mechanism rounded(const Mechanism& exact, const std::string& joint, const Rounding& off, double size, Where where) {
  Mechanism out = exact;
  for (Joint& j : out.joints) {
    if (j.name != joint) continue;
    addTo(j.on_second, off, size, out.space);
    if (where == Where::both_frames) addTo(j.on_first, off, size, out.space);
  }
  return out;
}

struct Method {
  std::string formulation, stabilisation, integrator;
};

const std::vector<Method>& methods() {
  static const std::vector<Method> all{
      {"absolute", "projection", "dopri5"},    {"absolute", "baumgarte", "dopri5"},
      {"absolute", "partitioning", "dopri5"},  {"absolute", "augmented_lagrangian", "dopri5"},
      {"absolute", "ggl", "radau5"},           {"absolute", "index3", "radau5"},
      {"recursive", "projection", "dopri5"},   {"recursive", "baumgarte", "dopri5"},
      {"recursive", "partitioning", "dopri5"}, {"recursive", "augmented_lagrangian", "dopri5"},
      {"recursive", "ggl", "radau5"},          {"recursive", "index3", "radau5"},
      {"hamiltonian", "projection", "dopri5"}};
  return all;
}

Result runBy(const Mechanism& mechanism, const Method& method, double until) {
  RunOptions options = runOptions(mechanism);
  options.until = until;
  options.output_step = until;
  options.steps.rtol = options.steps.atol = 1e-9;
  options.system.formulation = method.formulation;
  options.system.stabilisation = method.stabilisation;
  options.integrator = method.integrator;
  return runModel(mechanism, options);
}

// BODY.x, not BODY.velocity.x
bool isPlace(const std::string& name) {
  return std::count(name.begin(), name.end(), '.') == 1 &&
         (name.ends_with(".x") || name.ends_with(".y") || name.ends_with(".z"));
}

// Places of bodies are to agree. Motion answers to a change of a number of the order of 1 by one of the order of 1; a
// swing of a few seconds multiplies that.
void expectLikeExact(const Mechanism& exact, const std::string& joint, const Rounding& off, double until, Where where,
                     const std::vector<Method>& by, const std::vector<double>& sizes) {
  const Result reference = runBy(exact, by.front(), until);
  ASSERT_EQ(reference.status, RunStatus::complete) << reference.message;
  for (const double size : sizes) {
    const Mechanism mechanism = rounded(exact, joint, off, size, where);
    const Assembly assembly = assemble(mechanism);
    ASSERT_TRUE(assembly.ok) << joint << " " << size << ": " << assembly.problem;
    // What is off by less than projection stalls at is not worth a word.
    if (size > 1e-11) {
      EXPECT_GT(assembly.misfit, 0.01 * size) << joint << " " << size;
      EXPECT_EQ(assembly.warnings.size(), 1U) << joint << " " << size;
    }
    EXPECT_LT(assembly.misfit, 100.0 * size) << joint << " " << size;
    for (const Method& method : by) {
      SCOPED_TRACE(fmt::format("{} {}: {} {}", joint, size, method.formulation, method.stabilisation));
      const Result result = runBy(mechanism, method, until);
      ASSERT_EQ(result.status, RunStatus::complete) << result.message;
      EXPECT_EQ(result.ledger.degrees_of_freedom, reference.ledger.degrees_of_freedom);
      EXPECT_LT(result.ledger.worst_energy_balance, (20.0 * size + 1e-5) * reference.ledger.energy_scale);
      const double apart = differenceOfUnique(reference, result, isPlace, 1.0);
      EXPECT_LT(apart, 20.0 * size + 1e-6);
    }
  }
}

const std::vector<double> kSizes{1e-12, 1e-10, 1e-6, 1e-4};
// What the drawing is open by is measured by all rows together, and by the size of the mechanism.
const std::vector<double> kDrawnSizes{1e-10, 2e-5};

// Four hinges with parallel axes, one of them tilted.
Mechanism fourBar() { return liftToSpace(readShippedModel("four_bar")); }

TEST(RoundedNumbers, AxisOfAFourBarInSpace) {
  for (const Rounding& off : {Rounding{{}, {1, 0, 0}}, Rounding{{}, {0.6, 0.8, 0}}}) {
    // (Not drawn closed.)
    expectLikeExact(fourBar(), fourBar().joints.back().name, off, 0.7, Where::both_frames, methods(), kDrawnSizes);
    expectLikeExact(fourBar(), fourBar().joints[1].name, off, 0.7, Where::second_frame, {methods().front()},
                    kDrawnSizes);
  }
}

TEST(RoundedNumbers, HingeOfBricardsLinkage) {
  const Mechanism exact = readShippedModel("bricard");
  for (const Rounding& off : {Rounding{{}, {1, 0, 0}}, Rounding{{0, 1, 0}, {}}, Rounding{{0.6, 0, 0}, {0, 0.8, 0}}}) {
    expectLikeExact(exact, "P4", off, 0.7, Where::both_frames, methods(), kSizes);
    expectLikeExact(exact, "P2", off, 0.7, Where::second_frame, {methods().front()}, kDrawnSizes);
  }
}

TEST(RoundedNumbers, HingesOfADoorAreNotInLine) {
  const Mechanism exact = readShippedModel("door_two_hinges");
  for (const Rounding& off : {Rounding{{1, 0, 0}, {}}, Rounding{{}, {0, 1, 0}}, Rounding{{0.6, 0, 0}, {0, 0.8, 0}}}) {
    expectLikeExact(exact, "high", off, 0.7, Where::both_frames, methods(), kSizes);
    expectLikeExact(exact, "low", off, 0.7, Where::second_frame, {methods().front()}, kDrawnSizes);
  }
}

TEST(RoundedNumbers, PinsAndSlideOfAnEngine) {
  const Mechanism exact = readShippedModel("one_cylinder_engine");
  for (const std::string joint : {"M", "bore", "bearing"}) {
    const Rounding off{{}, {0.6, 0.8, joint == "bore" ? 0.5 : 0.0}};
    expectLikeExact(exact, joint, off, 0.3, Where::both_frames, methods(), kSizes);
    expectLikeExact(exact, joint, off, 0.3, Where::second_frame, {methods().front()}, kDrawnSizes);
  }
}

// ggl and index3 leave out one row for good. With cranks this is not the row to leave out when they have turned on: in
// joint coordinates that happens within the run, and the energy shows it.
std::vector<Method> forCranks() {
  std::vector<Method> out;
  std::copy_if(methods().begin(), methods().end(), std::back_inserter(out),
               [](const Method& method) { return method.formulation != "recursive" || method.integrator != "radau5"; });
  return out;
}

TEST(RoundedNumbers, PinsOfThreeCranks) {
  const Mechanism exact = readShippedModel("parallelogram_three_cranks");
  for (const std::string joint : {"K2", "G3"}) {
    for (const Where where : {Where::both_frames, Where::second_frame}) {
      std::vector<Method> planar = forCranks();
      planar.push_back({"linkage", "projection", "dopri5"});
      expectLikeExact(exact, joint, Rounding{{0.6, 0.8, 0}, {}}, 0.7, where, planar, kDrawnSizes);
      expectLikeExact(liftToSpace(exact), joint, Rounding{{0.6, 0.8, 0}, {}}, 0.7, where, forCranks(), kDrawnSizes);
      expectLikeExact(liftToSpace(exact), joint, Rounding{{}, {0.6, 0.8, 0}}, 0.7, where, forCranks(), kDrawnSizes);
    }
  }
}

}  // namespace rounded_numbers_test
}  // namespace linkwork::validation
