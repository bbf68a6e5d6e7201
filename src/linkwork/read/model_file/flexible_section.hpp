// The section of a flexible link: a shape and a material, or stiffnesses, as the model file gives them.
#pragma once

#include <optional>
#include <string>

#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

// Ways in which a flexible link deforms, in this order: turns about the section's x (along the axis), y, z; slides
// along them.
enum class Deform { twist, bend_y, bend_z, stretch, shear_y, shear_z };
inline constexpr std::size_t kDeforms = 6;
inline constexpr const char* kDeformWords[kDeforms] = {"twist", "bend_y", "bend_z", "stretch", "shear_y", "shear_z"};
// Of the stiffness of each: what a section of stiffnesses calls it.
inline constexpr const char* kStiffnessWords[kDeforms] = {"GJ", "EIy", "EIz", "EA", "GAy", "GAz"};

struct Deforms {
  std::array<bool, kDeforms> any{};
  bool has(Deform d) const { return any[static_cast<std::size_t>(d)]; }
};

// A beam at one place of its axis. Inertias are those of a slice, for each metre: polar, about y, about z.
struct BeamSection {
  std::array<Value, kDeforms> stiffness{};  // N m^2, or N for slides; of what does not deform perhaps zero
  Value mass;                               // kg/m
  std::array<Value, 3> inertia{};           // kg m
  LinkSection shape;                        // for stresses and for the drawing
  bool is_shape = false;

  // What it was made from: two sizes of a shape, or nothing more than the numbers above.
  enum class Kind { box, circle, areas, stiffnesses };
  Kind kind = Kind::stiffnesses;
  std::array<Value, 2> sizes{};
  std::optional<Value> shear_factor;
};

// E, G and density: what of them is given.
struct Material {
  std::optional<Value> E, G, density;
};

// nullopt after messages. `flexible` is the table that holds E, nu or G, and density; `what` names it.
std::optional<Material> readMaterial(Reader& reader, const Node& flexible, const std::string& what);
std::optional<BeamSection> readSection(Reader& reader, const Node& node, const Material& material,
                                       const Deforms& deforms, const std::string& what);

// Between two sections of one kind, `share` of the way from the first: sizes in proportion, else stiffnesses and
// masses.
BeamSection sectionBetween(const BeamSection& first, const BeamSection& last, double share, const Material& material);

// Torsion constant of a rectangle, m^4, and its moment over the greatest shear stress, m^3.
double torsionConstantOfBox(double height, double width);
double torsionModulusOfBox(double height, double width);

}  // namespace linkwork::model_file
