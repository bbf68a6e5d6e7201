// The load table: for every joint, at both of its bodies and in both axes, the cases in which a component or a size is
// extreme, each with the whole load at that time. What a stress analysis of a part starts from.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace linkwork {

enum class LoadEnd { second, first };  // the body it acts on: second- or first-named
enum class LoadAxes { ground, body };  // body: of the body it acts on
enum class Extreme { least, greatest };

// What a joint exerts on one of its bodies: the force, and the moment about the joint's point on that body.
struct JointLoad {
  std::array<double, 3> force{};   // N
  std::array<double, 3> moment{};  // N*m
  // False: one of many that fit, that of least norm.
  std::array<bool, 3> force_unique{true, true, true};
  std::array<bool, 3> moment_unique{true, true, true};
};

struct LoadCase {
  std::string joint;
  std::string body;  // on which it acts
  LoadEnd end = LoadEnd::second;
  LoadAxes axes = LoadAxes::ground;
  std::string quantity;  // what is extreme: "force.x", ..., "moment.z", "force", "moment" (their sizes)
  Extreme extreme = Extreme::greatest;
  double time = 0.0;  // s, of the sample at which it is so
  JointLoad load;
};

}  // namespace linkwork
