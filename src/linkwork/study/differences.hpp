// How far two runs of one mechanism are apart: the greatest differences, their course over time, and where they part.
//
// Differences are relative. Each is divided by a yardstick of its aspect and unit, the greatest value in the
// reference run; lengths and angles, forces and moments help each other out by the reference length, so that what is
// zero but for round-off is not measured by itself (docs/reference/compare.md).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

enum class Aspect { position, velocity, acceleration, reaction, energy };
inline constexpr std::array<Aspect, 5> kAspects{Aspect::position, Aspect::velocity, Aspect::acceleration,
                                                Aspect::reaction, Aspect::energy};
std::string_view wordFor(Aspect aspect);  // in the plural, but for the energy

template <class T>
struct PerAspect {
  std::array<T, kAspects.size()> values{};
  T& operator[](Aspect aspect) { return values[static_cast<std::size_t>(aspect)]; }
  const T& operator[](Aspect aspect) const { return values[static_cast<std::size_t>(aspect)]; }
};

struct Difference {
  double relative = 0.0;
  double absolute = 0.0;  // of the series and at the time where the relative one is greatest
  double time = 0.0;      // s
  std::string series;     // empty: nothing of this aspect was compared, or it is the same to the last bit
  std::string unit;
};

// The first sample at which something differs by more than is allowed.
struct Parting {
  double time = 0.0;   // s
  std::string kind;    // "joint"; "drive", "body" or "energy" where no joint differs at all
  std::string place;   // the one that differs most there
  std::string series;  // what differs by more than is allowed; a joint's where there is one
  double relative = 0.0;
};

// Where two runs end that came to an end: complete, or stopped by an event.
struct Endings {
  double reference = 0.0, other = 0.0;  // s
  double relative = 0.0;                // of the longer one's time
};

struct Differences {
  PerAspect<Difference> greatest;
  PerAspect<int> compared;                   // series
  PerAspect<std::vector<double>> over_time;  // greatest relative difference at each sample that both runs have
  std::size_t samples = 0;
  std::vector<std::string> left_out;  // reactions that are not unique in one of the two
  std::optional<Parting> parting;
  std::optional<Endings> endings;  // none: one of the two could not go on, or was interrupted

  double worst() const;              // of all aspects and of the ends
  std::string_view worstIn() const;  // the word for where it is: an aspect's, or "time of the end"
};

// Both with the series of the same space. Samples are compared as long as they stand at the same times; those of jumps
// that only one of the runs has are passed over (common_samples.hpp).
Differences differencesOf(const Mechanism& mechanism, const Result& reference, const Result& other, double within);

}  // namespace linkwork
