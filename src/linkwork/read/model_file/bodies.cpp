#include <fmt/format.h>

#include <numbers>

#include "linkwork/read/model_file/bodies_space.hpp"
#include "linkwork/read/model_file/body_points.hpp"
#include "linkwork/read/model_file/mesh.hpp"
#include "linkwork/read/model_file/reader.hpp"
#include "linkwork/read/model_file/solids.hpp"

namespace linkwork::model_file {

namespace {

enum class Form { frame, rod, disc, box, mesh, solid, parts };

struct FormWord {
  const char* word;
  Form in_plane;
  Form in_space;
};
// Solids other than these are in space only.
constexpr FormWord kFormWords[] = {
    {"rod", Form::rod, Form::rod},         {"disc", Form::disc, Form::solid},      {"box", Form::box, Form::solid},
    {"mesh", Form::mesh, Form::mesh},      {"cylinder", Form::frame, Form::solid}, {"tube", Form::frame, Form::solid},
    {"capsule", Form::frame, Form::solid}, {"sphere", Form::frame, Form::solid},   {"parts", Form::frame, Form::parts}};

// The keys of a body of the given form; `word` is that of its shape.
std::vector<std::string> keysOf(Form form, const char* word, bool in_space) {
  std::vector<std::string> keys;
  if (form == Form::frame || form == Form::mesh || form == Form::parts) {
    keys = {"position", in_space ? "rotation" : "angle"};
  }
  if (form != Form::frame) keys.insert(keys.begin(), word);
  if (form == Form::rod) keys.emplace_back("length");
  if (form == Form::rod && in_space) keys.emplace_back("radius");
  if (form != Form::parts) keys.emplace_back("mass");
  if (form != Form::frame && form != Form::parts) keys.emplace_back("density");
  if (form == Form::rod) keys.emplace_back("section");
  if (form == Form::disc || form == Form::box) keys.emplace_back("thickness");
  keys.emplace_back("com");
  if (!in_space) keys.emplace_back("z");
  for (const char* key : {"inertia", "inertia_about", "points", "frames", "free"}) keys.emplace_back(key);
  if (form == Form::rod) keys.emplace_back("flexible");
  return keys;
}

// Reads one entry of [bodies] into a Body and what the reader must know about it.
class BodyReader {
 public:
  BodyReader(Reader& reader, const Node& entry, Body& body, KnownBody& known)
      : reader_(reader),
        entry_(entry),
        body_(body),
        known_(known),
        what_(fmt::format("body \"{}\"", entry.key)),
        points_(reader, entry, what_, body, known) {}

  bool read() {
    if (!reader_.checkTable(entry_, what_, "a table such as { rod = [\"A\", \"B\"], mass = 1 }")) return false;
    const std::optional<Form> form = readForm();
    if (!form) return false;
    bool good = false;
    switch (*form) {
      case Form::frame: good = readFrame(); break;
      case Form::rod: good = readRod(); break;
      case Form::disc: good = readDisc(); break;
      case Form::box: good = readBox(); break;
      case Form::mesh: good = readMeshBody(); break;
      case Form::solid: good = readSolidBody(); break;
      case Form::parts: good = readPartsBody(); break;
    }
    good = readOverrides() && good;
    good = readFree() && good;
    good = points_.read() && good;
    body_.drawn = numbersOf(known_.drawn);
    return good;
  }

 private:
  std::string of(std::string_view key) const { return fmt::format("{} of {}", key, what_); }

  std::optional<Form> readForm() {
    const bool in_space = reader_.inSpace();
    for (const FormWord& form : kFormWords) {
      const Node* node = entry_.find(form.word);
      if (node == nullptr || (!in_space && form.in_plane == Form::frame)) continue;
      if (shape_ != nullptr) {
        reader_.error(node->key_source, fmt::format("{}: a body has one shape, but two are given.", what_));
        return std::nullopt;
      }
      shape_ = node;
      form_ = in_space ? form.in_space : form.in_plane;
    }
    std::vector<std::string> allowed = keysOf(form_, shape_ == nullptr ? "" : shape_->key.c_str(), in_space);
    if (shape_ == nullptr) {
      // Not a shape: the long form, unless a shape's name was misspelt.
      for (const FormWord& form : kFormWords) {
        if (in_space || form.in_plane != Form::frame) allowed.emplace_back(form.word);
      }
    }
    keys_good_ = reader_.checkKeys(entry_, what_, allowed);
    if (shape_ == nullptr && !keys_good_) return std::nullopt;
    return form_;
  }

