// { rod = ["A", "B"], flexible = { ... } }: a link that bends, twists, stretches and shears.   [docs/theory/13]
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <memory>

#include "linkwork/geometry/mass_properties.hpp"
#include "linkwork/read/model_file/bodies_space.hpp"
#include "linkwork/read/model_file/body_points.hpp"
#include "linkwork/read/model_file/flexible_axis.hpp"
#include "linkwork/read/model_file/flexible_chain.hpp"
#include "linkwork/read/model_file/solids.hpp"

namespace linkwork::model_file {

namespace {

constexpr int kMostElements = 100'000;
constexpr double kSamePoint = 1e-9;  // of the length

class FlexibleReader {
 public:
  FlexibleReader(Reader& reader, const Node& entry)
      : reader_(reader),
        entry_(entry),
        what_(fmt::format("body \"{}\"", entry.key)),
        table_(*entry.find("flexible")),
        of_table_("flexible of " + what_),
        points_(reader, entry, what_, body_, known_) {}

  bool read() {
    bool good = reader_.checkKeys(entry_, what_, {"rod", "length", "flexible", "points", "frames"});
    plan_.name = entry_.key;
    plan_.source = entry_.key_source;
    if (!reader_.checkTable(table_, of_table_,
                            "a table such as { elements = 5, E = \"71 GPa\", density = 2770, section = { box = [\"4 "
                            "mm\", \"25 mm\"] } }"))
      return false;
    good = reader_.checkKeys(table_, of_table_,
                             {"elements", "E", "nu", "G", "density", "section", "section_end", "section_y", "roll",
                              "through", "deforms", "damping_time", "rayleigh", "turns"}) &&
           good;
    good = readAxis() && good;
    good = points_.read() && good;
    good = readElements() && good;
    good = readDeforms() && good;
    good = readTurns() && good;
    good = readDamping() && good;
    good = readBeam() && good;
    good = readSectionDirection() && good;
    if (!good || !divide()) return false;
    warnOfThickness();
    addChain(reader_, plan_, body_.points, known_);
    reader_.bodies.insert_or_assign(entry_.key, std::move(known_));
    return true;
  }

 private:
  bool inSpace() const { return reader_.inSpace(); }
  std::string of(std::string_view key) const { return fmt::format("{} of {}", key, of_table_); }

  // --- the undeformed link -------------------------------------------------------------------------------------------

  bool readAxis() {
    const Node* ends = reader_.required(entry_, "rod", what_, "A flexible link is a rod: rod = [\"A\", \"B\"].");
    if (ends == nullptr) return false;
    if (ends->kind != NodeKind::array || ends->children.size() != 2) {
      reader_.wrongType(*ends, "rod of " + what_, "two points such as [\"A\", \"B\"]");
      return false;
    }
    const auto from = reader_.place(ends->children[0], "rod of " + what_);
    const auto to = reader_.place(ends->children[1], "rod of " + what_);
    std::optional<Value> length;
    const Node* length_node = entry_.find("length");
    if (length_node != nullptr) length = reader_.positive(*length_node, dimension::kLength, "length of " + what_);
    if (!from || !to || (length_node != nullptr && !length)) return false;
    if (inSpace()) {
      const auto solid = solidBetween(reader_, ends->source, SolidKind::rod, *from, *to, length, what_);
      if (!solid) return false;
      known_.drawn = solid->drawn;
      plan_.length = solid->sizes[0];
      for (const NamedPoint& point : solid->points) points_.add(point.name, point.at);
      return readCurve(length_node);
    }
    const Value dx = minus(to->at[0], from->at[0]);
    const Value dy = minus(to->at[1], from->at[1]);
    const Value drawn_length = lengthOf(dx, dy);
    if (!(drawn_length.number > 0)) {
      reader_.error(ends->source, fmt::format("{}: both ends of the rod are at the same place.", what_));
      return false;
    }
    plan_.length = length.value_or(drawn_length);
    known_.drawn = {from->at[0], from->at[1], direction(dx, dy), over(dx, drawn_length), over(dy, drawn_length)};
    points_.add(from->name, {Value(0.0), Value(0.0)});
    points_.add(to->name, {plan_.length, Value(0.0)});
    return readCurve(length_node);
  }

