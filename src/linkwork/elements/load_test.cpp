#include "linkwork/elements/load.hpp"

#include <gmock/gmock.h>

#include <set>

#include "linkwork/base/index.hpp"
#include "linkwork/elements/element_set.hpp"
#include "linkwork/elements/load_laws_for_tests.hpp"

namespace linkwork {
namespace load_test {

using namespace test;
using ::testing::ElementsAre;

const BodyIndex kA(0);
const BodyIndex kB(1);

Frame randomFrame(Random& random, bool in_space) {
  Frame frame{{Value(random.number()), Value(random.number()), Value(in_space ? random.number() : 0.0)},
              Value(in_space ? 0.0 : random.number())};
  if (in_space) {
    const auto q = random.coordinates<InSpace>();
    frame.rotation = {q[3], q[4], q[5], q[6]};
  }
  return frame;
}

Load randomLoad(Random& random, LoadKind kind, bool in_space) {
  const auto formula = [&] { return Expr(random.number(-20, 20)) * Expr::symbol("a.x") + Expr::symbol("t"); };
  Load load;
  load.kind = kind;
  if (kind != LoadKind::force) load.first = kA;
  load.second = kB;
  load.on_first = randomFrame(random, in_space);
  load.on_second = randomFrame(random, in_space);
  load.force = {formula(), formula(), formula()};
  load.moment = formula();
  load.stiffness = random.number(5, 30);
  load.damping = random.number(1, 4);
  load.free_length = random.number(0, 3);
  load.preload = random.number(-5, 5);
  for (std::size_t r = 0; r < 6; ++r) {
    load.bushing_stiffness[r][r] = random.number(5, 30);
    load.bushing_damping[r][r] = random.number(1, 4);
    load.bushing_preload[r] = random.number(-5, 5);
  }
  return load;
}

// Two bodies, and a load of every kind and sort between them.
Mechanism withEveryLoad(Random& random, bool in_space) {
  Mechanism m;
  m.space = in_space ? Space::spatial : Space::planar;
  for (const char* name : {"a", "b"}) {
    Body body;
    body.name = name;
    body.mass = 1.0;
    body.inertia = 0.1;
    body.tensor = Tensor{0.1, 0.2, 0.3, 0.0, 0.0, 0.0};
    body.com = {Value(random.number()), Value(random.number()), Value(0.0)};
    m.bodies.push_back(body);
  }
  for (const LoadKind kind : {LoadKind::force, LoadKind::couple, LoadKind::spring_damper,
                              LoadKind::rotational_spring_damper, LoadKind::bushing}) {
    m.loads.push_back(randomLoad(random, kind, in_space));
  }
  for (const DriveKind along : {DriveKind::distance, DriveKind::slide, DriveKind::angle}) {
    m.loads.push_back(randomLoad(random, LoadKind::actuator, in_space));
    m.loads.back().along = along;
  }
  m.loads.push_back(randomLoad(random, LoadKind::force, in_space));
  m.loads.back().axes = Axes::body;
  for (const Sided sided : {Sided::tension_only, Sided::compression_only}) {
    m.loads.push_back(randomLoad(random, LoadKind::spring_damper, in_space));
    m.loads.back().sided = sided;
  }
  if (in_space) {
    m.loads.push_back(randomLoad(random, LoadKind::couple, in_space));
    m.loads.back().first = kGround;
    m.loads.back().by_components = true;
  }
  for (std::size_t k = 0; k < m.loads.size(); ++k) m.loads[k].name = "L" + std::to_string(k);
  return m;
}

// A set of elements with its bodies on their paths, for one scalar.
template <class F, class T>
struct Scene {
  using G = typename F::template Of<T>;
  ElementSet<G> set;
  std::vector<typename G::Position> x;
  std::vector<typename G::Velocity> v;
  std::vector<T> given, turns;

  Scene(const Mechanism& m, const PairPaths<F>& paths, const T& t, const std::vector<typename G::Velocity>& velocities)
      : set(compileElements<G>(m)), v(velocities) {
    x = {paths.i.at(t), paths.j.at(t), {}};
    v.resize(3);
    for (const auto& turn : set.turns) turns.push_back(T(turn.start));
    auto scratch = set.load_formulas.makeScratch();
    set.load_formulas.evaluate(t, x, v, turns, scratch);
    given = scratch.outputs;
  }

