#include "linkwork/formulation/hamiltonian/split_bodies.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "linkwork/base/contract.hpp"
#include "linkwork/base/index.hpp"
#include "linkwork/formulation/recursive/tree_equations.hpp"
#include "linkwork/model/walk.hpp"

namespace linkwork {

namespace {

Value scaled(const Value& value, double share) { return {value.number * share, value.expr * Expr(share)}; }

void scaleInertia(Body& body, double share) {
  body.mass = scaled(body.mass, share);
  body.inertia = scaled(body.inertia, share);
  if (!body.tensor) return;
  Tensor& I = *body.tensor;
  for (Value* entry : {&I.xx, &I.yy, &I.zz, &I.xy, &I.xz, &I.yz}) *entry = scaled(*entry, share);
}

// Forces and couples given by formulas.
void scaleForces(Load& load, double share) {
  walk(load, Visitor{[share](Expr& formula) { formula = formula * Expr(share); }, kPassOver});
}

// Who holds one body holds another instead.
template <class Part>
void redirect(Part& part, BodyIndex from, BodyIndex to) {
  const auto turn = [from, to](BodyIndex& body) {
    if (body == from) body = to;
  };
  walk(part, Visitor{turn, kPassOver});
}

class Splitter {
 public:
  explicit Splitter(const Mechanism& mechanism) : given_(mechanism), out_(mechanism) {}

  Mechanism split(const std::vector<SplitBody>& splits) {
    for (const SplitBody& one : splits) split(one);
    return std::move(out_);
  }

 private:
  void split(const SplitBody& one) {
    const BodyIndex body = one.body;
    double inertia = 1.0;
    double forces = 1.0;
    for (std::size_t k = 0; k < one.images.size(); ++k) {
      const BodyImage& image = one.images[k];
      const BodyIndex index(static_cast<int>(out_.bodies.size()));
      Body copy = given_.body(body);
      copy.name = fmt::format("{}/{}", copy.name, k + 2);
      scaleInertia(copy, image.inertia);
      out_.bodies.push_back(copy);
      for (const JointIndex joint : image.joints) moveJoint(joint, body, index);
      addFixed(copy.name, body, index);
      shareForces(body, index, image.forces);
      inertia -= image.inertia;
      forces -= image.forces;
    }
    scaleInertia(out_.bodies[body.at()], inertia);
    for (std::size_t k = 0; k < given_.loads.size(); ++k) {
      if (isShared(given_.loads[k], body)) scaleForces(out_.loads[k], forces);
    }
  }

  static bool isShared(const Load& load, BodyIndex body) {
    return load.second == body && (load.kind == LoadKind::force || load.kind == LoadKind::couple);
  }

  void moveJoint(JointIndex joint, BodyIndex from, BodyIndex to) {
    Joint& moved = out_.joints[joint.at()];
    expect(moved.first == from || moved.second == from, "splitBodies: the joint does not hold the body");
    for (std::size_t d = 0; d < given_.drives.size(); ++d) {
      if (drivenJoint(given_, given_.drives[d]) == joint.value()) redirect(out_.drives[d], from, to);
    }
    redirect(moved, from, to);
    moved.cut = false;  // the image hangs on it
  }

  void addFixed(const std::string& name, BodyIndex body, BodyIndex image) {
    Joint joint;
    joint.name = name;
    joint.kind = JointKind::fixed;
    joint.first = body;
    joint.second = image;
    joint.cut = true;
    out_.joints.push_back(joint);
  }

  void shareForces(BodyIndex body, BodyIndex image, double share) {
    if (share == 0.0) return;
    for (const Load& load : given_.loads) {
      if (!isShared(load, body)) continue;
      Load part = load;
      part.second = image;
      scaleForces(part, share);
      out_.loads.push_back(part);
    }
  }

  const Mechanism& given_;
  Mechanism out_;
};

}  // namespace

std::vector<std::string> openingNames() { return {"cut_joints", "split_bodies"}; }

LoopOpening openingOf(std::string_view name) {
  const std::vector<std::string> names = openingNames();
  const auto found = std::find(names.begin(), names.end(), name);
  expect(found != names.end(), fmt::format("there is no way \"{}\" of opening loops", name));
  return static_cast<LoopOpening>(found - names.begin());
}

Mechanism splitBodies(const Mechanism& mechanism, const std::vector<SplitBody>& splits) {
  return Splitter(mechanism).split(splits);
}

Mechanism withSplitBodies(const Mechanism& mechanism, double share) {
  if (!mechanism.splits.empty()) return splitBodies(mechanism, mechanism.splits);
  return splitBodies(mechanism, splitsOf(mechanism, planRecursiveTree(mechanism), share));
}

std::vector<SplitBody> splitsOf(const Mechanism& mechanism, const TreePlan& plan, double share) {
  std::vector<SplitBody> out;
  for (const PlannedCut& cut : plan.cuts) {
    if (cut.joint < 0 || !canCarry(mechanism.joints[at(cut.joint)].kind)) continue;
    const Joint& joint = mechanism.joints[at(cut.joint)];
    const BodyIndex body = joint.second.valid() ? joint.second : joint.first;
    auto found = std::find_if(out.begin(), out.end(), [&](const SplitBody& one) { return one.body == body; });
    if (found == out.end()) found = out.insert(out.end(), SplitBody{body, {}});
    found->images.push_back({0.0, 0.0, {JointIndex(cut.joint)}});
  }
  for (SplitBody& one : out) {
    const double equal = 1.0 / static_cast<double>(one.images.size() + 1);
    for (BodyImage& image : one.images) image.inertia = share > 0.0 ? share : equal;
  }
  return out;
}

}  // namespace linkwork
