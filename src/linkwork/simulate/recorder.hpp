// Recorder: turns observations of a mechanism into named series with units.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "linkwork/formulation/mechanism_system.hpp"
#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

class Recorder {
 public:
  Recorder(const Recorder&) = delete;  // the readers know where it is
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder() = default;
  Recorder(const Mechanism& mechanism, std::size_t expected_samples);

  void record(double t, const Observation& seen);

  // Moves what was recorded into the result.
  void finish(Result& result);

  double worstEnergyBalance() const { return worst_balance_; }
  double energyScale() const;

 private:
  // One series and how it is read off an observation; joint angles in space carry the turns they have made.
  using Reader = std::function<double(const Observation&)>;
  using Check = std::function<bool(const Observation&)>;  // whether the value is unique
  void add(const std::string& group, const std::string& label, const std::string& unit, Reader reader,
           Check unique = {});
  void addBody(std::size_t index);
  void addJoint(std::size_t index);
  void addLoad(std::size_t index);
  void addActuator(std::size_t index);
  void addBushing(std::size_t index);
  void addEnergies();

  const Mechanism& mechanism_;
  std::size_t expected_;
  std::vector<double> time_;
  std::vector<Series> series_;
  std::vector<Reader> readers_;  // as many as series_
  std::vector<Check> checks_;    // as many; empty for what is always unique

  double energy_at_start_ = 0.0;
  double worst_balance_ = 0.0;
  double lowest_potential_ = 0.0, highest_potential_ = 0.0;
  double highest_kinetic_ = 0.0;
  double lowest_work_ = 0.0, highest_work_ = 0.0;
};

}  // namespace linkwork
