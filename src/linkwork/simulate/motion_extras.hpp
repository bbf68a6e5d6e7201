// MotionExtras: what an engineer asks of a driven mechanism beside its motion and reactions, read off observations.
//
//   drive power          effort times rate of the coordinate
//   shaking              -d/dt of the momentum of all bodies, and of its moment about the ground's origin
//   instant centre       of a body (in the plane): the point of it that is at rest; of two bodies: at rest in the other
//   transmission angle   between coupler and follower at the joint that connects them; 90 degrees is best
//   mechanical advantage effort of the output for a unit of the drive's effort, from the ratio of their rates
//   traces               places and velocities of named points                           [docs/theory/06, eq. 6.4
//   to 6.8]
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "linkwork/formulation/mechanism_system.hpp"
#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/result.hpp"
#include "linkwork/scalar/tape.hpp"

namespace linkwork {

// A transmission angle in the plane: at `joint`, between the line to the coupler's other end and the follower, which
// turns about or slides along `base` on the ground.
struct Transmission {
  int joint = 0;
  int coupler_end = 0;  // joint
  int base = 0;         // joint
  BodyIndex coupler, follower;
};

// Of the four-bars and slider-cranks in a planar mechanism whose input has a drive.
std::vector<Transmission> findTransmissions(const Mechanism& mechanism);
// At the joint of this name; "B,A" says which joint is the coupler's other end. A problem in words where there is none.
struct NamedTransmission {
  std::string problem;
  Transmission found;
};
NamedTransmission transmissionAt(const Mechanism& mechanism, const std::string& text);

struct ExtraOptions {
  std::vector<Quantity> outputs;                         // coordinates whose mechanical advantage is wanted
  std::vector<std::pair<BodyIndex, BodyIndex>> centres;  // beside those of every body against the ground
  std::vector<Trace> points;                             // beside the model's traces
  std::vector<Transmission> transmissions;
};

class MotionExtras {
 public:
  MotionExtras(const MotionExtras&) = delete;  // the readers know where it is
  MotionExtras& operator=(const MotionExtras&) = delete;
  ~MotionExtras() = default;
  MotionExtras(const Mechanism& mechanism, ExtraOptions options);

  void record(double t, const Observation& seen);
  void finish(Result& result);  // adds its series behind those that are there

 private:
  using Reader = std::function<double(const Observation&)>;
  void add(const std::string& group, const std::string& label, const std::string& unit, Reader reader);
  void addPowers();
  void addShaking();
  void addCentre(BodyIndex body, BodyIndex other);
  void addTransmission(const Transmission& transmission);
  void addAdvantage(const Quantity& output);
  void addTrace(const Trace& trace);

  const Mechanism& mechanism_;
  ExtraOptions options_;
  Tape rates_;  // of the drives' motions, of t
  std::vector<double> rate_scratch_, drive_rates_;
  std::vector<Series> series_;
  std::vector<Reader> readers_;
};

}  // namespace linkwork
