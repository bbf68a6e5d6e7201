#include "linkwork/simulate/recorder.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace linkwork {

namespace {

bool hasAngle(const Joint& joint) { return joint.kind == JointKind::revolute; }
bool hasSlide(const Joint& joint) { return joint.kind == JointKind::prismatic || joint.kind == JointKind::pin_slot; }
// A pin carries no moment about itself.
bool hasMoment(const Joint& joint) { return joint.kind != JointKind::revolute && joint.kind != JointKind::distance; }

}  // namespace

Recorder::Recorder(const Mechanism& mechanism, std::size_t expected_samples)
    : mechanism_(mechanism), expected_(expected_samples) {
  time_.reserve(expected_);
  for (const Body& body : mechanism.bodies) {
    for (const char* suffix : {"", "_rate", "_acceleration"}) {
      const std::string per = suffix[0] == '\0' ? "" : suffix[1] == 'r' ? "/s" : "/s^2";
      add(body.name, std::string("x") + suffix, "m" + per);
      add(body.name, std::string("y") + suffix, "m" + per);
      add(body.name, std::string("angle") + suffix, "rad" + per);
    }
  }
  for (const Joint& joint : mechanism.joints) {
    if (hasAngle(joint) || hasSlide(joint)) {
      add(joint.name, hasAngle(joint) ? "angle" : "slide", hasAngle(joint) ? "rad" : "m");
      add(joint.name, hasAngle(joint) ? "angle_rate" : "slide_rate", hasAngle(joint) ? "rad/s" : "m/s");
    }
    add(joint.name, "force.x", "N");
    add(joint.name, "force.y", "N");
    if (hasMoment(joint)) {
      add(joint.name, "moment", "N*m");
      add(joint.name, "moment_on_first", "N*m");
    }
  }
  for (const Drive& drive : mechanism.drives) add(drive.name, "effort", drive.kind == DriveKind::angle ? "N*m" : "N");
  for (const Load& load : mechanism.loads) {
    switch (load.kind) {
      case LoadKind::force:
        add(load.name, "force.x", "N");
        add(load.name, "force.y", "N");
        break;
      case LoadKind::couple: add(load.name, "moment", "N*m"); break;
      case LoadKind::spring_damper:
        add(load.name, "tension", "N");
        add(load.name, "length", "m");
        break;
      case LoadKind::rotational_spring_damper:
        add(load.name, "torque", "N*m");
        add(load.name, "angle", "rad");
        break;
    }
  }
  for (const char* label : {"kinetic", "potential", "supplied", "balance"}) add("energy", label, "J");
  add("violation", "position", "m");
  add("violation", "velocity", "m/s");
  add("violation", "acceleration", "m/s^2");
}

std::size_t Recorder::add(const std::string& group, const std::string& label, const std::string& unit) {
  series_.push_back({group + "." + label, unit, group, label, {}});
  series_.back().values.reserve(expected_);
  return series_.size() - 1;
}

void Recorder::record(double t, const Observation& seen) {
  time_.push_back(t);
  next_ = 0;
  recordBodies(seen);
  recordJoints(seen);
  for (const double effort : seen.drive_efforts) put(effort);
  recordLoads(seen);
  recordEnergies(seen);
  put(seen.violation.position);
  put(seen.violation.velocity);
  put(seen.violation.acceleration);
}

void Recorder::recordBodies(const Observation& seen) {
  for (const BodyMotion& body : seen.bodies) {
    for (const auto* level : {&body.position, &body.velocity, &body.acceleration}) {
      for (const double value : *level) put(value);
    }
  }
}

void Recorder::recordJoints(const Observation& seen) {
  for (std::size_t k = 0; k < mechanism_.joints.size(); ++k) {
    const Joint& joint = mechanism_.joints[k];
    const Reaction& reaction = seen.joints[k];
    if (hasAngle(joint) || hasSlide(joint)) {
      put(seen.joint_coordinates[k]);
      put(seen.joint_rates[k]);
    }
    put(reaction.force_on_second[0]);
    put(reaction.force_on_second[1]);
    if (hasMoment(joint)) {
      put(reaction.moment_on_second);
      put(reaction.moment_on_first);
    }
  }
}

void Recorder::recordLoads(const Observation& seen) {
  for (std::size_t k = 0; k < mechanism_.loads.size(); ++k) {
    put(seen.loads[k].force[0]);
    if (mechanism_.loads[k].kind != LoadKind::couple) put(seen.loads[k].force[1]);
  }
}

void Recorder::recordEnergies(const Observation& seen) {
  const double total = seen.kinetic + seen.potential - seen.supplied_work;
  if (time_.size() == 1) {
    energy_at_start_ = total;
    lowest_potential_ = highest_potential_ = seen.potential;
    lowest_work_ = highest_work_ = seen.supplied_work;
  }
  const double balance = total - energy_at_start_;
  worst_balance_ = std::max(worst_balance_, std::abs(balance));
  highest_kinetic_ = std::max(highest_kinetic_, seen.kinetic);
  lowest_potential_ = std::min(lowest_potential_, seen.potential);
  highest_potential_ = std::max(highest_potential_, seen.potential);
  lowest_work_ = std::min(lowest_work_, seen.supplied_work);
  highest_work_ = std::max(highest_work_, seen.supplied_work);
  put(seen.kinetic);
  put(seen.potential);
  put(seen.supplied_work);
  put(balance);
}

double Recorder::energyScale() const {
  return std::max({highest_kinetic_, highest_potential_ - lowest_potential_, highest_work_ - lowest_work_});
}

void Recorder::finish(Result& result) {
  result.time = std::move(time_);
  result.series = std::move(series_);
}

}  // namespace linkwork
