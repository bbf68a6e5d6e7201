#include "linkwork/simulate/recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "linkwork/elements/element_set.hpp"
#include "linkwork/model/compliance.hpp"
#include "linkwork/simulate/axis_names.hpp"

namespace linkwork {

namespace {

// The angle nearest to the last one among those that differ by whole turns.
double unwrapped(double angle, double last) {
  return angle + 2.0 * std::numbers::pi * std::round((last - angle) / (2.0 * std::numbers::pi));
}

bool isTorque(const Mechanism& mechanism, const Drive& drive) {
  if (drive.kind != DriveKind::quantity) return drive.kind == DriveKind::angle;
  const std::optional<Quantity> of = findQuantity(mechanism, drive.of);
  return of && quantityUnit(mechanism, *of).starts_with("rad");
}

}  // namespace

Recorder::Recorder(const Mechanism& mechanism, std::size_t expected_samples, Columns columns)
    : mechanism_(mechanism), expected_(expected_samples), columns_(columns), force_scale_(mechanism) {
  time_.reserve(expected_);
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) addBody(b);
  for (std::size_t k = 0; k < mechanism.joints.size(); ++k) {
    addJoint(k);
    joint_ends_.push_back(series_.size());
  }
  for (std::size_t k = 0; k < mechanism.drives.size(); ++k) {
    const Drive& drive = mechanism.drives[k];
    add(
        drive.name, "effort", isTorque(mechanism, drive) ? "N*m" : "N",
        [k](const Observation& seen) { return seen.drive_efforts[k]; },
        [k](const Observation& seen) { return bool(seen.drive_efforts_unique[k]); });
  }
  for (std::size_t k = 0; k < mechanism.loads.size(); ++k) addLoad(k);
  for (const FlexibleLink& link : mechanism.links) addLink(link);
  for (std::size_t k = 0; k < mechanism.outputs.size(); ++k) {
    const Output& output = mechanism.outputs[k];
    const auto read = [k](const Observation& seen) { return seen.outputs[k]; };
    // What equations record of themselves has a group and is known by its name alone (recordedNames); the name of a
    // user's output has no dot.
    if (const std::size_t dot = output.name.find('.'); dot != std::string::npos) {
      add(output.name.substr(0, dot), output.name.substr(dot + 1), output.unit, read);
      series_.back().name = series_.back().label;
      continue;
    }
    add("outputs", output.name, output.unit, read);
  }
  addEnergies();
  add("violation", "position", "m", [](const Observation& seen) { return seen.violation.position; });
  add("violation", "velocity", "m/s", [](const Observation& seen) { return seen.violation.velocity; });
  add("violation", "acceleration", "m/s^2", [](const Observation& seen) { return seen.violation.acceleration; });
}

void Recorder::add(const std::string& group, const std::string& label, const std::string& unit, Reader reader,
                   Check unique) {
  series_.push_back({group + "." + label, unit, group, label, {}});
  checks_.push_back(std::move(unique));
  series_.back().values.reserve(expected_);
  const auto found = std::find(kJumping.begin(), kJumping.end(), unit);
  const bool jumping = found != kJumping.end() && reader && group != "violation";
  jumping_.push_back(jumping ? static_cast<int>(found - kJumping.begin()) : -1);
  as_force_.push_back(jumping ? force_scale_.of(unit) : 0.0);
  readers_.push_back(std::move(reader));
}

