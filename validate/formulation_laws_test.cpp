// Laws of mechanics that every formulation obeys, whatever its unknowns: walked over formulations(), so that the next
// one is tested by being registered. Compared are what a user sees of a state, body by body and joint by joint, by
// name.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "linkwork/linalg/allocation_counter_for_tests.hpp"
#include "linkwork/recursion/tree.hpp"
#include "linkwork/simulate/body_actions_for_tests.hpp"
#include "linkwork/system/state_jacobian.hpp"
#include "moved_file.hpp"
#include "run_model.hpp"
#include "shipped_models.hpp"

namespace linkwork::validation {
namespace formulation_laws_test {

constexpr double kTime = 0.05;  // s; not zero, so that formulas of time count

struct LawCase {
  std::string formulation, model;
};
std::ostream& operator<<(std::ostream& out, const LawCase& law) { return out << law.formulation << ", " << law.model; }

std::vector<LawCase> cases() {
  std::vector<LawCase> out;
  for (const std::string& formulation : exactFormulationNames()) {
    for (const std::string& model : shippedModels()) out.push_back({formulation, model});
  }
  return out;
}

// A mechanism under one formulation, at a state.
class Posed {
 public:
  Posed(Mechanism mechanism, const std::string& formulation, const std::string& stabilisation = "projection")
      : mechanism_(std::move(mechanism)) {
    assembly_ = assemble(mechanism_);
    expect(assembly_.ok, assembly_.problem);
    SystemOptions options;
    options.formulation = formulation;
    options.stabilisation = stabilisation;
    system_ = makeSystem(mechanism_, startingFrom(assembly_, options));
    work_ = system_->makeWorkspace();
    x_ = system_->fromAbsolute(0.0, assembly_.state());
  }

  const Mechanism& mechanism() const { return mechanism_; }
  const MechanismSystem& system() const { return *system_; }
  Workspace& work() { return *work_; }
  std::span<const double> x() const { return x_; }
  double time() const { return t_; }

  // To a state that is the same in all formulations: shaken in absolute coordinates.
  void shake(unsigned seed) {
    std::mt19937 engine(seed);
    const auto bodies = makeSystem(mechanism_, startingFrom(assembly_, {}));
    put(kTime, randomState(*bodies, assembly_.state(), 0.05, engine, kTime));
  }
  // [q, v, work, turns] of all bodies.
  std::vector<double> absolute() const { return system_->toAbsolute(t_, x_, system_->startModes()); }
  void put(double t, const std::vector<double>& absolute) {
    t_ = t;
    x_ = system_->fromAbsolute(t, absolute);
  }

  std::vector<double> rates() {
    std::vector<double> out(x_.size());
    Modes modes = system_->startModes();
    system_->beginStep(t_, x_, modes, *work_);
    expect(system_->derivative(t_, x_, modes, *work_, out).eval == Eval::ok, system_->describeFailure(*work_));
    return out;
  }
  Observation seen() { return seen(t_, x_); }
  Observation seen(double t, std::span<const double> x) {
    Observation out;
    Modes modes = system_->startModes();
    system_->beginStep(t, x, modes, *work_);
    expect(system_->observe(t, x, modes, *work_, out).eval == Eval::ok, system_->describeFailure(*work_));
    return out;
  }

