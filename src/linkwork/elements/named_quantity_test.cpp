#include "linkwork/elements/named_quantity.hpp"

#include "linkwork/elements/constraint_laws_for_tests.hpp"

namespace linkwork {
namespace named_quantity_test {

using namespace test;

template <class F>
class NamedQuantityLaws : public ::testing::Test {};
TYPED_TEST_SUITE(NamedQuantityLaws, PlaneAndSpace, GeometryName);

// Form as a number: the enumerations of different scalars are different types.
template <class F, class T>
NamedQuantity<typename F::template Of<T>> randomQuantity(int form, int component, unsigned seed) {
  using Q = NamedQuantity<typename F::template Of<T>>;
  Random random(seed);
  Q out;
  out.form = static_cast<typename Q::Form>(form);
  out.component = component;
  out.i = 0;
  out.j = 1;
  out.s_i = lift<T>(random.vector<F>());
  auto s_j = random.vector<F>();
  s_j.x += 5.0;
  s_j.y += 4.0;
  out.s_j = lift<T>(s_j);
  out.axis = lift<T>(random.direction<F>());
  out.offset = T(random.number());
  if constexpr (std::is_same_v<F, InSpace>) {
    const auto x = random.direction<F>();
    auto y = cross(x, random.direction<F>());
    out.turn = {lift<T>(random.direction<F>()), lift<T>(x), lift<T>(y * (1.0 / std::sqrt(dot(y, y))))};
  }
  return out;
}

// Each rate is the time derivative of its position-level value along a random motion.
TYPED_TEST(NamedQuantityLaws, RatesAreTimeDerivatives) {
  using F = TypeParam;
  using G = typename F::template Of<double>;
  using Q = NamedQuantity<G>;
  using D = Dual<1>;
  using GD = typename F::template Of<D>;
  Random random(81);
  std::vector<std::array<int, 2>> cases{{static_cast<int>(Q::Form::angle), 0}, {static_cast<int>(Q::Form::slide), 0}};
  for (int component = 0; component < G::kDimension; ++component)
    cases.push_back({static_cast<int>(Q::Form::point), component});
  for (const auto& [form, component] : cases) {
    for (unsigned trial = 0; trial < 20; ++trial) {
      const auto paths = PairPaths<F>::random(Ends::two_bodies, random);
      const double t = random.number(-0.7, 0.7);
      Q quantity = randomQuantity<F, double>(form, component, trial);
      const auto moving = randomQuantity<F, D>(form, component, trial);
      const auto xi = paths.i.at(t);
      const auto xj = paths.j.at(t);
      const auto vi = paths.i.velocity(t);
      const auto vj = paths.j.velocity(t);
      const auto xi_moving = paths.i.at(D::variable(t));
      const auto xj_moving = paths.j.at(D::variable(t));
      const typename GD::Velocity unused{};
      const D value = moving.value(D(t), {xi_moving, xj_moving}, {unused, unused});
      EXPECT_NEAR(quantity.value(t, {xi, xj}, {vi, vj}), value.value, 1e-13);
      quantity.level = Q::Level::velocity;
      // Rates of some 50: a few hundred units of round-off.
      EXPECT_NEAR(quantity.value(t, {xi, xj}, {vi, vj}), value.derivative(), 2e-12)
          << "form " << form << ", component " << component;
    }
  }
}

TEST(NamedQuantity, PointComponentsAreGroundAxes) {
  using S = Spatial<double>;
  NamedQuantity<S> q;
  q.form = NamedQuantity<S>::Form::point;
  q.s_j = {1.0, 2.0, 3.0};
  const S::Position ground{};
  S::Position x;
  x.r = {10.0, 20.0, 30.0};
  x.R = Rotation3<double>::aboutZ(std::acos(0.0));
  const S::Velocity v{{0.1, 0.2, 0.3}, {0.0, 0.0, 2.0}};
  const S::Velocity still{};
  const std::array<double, 3> places{8.0, 21.0, 33.0};
  const std::array<double, 3> rates{0.1 - 2.0, 0.2 - 4.0, 0.3};
  for (int k = 0; k < 3; ++k) {
    q.component = k;
    q.level = NamedQuantity<S>::Level::position;
    EXPECT_NEAR(q.value(0.0, {ground, x}, {still, v}), places[static_cast<std::size_t>(k)], 1e-14);
    q.level = NamedQuantity<S>::Level::velocity;
    EXPECT_NEAR(q.value(0.0, {ground, x}, {still, v}), rates[static_cast<std::size_t>(k)], 1e-14);
  }
}

TEST(NamedQuantity, TimeIsTime) {
  const Planar<double>::Position x{};
  const Planar<double>::Velocity v{};
  EXPECT_EQ(NamedQuantity<Planar<double>>{}.value(2.5, {x, x}, {v, v}), 2.5);
}

// A position-level quantity as a constraint: its rows and its bend must keep the laws of every other row.
template <class G>
struct QuantityRow {
  using T = typename G::Scalar;
  static constexpr int kRows = 1;
  NamedQuantity<G> s;