  // The axis goes from the first end through these points to the second.
  bool readCurve(const Node* length_node) {
    const Node* node = table_.find("through");
    axis_ = LinkAxis(plan_.length.number);
    if (node == nullptr) return true;
    if (length_node != nullptr) {
      reader_.error(length_node->key_source,
                    fmt::format("{}: length does not go with through, which says how long the axis is.", what_));
      return false;
    }
    if (node->kind != NodeKind::array || node->children.empty()) {
      reader_.wrongType(*node, of("through"), "a list of points between the two ends");
      return false;
    }
    std::vector<std::array<double, 3>> points{{0.0, 0.0, 0.0}};
    for (const Node& child : node->children) {
      const auto place = reader_.place(child, of("through"));
      if (!place) return false;
      const Point own = toBody(known_.drawn, place->at);
      points_.add(place->name, own);
      points.push_back({own[0].number, own[1].number, own[2].number});
    }
    points.push_back({plan_.length.number, 0.0, 0.0});
    for (std::size_t k = 0; k + 1 < points.size(); ++k) {
      const auto& a = points[k];
      const auto& b = points[k + 1];
      if (std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]) > kSamePoint * plan_.length.number) continue;
      reader_.error(node->children[std::min(k, node->children.size() - 1)].source,
                    fmt::format("{}: two neighbours are at the same place.", of("through")));
      return false;
    }
    axis_ = LinkAxis(std::move(points));
    plan_.length = Value(axis_.length());
    return true;
  }

  // --- the table -----------------------------------------------------------------------------------------------------

  bool readElements() {
    const Node* node = reader_.required(table_, "elements", of_table_, "It is the number of rigid pieces, 2 or more.");
    if (node == nullptr) return false;
    const auto value = reader_.constant(*node, dimension::kNumber, of("elements"));
    if (!value) return false;
    const double number = value->number;
    if (number != std::floor(number) || number < 2.0 || number > kMostElements) {
      reader_.error(
          node->source,
          fmt::format("{} must be a whole number from 2 to {}, got {:g}.", of("elements"), kMostElements, number),
          number == 1.0 ? "One element does not deform: leave out flexible, or write 2 for a spring in the "
                          "middle."
                        : "");
      return false;
    }
    elements_ = static_cast<std::size_t>(number);
    return true;
  }

  bool readDeforms() {
    plan_.deforms.any[static_cast<std::size_t>(Deform::bend_z)] = true;
    if (inSpace()) {
      plan_.deforms.any[static_cast<std::size_t>(Deform::bend_y)] = true;
      plan_.deforms.any[static_cast<std::size_t>(Deform::twist)] = true;
    }
    const Node* node = table_.find("deforms");
    if (node == nullptr) return true;
    if (node->kind != NodeKind::array || node->children.empty()) {
      reader_.wrongType(*node, of("deforms"), "a list such as [\"bend_z\", \"stretch\"]");
      return false;
    }
    plan_.deforms.any.fill(false);
    const std::vector<std::string> words =
        inSpace() ? std::vector<std::string>(std::begin(kDeformWords), std::end(kDeformWords))
                  : std::vector<std::string>{"bend_z", "stretch", "shear_y"};
    bool good = true;
    for (const Node& child : node->children) {
      const auto word = reader_.choice(child, of("deforms"), words);
      good = good && word;
      if (!word) continue;
      for (std::size_t k = 0; k < kDeforms; ++k) {
        if (words[*word] == kDeformWords[k]) plan_.deforms.any[k] = true;
      }
    }
    return good;
  }

  bool readTurns() {
    const Node* node = table_.find("turns");
    if (node == nullptr) return true;
    if (!inSpace()) {
      reader_.error(node->key_source, fmt::format("{}: turns is for files with space = \"spatial\".", of_table_));
      return false;
    }
    const auto word = reader_.choice(*node, of("turns"), {"rotation_vector", "zyx"});
    if (word && *word == 1) plan_.turns = LinkTurns::zyx;
    return word.has_value();
  }

  bool readDamping() {
    const Node* time = table_.find("damping_time");
    const Node* rayleigh = table_.find("rayleigh");
    if (time != nullptr && rayleigh != nullptr) {
      reader_.error(rayleigh->key_source, fmt::format("{}: damping_time and rayleigh are both given.", of_table_),
                    "rayleigh = [a, b] has damping over mass, a, and the damping time, b.");
      return false;
    }
    if (time != nullptr) return readInto(*time, dimension::kTime, plan_.damping_time);
    if (rayleigh == nullptr) return true;
    if (rayleigh->kind != NodeKind::array || rayleigh->children.size() != 2) {
      reader_.wrongType(*rayleigh, of("rayleigh"), "a list of two, [damping over mass, damping time]");
      return false;
    }
    const bool drag = readInto(rayleigh->children[0], dimension::kFrequency, plan_.drag);
    return readInto(rayleigh->children[1], dimension::kTime, plan_.damping_time) && drag;
  }

