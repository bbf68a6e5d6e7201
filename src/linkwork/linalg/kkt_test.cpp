// The index-1 system against dense algebra: trees and loops, dependent rows, massless bodies, damping; and no
// allocation.
#include "linkwork/linalg/kkt.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "linkwork/base/contract.hpp"
#include "linkwork/base/index.hpp"
#include "linkwork/linalg/allocation_counter_for_tests.hpp"
#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {
namespace kkt_test {

// A system in dense form beside its structure: bodies of three freedoms with full 3 x 3 or diagonal mass.
struct System {
  KktStructure structure;
  Eigen::MatrixXd M, P;

  int coordinates() const { return structure.freedoms * structure.bodies; }
  int rows() const { return structure.rows(); }

  void fill(KktSolver& solver) const {
    std::size_t next = 0;
    for (int b = 0; b < structure.bodies; ++b) {
      for (const auto& [row, column] : structure.mass_entries) solver.mass()[next++] = M(3 * b + row, 3 * b + column);
    }
    next = 0;
    for (int r = 0; r < rows(); ++r) {
      for (int p = structure.row_start[at(r)]; p < structure.row_start[at(r) + 1]; ++p) {
        for (int k = 0; k < 3; ++k) solver.jacobian()[next++] = P(r, 3 * structure.row_bodies[at(p)] + k);
      }
    }
  }
  Eigen::MatrixXd dense() const {
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(coordinates() + rows(), coordinates() + rows());
    K.topLeftCorner(coordinates(), coordinates()) = M;
    K.topRightCorner(coordinates(), rows()) = P.transpose();
    K.bottomLeftCorner(rows(), coordinates()) = P;
    return K;
  }
};

enum class MassKind { diagonal, full };

class Builder {
 public:
  Builder(std::mt19937& random, int bodies, MassKind kind) : random_(random) {
    KktStructure& s = system.structure;
    s.bodies = bodies;
    s.mass_entries = {{0, 0}, {1, 1}, {2, 2}};
    system.M = Eigen::MatrixXd::Zero(3 * bodies, 3 * bodies);
    for (int b = 0; b < bodies; ++b) {
      for (int k = 0; k < 3; ++k) system.M(3 * b + k, 3 * b + k) = number(0.5, 2.0);
    }
    if (kind == MassKind::full) {
      s.mass_entries = {{0, 0}, {1, 0}, {1, 1}, {2, 0}, {2, 1}, {2, 2}};
      for (int b = 0; b < bodies; ++b) {
        Eigen::Matrix3d A;
        for (double& value : A.reshaped()) value = number(-1.0, 1.0);
        system.M.block<3, 3>(3 * b, 3 * b) = A * A.transpose() + 0.3 * Eigen::Matrix3d::Identity();
      }
    }
    system.P.resize(0, 3 * bodies);
  }

  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }

  Eigen::RowVectorXd randomRow(const std::vector<int>& bodies) {
    Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(system.P.cols());
    for (const int b : bodies) {
      for (int k = 0; k < 3; ++k) row[3 * b + k] = number(-1.0, 1.0);
    }
    return row;
  }
  int addRow(const Eigen::RowVectorXd& row) {
    KktStructure& s = system.structure;
    for (int b = 0; b < s.bodies; ++b) {
      if (row.segment(3 * b, 3).norm() > 0.0) s.row_bodies.push_back(b);
    }
    // The bodies of a row may be named in any order.
    std::shuffle(s.row_bodies.begin() + s.row_start.back(), s.row_bodies.end(), random_);
    s.row_start.push_back(static_cast<int>(s.row_bodies.size()));
    system.P.conservativeResize(system.P.rows() + 1, Eigen::NoChange);
    system.P.bottomRows(1) = row;
    return system.rows() - 1;
  }
  // Bodies first, then rows: valid for any graph.
  void bodiesFirst() {
    system.structure.order.clear();
    for (int k = 0; k < system.structure.bodies + system.rows(); ++k) system.structure.order.push_back(k);
  }

  System system;

 private:
  std::mt19937& random_;
};

Eigen::VectorXd randomVector(std::mt19937& random, int size) {
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  Eigen::VectorXd out(size);
  for (double& value : out) value = number(random);
  return out;
}

