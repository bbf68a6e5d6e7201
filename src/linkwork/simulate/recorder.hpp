// Recorder: turns observations of a mechanism into named series with units.
#pragma once

#include <string>
#include <vector>

#include "linkwork/formulation/mechanism_system.hpp"
#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

class Recorder {
 public:
  Recorder(const Mechanism& mechanism, std::size_t expected_samples);

  void record(double t, const Observation& seen);

  // Moves what was recorded into the result.
  void finish(Result& result);

  double worstEnergyBalance() const { return worst_balance_; }
  double energyScale() const;

 private:
  std::size_t add(const std::string& group, const std::string& label, const std::string& unit);
  void put(double value) { series_[next_++].values.push_back(value); }
  void recordBodies(const Observation& seen);
  void recordJoints(const Observation& seen);
  void recordLoads(const Observation& seen);
  void recordEnergies(const Observation& seen);

  const Mechanism& mechanism_;
  std::size_t expected_;
  std::vector<double> time_;
  std::vector<Series> series_;
  std::size_t next_ = 0;  // series that put() fills next

  double energy_at_start_ = 0.0;
  double worst_balance_ = 0.0;
  double lowest_potential_ = 0.0, highest_potential_ = 0.0;
  double highest_kinetic_ = 0.0;
  double lowest_work_ = 0.0, highest_work_ = 0.0;
};

}  // namespace linkwork