  bool readInto(const Node& node, const Dimension& expected, Value& value) {
    const auto read =
        reader_.notNegative(node, expected, of(node.key.empty() ? std::string_view("rayleigh") : node.key));
    if (read) value = *read;
    return read.has_value();
  }

  bool readBeam() {
    const auto material = readMaterial(reader_, table_, of_table_);
    const Node* section = reader_.required(table_, "section", of_table_,
                                           "Give section = { box = [\"4 mm\", \"25 mm\"] }, or stiffnesses.");
    if (!material || section == nullptr) return false;
    material_ = *material;
    const auto beam = readSection(reader_, *section, material_, plan_.deforms, of("section"));
    if (beam) beam_ = *beam;
    const Node* end = table_.find("section_end");
    if (end == nullptr || !beam) return beam.has_value();
    end_ = readSection(reader_, *end, material_, plan_.deforms, of("section_end"));
    if (!end_) return false;
    if (end_->kind == beam_.kind) return true;
    reader_.error(
        end->source, fmt::format("{} is of another kind than section.", of("section_end")),
        "Between the two the sizes grow in proportion: write both as boxes, both as round, or both as numbers.");
    return false;
  }

  // How the section lies about the axis.
  bool readSectionDirection() {
    const Node* y = table_.find("section_y");
    const Node* roll = table_.find("roll");
    if (y == nullptr && roll == nullptr) return true;
    const Node& first = y != nullptr ? *y : *roll;
    if (!inSpace()) {
      reader_.error(first.key_source,
                    fmt::format("{}: {} is for files with space = \"spatial\".", of_table_, first.key));
      return false;
    }
    if (y != nullptr && roll != nullptr) {
      reader_.error(roll->key_source, fmt::format("{}: section_y and roll are both given.", of_table_),
                    "Give one of them.");
      return false;
    }
    if (y != nullptr) {
      const auto direction = reader_.direction(*y, of("section_y"));
      if (!direction) return false;
      const Point own = turnedBack(known_.drawn.rotation, {direction->x, direction->y, direction->z});
      section_y_ = Direction{own[0].number, own[1].number, own[2].number};
      return true;
    }
    const auto angle = reader_.constant(*roll, dimension::kAngle, of("roll"));
    if (angle) roll_ = angle->number;
    return angle.has_value();
  }

  // --- division ------------------------------------------------------------------------------------------------------

  std::size_t springs() const { return elements_ - 1; }
  // Of springs in the middle of equal segments, along the axis.
  double placeOf(std::size_t spring) const {
    return (static_cast<double>(spring) - 0.5) * plan_.length.number / static_cast<double>(springs());
  }
  bool isUniform() const { return axis_.isStraight() && !end_; }
  BeamSection sectionAt(double s) const {
    return end_ ? sectionBetween(beam_, *end_, s / plan_.length.number, material_) : beam_;
  }

  // m springs in the middle of m equal segments; the pieces between them are D/2, D, ..., D, D/2 long.
  bool divide() {
    std::vector<double> places;
    for (std::size_t k = 1; k <= springs(); ++k) places.push_back(placeOf(k));
    std::optional<std::vector<Quaternion>> axes(std::vector<Quaternion>(springs(), kNoTurn));
    if (inSpace()) axes = sectionAxes(axis_, places, section_y_, roll_);
    if (!axes) {
      reader_.error(table_.find("section_y")->source, fmt::format("{} points along the axis.", of("section_y")));
      return false;
    }
    const auto station = [&](double s) {
      const Direction at = axis_.at(s);
      plan_.stations.push_back({at.x, at.y, at.z});
    };
    station(0.0);
    for (std::size_t k = 1; k <= springs(); ++k) {
      addSpring(k, (*axes)[k - 1]);
      station(placeOf(k));
    }
    station(plan_.length.number);
    for (std::size_t k = 0; k < elements_; ++k) {
      plan_.elements.push_back(isUniform() ? straightElement(k, axes->front()) : curvedElement(k));
    }
    return true;
  }

