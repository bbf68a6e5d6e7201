#include "linkwork/elements/sequence_angle.hpp"

#include "linkwork/elements/constraint_laws_for_tests.hpp"

namespace linkwork {
namespace sequence_angle_test {

using namespace test;

const std::array<AxisSequence, 12> kAll{{{{0, 1, 2}},
                                         {{0, 2, 1}},
                                         {{1, 0, 2}},
                                         {{1, 2, 0}},
                                         {{2, 0, 1}},
                                         {{2, 1, 0}},
                                         {{0, 1, 0}},
                                         {{0, 2, 0}},
                                         {{1, 0, 1}},
                                         {{1, 2, 1}},
                                         {{2, 0, 2}},
                                         {{2, 1, 2}}}};

template <class T>
Rotation3<T> about(int axis, const T& angle) {
  const T c = cos(angle);
  const T s = sin(angle);
  const T o(0.0);
  const T l(1.0);
  if (axis == 0) return {{l, o, o}, {o, c, s}, {o, -s, c}};
  if (axis == 1) return {{c, o, -s}, {o, l, o}, {s, o, c}};
  return {{c, s, o}, {-s, c, o}, {o, o, l}};
}

// Two bodies that turn, the second against the first by three angles that are polynomials of time: what the element
// says about the angles, their rates and accelerations is what they were made of.
template <class T>
struct Turning {
  Rotation3<T> first, second;
};
struct Path {
  AxisSequence sequence;
  std::array<Quartic, 3> angle, carried;
  Rotation3<double> on_i, on_j;