void Recorder::addBody(std::size_t index) {
  const std::string& name = mechanism_.bodies[index].name;
  const bool spatial = mechanism_.space == Space::spatial;
  const std::size_t first = series_.size();
  using Vector = std::array<double, 3> BodyMotion::*;
  const auto addVector = [&](Vector vector, std::size_t from, std::size_t to, const std::string& before,
                             const std::string& after, const std::string& unit) {
    for (std::size_t k = from; k < to; ++k) {
      add(name, fmt::format("{}{}{}", before, kAxes[k], after), unit,
          [index, vector, k](const Observation& seen) { return (seen.bodies[index].*vector)[k]; });
    }
  };
  const std::size_t axes = spatial ? 3 : 2;
  addVector(&BodyMotion::position, 0, axes, "", "", "m");
  if (spatial) {
    quaternions_.push_back(series_.size());
    for (std::size_t k = 0; k < 4; ++k) {
      add(name, std::string("orientation.") + "wxyz"[k], "",
          [index, k](const Observation& seen) { return seen.bodies[index].orientation[k]; });
    }
  } else {
    add(name, "angle", "rad", [index](const Observation& seen) { return seen.bodies[index].angle; });
  }
  addVector(&BodyMotion::velocity, 0, axes, "", "_rate", "m/s");
  if (spatial) {
    addVector(&BodyMotion::angular_velocity, 0, 3, "angular_velocity.", "", "rad/s");
  } else {
    add(name, "angle_rate", "rad/s",
        [index](const Observation& seen) { return seen.bodies[index].angular_velocity[2]; });
  }
  addVector(&BodyMotion::acceleration, 0, axes, "", "_acceleration", "m/s^2");
  if (spatial) {
    addVector(&BodyMotion::angular_acceleration, 0, 3, "angular_acceleration.", "", "rad/s^2");
  } else {
    add(name, "angle_acceleration", "rad/s^2",
        [index](const Observation& seen) { return seen.bodies[index].angular_acceleration[2]; });
  }
  for (std::size_t k = first; k < series_.size(); ++k) {
    if (jumping_[k] >= 0) as_force_[k] = force_scale_.of(series_[k].unit, mechanism_.bodies[index]);
  }
  if (spatial && columns_ == Columns::all) addEulerAngles(index);
}

void Recorder::addEulerAngles(std::size_t body) {
  for (const EulerOrder order : {EulerOrder::zxz, EulerOrder::zyx}) {
    euler_.push_back({body, order, series_.size()});
    for (int k = 1; k <= 3; ++k) {
      add(mechanism_.bodies[body].name, fmt::format("{}.{}", order == EulerOrder::zxz ? "zxz" : "zyx", k), "rad", {});
    }
  }
}

void Recorder::addJoint(std::size_t index) {
  const Joint& joint = mechanism_.joints[index];
  const bool spatial = mechanism_.space == Space::spatial;
  if (hasAngle(joint.kind)) {
    add(joint.name, "angle", "rad", [index](const Observation& seen) { return seen.joint_motions[index].angle; });
    add(joint.name, "angle_rate", "rad/s",
        [index](const Observation& seen) { return seen.joint_motions[index].angle_rate; });
  }
  if (hasSlide(joint.kind)) {
    add(joint.name, "slide", "m", [index](const Observation& seen) { return seen.joint_motions[index].slide; });
    add(joint.name, "slide_rate", "m/s",
        [index](const Observation& seen) { return seen.joint_motions[index].slide_rate; });
  }
  for (int turn = 0; turn < 3 && hasTurns(joint); ++turn) {
    const auto k = static_cast<std::size_t>(turn);
    const auto first = static_cast<int>(QuantityKind::joint_turn_1);
    const auto addTurn = [&](int kind, const char* unit, auto member) {
      const Quantity quantity{static_cast<QuantityKind>(first + kind), static_cast<int>(index)};
      add(joint.name, quantityName(mechanism_, quantity).substr(joint.name.size() + 1), unit,
          [index, k, member](const Observation& seen) { return (seen.joint_motions[index].*member)[k]; });
    };
    addTurn(turn, "rad", &JointMotion::turns);
    addTurn(turn + 3, "rad/s", &JointMotion::turn_rates);
  }
  if (joint.compliance) {
    add(joint.name, "gap", "m", [index](const Observation& seen) { return seen.joint_motions[index].gap; });
    if (heldDirections(joint.kind, mechanism_.space).holdsTurns()) {
      add(joint.name, "axis_angle", "rad",
          [index](const Observation& seen) { return seen.joint_motions[index].axis_angle; });
    }
  }
  if (isRelation(joint.kind)) {
    add(
        joint.name, "effort", joint.unit == RelationUnit::length ? "N" : "N*m",
        [index](const Observation& seen) { return seen.joints[index].effort; },
        [index](const Observation& seen) { return seen.joints[index].unique; });
    return;
  }
  for (std::size_t k = 0; k < (spatial ? 3U : 2U); ++k) {
    add(
        joint.name, std::string("force.") + kAxes[k], "N",
        [index, k](const Observation& seen) { return seen.joints[index].force_on_second[k]; },
        [index, k](const Observation& seen) { return seen.joints[index].force_unique[k]; });
  }
  for (std::size_t k = spatial ? 0 : 2; k < 3 && carriesMoment(mechanism_, joint); ++k) {
    const std::string axis = spatial ? std::string(".") + kAxes[k] : "";
    add(
        joint.name, "moment" + axis, "N*m",
        [index, k](const Observation& seen) { return seen.joints[index].moment_on_second[k]; },
        [index, k](const Observation& seen) { return seen.joints[index].moment_unique[k]; });
    add(
        joint.name, "moment_on_first" + axis, "N*m",
        [index, k](const Observation& seen) { return seen.joints[index].moment_on_first[k]; },
        [index, k](const Observation& seen) { return seen.joints[index].moment_on_first_unique[k]; });
  }
  if (joint.kind == JointKind::rolling) addContact(index);
  if (columns_ == Columns::all) addReactions(index);
}