 private:
  Mechanism mechanism_;
  Assembly assembly_;
  std::unique_ptr<MechanismSystem> system_;
  std::unique_ptr<Workspace> work_;
  double t_ = 0.0;
  std::vector<double> x_;
};

double sizeOf(const std::array<double, 3>& v) { return std::hypot(v[0], v[1], v[2]); }

// What two observations of one motion have in common, named; vectors by their components, or, of one that is turned
// against the other, by their sizes.
enum class Vectors { components, sizes };
std::map<std::string, double> named(const Mechanism& mechanism, const Observation& seen, Vectors vectors) {
  std::map<std::string, double> out;
  const auto put = [&](const std::string& name, const std::array<double, 3>& v) {
    if (vectors == Vectors::sizes) {
      out[name] = sizeOf(v);
    } else {
      for (std::size_t k = 0; k < 3; ++k) out[fmt::format("{} {}", name, k)] = v[k];
    }
  };
  for (std::size_t b = 0; b < seen.bodies.size(); ++b) {
    const std::string& name = mechanism.bodies[b].name;
    put(name + " acceleration", seen.bodies[b].acceleration);
    put(name + " angular acceleration", seen.bodies[b].angular_acceleration);
  }
  for (std::size_t j = 0; j < seen.joints.size(); ++j) {
    put(mechanism.joints[j].name + " force", seen.joints[j].unique_force);
    put(mechanism.joints[j].name + " moment", seen.joints[j].unique_moment);
  }
  return out;
}

// Of a mechanism that hardly moves: what round-off is compared with, m/s^2, rad/s^2, N, N*m. The springs of links that
// bend make 1e-8 rad/s^2 of round-off of an angle.
double leastSize(const Mechanism& mechanism) { return mechanism.links.empty() ? 1e-3 : 10.0; }

// Each kind of quantity (the last word but a component) is compared by the greatest of its kind.
void expectSame(const std::map<std::string, double>& a, const std::map<std::string, double>& b, double factor_forces,
                const std::string& prefix = {}, double least = 1e-3) {
  const auto kindOf = [](const std::string& name) {
    for (const char* kind : {" angular acceleration", " acceleration", " force", " moment"}) {
      if (name.find(kind) != std::string::npos) return std::string(kind);
    }
    return std::string();
  };
  std::map<std::string, double> size;
  for (const auto& [name, value] : a) size[kindOf(name)] = std::max(size[kindOf(name)], std::abs(value));
  ASSERT_FALSE(a.empty());
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [name, value] : a) {
    const std::string kind = kindOf(name);
    const bool reaction = kind == " force" || kind == " moment";
    const auto other = b.find(prefix + name);
    ASSERT_NE(other, b.end()) << name;
    // Solves of some ten rows lose a few digits; a wrong term would show in the first.
    EXPECT_NEAR(other->second, (reaction ? factor_forces : 1.0) * value, 1e-8 * (least + size[kind]) * factor_forces)
        << name;
  }
}

class FormulationLaw : public ::testing::TestWithParam<LawCase> {
 protected:
  void SetUp() override {
    mechanism_ = readShippedModel(GetParam().model);
    const std::string problem = formulationProblem(GetParam().formulation, mechanism_);
    if (!problem.empty()) GTEST_SKIP() << problem;
  }
  Posed posed() const { return posed(mechanism_); }
  static Posed posed(const Mechanism& mechanism) { return {mechanism, GetParam().formulation}; }
  // Neither loads nor drives: gravity alone.
  bool falls() const { return mechanism_.loads.empty() && mechanism_.drives.empty(); }

  Mechanism mechanism_;
};

// d/dt (kinetic + potential - supplied work) = 0 along the motion.
TEST_P(FormulationLaw, EnergyRateEqualsPower) {
  Posed p = posed();
  p.shake(1);
  const std::vector<double> rates = p.rates();
  constexpr double kStep = 1e-5;  // s; round-off of 1e-11 of the energy
  const auto beside = [&](double h) {
    std::vector<double> x(p.x().begin(), p.x().end());
    for (std::size_t k = 0; k < x.size(); ++k) x[k] += h * rates[k];
    return p.seen(p.time() + h, x);
  };
  const std::array<Observation, 4> seen{beside(-2.0 * kStep), beside(-kStep), beside(kStep), beside(2.0 * kStep)};
  // Of fourth order: a chain of light links has high frequencies.
  const auto rate = [&](double Observation::*part) {
    return (8.0 * (seen[2].*part - seen[1].*part) - (seen[3].*part - seen[0].*part)) / (12.0 * kStep);
  };
  const double kinetic = rate(&Observation::kinetic);
  const double potential = rate(&Observation::potential);
  const double work = rate(&Observation::supplied_work);
  const double size = std::abs(kinetic) + std::abs(potential) + std::abs(work) + seen[1].kinetic;
  EXPECT_NEAR(kinetic + potential, work, 1e-6 * size);
}

// Lines "name = ..." (or with the name in quotes, of many alike) of a section of a model file, last first; others stay
// where they are.
std::string reversed(const std::string& text, const std::string& section) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  std::string current;
  std::vector<std::size_t> entries;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("[")) current = line.substr(1, line.find(']') - 1);
    const bool entry = current == section && !line.empty() &&
                       (line[0] == '"' || std::isalpha(static_cast<unsigned char>(line[0])) != 0);
    const auto opened = std::count(line.begin(), line.end(), '{');
    if (entry && opened > 0 && opened == std::count(line.begin(), line.end(), '}')) entries.push_back(lines.size());
    lines.push_back(line);
  }
  for (std::size_t k = 0; k < entries.size() / 2; ++k) {
    std::swap(lines[entries[k]], lines[entries[entries.size() - 1 - k]]);
  }
  return fmt::format("{}\n", fmt::join(lines, "\n"));
}

