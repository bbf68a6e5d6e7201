#include "linkwork/read/model_file/flexible_chain.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "linkwork/read/model_file/bodies_space.hpp"

namespace linkwork::model_file {

namespace {

constexpr std::size_t slideOf(Deform d) { return static_cast<std::size_t>(d); }
constexpr double kSamePlace = 1e-9;  // of the link's length

// Where a direction of the section's axes is the axis of a frame: hinges turn about z, guides run along x.
Quaternion withZAlong(std::size_t axis) {
  if (axis == 0) return frameWithZ({1.0, 0.0, 0.0});
  return axis == 1 ? frameWithZ({0.0, 1.0, 0.0}) : kNoTurn;
}
Quaternion withXAlong(std::size_t axis) {
  if (axis == 1) return frameWithXz({0.0, 1.0, 0.0}, {0.0, 0.0, 1.0});  // z stays: it is that of the plane
  return axis == 2 ? frameWithXy({0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}) : kNoTurn;
}
// x along the first axis, y along the second.
Quaternion withXyAlong(std::size_t x, std::size_t y) {
  Direction a{0.0, 0.0, 0.0};
  Direction b{0.0, 0.0, 0.0};
  (x == 0 ? a.x : (x == 1 ? a.y : a.z)) = 1.0;
  (y == 0 ? b.x : (y == 1 ? b.y : b.z)) = 1.0;
  return frameWithXy(a, b);
}

class Chain {
 public:
  Chain(Reader& reader, const LinkPlan& plan, const std::vector<NamedPoint>& points, KnownBody& known)
      : reader_(reader), plan_(plan), points_(points), known_(known) {}

  void add() {
    link_.name = plan_.name;
    link_.source = plan_.source;
    link_.length = plan_.length.number;
    KnownLink& division = known_.link.emplace();
    division.stations = plan_.stations;
    for (const PlannedElement& element : plan_.elements) {
      division.origins.push_back(element.origin);
      division.lengths.push_back(element.length);
      division.middles.push_back(element.middle);
    }
    for (std::size_t k = 0; k < plan_.elements.size(); ++k) {
      if (k == 0) {
        last_ = addElement(0);
      } else {
        addSpring(k);
      }
      division.elements.push_back(last_);
      link_.elements.push_back(last_);
    }
    known_.index = division.elements.front();
    for (std::size_t k = 1; k < plan_.elements.size() && plan_.drag.number > 0.0; ++k) addDrag(k);
    reader_.mechanism.links.push_back(std::move(link_));
  }

 private:
  bool inSpace() const { return reader_.inSpace(); }
  std::string named(std::string_view prefix, std::size_t k, std::string_view suffix = {}) const {
    return fmt::format("{}:{}{}{}", plan_.name, prefix, k, suffix);
  }

  // --- bodies --------------------------------------------------------------------------------------------------------

  BodyIndex addBody(Body body, const Point& origin) {
    KnownBody known;
    known.index = BodyIndex(static_cast<int>(reader_.mechanism.bodies.size()));
    const DrawnPose& pose = known_.drawn;
    const Point place = toGround(pose, origin);
    known.drawn = pose;
    known.drawn.x = place[0];
    known.drawn.y = place[1];
    known.drawn.z = place[2];
    for (const NamedPoint& point : body.points) known.frames[point.name] = {{point.at, Value(0.0)}, false};
    body.drawn = numbersOf(known.drawn);
    body.source = plan_.source;
    const BodyIndex index = known.index;
    reader_.bodies.insert_or_assign(body.name, std::move(known));
    reader_.mechanism.bodies.push_back(std::move(body));
    return index;
  }

  BodyIndex addElement(std::size_t k) {
    const PlannedElement& element = plan_.elements[k];
    Body body;
    body.name = named("", k);
    body.mass = element.mass;
    for (std::size_t c = 0; c < 3; ++c) body.com[c] = minus(element.com[c], element.origin[c]);
    body.inertia = element.inertia;
    body.tensor = element.tensor;
    body.shapes.push_back(element.shape);
    for (const NamedPoint& point : points_) {
      if (holderOf(*known_.link, point.at).element != k) continue;
      NamedPoint own = point;
      for (std::size_t c = 0; c < 3; ++c) own.at[c] = minus(point.at[c], element.origin[c]);
      LinkPoint recorded;
      recorded.name = point.name;
      recorded.element = static_cast<int>(k);
      for (std::size_t c = 0; c < 3; ++c) {
        recorded.on_element[c] = own.at[c].number;
        recorded.at_rest[c] = point.at[c].number;
      }
      link_.points.push_back(std::move(recorded));
      body.points.push_back(std::move(own));
    }
    return addBody(std::move(body), element.origin);
  }

  // Between two joints of one spring: it has a place and nothing else.
  BodyIndex addMassless(std::size_t k, const char* suffix) {
    Body body;
    body.name = named("", k, suffix);
    body.mass = 0.0;
    body.inertia = 0.0;
    if (inSpace()) body.tensor = Tensor{};
    return addBody(std::move(body), plan_.springs[k - 1].at);
  }