// Where the bodies touch, and whether they would go on touching and not slip by themselves.
void Recorder::addContact(std::size_t index) {
  const std::string& name = mechanism_.joints[index].name;
  for (std::size_t k = 0; k < axes(); ++k) {
    add(name, std::string("contact.") + kAxes[k], "m",
        [index, k](const Observation& seen) { return seen.contacts[index].place[k]; });
  }
  add(
      name, "load", "N", [index](const Observation& seen) { return seen.contacts[index].load; },
      [index](const Observation& seen) { return loadIsUnique(seen, index); });
  add(
      name, "grip", "", [index](const Observation& seen) { return seen.contacts[index].grip; },
      [index](const Observation& seen) { return seen.joints[index].unique; });
}

// What the standard columns leave out: the force on the first body, and all of it in body axes.
void Recorder::addReactions(std::size_t index) {
  const Joint& joint = mechanism_.joints[index];
  const bool spatial = mechanism_.space == Space::spatial;
  const auto addVector = [&](const std::string& label, LoadEnd end, LoadAxes axes, auto vector, auto unique,
                             const char* unit) {
    for (std::size_t k = 0; k < (spatial ? 3U : 2U); ++k) {
      add(
          joint.name, fmt::format("{}.{}", label, kAxes[k]), unit,
          [this, index, end, axes, vector, k](const Observation& seen) {
            return (jointLoad(mechanism_, seen, index, end, axes).*vector)[k];
          },
          [this, index, end, axes, unique, k](const Observation& seen) {
            return (jointLoad(mechanism_, seen, index, end, axes).*unique)[k];
          });
    }
  };
  addVector("force_on_first", LoadEnd::first, LoadAxes::ground, &JointLoad::force, &JointLoad::force_unique, "N");
  for (const LoadEnd end : {LoadEnd::second, LoadEnd::first}) {
    if (!bodyAt(joint, end).valid()) continue;  // the axes of the ground: there already
    const std::string where = end == LoadEnd::second ? "_in_second" : "_in_first";
    addVector("force" + where, end, LoadAxes::body, &JointLoad::force, &JointLoad::force_unique, "N");
    if (spatial) addVector("moment" + where, end, LoadAxes::body, &JointLoad::moment, &JointLoad::moment_unique, "N*m");
  }
}

void Recorder::addUniquePart(std::size_t index, bool moment) {
  unique_parts_.push_back({index, moment, series_.size(), 0, true});
  const auto vector = moment ? &Reaction::unique_moment : &Reaction::unique_force;
  for (std::size_t k = 0; k < axes(); ++k) {
    add(mechanism_.joints[index].name, fmt::format("unique_{}.{}", moment ? "moment" : "force", kAxes[k]),
        moment ? "N*m" : "N", [index, vector, k](const Observation& seen) { return (seen.joints[index].*vector)[k]; });
  }
}

// Where the first sample leaves a direction that is no axis, or an axis that another sample might turn away from.
void Recorder::findUniqueParts(const Observation& seen) {
  const bool spatial = mechanism_.space == Space::spatial;
  const int outside = spatial ? 0 : 1;  // forces of the plane are zero in one direction
  const auto all = [](const std::array<bool, 3>& unique) { return unique[0] && unique[1] && unique[2]; };
  for (std::size_t k = 0; k < mechanism_.joints.size(); ++k) {
    const Reaction& reaction = seen.joints[k];
    const Joint& joint = mechanism_.joints[k];
    if (reaction.unique || isRelation(joint.kind)) continue;
    if (!all(reaction.force_unique) && reaction.unique_force_directions > outside) {
      addUniquePart(k, false);
      unique_parts_.back().directions = reaction.unique_force_directions;
    }
    const bool moment = spatial && carriesMoment(mechanism_, joint) && !all(reaction.moment_unique);
    if (moment && reaction.unique_moment_directions > 0) {
      addUniquePart(k, true);
      unique_parts_.back().directions = reaction.unique_moment_directions;
    }
  }
}

