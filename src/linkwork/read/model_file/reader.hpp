// What is known while a model file is being read, and how its values, names and places are read. One instance per file.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "linkwork/model/mechanism.hpp"
#include "linkwork/read/document.hpp"
#include "linkwork/read/expression.hpp"
#include "linkwork/read/model_file.hpp"
#include "linkwork/read/model_file/files.hpp"
#include "linkwork/read/model_file/value_math.hpp"
#include "linkwork/read/units.hpp"

namespace linkwork::model_file {

// `broken` marks what failed and has been reported: whoever refers to it fails silently, so that one slip is one
// message.
struct KnownParameter {
  std::optional<Dimension> dimension;
  double number = 0.0;
  bool broken = false;
};

struct KnownPoint {
  Point at{};
  bool broken = false;
  Source source;
};

struct KnownFrame {
  Frame frame;
  bool has_angle = false;  // a frame with a direction, not just a point
};

// The roundness of a disc, sphere or cylinder, by which it can roll: its centre and, as the frame's z axis, its axle.
struct Roundness {
  RollingShape shape = RollingShape::ball;
  Value radius;
  Frame frame{};
};

// How a flexible link is divided, in axes of the link.
struct KnownLink {
  std::vector<BodyIndex> elements;
  std::vector<Point> origins;                   // of the elements' frames
  std::vector<Value> lengths;                   // of the elements
  std::vector<Point> middles;                   // of their pieces of the axis
  std::vector<std::array<double, 3>> stations;  // of the axis: root, springs, end
};

struct KnownBody {
  BodyIndex index;
  DrawnPose drawn;
  std::map<std::string, KnownFrame, std::less<>> frames;  // points too, in body axes
  bool broken = false;
  std::optional<Roundness> round{};
  std::optional<KnownLink> link{};  // of a flexible link; index is then that of its first element
};

struct KnownJoint {
  JointIndex index;  // invalid if broken
  bool broken = false;
};

struct KnownInput {
  Expr value{0.0};
  std::optional<Dimension> dimension;
  std::string corner;  // the function that keeps it from being smooth; empty if there is none
  bool broken = false;
};

// A letter of a file of equations: a coordinate, a rate, or a quasi-velocity, for which its formula stands.
struct KnownLetter {
  enum class Kind { coordinate, rate, quasi_velocity };
  Kind kind = Kind::coordinate;
  Expr value{0.0};
  std::optional<Dimension> dimension;
  bool broken = false;
};

// A parameter's value from outside of the file: what a file that includes this one gives for it.
struct Override {
  // By the entry that includes the file; or from farther out, known by the prefix alone, so that it may be of no
  // parameter of this file.
  enum class From { include, farther };
  ParsedExpression value;  // in the letters of the file that gives it
  Source source;
  From from = From::include;
};

// A place of the drawing: by the name of a point, or by coordinates (then the name is empty).
struct Place {
  Point at{};
  std::string name;
};

// One end of a joint, spring or drive: a body, and perhaps a frame of it.
struct End {
  BodyIndex body;
  std::optional<KnownFrame> frame;
  bool broken = false;
  const KnownBody* link = nullptr;  // a flexible link, of which the file names no point: Reader::put finds the element
};

// Which names a formula may use; each level includes those before it.
enum class Level { constants, time, quantities };

// What one file and all that it includes have in common.
struct Session {
  struct OpenFile {
    std::filesystem::path path;  // canonical
    std::string shown;
  };

  Diagnostics& diagnostics;
  const ReadOptions& options;
  Files& files;
  std::vector<OpenFile> open;  // the files being read, the main one first
  std::vector<IncludedFile> included{};
  std::size_t included_bytes = 0;
  std::size_t includes = 0;
  std::size_t entries = 0;  // made by [repeat]
  std::size_t values = 0;
};

struct Reader {
  Reader(const Document& doc, Session& shared, Mechanism& mech)
      : document(doc), session(shared), diagnostics(shared.diagnostics), mechanism(mech) {}

