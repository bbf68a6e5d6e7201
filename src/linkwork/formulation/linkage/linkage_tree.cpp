#include "linkwork/formulation/linkage/linkage_tree.hpp"

#include "linkwork/base/contract.hpp"

namespace linkwork::linkage {

LinkageTree::LinkageTree(std::vector<int> base, std::vector<CutEnds> cuts)
    : base_(std::move(base)), cuts_(std::move(cuts)) {
  const int n = links();
  child_start_.assign(at(n) + 1, 0);
  depth_.assign(at(n), 0);
  for (int k = 0; k < n; ++k) {
    expect(base_[at(k)] >= -1 && base_[at(k)] < k, "LinkageTree: a base must come before the link that it carries");
    if (base_[at(k)] < 0) continue;
    depth_[at(k)] = depth_[at(base_[at(k)])] + 1;
    ++child_start_[at(base_[at(k)]) + 1];
  }
  for (const CutEnds& cut : cuts_) {
    expect(cut.a >= 0 && cut.a < n && cut.b >= -1 && cut.b < n, "LinkageTree: a cut must be between links");
  }
  for (int k = 0; k < n; ++k) child_start_[at(k) + 1] += child_start_[at(k)];
  children_.assign(at(child_start_.back()), 0);
  std::vector<int> filled(child_start_.begin(), child_start_.end() - 1);
  for (int k = 0; k < n; ++k) {
    if (base_[at(k)] >= 0) children_[at(filled[at(base_[at(k)])]++)] = k;
  }

  // Numbers in the order of a walk that finishes each link's load before the next: k carries [enter, leave).
  std::vector<int> size(at(n), 1);
  for (int k = n - 1; k >= 0; --k) {
    if (base_[at(k)] >= 0) size[at(base_[at(k)])] += size[at(k)];
  }
  enter_.assign(at(n), 0);
  leave_.assign(at(n), 0);
  std::vector<int> free(at(n), 0);  // the next number within each link's own stretch
  int free_root = 0;
  for (int k = 0; k < n; ++k) {
    int& place = base_[at(k)] < 0 ? free_root : free[at(base_[at(k)])];
    enter_[at(k)] = place;
    leave_[at(k)] = place + size[at(k)];
    place = leave_[at(k)];
    free[at(k)] = enter_[at(k)] + 1;
  }
}

}  // namespace linkwork::linkage
