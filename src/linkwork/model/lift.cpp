#include "linkwork/model/lift.hpp"

namespace linkwork {

Mechanism liftToSpace(Mechanism mechanism) {
  if (mechanism.space == Space::spatial) return mechanism;
  mechanism.space = Space::spatial;
  mechanism.lifted = true;
  for (Body& body : mechanism.bodies) {
    if (body.tensor) continue;
    const Value half(0.5 * body.inertia.number, Expr(0.5) * body.inertia.expr);
    body.tensor = Tensor{half, half, body.inertia, Value(0.0), Value(0.0), Value(0.0)};
  }
  return mechanism;
}

}  // namespace linkwork