// Another order of bodies and joints in the file is the same mechanism.
TEST_P(FormulationLaw, DoesNotDependOnTheOrderOfTheFile) {
  std::ifstream file(fmt::format("{}/{}.toml", LINKWORK_MODELS_DIR, GetParam().model));
  std::stringstream text;
  text << file.rdbuf();
  const std::string other_text = reversed(reversed(text.str(), "bodies"), "joints");
  if (other_text == text.str()) {
    const bool single = mechanism_.bodies.size() <= 1 && mechanism_.joints.size() <= 1;
    ASSERT_TRUE(single || GetParam().model == "jansen_walker") << "nothing was exchanged in its text";
    GTEST_SKIP() << (single ? "one body and one joint" : "its bodies are those of another file");
  }
  Diagnostics diagnostics;
  const auto turned = readModelText(other_text, fmt::format("{}/reversed.toml", LINKWORK_MODELS_DIR), diagnostics);
  ASSERT_TRUE(turned) << "its text cannot be read in another order: " << diagnostics.format();
  Posed a = posed();
  Posed b = posed(*turned);
  expectSame(named(a.mechanism(), a.seen(), Vectors::components), named(b.mechanism(), b.seen(), Vectors::components),
             1.0);
}

// The mechanism with a loop opened at another joint, once for each joint where that can be; empty where none can.
std::vector<Mechanism> cutElsewhere(const Mechanism& mechanism, const FormulationInfo& info) {
  const std::vector<std::string> cuts = info.cutJoints(mechanism, {});
  std::vector<Mechanism> out;
  for (std::size_t j = 0; j < mechanism.joints.size(); ++j) {
    Mechanism other = mechanism;
    for (Joint& joint : other.joints) joint.cut = false;  // in the place of those that the file opens
    other.joints[j].cut = true;
    const std::vector<std::string> others = info.cutJoints(other, {});
    // Beyond a joint of no loop a body would hang on nothing, and there would be one cut more.
    if (others != cuts && others.size() == cuts.size()) out.push_back(std::move(other));
  }
  return out;
}

// Whichever joint of a loop is cut, it is the same mechanism.
TEST_P(FormulationLaw, DoesNotDependOnTheCuts) {
  const FormulationInfo& info = *findFormulation(GetParam().formulation);
  const std::vector<std::string> cuts = info.cutJoints(mechanism_, {});
  if (cuts.empty()) GTEST_SKIP() << "no joint is cut";
  const std::vector<Mechanism> others = cutElsewhere(mechanism_, info);
  if (others.empty()) {
    for (const Joint& joint : mechanism_.joints) {
      const bool is_cut = std::find(cuts.begin(), cuts.end(), joint.name) != cuts.end();
      ASSERT_FALSE(is_cut && canCarry(joint.kind) && !joint.compliance)
          << joint.name << " closes a loop that can be opened elsewhere";
    }
    GTEST_SKIP() << "what is cut are joints that never carry a body";
  }
  Posed a = posed();
  a.shake(6);
  for (const Mechanism& other : others) {
    SCOPED_TRACE(fmt::format("cut at {}", fmt::join(info.cutJoints(other, {}), ", ")));
    Posed b = posed(other);
    b.put(a.time(), a.absolute());
    expectSame(named(a.mechanism(), a.seen(), Vectors::components), named(b.mechanism(), b.seen(), Vectors::components),
               1.0);
  }
}

TEST_P(FormulationLaw, DoesNotDependOnPlaceAndDirection) {
  Diagnostics diagnostics;
  const auto moved = readModelText(movedFile(mechanism_, GetParam().model),
                                   fmt::format("{}/moved.toml", LINKWORK_MODELS_DIR), diagnostics);
  ASSERT_TRUE(moved) << diagnostics.format();
  Posed a = posed();
  Posed b = posed(*moved);
  expectSame(named(a.mechanism(), a.seen(), Vectors::sizes), named(b.mechanism(), b.seen(), Vectors::sizes), 1.0,
             "part_", leastSize(mechanism_));
}

