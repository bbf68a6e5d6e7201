#include "linkwork/model/drive_of.hpp"

#include <numbers>
#include <utility>

#include "linkwork/base/contract.hpp"

namespace linkwork {

namespace {

// A turn of -90 degrees about y takes the x axis to the z axis.
constexpr double kHalf = std::numbers::sqrt2 / 2.0;  // sine and cosine of 45 degrees
constexpr Quaternion kXToZ{kHalf, 0.0, -kHalf, 0.0};

// Frames whose z axis is an axis of the ground.
Quaternion turningAxis(QuantityKind kind) {
  if (kind == QuantityKind::body_wx) return {kHalf, 0.0, kHalf, 0.0};
  if (kind == QuantityKind::body_wy) return {kHalf, -kHalf, 0.0, 0.0};
  return kNoTurn;
}

}  // namespace

Frame slideFrame(const Joint& joint) {
  Frame frame = joint.on_second;
  if (joint.kind == JointKind::pin_slot) {
    // The pin's place is counted from the slot's frame to the pin: against the drive's own direction. Half a turn about
    // the frame's own z axis; in the plane that is the angle, which keeps its letters.
    if (frame.rotation == kNoTurn) {
      frame.angle = Value(frame.angle.number + std::numbers::pi, frame.angle.expr + Expr(std::numbers::pi));
    } else {
      frame.rotation = product(frame.rotation, {0.0, 0.0, 0.0, 1.0});
    }
  } else if (joint.kind == JointKind::cylindrical || joint.kind == JointKind::screw) {
    frame.rotation = product(frame.rotation, kXToZ);
  }
  return frame;
}

Drive driveOf(const Mechanism& mechanism, const Quantity& quantity, Expr motion) {
  Drive drive;
  drive.motion = std::move(motion);
  switch (quantity.kind) {
    case QuantityKind::time: expect(false, "driveOf: time cannot be driven"); break;
    case QuantityKind::body_x:
    case QuantityKind::body_x_rate:
    case QuantityKind::body_y:
    case QuantityKind::body_y_rate:
    case QuantityKind::body_z:
    case QuantityKind::body_z_rate:
      drive.kind = DriveKind::coordinate;
      drive.second = BodyIndex(quantity.index);
      if (quantity.kind == QuantityKind::body_y || quantity.kind == QuantityKind::body_y_rate) {
        drive.on_first.angle = std::numbers::pi / 2.0;
      } else if (quantity.kind == QuantityKind::body_z || quantity.kind == QuantityKind::body_z_rate) {
        drive.on_first.rotation = kXToZ;
      }
      break;
    case QuantityKind::body_angle:
    case QuantityKind::body_angle_rate:
      drive.kind = DriveKind::angle;
      drive.second = BodyIndex(quantity.index);
      break;
    case QuantityKind::body_wx:
    case QuantityKind::body_wy:
    case QuantityKind::body_wz:
      drive.kind = DriveKind::angle;
      drive.second = BodyIndex(quantity.index);
      drive.on_first.rotation = turningAxis(quantity.kind);
      drive.on_second.rotation = drive.on_first.rotation;
      break;
    case QuantityKind::joint_angle:
    case QuantityKind::joint_angle_rate:
    case QuantityKind::joint_slide:
    case QuantityKind::joint_slide_rate: {
      const Joint& joint = mechanism.joints[static_cast<std::size_t>(quantity.index)];
      drive.first = joint.first;
      drive.second = joint.second;
      drive.on_first = joint.on_first;
      drive.on_second = joint.on_second;
      const bool turns = quantity.kind == QuantityKind::joint_angle || quantity.kind == QuantityKind::joint_angle_rate;
      drive.kind = turns ? DriveKind::angle : DriveKind::slide;
      if (!turns) drive.on_second = slideFrame(joint);
      break;
    }
    case QuantityKind::body_wx_body:
    case QuantityKind::body_wy_body:
    case QuantityKind::body_wz_body:
    case QuantityKind::body_vx_body:
    case QuantityKind::body_vy_body:
    case QuantityKind::body_vz_body:
      drive.kind = DriveKind::quantity;
      drive.second = BodyIndex(quantity.index);
      drive.of = quantityName(mechanism, quantity);
      break;
    case QuantityKind::joint_turn_1:
    case QuantityKind::joint_turn_2:
    case QuantityKind::joint_turn_3:
    case QuantityKind::joint_turn_1_rate:
    case QuantityKind::joint_turn_2_rate:
    case QuantityKind::joint_turn_3_rate: {
      const Joint& joint = mechanism.joints[static_cast<std::size_t>(quantity.index)];
      drive.kind = DriveKind::quantity;
      drive.first = joint.first;
      drive.second = joint.second;
      drive.on_first = joint.on_first;
      drive.on_second = joint.on_second;
      // The angle itself: a rate is that of f = value t.
      const int first = static_cast<int>(QuantityKind::joint_turn_1);
      const int turn = (static_cast<int>(quantity.kind) - first) % 3;
      drive.of = quantityName(mechanism, {static_cast<QuantityKind>(first + turn), quantity.index});
      break;
    }
  }
  return drive;
}

}  // namespace linkwork
