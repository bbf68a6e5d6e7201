#include "linkwork/study/polynomial_split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {

namespace {

constexpr int kValues = 9;
constexpr int kMostPowers = 4;
// Of the largest entry: what a polynomial may miss, and terms that are none.
constexpr double kMissed = 1e-10;
constexpr double kNoTerm = 1e-11;

}  // namespace

PolynomialSplit splitByPowers(const std::function<std::vector<Eigen::MatrixXd>(double)>& at, double centre) {
  PolynomialSplit out;
  const double unit = centre == 0.0 ? 1.0 : std::abs(centre);
  std::vector<std::vector<Eigen::MatrixXd>> values;
  Eigen::VectorXd x(kValues);
  for (int k = 0; k < kValues; ++k) {
    // From half the value to one and a half of it, in its units; from -1 to 1 about zero.
    x[k] = centre == 0.0 ? -1.0 + 2.0 * k / (kValues - 1) : std::copysign(0.5 + 1.0 * k / (kValues - 1), centre);
    values.push_back(at(x[k] * unit));
    if (values.back().empty()) {
      out.problem = "there are no matrices at one of the values that are needed.";
      return out;
    }
  }
  for (std::size_t m = 0; m < values.front().size(); ++m) {
    const Eigen::MatrixXd& like = values.front()[m];
    Eigen::MatrixXd entries(kValues, like.size());
    for (int k = 0; k < kValues; ++k) {
      entries.row(k) = Eigen::Map<const Eigen::RowVectorXd>(values[static_cast<std::size_t>(k)][m].data(), like.size());
    }
    const double size = like.size() == 0 ? 0.0 : entries.cwiseAbs().maxCoeff();
    std::map<int, Eigen::MatrixXd> powers;
    bool found = size == 0.0;
    for (int degree = 0; degree <= kMostPowers && !found; ++degree) {
      Eigen::MatrixXd table(kValues, degree + 1);
      for (int k = 0; k < kValues; ++k) {
        for (int d = 0; d <= degree; ++d) table(k, d) = std::pow(x[k], d);
      }
      const Eigen::MatrixXd terms = table.householderQr().solve(entries);
      if ((table * terms - entries).cwiseAbs().maxCoeff() > kMissed * size) continue;
      found = true;
      for (int d = 0; d <= degree; ++d) {
        if (terms.row(d).cwiseAbs().maxCoeff() <= kNoTerm * size) continue;
        powers[d] =
            Eigen::Map<const Eigen::MatrixXd>(Eigen::RowVectorXd(terms.row(d)).data(), like.rows(), like.cols()) /
            std::pow(unit, d);
      }
    }
    if (!found) {
      out.problem = fmt::format(
          "a matrix is no polynomial of it up to the power {}; ask for the matrices at single values with --set.",
          kMostPowers);
      return out;
    }
    out.powers.push_back(std::move(powers));
  }
  out.ok = true;
  return out;
}

}  // namespace linkwork
