#include "linkwork/read/model_file/solids.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "linkwork/geometry/mass_properties.hpp"
#include "linkwork/read/model_file/bodies_space.hpp"

namespace linkwork::model_file {

namespace {

// The same formulas give the numbers and the letters.
template <class T>
MassProperties<T> propertiesOf(SolidKind kind, const T& mass, const std::array<T, 3>& s) {
  switch (kind) {
    case SolidKind::rod: return rod<T>(mass, s[0]);
    case SolidKind::cylinder: return cylinder<T>(mass, s[0], s[1]);
    case SolidKind::tube: return tube<T>(mass, s[0], s[1], s[2]);
    case SolidKind::capsule: return capsule<T>(mass, s[0], s[1]);
    case SolidKind::sphere: return sphere<T>(mass, s[0]);
    case SolidKind::box: return box<T>(mass, s[0], s[1], s[2]);
    case SolidKind::disc: return disc<T>(mass, s[0], s[1]);
  }
  return {};
}

template <class T>
T volumeOf(SolidKind kind, const std::array<T, 3>& s) {
  switch (kind) {
    case SolidKind::rod: return s[0];
    case SolidKind::cylinder: return tubeVolume<T>(s[0], s[1], T(0.0));
    case SolidKind::tube: return tubeVolume<T>(s[0], s[1], s[2]);
    case SolidKind::capsule: return capsuleVolume<T>(s[0], s[1]);
    case SolidKind::sphere: return sphereVolume<T>(s[0]);
    case SolidKind::box: return s[0] * s[1] * s[2];
    case SolidKind::disc: return tubeVolume<T>(T(1.0), s[0], T(0.0)) * s[1];
  }
  return T(0.0);
}

std::array<double, 3> threeNumbers(const std::array<Value, 3>& values) {
  return {values[0].number, values[1].number, values[2].number};
}
std::array<Expr, 3> lettersOf(const std::array<Value, 3>& values) {
  return {values[0].expr, values[1].expr, values[2].expr};
}

Tensor joined(const Symmetric3<double>& n, const Symmetric3<Expr>& e) {
  return {{n.xx, e.xx}, {n.yy, e.yy}, {n.zz, e.zz}, {n.xy, e.xy}, {n.xz, e.xz}, {n.yz, e.yz}};
}

Shape shapeOf(const Solid& solid) {
  const std::array<double, 3> s = threeNumbers(solid.sizes);
  Shape shape;
  switch (solid.kind) {
    case SolidKind::rod: shape.kind = ShapeKind::rod; break;
    case SolidKind::cylinder: shape.kind = ShapeKind::cylinder; break;
    case SolidKind::tube: shape.kind = ShapeKind::tube; break;
    case SolidKind::capsule: shape.kind = ShapeKind::capsule; break;
    case SolidKind::sphere: shape.kind = ShapeKind::sphere; break;
    case SolidKind::box: shape.kind = ShapeKind::box; break;
    case SolidKind::disc: shape.kind = ShapeKind::disc; break;
  }
  if (solid.kind == SolidKind::box) {
    shape.size = s;
  } else if (solid.kind == SolidKind::sphere || solid.kind == SolidKind::disc) {
    shape.radius = s[0];
    if (solid.kind == SolidKind::disc) shape.size = {0.0, 0.0, s[1]};
  } else {
    shape.to = {s[0], 0.0, 0.0};
    shape.radius = s[1];
    shape.inner_radius = s[2];
  }
  return shape;
}

// A solid, whose axes are drawn at solid.drawn, in the axes of a frame drawn elsewhere.
struct PlacedSolid {
  MassProperties<double> numbers;
  MassProperties<Expr> letters;
  Shape shape;
  std::vector<NamedPoint> points;
};

PlacedSolid placedIn(const DrawnPose& frame, const Solid& solid, const Value& mass) {
  const Quaternion turn = product(conjugate(frame.rotation), solid.drawn.rotation);
  const Rotation3<double> R = matrixOf(turn);
  const auto letters = [](const Direction& a) { return Vec3<Expr>{Expr(a.x), Expr(a.y), Expr(a.z)}; };
  const Point p = toBody(frame, {solid.drawn.x, solid.drawn.y, solid.drawn.z});
  PlacedSolid out;
  out.numbers = placed(propertiesOf<double>(solid.kind, mass.number, threeNumbers(solid.sizes)), R,
                       {p[0].number, p[1].number, p[2].number});
  out.letters = placed(propertiesOf<Expr>(solid.kind, mass.expr, lettersOf(solid.sizes)),
                       Rotation3<Expr>{letters(R.x), letters(R.y), letters(R.z)}, {p[0].expr, p[1].expr, p[2].expr});
  const auto moved = [&](const Point& a) {
    const Point b = turned(turn, a);
    return Point{plus(p[0], b[0]), plus(p[1], b[1]), plus(p[2], b[2])};
  };
  out.shape = shapeOf(solid);
  for (auto* end : {&out.shape.from, &out.shape.to}) *end = threeNumbers(moved({(*end)[0], (*end)[1], (*end)[2]}));
  out.shape.rotation = turn;
  for (const NamedPoint& point : solid.points) out.points.push_back({point.name, moved(point.at)});
  return out;
}

// Reads the table of one solid.
class SolidReader {
 public:
  SolidReader(Reader& reader, const Node& node, const std::string& what)
      : reader_(reader), node_(node), what_(fmt::format("{} of {}", node.key, what)), body_(what) {}

