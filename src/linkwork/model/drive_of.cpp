#include "linkwork/model/drive_of.hpp"

#include <numbers>
#include <utility>

#include "linkwork/base/contract.hpp"

namespace linkwork {

Drive driveOf(const Mechanism& mechanism, const Quantity& quantity, Expr motion) {
  Drive drive;
  drive.motion = std::move(motion);
  switch (quantity.kind) {
    case QuantityKind::time: expect(false, "driveOf: time cannot be driven"); break;
    case QuantityKind::body_x:
    case QuantityKind::body_x_rate:
    case QuantityKind::body_y:
    case QuantityKind::body_y_rate: {
      const bool along_x = quantity.kind == QuantityKind::body_x || quantity.kind == QuantityKind::body_x_rate;
      drive.kind = DriveKind::coordinate;
      drive.second = BodyIndex(quantity.index);
      drive.on_first.angle = along_x ? 0.0 : std::numbers::pi / 2.0;
      break;
    }
    case QuantityKind::body_angle:
    case QuantityKind::body_angle_rate:
      drive.kind = DriveKind::angle;
      drive.second = BodyIndex(quantity.index);
      break;
    case QuantityKind::joint_coordinate:
    case QuantityKind::joint_rate: {
      const Joint& joint = mechanism.joints[static_cast<std::size_t>(quantity.index)];
      drive.first = joint.first;
      drive.second = joint.second;
      drive.on_first = joint.on_first;
      drive.on_second = joint.on_second;
      drive.kind = joint.kind == JointKind::revolute ? DriveKind::angle : DriveKind::slide;
      if (joint.kind == JointKind::pin_slot) {
        // The pin's place is counted from the slot's frame to the pin: against the drive's own direction.
        const Value& angle = joint.on_second.angle;
        drive.on_second.angle = Value(angle.number + std::numbers::pi, angle.expr + Expr(std::numbers::pi));
      }
      break;
    }
  }
  return drive;
}

}  // namespace linkwork
