// LinkagePlan: a planar mechanism whose joints are all hinges, read as the paper reads it: links numbered from the
// roots, loops cut, and the constants of every link.
//
// Link k is a body; its frame has the body's axes and stands in the hinge to its base, so that al_k is the body's
// angle. A hinge that is not needed to carry a link is cut: the point of link a on the point of link b, or of the
// ground. The reaction of a cut acts on a. Drives of angles are rows beside the cuts, and their torques unknowns.
#pragma once

#include <string>
#include <vector>

#include "linkwork/formulation/linkage/linkage_constants.hpp"
#include "linkwork/model/mechanism.hpp"
#include "linkwork/topology/tree_plan.hpp"

namespace linkwork::linkage {

// A drive of an angle: al_second - al_first - offset - f(t) = 0; -1: the ground.
struct DriveRow {
  int drive = 0;  // of the mechanism
  int first = -1;
  int second = -1;
  Value offset;
};

struct LinkagePlan {
  LinkageTree tree;
  std::vector<int> body;       // of link k
  std::vector<int> joint;      // that joins link k to its base
  std::vector<int> cut_joint;  // of cut c
  std::vector<DriveRow> drives;
  TreePlan in_mechanism;

  int rows() const { return 2 * tree.cutCount() + static_cast<int>(drives.size()); }
};

// Which joint, drive or body is in the way, as the beginning of a sentence; empty: the mechanism is a planar hinged
// linkage.
std::string linkageObstacle(const Mechanism& mechanism);

// Throws ContractError with linkageObstacle() if there is one.
LinkagePlan planLinkage(const Mechanism& mechanism);

// What the constants of an Expr linkage are made of.
enum class Letters {
  parameters,  // the formulas of the model file
  paper,       // one letter each: mo_k, cx_k, cy_k, Jo_k, Rx_k, Ry_k; of cut c pax_c, pay_c, pbx_c, pby_c; g or gx, gy
};

struct Letter {
  std::string name;
  std::string meaning;
  std::string unit;
  Value value;
};

// Given constants, and what augment() makes of them.
LinkageConstants<double> linkageConstants(const Mechanism& mechanism, const LinkagePlan& plan);
// With letters only for what is not zero by structure; they are listed where the caller wants them.
LinkageConstants<Expr> linkageConstants(const Mechanism& mechanism, const LinkagePlan& plan, Letters letters,
                                        const Naming<Expr>& let, std::vector<Letter>* listed = nullptr);

// The paper's steps for this mechanism, a line each: root, numbering of subsystems, cuts, augmented bodies.
std::vector<std::string> planInWords(const Mechanism& mechanism, const LinkagePlan& plan);

}  // namespace linkwork::linkage
