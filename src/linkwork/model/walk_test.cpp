#include "linkwork/model/walk.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <tuple>

namespace linkwork {
namespace walk_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// --- every field by its type, without walk
// -----------------------------------------------------------------------------

// All fields of a struct. A field that is added or taken away stops these lines from compiling: give it a letter here;
// whether walk has to visit it is then decided by its type.
auto fieldsOf(Frame& x) {
  auto& [a, b, c] = x;
  return std::tie(a, b, c);
}
auto fieldsOf(Parameter& x) {
  auto& [a, b, c, d] = x;
  return std::tie(a, b, c, d);
}
auto fieldsOf(NamedPoint& x) {
  auto& [a, b] = x;
  return std::tie(a, b);
}
auto fieldsOf(Tensor& x) {
  auto& [a, b, c, d, e, f] = x;
  return std::tie(a, b, c, d, e, f);
}
auto fieldsOf(Body& x) {
  auto& [a, b, c, d, e, f, g, h, i, j] = x;
  return std::tie(a, b, c, d, e, f, g, h, i, j);
}
auto fieldsOf(Term& x) {
  auto& [a, b] = x;
  return std::tie(a, b);
}
auto fieldsOf(Curve& x) {
  auto& [a, b, c] = x;
  return std::tie(a, b, c);
}
auto fieldsOf(Rolling& x) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = x;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m);
}
auto fieldsOf(Compliance& x) {
  auto& [a, b, c, d, e, f, g, h, i] = x;
  return std::tie(a, b, c, d, e, f, g, h, i);
}
auto fieldsOf(Joint& x) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t] = x;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t);
}
auto fieldsOf(Drive& x) {
  auto& [a, b, c, d, e, f, g, h, i] = x;
  return std::tie(a, b, c, d, e, f, g, h, i);
}
auto fieldsOf(Load& x) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t] = x;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t);
}
auto fieldsOf(InitialValue& x) {
  auto& [a, b, c, d] = x;
  return std::tie(a, b, c, d);
}
auto fieldsOf(Event& x) {
  auto& [a, b, c, d, e] = x;
  return std::tie(a, b, c, d, e);
}
auto fieldsOf(Trace& x) {
  auto& [a, b, c] = x;
  return std::tie(a, b, c);
}
auto fieldsOf(BodyImage& x) {
  auto& [a, b, c] = x;
  return std::tie(a, b, c);
}
auto fieldsOf(SplitBody& x) {
  auto& [a, b] = x;
  return std::tie(a, b);
}
auto fieldsOf(LinkSection& x) {
  auto& [a, b, c, d, e, f, g] = x;
  return std::tie(a, b, c, d, e, f, g);
}
auto fieldsOf(LinkSpring& x) {
  auto& [a, b, c, d, e] = x;
  return std::tie(a, b, c, d, e);
}
auto fieldsOf(LinkPoint& x) {
  auto& [a, b, c, d] = x;
  return std::tie(a, b, c, d);
}
auto fieldsOf(FlexibleLink& x) {
  auto& [a, b, c, d, e, f] = x;
  return std::tie(a, b, c, d, e, f);
}
auto fieldsOf(Input& x) {
  auto& [a, b, c, d] = x;
  return std::tie(a, b, c, d);
}
auto fieldsOf(Output& x) {
  auto& [a, b, c, d] = x;
  return std::tie(a, b, c, d);
}
auto fieldsOf(NamedVelocity& x) {
  auto& [a, b, c, d] = x;
  return std::tie(a, b, c, d);
}
auto fieldsOf(Mechanism& x) {
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, y, z] = x;
  return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, y, z);
}

template <class T>
concept Parted = requires(T& x) { fieldsOf(x); };

template <class T, class... Kinds>
concept OneOf = (std::same_as<T, Kinds> || ...);

template <class T>
concept Visited = OneOf<T, BodyIndex, JointIndex, Quantity, Value, Expr>;

// Known to hold neither references nor formulas.
template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T> ||
                OneOf<T, std::string, Source, Pose, Shape, RunDefaults, IncludedFile, ParameterSetting>;

// Where walk has to come by: addresses, and the ways there by numbers of fields. Lists get an element and optionals a
// value, so that nothing is left out for want of an example.
class Places {
 public:
  explicit Places(Mechanism& mechanism) { collect(mechanism, "Mechanism"); }
  const std::map<const void*, std::string>& all() const { return all_; }

 private:
  template <class T>
  void collect(T& x, const std::string& way) {
    if constexpr (Visited<T>) {
      all_.emplace(&x, way);
    } else if constexpr (Parted<T>) {
      const auto collectAll = [&](auto&... fields) {
        int k = 0;
        (collect(fields, fmt::format("{}.{}", way, ++k)), ...);
      };
      std::apply(collectAll, fieldsOf(x));
    } else {
      static_assert(Plain<T>, "a thing that this test does not know: list its fields above, or name it as plain");
    }
  }
  template <class T>
  void collect(std::vector<T>& list, const std::string& way) {
    if (list.empty()) list.emplace_back();
    for (T& one : list) collect(one, way + "[]");
  }
  template <class T, std::size_t N>
  void collect(std::array<T, N>& list, const std::string& way) {
    for (std::size_t k = 0; k < N; ++k) collect(list[k], fmt::format("{}[{}]", way, k));
  }
  template <class T>
  void collect(std::optional<T>& value, const std::string& way) {
    if (!value) value.emplace();
    collect(*value, way);
  }

