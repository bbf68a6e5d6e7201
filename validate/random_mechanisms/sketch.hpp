// Sketch: a mechanism drawn body by body. Every joint is put where its two bodies are drawn, so that loops are closed
// in the drawing whatever they look like; numbers are then written to so many digits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "draws.hpp"
#include "model_text.hpp"

namespace linkwork::random_mechanisms {

// Where a sketch lies: in the plane of a planar file, in a tilted plane of a file in space, or anywhere in space.
enum class Setting { plane, tilted_plane, space };

struct Part {
  std::string name;  // "ground", "b1"
  V3 at{};           // the body frame
  double angle = 0;  // of the body frame, in its plane
};

// A joint with a coordinate, or with two.
struct Coordinate {
  std::string joint;
  std::string word;       // "angle" or "slide"
  double drawn = 0;       // its value in the drawing
  bool has_rate = false;  // "j1.rate" is its name
  std::string first, second;
};

class Sketch {
 public:
  Sketch(Setting setting, Draws& draws);

  Draws& draws() { return draws_; }
  Setting setting() const { return setting_; }
  bool flat() const { return setting_ != Setting::space; }
  bool spatialFile() const { return setting_ != Setting::plane; }
  // Freedoms that the joints so far leave, if no equation repeats another.
  int freedoms() const { return freedoms_; }
  const std::vector<Part>& parts() const { return parts_; }  // the ground first
  const std::vector<Coordinate>& coordinates() const { return coordinates_; }
  // The point in which all axes meet; only used by sketches in space.
  void axesMeetAt(const V3& centre) { meet_ = centre; }
  void digits(int count) { digits_ = count; }

  // A place near another; in a plane, in that plane.
  V3 near(const V3& place, double reach);
  V3 direction();
  V3 across(const V3& direction);
  V3 axisThrough(const V3& place);

  int addBody(const V3& at);
  // Rows of such a joint, and whether there is one here.
  int rowsOf(const std::string& kind) const;
  // `kind` between two parts at a place, of the drawing or, askew, in axes of the bodies.
  void addJoint(const std::string& kind, int first, int second, const V3& place);
  void repeatLastJoint();  // the same once more, where that is possible at another place
  void addRelation();
  void addDrive();
  void addLoad();
  void addRates();
  ModelText& text() { return text_; }

  std::string vectorText(const V3& v) const;
  // A new point of the drawing.
  std::string pointAt(const V3& place);

 private:
  struct LastJoint {
    std::string kind;
    int first = 0, second = 0;
    V3 place{}, axis{};
  };
  std::string directionsOf(const std::string& kind, const V3& axis);
  void noteCoordinates(const std::string& kind, const std::string& name, int first, int second);
  void addJointAlong(const std::string& kind, int first, int second, const V3& place, const V3& axis);
  std::string someEnd();  // of a spring: a point on a body
  std::string formulaOfTime(double size);
  std::string scalarFormula(double size, const std::string& about);
  void addForce(const std::string& name);
  void addCouple(const std::string& name);
  void addSpring(const std::string& name);
  void addTurningSpring(const std::string& name);
  void addBushing(const std::string& name);
  void addActuator(const std::string& name);

  Setting setting_;
  Draws& draws_;
  ModelText text_;
  std::vector<Part> parts_;
  std::vector<Coordinate> coordinates_;
  std::vector<bool> driven_;
  LastJoint last_;
  V3 origin_{}, u_{1, 0, 0}, v_{0, 1, 0}, n_{0, 0, 1};  // the plane, in ground axes
  std::optional<V3> meet_;
  int digits_ = kAllDigits;
  int freedoms_ = 0;
  int points_ = 0, joints_ = 0, loads_ = 0, drives_ = 0;
};

}  // namespace linkwork::random_mechanisms