struct Answer {
  Eigen::VectorXd a, m;
  double residual = 0.0;
};

Answer solveWith(KktSolver& solver, const Eigen::VectorXd& f, const Eigen::VectorXd& g) {
  Answer out{f, g, 0.0};
  out.residual =
      solver
          .solve({out.a.data(), at(static_cast<int>(out.a.size()))}, {out.m.data(), at(static_cast<int>(out.m.size()))})
          .residual;
  return out;
}

int rankOf(const Eigen::MatrixXd& P) {
  if (P.rows() == 0) return 0;
  Eigen::JacobiSVD<Eigen::MatrixXd> svd(P);
  svd.setThreshold(1e-10);
  return static_cast<int>(svd.rank());
}

// A random tree from the ground with pins for joints, then `loops` more rows, each a point of one body guided by
// another. Rows are those of rigid bodies, (u^T, u^T W s) on one and the opposite on the other: rows of random numbers
// would multiply round-off from joint to joint, which no mechanism does. The order is by leaves: body, its pin's rows,
// ..., and the loop rows at the end.
System randomTreeWithLoops(std::mt19937& random, int bodies, int loops, MassKind kind) {
  Builder builder(random, bodies, kind);
  const auto guide = [&](int body, int other, double direction, const std::array<double, 4>& arms) {
    Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(3 * bodies);
    const Eigen::Vector2d u(std::cos(direction), std::sin(direction));
    row.segment<3>(3 * body) << u[0], u[1], u.dot(Eigen::Vector2d(-arms[1], arms[0]));
    if (other >= 0) row.segment<3>(3 * other) << -u[0], -u[1], -u.dot(Eigen::Vector2d(-arms[3], arms[2]));
    return builder.addRow(row);
  };
  const auto arms = [&] {
    return std::array<double, 4>{builder.number(-1, 1), builder.number(-1, 1), builder.number(-1, 1),
                                 builder.number(-1, 1)};
  };
  std::vector<std::array<int, 2>> joint_rows(at(bodies));
  for (int b = 0; b < bodies; ++b) {
    const int parent = b == 0 ? -1 : static_cast<int>(random() % at(b + 1)) - 1;
    const double direction = builder.number(-3.0, 3.0);
    const auto both = arms();
    joint_rows[at(b)] = {guide(b, parent, direction, both), guide(b, parent, direction + std::acos(0.0), both)};
  }
  std::vector<int> loop_rows;
  for (int k = 0; k < loops; ++k) {
    const int body = static_cast<int>(random() % at(bodies));
    const int other = static_cast<int>(random() % at(bodies));
    loop_rows.push_back(guide(body, other == body ? -1 : other, builder.number(-3.0, 3.0), arms()));
  }
  auto& order = builder.system.structure.order;
  for (int b = bodies - 1; b >= 0; --b) {  // children have higher numbers
    order.push_back(b);
    order.push_back(bodies + joint_rows[at(b)][0]);
    order.push_back(bodies + joint_rows[at(b)][1]);
  }
  for (const int row : loop_rows) order.push_back(bodies + row);
  return builder.system;
}