  std::array<T, 1> phi(const PairPosition<G>& x, const Motion<T>& motion) const {
    const typename G::Velocity still{};
    return {s.value(T(0.0), x, {still, still}, T(9.0)) - motion.f};
  }
  JacobianRows<G, 1> jacobian(const PairPosition<G>& x) const { return s.rows(x); }
  JacobianRows<G, 1> jacobianRate(const PairPosition<G>& x, const PairVelocity<G>& v) const { return s.rowRates(x, v); }
  std::array<T, 1> minusPhiT(const Motion<T>& motion) const { return {motion.fdot}; }
  std::array<T, 1> gamma(const PairPosition<G>& x, const PairVelocity<G>& v, const Motion<T>& motion) const {
    return {motion.fddot - s.bend(x, v)};
  }
};

TYPED_TEST(NamedQuantityLaws, RowsAndBendsAreThoseOfTheValue) {
  using F = TypeParam;
  using G = typename F::template Of<double>;
  for (int form = 1; form <= 3; ++form) {
    for (int component = 0; component < (form == 1 ? G::kDimension : 1); ++component) {
      const auto make_random = [&](Random& random) {
        const auto seed = static_cast<unsigned>(random.number(0.0, 1e6));
        return [=](auto geometry) {
          using H = decltype(geometry);
          return QuantityRow<H>{randomQuantity<F, typename H::Scalar>(form, component, seed)};
        };
      };
      // An angle in space near its singular pose, or half a turn from its reference, where the branch changes.
      const auto usable = [&](const auto& element, const auto& x) {
        if constexpr (G::kSpatial) {
          if (form != 2) return true;
          const auto p = element.s.turn.parts({x.j, x.i});
          return p.C * p.C + p.S * p.S > 0.2 && std::abs(element.s.turn.angleNear({x.j, x.i}, 9.0) - 9.0) < 3.0;
        } else {
          return true;
        }
      };
      expectConstraintLawsEverywhere<F>(make_random, false, static_cast<unsigned>(40 + 4 * form + component), usable);
    }
  }
}

// Quantities that are rates from the beginning: rows times the velocities are the value, and along a motion
// value' = rows a + bend, row rates are the rates of the rows.
TYPED_TEST(NamedQuantityLaws, RowsAndBendsOfRatesAreThoseOfTheValue) {
  using F = TypeParam;
  using G = typename F::template Of<double>;
  using G1 = typename F::template Of<Dual<1>>;
  using Form = typename NamedQuantity<G>::Form;
  std::vector<Form> forms{Form::own_point};
  if (G::kSpatial) forms.insert(forms.end(), {Form::turn, Form::own_turn});
  constexpr std::size_t kN = G::kFreedoms;
  Random random(83);
  for (const Form form : forms) {
    for (unsigned trial = 0; trial < 20; ++trial) {
      const int component = static_cast<int>(trial) % G::kDimension;
      const auto paths = PairPaths<F>::random(Ends::ground_first, random);
      const double t = random.number(-0.7, 0.7);
      const auto number = static_cast<int>(form);
      const NamedQuantity<G> q = randomQuantity<F, double>(number, component, trial);
      const typename G::Position ground{};
      const typename G::Velocity still{};
      const auto valueAt = [&](double time) {
        const auto x = paths.j.at(time);
        return q.value(time, {ground, x}, {still, paths.j.velocity(time)});
      };
      const auto x = paths.j.at(t);
      const auto v = paths.j.velocity(t);
      const auto x1 = paths.j.at(Dual<1>::variable(t));
      const typename G1::Position ground1{};
      const auto rows = q.rows({ground, x});
      const auto moving = randomQuantity<F, Dual<1>>(number, component, trial).rows({ground1, x1});
      const auto rates = q.rowRates({ground, x}, {still, v});
      const auto velocity = paths.j.rates(t);
      const auto acceleration = paths.j.acceleration(t);
      double value = 0.0;
      double rate = q.bend({ground, x}, {still, v});
      for (std::size_t k = 0; k < kN; ++k) {
        value += rows.second[0][k] * velocity[k];
        rate += rows.second[0][k] * acceleration[k];
        EXPECT_NEAR(rates.second[0][k], moving.second[0][k].derivatives[0], 1e-11);
      }
      EXPECT_NEAR(value, valueAt(t), 1e-12);
      // Central difference: cut-off 1e-8 / 6 times a third derivative of some hundred.
      EXPECT_NEAR(rate, (valueAt(t + 1e-4) - valueAt(t - 1e-4)) / 2e-4, 1e-5) << static_cast<int>(form);
    }
  }
}

}  // namespace named_quantity_test
}  // namespace linkwork
