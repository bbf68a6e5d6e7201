// Random mechanisms as model files: trees and loops, in the plane and in space, with loads, drives, equations that
// repeat each other and rounded numbers.
#pragma once

#include <cstdint>
#include <string>

namespace linkwork::random_mechanisms {

struct Generated {
  std::string text;    // of a model file
  std::string recipe;  // in a word
};

// The same for the same two numbers, whatever was made before.
Generated randomMechanism(std::uint64_t seed, std::uint64_t index);

}  // namespace linkwork::random_mechanisms