TEST(KktSolver, EqualsTheDenseSolutionOnTreesWithLoops) {
  std::mt19937 random(201);
  int solved = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const int bodies = 1 + static_cast<int>(random() % 12);
    const int loops = static_cast<int>(random() % at(bodies));
    const System system =
        randomTreeWithLoops(random, bodies, loops, trial % 2 == 0 ? MassKind::diagonal : MassKind::full);
    KktSolver solver(system.structure);
    system.fill(solver);
    // Without pivoting an unlucky order leaves a small pivot p among the kept rows, and a dependent row after it shows
    // round-off of the order 1e-16 / p instead of zero; rows in doubt are judged with that in mind.
    const std::vector<std::uint8_t> all(at(system.rows()), 1);
    const auto factored = solver.factor({.row = 1e-12, .doubtful = all});
    ASSERT_EQ(factored.singular_body, -1);
    const int nullity = system.rows() - rankOf(system.P);
    ASSERT_EQ(factored.dropped_rows, nullity);
    if (nullity > 0) continue;  // several loop rows fell on one body
    ASSERT_EQ(factored.dropped_rows, 0);
    ++solved;
    const Eigen::VectorXd f = randomVector(random, system.coordinates());
    const Eigen::VectorXd g = randomVector(random, system.rows());
    const Answer answer = solveWith(solver, f, g);
    Eigen::VectorXd b(f.size() + g.size());
    b << f, g;
    const Eigen::VectorXd dense = system.dense().fullPivLu().solve(b);
    const double condition = [&] {
      const Eigen::VectorXd s = Eigen::JacobiSVD<Eigen::MatrixXd>(system.dense()).singularValues();
      return s[0] / s[s.size() - 1];
    }();
    // Both solvers err by round-off times the condition number; a factor of 100 for the size and for no pivoting.
    const double tolerance = 100 * std::numeric_limits<double>::epsilon() * condition * (1.0 + dense.norm());
    EXPECT_LT((answer.a - dense.head(f.size())).norm(), tolerance);
    EXPECT_LT((answer.m - dense.tail(g.size())).norm(), tolerance);
    EXPECT_LT(answer.residual, 1e-8);
    EXPECT_GT(factored.smallest_kept, 1e-12);
    EXPECT_LE(factored.smallest_kept, 1.0);
  }
  EXPECT_GT(solved, 40);
}

// The pivot of a row, relative to its own compliance, is its squared distance from the rows before it (metric M^-1).
TEST(KktSolver, RelativePivotIsTheSquaredSineToTheRowsBefore) {
  std::mt19937 random(202);
  for (int trial = 0; trial < 20; ++trial) {
    Builder builder(random, 3, MassKind::diagonal);
    for (int r = 0; r < 5; ++r) builder.addRow(builder.randomRow({0, 1, 2}));
    builder.bodiesFirst();
    const System& system = builder.system;
    KktSolver solver(system.structure);
    system.fill(solver);
    solver.factor({});
    const Eigen::MatrixXd Y = system.P * system.M.diagonal().cwiseSqrt().cwiseInverse().asDiagonal();
    for (int r = 0; r < 5; ++r) {
      Eigen::VectorXd y = Y.row(r).transpose();
      if (r > 0) {
        const Eigen::MatrixXd before = Y.topRows(r).transpose();
        y -= before * before.colPivHouseholderQr().solve(y);
      }
      EXPECT_NEAR(solver.relativePivot(r), y.squaredNorm() / Y.row(r).squaredNorm(), 1e-12);
    }
  }
}

struct Dependent {
  System system;
  int nullity = 0;
};

// Independent random rows with combinations of earlier ones strewn in between.
Dependent randomDependent(std::mt19937& random, MassKind kind) {
  const int bodies = 2 + static_cast<int>(random() % 5);
  Builder builder(random, bodies, kind);
  const int rows = 2 + static_cast<int>(random() % at(2 * bodies));
  Dependent out;
  for (int r = 0; r < rows; ++r) {
    const int before = builder.system.rows();
    if (before > 1 && random() % 3 == 0) {
      Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(builder.system.P.cols());
      for (int k = 0; k < before; ++k) {
        if (random() % 2 == 0) sum += builder.number(-1.0, 1.0) * builder.system.P.row(k);
      }
      if (sum.norm() == 0.0) sum = 0.7 * builder.system.P.row(0);
      builder.addRow(sum);
    } else {
      builder.addRow(
          builder.randomRow({static_cast<int>(random() % at(bodies)), static_cast<int>(random() % at(bodies))}));
    }
  }
  builder.bodiesFirst();
  out.system = builder.system;
  out.nullity = out.system.rows() - rankOf(out.system.P);
  return out;
}

