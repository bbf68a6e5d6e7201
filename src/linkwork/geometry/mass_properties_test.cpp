// Closed forms of solids against integrals over their meshes, against each other, and the laws of moving and turning.
#include "linkwork/geometry/mass_properties.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "linkwork/geometry/meshes_for_tests.hpp"
#include "linkwork/scalar/expr.hpp"

namespace linkwork {
namespace mass_properties_test {

using Solid = MassProperties<double>;

double largest(const Symmetric3<double>& J) { return std::max({J.xx, J.yy, J.zz}); }

double difference(const Symmetric3<double>& a, const Symmetric3<double>& b) {
  return std::max({std::abs(a.xx - b.xx), std::abs(a.yy - b.yy), std::abs(a.zz - b.zz), std::abs(a.xy - b.xy),
                   std::abs(a.xz - b.xz), std::abs(a.yz - b.yz)});
}

double relativeError(const Solid& found, const Solid& exact) {
  const Vec3<double> d = found.com - exact.com;
  const double size = std::sqrt(largest(exact.inertia) / exact.mass);
  return std::max({std::abs(found.mass / exact.mass - 1.0), std::sqrt(dot(d, d)) / size,
                   difference(found.inertia, exact.inertia) / largest(exact.inertia)});
}

constexpr double kRounding = 1e-13;  // of sums of some hundred terms of one size

// The volume a mesh encloses differs from that of the round solid by the square of the side of its facets: halving them
// must divide the error by four.
template <class MakeMesh>
void expectSecondOrder(const Solid& exact, const MakeMesh& mesh) {
  const double coarse = relativeError(integrate(mesh(16)), exact);
  const double fine = relativeError(integrate(mesh(32)), exact);
  const double finest = relativeError(integrate(mesh(64)), exact);
  EXPECT_LT(finest, 5e-3);
  EXPECT_NEAR(coarse / fine, 4.0, 0.1);
  EXPECT_NEAR(fine / finest, 4.0, 0.03);
}

TEST(MassProperties, RoundSolidsAreTheLimitOfTheirMeshes) {
  const double r = 0.3;
  const double L = 0.8;
  expectSecondOrder(sphere(sphereVolume(r), r), [&](std::uint32_t n) { return test::sphereMesh(r, n); });
  expectSecondOrder(capsule(capsuleVolume(L, r), L, r), [&](std::uint32_t n) { return test::capsuleMesh(L, r, n); });
  expectSecondOrder(cylinder(tubeVolume(L, r, 0.0), L, r),
                    [&](std::uint32_t n) { return test::cylinderMesh(L, r, n); });
  expectSecondOrder(tube(tubeVolume(L, r, 0.2), L, r, 0.2),
                    [&](std::uint32_t n) { return test::tubeMesh(L, r, 0.2, n); });
}

TEST(MassProperties, BoxIsItsMesh) {
  const Solid mesh = integrate(test::boxMesh({-0.1, -0.2, -0.4}, {0.1, 0.2, 0.4}));
  EXPECT_LT(relativeError(mesh, box(0.064, 0.2, 0.4, 0.8)), kRounding);
}

// Numbers from tables of moments of inertia.
TEST(MassProperties, ClosedForms) {
  EXPECT_DOUBLE_EQ(rod(3.0, 2.0).inertia.yy, 1.0);  // m L^2 / 12
  EXPECT_EQ(rod(3.0, 2.0).inertia.xx, 0.0);
  EXPECT_EQ(rod(3.0, 2.0).com.x, 1.0);
  EXPECT_DOUBLE_EQ(cylinder(2.0, 3.0, 1.0).inertia.xx, 1.0);
  EXPECT_DOUBLE_EQ(cylinder(2.0, 3.0, 1.0).inertia.zz, 2.0);  // 2 (3 + 9) / 12
  EXPECT_DOUBLE_EQ(tube(2.0, 3.0, 1.0, 0.5).inertia.xx, 1.25);
  EXPECT_DOUBLE_EQ(sphere(5.0, 2.0).inertia.yy, 8.0);
  EXPECT_DOUBLE_EQ(box(12.0, 1.0, 2.0, 3.0).inertia.xx, 13.0);
  EXPECT_DOUBLE_EQ(box(12.0, 1.0, 2.0, 3.0).inertia.yy, 10.0);
  EXPECT_DOUBLE_EQ(box(12.0, 1.0, 2.0, 3.0).inertia.zz, 5.0);
  EXPECT_DOUBLE_EQ(disc(4.0, 1.0, 0.0).inertia.zz, 2.0);
  EXPECT_DOUBLE_EQ(disc(4.0, 1.0, 0.0).inertia.xx, 1.0);
}

TEST(MassProperties, SolidsAreLimitsOfEachOther) {
  // A capsule without length is a sphere, a disc with thickness a cylinder about z, a cylinder without radius a rod.
  EXPECT_LT(relativeError(capsule(2.0, 0.0, 0.5), sphere(2.0, 0.5)), kRounding);
  const Solid upright = disc(2.0, 0.5, 0.2);
  const Solid lying = cylinder(2.0, 0.2, 0.5);
  EXPECT_DOUBLE_EQ(upright.inertia.zz, lying.inertia.xx);
  EXPECT_DOUBLE_EQ(upright.inertia.xx, lying.inertia.zz);
  EXPECT_EQ(cylinder(2.0, 0.2, 0.0).inertia.yy, rod(2.0, 0.2).inertia.yy);
}

const Rotation3<double> kTurn = Rotation3<double>::fromQuaternion(0.5, -0.3, 0.7, 0.2);

TEST(MassProperties, TurningASolidTurnsItsMesh) {
  TriangleMesh mesh = test::boxMesh({-0.1, -0.2, -0.4}, {0.1, 0.2, 0.4});
  const Vec3<double> p{0.5, -2.0, 1.0};
  for (Vec3<double>& vertex : mesh.vertices) vertex = p + kTurn * vertex;
  const Solid moved = placed(box(0.064, 0.2, 0.4, 0.8), kTurn, p);
  EXPECT_LT(relativeError(integrate(mesh), moved), kRounding);
  EXPECT_GT(std::abs(moved.inertia.xy), 1e-4);  // the test would miss a wrong sign otherwise
}

TEST(MassProperties, HalvesMakeTheWhole) {
  const Solid half = box(1.5, 1.0, 0.4, 0.6);
  const Rotation3<double> none;
  const Solid left = placed(half, none, Vec3<double>{-0.5, 0.0, 0.0});
  const Solid right = placed(half, none, Vec3<double>{0.5, 0.0, 0.0});
  const Solid parts[] = {placed(left, kTurn, Vec3<double>{1.0, 2.0, 3.0}),
                         placed(right, kTurn, Vec3<double>{1.0, 2.0, 3.0})};
  const Solid whole = placed(box(3.0, 2.0, 0.4, 0.6), kTurn, Vec3<double>{1.0, 2.0, 3.0});
  EXPECT_LT(relativeError(combined(std::span<const Solid>(parts)), whole), kRounding);
}

// The product of inertia has the sign of the matrix entry: two masses on the line x = z give xz < 0.
TEST(MassProperties, ProductsAreEntriesOfTheMatrix) {
  const Symmetric3<double> J = steiner(2.0, Vec3<double>{1.0, 0.0, 3.0});
  EXPECT_EQ(J.xz, -6.0);
  EXPECT_EQ(J.xx, 18.0);
  EXPECT_EQ(J.yy, 20.0);
  EXPECT_EQ(J.zz, 2.0);
}

TEST(MassProperties, KeepsLetters) {
  const Expr m = Expr::symbol("m");
  const Expr L = Expr::symbol("L");
  EXPECT_EQ(rod(m, L).com.x, L / Expr(2.0));
}

TEST(MassProperties, PrincipalMomentsOfATurnedMatrix) {
  const auto found = principalMoments(turned(kTurn, Symmetric3<double>{3.0, 1.0, 2.0, 0.0, 0.0, 0.0}));
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(found[k], 1.0 + static_cast<double>(k), 1e-14);
  // Far from 1 the digits are the same; nothing overflows.
  EXPECT_NEAR(principalMoments({1e300, 2e300, 3e300, 0.0, 0.0, 0.0})[2] / 3e300, 1.0, 1e-14);
  EXPECT_NEAR(principalMoments({1e-300, 2e-300, 3e-300, 0.0, 0.0, 0.0})[0] / 1e-300, 1.0, 1e-14);
  EXPECT_EQ(principalMoments({})[2], 0.0);
}

TEST(MassProperties, NoMassHasSuchAnInertia) {
  EXPECT_EQ(faultOf({1.0, 2.0, 2.5}), InertiaFault::none);
  EXPECT_EQ(faultOf({0.0, 0.0, 0.0}), InertiaFault::none);    // a point mass
  EXPECT_EQ(faultOf({0.0, 1.0, 1.0}), InertiaFault::none);    // a thin rod
  EXPECT_EQ(faultOf({1.0, 1.0, 2.0}), InertiaFault::none);    // a thin plate
  EXPECT_EQ(faultOf({1.0, 1.0, 2.001}), InertiaFault::none);  // rounded
  EXPECT_EQ(faultOf({1.0, 1.0, 2.01}), InertiaFault::triangle);
  EXPECT_EQ(faultOf({-1e-16, 1.0, 1.0}), InertiaFault::none);  // a turned rod
  EXPECT_EQ(faultOf({-1e-6, 1.0, 1.0}), InertiaFault::negative);
  EXPECT_EQ(faultOf({-2.0, -1.0, -1.0}), InertiaFault::negative);
}

}  // namespace mass_properties_test
}  // namespace linkwork
