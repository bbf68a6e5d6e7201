#include "linkwork/analyse/given_values.hpp"

#include <utility>

#include "linkwork/model/drive_of.hpp"

namespace linkwork {

namespace {

// The turn of a body about an axis of the ground, as a drive whose angle is zero in the pose q and whose rate is the
// component of the angular velocity there.
void turnToPose(const std::vector<double>& q, Drive& drive) {
  const std::size_t first = 7 * drive.second.at();
  const Quaternion back{q[first + 3], -q[first + 4], -q[first + 5], -q[first + 6]};
  drive.on_second.rotation = product(back, drive.on_first.rotation);
}

}  // namespace

Given withGiven(const Mechanism& mechanism, GivenLevel level, Wishes wishes, const std::vector<double>& q) {
  const bool rates = level == GivenLevel::rates;
  Given out{mechanism, {}, {}};
  const auto add = [&](const InitialValue& initial) {
    // Only the value (or, for a rate, its first derivative) is read: f = value, or f = value t.
    const Expr motion = rates ? Expr(initial.value.number) * Expr::symbol("t") : Expr(initial.value.number);
    Drive drive = driveOf(mechanism, initial.quantity, motion);
    const QuantityKind kind = initial.quantity.kind;
    if (kind >= QuantityKind::body_wx && kind <= QuantityKind::body_wz) turnToPose(q, drive);
    drive.name = quantityName(mechanism, initial.quantity);
    drive.source = initial.source;
    out.mechanism.drives.push_back(std::move(drive));
  };
  for (const InitialValue& initial : mechanism.initial) {
    if (isRate(initial.quantity.kind) == rates && !initial.weight) out.held.push_back(&initial);
    if (isRate(initial.quantity.kind) == rates && initial.weight && wishes == Wishes::taken)
      out.wishes.push_back(&initial);
  }
  for (const InitialValue* initial : out.held) add(*initial);
  for (const InitialValue* initial : out.wishes) add(*initial);
  return out;
}

}  // namespace linkwork
