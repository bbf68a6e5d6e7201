#include "linkwork/read/model_file/flexible_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace linkwork::model_file {

namespace {

constexpr std::size_t slotOf(Deform d) { return static_cast<std::size_t>(d); }
// Terms of the series of a rectangle's torsion; they fall faster than 1/n^5.
constexpr int kTorsionTerms = 60;

struct ShapeNumbers {
  Value area, Iy, Iz, J;
  Value kappa_y, kappa_z;  // share of the area that carries shear
  LinkSection section;
};

Value unity() { return Value(1.0); }

ShapeNumbers boxOf(const Value& h, const Value& b) {
  ShapeNumbers out;
  out.area = times(h, b);
  out.Iz = over(times(out.area, times(h, h)), Value(12.0));
  out.Iy = over(times(out.area, times(b, b)), Value(12.0));
  out.J = torsionConstantOfBox(h.number, b.number);
  out.kappa_y = out.kappa_z = Value(5.0 / 6.0, Expr(5.0) / Expr(6.0));
  out.section.half_y = 0.5 * h.number;
  out.section.half_z = 0.5 * b.number;
  out.section.torsion_modulus = torsionModulusOfBox(h.number, b.number);
  return out;
}

// Between the diameters D and d < D; a full circle has d = 0.
ShapeNumbers circleOf(const Value& D, const Value& d) {
  const Value D2 = times(D, D);
  const Value d2 = times(d, d);
  ShapeNumbers out;
  out.area = times(Value(std::numbers::pi / 4.0), minus(D2, d2));
  out.Iy = out.Iz = over(times(out.area, plus(D2, d2)), Value(16.0));
  out.J = times(Value(2.0), out.Iz);
  // Shear of a ring without regard to Poisson's ratio: 6 (1+m^2)^2 / (7 (1+m^2)^2 + 20 m^2), m = d/D; full: 6/7.
  const Value m2 = over(d2, D2);
  const Value s = plus(unity(), m2);
  const Value s2 = times(s, s);
  out.kappa_y = out.kappa_z = over(times(Value(6.0), s2), plus(times(Value(7.0), s2), times(Value(20.0), m2)));
  out.section.round = true;
  out.section.half_y = out.section.half_z = 0.5 * D.number;
  out.section.torsion_modulus = out.J.number / (0.5 * D.number);
  return out;
}

BeamSection beamOf(const ShapeNumbers& shape, const Material& material) {
  const Value E = material.E.value_or(Value(0.0));
  const Value G = material.G.value_or(Value(0.0));
  const Value rho = material.density.value_or(Value(0.0));
  BeamSection out;
  out.stiffness[slotOf(Deform::twist)] = times(G, shape.J);
  out.stiffness[slotOf(Deform::bend_y)] = times(E, shape.Iy);
  out.stiffness[slotOf(Deform::bend_z)] = times(E, shape.Iz);
  out.stiffness[slotOf(Deform::stretch)] = times(E, shape.area);
  out.stiffness[slotOf(Deform::shear_y)] = times(G, times(shape.kappa_y, shape.area));
  out.stiffness[slotOf(Deform::shear_z)] = times(G, times(shape.kappa_z, shape.area));
  out.mass = times(rho, shape.area);
  out.inertia = {times(rho, plus(shape.Iy, shape.Iz)), times(rho, shape.Iy), times(rho, shape.Iz)};
  out.shape = shape.section;
  out.shape.area = shape.area.number;
  out.shape.Iy = shape.Iy.number;
  out.shape.Iz = shape.Iz.number;
  out.is_shape = out.shape.half_y > 0.0;
  return out;
}

Value inProportion(const Value& a, const Value& b, double share) {
  return plus(times(a, Value(1.0 - share)), times(b, Value(share)));
}

class SectionReader {
 public:
  SectionReader(Reader& reader, const Node& node, const Material& material, const Deforms& deforms,
                const std::string& what)
      : reader_(reader), node_(node), material_(material), deforms_(deforms), what_(what) {}