  std::map<const void*, std::string> all_;
};

class Walk : public ::testing::Test {
 protected:
  Mechanism mechanism_;
  const std::map<const void*, std::string> places_ = Places(mechanism_).all();
};

// --- tests
// -------------------------------------------------------------------------------------------------------------

TEST_F(Walk, VisitsEveryReferenceAndFormulaOnce) {
  std::map<const void*, int> visits;
  walk(mechanism_, Visitor{[](std::string&) {}, [&](auto& x) { ++visits[&x]; }});
  EXPECT_GT(places_.size(), 150U);  // a bushing alone has 78
  for (const auto& [place, way] : places_) EXPECT_EQ(visits[place], 1) << way;
  EXPECT_EQ(visits.size(), places_.size());
}

TEST_F(Walk, ReadsTheSameFromAConstMechanism) {
  std::set<const void*> visits;
  walk(std::as_const(mechanism_), Visitor{[](const std::string&) {}, [&](const auto& x) { visits.insert(&x); }});
  for (const auto& [place, way] : places_) EXPECT_TRUE(visits.contains(place)) << way;
}

TEST_F(Walk, VisitsTheNameOfEveryPartThatHasOne) {
  Mechanism& m = mechanism_;
  m.parameters[0].name = "parameter";
  m.bodies[0].name = "body";
  m.bodies[0].points[0].name = "point of a body: known by both names together";
  m.joints[0].name = "joint";
  m.drives[0].name = "drive";
  m.loads[0].name = "load";
  m.links[0].name = "link";
  m.links[0].springs[0].loads[0] = "load of a link";
  m.events[0].name = "event";
  m.traces[0].name = "trace";
  m.inputs[0].name = "input";
  m.outputs[0].name = "output";
  m.named_velocities[0].name = "quasi-velocity";
  m.name = "title";
  std::vector<std::string> names;
  walk(std::as_const(m), Visitor{[&](const std::string& name) { names.push_back(name); }, kPassOver});
  EXPECT_THAT(names, UnorderedElementsAre("parameter", "body", "joint", "drive", "load", "link", "load of a link",
                                          "event", "trace", "input", "output", "quasi-velocity"));
}

TEST_F(Walk, GivesAFrameTogetherWithItsBody) {
  std::vector<std::pair<const BodyIndex*, const Frame*>> ends;
  std::vector<const BodyIndex*> bodies;
  walk(std::as_const(mechanism_),
       Visitor{[&](const BodyIndex& body, const Frame& frame) { ends.emplace_back(&body, &frame); },
               [&](const BodyIndex& body) { bodies.push_back(&body); }, kPassOver});
  const auto& [joint, drive, load] = std::tie(mechanism_.joints[0], mechanism_.drives[0], mechanism_.loads[0]);
  EXPECT_THAT(ends, ElementsAre(std::pair(&joint.first, &joint.on_first), std::pair(&joint.second, &joint.on_second),
                                std::pair(&drive.first, &drive.on_first), std::pair(&drive.second, &drive.on_second),
                                std::pair(&load.first, &load.on_first), std::pair(&load.second, &load.on_second)));
  EXPECT_THAT(bodies,
              ElementsAre(&mechanism_.traces[0].body, &mechanism_.splits[0].body, &mechanism_.links[0].elements[0]))
      << "those without a frame";
}

TEST(Formulas, OfALoadAreItsForceAndItsMoment) {
  Load load;
  load.force = {Expr::symbol("x"), Expr::symbol("y"), Expr::symbol("z")};
  load.moment = Expr::symbol("m");
  load.stiffness = {1.0, Expr::symbol("k")};  // a constant
  EXPECT_THAT(formulasOf(load),
              ElementsAre(Expr::symbol("x"), Expr::symbol("y"), Expr::symbol("z"), Expr::symbol("m")));
  EXPECT_THAT(formulasOf(Trace{}), IsEmpty());
}

TEST(Formulas, TakeOtherSymbolsAndLeaveConstantsAlone) {
  Load load;
  load.moment = Expr::symbol("u") * Expr::symbol("k");
  load.stiffness = {1.0, Expr::symbol("u")};
  substituteIn(load, {{"u", Expr::symbol("t")}});
  EXPECT_EQ(load.moment, Expr::symbol("t") * Expr::symbol("k"));
  EXPECT_EQ(load.stiffness.expr, Expr::symbol("u"));
}

}  // namespace walk_test
}  // namespace linkwork