// Under gravity alone a motion run backwards is a motion: at the same pose with opposite velocities accelerations and
// reactions are the same.
TEST_P(FormulationLaw, HoldsBackwardsInTime) {
  if (!falls()) GTEST_SKIP() << "loads or drives know the direction of time";
  Posed a = posed();
  a.shake(2);
  std::vector<double> back = a.absolute();
  const StateSpace space = makeSystem(mechanism_, {})->space();
  for (int k = space.velocityOffset(); k < space.quadratureOffset(); ++k) back[static_cast<std::size_t>(k)] *= -1.0;
  Posed b = posed();
  b.put(a.time(), back);
  expectSame(named(a.mechanism(), a.seen(), Vectors::components), named(b.mechanism(), b.seen(), Vectors::components),
             1.0);
}

// Under gravity alone thrice the masses make thrice the reactions, and the same motion.
TEST_P(FormulationLaw, ScalesWithMass) {
  if (!falls()) GTEST_SKIP() << "loads do not scale with the masses";
  constexpr double kFactor = 3.0;
  Mechanism heavy = mechanism_;
  const auto scale = [](Value& value) { value = Value(kFactor * value.number); };
  for (Body& body : heavy.bodies) {
    scale(body.mass);
    scale(body.inertia);
    if (!body.tensor) continue;
    Tensor& J = *body.tensor;
    for (Value* entry : {&J.xx, &J.yy, &J.zz, &J.xy, &J.xz, &J.yz}) scale(*entry);
  }
  Posed a = posed();
  a.shake(3);
  Posed b = posed(heavy);
  b.put(a.time(), a.absolute());
  expectSame(named(a.mechanism(), a.seen(), Vectors::components), named(b.mechanism(), b.seen(), Vectors::components),
             kFactor);
}

// Newton and Euler for every body, from the reactions and loads of a run.
TEST_P(FormulationLaw, ReactionsBalanceEveryBody) {
  RunOptions options = runOptions(mechanism_);
  options.system.formulation = GetParam().formulation;
  options.system.stabilisation = "projection";
  options.integrator = "dopri5";
  options.until = followedFor(GetParam().model, std::min({options.until, mechanism_.check_horizon, 0.2}));
  options.output_step = options.until / 4.0;
  const Result result = runModel(mechanism_, options);
  ASSERT_NE(result.status, RunStatus::failed) << result.message;
  const test::Imbalance worst = test::BalanceSheet(mechanism_, result).worst();
  EXPECT_LE(worst.force, 1e-8 * (worst.force_scale + 1e-3));
  EXPECT_LE(worst.moment, 1e-8 * (worst.moment_scale + 1e-3));
}

// Interrupted, and gone on with from its checkpoint: the same bits.
TEST_P(FormulationLaw, ResumesToTheSameBit) {
  RunOptions options = runOptions(mechanism_);
  options.system.formulation = GetParam().formulation;
  options.system.stabilisation = "projection";
  options.integrator = "dopri5";
  options.until = followedFor(GetParam().model, std::min({options.until, mechanism_.check_horizon, 0.3}));
  options.output_step = options.until / 7.0;
  options.checkpoint_step = options.until / 5.0;
  const Assembly assembly = assemble(mechanism_);
  const Result whole = simulate(mechanism_, assembly, options);

  const std::string path = (std::filesystem::temp_directory_path() /
                            fmt::format("linkwork_law_{}_{}_{}", GetParam().formulation, GetParam().model, ::getpid()))
                               .string();
  int steps = 4;
  RunControl control;
  control.checkpoint_path = path;
  control.checkpoint_wall = 0.0;
  control.interrupted = [&steps] { return --steps <= 0; };
  const Result part = simulate(mechanism_, assembly, options, control);
  const Checkpoint checkpoint = readCheckpoint(path, runIdentity(mechanism_, options, assembly.state()));
  EXPECT_EQ(checkpoint.problem, "");
  ASSERT_EQ(part.status, RunStatus::interrupted);
  ASSERT_TRUE(checkpoint.found);
  control.interrupted = {};
  control.resume = &checkpoint;
  const Result resumed = simulate(mechanism_, assembly, options, control);
  ASSERT_FALSE(whole.series.empty());
  ASSERT_EQ(resumed.series.size(), whole.series.size());
  for (std::size_t k = 0; k < whole.series.size(); ++k) {
    const auto& a = whole.series[k].values;
    const auto& b = resumed.series[k].values;
    ASSERT_EQ(a.size(), b.size()) << whole.series[k].name;
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): the bits are what is meant, also of -0 and NaN
    EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(double)), 0) << whole.series[k].name;
  }
  std::filesystem::remove(path);
}

