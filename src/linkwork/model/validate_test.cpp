// Mechanisms built by a program, without a file: each wrong in one way.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "linkwork/model/n_four_bar_for_tests.hpp"

namespace linkwork {
namespace validate_test {

std::string findings(const std::function<void(Mechanism&)>& spoil) {
  Mechanism mechanism = test::buildNFourBar(1);
  spoil(mechanism);
  Diagnostics diagnostics;
  validate(mechanism, diagnostics);
  return diagnostics.format();
}

Drive driveOf(const Mechanism& mechanism, const char* name) {
  const Joint& joint = mechanism.joints[0];
  Drive drive;
  drive.name = name;
  drive.first = joint.first;
  drive.second = joint.second;
  drive.motion = Expr::symbol("t");
  return drive;
}

TEST(Validate, AcceptsTheBenchmark) {
  EXPECT_EQ(findings([](Mechanism&) {}), "");
}

TEST(Validate, MassesAndInertias) {
  EXPECT_EQ(findings([](Mechanism& m) { m.bodies[1].mass = -2.0; }),
            "error: mass of body \"upright1\" must not be negative, got -2.\n");
  EXPECT_EQ(findings([](Mechanism& m) { m.bodies[0].inertia = std::nan(""); }),
            "error: inertia of body \"upright0\" must be a finite number, got nan.\n");
  EXPECT_EQ(findings([](Mechanism& m) { m.bodies[0].com[1] = std::numeric_limits<double>::infinity(); }),
            "error: y of the centre of mass of body \"upright0\" must be a finite number, got inf.\n");
  EXPECT_EQ(findings([](Mechanism& m) { m.bodies[0].drawn.x = std::nan(""); }),
            "error: the drawn pose of body \"upright0\" must be finite.\n");
  EXPECT_EQ(findings([](Mechanism& m) {
              m.bodies[0].mass = 0.0;
              m.bodies[0].inertia = 0.0;
            }),
            "");
}

TEST(Validate, NamesAreUniqueAndPlain) {
  EXPECT_EQ(findings([](Mechanism& m) { m.joints[0].name = "upright0"; }),
            "error: joint \"upright0\": the name is taken by a body. Bodies, joints, drives and loads need different "
            "names.\n");
  EXPECT_EQ(findings([](Mechanism& m) { m.bodies[2].name = "a.b"; }),
            "error: body \"a.b\": a name may not hold a dot. The dot reads a quantity, as in \"crank.angle\".\n");
  EXPECT_EQ(findings([](Mechanism& m) { m.bodies[2].name = ""; }), "error: a body needs a name.\n");
  EXPECT_EQ(findings([](Mechanism& m) { m.bodies[2].name = "a\n"; }),
            "error: the name of a body may not hold control characters.\n");
  EXPECT_EQ(findings([](Mechanism& m) { m.bodies[2].name = "world"; }),
            "error: body \"world\": this name means the ground. Choose another name.\n");
}

TEST(Validate, Joints) {
  EXPECT_EQ(findings([](Mechanism& m) { m.joints[2].second = m.joints[2].first; }),
            "error: joint \"A0\" joins \"upright0\" to itself. A joint needs two different bodies.\n");
  EXPECT_EQ(findings([](Mechanism& m) { m.joints[2].second = BodyIndex(9); }),
            "error: joint \"A0\" refers to body number 9, but there are 3.\n");
  EXPECT_EQ(
      findings([](Mechanism& m) {
        m.joints[2].kind = JointKind::distance;
        m.joints[2].length = 0.0;
      }),
      "error: length of joint \"A0\" must be positive, got 0. For two points that coincide use a revolute joint.\n");
  EXPECT_EQ(findings([](Mechanism& m) { m.joints[2].on_first.angle = std::nan(""); }),
            "error: joint \"A0\": angle of its frame must be a finite number, got nan.\n");
}

TEST(Validate, SymbolsMustBeKnown) {
  EXPECT_EQ(findings([](Mechanism& m) { m.bodies[0].mass = Value(1.0, Expr::symbol("mass1")); }),
            "error: mass of body \"upright0\": unknown name \"mass1\".\n");
  EXPECT_EQ(findings([](Mechanism& m) {
              m.parameters.push_back({"mass2", Value(1.0), "kg", {}});
              m.bodies[0].mass = Value(1.0, Expr::symbol("mass1"));
            }),
            "error: mass of body \"upright0\": unknown name \"mass1\". Did you mean \"mass2\"?\n");
  EXPECT_EQ(findings([](Mechanism& m) { m.bodies[0].mass = Value(1.0, Expr::symbol("t")); }),
            "error: mass of body \"upright0\": \"t\" may not stand here. Only parameters may.\n");
  EXPECT_EQ(findings([](Mechanism& m) {
              Drive drive = driveOf(m, "motor");
              drive.motion = Expr::symbol("upright0.x");
              m.drives.push_back(drive);
            }),
            "error: drive \"motor\": \"upright0.x\" may not stand here. Only t and parameters may.\n");
  EXPECT_EQ(findings([](Mechanism& m) {
              Load load;
              load.name = "f";
              load.second = BodyIndex(0);
              load.force[0] = Expr::symbol("t") * Expr::symbol("upright0.angel");
              m.loads.push_back(load);
            }),
            "error: load \"f\": unknown name \"upright0.angel\". Did you mean \"upright0.angle\"?\n");
  EXPECT_EQ(findings([](Mechanism& m) {
              m.events.push_back({"e", Expr::symbol("G0.angle") - Expr::symbol("t"), Crossing::both, false, {}});
            }),
            "");
}

TEST(Validate, DrivesThatFight) {
  EXPECT_EQ(findings([](Mechanism& m) {
              m.drives.push_back(driveOf(m, "a"));
              m.drives.push_back(driveOf(m, "b"));
            }),
            "error: drive \"b\" drives the same coordinate as drive \"a\". Two drives on one coordinate fight: remove "
            "one.\n");
  // x and y of one point are two coordinates.
  EXPECT_EQ(findings([](Mechanism& m) {
              for (const double direction : {0.0, 1.5}) {
                Drive drive = driveOf(m, direction > 0 ? "y" : "x");
                drive.kind = DriveKind::coordinate;
                drive.on_first.angle = direction;
                m.drives.push_back(drive);
              }
            }),
            "");
}

TEST(Validate, InitialValuesTwice) {
  EXPECT_EQ(findings([](Mechanism& m) {
              m.initial[0].source = Source("m.toml", 4, 1);
              m.initial.push_back({m.initial[0].quantity, Value(0.0), Source("m.toml", 7, 1)});
            }),
            "m.toml:7:1: error: the initial value of \"upright0.angle\" is given twice: on line 4 and on line 7.\n");
  EXPECT_EQ(findings([](Mechanism& m) { m.initial[0].quantity.index = 17; }),
            "error: an initial value belongs to a body or joint that exists.\n");
}

TEST(Validate, Loads) {
  EXPECT_EQ(findings([](Mechanism& m) {
              Load load;
              load.name = "f";
              m.loads.push_back(load);
            }),
            "error: load \"f\" acts on the ground.\n");
  EXPECT_EQ(findings([](Mechanism& m) {
              Load load;
              load.name = "s";
              load.kind = LoadKind::spring_damper;
              load.second = BodyIndex(1);
              load.free_length = -1.0;
              load.damping = -2.0;
              m.loads.push_back(load);
            }),
            "warning: damping of load \"s\" is negative (-2).\nerror: free_length of load \"s\" must not be negative, "
            "got -1.\n");
}

TEST(Validate, OneSidedSpringsAndBushings) {
  const auto spring = [](Sided sided, double stiffness, double preload) {
    return [=](Mechanism& m) {
      Load load;
      load.name = "s";
      load.kind = LoadKind::spring_damper;
      load.second = BodyIndex(1);
      load.sided = sided;
      load.stiffness = stiffness;
      load.preload = preload;
      m.loads.push_back(load);
    };
  };
  EXPECT_EQ(findings(spring(Sided::tension_only, 5.0, -1.0)), "");
  EXPECT_EQ(findings(spring(Sided::tension_only, 0.0, 1.0)), "");
  EXPECT_EQ(
      findings(spring(Sided::tension_only, -5.0, 0.0)),
      "warning: stiffness of load \"s\" is negative (-5).\nerror: load \"s\": with tension_only its stiffness must "
      "not be negative, got -5.\n");
  EXPECT_EQ(findings(spring(Sided::compression_only, 0.0, 1.0)),
            "error: load \"s\": with compression_only, no stiffness and this preload it never acts.\n");
  EXPECT_EQ(
      findings([](Mechanism& m) {
        Load load;
        load.name = "b";
        load.kind = LoadKind::bushing;
        load.second = BodyIndex(1);
        load.bushing_stiffness[0][1] = 3.0;
        load.bushing_damping[5][5] = -1.0;
        m.loads.push_back(load);
      }),
      "error: stiffness of load \"b\" is not symmetric: row 1 column 2 is 3, row 2 column 1 is 0.\nerror: damping of "
      "load \"b\" is not positive semi-definite: row 3 column 3 is -1.\n");
}

TEST(Validate, AFreeBodyIsANote) {
  EXPECT_EQ(findings([](Mechanism& m) { m.joints.clear(); }),
            "note: body \"upright0\" hangs on no joint: it moves freely. Write free = true if that is meant.\n"
            "note: body \"upright1\" hangs on no joint: it moves freely. Write free = true if that is meant.\n"
            "note: body \"coupler0\" hangs on no joint: it moves freely. Write free = true if that is meant.\n");
  EXPECT_EQ(findings([](Mechanism& m) {
              m.joints.clear();
              for (Body& body : m.bodies) body.free = true;
            }),
            "");
  // A drive holds it in one direction at least.
  EXPECT_EQ(findings([](Mechanism& m) {
              for (int b = 0; b < 3; ++b) {
                m.drives.push_back(driveOf(m, b == 0 ? "d0" : (b == 1 ? "d1" : "d2")));
                m.drives.back().first = kGround;
                m.drives.back().second = BodyIndex(b);
              }
              m.joints.clear();
            }),
            "");
  EXPECT_EQ(findings([](Mechanism& m) { m.bodies[0].free = true; }),
            "note: body \"upright0\" is said to be free, but joint \"G0\" holds it.\n");
}

// Reciprocals and squares of such masses are no numbers: messages further on spoke of nan.
TEST(Validate, RefusesMassesThatCannotBeCountedWith) {
  EXPECT_EQ(findings([](Mechanism& m) { m.bodies[0].mass = Value(1e-308); }),
            "error: mass of body \"upright0\" is 1e-308 kg, too little to count with. Write 0 for a body without mass "
            "that its joints hold. Are the units right?\n");
  EXPECT_EQ(findings([](Mechanism& m) { m.bodies[0].inertia = Value(1e200); }),
            "error: inertia of body \"upright0\" is 1e+200 kg m^2, too much to count with. Hold a body that does not "
            "move by a joint to the ground. Are the units right?\n");
  EXPECT_EQ(findings([](Mechanism& m) {
              m.bodies[0].mass = Value(0.0);
              m.bodies[1].mass = Value(1e-100);
              m.bodies[2].mass = Value(1e100);
            }),
            "");
}

TEST(Validate, InertiaThatNoBodyHas) {
  const auto with = [](const Tensor& tensor) { return findings([&](Mechanism& m) { m.bodies[0].tensor = tensor; }); };
  EXPECT_EQ(with({1.0, 2.0, 3.0, 0.0, 0.0, 0.0}), "");
  EXPECT_EQ(with({0.0, 1.0, 1.0, 0.0, 0.0, 0.0}), "");   // a thin rod
  EXPECT_EQ(with({0.5, 0.5, 1.0, -0.5, 0.0, 0.0}), "");  // the same, turned
  EXPECT_EQ(with({0.0, 0.0, 0.0, 0.0, 0.0, 0.0}), "");   // a point mass
  EXPECT_EQ(with({1.0, 1.0, 1.0, 2.0, 0.0, 0.0}),
            "error: inertia of body \"upright0\" is not positive: its principal moments are -1, 1 and 3 kg m^2. xy, xz "
            "and yz are "
            "entries of the matrix: xy = - integral of x y dm. Are their signs and sizes right?\n");
  EXPECT_EQ(
      with({1.0, 1.0, 2.5, 0.0, 0.0, 0.0}),
      "warning: inertia of body \"upright0\" belongs to no body: of its principal moments, 1, 1 and 2.5 kg m^2, the "
      "largest is larger than the sum of the others. Jxx + Jyy - Jzz is twice the integral of z^2 dm, and cannot be "
      "negative.\n");
  EXPECT_EQ(with({1.0, 1.0, 1.0, 0.0, std::nan(""), 0.0}),
            "error: xz of inertia of body \"upright0\" must be a finite number, got nan.\n");
}

}  // namespace validate_test
}  // namespace linkwork
