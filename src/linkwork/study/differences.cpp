#include "linkwork/study/differences.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "linkwork/study/common_samples.hpp"

namespace linkwork {

namespace {

// Whose series a group is; the lower, the rather it is named as the place where runs part.
enum class Owner { joint, drive, body, energy, other };

const char* wordFor(Owner owner) {
  switch (owner) {
    case Owner::joint: return "joint";
    case Owner::drive: return "drive";
    case Owner::body: return "body";
    default: return "energy";
  }
}

class Owners {
 public:
  explicit Owners(const Mechanism& mechanism) {
    for (const Joint& joint : mechanism.joints) joints_.insert(joint.name);
    for (const Drive& drive : mechanism.drives) drives_.insert(drive.name);
    for (const Body& body : mechanism.bodies) bodies_.insert(body.name);
  }

  Owner of(const std::string& group) const {
    if (joints_.contains(group)) return Owner::joint;
    if (drives_.contains(group)) return Owner::drive;
    if (bodies_.contains(group)) return Owner::body;
    return group == "energy" ? Owner::energy : Owner::other;
  }

 private:
  std::unordered_set<std::string> joints_, drives_, bodies_;
};

bool isReaction(std::string_view label) {
  return label == "effort" || label == "moment" || label == "moment_on_first" || label.starts_with("force.") ||
         label.starts_with("moment.") || label.starts_with("moment_on_first.") || label.starts_with("unique_force.") ||
         label.starts_with("unique_moment.");
}

// nullopt: not compared, because it is a load's, an output, or says about the run rather than about the motion.
std::optional<Aspect> aspectOf(Owner owner, std::string_view label) {
  if (owner == Owner::other) return std::nullopt;
  if (owner == Owner::energy) return label == "balance" ? std::nullopt : std::optional(Aspect::energy);
  if (isReaction(label)) return Aspect::reaction;
  if (label.ends_with("_rate") || label.starts_with("angular_velocity.")) return Aspect::velocity;
  if (label.ends_with("_acceleration") || label.starts_with("angular_acceleration.")) return Aspect::acceleration;
  const bool place = label == "x" || label == "y" || label == "z" || label == "angle" || label == "slide";
  if (place || label.starts_with("orientation.")) return Aspect::position;
  return std::nullopt;
}

bool isAngular(std::string_view unit) { return unit.empty() || unit.starts_with("rad") || unit == "N*m"; }

double massOf(const Mechanism& mechanism) {
  double out = 0.0;
  for (const Body& body : mechanism.bodies) out += body.mass.number;
  return out;
}

// What differences are divided by: the greatest in the run, and not less than the share kLeastMotion of what is
// possible. L is the reference length, T the time of the run, m all masses together, P the energy that is possible
// (Ledger) and so F = P/L the force:
//   positions      max(|m|, L)                                    max(|rad|, 1)
//   velocities     max(|m/s|, L |rad/s|, L/T, share * sqrt(P/m))  the same / L
//   accelerations  with L/T^2 and share * F/m                     the same / L
//   reactions      max(|N|, |N*m| / L, E/L, m L/T^2, share * F)   the same * L, with E the energy that moved about
//   energy         energyYardstick
class Yardsticks {
 public:
  Yardsticks(const Mechanism& mechanism, const Owners& owners, const Result& reference) {
    PerAspect<double> linear;
    PerAspect<double> angular;
    for (const Series& series : reference.series) {
      const std::optional<Aspect> aspect = aspectOf(owners.of(series.group), series.label);
      if (!aspect) continue;
      double& greatest = (isAngular(series.unit) ? angular : linear)[*aspect];
      for (const double value : series.values) greatest = std::max(greatest, std::abs(value));
    }
    const Ledger& ledger = reference.ledger;
    const double L = ledger.reference_length;
    const double T = reference.time.empty() ? 1.0 : std::max(reference.time.back(), 1e-300);
    const double mass = massOf(mechanism);
    const double force = ledger.possible_energy / L;
    const double fall = mass > 0.0 ? kLeastMotion * force / mass : 0.0;  // m/s^2
    const double speed = mass > 0.0 ? kLeastMotion * std::sqrt(ledger.possible_energy / mass) : 0.0;
    using enum Aspect;
    linear_[position] = std::max(linear[position], L);
    angular_[position] = std::max(angular[position], 1.0);
    set(velocity, std::max({linear[velocity], L * angular[velocity], L / T, speed}), 1.0 / L);
    set(acceleration, std::max({linear[acceleration], L * angular[acceleration], L / (T * T), fall}), 1.0 / L);
    set(reaction,
        std::max({linear[reaction], angular[reaction] / L, ledger.energy_scale / L, mass * L / (T * T),
                  kLeastMotion * force}),
        L);
    set(energy, energyYardstick(ledger), 1.0);
  }

  // Where nothing moves and nothing presses, differences are taken as they are.
  double of(Aspect aspect, std::string_view unit) const {
    const double size = (isAngular(unit) ? angular_ : linear_)[aspect];
    return size > 0.0 ? size : 1.0;
  }

