// Mechanism: what the user described, in SI and radians, with the place of everything in the file. Validated, then
// const.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "linkwork/base/diagnostics.hpp"
#include "linkwork/base/index.hpp"
#include "linkwork/scalar/expr.hpp"

namespace linkwork {

// A constant: its number, and the expression in parameters it was written as (so that equations keep their letters).
struct Value {
  Value() = default;
  Value(double n) : number(n), expr(n) {}  // NOLINT(google-explicit-constructor): a number is a value
  Value(double n, Expr e) : number(n), expr(std::move(e)) {}
  double number = 0.0;
  Expr expr{0.0};
};

enum class Space { planar, spatial };

using Point = std::array<Value, 3>;        // x, y, z; z = 0 in the plane
using Quaternion = std::array<double, 4>;  // scalar first, of unit length
inline constexpr Quaternion kNoTurn{1.0, 0.0, 0.0, 0.0};
Quaternion product(const Quaternion& a, const Quaternion& b);  // the turn b followed, in the outer axes, by a

// A frame fixed to a body, in the body's axes: a point, and an orientation R = Rz(angle) R(rotation). In the plane the
// orientation is the angle alone; a file in space gives the rotation, so that a planar file can be lifted without
// losing its letters. Hinges turn about a frame's z axis, guides run along its x axis.
struct Frame {
  Point point{};
  Value angle{};  // rad, about z
  Quaternion rotation = kNoTurn;
};

struct Parameter {
  std::string name;
  Value value;
  std::string unit;  // SI unit of its dimension, e.g. "kg*m^2"; empty for a pure number
  Source source;
};

// A parameter's value from outside, as it would be written in the model file: "12 mm", "2*L".
struct ParameterSetting {
  std::string name;
  std::string value;
};

struct NamedPoint {
  std::string name;
  Point at{};  // in body axes
};

enum class ShapeKind { rod, disc, box, polygon, point, sphere, cylinder, capsule, tube };

// How a body is drawn, in body axes. rod, cylinder, capsule, tube: from, to, radius (and inner_radius); disc, sphere:
// from = centre, radius; box: from = centre, size, angle about z; disc and box turned by rotation (in space); polygon:
// outline in the x-y plane; point: from.
struct Shape {
  ShapeKind kind = ShapeKind::rod;
  std::array<double, 3> from{};
  std::array<double, 3> to{};
  std::array<double, 3> size{};
  double radius = 0.0;
  double inner_radius = 0.0;
  double angle = 0.0;
  Quaternion rotation = kNoTurn;
  std::vector<std::array<double, 2>> outline;
  std::string mesh_file;    // of a box around a mesh: which of the included files; empty: no mesh
  double mesh_scale = 1.0;  // metres for its unit of length
};

// Pose of a body frame in ground axes; orientation Rz(angle) R(rotation) as in Frame.
struct Pose {
  double x = 0.0;
  double y = 0.0;
  double angle = 0.0;
  double z = 0.0;
  Quaternion rotation = kNoTurn;
};

// Entries of the inertia matrix about the centre of mass in body axes, kg m^2. The products are entries of the matrix:
// xy = - integral of x y dm.
struct Tensor {
  Value xx, yy, zz, xy, xz, yz;
};

struct Body {
  std::string name;
  Value mass;
  Point com{};    // centre of mass in body axes
  Value inertia;  // about the centre of mass and the z axis, kg m^2: all that motion in the plane needs
  Pose drawn;     // where the drawing puts the body frame: the first guess of assembly
  std::vector<NamedPoint> points;
  std::vector<Shape> shapes;
  Source source;
  std::optional<Tensor> tensor;  // in space always there; in the plane only if the file gives it
  bool free = false;             // hangs on nothing, and is meant to
};

enum class JointKind {
  revolute,   // one common z axis and point (in the plane: one common point)
  prismatic,  // the x axes lie on one line, no turning
  pin_slot,   // the first frame's point (pin) on the second frame's x axis (slot), z axes parallel
  fixed,      // the frames coincide
  distance,   // the points stay `length` apart
  // In space only:
  cylindrical,        // one common z axis; turns about and slides along it
  spherical,          // one common point
  universal,          // one common point, the first frame's x axis at right angles to the second's y axis
  planar,             // the first frame's point in the second frame's x-y plane, z axes parallel
  point_line,         // the first frame's point on the second frame's x axis
  point_plane,        // the first frame's point in the second frame's x-y plane
  parallel_axes,      // z axes parallel
  perpendicular,      // z axes at right angles
  floating,           // no constraint: names the relative motion of two bodies
  screw,              // a cylindrical joint whose slide grows by `pitch` with every turn of its angle
  constant_velocity,  // one common point; z axes of two shafts that turn at equal speeds, whatever the bend
  // Relations, in the plane and in space: no frames, and any number of bodies through the coordinates they name.
  gear,        // the angles of two hinges on one carrier
  rack,        // the angle of a hinge and the slide of a guide on one carrier
  coupling,    // a sum of joint coordinates, each times a constant, stays the same
  expression,  // a formula of t and coordinates stays zero
  // The first frame's point on a curve in the x-y plane of the second frame:
  curve,
  // The second body, which is round, rolls on the first (Rolling): they touch, and do not slip.
  rolling,
  // Hold velocities alone. The second frame's point does not move across the second frame's x axis, against the first
  // body (at right angles to its z axis too, in space):
  knife_edge,
  velocity,  // a relation: a formula linear in rates stays zero
};

// A scalar that can be named in expressions, initial values and results: "crank.angle_rate", "O.angle", "t".
enum class QuantityKind {
  time,
  body_x,  // body frame origin, ground axes
  body_y,
  body_z,      // in space
  body_angle,  // in the plane
  body_x_rate,
  body_y_rate,
  body_z_rate,
  body_angle_rate,
  body_wx,  // in space: angular velocity, ground axes
  body_wy,
  body_wz,
  body_wx_body,  // the same in axes of the body
  body_wy_body,
  body_wz_body,
  body_vx_body,  // velocity of the body frame's origin against the ground, in axes of the body
  body_vy_body,
  body_vz_body,
  joint_angle,  // of a revolute, cylindrical or screw joint
  joint_slide,  // of a prismatic, cylindrical, screw or pin_slot joint
  joint_angle_rate,
  joint_slide_rate,
  joint_turn_1,  // of a joint with a sequence of angles: the turns about its three axes
  joint_turn_2,
  joint_turn_3,
  joint_turn_1_rate,
  joint_turn_2_rate,
  joint_turn_3_rate,
};

struct Quantity {
  QuantityKind kind = QuantityKind::time;
  int index = -1;  // of the body or joint
  auto operator<=>(const Quantity&) const = default;
};

// A joint coordinate in a linear relation.
struct Term {
  Quantity quantity;  // angle or slide of a joint
  Value coefficient;
};

enum class RelationUnit {
  length,
  angle
};  // of the sum or formula that stays zero; a pure number counts as an angle
    // (of a velocity: for each second)

// A curve through points: a cubic spline with continuous curvature, chord length as its parameter. A closed one ends
// where it starts; an open one is straight at its ends.
struct Curve {
  std::vector<std::array<Value, 2>> points;  // in the x-y plane of the second frame
  bool closed = false;
  Value offset;  // the joint's point stays this far to the left of the curve, as seen along it: the radius of a roller
};

// Of a rolling joint. The frame on the first body has its point in the plane and its y axis along the normal, towards
// the second body; or its point in the centre of the first body's roundness and its z axis along the axis of a
// cylinder. The frame on the second body is in the centre of its roundness, the z axis along the axle of a disc, the
// axes those of an ellipsoid. In the plane a circle is a ball.
enum class RollingOn { plane, cylinder, ball };
enum class RollingShape { ball, disc, ellipsoid };
struct Rolling {
  RollingOn on = RollingOn::plane;
  RollingShape shape = RollingShape::ball;
  bool inside = false;                                // the second rolls inside the first
  Value first_radius;                                 // where the first body is round
  Value radius;                                       // of the second, the outer one
  Value rounding;                                     // disc: of its rim
  std::array<Value, 3> semi_axes{};                   // ellipsoid
  bool pivots = true;                                 // may spin about the normal
  bool slips_across_rollers = false;                  // a disc whose rim has rollers
  Value roller;                                       // rad: of their axes, from the way the disc rolls
  std::array<Expr, 2> surface{Expr{0.0}, Expr{0.0}};  // m/s: its velocity along the first frame's x and z axes
  bool ends_at_lift = false;                          // a run ends where it would have to pull
  bool counted = false;  // in the plane: the way rolled is counted from the drawing, `offset`
};

// How the spring that holds an axis of the second frame to its like on the first answers to the angle phi between them:
// its energy is 1 - cos phi, phi^2 / 2 or sin^2 phi / 2 times its stiffness. printed: a moment as a paper has it by a
// slip, for study; it pushes the axes apart.
enum class TurnLaw { chord, angle, sin2, printed };

// Springs and dampers in the place of a joint's constraints, along and about the axes of the first frame, those of
// turning at small turns; zero in the directions that the joint leaves free. In the plane x, y and the turn about z.
struct Compliance {
  std::array<Value, 3> stiffness{}, rotational_stiffness{};
  std::array<Value, 3> damping{}, rotational_damping{};
  TurnLaw law = TurnLaw::chord;
  bool deflected = true;         // at the start, by the forces that the joint carries then
  bool in_ground_axes = false;   // springs along the ground's axes, for study
  std::string origin = "given";  // where its stiffness is from, in a word or two
  Source source{};
};

// A joint between a frame on the first-named and a frame on the second-named body.
struct Joint {
  std::string name;
  JointKind kind = JointKind::revolute;
  BodyIndex first, second;
  Frame on_first, on_second;
  Value length;  // distance only
  Source source;
  Value pitch;  // screw only: m for a turn
  // gear, rack, coupling: sum of the terms - offset = 0; expression, velocity: expression = 0.
  std::vector<Term> terms;
  Value offset;
  Expr expression{0.0};  // of t, parameters and positions; velocity: of rates too
  RelationUnit unit = RelationUnit::angle;
  Curve curve;         // curve only
  Expr speed{0.0};     // knife_edge only: across the blade, to the left of it, m/s; of t and parameters
  Rolling rolling;     // rolling only
  std::string angles;  // floating, spherical: three axes, "zxy", about which the second frame is turned against the
                       // first, one after the other, each as the turns before left it; empty: the turns have no names
  bool cut = false;    // never an edge of a spanning tree: the file wants the loop to be opened here
  std::optional<Compliance> compliance{};  // no constraints, but springs: never an edge of a spanning tree either
  bool inside_link = false;  // joins two elements of a flexible link: a loop is opened elsewhere if it can be
};

enum class DriveKind { angle, slide, distance, coordinate, quantity };

// A prescribed motion f(t). angle: turn of the second frame against the first. slide: displacement of the second
// frame's point from the first's along the second's x axis. distance: between the points. coordinate: of the second
// frame's point (kind coordinate, first = ground) along the direction `on_first.angle` of the ground axes, from
// on_first.point. quantity: of what `of` names, a position, or a rate that is none's, which then follows f'.
struct Drive {
  std::string name;
  DriveKind kind = DriveKind::angle;
  BodyIndex first, second;
  Frame on_first, on_second;
  Expr motion{0.0};  // of t and parameters
  Source source;
  std::string of;  // quantity only
};

enum class LoadKind { force, couple, spring_damper, rotational_spring_damper, actuator, bushing };
// The word of the model file and of every output.
constexpr std::string_view wordFor(LoadKind kind) {
  constexpr std::array<std::string_view, 6> kWords{"force",    "couple", "spring_damper", "rotational_spring_damper",
                                                   "actuator", "bushing"};
  return kWords[static_cast<std::size_t>(kind)];
}
enum class Axes { ground, body };
enum class Sided { both, tension_only, compression_only };  // which forces a spring can carry; slack, it carries none

// Entries of a symmetric 6x6 matrix (x, y, z, then turns about x, y, z); in the plane only x, y and the turn about z
// count.
using BushingMatrix = std::array<std::array<Value, 6>, 6>;

// force: on the second body at its frame's point. couple: on the second body about its frame's z axis, its opposite on
// the first. spring_damper: between the two points, tension = preload + stiffness (length - free_length) + damping *
// length rate. rotational_spring_damper: torque on the second body about its frame's z axis = -preload - stiffness
// (angle - free_angle) - damping * angle rate. actuator: `effort` along a coordinate of the two frames, those of a
// Drive of that kind; it does the work effort * coordinate rate. bushing: preload - stiffness x - damping x' on the
// second body, x the second frame's displacement and rotation vector in axes of the first frame; its opposite on the
// first.
struct Load {
  std::string name;
  LoadKind kind = LoadKind::force;
  BodyIndex first, second;
  Frame on_first, on_second;
  std::array<Expr, 3> force{Expr{0.0}, Expr{0.0}, Expr{0.0}};  // force only; of t, parameters and quantities
  Axes axes = Axes::ground;                                    // force only
  Expr moment{0.0};                                            // couple: moment; actuator: effort
  Value stiffness;
  Value damping;
  Value free_length;  // or free angle, rad
  Source source;
  Value preload;                          // springs
  Sided sided = Sided::both;              // spring_damper
  DriveKind along = DriveKind::distance;  // actuator
  BushingMatrix bushing_stiffness{}, bushing_damping{};
  std::array<Value, 6> bushing_preload{};
  bool by_components = false;  // couple in space: `force` holds its moment, N*m, in ground axes, and there is no axis
};

struct InitialValue {
  Quantity quantity;
  Value value;
  Source source;
  std::optional<double>
      weight{};  // none: held exactly; a number: a wish, met as nearly as the joints and other wishes let it
};

enum class Crossing { both, rising, falling };

struct Event {
  std::string name;
  Expr when{0.0};  // happens where this crosses zero; of t, parameters and quantities
  Crossing crossing = Crossing::both;
  bool stop = false;
  Source source;
};

// Defaults for a run, from the model file's [simulate]; the command line overrides them. Which there are is said in
// simulate/run_options.hpp.
struct GivenOption {
  std::string name;
  std::variant<double, std::string> value;  // a number in SI, or a word
  Source source;
};
struct RunDefaults {
  std::vector<GivenOption> given;

