#include "linkwork/analyse/deflected_start.hpp"

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/absolute/absolute_system.hpp"
#include "linkwork/formulation/compliant/spring_space.hpp"
#include "linkwork/linalg/norm.hpp"

namespace linkwork {

namespace {

// Of what W would be without other joints: below it are directions that these hold.
constexpr double kHeld = 1e-10;
// A joint that starts undeformed is this many times stiffer than it is where the others give way.
constexpr double kStiffer = 1e9;
constexpr int kCorrections = 8;
constexpr double kClosed = 1e-15;  // m and rad

template <class G>
class Deflection {
 public:
  Deflection(const Mechanism& mechanism, const Mechanism& hard_mechanism, double t, Assembly& out)
      : mechanism_(mechanism),
        hard_(hard_mechanism),
        t_(t),
        out_(out),
        space_(mechanism, out.reaction_length),
        step_(at(space_.freedoms()), 0.0) {}

  void run() {
    place();
    findStep();
    if (!allFinite(step_)) return;
    move(step_);
    closeOthers();
    settleVelocities();
    out_.turns = space_.work().eq.turns;
  }

 private:
  void place() { space_.place(t_, {out_.q, out_.v, out_.turns}); }

  // What the constraints in place of the springs carry, along each direction.
  Eigen::VectorXd loads() const {
    AbsoluteOptions options;
    options.stabilisation = Stabilisation::none;
    options.doubtful_rows = out_.dependent_rows;
    options.misfit = out_.misfit;
    options.reaction_length = out_.reaction_length;
    const BasicAbsoluteSystem<G> system(hard_, options);
    const auto work = system.makeWorkspace();
    Observation seen;
    system.observe(t_, out_.state(), system.startModes(), *work, seen);
    Eigen::VectorXd out = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(space_.directions().size()));
    for (Eigen::Index r = 0; r < out.size() && !seen.joints.empty(); ++r) {
      const auto& direction = space_.directions()[at(r)];
      const Reaction& reaction = seen.joints[at(direction.joint)];
      const auto& vector = direction.turn ? reaction.moment_on_second : reaction.force_on_second;
      for (std::size_t k = 0; k < 3; ++k) out[r] += vector[k] * direction.in_ground[k];
    }
    return out;
  }

  double stiffnessOf(std::size_t direction) const {
    const auto& own = space_.directions()[direction];
    const bool deflected = mechanism_.joints[at(own.joint)].compliance->deflected;
    return (deflected ? 1.0 : kStiffer) * own.stiffness;
  }

  // Of all openings W mu that the other joints allow, that for which W (C W mu + lambda) = 0: in a basis V of the range
  // of W, with the eigenvalues D,  V^T C V eta = -V^T lambda,  mu = V D^-1 eta,  and the motion is M^-1 J^T mu.
  // Slides and turns stand side by side: each row is measured by what its bodies would do alone.
  void findStep() {
    const auto n = static_cast<Eigen::Index>(space_.directions().size());
    const auto responses = space_.responses();
    const Eigen::MatrixXd W = space_.answers(responses);
    Eigen::VectorXd scale(n);
    Eigen::VectorXd C(n);
    for (Eigen::Index r = 0; r < n; ++r) {
      scale[r] = 1.0 / std::sqrt(space_.freeAnswer(space_.directions()[at(r)]));
      C[r] = stiffnessOf(at(r)) / (scale[r] * scale[r]);
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scale.asDiagonal() * W * scale.asDiagonal());
    const Eigen::VectorXd& values = eigen.eigenvalues();
    Eigen::Index first = 0;
    while (first < n && !(values[first] > kHeld)) ++first;
    if (first == n) return;  // nothing that the springs hold can move
    const Eigen::MatrixXd V = eigen.eigenvectors().rightCols(n - first);
    const Eigen::MatrixXd K = V.transpose() * C.asDiagonal() * V;
    const Eigen::VectorXd eta = -Eigen::LDLT<Eigen::MatrixXd>(K).solve(V.transpose() * loads().cwiseQuotient(scale));
    const Eigen::VectorXd mu = scale.asDiagonal() * (V * eta.cwiseQuotient(values.tail(n - first)));
    for (Eigen::Index r = 0; r < n; ++r) {
      for (std::size_t u = 0; u < step_.size(); ++u) step_[u] += mu[r] * responses[at(r)][u];
    }
  }

  void move(std::span<const double> step) {
    for (int b = 0; b < space_.observer().equations().bodies(); ++b) {
      retract(G{}, std::span(out_.q).subspan(at(G::kCoordinates * b), at(G::kCoordinates)),
              step.subspan(at(G::kFreedoms * b), at(G::kFreedoms)));
    }
  }

  // The way bends: the other joints are closed again, along the shortest way.
  void closeOthers() {
    std::vector<double> f(step_.size());
    std::vector<double> g(at(space_.observer().equations().rows()));
    for (int k = 0; k < kCorrections && !g.empty(); ++k) {
      place();
      std::fill(f.begin(), f.end(), 0.0);
      for (std::size_t r = 0; r < g.size(); ++r) g[r] = -space_.work().eq.phi[r];
      if (normInf(g) < kClosed) return;
      space_.work().kkt.solve(f, g);
      if (!allFinite(f)) return;
      move(f);
    }
  }

  void settleVelocities() {
    place();
    std::vector<double> f(step_.size(), 0.0);
    std::vector<double> g(at(space_.observer().equations().rows()));
    space_.observer().rows().velocityResidual(out_.v, space_.work().eq, g);
    for (double& value : g) value = -value;
    space_.work().kkt.solve(f, g);
    for (std::size_t u = 0; u < f.size(); ++u) out_.v[u] += f[u];
  }

  const Mechanism& mechanism_;
  const Mechanism& hard_;
  double t_;
  Assembly& out_;
  SpringSpace<G> space_;
  std::vector<double> step_;
};

}  // namespace

void deflectStart(const Mechanism& mechanism, const Mechanism& hard_mechanism, double t, Assembly& hard) {
  if (mechanism.space == Space::spatial) {
    Deflection<Spatial<double>>(mechanism, hard_mechanism, t, hard).run();
  } else {
    Deflection<Planar<double>>(mechanism, hard_mechanism, t, hard).run();
  }
}

}  // namespace linkwork
