#include "linkwork/analyse/independent_coordinates.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "linkwork/base/diagnostics.hpp"
#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {

namespace {

// An early coordinate is taken when it sees at least this share of what the best one sees.
constexpr double kGoodEnough = 0.3;
// Wanted coordinates that see less than this of a freedom do not describe it.
constexpr double kSeesNothing = 1e-6;

// Takes the direction of a row out of all rows.
void deflate(Eigen::MatrixXd& rows, Eigen::Index taken) {
  const Eigen::RowVectorXd direction = rows.row(taken).normalized();
  const Eigen::VectorXd shares = rows * direction.transpose();
  rows -= shares * direction;
}

}  // namespace

Eigen::MatrixXd unseenMotions(const Eigen::MatrixXd& rows, double dependent) {
  if (rows.rows() == 0) return Eigen::MatrixXd::Identity(rows.cols(), rows.cols());
  Eigen::MatrixXd transposed = rows.transpose();
  for (Eigen::Index r = 0; r < transposed.cols(); ++r) {
    const double size = transposed.col(r).norm();
    if (size > 0.0) transposed.col(r) /= size;
  }
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(transposed);
  qr.setThreshold(dependent);
  const Eigen::MatrixXd Q = qr.householderQ() * Eigen::MatrixXd::Identity(rows.cols(), rows.cols());
  return Q.rightCols(rows.cols() - qr.rank());
}

Choice chooseIndependent(const Eigen::MatrixXd& rows, const std::vector<std::string>& names,
                         const std::vector<std::string>& wanted) {
  Choice out;
  const Eigen::Index count = rows.cols();
  Eigen::MatrixXd left = rows;
  if (!wanted.empty() && static_cast<Eigen::Index>(wanted.size()) != count) {
    out.problem = fmt::format("the mechanism has {} freedom{} here, but {} coordinate{} asked for", count,
                              count == 1 ? "" : "s", wanted.size(), wanted.size() == 1 ? " is" : "s are");
    out.hint = "Name as many as it has, or none.";
    return out;
  }
  for (const std::string& name : wanted) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      out.problem = fmt::format("there is no coordinate \"{}\"", name);
      out.hint = didYouMean(name, names);
      if (out.hint.empty()) out.hint = "Angles and slides of joints, places and angles of bodies can be named.";
      return out;
    }
    const auto row = found - names.begin();
    if (left.row(row).norm() <= kSeesNothing * std::max(rows.row(row).norm(), 1e-300)) {
      out.problem = fmt::format("\"{}\" does not move by itself here: {}", name,
                                out.rows.empty() ? std::string("no motion of the mechanism changes it")
                                                 : "what it does follows from the coordinates named before it");
      out.hint = "Name another one.";
      return out;
    }
    out.rows.push_back(static_cast<std::size_t>(row));
    deflate(left, row);
  }
  while (static_cast<Eigen::Index>(out.rows.size()) < count) {
    const Eigen::VectorXd seen = left.rowwise().norm();
    const double best = seen.maxCoeff();
    Eigen::Index row = 0;
    while (seen[row] < kGoodEnough * best) ++row;
    out.rows.push_back(static_cast<std::size_t>(row));
    deflate(left, row);
  }
  // In the order of the file, not in that of the search.
  if (wanted.empty()) std::sort(out.rows.begin(), out.rows.end());
  return out;
}

}  // namespace linkwork