  std::optional<BeamSection> read() {
    if (!reader_.checkTable(node_, what_, "a table such as { box = [\"4 mm\", \"25 mm\"] } or { EIz = 1, rhoA = 1 }"))
      return std::nullopt;
    for (const char* word : {"box", "round", "tube"}) {
      if (node_.find(word) != nullptr) return readShape(word);
    }
    for (const char* word : {"A", "Iy", "Iz", "J"}) {
      if (node_.find(word) != nullptr) return readAreas();
    }
    return readStiffnesses();
  }

 private:
  std::string of(std::string_view key) const { return fmt::format("{} of {}", key, what_); }

  Value positive(const Node* node, const Dimension& expected, std::string_view key) {
    std::optional<Value> value;
    if (node != nullptr) value = reader_.positive(*node, expected, of(key));
    good_ = good_ && value;
    return value.value_or(unity());
  }

  // --- shapes --------------------------------------------------------------------------------------------------------

  std::optional<BeamSection> readShape(const char* word) {
    const bool keys = reader_.checkKeys(node_, what_, {word, "shear_factor"});
    const Node& sizes = *node_.find(word);
    const std::string_view kind = word;
    const bool box = kind == "box";
    const auto [a, b] = box ? pairOf(sizes, "[height along y, width along z]") : readDiameters(sizes, kind == "tube");
    if (!good_) return std::nullopt;
    ShapeNumbers shape = box ? boxOf(a, b) : circleOf(a, b);
    readShearFactor(shape);
    if (!keys || !good_ || !hasMaterial()) return std::nullopt;
    BeamSection out = beamOf(shape, material_);
    out.kind = box ? BeamSection::Kind::box : BeamSection::Kind::circle;
    out.sizes = {a, b};
    out.shear_factor = shear_factor_;
    return out;
  }

  std::array<Value, 2> pairOf(const Node& node, const char* example) {
    if (node.kind != NodeKind::array || node.children.size() != 2) {
      reader_.wrongType(node, of(node.key), example);
      good_ = false;
      return {unity(), unity()};
    }
    return {positive(&node.children[0], dimension::kLength, node.key),
            positive(&node.children[1], dimension::kLength, node.key)};
  }

  // A full circle of the diameter D, or a ring [D, d].
  std::array<Value, 2> readDiameters(const Node& node, bool hollow) {
    if (!hollow) return {positive(&node, dimension::kLength, node.key), Value(0.0)};
    auto pair = pairOf(node, "[outer diameter, inner diameter]");
    if (good_ && !(pair[1].number < pair[0].number)) {
      reader_.error(node.source, fmt::format("{}: the inner diameter must be smaller than the outer one, {:g} m.",
                                             of(node.key), pair[0].number));
      good_ = false;
    }
    return pair;
  }

  void readShearFactor(ShapeNumbers& shape) {
    const Node* node = node_.find("shear_factor");
    if (node == nullptr) return;
    const Value factor = positive(node, dimension::kNumber, "shear_factor");
    shape.kappa_y = shape.kappa_z = factor;
    shear_factor_ = factor;
  }

  // --- areas ---------------------------------------------------------------------------------------------------------

  std::optional<BeamSection> readAreas() {
    const bool keys = reader_.checkKeys(node_, what_, {"A", "Iy", "Iz", "J", "shear_factor"});
    ShapeNumbers shape;
    const Dimension fourth = dimension::kArea * dimension::kArea;
    const auto given = [&](const char* key, const Dimension& expected, bool needed, Value& value) {
      const Node* node = needed ? reader_.required(node_, key, what_) : node_.find(key);
      if (node != nullptr || needed) value = positive(node, expected, key);
    };
    const bool shears = deforms_.has(Deform::shear_y) || deforms_.has(Deform::shear_z);
    given("A", dimension::kArea, true, shape.area);
    given("Iy", fourth, reader_.inSpace(), shape.Iy);
    given("Iz", fourth, reader_.inSpace() || deforms_.has(Deform::bend_z), shape.Iz);
    given("J", fourth, deforms_.has(Deform::twist), shape.J);
    if (shears && node_.find("shear_factor") == nullptr) {
      reader_.error(node_.key_source, fmt::format("{}: shear_factor is missing, and the link shears.", what_),
                    "It is the share of the area that carries shear: 5/6 of a rectangle.");
      good_ = false;
    }
    readShearFactor(shape);
    if (!keys || !good_ || !hasMaterial()) return std::nullopt;
    BeamSection out = beamOf(shape, material_);
    out.kind = BeamSection::Kind::areas;
    return out;
  }