TEST(KktSolver, FindsExactlyAsManyDependentRowsAsTheSingularValuesSay) {
  std::mt19937 random(203);
  int with_dependence = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Dependent d = randomDependent(random, trial % 2 == 0 ? MassKind::diagonal : MassKind::full);
    const System& system = d.system;
    KktSolver solver(system.structure);
    system.fill(solver);
    const auto factored = solver.factor({.row = 1e-12});
    ASSERT_EQ(factored.dropped_rows, d.nullity);
    with_dependence += d.nullity > 0 ? 1 : 0;
    // The gap: what is dropped is round-off, what is kept is not.
    EXPECT_LT(factored.largest_dropped, 1e-13);
    EXPECT_GT(factored.smallest_kept, 1e-10);

    // Each dependence is a vector of null(P^T), and they are independent of each other (z is 1 at its own row, 0 at the
    // other dropped ones).
    for (int r = 0; r < system.rows(); ++r) {
      if (!solver.rowDropped(r)) continue;
      Eigen::VectorXd z(system.rows());
      solver.dependence(r, {z.data(), at(system.rows())});
      EXPECT_LT((system.P.transpose() * z).norm(), 1e-10 * z.norm()) << "row " << r;
      for (int other = 0; other < system.rows(); ++other) {
        if (solver.rowDropped(other)) {
          EXPECT_EQ(z[other], other == r ? 1.0 : 0.0);
        }
      }
    }

    // A right-hand side the rows can meet: a is unique, m is one of many, and both satisfy (1) in all rows.
    const Eigen::VectorXd f = randomVector(random, system.coordinates());
    const Eigen::VectorXd g = system.P * randomVector(random, system.coordinates());
    const Answer answer = solveWith(solver, f, g);
    Eigen::VectorXd b(f.size() + g.size());
    b << f, g;
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> cod(system.dense());
    cod.setThreshold(1e-11);
    const Eigen::VectorXd dense = cod.solve(b);
    const double size = 1.0 + dense.norm() + answer.m.norm();
    EXPECT_LT((answer.a - dense.head(f.size())).norm(), 1e-9 * size);
    EXPECT_LT((system.M * answer.a + system.P.transpose() * answer.m - f).norm(), 1e-10 * size);
    EXPECT_LT((system.P * answer.a - g).norm(), 1e-9 * size);
    for (int r = 0; r < system.rows(); ++r) {
      if (solver.rowDropped(r)) {
        EXPECT_EQ(answer.m[r], 0.0);
      }
    }
  }
  EXPECT_GT(with_dependence, 50);
}

TEST(KktSolver, DependenceOfAKeptRowIsAProgrammingError) {
  std::mt19937 random(204);
  Builder builder(random, 1, MassKind::diagonal);
  builder.addRow(builder.randomRow({0}));
  builder.bodiesFirst();
  KktSolver solver(builder.system.structure);
  builder.system.fill(solver);
  solver.factor({});
  std::vector<double> z(1);
  EXPECT_THROW(solver.dependence(0, z), ContractError);
}

// Only the rows marked doubtful are measured by the coarser cut.
TEST(KktSolver, DoubtfulRowsHaveTheirOwnCut) {
  std::mt19937 random(205);
  Builder builder(random, 2, MassKind::diagonal);
  builder.addRow(builder.randomRow({0, 1}));
  Eigen::RowVectorXd nearly = builder.system.P.row(0);
  nearly[0] += 1e-4;  // relative pivot about 1e-8
  builder.addRow(nearly);
  builder.bodiesFirst();
  KktSolver solver(builder.system.structure);
  builder.system.fill(solver);
  EXPECT_EQ(solver.factor({.row = 1e-12}).dropped_rows, 0);
  const std::vector<std::uint8_t> second{0, 1};
  const std::vector<std::uint8_t> first{1, 0};
  EXPECT_EQ(solver.factor({.row = 1e-12, .doubtful_row = 1e-6, .doubtful = second}).dropped_rows, 1);
  EXPECT_TRUE(solver.rowDropped(1));
  EXPECT_EQ(solver.factor({.row = 1e-12, .doubtful_row = 1e-6, .doubtful = first}).dropped_rows, 0);
  // A doubtful cut below the general one does not soften it.
  EXPECT_EQ(solver.factor({.row = 1e-6, .doubtful_row = 1e-12, .doubtful = second}).dropped_rows, 1);
}

// --- massless bodies
// -----------------------------------------------------------------------------------------------------

