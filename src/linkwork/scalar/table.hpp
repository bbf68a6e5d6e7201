// Table: a function of one number given by points, linear between them or a cubic spline; a node of an expression holds
// one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "linkwork/scalar/dual.hpp"

namespace linkwork {

enum class TableKind : std::uint8_t { linear, cubic };

// Beyond the first and the last point: stay at the last value, go on straight, or be no number at all.
enum class TableOutside : std::uint8_t { hold, extend, error };

// End conditions of a cubic: no curvature, or no slope.
enum class TableEnds : std::uint8_t { natural, clamped };

class Table {
 public:
  // x must increase strictly, with as many values in y, at least two of each, all finite; else ContractError.
  Table(std::string name, std::vector<double> x, std::vector<double> y, TableKind kind, TableOutside outside,
        TableEnds ends = TableEnds::natural);

  const std::string& name() const { return name_; }
  const std::vector<double>& x() const { return x_; }
  const std::vector<double>& y() const { return y_; }
  TableKind kind() const { return kind_; }
  TableOutside outside() const { return outside_; }
  TableEnds ends() const { return ends_; }

  // The derivative of this order (0: the value) at u. At a knot the piece to its right counts.
  double value(double u, int order) const;

  // Changes sign at every point where the function has a corner, and nowhere else.
  double corner(double u) const;
  bool hasCorners() const { return !corners_.empty(); }
  const std::vector<double>& corners() const { return corners_; }
  // Whether the second derivative is continuous wherever the function is defined.
  bool isTwiceDifferentiable() const;

  std::uint64_t hash() const { return hash_; }
  friend bool operator==(const Table& a, const Table& b) {
    return a.hash_ == b.hash_ && a.name_ == b.name_ && a.kind_ == b.kind_ && a.outside_ == b.outside_ &&
           a.ends_ == b.ends_ && a.x_ == b.x_ && a.y_ == b.y_;
  }

 private:
  void findCurvatures();
  void findCorners();

  std::string name_;
  std::vector<double> x_, y_;
  std::vector<double> curvature_;  // of a cubic, at the points
  std::vector<double> corners_;
  TableKind kind_;
  TableOutside outside_;
  TableEnds ends_;
  std::uint64_t hash_ = 0;
};

using TablePointer = std::shared_ptr<const Table>;

// What a node takes from its table: the derivative of some order, or (kTableCorner) the function that marks its
// corners.
inline constexpr int kTableCorner = -1;

inline double applyTable(const TablePointer& table, int order, double u) {
  return order == kTableCorner ? table->corner(u) : table->value(u, order);
}

template <int N, class T>
Dual<N, T> applyTable(const TablePointer& table, int order, const Dual<N, T>& u) {
  // The mark of a corner is only looked at for its sign: it is given no slope.
  if (order == kTableCorner) return Dual<N, T>(applyTable(table, order, u.value));
  return Dual<N, T>::chain(applyTable(table, order, u.value), applyTable(table, order + 1, u.value), u);
}

}  // namespace linkwork