// t, x and the modes of a step say all: a workspace that has seen other steps and states answers the same to the bit.
TEST_P(FormulationLaw, CarriesNothingFromCallToCallButModes) {
  Posed p = posed();
  const std::vector<double> start(p.x().begin(), p.x().end());
  std::vector<double> rates(start.size());
  Modes other = p.system().startModes();
  p.shake(5);
  std::vector<double> x(p.x().begin(), p.x().end());
  Modes modes = p.system().startModes();
  p.system().beginStep(p.time(), x, modes, p.work());
  (void)p.system().restate(0.0, rates = start, other, p.work());
  p.system().beginStep(0.0, start, other, p.work());
  (void)p.system().derivative(0.0, start, other, p.work(), rates);
  (void)p.system().afterStep(0.0, rates = start, other, p.work());
  std::vector<double> wanted(x.size());
  const auto fresh = p.system().makeWorkspace();
  const Eval eval = p.system().derivative(p.time(), x, modes, p.work(), rates).eval;
  EXPECT_EQ(p.system().derivative(p.time(), x, modes, *fresh, wanted).eval, eval);
  EXPECT_EQ(eval, Eval::ok);
  EXPECT_EQ(rates, wanted);
  std::vector<double> closed = x;
  EXPECT_EQ(p.system().afterStep(p.time(), x, modes, p.work()).eval, Eval::ok);
  EXPECT_EQ(p.system().afterStep(p.time(), closed, modes, *p.system().makeWorkspace()).eval, Eval::ok);
  EXPECT_EQ(x, closed);
}

TEST_P(FormulationLaw, EvaluatesWithoutAllocating) {
  Posed p = posed();
  p.shake(4);
  std::vector<double> rates = p.rates();
  std::vector<double> x(p.x().begin(), p.x().end());
  Modes modes = p.system().startModes();
  (void)p.system().afterStep(p.time(), x, modes, p.work());  // what is made once has been made
  const long before = test::allocation_count;
  p.system().beginStep(p.time(), x, modes, p.work());
  const Eval eval = p.system().derivative(p.time(), x, modes, p.work(), rates).eval;
  const Eval after = p.system().afterStep(p.time(), x, modes, p.work()).eval;
  EXPECT_EQ(test::allocation_count - before, 0);
  EXPECT_EQ(eval, Eval::ok);
  EXPECT_EQ(after, Eval::ok);
  const auto probe = std::make_unique<int>(1);
  EXPECT_GT(test::allocation_count - before, 0) << "the counter must count" << *probe;
}

// J d by differences of fourth order over `move`, 2e-5: wrong by 1e-16 of third derivatives and, times what the solves
// lose, by 1e-11 of f itself.
std::vector<double> differencedAlong(Posed& p, const Modes& modes, std::span<const double> d, double move) {
  std::vector<double> out(p.x().size(), 0.0);
  std::vector<double> rates(out.size());
  for (const auto& [steps, weight] : {std::pair{1, 8.0}, {-1, -8.0}, {2, -1.0}, {-2, 1.0}}) {
    std::vector<double> x(p.x().begin(), p.x().end());
    for (std::size_t k = 0; k < x.size(); ++k) x[k] += steps * move * d[k];
    const Eval eval = p.system().derivative(p.time(), x, modes, p.work(), rates).eval;
    expect(eval == Eval::ok, p.system().describeFailure(p.work()));
    for (std::size_t k = 0; k < x.size(); ++k) out[k] += weight / (12.0 * move) * rates[k];
  }
  return out;
}

// The greatest acceleration of a body, of its point or of its turning.
double greatestAcceleration(const Observation& seen) {
  double out = 0.0;
  for (const BodyMotion& body : seen.bodies) {
    for (const auto& list : {body.acceleration, body.angular_acceleration}) {
      for (const double a : list) out = std::max(out, std::abs(a));
    }
  }
  return out;
}