  // Nullopt where it is not given.
  std::optional<double> number(std::string_view name) const;
  std::optional<std::string> word(std::string_view name) const;
  void set(std::string_view name, std::variant<double, std::string> value, const Source& source = {});
};

// A signal that acts on the mechanism. Formulas that name it hold `value` instead; the name is kept for those who list
// it.
struct Input {
  std::string name;
  Expr value{0.0};   // of t and parameters
  std::string unit;  // empty for a pure number, or where the formula leaves it open
  Source source;
};

// A quantity to record beside those that are always recorded.
struct Output {
  std::string name;
  Expr value{0.0};  // of t, parameters and quantities, in `unit`
  std::string unit;
  Source source;
};

// A velocity that the user names. A formulation whose state holds independent velocities takes it for one of them.
struct NamedVelocity {
  std::string name;
  Expr form{0.0};  // linear in rates; of t, parameters and quantities
  RelationUnit unit = RelationUnit::angle;
  Source source;
};

// A file that the model file names: a part, a table or a mesh.
struct IncludedFile {
  std::string file_name;
  std::string text;
};

struct Trace {
  BodyIndex body;
  std::array<double, 3> point{};
  std::string name;
};

// A body that a formulation may split: its images share its inertia and the forces on it, and move as one with it.
struct BodyImage {
  double inertia = 0.5;  // share of mass and inertia, and so of the weight
  double forces = 0.0;   // share of the forces and couples given by formulas; springs and the like stay on the body
  std::vector<JointIndex> joints;  // those that hold this image instead of the body
};

struct SplitBody {
  BodyIndex body;
  std::vector<BodyImage> images;  // besides the body itself, which keeps what they leave
};

// A flexible link: a chain of ordinary bodies (elements) with ordinary joints and springs between them, of which
// nobody who calculates knows that they belong together. What is said here is for names, records and drawings.
//                                                                                       [docs/theory/13]
struct LinkSection {  // of the beam at one place; what is not known is zero
  double area = 0.0;  // m^2
  double Iy = 0.0;    // m^4, about the section's y axis: bending out of the x-y plane
  double Iz = 0.0;
  double half_y = 0.0;  // m: distance of the outermost fibres
  double half_z = 0.0;
  bool round = false;            // both bendings act on one fibre together; else on a corner
  double torsion_modulus = 0.0;  // m^3: moment over greatest shear stress
};

// What joins element k-1 and element k, k = 1, 2, ...
struct LinkSpring {
  std::vector<JointIndex> joints;  // in a row, with massless bodies between them
  std::vector<std::string> loads;  // their springs and dampers
  double at = 0.0;                 // m: along the axis, from the root
  Quaternion axes = kNoTurn;       // of the section there, x along the axis, in axes of either element
  LinkSection section;
};

struct LinkPoint {
  std::string name;
  int element = 0;                     // that holds it
  std::array<double, 3> on_element{};  // in axes of the element
  std::array<double, 3> at_rest{};     // in axes of the root, undeformed
};

struct FlexibleLink {
  std::string name;
  std::vector<BodyIndex> elements;  // from the root, whose frame is that of the link
  std::vector<LinkSpring> springs;
  std::vector<LinkPoint> points;
  double length = 0.0;  // m, along the axis
  Source source;
};

struct Mechanism {
  std::string name;
  std::string description;
  Space space = Space::planar;
  bool lifted = false;  // written for the plane, moved to space: bodies keep their angle about z
  std::array<Value, 3> gravity{};
  std::vector<Parameter> parameters;
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  std::vector<Drive> drives;
  std::vector<Load> loads;
  std::vector<InitialValue> initial;
  std::vector<InitialValue> steady;  // what a steady motion that is looked for must have; no wishes
  std::vector<Event> events;
  std::vector<Trace> traces;
  std::vector<SplitBody> splits;  // empty: a formulation that splits bodies chooses them itself
  std::vector<FlexibleLink> links;
  std::vector<Input> inputs;
  std::vector<Output> outputs;
  std::vector<NamedVelocity> named_velocities;
  RunDefaults run;
  double check_horizon = 0.0;  // s; over this time a perturbation of 1e-12 grows less than a thousandfold
  std::string file_name;
  std::string file_text;
  std::vector<IncludedFile> included;  // each file once
  std::vector<ParameterSetting> set;   // what stands in place of the file's own values