  // visit(placed, pair of positions, of velocities, state)
  template <class Visit>
  void eachLoad(const Visit& visit) const {
    forEachLoad(set, [&](const auto& placed) {
      const PairPosition<G> pair{x[at(placed.i)], x[at(placed.j)]};
      const PairVelocity<G> rates{v[at(placed.i)], v[at(placed.j)]};
      visit(placed, pair, rates, placed.element.state(pair, rates, inputOf(placed, given, turns)));
    });
  }
};

template <class F>
class LoadProtocol : public ::testing::Test {
 protected:
  static constexpr bool kSpatial = std::is_same_v<F, InSpace>;

  Scene<F, double> scene() {
    m_ = withEveryLoad(random_, kSpatial);
    paths_ = PairPaths<F>::random(Ends::two_bodies, random_);
    t_ = random_.number(-0.5, 0.5);
    return Scene<F, double>(m_, paths_, t_, {paths_.i.velocity(t_), paths_.j.velocity(t_)});
  }

  Random random_{91};
  Mechanism m_;
  PairPaths<F> paths_;
  double t_ = 0.0;
};
TYPED_TEST_SUITE(LoadProtocol, PlaneAndSpace, GeometryName);

// What the bodies gain is what comes from outside, less what is lost, less what is stored: for every load, along
// motions.
TYPED_TEST(LoadProtocol, WorkIsSuppliedLessDissipatedLessStored) {
  using F = TypeParam;
  using G = typename F::template Of<double>;
  using D = Dual<8>;
  std::set<int> seen;
  for (int trial = 0; trial < 20; ++trial) {
    const auto now = this->scene();
    const Scene<F, D> moving(this->m_, this->paths_, D::variable(this->t_), {});
    std::vector<double> stored_rate;
    moving.eachLoad([&](const auto& placed, const auto&, const auto&, const auto& state) {
      stored_rate.push_back(placed.element.storedEnergy(state).derivative());
    });
    std::size_t next = 0;
    now.eachLoad([&](const auto& placed, const auto& x, const auto& v, const auto& state) {
      typename G::Wrench on_i{};
      typename G::Wrench on_j{};
      placed.element.apply(x, state, on_i, on_j);
      const double work = G::power(on_i, v.i) + G::power(on_j, v.j);
      const double expected =
          placed.element.suppliedPower(state, v) - placed.element.dissipatedPower(state) - stored_rate[next++];
      // Powers of the order of 1e3, from sums of some fifty products.
      EXPECT_NEAR(work, expected, 1e-11 * (1.0 + std::abs(work))) << wordFor(this->m_.loads[at(placed.load)].kind);
      EXPECT_GE(placed.element.dissipatedPower(state), 0.0);
      seen.insert(placed.load);
    });
    PlacedLoads<G>::forEachKind([&]<class E>() {
      // Springs of joints are no loads of a mechanism: compliant_joint_test.cpp.
      if constexpr (!std::is_same_v<E, CompliantJoint<G>>) {
        EXPECT_FALSE(now.set.template loadsOf<E>().empty());
      }
    });
  }
  EXPECT_EQ(seen.size(), this->m_.loads.size());
}

// From a record of its scalars, and the pose, the wrenches come back.
TYPED_TEST(LoadProtocol, ScalarsGiveTheWrenchesBack) {
  using G = typename TypeParam::template Of<double>;
  for (int trial = 0; trial < 20; ++trial) {
    this->scene().eachLoad([&](const auto& placed, const auto& x, const auto&, const auto& state) {
      SCOPED_TRACE(wordFor(this->m_.loads[at(placed.load)].kind));
      using E = std::decay_t<decltype(placed.element)>;
      std::array<double, E::kScalars> scalars{};
      placed.element.values(x, state, scalars);
      std::array<typename G::Wrench, 2> expected{};
      std::array<typename G::Wrench, 2> found{};
      placed.element.apply(x, state, expected[0], expected[1]);
      placed.element.apply(x, placed.element.exerting(x, scalars), found[0], found[1]);
      for (std::size_t k = 0; k < 2; ++k) {
        std::array<double, G::kFreedoms> a{};
        std::array<double, G::kFreedoms> b{};
        G::put(expected[k], a);
        G::put(found[k], b);
        for (std::size_t c = 0; c < a.size(); ++c) EXPECT_NEAR(a[c], b[c], 1e-12 * (1.0 + std::abs(a[c])));
      }
    });
  }
}

// Every scalar of a load has one element that fills it, and one name; switches are as many as are said.
TYPED_TEST(LoadProtocol, EveryScalarHasAName) {
  const auto scene = this->scene();
  std::vector<std::size_t> filled(this->m_.loads.size(), 0);
  scene.eachLoad([&](const auto& placed, const auto&, const auto&, const auto& state) {
    filled[at(placed.load)] += at(std::decay_t<decltype(placed.element)>::kScalars);
    const auto switches = at(placed.element.switches());
    std::vector<double> values(switches + 1, -777.0);
    placed.element.switchValues(state, std::span(values).first(switches));
    for (std::size_t k = 0; k < switches; ++k) EXPECT_NE(values[k], -777.0);
    EXPECT_EQ(values.back(), -777.0);
  });
  for (std::size_t k = 0; k < filled.size(); ++k) {
    const auto scalars = scalarsOf(this->m_.space, this->m_.loads[k]);
    EXPECT_EQ(scalars.size(), filled[k]);
    for (const LoadScalar& scalar : scalars) EXPECT_FALSE(scalar.label.empty());
  }
}

// What is drawn and added up as a force at a point, in ground axes, is one.
TYPED_TEST(LoadProtocol, PartsAreForcesAndMomentsInGroundAxes) {
  using G = typename TypeParam::template Of<double>;
  int checked = 0;
  this->scene().eachLoad([&](const auto& placed, const auto& x, const auto&, const auto& state) {
    const Load& load = this->m_.loads[at(placed.load)];
    const auto names = scalarsOf(this->m_.space, load);
    using E = std::decay_t<decltype(placed.element)>;
    std::array<double, E::kScalars> scalars{};
    placed.element.values(x, state, scalars);
    typename G::Wrench on_i{};
    typename G::Wrench on_j{};
    placed.element.apply(x, state, on_i, on_j);
    for (int k = 0; k < E::kScalars; ++k) {
      const LoadPart part = names[at(placed.scalar + k)].part;
      if (part == LoadPart::other) continue;
      ++checked;
      if (part == LoadPart::force) {
        EXPECT_EQ(scalars[at(k)], on_j.force[k]);
        continue;
      }
      if constexpr (G::kSpatial) {
        // About the frame's z axis, or the component that this element is for.
        const auto moment = x.j.R * on_j.moment;
        const double size = part == LoadPart::moment ? moment[placed.scalar] : std::sqrt(dot(moment, moment));
        EXPECT_NEAR(part == LoadPart::moment ? scalars[at(k)] : std::abs(scalars[at(k)]), size, 1e-12);
      } else {
        EXPECT_EQ(scalars[at(k)], on_j.moment);
      }
    }
  });
  EXPECT_GE(checked, 3);
}

std::vector<std::string> labels(Space space, const Load& load) {
  std::vector<std::string> out;
  for (const LoadScalar& scalar : scalarsOf(space, load)) out.push_back(scalar.label + " " + scalar.unit);
  return out;
}

TEST(ScalarsOf, AreTheColumnsOfALoad) {
  Load load;
  EXPECT_THAT(labels(Space::planar, load), ElementsAre("force.x N", "force.y N"));
  EXPECT_THAT(labels(Space::spatial, load), ElementsAre("force.x N", "force.y N", "force.z N"));
  load.kind = LoadKind::couple;
  EXPECT_THAT(labels(Space::spatial, load), ElementsAre("moment N*m"));
  load.by_components = true;
  EXPECT_THAT(labels(Space::spatial, load), ElementsAre("moment.x N*m", "moment.y N*m", "moment.z N*m"));
  load.kind = LoadKind::bushing;
  EXPECT_THAT(labels(Space::planar, load), ElementsAre("force.x N", "force.y N", "moment N*m"));
  load.kind = LoadKind::actuator;
  load.along = DriveKind::angle;
  EXPECT_THAT(labels(Space::spatial, load), ElementsAre("effort N*m", "angle rad"));
  EXPECT_TRUE(scalarsOf(Space::spatial, load)[1].wraps);
  EXPECT_FALSE(scalarsOf(Space::planar, load)[1].wraps);
}

}  // namespace load_test
}  // namespace linkwork