  std::optional<Solid> read() {
    std::optional<Solid> solid;
    if (node_.key == "sphere") {
      solid = readSphere();
    } else if (node_.key == "box") {
      solid = readBox();
    } else if (node_.key == "disc") {
      solid = readDisc();
    } else {
      solid = readAlongAxis();
    }
    if (!solid) return std::nullopt;
    if (isPureNumber(solid->per_measure)) {
      solid->measure = {volumeOf<double>(solid->kind, threeNumbers(solid->sizes)),
                        volumeOf<Expr>(solid->kind, lettersOf(solid->sizes))};
      solid->per_measure = dimension::kDensity;
    }
    return solid;
  }

 private:
  std::string of(std::string_view key) const { return fmt::format("{} of {}", key, what_); }

  bool begin(const char* example, const std::vector<std::string>& keys) {
    if (!reader_.checkTable(node_, what_, fmt::format("a table such as {}", example))) return false;
    good_ = reader_.checkKeys(node_, what_, keys);
    return true;
  }

  Value length(const char* key) {
    const Node* node = reader_.required(node_, key, what_);
    std::optional<Value> value;
    if (node != nullptr) value = reader_.positive(*node, dimension::kLength, of(key));
    good_ = good_ && value;
    return value.value_or(Value(1.0));
  }

  std::optional<Place> place(const char* key) {
    const Node* node = reader_.required(node_, key, what_, "Give the name of a point or [x, y, z].");
    std::optional<Place> found;
    if (node != nullptr) found = reader_.place(*node, of(key));
    good_ = good_ && found;
    return found;
  }

  // The body frame in the centre.
  void centre(Solid& solid, const Quaternion& rotation) {
    const std::optional<Place> at = place("at");
    if (!at) return;
    solid.drawn = poseAt(at->at, rotation);
    if (!at->name.empty()) solid.points.push_back({at->name, {Value(0.0), Value(0.0), Value(0.0)}});
  }

  std::optional<Solid> readSphere() {
    if (!begin("{ at = \"P\", radius = 0.1 }", {"at", "radius"})) return std::nullopt;
    Solid solid;
    solid.kind = SolidKind::sphere;
    centre(solid, kNoTurn);
    solid.sizes[0] = length("radius");
    return good_ ? std::optional(solid) : std::nullopt;
  }

  std::optional<Solid> readBox() {
    if (!begin("{ at = \"P\", size = [0.2, 0.1, 0.05] }", {"at", "size", "rotation"})) return std::nullopt;
    Solid solid;
    solid.kind = SolidKind::box;
    std::optional<Quaternion> rotation = kNoTurn;
    if (const Node* node = node_.find("rotation")) rotation = reader_.rotation(*node, of("rotation"));
    good_ = good_ && rotation;
    centre(solid, rotation.value_or(kNoTurn));
    const Node* node = reader_.required(node_, "size", what_);
    std::optional<Point> size;
    if (node != nullptr) size = reader_.coordinates(*node, dimension::kLength, of("size"));
    if (size && !((*size)[0].number > 0 && (*size)[1].number > 0 && (*size)[2].number > 0)) {
      reader_.error(node->source, fmt::format("{} must be positive.", of("size")));
      size.reset();
    }
    if (size) solid.sizes = *size;
    return good_ && size ? std::optional(solid) : std::nullopt;
  }