// How the differences are taken, and what rates of velocities are compared with where there is a greater one than
// theirs.
struct Differences {
  double move = 2e-5;
  double acceleration = 0.0;
};

// Nine directions, one more than are taken at once, at a consistent state.
void checkProduct(Posed& p, JacobianProduct& product, const Differences& differences) {
  constexpr double kLost = 3e-7;  // of differences, in the solves: the worst met is 5e-8
  constexpr std::size_t kCount = 9;
  std::mt19937 engine(8);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const StateSpace space = p.system().space();
  const std::size_t n = p.x().size();
  std::vector<double> d(kCount * n);
  std::vector<double> out(d.size());
  for (std::size_t k = 0; k < d.size(); ++k) {
    const bool position = static_cast<int>(k % n) < space.positions();
    d[k] = (position ? p.system().referenceLength() : 1.0) * uniform(engine);
  }
  Modes modes = p.system().startModes();
  p.system().beginStep(p.time(), p.x(), modes, p.work());
  const std::vector<double> rates = p.rates();
  ASSERT_EQ(product.times(p.time(), p.x(), modes, d, out), Eval::ok);
  // Positions, velocities and quadratures are each compared by the greatest of their kind.
  const auto kindOf = [&](std::size_t i) {
    const int k = static_cast<int>(i);
    return k < space.velocityOffset() ? 0 : k < space.quadratureOffset() ? 1 : 2;
  };
  for (std::size_t c = 0; c < kCount; ++c) {
    const std::vector<double> wanted = differencedAlong(p, modes, std::span(d).subspan(c * n, n), differences.move);
    std::array<double, 3> size{0.0, differences.acceleration, 0.0};
    for (std::size_t i = 0; i < n; ++i) {
      double& of_kind = size[static_cast<std::size_t>(kindOf(i))];
      of_kind = std::max({of_kind, std::abs(wanted[i]), std::abs(rates[i])});
    }
    // Differences have some eleven digits, of which solves lose a few; a wrong term would show in the first.
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(out[c * n + i], wanted[i], kLost * size[static_cast<std::size_t>(kindOf(i))] + 1e-9)
          << "direction " << c << ", entry " << i;
    }
  }
  // One by one they are what they are together, and nothing is allocated.
  std::vector<double> one(n);
  const long before = test::allocation_count;
  const Eval eval = product.times(p.time(), p.x(), modes, std::span(d).subspan((kCount - 1) * n, n), one);
  EXPECT_EQ(test::allocation_count - before, 0);
  EXPECT_EQ(eval, Eval::ok);
  for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(one[i], out[(kCount - 1) * n + i]);
}

// What a formulation offers as J d is the derivative of its rates, under every stabilisation. Those that iterate within
// an evaluation offer none.
TEST_P(FormulationLaw, JacobianTimesAVectorIsTheDerivativeAlongIt) {
  const FormulationInfo& info = *findFormulation(GetParam().formulation);
  for (const std::string& stabilisation : info.stabilisations) {
    SCOPED_TRACE(stabilisation);
    Posed p(mechanism_, GetParam().formulation, stabilisation);
    if (!p.system().problem().empty()) continue;
    const StateJacobian* jacobian = p.system().jacobian();
    const auto product = jacobian == nullptr ? nullptr : jacobian->makeProduct();
    const bool iterates = stabilisation == "augmented_lagrangian" || stabilisation == "partitioning";
    EXPECT_TRUE(product != nullptr || iterates) << "no J d is offered";
    if (product == nullptr) continue;
    p.shake(7);
    // Where few velocities are left of many they may be those of idle spins (the thin rods of `delta_robot`): their
    // accelerations are what is left where the torques of all bodies cancel, over 1e-6 of the inertia, and have some
    // 1e-11 of round-off, which longer differences divide by more.
    const bool few = info.state == StateKind::quasi_velocities;
    checkProduct(p, *product, few ? Differences{1e-4, greatestAcceleration(p.seen())} : Differences{});
  }
}

INSTANTIATE_TEST_SUITE_P(Formulations, FormulationLaw, ::testing::ValuesIn(cases()),
                         [](const auto& law) { return fmt::format("{}_{}", law.param.model, law.param.formulation); });

}  // namespace formulation_laws_test
}  // namespace linkwork::validation