  // --- forms ---------------------------------------------------------------------------------------------------------

  bool readFrame() {
    bool good = readPosition();
    const Node* mass = reader_.required(entry_, "mass", what_, "Write mass = 0 for a massless body.");
    const Node* inertia = reader_.required(
        entry_, "inertia", what_,
        reader_.inSpace() ? "Write inertia = [0, 0, 0] for a point mass." : "Write inertia = 0 for a point mass.");
    if (mass != nullptr) good = readMass(*mass) && good;
    return good && mass != nullptr && inertia != nullptr;
  }

  bool readPosition() {
    std::optional<Place> place = Place{};
    if (const Node* node = entry_.find("position")) place = reader_.place(*node, of("position"));
    return readOrientation(place.value_or(Place{}).at) && place;
  }

  // The drawn pose of a body frame at `origin`: `angle` in the plane, `rotation` in space.
  bool readOrientation(const Point& origin) {
    if (reader_.inSpace()) {
      const Node* node = entry_.find("rotation");
      const auto turn = node == nullptr ? kNoTurn : reader_.rotation(*node, of("rotation"));
      known_.drawn = poseAt(origin, turn.value_or(kNoTurn));
      return turn.has_value();
    }
    std::optional<Value> angle(0.0);
    if (const Node* node = entry_.find("angle")) angle = reader_.constant(*node, dimension::kAngle, of("angle"));
    known_.drawn = poseAt(origin, angle.value_or(Value(0.0)));
    return angle.has_value();
  }

  bool readRod() {
    const Node& ends = *entry_.find("rod");
    if (ends.kind != NodeKind::array || ends.children.size() != 2) {
      reader_.wrongType(ends, of("rod"), "two points such as [\"A\", \"B\"]");
      return false;
    }
    const auto from = reader_.place(ends.children[0], of("rod"));
    const auto to = reader_.place(ends.children[1], of("rod"));
    std::optional<Value> length;
    const Node* length_node = entry_.find("length");
    if (length_node != nullptr) length = reader_.positive(*length_node, dimension::kLength, of("length"));
    if (reader_.inSpace())
      return from && to && (length_node == nullptr || length) && readRodInSpace(*from, *to, length);
    if (!from || !to || (length_node != nullptr && !length)) {
      readMassOrDensity(Value(1.0), dimension::kMassPerLength, "section", dimension::kArea);
      return false;
    }
    const Value dx = minus(to->at[0], from->at[0]);
    const Value dy = minus(to->at[1], from->at[1]);
    const Value drawn_length = lengthOf(dx, dy);
    if (!(drawn_length.number > 0)) {
      reader_.error(ends.source, fmt::format("{}: both ends of the rod are at the same place.", what_));
      return false;
    }
    if (!length) length = drawn_length;
    known_.drawn = {from->at[0], from->at[1], direction(dx, dy), over(dx, drawn_length), over(dy, drawn_length)};
    addPoint(from->name, {Value(0.0), Value(0.0)});
    addPoint(to->name, {*length, Value(0.0)});
    const bool good = readMassOrDensity(*length, dimension::kMassPerLength, "section", dimension::kArea);
    body_.com = {over(*length, Value(2.0)), Value(0.0)};
    body_.inertia = over(times(body_.mass, times(*length, *length)), Value(12.0));
    Shape shape;
    shape.kind = ShapeKind::rod;
    shape.to = {length->number, 0.0};
    body_.shapes.push_back(shape);
    return good;
  }

  // A thin rod, or with `radius` a solid cylinder about its line.
  bool readRodInSpace(const Place& from, const Place& to, const std::optional<Value>& length) {
    std::optional<Value> radius(0.0);
    const Node* radius_node = entry_.find("radius");
    if (radius_node != nullptr) radius = reader_.positive(*radius_node, dimension::kLength, of("radius"));
    if (const Node* section = entry_.find("section"); section != nullptr && radius_node != nullptr) {
      reader_.error(section->key_source, fmt::format("{}: radius and section are both given.", what_),
                    "Give one of them.");
      return false;
    }
    const SolidKind kind = radius_node == nullptr ? SolidKind::rod : SolidKind::cylinder;
    auto solid = solidBetween(reader_, shape_->source, SolidKind::rod, from, to, length, what_);
    if (!solid || !radius) return false;
    solid->kind = kind;
    solid->sizes[1] = *radius;
    addPoints(*solid);
    const Value& L = solid->sizes[0];
    const bool thin = kind == SolidKind::rod;
    const bool good = thin ? readMassOrDensity(L, dimension::kMassPerLength, "section", dimension::kArea)
                           : readMassOrDensity(times(times(Value(std::numbers::pi), times(*radius, *radius)), L),
                                               dimension::kDensity, "section", dimension::kArea);
    setSolid(body_, *solid, body_.mass);
    body_.shapes.back().kind = ShapeKind::rod;
    return good;
  }

