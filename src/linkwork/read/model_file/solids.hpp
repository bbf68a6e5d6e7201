// Solids as a file in space writes them: where they are drawn, how large they are, and what they weigh.
#pragma once

#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

enum class SolidKind { rod, cylinder, tube, capsule, sphere, box, disc };

// The body frame: at `from` with x along the axis (rod, cylinder, tube, capsule), else in the centre.
struct Solid {
  SolidKind kind = SolidKind::sphere;
  std::array<Value, 3> sizes{};  // length, radius, inner radius; radius; three sides; radius, thickness
  DrawnPose drawn;
  std::vector<NamedPoint> points;  // that the file names, in body axes
  Value measure;                   // what the density is multiplied with
  Dimension per_measure;           // kg/m^3, or less for what is thin
};

inline constexpr const char* kSolidWords[] = {"cylinder", "tube", "capsule", "sphere", "box", "disc"};

// `node` is the table after a word of kSolidWords, `what` the body. nullopt after messages.
std::optional<Solid> readSolid(Reader& reader, const Node& node, const std::string& what);

// A solid between two places, or nullopt after a message; `length` instead of the drawn one if it is given. `where` is
// what the message points at.
std::optional<Solid> solidBetween(Reader& reader, const Source& where, SolidKind kind, const Place& from,
                                  const Place& to, const std::optional<Value>& length, const std::string& what);

// Of a sphere, a disc, and, as discs, of a cylinder and a tube; nullopt: it does not roll.
std::optional<Roundness> roundnessOf(const Solid& solid);

// Gives the body its mass, centre, inertia and drawing.
void setSolid(Body& body, const Solid& solid, const Value& mass);

// Several solids as one body whose frame is drawn at `frame`; `what` is the body. False after messages.
bool readParts(Reader& reader, const Node& node, const std::string& what, const DrawnPose& frame, Body& body);

// A matrix given about the origin of the body frame, about the centre of mass.
Tensor aboutCentre(const Tensor& about_origin, const Value& mass, const Point& com);

}  // namespace linkwork::model_file
