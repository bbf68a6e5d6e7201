// Modes: what holds throughout a step of a system and cannot be had from t and x alone: which of several forms its
// equations have, which coordinates it integrates, which rows act.
//
// The system makes them (OdeSystem::startModes) in the size they keep and alone knows what each entry means. An
// integrator holds them beside t and x, hands them to every call and keeps them in its memory; they change only between
// steps. To copy modes of one system over each other allocates nothing.
#pragma once

#include <cstdint>
#include <vector>

namespace linkwork {

struct Modes {
  std::vector<std::uint8_t> flags;  // yes or no, or one of a few
  std::vector<double> numbers;

  friend bool operator==(const Modes&, const Modes&) = default;
};

}  // namespace linkwork
