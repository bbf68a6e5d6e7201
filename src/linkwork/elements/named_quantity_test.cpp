#include "linkwork/elements/named_quantity.hpp"

#include "linkwork/elements/constraint_laws_for_tests.hpp"

namespace linkwork {
namespace {

using namespace test;

template <class G>
NamedQuantity<G> randomQuantity(typename NamedQuantity<G>::Form form, unsigned seed) {
  using T = typename G::Scalar;
  Random random(seed);
  NamedQuantity<G> out;
  out.form = form;
  out.i = 0;
  out.j = 1;
  out.s_i = lift<T>(random.vector());
  out.s_j = lift<T>(random.vector() + Vec2<double>{5.0, 4.0});
  const double angle = random.number();
  out.axis = {T(std::cos(angle)), T(std::sin(angle))};
  out.offset = T(random.number());
  return out;
}

// Each rate is the time derivative of its position-level value along a random motion.
TEST(NamedQuantity, RatesAreTimeDerivatives) {
  using Q = NamedQuantity<Planar<double>>;
  using D = Dual<1>;
  using QD = NamedQuantity<Planar<D>>;
  Random random(81);
  for (const Q::Form form : {Q::Form::point_x, Q::Form::point_y, Q::Form::angle, Q::Form::slide, Q::Form::separation}) {
    for (unsigned trial = 0; trial < 20; ++trial) {
      const PairPaths paths{BodyPath::random(random), BodyPath::random(random)};
      const double t = random.number(-0.7, 0.7);
      Q quantity = randomQuantity<Planar<double>>(form, trial);
      const QD moving = randomQuantity<Planar<D>>(static_cast<QD::Form>(form), trial);
      const auto xi = paths.i.at(t);
      const auto xj = paths.j.at(t);
      const auto vi = paths.i.velocity(t);
      const auto vj = paths.j.velocity(t);
      const auto xi_moving = paths.i.at(D::variable(t));
      const auto xj_moving = paths.j.at(D::variable(t));
      const Planar<D>::Velocity unused{};
      const D value = moving.value(D(t), {xi_moving, xj_moving}, {unused, unused});
      EXPECT_NEAR(quantity.value(t, {xi, xj}, {vi, vj}), value.value, 1e-13);
      quantity.level = Q::Level::velocity;
      // Rates of some 50: a few hundred units of round-off.
      EXPECT_NEAR(quantity.value(t, {xi, xj}, {vi, vj}), value.derivative(), 2e-12)
          << "form " << static_cast<int>(form);
    }
  }
}

TEST(NamedQuantity, TimeIsTime) {
  const Planar<double>::Position x{};
  const Planar<double>::Velocity v{};
  EXPECT_EQ(NamedQuantity<Planar<double>>{}.value(2.5, {x, x}, {v, v}), 2.5);
}

}  // namespace
}  // namespace linkwork
