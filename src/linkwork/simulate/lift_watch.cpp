#include "linkwork/simulate/lift_watch.hpp"

#include <cmath>
#include <utility>

#include "linkwork/base/index.hpp"
#include "linkwork/simulate/joint_loads.hpp"

namespace linkwork {

namespace {

// A load of less than this share of the whole force at the contact is round-off of none.
constexpr double kNoLoad = 1e-9;

}  // namespace

LiftWatch::LiftWatch(const Mechanism& mechanism) : mechanism_(mechanism) {
  for (std::size_t k = 0; k < mechanism.joints.size(); ++k) {
    if (mechanism.joints[k].kind == JointKind::rolling) contacts_.push_back({static_cast<int>(k)});
  }
}

int LiftWatch::look(double t, const Observation& seen, std::vector<LiftOff>& lifts, std::vector<EventRecord>& events) {
  int stop = -1;
  for (Contact& contact : contacts_) {
    const Reaction& reaction = seen.joints[at(contact.joint)];
    if (!loadIsUnique(seen, at(contact.joint))) continue;  // one of many loads that fit: its sign means nothing
    const double load = seen.contacts[at(contact.joint)].load;
    const auto& force = reaction.force_on_second;
    const bool pulls = load < -kNoLoad * std::hypot(force[0], force[1], force[2]);
    const double before = std::exchange(contact.load, load);
    if (!pulls || before < 0.0) continue;
    // Where it was nothing, as nearly as the two looks tell.
    const double time = std::isfinite(before) ? time_ + (t - time_) * before / (before - load) : t;
    const Joint& joint = mechanism_.joints[at(contact.joint)];
    const std::string& name = joint.name;
    events.push_back({name + ".lift", time});
    if (!contact.noted) lifts.push_back({name, time});
    contact.noted = true;
    if (joint.rolling.ends_at_lift && stop < 0) stop = contact.joint;
  }
  time_ = t;
  return stop;
}

void LiftWatch::transfer(Archive& archive) {
  archive(time_);
  for (Contact& contact : contacts_) {
    archive(contact.load);
    archive(contact.noted);
  }
}

}  // namespace linkwork
