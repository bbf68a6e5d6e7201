// TableMaker: tables of numbers for explanations, filled column by column.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "linkwork/codegen/explain.hpp"
#include "linkwork/geometry/planar.hpp"

namespace linkwork {

// Beside the largest number of a column: round-off.
inline constexpr double kTableRoundoff = 1e-14;

// Numbers column by column; what is round-off beside the largest of its column is zero.
class TableMaker {
 public:
  explicit TableMaker(std::vector<std::string> rows) { table_.row_names = std::move(rows); }
  TableMaker& add(std::string name, std::vector<double> column) {
    double largest = 0.0;
    for (const double e : column) largest = std::max(largest, std::abs(e));
    for (double& e : column) {
      if (std::abs(e) <= kTableRoundoff * largest) e = 0.0;
    }
    table_.col_names.push_back(std::move(name));
    columns_.push_back(std::move(column));
    return *this;
  }
  TableMaker& add(const std::string& letter, const std::vector<Vec2<double>>& vectors) {
    std::vector<double> x;
    std::vector<double> y;
    for (const Vec2<double>& v : vectors) {
      x.push_back(v.x);
      y.push_back(v.y);
    }
    add(letter + "x", std::move(x));
    return add(letter + "y", std::move(y));
  }
  ExplainedTable done() {
    for (std::size_t r = 0; r < table_.row_names.size(); ++r) {
      for (const auto& column : columns_) table_.entries.emplace_back(column[r]);
    }
    return std::move(table_);
  }

 private:
  ExplainedTable table_;
  std::vector<std::vector<double>> columns_;
};

}  // namespace linkwork