  const Body& body(BodyIndex index) const { return bodies[index.at()]; }
  std::string_view bodyName(BodyIndex index) const;  // "ground" for ground
};

// Whether a joint has an angle and a slide to name, drive or start from.
bool hasAngle(JointKind kind);
bool hasSlide(JointKind kind);

// Whether the turns of its second frame have names; their axes: 0, 1, 2 for x, y, z.
bool hasTurns(const Joint& joint);
std::array<int, 3> axesOfTurns(const Joint& joint);

// gear, rack, coupling, expression, velocity: no frames, no two bodies of its own.
bool isRelation(JointKind kind);
// What such a joint holds at zero, of t, parameters and quantities.
Expr relationOf(const Mechanism& mechanism, const Joint& joint);
// The moving bodies that it relates, each once, in their order.
std::vector<BodyIndex> relatedBodies(const Mechanism& mechanism, const Joint& joint);

bool isRate(QuantityKind kind);
bool isOfJoint(QuantityKind kind);

// The words of the model file and of every output.
std::string_view wordFor(JointKind kind);
std::string_view wordFor(DriveKind kind);

// "crank.angle_rate" -> quantity; nullopt if there is no such thing. Joint rates answer to `rate` too.
std::optional<Quantity> findQuantity(const Mechanism& mechanism, std::string_view name);
// The same for a body or joint that has been found; only what stands after the dot of the name is looked at.
std::optional<Quantity> quantityOf(const Mechanism& mechanism, BodyIndex body, std::string_view name);
std::optional<Quantity> quantityOf(const Mechanism& mechanism, JointIndex joint, std::string_view name);
std::string quantityName(const Mechanism& mechanism, const Quantity& quantity);
std::string_view quantityUnit(const Mechanism& mechanism, const Quantity& quantity);
// Every name findQuantity knows, for "did you mean".
std::vector<std::string> quantityNames(const Mechanism& mechanism);

// Checks what no single line of a file can show: names, masses, ends of joints, expressions' symbols.
void validate(const Mechanism& mechanism, Diagnostics& diagnostics);

}  // namespace linkwork