  const Document& document;
  Session& session;
  Diagnostics& diagnostics;
  Mechanism& mechanism;
  std::map<std::string, Override, std::less<>> overrides;
  std::map<std::string, Node, std::less<>> settings;  // of the main file: what stands in place of its entries
  std::set<std::string, std::less<>> repeat_names;    // indices of [repeat]
  std::map<std::string, KnownParameter, std::less<>> parameters;
  std::map<std::string, KnownPoint, std::less<>> points;
  std::map<std::string, KnownBody, std::less<>> bodies;
  std::map<std::string, KnownJoint, std::less<>> joints;
  std::map<std::string, TableFunction, std::less<>> tables;
  std::map<std::string, KnownInput, std::less<>> inputs;
  std::map<std::string, KnownLetter, std::less<>> letters;  // of a file of equations
  std::vector<JointIndex> joints_by_two_points;             // joints that name a point at both ends

  // --- messages ------------------------------------------------------------------------------------------------------
  void error(const Source& where, std::string message, std::string hint = {});
  void errorInside(const Node& node, std::size_t offset, std::string message, std::string hint = {});
  // `what`: expected `expected`, got a table.
  void wrongType(const Node& node, const std::string& what, std::string_view expected);
  // Reports every key that is not allowed; false if there was one.
  bool checkKeys(const Node& table, const std::string& what, const std::vector<std::string>& allowed);
  // The entry, or null and a message that it is missing, unless an unknown key was taken for a misspelling of it.
  const Node* required(const Node& table, std::string_view key, const std::string& what, std::string hint = {});
  bool checkTable(const Node& node, const std::string& what, std::string_view example);
  // Name of a body, point, ...: not empty, no dot, no control characters.
  bool checkName(const Node& entry, std::string_view kind);

  // --- values --------------------------------------------------------------------------------------------------------
  // All answer nullopt after a message, or silently where something broken is used.
  std::optional<Value> constant(const Node& node, const Dimension& expected, const std::string& what);
  // A constant that must be above zero, or at least zero.
  std::optional<Value> positive(const Node& node, const Dimension& expected, const std::string& what);
  std::optional<Value> notNegative(const Node& node, const Dimension& expected, const std::string& what);
  std::optional<Point> pair(const Node& node, const Dimension& expected, const std::string& what);
  // [x, y] in a planar file, [x, y, z] in space.
  std::optional<Point> coordinates(const Node& node, const Dimension& expected, const std::string& what);
  // In space: [x, y, z], made of unit length; and an orientation, of which letters are not kept.
  std::optional<Direction> direction(const Node& node, const std::string& what);
  std::optional<Quaternion> rotation(const Node& node, const std::string& what);
  // nullopt for `expected`: any dimension.
  std::optional<Expr> formula(const Node& node, const std::optional<Dimension>& expected, const std::string& what,
                              Level level);
  std::optional<ParsedExpression> parse(const Node& node, const std::string& what, Level level);
  std::optional<ParsedExpression> parse(const Node& node, const std::string& what, Level level, Numbers numbers);
  std::optional<std::string> word(const Node& node, const std::string& what);
  // The index of the word in `words`.
  std::optional<std::size_t> choice(const Node& node, const std::string& what, const std::vector<std::string>& words);
  std::optional<bool> flag(const Node& node, const std::string& what);

