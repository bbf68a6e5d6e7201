// LoadWatch: keeps the extreme loads of every joint over the samples and the ends of the steps of a run.
#pragma once

#include <vector>

#include "linkwork/result/archive.hpp"
#include "linkwork/simulate/joint_loads.hpp"

namespace linkwork {

class LoadWatch {
 public:
  explicit LoadWatch(const Mechanism& mechanism);

  void look(double t, const Observation& seen);
  // In the order of the file; moments of joints that carried none are left out.
  std::vector<LoadCase> cases() const;
  // For a checkpoint: what changed since the one before.
  void transfer(Archive& archive);

 private:
  struct Kept {
    double value = 0.0;
    double time = 0.0;
    JointLoad load;
    bool fresh = true;  // since the last checkpoint
  };
  // Of one joint, at one body, in one axes: force.x least, force.x greatest, ..., then the sizes.
  struct Place {
    std::size_t joint = 0;
    LoadEnd end = LoadEnd::second;
    LoadAxes axes = LoadAxes::ground;
    std::vector<Kept> kept;
  };
  static void transfer(Archive& archive, Kept& kept);

  const Mechanism& mechanism_;
  std::vector<Place> places_;
  bool begun_ = false;
};

}  // namespace linkwork
