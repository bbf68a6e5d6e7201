// ModelText: a model file in the making, one entry per line, so that lines can be left out to make it smaller.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "linkwork/geometry/spatial.hpp"

namespace linkwork::random_mechanisms {

using V3 = Vec3<double>;

enum class Section { points, bodies, joints, drives, loads, initial };

class ModelText {
 public:
  void head(std::string line) { head_.push_back(std::move(line)); }
  void add(Section section, std::string line) { sections_[section].push_back(std::move(line)); }
  void until(double seconds) { until_ = seconds; }
  std::string text() const;

 private:
  std::vector<std::string> head_;
  std::map<Section, std::vector<std::string>> sections_;
  double until_ = 1.0;
};

inline constexpr int kAllDigits = 17;

// A number as a user types it, to so many digits.
std::string number(double value, int digits);

}  // namespace linkwork::random_mechanisms