  std::optional<Solid> readDisc() {
    if (!begin("{ at = \"P\", radius = 0.1, axis = [0, 0, 1] }", {"at", "radius", "thickness", "axis"}))
      return std::nullopt;
    Solid solid;
    solid.kind = SolidKind::disc;
    std::optional<Direction> axis = Direction{0.0, 0.0, 1.0};
    if (const Node* node = node_.find("axis")) axis = reader_.direction(*node, of("axis"));
    good_ = good_ && axis;
    centre(solid, axis ? frameWithZ(*axis) : kNoTurn);
    solid.sizes[0] = length("radius");
    if (node_.find("thickness") != nullptr) {
      solid.sizes[1] = length("thickness");
    } else {
      const std::array<Value, 3> flat{solid.sizes[0], Value(1.0), Value(0.0)};
      solid.measure = {volumeOf<double>(solid.kind, threeNumbers(flat)), volumeOf<Expr>(solid.kind, lettersOf(flat))};
      solid.per_measure = dimension::kMassPerArea;
    }
    return good_ ? std::optional(solid) : std::nullopt;
  }

  std::optional<Solid> readAlongAxis() {
    const bool is_tube = node_.key == "tube";
    std::vector<std::string> keys{"from", "to", "radius", "length"};
    if (is_tube) keys.insert(keys.begin() + 3, "inner_radius");
    if (!begin(is_tube ? "{ from = \"A\", to = \"B\", radius = 0.05, inner_radius = 0.04 }"
                       : "{ from = \"A\", to = \"B\", radius = 0.05 }",
               keys))
      return std::nullopt;
    const std::optional<Place> from = place("from");
    const std::optional<Place> to = place("to");
    const Value radius = length("radius");
    const Value inner = is_tube ? length("inner_radius") : Value(0.0);
    if (good_ && !(inner.number < radius.number)) {
      reader_.error(node_.find("inner_radius")->source,
                    fmt::format("{} must be smaller than the radius, {:g} m.", of("inner_radius"), radius.number));
      good_ = false;
    }
    std::optional<Value> given;
    if (node_.find("length") != nullptr) given = length("length");
    if (!good_) return std::nullopt;
    const SolidKind kind =
        is_tube ? SolidKind::tube : (node_.key == "capsule" ? SolidKind::capsule : SolidKind::cylinder);
    auto solid = solidBetween(reader_, node_.source, kind, *from, *to, given, body_);
    if (!solid) return std::nullopt;
    solid->sizes[1] = radius;
    solid->sizes[2] = inner;
    return solid;
  }

