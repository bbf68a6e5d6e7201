// RowPlacer: puts elements into the lists of an ElementSet and counts their rows.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "linkwork/elements/quantity_compiler.hpp"

namespace linkwork::element_set {

template <class G>
class RowPlacer {
 public:
  // Both must outlive it.
  RowPlacer(const QuantityCompiler<G>& bodies, ElementSet<G>& set) : bodies_(bodies), set_(set) {}

  // The rows of a joint or a drive: those that are placed from here on.
  void openGroup(const std::string& name, bool is_drive, int index, BodyIndex first, BodyIndex second) {
    set_.groups.push_back({name, is_drive, index, set_.rows, 0, bodies_.slot(first), bodies_.slot(second)});
  }

  template <class E>
  void place(std::vector<Placed<E>>& list, E element, BodyIndex i, BodyIndex j, std::initializer_list<RowInfo> rows,
             int motion = -1) {
    list.push_back({std::move(element), bodies_.slot(i), bodies_.slot(j), set_.rows, motion});
    for (const RowInfo& row : rows) addRow(row.name, row.unit, levelOf<E>());
  }

  // The next row of the open group.
  void addRow(const std::string& name, RowUnit unit, RowLevel level) {
    RowGroup& group = set_.groups.back();
    set_.row_info.push_back({group.name + "." + name, unit, static_cast<int>(set_.groups.size()) - 1, level});
    ++set_.rows;
    ++group.rows;
    if (level != RowLevel::velocity) return;
    ++set_.velocity_rows;
    ++group.velocity_rows;
  }

  // A motion that rows follow, behind those of the drives; -1: none.
  int motionOf(const Joint& joint, const Expr& speed) {
    if (speed.isNumber(0.0)) return -1;
    timed_joints_.push_back({&joint, speed});
    return static_cast<int>(bodies_.mechanism().drives.size() + timed_joints_.size()) - 1;
  }
  // Speeds that rows of joints follow.
  const std::vector<std::pair<const Joint*, Expr>>& timedJoints() const { return timed_joints_; }

 private:
  const QuantityCompiler<G>& bodies_;
  ElementSet<G>& set_;
  std::vector<std::pair<const Joint*, Expr>> timed_joints_;
};

}  // namespace linkwork::element_set
