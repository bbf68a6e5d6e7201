// Units of the model file: dimensions, unit texts such as "kg*m^2", and how a dimension is named in a message.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace linkwork {

// Exponents of metre, kilogram, second and radian. The radian is a pure number in arithmetic (N*m/rad is a torque per
// angle, and r * angle is a length); its exponent is kept to name things and to tell a turn from a plain number.
struct Dimension {
  double m = 0.0;
  double kg = 0.0;
  double s = 0.0;
  double rad = 0.0;
};

namespace dimension {
inline constexpr Dimension kNumber{};
inline constexpr Dimension kLength{1, 0, 0, 0};
inline constexpr Dimension kMass{0, 1, 0, 0};
inline constexpr Dimension kTime{0, 0, 1, 0};
inline constexpr Dimension kAngle{0, 0, 0, 1};
inline constexpr Dimension kFrequency{0, 0, -1, 0};
inline constexpr Dimension kVelocity{1, 0, -1, 0};
inline constexpr Dimension kAcceleration{1, 0, -2, 0};
inline constexpr Dimension kAngularRate{0, 0, -1, 1};
inline constexpr Dimension kInertia{2, 1, 0, 0};
inline constexpr Dimension kForce{1, 1, -2, 0};
inline constexpr Dimension kTorque{2, 1, -2, 0};
inline constexpr Dimension kStiffness{0, 1, -2, 0};
inline constexpr Dimension kDamping{0, 1, -1, 0};
inline constexpr Dimension kTorsionalStiffness{2, 1, -2, -1};
inline constexpr Dimension kTorsionalDamping{2, 1, -1, -1};
inline constexpr Dimension kArea{2, 0, 0, 0};
inline constexpr Dimension kMassPerLength{-1, 1, 0, 0};
inline constexpr Dimension kMassPerArea{-2, 1, 0, 0};
inline constexpr Dimension kDensity{-3, 1, 0, 0};
}  // namespace dimension

Dimension operator*(const Dimension& a, const Dimension& b);
Dimension operator/(const Dimension& a, const Dimension& b);
Dimension power(const Dimension& a, double exponent);

// Equal but for radians.
bool sameDimension(const Dimension& a, const Dimension& b);
// No metre, kilogram, second or radian in it.
bool isPureNumber(const Dimension& a);
bool isAngle(const Dimension& a);
bool isAngularRate(const Dimension& a);

// "a mass (kg)", "an angle (rad)", "a plain number", "a quantity in kg^2*m".
std::string describe(const Dimension& a);
// "kg*m^2", "N*m", "rad/s"; empty for a pure number.
std::string siUnit(const Dimension& a);

// A value in SI is number * up / down; two factors, so that 35 mm is exactly the double 0.035.
struct Unit {
  double up = 1.0;
  double down = 1.0;
  Dimension dimension;
};

inline double toSi(double number, const Unit& unit) { return number * unit.up / unit.down; }

// What is wrong with a text, and at which byte of it.
struct TextError {
  std::size_t offset = 0;
  std::string message;
  std::string hint;
};

// unit = factor { ("*" | "/") factor };  factor = (name | "1" | "(" unit ")") [ "^" integer ]
std::variant<Unit, TextError> parseUnit(std::string_view text);

// One name such as "mm"; nullopt if there is no such unit.
std::optional<Unit> findUnit(std::string_view name);
std::vector<std::string> unitNames();

}  // namespace linkwork