  template <class T>
  static Rotation3<T> constant(const Rotation3<double>& R) {
    return {lift<T>(R.x), lift<T>(R.y), lift<T>(R.z)};
  }
  template <class T>
  static Rotation3<T> transposed(const Rotation3<T>& R) {
    return {{R.x.x, R.y.x, R.z.x}, {R.x.y, R.y.y, R.z.y}, {R.x.z, R.y.z, R.z.z}};
  }
  template <class T>
  Turning<T> at(const T& t) const {
    Rotation3<T> R_i = about<T>(0, carried[0].at(t)) * about<T>(1, carried[1].at(t)) * about<T>(2, carried[2].at(t));
    Rotation3<T> R = R_i * constant<T>(on_i);
    for (std::size_t k = 0; k < 3; ++k) R = R * about<T>(sequence.axes[k], angle[k].at(t));
    return {R_i, R * transposed(constant<T>(on_j))};
  }
};

// w in body axes, R' = R [w]x, from R and R'.
Vec3<double> turnRate(const Rotation3<double>& R, const Rotation3<double>& rate) {
  return {dot(R.z, rate.y), dot(R.x, rate.z), dot(R.y, rate.x)};
}

TEST(SequenceAngle, GivesBackTheAnglesItsFramesWereTurnedBy) {
  using G = Spatial<double>;
  using D1 = Dual<1>;
  using D2 = Dual<1, D1>;
  Random random(71);
  for (const AxisSequence& sequence : kAll) {
    SCOPED_TRACE(fmt::format("{}{}{}", sequence.axes[0], sequence.axes[1], sequence.axes[2]));
    for (int trial = 0; trial < 20; ++trial) {
      Path path{sequence, {}, {}, random.position<InSpace>().R, random.position<InSpace>().R};
      for (std::size_t k = 0; k < 3; ++k) {
        path.angle[k] = Quartic::random(random);
        path.carried[k] = Quartic::random(random);
      }
      // The second angle where the other two have a meaning; the first has gone round three times.
      path.angle[1].c[0] = sequence.repeats() ? random.number(0.4, 2.7) : random.number(-1.1, 1.1);
      path.angle[0].c[0] += 6.0 * std::numbers::pi;
      const double t = 0.0;
      const auto seen = path.at(D2::variable(D1::variable(t)));
      const auto part = [](const Rotation3<D2>& R, const auto& of) {
        const auto vector = [&](const Vec3<D2>& a) { return Vec3<double>{of(a.x), of(a.y), of(a.z)}; };
        return Rotation3<double>{vector(R.x), vector(R.y), vector(R.z)};
      };
      const auto value = [](const D2& x) { return x.value.value; };
      const auto rate = [](const D2& x) { return x.derivatives[0].value; };
      G::Position xi;
      G::Position xj;
      xi.R = part(seen.first, value);
      xj.R = part(seen.second, value);
      const G::Velocity vi{{}, turnRate(xi.R, part(seen.first, rate))};
      const G::Velocity vj{{}, turnRate(xj.R, part(seen.second, rate))};
      for (int k = 0; k < 3; ++k) {
        const Quartic& angle = path.angle[static_cast<std::size_t>(k)];
        const SequenceAngle<G> element{sequence, k, path.on_i, path.on_j};
        EXPECT_NEAR(element.angleNear({xi, xj}, angle.at(t) + 0.7), angle.at(t), 1e-13) << "angle " << k;
        EXPECT_NEAR(element.rate({xi, xj}, {vi, vj}), angle.rate(t), 1e-12) << "angle " << k;
        const auto rows = element.rows({xi, xj});
        const double by_rows = rows.first[0][3] * vi.w.x + rows.first[0][4] * vi.w.y + rows.first[0][5] * vi.w.z +
                               rows.second[0][3] * vj.w.x + rows.second[0][4] * vj.w.y + rows.second[0][5] * vj.w.z;
        EXPECT_NEAR(by_rows, angle.rate(t), 1e-12) << "angle " << k;
      }
    }
  }
}

// Rows along a motion: their rates against Dual in time, and the bend from (d^T W)' less the part of accelerations.
TEST(SequenceAngle, KnowsHowItsRowsChange) {
  using G = Spatial<double>;
  using G1 = Spatial<Dual<1>>;
  Random random(72);
  for (const AxisSequence& sequence : kAll) {
    for (int trial = 0; trial < 10;) {
      const auto paths = PairPaths<InSpace>::random(Ends::two_bodies, random);
      const double t = random.number(-0.8, 0.8);
      const auto on_i = random.position<InSpace>().R;
      const auto on_j = random.position<InSpace>().R;
      const auto xi = paths.i.at(t);
      const auto xj = paths.j.at(t);
      const auto xi1 = paths.i.at(Dual<1>::variable(t));
      const auto xj1 = paths.j.at(Dual<1>::variable(t));
      const SequenceAngle<G> second{sequence, 1, on_i, on_j};
      const auto middle = second.parts({xi, xj});
      // Away from the singular angle: sin (of repeating sequences) or cos of the second.
      if ((sequence.repeats() ? middle.S : middle.C) < 0.3) continue;
      ++trial;
      const auto vi = paths.i.velocity(t);
      const auto vj = paths.j.velocity(t);
      const std::array<std::array<double, 6>, 2> a{paths.i.acceleration(t), paths.j.acceleration(t)};
      const std::array<std::array<double, 6>, 2> v{paths.i.rates(t), paths.j.rates(t)};
      for (int k = 0; k < 3; ++k) {
        const SequenceAngle<G> element{sequence, k, on_i, on_j};
        const auto lifted = [](const Rotation3<double>& R) {
          return Rotation3<Dual<1>>{lift<Dual<1>>(R.x), lift<Dual<1>>(R.y), lift<Dual<1>>(R.z)};
        };
        const auto moving = SequenceAngle<G1>{sequence, k, lifted(on_i), lifted(on_j)}.rows({xi1, xj1});
        const auto rates = element.rowRates({xi, xj}, {vi, vj});
        double rate_of_rate = 0.0;
        double by_accelerations = 0.0;
        for (std::size_t f = 0; f < 12; ++f) {
          const Dual<1>& entry = f < 6 ? moving.first[0][f] : moving.second[0][f - 6];
          const double entry_rate = f < 6 ? rates.first[0][f] : rates.second[0][f - 6];
          EXPECT_NEAR(entry_rate, entry.derivatives[0], 1e-11 * (1.0 + std::abs(entry_rate)));
          rate_of_rate += entry.derivatives[0] * v[f / 6][f % 6] + entry.value * a[f / 6][f % 6];
          by_accelerations += entry.value * a[f / 6][f % 6];
        }
        EXPECT_NEAR(element.bend({xi, xj}, {vi, vj}), rate_of_rate - by_accelerations,
                    1e-11 * (1.0 + std::abs(rate_of_rate)));
      }
    }
  }
}

}  // namespace sequence_angle_test
}  // namespace linkwork