// Some inertias zero, but the mass matrix definite on the motions that the rows leave (checked densely).
System randomMassless(std::mt19937& random, bool with_dependent_row) {
  for (;;) {
    const int bodies = 2 + static_cast<int>(random() % 6);
    System system = randomTreeWithLoops(random, bodies, static_cast<int>(random() % 3), MassKind::diagonal);
    for (int u = 0; u < system.coordinates(); ++u) {
      if (random() % 4 == 0) system.M(u, u) = 0.0;
    }
    if (with_dependent_row) {
      Builder builder(random, bodies, MassKind::diagonal);
      builder.system = system;
      builder.addRow(0.5 * system.P.row(0) - 2.0 * system.P.row(system.rows() - 1));
      builder.bodiesFirst();
      system = builder.system;
    }
    system.structure.mass = MassMatrix::augmented;
    Eigen::FullPivLU<Eigen::MatrixXd> lu(system.P);
    lu.setThreshold(1e-10);
    const Eigen::MatrixXd N = lu.kernel();
    if (system.coordinates() == rankOf(system.P)) continue;
    const Eigen::MatrixXd reduced = N.colwise().normalized().transpose() * system.M * N.colwise().normalized();
    if (Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(reduced).eigenvalues()[0] < 1e-2) continue;
    return system;
  }
}

TEST(KktSolver, MasslessBodiesHeldByRowsGiveTheDenseSolution) {
  std::mt19937 random(206);
  for (int trial = 0; trial < 100; ++trial) {
    const bool with_dependent_row = trial % 2 == 1;
    const System system = randomMassless(random, with_dependent_row);
    KktSolver solver(system.structure);
    system.fill(solver);
    const auto factored = solver.factor({.row = 1e-12});
    ASSERT_EQ(factored.singular_body, -1);
    ASSERT_EQ(factored.dropped_rows, system.rows() - rankOf(system.P));
    const Eigen::VectorXd f = randomVector(random, system.coordinates());
    const Eigen::VectorXd g = system.P * randomVector(random, system.coordinates());
    const Answer answer = solveWith(solver, f, g);
    Eigen::VectorXd b(f.size() + g.size());
    b << f, g;
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> cod(system.dense());
    cod.setThreshold(1e-11);
    const Eigen::VectorXd dense = cod.solve(b);
    const double size = 1.0 + dense.norm() + answer.m.norm();
    EXPECT_LT((answer.a - dense.head(f.size())).norm(), 1e-9 * size);
    EXPECT_LT((system.M * answer.a + system.P.transpose() * answer.m - f).norm(), 1e-9 * size);
    if (factored.dropped_rows == 0) {
      EXPECT_LT((answer.m - dense.tail(g.size())).norm(), 1e-8 * size);
    }
  }
}

// With every inertia positive, the augmented factor solves the same equations as the definite one.
TEST(KktSolver, AugmentedAndDefiniteAgreeWhereBothApply) {
  std::mt19937 random(207);
  for (int trial = 0; trial < 30; ++trial) {
    System system =
        randomTreeWithLoops(random, 2 + trial % 7, trial % 3, trial % 2 == 0 ? MassKind::diagonal : MassKind::full);
    KktSolver definite(system.structure);
    system.fill(definite);
    definite.factor({});
    system.structure.mass = MassMatrix::augmented;
    KktSolver augmented(system.structure);
    system.fill(augmented);
    augmented.factor({});
    const Eigen::VectorXd f = randomVector(random, system.coordinates());
    const Eigen::VectorXd g = randomVector(random, system.rows());
    const Answer a = solveWith(definite, f, g);
    const Answer b = solveWith(augmented, f, g);
    const double size = 1.0 + a.a.norm() + a.m.norm();
    EXPECT_LT((a.a - b.a).norm(), 1e-9 * size);
    EXPECT_LT((a.m - b.m).norm(), 1e-8 * size);
  }
}

