#include "linkwork/formulation/compliant/soften.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linkwork/base/index.hpp"
#include "linkwork/formulation/absolute/absolute_system.hpp"
#include "linkwork/formulation/compliant/spring_space.hpp"
#include "linkwork/formulation/recursive/tree_equations.hpp"
#include "linkwork/model/compliance.hpp"

namespace linkwork {

namespace {

constexpr double kGap = 1e-5;  // m, where nothing is asked for
// The way of the mechanism is off by about five times the gap of its joints.
constexpr double kSafety = 5.0;
// s: 1/omega of springs whose joints are not known to carry anything.
constexpr double kTime = 1e-5;
// Directions that the rest of the mechanism hardly allows say nothing of how stiff their spring must be.
constexpr double kHardlyMoves = 1e-9;

TurnLaw lawOf(const SystemOptions& options) {
  if (options.variant == "printed") return TurnLaw::printed;
  if (options.law == "angle") return TurnLaw::angle;
  return options.law == "sin2" ? TurnLaw::sin2 : TurnLaw::chord;
}

// How the rest of the mechanism answers along and about the axes of one joint.
struct Answers {
  double slides = 0.0;  // 1/kg: the greatest eigenvalue of its part of W
  double turns = 0.0;   // 1/(kg m^2)
  // The same if the bodies were free.
  double free_slides = 0.0;
  double free_turns = 0.0;
};

template <class G>
double greatestFree(const SpringSpace<G>& space, int joint, bool turn) {
  double out = 0.0;
  for (const auto& direction : space.directions()) {
    if (direction.joint == joint && direction.turn == turn) out = std::max(out, space.freeAnswer(direction));
  }
  return out;
}

template <class G>
double greatestAnswer(const SpringSpace<G>& space, const Eigen::MatrixXd& W, int joint, bool turn) {
  std::vector<Eigen::Index> own;
  for (std::size_t k = 0; k < space.directions().size(); ++k) {
    if (space.directions()[k].joint == joint && space.directions()[k].turn == turn)
      own.push_back(static_cast<Eigen::Index>(k));
  }
  if (own.empty()) return 0.0;
  Eigen::MatrixXd part(own.size(), own.size());
  for (std::size_t r = 0; r < own.size(); ++r) {
    for (std::size_t c = 0; c < own.size(); ++c)
      part(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c)) = W(own[r], own[c]);
  }
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(part).eigenvalues()[part.rows() - 1];
}

class Softener {
 public:
  Softener(const Mechanism& mechanism, const SystemOptions& options)
      : out_(mechanism), options_(options), joints_(softenedJoints(mechanism)) {}

  template <class G>
  Mechanism run(std::span<const double> start, std::span<const CutLoad> loads) {
    if (joints_.empty()) return std::move(out_);
    std::vector<CutLoad> known(loads.begin(), loads.end());
    const std::vector<double> state = start.empty() ? drawn<G>() : std::vector<double>(start.begin(), start.end());
    if (known.empty() && asksForLoads(options_)) known = loadsAt<G>(state);
    for (const int joint : joints_) makeSprings(joint);
    SpringSpace<G> space(out_);
    const auto sizes = sizesOf(space);
    space.place(0.0, {std::span(state).first(sizes[0]), std::span(state).subspan(sizes[0], sizes[1]),
                      std::span(state).subspan(sizes[0] + sizes[1] + 1)});
    const Eigen::MatrixXd W = space.answers(space.responses());
    const double length = space.observer().rows().length();
    for (const int joint : joints_) {
      const Answers answers{greatestAnswer(space, W, joint, false), greatestAnswer(space, W, joint, true),
                            greatestFree(space, joint, false), greatestFree(space, joint, true)};
      const auto load = std::find_if(known.begin(), known.end(), [&](const CutLoad& l) { return l.joint == joint; });
      choose(joint, answers, load == known.end() ? CutLoad{joint} : *load, length);
    }
    return std::move(out_);
  }

 private:
  template <class G>
  std::array<std::size_t, 2> sizesOf(const SpringSpace<G>& space) const {
    const auto bodies = at(space.observer().equations().bodies());
    return {bodies * G::kCoordinates, bodies * G::kFreedoms};
  }

  template <class G>
  std::vector<double> drawn() const {
    const AbsoluteEquations<G> equations(out_);
    std::vector<double> state;
    for (const Body& body : out_.bodies) {
      const std::vector<double> own = drawnCoordinates<G>(body);
      state.insert(state.end(), own.begin(), own.end());
    }
    state.resize(state.size() + at(equations.freedoms()) + 1 + at(equations.turns()), 0.0);
    return state;
  }

  // Of the centre of mass, as bodies are drawn.
  template <class G>
  static std::vector<double> drawnCoordinates(const Body& body) {
    const Pose& pose = body.drawn;
    if constexpr (G::kSpatial) {
      const Quaternion q = product({std::cos(0.5 * pose.angle), 0.0, 0.0, std::sin(0.5 * pose.angle)}, pose.rotation);
      const auto R = Rotation3<double>::fromQuaternion(q[0], q[1], q[2], q[3]);
      const auto r = Vec3<double>{pose.x, pose.y, pose.z} +
                     R * Vec3<double>{body.com[0].number, body.com[1].number, body.com[2].number};
      return {r.x, r.y, r.z, q[0], q[1], q[2], q[3]};
    } else {
      const auto R = Rotation2<double>::fromAngle(pose.angle);
      const auto r = Vec2<double>{pose.x, pose.y} + R * Vec2<double>{body.com[0].number, body.com[1].number};
      return {r.x, r.y, pose.angle};
    }
  }

