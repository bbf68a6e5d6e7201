// What is known while a model file is being read, and how its values, names and places are read. One instance per file.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "linkwork/io/document.hpp"
#include "linkwork/io/expression.hpp"
#include "linkwork/io/model_file/value_math.hpp"
#include "linkwork/io/units.hpp"
#include "linkwork/model/mechanism.hpp"

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
};

struct KnownFrame {
  Frame frame;
  bool has_angle = false;  // a frame, not just a point
};

struct KnownBody {
  BodyIndex index;
  DrawnPose drawn;
  std::map<std::string, KnownFrame, std::less<>> frames;  // points too, in body axes
  bool broken = false;
};

struct KnownJoint {
  JointIndex index;  // invalid if broken
  bool broken = false;
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
};

// Which names a formula may use; each level includes those before it.
enum class Level { constants, time, quantities };

struct Reader {
  Reader(const Document& doc, Diagnostics& diag, Mechanism& mech) : document(doc), diagnostics(diag), mechanism(mech) {}

  const Document& document;
  Diagnostics& diagnostics;
  Mechanism& mechanism;
  std::map<std::string, KnownParameter, std::less<>> parameters;
  std::map<std::string, KnownPoint, std::less<>> points;
  std::map<std::string, KnownBody, std::less<>> bodies;
  std::map<std::string, KnownJoint, std::less<>> joints;

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
  // nullopt for `expected`: any dimension.
  std::optional<Expr> formula(const Node& node, const std::optional<Dimension>& expected, const std::string& what,
                              Level level);
  std::optional<ParsedExpression> parse(const Node& node, const std::string& what, Level level);
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
  std::optional<BodyIndex> bodyNamed(const Node& node, const std::string& what);
  const DrawnPose& drawnPose(BodyIndex body) const;
  // The place as a frame of the body: the body's own point of that name, else where the drawing puts it.
  Frame frameAt(BodyIndex body, const Place& place) const;
  Value drawnDistance(const End& a, const End& b) const;
  std::vector<std::string> bodyNames() const;

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

inline bool isGroundName(std::string_view name) { return name == "ground" || name == "world"; }

// The sections, in the order in which they must be read.
void readParameters(Reader& reader, const Node& section);
void readPoints(Reader& reader, const Node& section);
void readBodies(Reader& reader, const Node& section);
void readJoints(Reader& reader, const Node& section);
void readDrives(Reader& reader, const Node& section);
void readLoads(Reader& reader, const Node& section);
void readInitial(Reader& reader, const Node& section);
void readEvents(Reader& reader, const Node& section);
void readTraces(Reader& reader, const Node& section);
void readSimulate(Reader& reader, const Node& section);
// Drawing of bodies that have no shape of their own, from the points where something is attached.
void deriveShapes(Mechanism& mechanism);

}  // namespace linkwork::model_file
