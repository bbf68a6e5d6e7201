#include "linkwork/formulation/linkage/linkage_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "linkwork/base/contract.hpp"

namespace linkwork::linkage {

namespace {

TreePlan planOf(const Mechanism& mechanism) {
  std::vector<RowGroup> groups;
  for (std::size_t k = 0; k < mechanism.joints.size(); ++k) {
    groups.push_back({mechanism.joints[k].name, false, static_cast<int>(k), 0, 2, 0, 0});
  }
  for (std::size_t d = 0; d < mechanism.drives.size(); ++d) {
    groups.push_back({mechanism.drives[d].name, true, static_cast<int>(d), 0, 1, 0, 0});
  }
  const TreeRules rules{[](JointKind kind) { return kind == JointKind::revolute; }, DrivenJoints::rows};
  return planTree(mechanism, groups, rules);
}

const Frame& frameOn(const Joint& joint, BodyIndex body) {
  return joint.first == body ? joint.on_first : joint.on_second;
}

struct ValuePoint {
  Value x, y;
};

ValuePoint pointOf(const Frame& frame) { return {frame.point[0], frame.point[1]}; }

Value minus(const Value& a, const Value& b) { return {a.number - b.number, a.expr - b.expr}; }
ValuePoint operator-(const ValuePoint& a, const ValuePoint& b) { return {minus(a.x, b.x), minus(a.y, b.y)}; }

// Where each of a mechanism's constants comes from, in the frames of the links.
class Geometry {
 public:
  Geometry(const Mechanism& mechanism, const LinkagePlan& plan) : m_(mechanism), plan_(plan) {}

  BodyIndex bodyOf(int link) const { return link < 0 ? kGround : BodyIndex(plan_.body[at(link)]); }
  const Joint& hingeOf(int link) const { return m_.joints[at(plan_.joint[at(link)])]; }
  // O_k in the axes of its body; of the ground: its origin.
  ValuePoint origin(int link) const { return link < 0 ? ValuePoint{} : pointOf(frameOn(hingeOf(link), bodyOf(link))); }
  // A point of a joint from the origin of a link's frame.
  ValuePoint from(int link, const Joint& joint) const { return pointOf(frameOn(joint, bodyOf(link))) - origin(link); }
  ValuePoint hingeInBase(int link) const { return from(plan_.tree.base(link), hingeOf(link)); }
  ValuePoint centre(int link) const {
    const Point& com = m_.body(bodyOf(link)).com;
    return ValuePoint{com[0], com[1]} - origin(link);
  }
  const Joint& cut(int c) const { return m_.joints[at(plan_.cut_joint[at(c)])]; }

