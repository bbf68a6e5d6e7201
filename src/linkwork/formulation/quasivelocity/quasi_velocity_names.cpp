#include "linkwork/base/index.hpp"
#include "linkwork/formulation/quasivelocity/quasi_velocity_names_impl.hpp"

namespace linkwork {

// Gram and Schmidt's, with the share of each of the lists kept.
std::vector<int> firstCombination(const std::vector<std::vector<double>>& lists, double tolerance) {
  struct Direction {
    std::vector<double> unit;
    std::vector<double> made_of;  // its share of each list
  };
  std::vector<Direction> before;
  for (std::size_t k = 0; k < lists.size(); ++k) {
    Direction own{lists[k], std::vector<double>(lists.size(), 0.0)};
    own.made_of[k] = 1.0;
    for (int again = 0; again < 2; ++again) {
      for (const Direction& other : before) {
        double along = 0.0;
        for (std::size_t i = 0; i < own.unit.size(); ++i) along += own.unit[i] * other.unit[i];
        for (std::size_t i = 0; i < own.unit.size(); ++i) own.unit[i] -= along * other.unit[i];
        for (std::size_t i = 0; i < lists.size(); ++i) own.made_of[i] -= along * other.made_of[i];
      }
    }
    double square = 0.0;
    for (const double entry : own.unit) square += entry * entry;
    const double length = std::sqrt(square);
    if (!(length > tolerance)) {
      std::vector<int> out;
      for (std::size_t i = 0; i <= k; ++i) {
        if (std::abs(own.made_of[i]) > std::sqrt(tolerance)) out.push_back(static_cast<int>(i));
      }
      return out;
    }
    for (double& entry : own.unit) entry /= length;
    for (double& share : own.made_of) share /= length;
    before.push_back(std::move(own));
  }
  return {};
}

std::string quotedNames(const std::vector<int>& which, const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t k = 0; k < which.size(); ++k) {
    if (k > 0) out += k + 1 == which.size() ? " and " : ", ";
    out += fmt::format("\"{}\"", names[at(which[k])]);
  }
  return out;
}

}  // namespace linkwork