  // --- places --------------------------------------------------------------------------------------------------------
  std::optional<Place> place(const Node& node, const std::string& what);
  const KnownPoint* findPoint(const Node& node, std::size_t offset, std::string_view name, const std::string& what);
  // "crank", "crank.tip", "ground.P"; a point of [points] may stand after any body's name and is then fixed to it as
  // drawn.
  std::optional<End> end(const Node& node, const std::string& what);
  // An end that must name a point.
  std::optional<End> pointEnd(const Node& node, const std::string& what);
  std::optional<std::pair<End, End>> twoPointEnds(const Node& node, const std::string& what);
  // Where the drawing puts the axes of a body's frame, in ground axes; in space.
  Quaternion drawnTurn(BodyIndex body, const Frame& frame) const;
  // The orientation of a frame of the body that the drawing shows as `in_ground`.
  Quaternion turnOnBody(BodyIndex body, const Quaternion& in_ground) const;
  std::optional<BodyIndex> bodyNamed(const Node& node, const std::string& what);
  const DrawnPose& drawnPose(BodyIndex body) const;
  // The place as a frame of the body: the body's own point of that name, else where the drawing puts it.
  Frame frameAt(BodyIndex body, const Place& place) const;
  // Gives an end that names no point the frame at this place; of a flexible link it then holds the element there.
  void put(End& end, const Place& place, const Node& node, const std::string& what);
  // False, after a message, for a flexible link of which no point is named.
  bool isRigid(const End& end, const Node& node, const std::string& what);
  Value drawnDistance(const End& a, const End& b) const;
  std::vector<std::string> bodyNames() const;
  // As linkwork::findQuantity, by the maps above.
  std::optional<Quantity> findQuantity(std::string_view name) const;
  // `Did you mean "x"?`, unless so much is wrong that looking for it would take long.
  std::string suggest(std::string_view name, const std::vector<std::string>& candidates) const;
  bool wantsSuggestions() const;

  bool inSpace() const { return mechanism.space == Space::spatial; }
  bool isLink(std::string_view name) const {
    const auto found = bodies.find(name);
    return found != bodies.end() && found->second.link.has_value();
  }
  bool isBody(std::string_view name) const { return bodies.find(name) != bodies.end(); }

 private:
  std::set<std::pair<const Node*, std::string>> misspelt_;  // table and the key that was probably meant
};

// The keys of one of the maps above, for "did you mean".
template <class Map>
std::vector<std::string> namesOf(const Map& map) {
  std::vector<std::string> names;
  names.reserve(map.size());
  for (const auto& [name, known] : map) names.push_back(name);
  return names;
}

// Whether a formula with this function can be differentiated twice everywhere.
bool isSmooth(const CalledFunction& function);

inline bool isGroundName(std::string_view name) { return name == "ground" || name == "world"; }

// The sections, in the order in which they must be read.
void readParameters(Reader& reader, const Node& section);
void readPoints(Reader& reader, const Node& section);
void readTables(Reader& reader, const Node& section);
void readBodies(Reader& reader, const Node& section);
// A body with the key `flexible`: adds its elements. False after messages.
bool readFlexible(Reader& reader, const Node& entry);
void readJoints(Reader& reader, const Node& section);
void readNamedVelocities(Reader& reader, const Node& section);
void readDrives(Reader& reader, const Node& section);
void readLoads(Reader& reader, const Node& section);
void readInitial(Reader& reader, const Node& section);
void readSteady(Reader& reader, const Node& section);
// What the options give, in place of what the section gives.
void takeGiven(Reader& reader);
void readInputs(Reader& reader, const Node& section);
void readOutputs(Reader& reader, const Node& section);
void readEvents(Reader& reader, const Node& section);
void readTraces(Reader& reader, const Node& section);
void readImages(Reader& reader, const Node& section);
void readSimulate(Reader& reader, const Node& section);
void readComplianceDefaults(Reader& reader, const Node& section);
// Reads a whole file into the reader: everything but the checks of the finished mechanism.
enum class Role { main, included };
void readFile(Reader& reader, const Node& root, Role role);
// What is legal but probably not meant: joints drawn apart, masses and sizes that do not go together.
void findOddities(Reader& reader);
// Drawing of bodies that have no shape of their own, from the points where something is attached.
void deriveShapes(Mechanism& mechanism);

}  // namespace linkwork::model_file
