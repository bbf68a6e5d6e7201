// Recorder: turns observations of a mechanism into named series with units.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linkwork/formulation/mechanism_system.hpp"
#include "linkwork/geometry/euler_angles.hpp"
#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/archive.hpp"
#include "linkwork/result/result.hpp"
#include "linkwork/simulate/force_scale.hpp"
#include "linkwork/simulate/joint_loads.hpp"

namespace linkwork {

// standard: what most look at; all: also every reaction at both bodies in both axes, Euler angles, and the method's own
// multipliers.
enum class Columns { standard, all };

inline constexpr double kMostSamples = 2e6;  // of a run; more would not fit into memory with all their series

// Of a run that is not told one.
inline double usualOutputStep(double until) { return until / 1000.0; }

class Recorder {
 public:
  Recorder(const Recorder&) = delete;  // the readers know where it is
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder() = default;
  Recorder(const Mechanism& mechanism, std::size_t expected_samples, Columns columns = Columns::standard);

  // The method's own multipliers, before the first record; from then on each record needs their values.
  void addMultipliers(const std::vector<std::string>& names);
  void record(double t, const Observation& seen, std::span<const double> multipliers = {});
  // Takes the last record back: one of the same time takes its place. What it added to extremes stays.
  void dropLast();

  // How far apart two observations are in what may jump, unit by unit, and the greatest value of that unit so far; and
  // both as forces, the greatest then of all units.
  struct Apart {
    double difference = 0.0;
    double greatest = 0.0;
    double force_difference = 0.0;
    double greatest_force = 0.0;
  };
  // Units of what jumps with a load; constraint violations share one of them, and are not looked at.
  static constexpr std::array<std::string_view, 4> kJumping{"N", "N*m", "m/s^2", "rad/s^2"};
  std::array<Apart, kJumping.size()> apart(const Observation& a, const Observation& b) const;

  const std::vector<Series>& series() const { return series_; }
  std::size_t samples() const { return time_.size(); }

  // For a checkpoint: the samples from `from` on (reading: put behind as many), and what else is kept between them.
  void transfer(Archive& archive, std::size_t from);

  // Moves what was recorded into the result.
  void finish(Result& result);

  double worstEnergyBalance() const { return worst_balance_; }
  double energyScale() const;
  // What the greatest force so far (of loads, reactions and inertia) would do over a length, or all masses would have
  // if they went that far in the time so far.
  double possibleEnergy(double length) const;

 private:
  // One series and how it is read off an observation; joint angles in space carry the turns they have made.
  using Reader = std::function<double(const Observation&)>;
  using Check = std::function<bool(const Observation&)>;  // whether the value is unique
  void add(const std::string& group, const std::string& label, const std::string& unit, Reader reader,
           Check unique = {});
  void addBody(std::size_t index);
  void addJoint(std::size_t index);
  void addLoad(std::size_t index);
  void addLink(const FlexibleLink& link);
  void addEnergies();
  void addEulerAngles(std::size_t body);
  void addReactions(std::size_t joint);
  void addContact(std::size_t joint);
  void findUniqueParts(const Observation& seen);
  void addUniquePart(std::size_t joint, bool moment);
  void transferUniqueParts(Archive& archive);
  void recordEulerAngles(const Observation& seen);

  const Mechanism& mechanism_;
  std::size_t expected_;
  Columns columns_;
  std::vector<double> time_;
  std::vector<Series> series_;
  std::vector<Reader> readers_;  // as many as series_; empty for what is not read off one by one
  std::vector<Check> checks_;    // as many; empty for what is always unique

  // Angles that are followed from sample to sample: the first of three series, or one.
  struct EulerTrack {
    std::size_t body = 0;
    EulerOrder order = EulerOrder::zxz;
    std::size_t series = 0;
  };
  std::vector<EulerTrack> euler_;
  void chooseSign(std::size_t first);
  std::vector<std::size_t> quaternions_;  // series of their first entries
  std::vector<std::size_t> wrapped_;      // series whose reader knows the angle only up to whole turns
  std::size_t multipliers_ = 0;           // the first of their series
  std::size_t multiplier_count_ = 0;

  // Forces and moments of joints that are not unique from the first sample on: the part that is, as long as it keeps
  // its directions.
  struct UniquePart {
    std::size_t joint = 0;
    bool moment = false;
    std::size_t series = 0;  // the first, of two or three
    int directions = 0;
    bool lasts = true;
  };
  std::vector<UniquePart> unique_parts_;
  std::vector<std::size_t> joint_ends_;  // of each joint: behind its last series
  std::size_t axes() const { return mechanism_.space == Space::spatial ? 3 : 2; }

  std::vector<int> jumping_;  // of each series: which of the units in kJumping, or -1
  std::array<double, kJumping.size()> greatest_{};
  ForceScale force_scale_;
  std::vector<double> as_force_;  // of each series: newtons for one of its unit, where it may jump
  double greatest_force_ = 0.0;   // N

  double energy_at_start_ = 0.0;
  double worst_balance_ = 0.0;
  double lowest_potential_ = 0.0, highest_potential_ = 0.0;
  double highest_kinetic_ = 0.0;
  double lowest_work_ = 0.0, highest_work_ = 0.0;
};

}  // namespace linkwork
