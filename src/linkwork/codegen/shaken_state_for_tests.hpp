// A state of absolute coordinates near the drawing of a mechanism, at which no angle and no velocity is special.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "linkwork/formulation/make_system.hpp"

namespace linkwork::test {

// The drawn bodies with some velocities, moved and turned by up to `size`.
inline std::vector<double> shakenState(const Mechanism& mechanism, double size) {
  const auto system = makeSystem(mechanism, {});
  std::vector<double> x(static_cast<std::size_t>(system->space().size()));
  const std::size_t coordinates = mechanism.space == Space::spatial ? 7 : 3;
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b) {
    const Body& body = mechanism.bodies[b];
    const double c = std::cos(body.drawn.angle);
    const double s = std::sin(body.drawn.angle);
    double* q = &x[coordinates * b];
    q[0] = body.drawn.x + c * body.com[0].number - s * body.com[1].number;
    q[1] = body.drawn.y + s * body.com[0].number + c * body.com[1].number;
    if (coordinates == 3) {
      q[2] = body.drawn.angle;
    } else {
      q[3] = std::cos(0.5 * body.drawn.angle);
      q[6] = std::sin(0.5 * body.drawn.angle);
    }
    for (std::size_t k = 0; k < coordinates; ++k) q[k] += size * uniform(engine);
  }
  for (std::size_t k = coordinates * mechanism.bodies.size(); k + 1 < x.size(); ++k) x[k] = uniform(engine);
  return x;
}

}  // namespace linkwork::test