  // --- joints --------------------------------------------------------------------------------------------------------

  // The section's axes at the spring, on a body whose frame is at `origin`; turned further by `own`, in the plane about
  // z.
  Frame frameOn(const PlannedSpring& spring, const Point& origin, const Quaternion& own) const {
    Frame frame;
    for (std::size_t c = 0; c < 3; ++c) frame.point[c] = minus(spring.at[c], origin[c]);
    if (inSpace()) {
      frame.rotation = product(spring.rotation, own);
    } else {
      frame.angle = own == kNoTurn ? spring.angle : plus(spring.angle, Value(2.0 * std::atan2(own[3], own[0])));
    }
    return frame;
  }

  struct Side {
    BodyIndex body;
    Point origin{};
  };

  void addJoint(std::size_t k, const char* suffix, JointKind kind, const Side& first, const Side& second,
                const Quaternion& own) {
    const PlannedSpring& spring = plan_.springs[k - 1];
    Joint joint;
    joint.name = named("j", k, suffix);
    joint.kind = kind;
    joint.first = first.body;
    joint.second = second.body;
    joint.on_first = frameOn(spring, first.origin, own);
    joint.on_second = frameOn(spring, second.origin, own);
    joint.source = plan_.source;
    joint.inside_link = true;
    const JointIndex index(static_cast<int>(reader_.mechanism.joints.size()));
    link_.springs.back().joints.push_back(index);
    reader_.joints.insert_or_assign(joint.name, KnownJoint{index, false});
    reader_.mechanism.joints.push_back(std::move(joint));
  }

  void addSpring(std::size_t k) {
    const PlannedSpring& spring = plan_.springs[k - 1];
    LinkSpring& recorded = link_.springs.emplace_back();
    recorded.at = spring.s;
    recorded.section = spring.section;
    recorded.axes = inSpace() ? spring.rotation : aboutAxis({0.0, 0.0, 1.0}, spring.angle.number);
    const Side before{last_, plan_.elements[k - 1].origin};
    std::vector<std::size_t> turns;
    std::vector<std::size_t> slides;
    for (std::size_t c = 0; c < 3; ++c) {
      if (plan_.deforms.any[c]) turns.push_back(c);
      if (plan_.deforms.any[3 + c]) slides.push_back(c);
    }
    const bool all = turns.size() == 3 && slides.size() == 3;
    Side reached = before;
    if (!all || plan_.turns == LinkTurns::zyx) reached = addSlides(k, slides, reached);
    if (plan_.turns == LinkTurns::zyx && turns.size() > 1) {
      addHinges(k, turns, reached, before, slides);
      return;
    }
    const Side after{addElement(k), plan_.elements[k].origin};
    if (all) {
      addJoint(k, "", JointKind::floating, reached, after, kNoTurn);
    } else if (turns.size() == 3) {
      addJoint(k, "", JointKind::spherical, reached, after, kNoTurn);
    } else if (turns.size() == 2) {
      addJoint(k, "", JointKind::universal, reached, after, withXyAlong(turns[0], turns[1]));
    } else if (turns.size() == 1) {
      addJoint(k, "", JointKind::revolute, reached, after, withZAlong(turns[0]));
    } else {
      addJoint(k, "", JointKind::fixed, reached, after, kNoTurn);
    }
    if (turns.size() == 1 && slides.empty()) {
      addRotationalSpring(k, "", turns[0], reached, after);
    } else {
      addBushing(k, "", turns, slides, before, after);
    }
    last_ = after.body;
  }

  // Guides one after the other, along x, y, z of the element before.
  Side addSlides(std::size_t k, const std::vector<std::size_t>& slides, Side reached) {
    constexpr const char* kSuffix[] = {"sx", "sy", "sz"};
    for (const std::size_t axis : slides) {
      const Side next{addMassless(k, kSuffix[axis]), plan_.springs[k - 1].at};
      addJoint(k, kSuffix[axis], JointKind::prismatic, reached, next, withXAlong(axis));
      reached = next;
    }
    return reached;
  }

  // Hinges about z, y, x, each with its spring.
  void addHinges(std::size_t k, const std::vector<std::size_t>& turns, Side reached, const Side& before,
                 const std::vector<std::size_t>& slides) {
    constexpr const char* kSuffix[] = {"x", "y", "z"};
    if (!slides.empty()) addBushing(k, "", {}, slides, before, reached);
    for (std::size_t n = turns.size(); n-- > 0;) {
      const std::size_t axis = turns[n];
      const bool is_last = n == 0;
      const Side next = is_last ? Side{addElement(k), plan_.elements[k].origin}
                                : Side{addMassless(k, kSuffix[axis]), plan_.springs[k - 1].at};
      addJoint(k, kSuffix[axis], JointKind::revolute, reached, next, withZAlong(axis));
      addRotationalSpring(k, kSuffix[axis], axis, reached, next);
      reached = next;
    }
    last_ = reached.body;
  }