 private:
  const Mechanism& m_;
  const LinkagePlan& plan_;
};

template <class T, class Take>
LinkageConstants<T> constantsBy(const Mechanism& mechanism, const LinkagePlan& plan, const Take& take) {
  const Geometry geometry(mechanism, plan);
  LinkageConstants<T> out;
  const auto vector = [&](const char* x, const char* y, int k, const char* meaning, const ValuePoint& p) {
    return Vec2<T>{take(x, k, fmt::format("{}, x", meaning), "m", p.x),
                   take(y, k, fmt::format("{}, y", meaning), "m", p.y)};
  };
  for (int k = 0; k < plan.tree.links(); ++k) {
    const Body& body = mechanism.body(geometry.bodyOf(k));
    const std::string name = fmt::format("{} ({})", k + 1, body.name);
    LinkConstants<T> link;
    link.mass = take("mo", k, fmt::format("mass of link {}", name), "kg", body.mass);
    link.centre = vector("cx", "cy", k, fmt::format("centre of mass of link {} from its hinge", name).c_str(),
                         geometry.centre(k));
    link.inertia =
        take("Jo", k, fmt::format("inertia of link {} about its centre of mass", name), "kg*m^2", body.inertia);
    link.R = vector("Rx", "Ry", k, fmt::format("hinge of link {} in its base", name).c_str(), geometry.hingeInBase(k));
    out.link.push_back(link);
  }
  for (int c = 0; c < plan.tree.cutCount(); ++c) {
    const CutEnds& ends = plan.tree.cuts()[at(c)];
    const std::string name = fmt::format("cut {} ({})", c + 1, geometry.cut(c).name);
    CutConstants<T> cut;
    cut.on_a = vector("pax", "pay", c, fmt::format("{} on link {}", name, ends.a + 1).c_str(),
                      geometry.from(ends.a, geometry.cut(c)));
    const std::string where = ends.b < 0 ? std::string("the ground") : fmt::format("link {}", ends.b + 1);
    cut.on_b =
        vector("pbx", "pby", c, fmt::format("{} on {}", name, where).c_str(), geometry.from(ends.b, geometry.cut(c)));
    out.cut.push_back(cut);
  }
  return out;
}

bool isZero(const Value& value) { return value.expr.isNumber(0.0); }

// Gravity that points down keeps its letter g.
bool pointsDown(const Mechanism& mechanism) {
  return isZero(mechanism.gravity[0]) && mechanism.gravity[1].number <= 0.0;
}

std::string nameOf(const Mechanism& mechanism, const LinkagePlan& plan, int link) {
  return link < 0 ? std::string("ground") : mechanism.bodies[at(plan.body[at(link)])].name;
}

}  // namespace

std::string linkageObstacle(const Mechanism& mechanism) {
  if (mechanism.space != Space::planar) return "the mechanism moves in space, and linkage is for motion in the plane";
  for (const Joint& joint : mechanism.joints) {
    if (joint.compliance)
      return fmt::format("joint \"{}\" is made of springs, and linkage is made of hinges", joint.name);
    if (joint.kind == JointKind::revolute) continue;
    return fmt::format("joint \"{}\" is {}, and linkage is made of hinges (revolute)", joint.name, wordFor(joint.kind));
  }
  for (const Drive& drive : mechanism.drives) {
    if (drive.kind == DriveKind::angle) continue;
    return fmt::format("drive \"{}\" prescribes a {}, and linkage has drives of angles only", drive.name,
                       wordFor(drive.kind));
  }
  const bool asked =
      std::any_of(mechanism.joints.begin(), mechanism.joints.end(), [](const Joint& joint) { return joint.cut; });
  for (const PlannedLink& link : planOf(mechanism).links) {
    if (link.joint >= 0) continue;
    return fmt::format("body \"{}\" hangs on no hinge that leads to the ground{}, and linkage has no floating links",
                       mechanism.bodies[at(link.body)].name, asked ? " other than those with cut = true" : "");
  }
  return {};
}

LinkagePlan planLinkage(const Mechanism& mechanism) {
  const std::string obstacle = linkageObstacle(mechanism);
  expect(obstacle.empty(), obstacle);
  LinkagePlan out;
  out.in_mechanism = planOf(mechanism);
  std::vector<int> link_of(mechanism.bodies.size(), -1);
  std::vector<int> base;
  for (const PlannedLink& link : out.in_mechanism.links) {
    link_of[at(link.body)] = static_cast<int>(out.body.size());
    out.body.push_back(link.body);
    out.joint.push_back(link.joint);
    base.push_back(link.parent < 0 ? -1 : link_of[at(link.parent)]);
  }
  const auto linkOf = [&](BodyIndex body) { return body.valid() ? link_of[body.at()] : -1; };
  std::vector<CutEnds> cuts;
  for (const PlannedCut& cut : out.in_mechanism.cuts) {
    if (cut.joint < 0) continue;
    const Joint& joint = mechanism.joints[at(cut.joint)];
    // The reaction of a cut acts on the second-named body, where that is a link.
    CutEnds ends{linkOf(joint.second), linkOf(joint.first)};
    if (ends.a < 0) std::swap(ends.a, ends.b);
    if (ends.a < 0) continue;  // the ground with itself holds nothing
    cuts.push_back(ends);
    out.cut_joint.push_back(cut.joint);
  }
  for (std::size_t d = 0; d < mechanism.drives.size(); ++d) {
    const Drive& drive = mechanism.drives[d];
    out.drives.push_back({static_cast<int>(d), linkOf(drive.first), linkOf(drive.second),
                          minus(drive.on_first.angle, drive.on_second.angle)});
  }
  out.tree = LinkageTree(std::move(base), std::move(cuts));
  return out;
}

LinkageConstants<double> linkageConstants(const Mechanism& mechanism, const LinkagePlan& plan) {
  const auto take = [](const char*, int, const std::string&, const char*, const Value& value) { return value.number; };
  LinkageConstants<double> out = constantsBy<double>(mechanism, plan, take);
  out.gravity = {mechanism.gravity[0].number, mechanism.gravity[1].number};
  augment(plan.tree, out, Naming<double>(Unnamed{}));
  return out;
}

LinkageConstants<Expr> linkageConstants(const Mechanism& mechanism, const LinkagePlan& plan, Letters letters,
                                        const Naming<Expr>& let, std::vector<Letter>* listed) {
  const auto letterFor = [&](const std::string& name, const std::string& meaning, const char* unit,
                             const Value& value) -> Expr {
    if (letters == Letters::parameters || isZero(value)) return value.expr;
    if (listed != nullptr) listed->push_back({name, meaning, unit, value});
    return Expr::symbol(name);
  };
  const auto take = [&](const char* letter, int k, const std::string& meaning, const char* unit, const Value& value) {
    return letterFor(fmt::format("{}_{}", letter, k + 1), meaning, unit, value);
  };
  LinkageConstants<Expr> out = constantsBy<Expr>(mechanism, plan, take);
  const auto& g = mechanism.gravity;
  if (pointsDown(mechanism) && letters == Letters::paper) {
    out.gravity = {0.0, -letterFor("g", "gravity, downwards", "m/s^2", minus(Value(0.0), g[1]))};
  } else {
    out.gravity = {letterFor("gx", "gravity, x", "m/s^2", g[0]), letterFor("gy", "gravity, y", "m/s^2", g[1])};
  }
  augment(plan.tree, out, let);
  return out;
}

std::vector<std::string> planInWords(const Mechanism& mechanism, const LinkagePlan& plan) {
  const LinkageTree& tree = plan.tree;
  std::vector<std::string> out;
  std::vector<std::string> roots;
  for (int k = 0; k < tree.links(); ++k) {
    if (tree.isRoot(k)) roots.push_back(fmt::format("{} ({})", k + 1, nameOf(mechanism, plan, k)));
  }
  out.push_back(fmt::format("root{}: {}", roots.size() == 1 ? "" : "s", fmt::join(roots, ", ")));
  for (int k = 0; k < tree.links(); ++k) {
    const int p = tree.base(k);
    out.push_back(fmt::format("link {} = {} <- {} by {}", k + 1, nameOf(mechanism, plan, k),
                              p < 0 ? std::string("ground") : fmt::format("link {}", p + 1),
                              mechanism.joints[at(plan.joint[at(k)])].name));
  }
  if (tree.cutCount() == 0) out.emplace_back("no loops: nothing is cut");
  for (int c = 0; c < tree.cutCount(); ++c) {
    const CutEnds& ends = tree.cuts()[at(c)];
    out.push_back(fmt::format("cut {} = {} between link {} and {}: its reaction acts on link {}", c + 1,
                              mechanism.joints[at(plan.cut_joint[at(c)])].name, ends.a + 1,
                              ends.b < 0 ? std::string("the ground") : fmt::format("link {}", ends.b + 1), ends.a + 1));
  }
  for (const DriveRow& row : plan.drives) {
    out.push_back(fmt::format("drive {} turns {} against {}: its torque is an unknown",
                              mechanism.drives[at(row.drive)].name, nameOf(mechanism, plan, row.second),
                              nameOf(mechanism, plan, row.first)));
  }
  return out;
}

}  // namespace linkwork::linkage
