// The paper's formulas as printed are wrong where docs/theory/08 says so: with one misprint put back at a time,
// statement 1 and (8) no longer give the torques.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/linkage/reference_linkages_for_tests.hpp"

namespace linkwork::linkage {
namespace errata_test {

enum class Misprint { none, acceleration_sum, square_sum, gravity, way_without_end };

struct Placed {
  std::vector<Vec2<double>> mu, R;
};

Placed placed(const ReferenceLinkage& r) {
  FormWork<double> work(r.tree);
  place(Form::statement1, Trig::vectors, r.tree, r.constants, r.inputs(), work, Unnamed{});
  return {work.place.mu, work.place.R};
}

// The left side of row k of (1), less the loads, by the vectors A^k_m = U_k . R_m and B^k_m = (k x U_k) . R_m.
double statement1(const ReferenceLinkage& r, int k, Misprint misprint) {
  const Placed at_state = placed(r);
  const auto U = [&](int i) {
    Vec2<double> sum;
    for (int j = i; j < r.tree.links(); ++j) {
      if (r.tree.carries(i, j)) sum += at_state.mu[at(j)];
    }
    return sum;
  };
  const auto A = [&](int i, int m) { return dot(U(i), at_state.R[at(m)]); };
  const auto B = [&](int i, int m) { return cross(U(i), at_state.R[at(m)]); };
  const auto w2 = [&](int i) { return r.rate[at(i)] * r.rate[at(i)]; };
  double row = 0.0;
  for (int j = k; r.tree.base(j) >= 0; j = r.tree.base(j)) {
    const int i = r.tree.base(j);
    row += A(k, j) * r.acceleration[at(i)] - B(k, j) * w2(i);
  }
  for (int i = k; i < r.tree.links(); ++i) {
    if (!r.tree.carries(k, i)) continue;
    Vec2<double> R_ki;
    for (int j = i; j != k; j = r.tree.base(j)) R_ki += at_state.R[at(j)];
    double factor = r.constants.link[at(i)].J + dot(at_state.mu[at(i)], R_ki);
    double square = cross(at_state.mu[at(i)], R_ki);
    for (const int j : r.tree.children(i)) {
      factor += misprint == Misprint::acceleration_sum ? A(i, j) : A(j, j);
      square -= misprint == Misprint::square_sum ? B(i, j) : B(j, j);
    }
    const int weighed = misprint == Misprint::gravity ? k : i;
    row += factor * r.acceleration[at(i)] + square * w2(i) - cross(at_state.mu[at(weighed)], r.constants.gravity);
  }
  return row;
}

double torqueError(const ReferenceLinkage& r, Misprint misprint) {
  double worst = 0.0;
  double largest = 0.0;
  for (int k = 0; k < r.tree.links(); ++k) {
    worst = std::max(worst, std::abs(statement1(r, k, misprint) - r.MR[at(k)] - r.drive[at(k)]));
    largest = std::max(largest, std::abs(r.drive[at(k)]));
  }
  return worst / largest;
}

// B_ik of (8) with the sum from the link after k to i, or over the links on the link after k, which is all that the
// print allows to read.
double wayError(const ReferenceLinkage& r, Misprint misprint) {
  const Placed at_state = placed(r);
  double worst = 0.0;
  for (const Entry& entry : r.B) {
    const int i = entry.k;
    const int k = entry.i;
    const auto Jc = [&](int body, int hinge) { return dot(at_state.mu[at(body)], at_state.R[at(hinge)]); };
    double B = r.constants.link[at(i)].J;
    if (misprint == Misprint::none) {
      for (int j = i; j != k; j = r.tree.base(j)) B += Jc(i, j);
    } else if (i != k) {
      for (const int j : r.tree.children(r.tree.next(k, i))) B += Jc(i, j);
    }
    for (int j = i + 1; j < r.tree.links(); ++j) {
      if (r.tree.carries(i, j)) B += Jc(j, r.tree.next(i, j));
    }
    worst = std::max(worst, std::abs(B - entry.value));
  }
  return worst;
}

TEST(Errata, StatementOneIsRightAsCorrectedAndWrongAsPrinted) {
  for (const ReferenceLinkage& r : {serialThree(), branchedFive()}) {
    EXPECT_LT(torqueError(r, Misprint::none), 1e-12);
    for (const Misprint misprint : {Misprint::acceleration_sum, Misprint::square_sum, Misprint::gravity}) {
      const double error = torqueError(r, misprint);
      EXPECT_GT(error, 1e-3);
      RecordProperty(fmt::format("misprint_{}_links_{}", static_cast<int>(misprint), r.tree.links()),
                     fmt::format("{:.2g}", error));
    }
  }
}

TEST(Errata, EquationEightNeedsTheEndOfItsWay) {
  for (const ReferenceLinkage& r : {serialThree(), branchedFive()}) {
    EXPECT_LT(wayError(r, Misprint::none), 1e-12);
    EXPECT_GT(wayError(r, Misprint::way_without_end), 1e-2);
    RecordProperty(fmt::format("links_{}", r.tree.links()),
                   fmt::format("{:.2g}", wayError(r, Misprint::way_without_end)));
  }
}

}  // namespace errata_test
}  // namespace linkwork::linkage