  // --- springs -------------------------------------------------------------------------------------------------------

  Load& addLoad(std::size_t k, std::string_view prefix, const char* suffix, LoadKind kind, const Side& first,
                const Side& second) {
    Load& load = reader_.mechanism.loads.emplace_back();
    load.name = named(prefix, k, suffix);
    load.kind = kind;
    load.first = first.body;
    load.second = second.body;
    load.source = plan_.source;
    return load;
  }

  void addRotationalSpring(std::size_t k, const char* suffix, std::size_t axis, const Side& first, const Side& second) {
    const PlannedSpring& spring = plan_.springs[k - 1];
    Load& load = addLoad(k, "s", suffix, LoadKind::rotational_spring_damper, first, second);
    load.on_first = frameOn(spring, first.origin, withZAlong(axis));
    load.on_second = frameOn(spring, second.origin, withZAlong(axis));
    load.stiffness = spring.stiffness[axis];
    load.damping = times(plan_.damping_time, spring.stiffness[axis]);
    link_.springs.back().loads.push_back(load.name);
  }

  void addBushing(std::size_t k, const char* suffix, const std::vector<std::size_t>& turns,
                  const std::vector<std::size_t>& slides, const Side& first, const Side& second) {
    const PlannedSpring& spring = plan_.springs[k - 1];
    Load& load = addLoad(k, "s", suffix, LoadKind::bushing, first, second);
    load.on_first = frameOn(spring, first.origin, kNoTurn);
    load.on_second = frameOn(spring, second.origin, kNoTurn);
    const auto put = [&](std::size_t entry, const Value& stiffness) {
      load.bushing_stiffness[entry][entry] = stiffness;
      load.bushing_damping[entry][entry] = times(plan_.damping_time, stiffness);
    };
    for (const std::size_t axis : slides) put(axis, spring.stiffness[slideOf(Deform::stretch) + axis]);
    for (const std::size_t axis : turns) put(3 + axis, spring.stiffness[axis]);
    link_.springs.back().loads.push_back(load.name);
  }

  // Against the undeformed link, which moves with the root: a damper between the root and the element's place on it.
  void addDrag(std::size_t k) {
    const PlannedElement& element = plan_.elements[k];
    const Side root{known_.link->elements.front(), plan_.elements.front().origin};
    const Side own{known_.link->elements[k], element.origin};
    Load& load = addLoad(k, "d", "", LoadKind::bushing, root, own);
    for (std::size_t c = 0; c < 3; ++c) {
      load.on_first.point[c] = minus(element.com[c], root.origin[c]);
      load.on_second.point[c] = minus(element.com[c], own.origin[c]);
    }
    auto& damping = load.bushing_damping;
    for (std::size_t c = 0; c < 3; ++c) damping[c][c] = times(plan_.drag, element.mass);
    if (!inSpace()) {
      damping[5][5] = times(plan_.drag, element.inertia);
      return;
    }
    const Tensor& J = *element.tensor;
    const std::array<std::array<const Value*, 3>, 3> entries{
        {{&J.xx, &J.xy, &J.xz}, {&J.xy, &J.yy, &J.yz}, {&J.xz, &J.yz, &J.zz}}};
    for (std::size_t r = 0; r < 3; ++r) {
      for (std::size_t c = 0; c < 3; ++c) damping[3 + r][3 + c] = times(plan_.drag, *entries[r][c]);
    }
  }

  Reader& reader_;
  const LinkPlan& plan_;
  const std::vector<NamedPoint>& points_;
  KnownBody& known_;
  FlexibleLink link_;
  BodyIndex last_;
};

}  // namespace

void addChain(Reader& reader, const LinkPlan& plan, const std::vector<NamedPoint>& points, KnownBody& known) {
  Chain(reader, plan, points, known).add();
}

// The nearest of the straight pieces between stations.
Holder holderOf(const KnownLink& link, const Point& place) {
  Holder best;
  double nearest = std::numeric_limits<double>::infinity();
  double size = 0.0;
  for (std::size_t k = 0; k + 1 < link.stations.size(); ++k) {
    const auto& a = link.stations[k];
    const auto& b = link.stations[k + 1];
    double along = 0.0;
    double square = 0.0;
    for (std::size_t c = 0; c < 3; ++c) {
      along += (place[c].number - a[c]) * (b[c] - a[c]);
      square += (b[c] - a[c]) * (b[c] - a[c]);
    }
    size += std::sqrt(square);
    const double share = square > 0.0 ? std::min(1.0, std::max(0.0, along / square)) : 0.0;
    double distance = 0.0;
    for (std::size_t c = 0; c < 3; ++c) {
      const double d = place[c].number - a[c] - share * (b[c] - a[c]);
      distance += d * d;
    }
    distance = std::sqrt(distance);
    if (distance < nearest - kSamePlace * size) {
      nearest = distance;
      best = {k, false};
    } else if (distance < nearest + kSamePlace * size && k == best.element + 1) {
      best.at_spring = true;
    }
  }
  return best;
}

}  // namespace linkwork::model_file
