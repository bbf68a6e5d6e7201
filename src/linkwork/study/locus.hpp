// Locus: eigenvalues of a steady motion over a parameter, as branches, with the limits between what is stable and what
// is not.
//
//   branches   samples matched by an assignment: nearest value and most alike shape
//   limits     real: the determinant of the deflated matrix changes its sign
//              hopf: the real part of a tracked pair does
//              double: two pairs meet on the imaginary axis; there (mu_1 - mu_2)^2 changes its sign, which is smooth
//   each refined by TOMS 748 or bisection to 1e-12 of the range                              [docs/theory/12]
#pragma once

#include <Eigen/Core>
#include <complex>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace linkwork {

struct LocusSample {
  bool ok = false;
  std::string problem;
  double p = 0.0;
  Eigen::VectorXcd values;  // eigenvalues, structural zeros left out
  Eigen::MatrixXcd shapes;  // their motions of named coordinates, turns times the length; columns of length one
  double determinant = 0.0;
};

using LocusAt = std::function<LocusSample(double p)>;

enum class LimitKind { real, hopf, double_root };
std::string_view wordFor(LimitKind kind);

struct StabilityLimit {
  double at = 0.0;
  LimitKind kind = LimitKind::real;
  std::complex<double> eigenvalue;  // there: of a double root good to the root of round-off only
  int branch = 0;
  bool unstable_above = false;
  Eigen::VectorXcd shape;
};

enum class StabilityClass { stable, neutral, unstable };
std::string_view wordFor(StabilityClass of);
// Real parts within 1e-9 of the largest eigenvalue count as zero.
StabilityClass classOf(const Eigen::VectorXcd& values);

struct StabilityRange {
  double from = 0.0;
  double to = 0.0;
  StabilityClass is = StabilityClass::stable;
  std::complex<double> fastest;  // of its middle: the eigenvalue with the greatest real part
};

struct LocusOptions {
  double from = 0.0;
  double to = 1.0;
  int points = 41;  // at first, evenly
  int most_points = 800;

  std::string problem() const;
};

struct Locus {
  bool ok = false;
  std::string problem;
  std::vector<LocusSample> samples;  // in rising order; columns in the order of branches
  std::vector<StabilityLimit> limits;
  std::vector<StabilityRange> ranges;
};

Locus traceLocus(const LocusAt& at, const LocusOptions& options);

}  // namespace linkwork