  template <class G>
  std::vector<CutLoad> loadsAt(const std::vector<double>& state) const {
    AbsoluteOptions own;
    own.stabilisation = Stabilisation::none;
    own.doubtful_rows = options_.dependent_rows;
    own.misfit = options_.misfit;
    const BasicAbsoluteSystem<G> system(out_, own);
    const auto work = system.makeWorkspace();
    Observation seen;
    std::vector<CutLoad> out;
    if (system.observe(0.0, state, system.startModes(), *work, seen) != Eval::ok) return out;
    const auto size = [](const std::array<double, 3>& v) { return std::hypot(v[0], v[1], v[2]); };
    for (const int joint : joints_) {
      const Reaction& reaction = seen.joints[at(joint)];
      out.push_back({joint, size(reaction.force_on_second), size(reaction.moment_on_second)});
    }
    return out;
  }

  // Of no stiffness in particular yet.
  void makeSprings(int index) {
    Joint& joint = out_.joints[at(index)];
    Compliance springs;
    springs.law = lawOf(options_);
    springs.in_ground_axes = options_.base_frame == "yes";
    springs.source = joint.source;
    joint.compliance = springs;
    setSprings(joint, 1.0, 1.0, 0.0, 0.0);
  }

  void setSprings(Joint& joint, double c_T, double c_R, double d_T, double d_R) const {
    const HeldDirections held = heldDirections(joint.kind, out_.space);
    Compliance& springs = *joint.compliance;
    for (std::size_t k = 0; k < 3; ++k) {
      springs.stiffness[k] = held.slides[k] ? c_T : 0.0;
      springs.damping[k] = held.slides[k] ? d_T : 0.0;
      springs.rotational_stiffness[k] = held.turns[k] ? c_R : 0.0;
      springs.rotational_damping[k] = held.turns[k] ? d_R : 0.0;
    }
  }

  // c_T = 5 |F| / gap, and all springs of one frequency: omega^2 = c_T W_t = c_R W_r.
  void choose(int index, const Answers& answers, const CutLoad& load, double length) {
    Joint& joint = out_.joints[at(index)];
    const double slides =
        answers.slides > kHardlyMoves * answers.free_slides ? answers.slides : std::max(answers.free_slides, 1e-300);
    const double gap = options_.gap > 0.0 ? options_.gap : kGap;
    double c_T = options_.stiffness;
    std::string origin = "as asked for";
    if (c_T <= 0.0 && options_.stiffness_time > 0.0) {
      c_T = 1.0 / (options_.stiffness_time * options_.stiffness_time * slides);
      origin = fmt::format("from 1/omega = {:.3g} s", options_.stiffness_time);
    } else if (c_T <= 0.0 && load.force > 0.0) {
      c_T = kSafety * load.force / gap;
      origin = fmt::format("from {:.3g} N and a gap of {:.3g} m", load.force, gap);
    } else if (c_T <= 0.0) {
      c_T = 1.0 / (kTime * kTime * slides);
      origin = fmt::format("from 1/omega = {:.3g} s, as the joint is not known to carry anything", kTime);
    }
    const double omega2 = c_T * slides;
    const bool turns = answers.turns > kHardlyMoves * answers.free_turns;
    double c_R = options_.rotational_stiffness;
    if (c_R <= 0.0) c_R = turns ? omega2 / answers.turns : c_T * length * length;
    const double ratio = 2.0 * options_.damping_ratio;
    const double d_R = ratio * std::sqrt(c_R / (turns ? answers.turns : slides / (length * length)));
    setSprings(joint, c_T, c_R, ratio * std::sqrt(c_T / slides), d_R);
    joint.compliance->origin = origin;
  }

  Mechanism out_;
  const SystemOptions& options_;
  std::vector<int> joints_;
};

}  // namespace

std::vector<int> softenedJoints(const Mechanism& mechanism) {
  std::vector<int> out;
  for (const PlannedCut& cut : planRecursiveTree(mechanism).cuts) {
    if (cut.joint < 0) continue;
    const Joint& joint = mechanism.joints[at(cut.joint)];
    if (mayComply(joint.kind) && !joint.compliance) out.push_back(cut.joint);
  }
  return out;
}

std::vector<std::string> hardCuts(const Mechanism& mechanism) {
  std::vector<std::string> out;
  for (const PlannedCut& cut : planRecursiveTree(mechanism).cuts) {
    if (cut.joint < 0) {
      out.push_back(mechanism.drives[at(cut.drive)].name);
    } else if (!mayComply(mechanism.joints[at(cut.joint)].kind) && cut.rows > 0) {
      out.push_back(mechanism.joints[at(cut.joint)].name);
    }
  }
  return out;
}

bool asksForLoads(const ComplianceChoice& choice) { return choice.stiffness <= 0.0 && choice.stiffness_time <= 0.0; }

Mechanism soften(const Mechanism& mechanism, const SystemOptions& options, std::span<const double> start,
                 std::span<const CutLoad> loads) {
  Softener softener(mechanism, options);
  return mechanism.space == Space::spatial ? softener.run<Spatial<double>>(start, loads)
                                           : softener.run<Planar<double>>(start, loads);
}

}  // namespace linkwork