  // D times a share, with the letters of the length.
  Value along(double share) const {
    return times(over(plan_.length, Value(static_cast<double>(springs()))), Value(share));
  }

  void addSpring(std::size_t k, const Quaternion& axes) {
    PlannedSpring spring;
    spring.s = placeOf(k);
    spring.section = sectionAt(spring.s).shape;
    spring.rotation = axes;
    if (isUniform()) {
      spring.at[0] = along(static_cast<double>(k) - 0.5);
      for (std::size_t c = 0; c < kDeforms; ++c) spring.stiffness[c] = over(beam_.stiffness[c], along(1.0));
    } else {
      const Direction at = axis_.at(spring.s);
      const Direction tangent = axis_.tangent(spring.s);
      spring.at = {at.x, at.y, at.z};
      if (!inSpace()) spring.angle = std::atan2(tangent.y, tangent.x);
      spring.stiffness = stiffnessOf(k);
    }
    plan_.springs.push_back(std::move(spring));
  }

  // Of a whole segment: 1/c = integral of ds / (E I).
  std::array<Value, kDeforms> stiffnessOf(std::size_t k) const {
    const double D = plan_.length.number / static_cast<double>(springs());
    std::array<double, kDeforms> flexibility{};
    overGauss(static_cast<double>(k - 1) * D, static_cast<double>(k) * D, [&](double s, double ds) {
      const BeamSection section = sectionAt(s);
      for (std::size_t c = 0; c < kDeforms; ++c) flexibility[c] += ds / section.stiffness[c].number;
    });
    std::array<Value, kDeforms> out;
    for (std::size_t c = 0; c < kDeforms; ++c) out[c] = std::isfinite(flexibility[c]) ? 1.0 / flexibility[c] : 0.0;
    return out;
  }

  // Four pieces with five points each: exact to round-off where sizes change in proportion.
  template <class Function>
  static void overGauss(double from, double to, const Function& function) {
    constexpr int kPieces = 4;
    constexpr std::array<double, 5> kNodes{-0.9061798459386640, -0.5384693101056831, 0.0, 0.5384693101056831,
                                           0.9061798459386640};
    constexpr std::array<double, 5> kWeights{0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                             0.4786286704993665, 0.2369268850561891};
    const double half = 0.5 * (to - from) / kPieces;
    for (int p = 0; p < kPieces; ++p) {
      for (std::size_t n = 0; n < kNodes.size(); ++n)
        function(from + half * (2.0 * p + 1.0 + kNodes[n]), half * kWeights[n]);
    }
  }

  PlannedElement straightElement(std::size_t k, const Quaternion& axes) const {
    const bool is_end = k == 0 || k + 1 == elements_;
    const Value l = is_end ? along(0.5) : along(1.0);
    PlannedElement out;
    if (k > 0) out.origin[0] = along(static_cast<double>(k) - 0.5);
    out.com[0] = plus(out.origin[0], over(l, Value(2.0)));
    out.length = l;
    out.middle = out.com;
    out.mass = times(beam_.mass, l);
    // m l^2/12 of the line, and the slices' own.
    const Value line = over(times(out.mass, times(l, l)), Value(12.0));
    const auto slices = [&](std::size_t c) { return times(beam_.inertia[c], l); };
    out.inertia = plus(line, slices(2));
    if (inSpace() || beam_.is_shape) {
      const Tensor own{slices(0), plus(line, slices(1)), out.inertia, Value(0.0), Value(0.0), Value(0.0)};
      out.tensor = axes == kNoTurn ? own : turnedTensor(own, axes);
      out.inertia = out.tensor->zz;
    }
    out.shape = shapeOf({l.number, 0.0, 0.0}, axes, beam_);
    return out;
  }

  static Tensor turnedTensor(const Tensor& own, const Quaternion& axes) {
    const auto J = turned(matrixOf(axes), Symmetric3<double>{own.xx.number, own.yy.number, own.zz.number, own.xy.number,
                                                             own.xz.number, own.yz.number});
    return {J.xx, J.yy, J.zz, J.xy, J.xz, J.yz};
  }