  void addPoints(const Solid& solid) {
    known_.drawn = solid.drawn;
    for (const NamedPoint& point : solid.points) addPoint(point.name, point.at);
  }

  bool readSolidBody() {
    const std::optional<Solid> solid = readSolid(reader_, *shape_, what_);
    if (!solid) {
      readMassOrDensity(Value(1.0), dimension::kDensity, nullptr, dimension::kNumber);
      return false;
    }
    addPoints(*solid);
    const char* missing = sameDimension(solid->per_measure, dimension::kDensity) ? nullptr : "thickness";
    const bool good = readMassOrDensity(solid->measure, solid->per_measure, missing, dimension::kLength);
    setSolid(body_, *solid, body_.mass);
    known_.round = roundnessOf(*solid);
    return good;
  }

  bool readPartsBody() {
    const bool placed = readPosition();
    const bool good = readParts(reader_, *shape_, what_, known_.drawn, body_);
    for (const NamedPoint& point : body_.points) known_.frames[point.name] = {{point.at, Value(0.0)}, false};
    return good && placed;
  }

  // The file's axes are those of the body.
  bool readMeshBody() {
    const bool placed = readPosition();
    const std::optional<MeshEntry> mesh = readMesh(reader_, *shape_, what_);
    if (!mesh) {
      readMassOrDensity(Value(1.0), dimension::kDensity, nullptr, dimension::kNumber);
      return false;
    }
    const bool good = readMassOrDensity(mesh->volume, dimension::kDensity, nullptr, dimension::kNumber);
    const Value density = over(body_.mass, mesh->volume);
    body_.com = mesh->com;
    const Tensor& J = mesh->tensor;
    setTensor(body_, {times(J.xx, density), times(J.yy, density), times(J.zz, density), times(J.xy, density),
                      times(J.xz, density), times(J.yz, density)});
    body_.shapes.push_back(mesh->shape);
    return good && placed;
  }

  // `at` and `angle` of a disc or box: the body frame sits in its centre.
  bool readCentre(const Node& shape, const char* word) {
    const Node* at = reader_.required(shape, "at", of(word), "Give the name of a point or [x, y].");
    std::optional<Place> place;
    if (at != nullptr) place = reader_.place(*at, of(std::string("at of ") + word));
    Value angle;
    bool good = place.has_value();
    if (const Node* node = shape.find("angle")) {
      const auto value = reader_.constant(*node, dimension::kAngle, of(std::string("angle of ") + word));
      good = good && value;
      if (value) angle = *value;
    }
    if (!place) return false;
    known_.drawn = poseAt(place->at, angle);
    addPoint(place->name, {Value(0.0), Value(0.0)});
    return good;
  }

  bool readDisc() {
    const Node& disc = *entry_.find("disc");
    if (!reader_.checkTable(disc, of("disc"), "a table such as { at = \"P\", radius = 0.1 }")) return false;
    bool good = reader_.checkKeys(disc, of("disc"), {"at", "radius", "angle"});
    good = readCentre(disc, "disc") && good;
    const Node* node = reader_.required(disc, "radius", of("disc"));
    std::optional<Value> radius;
    if (node != nullptr) radius = reader_.positive(*node, dimension::kLength, of("radius"));
    // m = density pi r^2,  I = m r^2 / 2
    const Value r = radius.value_or(Value(1.0));
    const Value square = times(r, r);
    good = readMassOrDensity(times(Value(std::numbers::pi), square), dimension::kMassPerArea, "thickness",
                             dimension::kLength) &&
           good;
    body_.inertia = over(times(body_.mass, square), Value(2.0));
    Shape shape;
    shape.kind = ShapeKind::disc;
    shape.radius = r.number;
    body_.shapes.push_back(shape);
    known_.round = Roundness{RollingShape::ball, r};
    return good && radius;
  }

