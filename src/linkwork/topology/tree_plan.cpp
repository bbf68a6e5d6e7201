#include "linkwork/topology/tree_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>

#include "linkwork/base/index.hpp"
#include "linkwork/model/drive_of.hpp"

namespace linkwork {

namespace {

bool same(const Frame& a, const Frame& b) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (a.point[k].number != b.point[k].number) return false;
  }
  return a.angle.number == b.angle.number && a.rotation == b.rotation;
}

}  // namespace

int drivenJoint(const Mechanism& mechanism, const Drive& drive) {
  if (drive.kind != DriveKind::angle && drive.kind != DriveKind::slide) return -1;
  const bool turns = drive.kind == DriveKind::angle;
  for (int k = 0; k < static_cast<int>(mechanism.joints.size()); ++k) {
    const Joint& joint = mechanism.joints[at(k)];
    if (turns ? !hasAngle(joint.kind) : !hasSlide(joint.kind)) continue;
    const Drive own = driveOf(mechanism, {turns ? QuantityKind::joint_angle : QuantityKind::joint_slide, k}, Expr(0.0));
    const bool on_it = own.first == drive.first && own.second == drive.second && same(own.on_first, drive.on_first) &&
                       same(own.on_second, drive.on_second);
    if (on_it) return k;
  }
  return -1;
}

namespace {

struct JointDrives {
  int angle = -1;
  int slide = -1;
};

// The drives that each joint can follow: one for each coordinate, and one of a screw, whose two coordinates are one.
std::vector<JointDrives> followedDrives(const Mechanism& mechanism) {
  std::vector<JointDrives> out(mechanism.joints.size());
  for (int d = 0; d < static_cast<int>(mechanism.drives.size()); ++d) {
    const int joint = drivenJoint(mechanism, mechanism.drives[at(d)]);
    if (joint < 0) continue;
    JointDrives& own = out[at(joint)];
    const bool screw = mechanism.joints[at(joint)].kind == JointKind::screw;
    if (screw && (own.angle >= 0 || own.slide >= 0)) continue;
    int& place = mechanism.drives[at(d)].kind == DriveKind::angle ? own.angle : own.slide;
    if (place < 0) place = d;
  }
  return out;
}

}  // namespace

int TreePlan::cutRows() const {
  return std::accumulate(cuts.begin(), cuts.end(), 0, [](int sum, const PlannedCut& cut) { return sum + cut.rows; });
}

TreePlan planTree(const Mechanism& mechanism, const std::vector<RowGroup>& groups, const TreeRules& rules) {
  std::vector<JointDrives> drives(mechanism.joints.size());
  if (rules.driven == DrivenJoints::follow) drives = followedDrives(mechanism);
  std::vector<int> joint_rows(mechanism.joints.size(), 0);
  std::vector<int> drive_rows(mechanism.drives.size(), 0);
  std::vector<char> closes(mechanism.joints.size(), 1);  // a loop, where it is not in the tree
  for (const RowGroup& group : groups) {
    (group.is_drive ? drive_rows : joint_rows)[at(group.index)] = group.rows;
    if (!group.is_drive && group.holdsVelocitiesAlone()) closes[at(group.index)] = 0;
  }

  std::vector<TreeJoint> edges;
  for (std::size_t k = 0; k < mechanism.joints.size(); ++k) {
    const Joint& joint = mechanism.joints[k];
    const int driven = (drives[k].angle >= 0 ? 1 : 0) + (drives[k].slide >= 0 ? 1 : 0);
    const bool carries = !isRelation(joint.kind) && !joint.cut && !joint.compliance && rules.carries(joint.kind);
    // Of joints with as many rows one inside of a flexible link is cut last.
    const int weight = 2 * (joint_rows[k] + driven) + (joint.inside_link ? 1 : 0);
    edges.push_back({joint.first.value(), joint.second.value(), weight, carries});
  }
  const WeightedTree tree = planWeightedTree(static_cast<int>(mechanism.bodies.size()), edges);

  TreePlan out;
  std::vector<char> carrying(mechanism.joints.size(), 0);
  std::vector<char> followed(mechanism.drives.size(), 0);
  for (const int body : tree.order) {
    PlannedLink link{body, tree.parent[at(body)], tree.parent_joint[at(body)]};
    if (link.joint >= 0) {
      carrying[at(link.joint)] = 1;
      link.angle_drive = drives[at(link.joint)].angle;
      link.slide_drive = drives[at(link.joint)].slide;
      for (const int drive : {link.angle_drive, link.slide_drive}) {
        if (drive >= 0) followed[at(drive)] = 1;
      }
    }
    out.links.push_back(link);
  }
  for (std::size_t k = 0; k < mechanism.joints.size(); ++k) {
    const int joint = static_cast<int>(k);
    const int loop = isRelation(mechanism.joints[k].kind) || closes[k] == 0 ? 0 : tree.loop[k];
    if (carrying[k] == 0) out.cuts.push_back({joint, -1, joint_rows[k], loop, mechanism.joints[k].cut});
  }
  for (std::size_t d = 0; d < mechanism.drives.size(); ++d) {
    if (followed[d] == 0) out.cuts.push_back({-1, static_cast<int>(d), drive_rows[d], 0, false});
  }
  return out;
}

std::string inWords(const TreePlan& plan, const Mechanism& mechanism) {
  const auto nameOf = [&](int body) { return body < 0 ? std::string("ground") : mechanism.bodies[at(body)].name; };
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < plan.links.size(); ++k) {
    const PlannedLink& link = plan.links[k];
    if (link.joint < 0) {
      parts.push_back(fmt::format("{} {} floats", k + 1, nameOf(link.body)));
      continue;
    }
    std::string part = fmt::format("{} {} <- {} by {}", k + 1, nameOf(link.body), nameOf(link.parent),
                                   mechanism.joints[at(link.joint)].name);
    for (const int drive : {link.angle_drive, link.slide_drive}) {
      if (drive >= 0) part += fmt::format(", driven by {}", mechanism.drives[at(drive)].name);
    }
    parts.push_back(std::move(part));
  }
  std::vector<std::string> cuts;
  for (const PlannedCut& cut : plan.cuts) {
    const char* rows = cut.rows == 1 ? "row" : "rows";
    if (cut.joint < 0) {
      cuts.push_back(fmt::format("drive {} ({} {})", mechanism.drives[at(cut.drive)].name, cut.rows, rows));
      continue;
    }
    const Joint& joint = mechanism.joints[at(cut.joint)];
    const std::string where = isRelation(joint.kind) ? std::string(", a relation")
                                                     : fmt::format(" between {} and {}", nameOf(joint.first.value()),
                                                                   nameOf(joint.second.value()));
    cuts.push_back(fmt::format("{}{} ({} {}{})", joint.name, where, cut.rows, rows, cut.asked ? ", as asked" : ""));
  }
  return fmt::format("links: {}; {}", fmt::join(parts, "; "),
                     cuts.empty() ? "nothing is cut" : fmt::format("cut: {}", fmt::join(cuts, ", ")));
}

}  // namespace linkwork