  // By integrals over the piece, in axes of the link.
  PlannedElement curvedElement(std::size_t k) const {
    const double from = k == 0 ? 0.0 : placeOf(k);
    const double to = k + 1 == elements_ ? plan_.length.number : placeOf(k + 1);
    MassProperties<double> whole;
    std::vector<MassProperties<double>> slices;
    Vec3<double> middle{};
    overGauss(from, to, [&](double s, double ds) {
      const BeamSection section = sectionAt(s);
      const Direction at = axis_.at(s);
      MassProperties<double> slice;
      slice.mass = section.mass.number * ds;
      slice.inertia = {section.inertia[0].number * ds,
                       section.inertia[1].number * ds,
                       section.inertia[2].number * ds,
                       0.0,
                       0.0,
                       0.0};
      slices.push_back(placed(slice, matrixOf(axesAt(s)), {at.x, at.y, at.z}));
      middle += at * (ds / (to - from));
    });
    whole = combined<double>(slices);
    PlannedElement out;
    const Direction start = axis_.at(from);
    const Direction end = axis_.at(to);
    out.origin = {start.x, start.y, start.z};
    out.com = {whole.com.x, whole.com.y, whole.com.z};
    out.length = to - from;
    out.middle = {middle.x, middle.y, middle.z};
    out.mass = whole.mass;
    const auto& J = whole.inertia;
    out.inertia = J.zz;
    if (inSpace() || beam_.is_shape) out.tensor = Tensor{J.xx, J.yy, J.zz, J.xy, J.xz, J.yz};
    const double half_way = 0.5 * (from + to);
    out.shape = shapeOf({end.x - start.x, end.y - start.y, end.z - start.z}, axesAt(half_way), sectionAt(half_way));
    return out;
  }

  // Between two springs the axes of the section are those of the spring next to the root, brought along.
  Quaternion axesAt(double s) const {
    if (!inSpace()) return frameWithXz(axis_.tangent(s), {0.0, 0.0, 1.0});
    const auto axes = sectionAxes(axis_, {s}, section_y_, roll_);
    return axes ? axes->front() : kNoTurn;
  }

  Shape shapeOf(const Direction& way, const Quaternion& axes, const BeamSection& beam) const {
    Shape shape;
    shape.kind = ShapeKind::rod;
    shape.to = {way.x, way.y, way.z};
    if (!beam.is_shape || !inSpace()) return shape;
    if (beam.shape.round) {
      shape.kind = ShapeKind::cylinder;
      shape.radius = beam.shape.half_y;
      return shape;
    }
    shape.kind = ShapeKind::box;
    shape.from = {0.5 * way.x, 0.5 * way.y, 0.5 * way.z};
    shape.to = {};
    shape.size = {lengthOf(way), 2.0 * beam.shape.half_y, 2.0 * beam.shape.half_z};
    shape.rotation = axes;
    return shape;
  }

  // Where pieces are shorter than they are thick, the sections do not stay plane over one of them.
  void warnOfThickness() {
    if (!beam_.is_shape) return;
    const double D = plan_.length.number / static_cast<double>(elements_ - 1);
    double thickness = 0.0;
    if (plan_.deforms.has(Deform::bend_z) || plan_.deforms.has(Deform::shear_y)) thickness = 2.0 * beam_.shape.half_y;
    if (plan_.deforms.has(Deform::bend_y) || plan_.deforms.has(Deform::shear_z))
      thickness = std::max(thickness, 2.0 * beam_.shape.half_z);
    if (!(D < thickness)) return;
    reader_.diagnostics.warning(
        table_.find("elements")->source,
        fmt::format("{}: an element is {:.3g} m long and {:.3g} m thick, in a direction in which it bends.", what_, D,
                    thickness),
        fmt::format("Beam theory has no more to say below {} elements of that size; fewer of them do.",
                    static_cast<int>(std::ceil(plan_.length.number / thickness)) + 1));
  }

  Reader& reader_;
  const Node& entry_;
  std::string what_;
  const Node& table_;
  std::string of_table_;
  Body body_;  // holds the points only
  KnownBody known_;
  BodyPoints points_;
  LinkPlan plan_;
  LinkAxis axis_{1.0};
  Material material_;
  BeamSection beam_;                    // at the root
  std::optional<BeamSection> end_;      // where it changes along the axis
  std::optional<Direction> section_y_;  // in axes of the link
  double roll_ = 0.0;
  std::size_t elements_ = 2;
};

}  // namespace

bool readFlexible(Reader& reader, const Node& entry) { return FlexibleReader(reader, entry).read(); }

}  // namespace linkwork::model_file