  bool readBox() {
    const Node& box = *entry_.find("box");
    if (!reader_.checkTable(box, of("box"), "a table such as { at = \"P\", size = [0.2, 0.1] }")) return false;
    bool good = reader_.checkKeys(box, of("box"), {"at", "size", "angle"});
    good = readCentre(box, "box") && good;
    const Node* node = reader_.required(box, "size", of("box"));
    Value w = 1.0;
    Value h = 1.0;
    good = node != nullptr && readSize(*node, w, h) && good;
    // m = density w h,  I = m (w^2 + h^2) / 12
    good = readMassOrDensity(times(w, h), dimension::kMassPerArea, "thickness", dimension::kLength) && good;
    body_.inertia = over(times(body_.mass, plus(times(w, w), times(h, h))), Value(12.0));
    Shape shape;
    shape.kind = ShapeKind::box;
    shape.size = {w.number, h.number};
    body_.shapes.push_back(shape);
    return good;
  }

  bool readSize(const Node& node, Value& w, Value& h) {
    const auto size = reader_.pair(node, dimension::kLength, of("size"));
    if (!size) return false;
    if (!((*size)[0].number > 0 && (*size)[1].number > 0)) {
      reader_.error(node.source, fmt::format("{} must be positive.", of("size")));
      return false;
    }
    w = (*size)[0];
    h = (*size)[1];
    return true;
  }

  // --- mass ----------------------------------------------------------------------------------------------------------

  bool readMass(const Node& node) {
    const auto mass = reader_.notNegative(node, dimension::kMass, of("mass"));
    if (mass) body_.mass = *mass;
    return mass.has_value();
  }

  // A mesh may have its mass or density inside its own table too.
  const Node* findOfMesh(const char* key) const {
    const Node* node = form_ == Form::mesh && shape_->kind == NodeKind::table ? shape_->find(key) : nullptr;
    return node != nullptr ? node : entry_.find(key);
  }

  // The mass of a shape of the given measure (length, area or volume): written, or from a density per measure, or from
  // a density per volume with the missing `extent` (section of a rod, thickness of a disc or box).
  bool readMassOrDensity(const Value& measure, const Dimension& per_measure, const char* extent,
                         const Dimension& extent_dimension) {
    const Node* mass = findOfMesh("mass");
    const Node* density = findOfMesh("density");
    const Node* extent_node = extent == nullptr ? nullptr : entry_.find(extent);
    if (mass == nullptr && density == nullptr) {
      if (keys_good_)
        reader_.error(entry_.key_source, fmt::format("{}: mass is missing.", what_),
                      "Give mass or density; write mass = 0 for a massless body.");
      return false;
    }
    for (const char* key : {"mass", "density"}) {
      if (form_ != Form::mesh || entry_.find(key) == nullptr || shape_->find(key) == nullptr) continue;
      reader_.error(entry_.find(key)->key_source, fmt::format("{}: {} is given twice.", what_, key),
                    "Give it beside the mesh or inside its table.");
      return false;
    }
    if (mass != nullptr && density != nullptr) {
      reader_.error(density->key_source, fmt::format("{}: mass and density are both given.", what_),
                    "Give one of them.");
      return false;
    }
    if (mass != nullptr) {
      if (extent_node != nullptr) {
        reader_.error(extent_node->key_source,
                      fmt::format("{}: {} goes with density, but mass is given.", what_, extent));
        return false;
      }
      return readMass(*mass);
    }
    std::optional<Value> value;
    if (extent_node == nullptr) {
      value = readDensity(*density, per_measure, extent);
    } else {
      const auto size = reader_.positive(*extent_node, extent_dimension, of(extent));
      const auto per_volume = reader_.notNegative(*density, dimension::kDensity, of("density"));
      if (size && per_volume) value = times(*per_volume, *size);
    }
    if (value) body_.mass = times(*value, measure);
    return value.has_value();
  }

  std::optional<Value> readDensity(const Node& density, const Dimension& per_measure, const char* extent) {
    const auto parsed = reader_.parse(density, of("density"), Level::constants);
    if (!parsed || parsed->broken) return std::nullopt;
    if (extent != nullptr && parsed->dimension && sameDimension(*parsed->dimension, dimension::kDensity) &&
        !sameDimension(per_measure, dimension::kDensity)) {
      reader_.error(
          density.source,
          fmt::format("{}: expected {}, got {}.", of("density"), describe(per_measure), describe(dimension::kDensity)),
          form_ == Form::solid ? "Give the disc a thickness."
                               : fmt::format("Give {} beside a density per volume.", extent));
      return std::nullopt;
    }
    return reader_.notNegative(density, per_measure, of("density"));
  }

