#include "linkwork/simulate/load_watch.hpp"

#include <array>
#include <cmath>
#include <span>

namespace linkwork {

namespace {

struct WatchedLoad {
  const char* name;
  bool moment = false;
  std::size_t axis = 0;
  bool size = false;
};

constexpr std::array<WatchedLoad, 8> kInSpace{{{"force.x", false, 0},
                                               {"force.y", false, 1},
                                               {"force.z", false, 2},
                                               {"force", false, 0, true},
                                               {"moment.x", true, 0},
                                               {"moment.y", true, 1},
                                               {"moment.z", true, 2},
                                               {"moment", true, 0, true}}};
constexpr std::array<WatchedLoad, 4> kInPlane{
    {{"force.x", false, 0}, {"force.y", false, 1}, {"force", false, 0, true}, {"moment", true, 2}}};

std::span<const WatchedLoad> quantitiesOf(const Mechanism& mechanism, const Joint& joint) {
  const bool moment = carriesMoment(mechanism, joint);
  if (mechanism.space == Space::spatial) return std::span(kInSpace).first(moment ? 8 : 4);
  return std::span(kInPlane).first(moment ? 4 : 3);
}

double valueOf(const WatchedLoad& quantity, const JointLoad& load) {
  const auto& vector = quantity.moment ? load.moment : load.force;
  return quantity.size ? std::hypot(vector[0], vector[1], vector[2]) : vector[quantity.axis];
}

}  // namespace

LoadWatch::LoadWatch(const Mechanism& mechanism) : mechanism_(mechanism) {
  for (std::size_t k = 0; k < mechanism.joints.size(); ++k) {
    const Joint& joint = mechanism.joints[k];
    if (isRelation(joint.kind)) continue;  // acts at no point
    for (const LoadEnd end : {LoadEnd::second, LoadEnd::first}) {
      for (const LoadAxes axes : {LoadAxes::ground, LoadAxes::body}) {
        if (axes == LoadAxes::body && !bodyAt(joint, end).valid()) continue;  // the ground's are the ground's
        places_.push_back({k, end, axes, std::vector<Kept>(2 * quantitiesOf(mechanism, joint).size())});
      }
    }
  }
}

void LoadWatch::look(double t, const Observation& seen) {
  for (Place& place : places_) {
    const JointLoad load = jointLoad(mechanism_, seen, place.joint, place.end, place.axes);
    const auto quantities = quantitiesOf(mechanism_, mechanism_.joints[place.joint]);
    for (std::size_t k = 0; k < quantities.size(); ++k) {
      const double value = valueOf(quantities[k], load);
      if (!begun_ || value < place.kept[2 * k].value) place.kept[2 * k] = {value, t, load};
      if (!begun_ || value > place.kept[2 * k + 1].value) place.kept[2 * k + 1] = {value, t, load};
    }
  }
  begun_ = true;
}

std::vector<LoadCase> LoadWatch::cases() const {
  std::vector<LoadCase> out;
  if (!begun_) return out;
  for (const Place& place : places_) {
    const Joint& joint = mechanism_.joints[place.joint];
    const auto quantities = quantitiesOf(mechanism_, joint);
    // In space the last of all is the greatest size of the moment.
    const bool no_moment = quantities.size() == kInSpace.size() && place.kept.back().value == 0.0;
    for (std::size_t k = 0; k < quantities.size(); ++k) {
      if (quantities[k].moment && no_moment) continue;
      for (const Extreme extreme : {Extreme::least, Extreme::greatest}) {
        if (quantities[k].size && extreme == Extreme::least) continue;
        const Kept& kept = place.kept[2 * k + (extreme == Extreme::greatest ? 1 : 0)];
        out.push_back({joint.name, std::string(mechanism_.bodyName(bodyAt(joint, place.end))), place.end, place.axes,
                       quantities[k].name, extreme, kept.time, kept.load});
      }
    }
  }
  return out;
}

void LoadWatch::transfer(Archive& archive, Kept& kept) {
  archive(kept.value);
  archive(kept.time);
  archive(kept.load.force);
  archive(kept.load.moment);
  archive(kept.load.force_unique);
  archive(kept.load.moment_unique);
}

void LoadWatch::transfer(Archive& archive) {
  archive(begun_);
  for (Place& place : places_) {
    for (Kept& kept : place.kept) {
      archive(kept.fresh);
      if (kept.fresh) transfer(archive, kept);
      kept.fresh = false;
    }
  }
}

}  // namespace linkwork