  Reader& reader_;
  const Node& node_;
  std::string what_;
  const std::string& body_;
  bool good_ = true;
};

}  // namespace

std::optional<Solid> readSolid(Reader& reader, const Node& node, const std::string& what) {
  return SolidReader(reader, node, what).read();
}

std::optional<Solid> solidBetween(Reader& reader, const Source& where, SolidKind kind, const Place& from,
                                  const Place& to, const std::optional<Value>& length, const std::string& what) {
  const Point d{minus(to.at[0], from.at[0]), minus(to.at[1], from.at[1]), minus(to.at[2], from.at[2])};
  const Value drawn_length = lengthOf(d[0], d[1], d[2]);
  if (!(drawn_length.number > 0)) {
    const char* words[] = {"rod", "cylinder", "tube", "capsule"};
    reader.error(where, fmt::format("{}: both ends of the {} are at the same place.", what,
                                    words[static_cast<std::size_t>(kind)]));
    return std::nullopt;
  }
  Solid solid;
  solid.kind = kind;
  solid.sizes[0] = length.value_or(drawn_length);
  solid.drawn = poseAt(from.at, frameWithX(unit({d[0].number, d[1].number, d[2].number})));
  if (!from.name.empty()) solid.points.push_back({from.name, {Value(0.0), Value(0.0), Value(0.0)}});
  if (!to.name.empty()) solid.points.push_back({to.name, {solid.sizes[0], Value(0.0), Value(0.0)}});
  return solid;
}

std::optional<Roundness> roundnessOf(const Solid& solid) {
  Roundness out;
  switch (solid.kind) {
    case SolidKind::sphere: out.radius = solid.sizes[0]; return out;
    case SolidKind::disc:
      out.shape = RollingShape::disc;
      out.radius = solid.sizes[0];
      return out;
    case SolidKind::cylinder:
    case SolidKind::tube:
      out.shape = RollingShape::disc;
      out.radius = solid.sizes[1];
      out.frame.point[0] = over(solid.sizes[0], Value(2.0));
      out.frame.rotation = frameWithZ({1.0, 0.0, 0.0});
      return out;
    default: return std::nullopt;
  }
}

void setSolid(Body& body, const Solid& solid, const Value& mass) {
  const auto n = propertiesOf<double>(solid.kind, mass.number, threeNumbers(solid.sizes));
  const auto e = propertiesOf<Expr>(solid.kind, mass.expr, lettersOf(solid.sizes));
  body.mass = mass;
  body.com = {Value(n.com.x, e.com.x), Value(n.com.y, e.com.y), Value(n.com.z, e.com.z)};
  setTensor(body, joined(n.inertia, e.inertia));
  body.shapes.push_back(shapeOf(solid));
}

namespace {

// One entry of `parts`.
std::optional<PlacedSolid> readPart(Reader& reader, const Node& node, const std::string& what, const DrawnPose& frame) {
  if (!reader.checkTable(node, what, "a table such as { sphere = { at = \"P\", radius = 0.1 }, mass = 1 }"))
    return std::nullopt;
  std::vector<std::string> keys(std::begin(kSolidWords), std::end(kSolidWords));
  keys.insert(keys.end(), {"mass", "density"});
  const bool keys_good = reader.checkKeys(node, what, keys);
  const Node* shape = nullptr;
  bool several = false;
  for (const char* word : kSolidWords) {
    const Node* found = node.find(word);
    several = several || (found != nullptr && shape != nullptr);
    if (found != nullptr) shape = found;
  }
  const Node* mass = node.find("mass");
  const Node* density = node.find("density");
  if (keys_good && (shape == nullptr || several))
    reader.error(node.source, fmt::format("{}: a part is one of {}.", what, fmt::join(kSolidWords, ", ")));
  if (keys_good && (mass == nullptr) == (density == nullptr))
    reader.error(node.source,
                 fmt::format("{}: {}.", what, mass == nullptr ? "mass is missing" : "mass and density are both given"),
                 "Give mass or density.");
  if (!keys_good || shape == nullptr || several || (mass == nullptr) == (density == nullptr)) return std::nullopt;
  const std::optional<Solid> solid = readSolid(reader, *shape, what);
  std::optional<Value> weight;
  if (mass != nullptr) weight = reader.notNegative(*mass, dimension::kMass, "mass of " + what);
  if (density != nullptr && solid) {
    weight = reader.notNegative(*density, solid->per_measure, "density of " + what);
    if (weight) weight = times(*weight, solid->measure);
  }
  if (!solid || !weight) return std::nullopt;
  return placedIn(frame, *solid, *weight);
}

}  // namespace

bool readParts(Reader& reader, const Node& node, const std::string& what, const DrawnPose& frame, Body& body) {
  if (node.kind != NodeKind::array || node.children.empty()) {
    reader.wrongType(node, "parts of " + what,
                     "a list of solids such as [{ sphere = { at = \"P\", radius = 0.1 }, mass = 1 }]");
    return false;
  }
  std::vector<MassProperties<double>> numbers;
  std::vector<MassProperties<Expr>> letters;
  bool good = true;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const auto part = readPart(reader, node.children[i], fmt::format("part {} of {}", i + 1, what), frame);
    good = good && part;
    if (!part) continue;
    numbers.push_back(part->numbers);
    letters.push_back(part->letters);
    body.shapes.push_back(part->shape);
    for (const NamedPoint& point : part->points) {
      const bool known = std::any_of(body.points.begin(), body.points.end(),
                                     [&](const NamedPoint& other) { return other.name == point.name; });
      if (!known) body.points.push_back(point);
    }
  }
  if (!good) return false;
  const MassProperties<double> n = combined<double>(numbers);
  if (!(n.mass > 0.0)) {
    reader.error(node.source, fmt::format("parts of {}: they have no mass together.", what),
                 "Leave the parts out and write mass = 0.");
    return false;
  }
  const MassProperties<Expr> e = combined<Expr>(letters);
  body.mass = {n.mass, e.mass};
  body.com = {Value(n.com.x, e.com.x), Value(n.com.y, e.com.y), Value(n.com.z, e.com.z)};
  setTensor(body, joined(n.inertia, e.inertia));
  return true;
}

Tensor aboutCentre(const Tensor& J, const Value& mass, const Point& com) {
  const Vec3<double> n{com[0].number, com[1].number, com[2].number};
  const Vec3<Expr> e{com[0].expr, com[1].expr, com[2].expr};
  Symmetric3<double> numbers{J.xx.number, J.yy.number, J.zz.number, J.xy.number, J.xz.number, J.yz.number};
  Symmetric3<Expr> letters{J.xx.expr, J.yy.expr, J.zz.expr, J.xy.expr, J.xz.expr, J.yz.expr};
  numbers += steiner<double>(-mass.number, n);
  letters += steiner<Expr>(-mass.expr, e);
  return joined(numbers, letters);
}

}  // namespace linkwork::model_file
