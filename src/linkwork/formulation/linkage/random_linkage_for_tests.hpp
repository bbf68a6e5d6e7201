// Random linkages: forests of links with mass centres off the hinge lines, drives, forces and couples.
#pragma once

#include <random>
#include <vector>

#include "linkwork/formulation/linkage/forms.hpp"

namespace linkwork::linkage {

struct RandomLinkage {
  LinkageTree tree;
  LinkageConstants<double> constants;
  std::vector<double> angle, rate, drive, moment, acceleration;
  std::vector<double> relative_angle, relative_rate, relative_acceleration;
  std::vector<Vec2<double>> force;

  LinkageInputs<double> inputsFor(Form form) const {
    return isRelative(form) ? LinkageInputs<double>{relative_angle, relative_rate, drive, force, moment, {}}
                            : LinkageInputs<double>{angle, rate, drive, force, moment, {}};
  }
  const std::vector<double>& accelerationFor(Form form) const {
    return isRelative(form) ? relative_acceleration : acceleration;
  }
};

inline std::vector<double> relativeTo(const LinkageTree& tree, std::vector<double> values) {
  for (int k = tree.links() - 1; k >= 0; --k) {
    if (!tree.isRoot(k)) values[at(k)] -= values[at(tree.base(k))];
  }
  return values;
}

inline RandomLinkage randomLinkage(unsigned seed, int links) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto number = [&] { return uniform(random); };
  const auto positive = [&] { return 1.2 + number(); };
  RandomLinkage r;
  std::vector<int> base;
  for (int k = 0; k < links; ++k) {
    // Chains are likely, forks and further roots happen.
    const int any = std::uniform_int_distribution<int>(-1, k - 1)(random);
    base.push_back(number() > 0.0 ? any : k - 1);
    LinkConstants<double> link;
    link.mass = positive();
    link.centre = {number(), number()};
    link.inertia = 0.3 * positive();
    link.R = {number(), number()};
    r.constants.link.push_back(link);
    r.angle.push_back(3.0 * number());
    r.rate.push_back(4.0 * number());
    r.drive.push_back(10.0 * number());
    r.moment.push_back(10.0 * number());
    r.acceleration.push_back(20.0 * number());
    r.force.push_back({10.0 * number(), 10.0 * number()});
  }
  r.tree = LinkageTree(base);
  r.constants.gravity = {3.0 * number(), -9.81};
  augment(r.tree, r.constants, Unnamed{});
  r.relative_angle = relativeTo(r.tree, r.angle);
  r.relative_rate = relativeTo(r.tree, r.rate);
  r.relative_acceleration = relativeTo(r.tree, r.acceleration);
  return r;
}

}  // namespace linkwork::linkage