// A mass that goes to zero: the definite solution goes to the augmented one, in proportion to the mass.
TEST(KktSolver, MasslessIsTheLimitOfSmallMass) {
  std::mt19937 random(208);
  const System massless = randomMassless(random, false);
  KktSolver limit(massless.structure);
  massless.fill(limit);
  limit.factor({});
  const Eigen::VectorXd f = randomVector(random, massless.coordinates());
  const Eigen::VectorXd g = randomVector(random, massless.rows());
  const Answer at_limit = solveWith(limit, f, g);
  double last = std::numeric_limits<double>::infinity();
  for (const double mass : {1e-2, 1e-4, 1e-6}) {
    System small = massless;
    small.structure.mass = MassMatrix::definite;
    for (int u = 0; u < small.coordinates(); ++u) {
      if (small.M(u, u) == 0.0) small.M(u, u) = mass;
    }
    KktSolver solver(small.structure);
    small.fill(solver);
    solver.factor({});
    const Answer answer = solveWith(solver, f, g);
    const double off = (answer.a - at_limit.a).norm() / at_limit.a.norm();
    EXPECT_LT(off, 100.0 * mass);
    EXPECT_LT(off, 0.05 * last);
    last = off;
  }
}

// A light point on a heavy one, held in an oblique direction: across it the light one has all its own inertia.
TEST(KktSolver, RowsOfALightBodyHaveAWeightOfTheirOwn) {
  constexpr double kHeavy = 1e9;
  constexpr double kLight = 1e-9;
  const double c = 0.6;
  const double s = 0.8;
  KktStructure structure;
  structure.freedoms = 2;
  structure.bodies = 2;
  structure.mass_entries = {{0, 0}, {1, 1}};
  structure.row_start = {0, 2};
  structure.row_bodies = {0, 1};
  structure.order = {1, 2, 0};
  structure.mass = MassMatrix::augmented;
  const auto fill = [&](KktSolver& solver) {
    const std::array<double, 4> masses{kHeavy, kHeavy, kLight, kLight};
    const std::array<double, 4> row{-c, -s, c, s};
    std::copy(masses.begin(), masses.end(), solver.mass().begin());
    std::copy(row.begin(), row.end(), solver.jacobian().begin());
  };
  KktSolver by_mean(structure);
  fill(by_mean);
  EXPECT_EQ(by_mean.factor({}).singular_body, 1);  // drowned
  structure.row_mass = {kLight};
  KktSolver solver(structure);
  fill(solver);
  EXPECT_EQ(solver.factor({}).singular_body, -1);
  // Its weight across the row and nothing else: a = (-s, c) along it, at rest with the heavy one along the row.
  std::vector<double> f{0.0, 0.0, -s * kLight, c * kLight};
  std::vector<double> g{0.0};
  solver.solve(f, g);
  EXPECT_NEAR(f[2], -s, 1e-14);
  EXPECT_NEAR(f[3], c, 1e-14);
  EXPECT_NEAR(f[0], 0.0, 1e-14);
}

TEST(KktSolver, NamesABodyWithoutInertiaInAFreeDirection) {
  std::mt19937 random(209);
  // Body 1 of three has no inertia at all; one row cannot hold three freedoms.
  Builder builder(random, 3, MassKind::diagonal);
  builder.addRow(builder.randomRow({0, 1}));
  builder.addRow(builder.randomRow({2}));
  builder.bodiesFirst();
  System system = builder.system;
  system.structure.mass = MassMatrix::augmented;
  for (int k = 3; k < 6; ++k) system.M(k, k) = 0.0;
  KktSolver solver(system.structure);
  system.fill(solver);
  EXPECT_EQ(solver.factor({}).singular_body, 1);

  // No rows touch it: zero pivots.
  Builder free(random, 2, MassKind::diagonal);
  free.addRow(free.randomRow({0}));
  free.bodiesFirst();
  system = free.system;
  system.structure.mass = MassMatrix::augmented;
  for (int k = 3; k < 6; ++k) system.M(k, k) = 0.0;
  KktSolver loose(system.structure);
  system.fill(loose);
  EXPECT_EQ(loose.factor({}).singular_body, 1);
}

// --- damping, residual, memory
// --------------------------------------------------------------------------------------------

