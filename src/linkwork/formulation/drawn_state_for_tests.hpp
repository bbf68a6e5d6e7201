// Where the drawing of a mechanism puts its bodies, as a state of absolute coordinates.
#pragma once

#include <cmath>
#include <vector>

#include "linkwork/formulation/make_system.hpp"
#include "linkwork/geometry/spatial.hpp"

namespace linkwork::test {

// [q, v, work, turns] at rest.
inline std::vector<double> drawnState(const Mechanism& mechanism) {
  std::vector<double> x;
  for (const Body& body : mechanism.bodies) {
    const Quaternion o =
        product({std::cos(0.5 * body.drawn.angle), 0, 0, std::sin(0.5 * body.drawn.angle)}, body.drawn.rotation);
    const auto c = Rotation3<double>::fromQuaternion(o[0], o[1], o[2], o[3]) *
                   Vec3<double>{body.com[0].number, body.com[1].number, body.com[2].number};
    if (mechanism.space == Space::planar) {
      x.insert(x.end(), {body.drawn.x + c.x, body.drawn.y + c.y, body.drawn.angle});
    } else {
      x.insert(x.end(), {body.drawn.x + c.x, body.drawn.y + c.y, body.drawn.z + c.z, o[0], o[1], o[2], o[3]});
    }
  }
  x.resize(static_cast<std::size_t>(makeSystem(mechanism, {})->space().size()));
  return x;
}

}  // namespace linkwork::test