void Recorder::transferUniqueParts(Archive& archive) {
  std::vector<std::size_t> joints;
  for (const UniquePart& part : unique_parts_) joints.push_back(part.joint);
  archive(joints);
  for (std::size_t k = 0; k < joints.size(); ++k) {
    UniquePart part;
    if (!archive.reading()) part = unique_parts_[k];
    archive(part.moment);
    archive(part.directions);
    archive(part.lasts);
    if (!archive.reading()) continue;
    if (!archive.ok() || joints[k] >= mechanism_.joints.size()) return;
    if (unique_parts_.size() <= k) addUniquePart(joints[k], part.moment);
    unique_parts_[k].directions = part.directions;
    unique_parts_[k].lasts = part.lasts;
  }
}

void Recorder::addLoad(std::size_t index) {
  const Load& load = mechanism_.loads[index];
  const std::vector<LoadScalar> scalars = scalarsOf(mechanism_.space, load);
  for (std::size_t k = 0; k < scalars.size(); ++k) {
    if (scalars[k].wraps) wrapped_.push_back(series_.size());
    add(load.name, scalars[k].label, scalars[k].unit,
        [index, k](const Observation& seen) { return seen.loads[index].scalars[k]; });
  }
}

void Recorder::addEnergies() {
  add("energy", "kinetic", "J", [](const Observation& seen) { return seen.kinetic; });
  add("energy", "potential", "J", [](const Observation& seen) { return seen.potential; });
  add("energy", "supplied", "J", [](const Observation& seen) { return seen.supplied_work; });
  add("energy", "balance", "J", [this](const Observation& seen) {
    return seen.kinetic + seen.potential - seen.supplied_work - energy_at_start_;
  });
}

void Recorder::addMultipliers(const std::vector<std::string>& names) {
  multipliers_ = series_.size();
  multiplier_count_ = names.size();
  for (const std::string& name : names) add("method", "multiplier." + name, "", {});
}

void Recorder::recordEulerAngles(const Observation& seen) {
  for (const EulerTrack& track : euler_) {
    std::array<double, 3> last{};
    if (time_.size() > 1) {
      for (std::size_t k = 0; k < 3; ++k) last[k] = series_[track.series + k].values.back();
    }
    const auto angles = eulerAngles(track.order, seen.bodies[track.body].orientation, last);
    for (std::size_t k = 0; k < 3; ++k) series_[track.series + k].values.push_back(angles[k]);
  }
}

// A quaternion and its opposite are one orientation, and formulations arrive at either. The first one recorded has its
// first entry positive that is not zero, the others are the nearer to the one before.
void Recorder::chooseSign(std::size_t first) {
  constexpr double kZero = 1e-9;
  const std::size_t last = series_[first].values.size() - 1;
  double along = 0.0;
  for (std::size_t k = 0; k < 4; ++k) {
    const std::vector<double>& values = series_[first + k].values;
    if (last > 0) {
      along += values[last] * values[last - 1];
    } else if (along == 0.0 && std::abs(values[last]) > kZero) {
      along = values[last];
    }
  }
  if (along >= 0.0) return;
  for (std::size_t k = 0; k < 4; ++k) series_[first + k].values[last] *= -1.0;
}

