// Draws: random choices that are the same on every machine and do not depend on what was drawn for other mechanisms.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace linkwork::random_mechanisms {

class Draws {
 public:
  // The stream of one mechanism: `index` of `seed`.
  Draws(std::uint64_t seed, std::uint64_t index) : state_(mixed(seed) ^ mixed(~index)) {}

  // In [0, 1).
  double share() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  double between(double low, double high) { return low + (high - low) * share(); }
  // From low to high, both counted in; as many small as large ones.
  double spread(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }
  // 0 .. count - 1
  int below(int count) { return static_cast<int>(share() * count); }
  int from(int low, int high) { return low + below(high - low + 1); }
  bool chance(double probability) { return share() < probability; }
  double sign() { return chance(0.5) ? 1.0 : -1.0; }

  // One of the words, in proportion to the weights beside them.
  std::string_view word(std::span<const std::pair<std::string_view, double>> choices) {
    double left = 0.0;
    for (const auto& choice : choices) left += choice.second;
    left *= share();
    for (const auto& choice : choices) {
      left -= choice.second;
      if (left < 0.0) return choice.first;
    }
    return choices.back().first;
  }

 private:
  // Steele, Lea and Flood's SplitMix64: standard distributions differ from library to library.
  static std::uint64_t mixed(std::uint64_t z) {
    z += 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }
  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15ULL;
    return mixed(state_);
  }

  std::uint64_t state_;
};

}  // namespace linkwork::random_mechanisms
