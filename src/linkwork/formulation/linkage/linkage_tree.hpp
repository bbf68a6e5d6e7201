// LinkageTree: which link hangs on which, after the loops of a planar hinged mechanism have been cut.
//
// Links are numbered from 0 in code and from 1 in everything a person reads; -1 is the ground. A base comes before what
// it carries: base[k] < k. Hinge k joins link k to its base.
#pragma once

#include <span>
#include <vector>

#include "linkwork/base/index.hpp"

namespace linkwork::linkage {

// A hinge that closes a loop: a point of link a on a point of link b, or of the ground (b = -1).
struct CutEnds {
  int a = 0;
  int b = -1;
};

class LinkageTree {
 public:
  LinkageTree() = default;
  // Throws ContractError where a base does not come before its link, or a cut names no link.
  explicit LinkageTree(std::vector<int> base, std::vector<CutEnds> cuts = {});

  int links() const { return static_cast<int>(base_.size()); }
  int base(int k) const { return base_[at(k)]; }  // p(k)
  const std::vector<CutEnds>& cuts() const { return cuts_; }
  int cutCount() const { return static_cast<int>(cuts_.size()); }

  // Links carried by k directly, in their order.
  std::span<const int> children(int k) const {
    return std::span(children_).subspan(at(child_start_[at(k)]), at(child_start_[at(k) + 1] - child_start_[at(k)]));
  }
  bool isRoot(int k) const { return base_[at(k)] < 0; }
  int depth(int k) const { return depth_[at(k)]; }  // 0 for a root
  // Whether k is i or is carried by i: i in {1, ..., k}, k >= i.
  bool carries(int i, int k) const { return enter_[at(i)] <= enter_[at(k)] && enter_[at(k)] < leave_[at(i)]; }
  // The link after i on the way to k: needs i under k.
  int next(int i, int k) const {
    while (base(k) != i) k = base(k);
    return k;
  }

 private:
  std::vector<int> base_;
  std::vector<CutEnds> cuts_;
  std::vector<int> child_start_, children_;
  std::vector<int> depth_, enter_, leave_;
};

}  // namespace linkwork::linkage