  // --- stiffnesses ---------------------------------------------------------------------------------------------------

  // Whether there is what the ways to deform need.
  bool hasMaterial() {
    const auto needs = [&](const std::optional<Value>& given, const char* missing) {
      if (given) return;
      reader_.error(node_.key_source, fmt::format("{}: {}.", what_, missing),
                    "A section of a size needs E, nu or G, and density beside it, or give stiffnesses: "
                    "{ EIz = 1, rhoA = 1, rhoI = 0 }.");
      good_ = false;
    };
    bool bends = false;
    bool shears = deforms_.has(Deform::twist);
    for (const Deform d : {Deform::bend_y, Deform::bend_z, Deform::stretch}) bends = bends || deforms_.has(d);
    for (const Deform d : {Deform::shear_y, Deform::shear_z}) shears = shears || deforms_.has(d);
    if (bends) needs(material_.E, "no material: E is missing");
    if (shears) needs(material_.G, "no material: nu (or G) is missing");
    needs(material_.density, "no material: density is missing");
    return good_;
  }

  std::optional<BeamSection> readStiffnesses() {
    std::vector<std::string> keys(std::begin(kStiffnessWords), std::end(kStiffnessWords));
    keys.insert(keys.end(), {"rhoA", "rhoI", "rhoIy", "rhoIz"});
    if (node_.children.empty()) keys.insert(keys.begin(), {"box", "round", "tube", "A", "Iy", "Iz", "J"});
    bool good = reader_.checkKeys(node_, what_, keys);
    const Dimension bending = dimension::kForce * dimension::kArea;
    BeamSection out;
    for (std::size_t k = 0; k < kDeforms; ++k) {
      const Node* node = deforms_.any[k] ? reader_.required(node_, kStiffnessWords[k], what_,
                                                            fmt::format("The link deforms by {}.", kDeformWords[k]))
                                         : node_.find(kStiffnessWords[k]);
      if (node != nullptr) out.stiffness[k] = positive(node, k < 3 ? bending : dimension::kForce, kStiffnessWords[k]);
      good = good && (node != nullptr || !deforms_.any[k]);
    }
    const Node* mass = reader_.required(node_, "rhoA", what_, "It is the mass for each metre.");
    if (mass != nullptr) out.mass = positive(mass, dimension::kMassPerLength, "rhoA");
    const auto inertia = [&](const char* key, Value& value) {
      const Node* node = node_.find(key);
      if (node == nullptr) return;
      const auto found = reader_.notNegative(*node, dimension::kMass * dimension::kLength, of(key));
      if (found) value = *found;
      good = good && found;
    };
    inertia("rhoI", out.inertia[1]);
    out.inertia[2] = out.inertia[1];
    inertia("rhoIy", out.inertia[1]);
    inertia("rhoIz", out.inertia[2]);
    out.inertia[0] = plus(out.inertia[1], out.inertia[2]);
    if (!good || !good_ || mass == nullptr) return std::nullopt;
    if (deforms_.has(Deform::twist) && !(out.inertia[0].number > 0.0)) {
      reader_.error(node_.key_source, fmt::format("{}: the link twists, and its slices have no inertia.", what_),
                    "Give rhoI, or leave twist out: deforms = [\"bend_y\", \"bend_z\"].");
      return std::nullopt;
    }
    return out;
  }

  Reader& reader_;
  const Node& node_;
  const Material& material_;
  const Deforms& deforms_;
  const std::string& what_;
  std::optional<Value> shear_factor_;
  bool good_ = true;
};

}  // namespace

std::optional<BeamSection> readSection(Reader& reader, const Node& node, const Material& material,
                                       const Deforms& deforms, const std::string& what) {
  return SectionReader(reader, node, material, deforms, what).read();
}

