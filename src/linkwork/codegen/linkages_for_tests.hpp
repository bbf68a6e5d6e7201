// Small hinged linkages, general (mass centres off the hinge lines) or with everything on one line.
#pragma once

#include <fmt/format.h>

#include <vector>

#include "linkwork/model/mechanism.hpp"

namespace linkwork::test {

enum class Lines { general, on_hinge_lines };

// bases[k]: the body that carries body k; -1 for the ground.
inline Mechanism linkageOf(const std::string& name, const std::vector<int>& bases,
                           Lines lines = Lines::on_hinge_lines) {
  Mechanism m;
  m.name = name;
  m.file_name = name + ".toml";
  m.gravity[1] = Value(-9.81);
  const double off = lines == Lines::general ? 0.04 : 0.0;
  for (int k = 0; k < static_cast<int>(bases.size()); ++k) {
    Body body;
    body.name = fmt::format("link{}", k + 1);
    body.mass = Value(1.0 + 0.25 * k);
    body.inertia = Value(0.125 + 0.03125 * k);
    body.com = {Value(0.25), Value(off), Value(0.0)};
    m.bodies.push_back(body);
    Joint hinge;
    hinge.name = fmt::format("h{}", k + 1);
    hinge.first = bases[static_cast<std::size_t>(k)] < 0 ? kGround : BodyIndex(bases[static_cast<std::size_t>(k)]);
    hinge.second = BodyIndex(k);
    if (hinge.first.valid()) hinge.on_first.point = {Value(0.5), Value(off), Value(0.0)};
    m.joints.push_back(hinge);
  }
  return m;
}

inline Mechanism chainOf(int links, Lines lines = Lines::on_hinge_lines) {
  std::vector<int> bases;
  for (int k = 0; k < links; ++k) bases.push_back(k - 1);
  return linkageOf(links == 2 ? "double_pendulum" : "chain", bases, lines);
}

inline Mechanism forkOfThree() { return linkageOf("fork", {-1, 0, 0}); }

}  // namespace linkwork::test