TEST(KktSolver, DampingSolvesTheDampedSystem) {
  std::mt19937 random(210);
  for (int trial = 0; trial < 20; ++trial) {
    System system = randomTreeWithLoops(random, 4, 2, MassKind::diagonal);
    KktSolver solver(system.structure);
    system.fill(solver);
    const double delta = 0.05;
    EXPECT_EQ(solver.factor({.damping = delta}).dropped_rows, 0);
    // [M P^T; P -delta S], S the rows' own compliances P_r diag(M)^-1 P_r^T.
    Eigen::MatrixXd K = system.dense();
    for (int r = 0; r < system.rows(); ++r) {
      const double own = (system.P.row(r).array().square() / system.M.diagonal().transpose().array()).sum();
      K(system.coordinates() + r, system.coordinates() + r) = -delta * own;
    }
    Eigen::VectorXd f = randomVector(random, system.coordinates());
    Eigen::VectorXd g = randomVector(random, system.rows());
    Eigen::VectorXd b(f.size() + g.size());
    b << f, g;
    const Eigen::VectorXd dense = K.fullPivLu().solve(b);
    solver.solveDamped({f.data(), at(static_cast<int>(f.size()))}, {g.data(), at(static_cast<int>(g.size()))});
    Eigen::VectorXd x(f.size() + g.size());
    x << f, g;
    EXPECT_LT((x - dense).norm(), 1e-12 * (1.0 + dense.norm()));
  }
}

// Damping makes a factor of dependent rows regular, so that nothing needs to be dropped.
TEST(KktSolver, DampingKeepsDependentRows) {
  std::mt19937 random(211);
  Builder builder(random, 2, MassKind::diagonal);
  builder.addRow(builder.randomRow({0, 1}));
  builder.addRow(2.0 * builder.system.P.row(0));
  builder.bodiesFirst();
  KktSolver solver(builder.system.structure);
  builder.system.fill(solver);
  EXPECT_EQ(solver.factor({.row = 1e-12}).dropped_rows, 1);
  EXPECT_EQ(solver.factor({.row = 1e-12, .damping = 1e-3}).dropped_rows, 0);
}

// The residual must not look good when the numbers are not numbers.
TEST(KktSolver, ResidualOfNotANumberIsNotSmall) {
  std::mt19937 random(212);
  const System system = randomTreeWithLoops(random, 3, 1, MassKind::diagonal);
  KktSolver solver(system.structure);
  system.fill(solver);
  solver.factor({});
  Eigen::VectorXd f = randomVector(random, system.coordinates());
  f[4] = std::numeric_limits<double>::quiet_NaN();
  const Answer answer = solveWith(solver, f, randomVector(random, system.rows()));
  EXPECT_FALSE(answer.residual < 1.0);
}

TEST(KktSolver, SystemsWithoutRowsAreJustMasses) {
  std::mt19937 random(213);
  Builder builder(random, 2, MassKind::full);
  builder.bodiesFirst();
  KktSolver solver(builder.system.structure);
  builder.system.fill(solver);
  EXPECT_EQ(solver.factor({}).dropped_rows, 0);
  const Eigen::VectorXd f = randomVector(random, 6);
  const Answer answer = solveWith(solver, f, Eigen::VectorXd(0));
  EXPECT_LT((builder.system.M * answer.a - f).norm(), 1e-14);
}

TEST(KktSolver, NeverAllocatesAfterConstruction) {
  std::mt19937 random(214);
  for (const bool massless : {false, true}) {
    const System system = massless ? randomMassless(random, true) : randomDependent(random, MassKind::full).system;
    KktSolver solver(system.structure);
    system.fill(solver);
    std::vector<double> f(at(system.coordinates()), 0.3);
    std::vector<double> g(at(system.rows()), 0.1);
    std::vector<double> z(at(system.rows()));
    const long before = test::allocation_count;
    for (int round = 0; round < 3; ++round) {
      solver.factor({.row = 1e-12});
      solver.solve(f, g);
      for (int r = 0; r < system.rows(); ++r) {
        if (solver.rowDropped(r)) solver.dependence(r, z);
      }
      solver.factor({.damping = 1e-3});
      solver.solveDamped(f, g);
    }
    EXPECT_EQ(test::allocation_count - before, 0);
  }
  const long before = test::allocation_count;
  const auto probe = std::make_unique<int>(3);
  EXPECT_EQ(test::allocation_count - before, 1) << "the counter must count" << *probe;
}

}  // namespace kkt_test
}  // namespace linkwork