BeamSection sectionBetween(const BeamSection& first, const BeamSection& last, double share, const Material& material) {
  BeamSection out = first;
  const bool has_sizes = first.kind == BeamSection::Kind::box || first.kind == BeamSection::Kind::circle;
  if (has_sizes) {
    const Value a = inProportion(first.sizes[0], last.sizes[0], share);
    const Value b = inProportion(first.sizes[1], last.sizes[1], share);
    ShapeNumbers shape = first.kind == BeamSection::Kind::box ? boxOf(a, b) : circleOf(a, b);
    if (first.shear_factor) shape.kappa_y = shape.kappa_z = *first.shear_factor;
    out = beamOf(shape, material);
    out.kind = first.kind;
    out.sizes = {a, b};
    out.shear_factor = first.shear_factor;
    return out;
  }
  for (std::size_t k = 0; k < kDeforms; ++k)
    out.stiffness[k] = inProportion(first.stiffness[k], last.stiffness[k], share);
  for (std::size_t k = 0; k < 3; ++k) out.inertia[k] = inProportion(first.inertia[k], last.inertia[k], share);
  out.mass = inProportion(first.mass, last.mass, share);
  const auto number = [share](double a, double b) { return a + share * (b - a); };
  out.shape.area = number(first.shape.area, last.shape.area);
  out.shape.Iy = number(first.shape.Iy, last.shape.Iy);
  out.shape.Iz = number(first.shape.Iz, last.shape.Iz);
  return out;
}

// J = a c^3 [16/3 - 1024/pi^5 c/a sum_{n odd} tanh(n pi a / 2c) / n^5], sides 2a >= 2c
double torsionConstantOfBox(double height, double width) {
  const double a = 0.5 * std::max(height, width);
  const double c = 0.5 * std::min(height, width);
  double sum = 0.0;
  for (int n = 2 * kTorsionTerms - 1; n > 0; n -= 2)
    sum += std::tanh(n * std::numbers::pi * a / (2.0 * c)) / std::pow(n, 5);
  return a * c * c * c * (16.0 / 3.0 - 1024.0 / std::pow(std::numbers::pi, 5) * c / a * sum);
}

// Greatest in the middle of the longer side: tau = T/J 2c [1 - 8/pi^2 sum_{n odd} 1 / (n^2 cosh(n pi a / 2c))]
double torsionModulusOfBox(double height, double width) {
  const double a = 0.5 * std::max(height, width);
  const double c = 0.5 * std::min(height, width);
  double sum = 0.0;
  for (int n = 2 * kTorsionTerms - 1; n > 0; n -= 2)
    sum += 1.0 / (static_cast<double>(n) * n * std::cosh(n * std::numbers::pi * a / (2.0 * c)));
  const double arm = 2.0 * c * (1.0 - 8.0 / (std::numbers::pi * std::numbers::pi) * sum);
  return torsionConstantOfBox(height, width) / arm;
}

std::optional<Material> readMaterial(Reader& reader, const Node& flexible, const std::string& what) {
  Material out;
  bool good = true;
  const Dimension pressure = dimension::kForce / dimension::kArea;
  const auto read = [&](const char* key, const Dimension& expected, std::optional<Value>& value) {
    const Node* node = flexible.find(key);
    if (node == nullptr) return;
    value = reader.positive(*node, expected, fmt::format("{} of {}", key, what));
    good = good && value;
  };
  read("E", pressure, out.E);
  read("G", pressure, out.G);
  read("density", dimension::kDensity, out.density);
  if (const Node* node = flexible.find("nu")) {
    const auto nu = reader.constant(*node, dimension::kNumber, "nu of " + what);
    good = good && nu;
    if (out.G) {
      reader.error(node->key_source, fmt::format("{}: G and nu are both given.", what), "Give one of them.");
      good = false;
    } else if (nu && !(nu->number > -1.0 && nu->number <= 0.5)) {
      reader.error(node->source, fmt::format("nu of {} must be above -1 and at most 0.5, got {:g}.", what, nu->number));
      good = false;
    } else if (nu && out.E) {
      // G = E / (2 (1 + nu))
      out.G = over(*out.E, times(Value(2.0), plus(Value(1.0), *nu)));
    }
  }
  return good ? std::optional(out) : std::nullopt;
}

}  // namespace linkwork::model_file