 private:
  void set(Aspect aspect, double linear, double angular_per_linear) {
    linear_[aspect] = linear;
    angular_[aspect] = linear * angular_per_linear;
  }

  PerAspect<double> linear_, angular_;
};

std::optional<Endings> endingsOf(const Result& reference, const Result& other) {
  for (const Result* run : {&reference, &other}) {
    const bool ended = run->status == RunStatus::complete || run->status == RunStatus::stopped_by_event;
    if (!ended || run->time.empty()) return std::nullopt;
  }
  Endings out{reference.time.back(), other.time.back(), 0.0};
  const double longer = std::max(std::abs(out.reference), std::abs(out.other));
  if (longer > 0.0) out.relative = std::abs(out.reference - out.other) / longer;
  return out;
}

using Match = std::pair<std::size_t, std::size_t>;  // a sample of the reference and one of the other run

struct Pair {
  const Series* reference = nullptr;
  const Series* other = nullptr;
  Owner owner = Owner::other;
  Aspect aspect = Aspect::position;
  double yardstick = 1.0;

  double difference(const Match& match) const {
    const double out = std::abs(reference->values[match.first] - other->values[match.second]);
    return std::isfinite(out) ? out : std::numeric_limits<double>::infinity();
  }
  double relative(const Match& match) const { return difference(match) / yardstick; }
};

// The pair that differs most at a sample; joints are named before drives, bodies and energy.
const Pair* mostApart(const std::vector<Pair>& pairs, const Match& match, double beyond) {
  const Pair* out = nullptr;
  for (const Pair& pair : pairs) {
    const double relative = pair.relative(match);
    if (!(relative > beyond)) continue;
    const bool more =
        out == nullptr || pair.owner < out->owner || (pair.owner == out->owner && relative > out->relative(match));
    if (more) out = &pair;
  }
  return out;
}

std::optional<Parting> partingOf(const std::vector<Pair>& pairs, const Differences& differences,
                                 const std::vector<Match>& matches, const std::vector<double>& time, double within) {
  for (std::size_t k = 0; k < matches.size(); ++k) {
    const bool apart = std::any_of(kAspects.begin(), kAspects.end(),
                                   [&](Aspect aspect) { return differences.over_time[aspect][k] > within; });
    if (!apart) continue;
    const Pair* series = mostApart(pairs, matches[k], within);
    const Pair* place = mostApart(pairs, matches[k], 0.0);
    return Parting{time[matches[k].first], wordFor(place->owner), place->reference->group, series->reference->name,
                   series->relative(matches[k])};
  }
  return std::nullopt;
}

}  // namespace

std::string_view wordFor(Aspect aspect) {
  switch (aspect) {
    case Aspect::position: return "positions";
    case Aspect::velocity: return "velocities";
    case Aspect::acceleration: return "accelerations";
    case Aspect::reaction: return "reactions";
    case Aspect::energy: return "energy";
  }
  return "";
}

double Differences::worst() const {
  double out = endings ? endings->relative : 0.0;
  for (const Aspect aspect : kAspects) out = std::max(out, greatest[aspect].relative);
  return out;
}

std::string_view Differences::worstIn() const {
  const Aspect aspect = *std::max_element(kAspects.begin(), kAspects.end(), [this](Aspect a, Aspect b) {
    return greatest[a].relative < greatest[b].relative;
  });
  return endings && endings->relative > greatest[aspect].relative ? "time of the end" : wordFor(aspect);
}

Differences differencesOf(const Mechanism& mechanism, const Result& reference, const Result& other, double within) {
  const Owners owners(mechanism);
  const Yardsticks yardsticks(mechanism, owners, reference);
  std::unordered_map<std::string, const Series*> others;
  for (const Series& series : other.series) others.emplace(series.name, &series);

  Differences out;
  const std::vector<Match> matches = commonSamples(reference.time, other.time);
  out.samples = matches.size();
  for (const Aspect aspect : kAspects) out.over_time[aspect].assign(out.samples, 0.0);
  std::vector<Pair> pairs;
  for (const Series& series : reference.series) {
    const Owner owner = owners.of(series.group);
    const std::optional<Aspect> aspect = aspectOf(owner, series.label);
    const auto found = others.find(series.name);
    if (!aspect || found == others.end() || found->second->unit != series.unit) continue;
    if (series.unique && found->second->unique) {
      pairs.push_back({&series, found->second, owner, *aspect, yardsticks.of(*aspect, series.unit)});
    } else {
      out.left_out.push_back(series.name);
    }
  }
  for (const Pair& pair : pairs) {
    Difference& greatest = out.greatest[pair.aspect];
    ++out.compared[pair.aspect];
    for (std::size_t k = 0; k < out.samples; ++k) {
      const double relative = pair.relative(matches[k]);
      double& there = out.over_time[pair.aspect][k];
      there = std::max(there, relative);
      if (relative > greatest.relative)
        greatest = {relative, pair.difference(matches[k]), reference.time[matches[k].first], pair.reference->name,
                    pair.reference->unit};
    }
  }
  out.parting = partingOf(pairs, out, matches, reference.time, within);
  out.endings = endingsOf(reference, other);
  return out;
}

}  // namespace linkwork