void Recorder::record(double t, const Observation& seen, std::span<const double> multipliers) {
  time_.push_back(t);
  const double total = seen.kinetic + seen.potential - seen.supplied_work;
  if (time_.size() == 1) {
    energy_at_start_ = total;
    lowest_potential_ = highest_potential_ = seen.potential;
    lowest_work_ = highest_work_ = seen.supplied_work;
  }
  worst_balance_ = std::max(worst_balance_, std::abs(total - energy_at_start_));
  highest_kinetic_ = std::max(highest_kinetic_, seen.kinetic);
  lowest_potential_ = std::min(lowest_potential_, seen.potential);
  highest_potential_ = std::max(highest_potential_, seen.potential);
  lowest_work_ = std::min(lowest_work_, seen.supplied_work);
  highest_work_ = std::max(highest_work_, seen.supplied_work);
  if (time_.size() == 1) findUniqueParts(seen);
  for (UniquePart& part : unique_parts_) {
    const Reaction& reaction = seen.joints[part.joint];
    const int directions = part.moment ? reaction.unique_moment_directions : reaction.unique_force_directions;
    if (directions != part.directions) part.lasts = false;
  }
  recordEulerAngles(seen);
  for (std::size_t k = 0; k < multiplier_count_; ++k) series_[multipliers_ + k].values.push_back(multipliers[k]);
  for (std::size_t k = 0; k < series_.size(); ++k) {
    if (readers_[k]) series_[k].values.push_back(readers_[k](seen));
    if (checks_[k] && series_[k].unique) series_[k].unique = checks_[k](seen);
    if (jumping_[k] >= 0) {
      double& greatest = greatest_[static_cast<std::size_t>(jumping_[k])];
      const double value = std::abs(series_[k].values.back());
      greatest = std::max(greatest, value);
      greatest_force_ = std::max(greatest_force_, as_force_[k] * value);
    }
  }
  for (const std::size_t first : quaternions_) chooseSign(first);
  for (const std::size_t k : wrapped_) {
    std::vector<double>& values = series_[k].values;
    values.back() = unwrapped(values.back(), values.size() > 1 ? values[values.size() - 2] : 0.0);
  }
}

std::array<Recorder::Apart, Recorder::kJumping.size()> Recorder::apart(const Observation& a,
                                                                       const Observation& b) const {
  std::array<Apart, kJumping.size()> out;
  double greatest_force = greatest_force_;
  for (std::size_t unit = 0; unit < out.size(); ++unit) out[unit].greatest = greatest_[unit];
  for (std::size_t k = 0; k < series_.size(); ++k) {
    if (jumping_[k] < 0) continue;
    Apart& unit = out[static_cast<std::size_t>(jumping_[k])];
    const double at_a = readers_[k](a);
    const double at_b = readers_[k](b);
    const double greater = std::max(std::abs(at_a), std::abs(at_b));
    const double difference = std::abs(at_a - at_b);
    unit.greatest = std::max(unit.greatest, greater);
    unit.difference = std::max(unit.difference, difference);
    unit.force_difference = std::max(unit.force_difference, as_force_[k] * difference);
    greatest_force = std::max(greatest_force, as_force_[k] * greater);
  }
  for (Apart& unit : out) unit.greatest_force = greatest_force;
  return out;
}

void Recorder::dropLast() {
  time_.pop_back();
  for (Series& series : series_) series.values.pop_back();
}

void Recorder::transfer(Archive& archive, std::size_t from) {
  archive(from);
  const auto part = [&](std::vector<double>& values) {
    std::vector<double> fresh;
    if (!archive.reading()) fresh.assign(values.begin() + static_cast<std::ptrdiff_t>(from), values.end());
    archive(fresh);
    if (!archive.reading()) return;
    // One that is in the log may have been taken back since.
    if (from < values.size()) values.resize(from);
    values.insert(values.end(), fresh.begin(), fresh.end());
  };
  part(time_);
  transferUniqueParts(archive);
  for (Series& series : series_) {
    part(series.values);
    archive(series.unique);
  }
  for (double* value : {&energy_at_start_, &worst_balance_, &lowest_potential_, &highest_potential_, &highest_kinetic_,
                        &lowest_work_, &highest_work_})
    archive(*value);
  for (double& value : greatest_) archive(value);
  archive(greatest_force_);
}

double Recorder::energyScale() const {
  return std::max({highest_kinetic_, highest_potential_ - lowest_potential_, highest_work_ - lowest_work_});
}

double Recorder::possibleEnergy(double length) const {
  double mass = 0.0;
  for (const Body& body : mechanism_.bodies) mass += body.mass.number;
  const double time = time_.size() > 1 ? time_.back() - time_.front() : 0.0;
  const double speed = time > 0.0 ? length / time : 0.0;
  return std::max(greatest_force_ * length, mass * speed * speed);
}

// Unique parts stand behind what else is known of their joint.
void Recorder::finish(Result& result) {
  result.time = std::move(time_);
  const std::size_t others = unique_parts_.empty() ? series_.size() : unique_parts_.front().series;
  auto part = unique_parts_.begin();
  for (std::size_t k = 0; k < others; ++k) {
    result.series.push_back(std::move(series_[k]));
    for (; part != unique_parts_.end() && joint_ends_[part->joint] == k + 1; ++part) {
      for (std::size_t i = 0; i < axes() && part->lasts; ++i)
        result.series.push_back(std::move(series_[part->series + i]));
    }
  }
}

}  // namespace linkwork
