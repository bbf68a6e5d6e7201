// Matrices as polynomials of a parameter, from their values: exact to round-off, or refused.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace linkwork {

struct PolynomialSplit {
  bool ok = false;
  std::string problem;
  std::vector<std::map<int, Eigen::MatrixXd>> powers;  // of each matrix: those that are there
};

// `at`: the matrices at a value, always as many of the same sizes; none where there are none. Values around `centre`.
PolynomialSplit splitByPowers(const std::function<std::vector<Eigen::MatrixXd>(double)>& at, double centre);

}  // namespace linkwork