  bool readOverrides() {
    bool good = true;
    if (const Node* node = entry_.find("com")) {
      const Value z = body_.com[2];
      const auto com = reader_.coordinates(*node, dimension::kLength, of("com"));
      good = com.has_value();
      if (com) body_.com = *com;
      if (com && !reader_.inSpace()) body_.com[2] = z;
    }
    if (const Node* node = entry_.find("z"); node != nullptr && !reader_.inSpace()) {
      const auto z = reader_.constant(*node, dimension::kLength, of("z"));
      good = good && z;
      if (z) body_.com[2] = *z;
    }
    return readInertia() && good;
  }

  // A matrix, or in the plane a number; about the centre of mass or the origin of the body frame.
  bool readInertia() {
    const Node* node = entry_.find("inertia");
    const Node* about_node = entry_.find("inertia_about");
    std::optional<std::size_t> about(0);
    if (about_node != nullptr) about = reader_.choice(*about_node, of("inertia_about"), {"com", "origin"});
    if (node == nullptr) {
      if (about_node != nullptr && keys_good_ && form_ != Form::frame)
        reader_.error(about_node->key_source,
                      fmt::format("{}: inertia_about goes with inertia, which is missing.", what_));
      return about_node == nullptr;
    }
    std::optional<Tensor> tensor;
    const bool as_number = !reader_.inSpace() && node->kind != NodeKind::table && node->kind != NodeKind::array;
    if (as_number) {
      const auto inertia = reader_.notNegative(*node, dimension::kInertia, of("inertia"));
      if (inertia) tensor = Tensor{{}, {}, *inertia, {}, {}, {}};
    } else {
      tensor = readTensor(reader_, *node, of("inertia"));
    }
    if (!tensor || !about) return false;
    if (*about == 1) tensor = aboutCentre(*tensor, body_.mass, body_.com);
    if (tensor->zz.number < 0.0 && *about == 1) {
      reader_.error(
          node->source,
          fmt::format("{} about the origin is smaller than mass times distance squared of the centre of mass: "
                      "about that it would be {:.3g} kg m^2.",
                      of("inertia"), tensor->zz.number),
          "Is it given about the centre of mass? Then leave out inertia_about.");
      return false;
    }
    if (as_number) {
      // What a mesh said about the other axes is no longer true.
      body_.tensor.reset();
      body_.inertia = tensor->zz;
    } else {
      setTensor(body_, *tensor);
    }
    return true;
  }

  bool readFree() {
    const Node* node = entry_.find("free");
    if (node == nullptr) return true;
    const auto free = reader_.flag(*node, of("free"));
    body_.free = free.value_or(false);
    return free.has_value();
  }

  void addPoint(const std::string& name, const Point& at) { points_.add(name, at); }

  Reader& reader_;
  const Node& entry_;
  Body& body_;
  KnownBody& known_;
  std::string what_;
  BodyPoints points_;
  Form form_ = Form::frame;
  const Node* shape_ = nullptr;
  bool keys_good_ = true;
};

// Benign numbers, so that the checks of the whole mechanism find nothing more to say about it.
void addBroken(Reader& reader, const Node& entry, KnownBody known) {
  Body placeholder;
  placeholder.name = entry.key;
  placeholder.mass = 1.0;
  placeholder.inertia = 1.0;
  if (reader.inSpace()) setTensor(placeholder, unitTensor());
  placeholder.source = entry.key_source;
  known.index = BodyIndex(static_cast<int>(reader.mechanism.bodies.size()));
  known.broken = true;
  reader.bodies.insert_or_assign(entry.key, std::move(known));
  reader.mechanism.bodies.push_back(std::move(placeholder));
}

}  // namespace

void readBodies(Reader& reader, const Node& section) {
  for (const Node& entry : section.children) {
    if (!reader.checkName(entry, "body")) continue;
    if (isGroundName(entry.key)) {
      reader.error(entry.key_source, fmt::format("body \"{}\": this name means the ground.", entry.key),
                   "Choose another name.");
      continue;
    }
    if (entry.kind == NodeKind::table && entry.find("flexible") != nullptr) {
      if (readFlexible(reader, entry)) continue;
      addBroken(reader, entry, {});
      continue;
    }
    Body body;
    body.name = entry.key;
    body.mass = 1.0;
    body.inertia = 1.0;
    if (reader.inSpace()) setTensor(body, unitTensor());
    body.source = entry.key_source;
    KnownBody known;
    known.index = BodyIndex(static_cast<int>(reader.mechanism.bodies.size()));
    const bool good = BodyReader(reader, entry, body, known).read();
    if (!good) {
      addBroken(reader, entry, std::move(known));
      continue;
    }
    reader.bodies.emplace(entry.key, std::move(known));
    reader.mechanism.bodies.push_back(std::move(body));
  }
}

}  // namespace linkwork::model_file
