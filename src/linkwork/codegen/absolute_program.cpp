// Equations in absolute coordinates: M a - Phi_q^T la = Q,  Phi_q a = Gamma.                       [docs/theory/01]
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "linkwork/codegen/abbreviations.hpp"
#include "linkwork/codegen/form_builders.hpp"
#include "linkwork/codegen/tidy.hpp"
#include "linkwork/formulation/absolute/equations.hpp"

namespace linkwork {

namespace {

// Of the trace cubed: a determinant below this belongs to a body that has no inertia about some axis.
constexpr double kThinnest = 1e-12;

// A number, a symbol or its negative needs no name, and where there are hundreds no word either.
bool isShort(const Expr& e) {
  const Expr& size = e.kind() == ExprKind::Neg ? e.operands()[0] : e;
  return size.operands().empty();
}

// What the coordinates of one body are called, and their units; rates and accelerations by primes.
struct CoordinateName {
  const char* letter;
  int primes;
  const char* unit;
};

template <class G>
struct CoordinateLetters;
template <>
struct CoordinateLetters<Planar<Expr>> {
  static constexpr const char* kForm = "absolute coordinates x, y, phi of every centre of mass";
  static constexpr const char* kPositions = "x, y of the centre of mass and angle phi, body by body";
  static constexpr const char* kRates = "their rates";
  static constexpr const char* kAccelerations = "their accelerations";
  static constexpr const char* kWrench = "force x, force y and moment about the centre of mass, body by body";
  static constexpr std::array<CoordinateName, 3> kPosition = {{{"x", 0, "m"}, {"y", 0, "m"}, {"phi", 0, "rad"}}};
  static constexpr std::array<CoordinateName, 3> kRate = {{{"x", 1, "m/s"}, {"y", 1, "m/s"}, {"phi", 1, "rad/s"}}};
  static constexpr std::array<CoordinateName, 3> kAcceleration = {
      {{"x", 2, "m/s^2"}, {"y", 2, "m/s^2"}, {"phi", 2, "rad/s^2"}}};
};
template <>
struct CoordinateLetters<Spatial<Expr>> {
  static constexpr const char* kForm = "absolute coordinates of every centre of mass: x, y, z and a quaternion";
  static constexpr const char* kPositions =
      "x, y, z of the centre of mass and the unit quaternion qw, qx, qy, qz from body to ground axes, body by body";
  static constexpr const char* kRates = "velocity in ground axes and angular velocity w in body axes, body by body";
  static constexpr const char* kAccelerations = "their rates";
  static constexpr const char* kWrench =
      "force in ground axes and moment about the centre of mass in body axes, body by body";
  static constexpr std::array<CoordinateName, 7> kPosition = {
      {{"x", 0, "m"}, {"y", 0, "m"}, {"z", 0, "m"}, {"qw", 0, ""}, {"qx", 0, ""}, {"qy", 0, ""}, {"qz", 0, ""}}};
  static constexpr std::array<CoordinateName, 6> kRate = {
      {{"x", 1, "m/s"}, {"y", 1, "m/s"}, {"z", 1, "m/s"}, {"wx", 0, "rad/s"}, {"wy", 0, "rad/s"}, {"wz", 0, "rad/s"}}};
  static constexpr std::array<CoordinateName, 6> kAcceleration = {{{"x", 2, "m/s^2"},
                                                                   {"y", 2, "m/s^2"},
                                                                   {"z", 2, "m/s^2"},
                                                                   {"wx", 1, "rad/s^2"},
                                                                   {"wy", 1, "rad/s^2"},
                                                                   {"wz", 1, "rad/s^2"}}};
};

template <class G>
class AbsoluteBuilder {
 public:
  using Names = CoordinateLetters<G>;
  static constexpr int kSize = G::kFreedoms;

  AbsoluteBuilder(const Mechanism& mechanism, const EquationRequest& request)
      : mechanism_(mechanism), request_(request), equations_(mechanism), work_(equations_.makeWork()) {}

  EquationProgram build() {
    head();
    evaluate();
    switch (request_.task) {
      case EquationTask::mass_matrix: massMatrix(); break;
      case EquationTask::forward:
      case EquationTask::reactions: forward(); break;
      case EquationTask::inverse: inverse(); break;
      case EquationTask::linear: linear(); break;
    }
    leaveUsedTurns(program_);
    return std::move(program_);
  }

 private:
  int n() const { return equations_.freedoms(); }
  int rows() const { return equations_.rows(); }

  template <std::size_t N>
  std::vector<Expr> inputs(const std::array<CoordinateName, N>& names, SymbolRole role, const char* array,
                           const char* meaning) {
    std::vector<Expr> out;
    for (int b = 0; b < equations_.bodies(); ++b) {
      for (const CoordinateName& name : names) {
        const int index = static_cast<int>(out.size());
        out.push_back(program_.input({name.letter, b + 1, 0, name.primes}, role, array, index, name.unit, meaning));
      }
    }
    return out;
  }

  void head() {
    program_.form = Names::kForm;
    for (std::size_t b = 0; b < mechanism_.bodies.size(); ++b)
      program_.notes.push_back(fmt::format("body {} = {}", b + 1, mechanism_.bodies[b].name));
    t_ = program_.input({"t"}, SymbolRole::time, "t", -1, "s", "time");
    q_ = inputs(Names::kPosition, SymbolRole::position, "q", Names::kPositions);
    v_ = inputs(Names::kRate, SymbolRole::rate, "v", Names::kRates);
    if (request_.whole_state) {
      references_ = referenceInputs(equations_, program_);
    } else {
      work_.turns = turnInputs(equations_, program_);
    }
    if (request_.task == EquationTask::inverse)
      a_ = inputs(Names::kAcceleration, SymbolRole::acceleration, "acc", Names::kAccelerations);
    addModelParameters(mechanism_, program_);
  }

  void evaluate() {
    if constexpr (G::kSpatial) {
      program_.section("Axes of the bodies");
      for (int b = 0; b < equations_.bodies(); ++b) work_.x[at(b)] = namedPosition(b);
      if (!references_.empty())
        countByReferences(equations_, references_, work_,
                          [this](SymbolName name, const Expr& value) { return program_.let(name, value); });
      equations_.positions(t_, work_);
    } else {
      equations_.positions(t_, q_, work_);
    }
    equations_.velocities(v_, work_);
    equations_.forces(work_);
    jacobian_.assign(at(rows()) * at(n()), Expr());
    for (int r = 0; r < rows(); ++r) {
      for (int p = equations_.rowStart()[at(r)]; p < equations_.rowStart()[at(r) + 1]; ++p) {
        for (int k = 0; k < kSize; ++k)
          jacobian_[at(r) * at(n()) + at(kSize * equations_.rowBodies()[at(p)] + k)] +=
              work_.jacobian[at(kSize * p + k)];
      }
    }
    gamma_.assign(work_.gamma.begin(), work_.gamma.end());
    for (int b = 0; b < equations_.bodies(); ++b) {
      Q_.resize(Q_.size() + at(kSize));
      putWrench(work_.Q[at(b)], std::span(Q_).last(at(kSize)));
    }
    if constexpr (G::kSpatial) {
      nameRowsAndForces();
    } else {
      abbreviate();
    }
  }

  static void putWrench(const typename G::Wrench& wrench, std::span<Expr> f) {
    if constexpr (G::kSpatial) {
      G::put(wrench, f);
    } else {
      f[0] = wrench.force.x;
      f[1] = wrench.force.y;
      f[2] = wrench.moment;
    }
  }

  // The axes of a body in ground axes, from its quaternion: what all its points and directions are made of.
  typename G::Position namedPosition(int body) {
    const auto q = std::span<const Expr>(q_).subspan(at(G::kCoordinates * body), at(G::kCoordinates));
    typename G::Position out = G::position(q);
    const SymbolName name{"sq", body + 1};
    const Expr scale = Expr(2.0) / (q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6]);
    program_.let(name, scale);
    Abbreviations scales;
    scales.add(internalName(name), scale, {});
    std::vector<Expr> entries;
    for (const auto* axis : {&out.R.x, &out.R.y, &out.R.z}) entries.insert(entries.end(), {axis->x, axis->y, axis->z});
    entries = scales.apply(entries);
    out.R = {{entries[0], entries[1], entries[2]},
             {entries[3], entries[4], entries[5]},
             {entries[6], entries[7], entries[8]}};
    nameAxes(program_.recorder(), body, out);
    return out;
  }

  // Entries of Phi_q, Gamma and Q by names, so that what is made of them does not repeat them.
  void nameRowsAndForces() {
    program_.section("Forces");
    static constexpr std::array<const char*, 6> kLetters = {"Fx", "Fy", "Fz", "Tx", "Ty", "Tz"};
    for (int k = 0; k < n(); ++k) Q_[at(k)] = program_.let({kLetters[at(k % 6)], k / 6 + 1}, Q_[at(k)]);
    if (request_.task == EquationTask::inverse) return;
    program_.section("Rows of the constraints");
    for (int r = 0; r < rows(); ++r) {
      for (int k = 0; k < n(); ++k) {
        Expr& entry = jacobian_[at(r) * at(n()) + at(k)];
        if (!isShort(entry)) entry = program_.let({"P", r + 1, k + 1}, entry);
      }
      gamma_[at(r)] = program_.let({"gam", r + 1}, gamma_[at(r)]);
    }
  }

  // Lengths and directions of springs, dampers and distance joints get names.
  void abbreviate() {
    const Abbreviations distances = abbreviateDistances(mechanism_, equations_, work_);
    const Abbreviations springs = abbreviateSprings(mechanism_, equations_, work_);
    jacobian_ = tidied(distances.apply(jacobian_));
    gamma_ = tidied(distances.apply(gamma_));
    Q_ = tidied(springs.apply(Q_));
    program_.section("Abbreviations");
    std::vector<Expr> of_rows = jacobian_;
    of_rows.insert(of_rows.end(), gamma_.begin(), gamma_.end());
    for (const auto& [names, es] : {std::pair{&distances, &of_rows}, {&springs, &Q_}}) {
      for (const ExplainedName& name : names->neededBy(*es)) {
        if (program_.knows(name.name) || !name.formula) continue;
        program_.define(Expr::symbol(name.name), {name.name}, *name.formula);
      }
    }
  }

  std::vector<Expr> row(int r) const {
    const auto begin = jacobian_.begin() + static_cast<std::ptrdiff_t>(r) * n();
    return {begin, begin + n()};
  }

  void massMatrix() {
    program_.task = rows() > 0 ? "M acc - Phi_q^T la = Q,  Phi_q acc = Gamma" : "M acc = Q";
    outputMatrix(program_, "M", n(), n(), masses(), "mass matrix");
    outputMatrix(program_, "Phi_q", rows(), n(), jacobian_, "Jacobian of the constraints");
    outputVector(program_, "Q", Q_, "forces");
    outputVector(program_, "Gamma", gamma_, "right-hand side of the constraints on accelerations");
  }

  std::vector<Expr> masses() const {
    std::vector<Expr> out(at(n()) * at(n()), Expr());
    const auto put = [&](int row, int col, const Expr& value) { out[at(row) * at(n()) + at(col)] = value; };
    for (int b = 0; b < equations_.bodies(); ++b) {
      const auto values = G::massValues(equations_.elements().body[at(b)]);
      for (std::size_t e = 0; e < values.size(); ++e) {
        const auto& [row, col] = G::kMassEntries[e];
        put(kSize * b + row, kSize * b + col, values[e]);
        put(kSize * b + col, kSize * b + row, values[e]);
      }
    }
    return out;
  }

  // M times a vector.
  std::vector<Expr> timesMass(const std::vector<Expr>& a) const {
    std::vector<Expr> out(at(n()), Expr());
    const std::vector<Expr> M = masses();
    for (int k = 0; k < n(); ++k) {
      for (int i = 0; i < kSize; ++i) {
        const int col = k / kSize * kSize + i;
        out[at(k)] += M[at(k) * at(n()) + at(col)] * a[at(col)];
      }
    }
    return out;
  }

  // Whether M has no inverse.
  bool massless() const {
    return std::any_of(mechanism_.bodies.begin(), mechanism_.bodies.end(), [](const Body& body) {
      if (body.mass.number == 0.0) return true;
      if (!G::kSpatial || !body.tensor) return body.inertia.number == 0.0;
      const Tensor& J = *body.tensor;
      const double det = J.xx.number * (J.yy.number * J.zz.number - J.yz.number * J.yz.number) -
                         J.xy.number * (J.xy.number * J.zz.number - J.yz.number * J.xz.number) +
                         J.xz.number * (J.xy.number * J.yz.number - J.yy.number * J.xz.number);
      const double size = J.xx.number + J.yy.number + J.zz.number;
      return det <= kThinnest * size * size * size;
    });
  }

  // Inverse inertias in space, by names; in the plane masses and inertias stay divisors.
  void invertInertias() {
    if constexpr (G::kSpatial) {
      program_.section("Inverse inertias");
      for (int b = 0; b < equations_.bodies(); ++b) {
        const auto& J = equations_.elements().body[at(b)];
        const Expr xx = J.yy * J.zz - J.yz * J.yz;
        const Expr xy = J.xz * J.yz - J.xy * J.zz;
        const Expr xz = J.xy * J.yz - J.xz * J.yy;
        const Expr det = program_.let({"detJ", b + 1}, J.xx * xx + J.xy * xy + J.xz * xz);
        const auto name = [&](const char* letter, const Expr& cofactor) {
          return program_.let({letter, b + 1}, cofactor / det);
        };
        inverse_.push_back({Expr(), name("Kxx", xx), name("Kyy", J.xx * J.zz - J.xz * J.xz),
                            name("Kzz", J.xx * J.yy - J.xy * J.xy), name("Kxy", xy), name("Kxz", xz),
                            name("Kyz", J.xy * J.xz - J.xx * J.yz)});
      }
    }
  }

  // M^-1 times a vector.
  std::vector<Expr> overMass(const std::vector<Expr>& f) const {
    std::vector<Expr> out(at(n()));
    for (int b = 0; b < equations_.bodies(); ++b) {
      const auto& body = equations_.elements().body[at(b)];
      const std::size_t first = at(kSize * b);
      if constexpr (G::kSpatial) {
        for (std::size_t k = first; k < first + 3; ++k) out[k] = f[k] / body.mass;
        const auto turn = inverse_[at(b)].times({f[first + 3], f[first + 4], f[first + 5]});
        for (int k = 0; k < 3; ++k) out[first + 3 + at(k)] = turn[k];
      } else {
        out[first] = f[first] / body.mass;
        out[first + 1] = f[first + 1] / body.mass;
        out[first + 2] = f[first + 2] / body.inertia;
      }
    }
    return out;
  }

  // In space, where the entries are long.
  std::vector<Expr> named(const char* letter, int row, std::vector<Expr> entries) {
    if constexpr (G::kSpatial) {
      for (int k = 0; k < n(); ++k) {
        Expr& e = entries[at(k)];
        if (!isShort(e)) e = program_.let(row > 0 ? SymbolName{letter, row, k + 1} : SymbolName{letter, k + 1}, e);
      }
    }
    return entries;
  }

  // [M, -Phi_q^T; Phi_q, 0] [a; la] = [Q; Gamma] as a whole.
  LoopSolution solveWhole() {
    LoopSolution out;
    const std::size_t size = at(n() + rows());
    ProgramSolve& s = program_.solve;
    s.matrix.assign(size * size, Expr());
    const std::vector<Expr> M = masses();
    for (int k = 0; k < n(); ++k) {
      for (int i = 0; i < n(); ++i) s.matrix[at(k) * size + at(i)] = M[at(k) * at(n()) + at(i)];
      out.x.push_back(program_.unknown({"a", k + 1}, "", "acceleration"));
    }
    for (int r = 0; r < rows(); ++r) {
      for (int k = 0; k < n(); ++k) {
        const Expr& entry = jacobian_[at(r) * at(n()) + at(k)];
        s.matrix[at(n() + r) * size + at(k)] = entry;
        s.matrix[at(k) * size + at(n() + r)] = -entry;
      }
      out.F.push_back(program_.unknown({"la", r + 1}, "", "multiplier"));
    }
    s.right = Q_;
    s.right.insert(s.right.end(), gamma_.begin(), gamma_.end());
    s.unknowns = out.x;
    s.unknowns.insert(s.unknowns.end(), out.F.begin(), out.F.end());
    s.rows = s.matrix;
    s.effects.assign(size * size, Expr());
    for (std::size_t k = 0; k < size; ++k) s.effects[k * size + k] = Expr(1.0);
    s.width = size;
    return out;
  }

  void forward() {
    program_.task = "accelerations and multipliers: M acc - Phi_q^T la = Q,  Phi_q acc = Gamma";
    LoopSolution found;
    if (massless()) {
      found = solveWhole();
    } else {
      invertInertias();
      if constexpr (G::kSpatial) program_.section("Free motion and effects of the rows");
      LoopEquations loops;
      loops.x0 = named("af", 0, overMass(Q_));
      for (int r = 0; r < rows(); ++r) {
        loops.P.push_back(row(r));
        loops.X.push_back(named("X", r + 1, overMass(row(r))));
        loops.gamma.push_back(gamma_[at(r)]);
      }
      found = solveLoops(loops, program_);
    }
    if (request_.task == EquationTask::forward) {
      outputVector(program_, "acc", found.x, G::kSpatial ? "rates of v" : "accelerations of q");
      if (!request_.whole_state) return;
      outputTurnRates(equations_, work_, program_);
      Expr power = work_.supplied_power;
      for (int r = 0; r < rows(); ++r) power += found.F[at(r)] * work_.minus_phi_t[at(r)];
      outputVector(program_, StateOutputs::kPower, {power}, "W, of loads and drives");
      if constexpr (G::kSpatial) {
        std::vector<Expr> rates(q_.size());
        const auto part = [](auto& list, int size, int body) {
          return std::span(list).subspan(at(size * body), at(size));
        };
        for (int b = 0; b < equations_.bodies(); ++b) {
          G::coordinateRate(part(std::as_const(q_), G::kCoordinates, b), part(std::as_const(v_), G::kFreedoms, b),
                            part(rates, G::kCoordinates, b));
        }
        outputVector(program_, StateOutputs::kRates, rates, "rates of q");
      }
      return;
    }
    std::vector<Expr> reaction(at(n()), Expr());
    for (int k = 0; k < n(); ++k) {
      for (int r = 0; r < rows(); ++r) reaction[at(k)] += jacobian_[at(r) * at(n()) + at(k)] * found.F[at(r)];
    }
    outputVector(program_, "lam", found.F, "multipliers, one for each constraint row");
    outputVector(program_, "W", reaction, "what all joints and drives do to each body: Phi_q^T la");
  }

  void inverse() {
    program_.task = "what joints and drives must do: Phi_q^T la = M acc - Q";
    std::vector<Expr> out = timesMass(a_);
    for (int k = 0; k < n(); ++k) out[at(k)] -= Q_[at(k)];
    outputVector(program_, "W", out, Names::kWrench);
  }

  void linear() {
    program_.task = "small motions: M da + D dv + K dq - Phi_q^T dla = 0,  Phi_q dq = 0";
    const std::vector<Expr> la = inputsNamed(program_, "la", 0, SymbolRole::effort, "la", rows(), "", "multipliers");
    std::vector<Expr> residual;
    for (int k = 0; k < n(); ++k) {
      Expr sum = -Q_[at(k)];
      for (int r = 0; r < rows(); ++r) sum -= jacobian_[at(r) * at(n()) + at(k)] * la[at(r)];
      residual.push_back(sum);
    }
    const std::vector<Expr> D = derivatives(program_, residual, v_);
    const std::vector<Expr> K = derivatives(program_, residual, q_);
    outputMatrix(program_, "M", n(), n(), masses(), "mass matrix");
    outputMatrix(program_, "D", n(), n(), D, "of the rates");
    outputMatrix(program_, "K", n(), equations_.coordinates(), K, "of the positions");
    outputMatrix(program_, "Phi_q", rows(), n(), jacobian_, "Jacobian of the constraints");
  }

  const Mechanism& mechanism_;
  const EquationRequest& request_;
  AbsoluteEquations<G> equations_;
  typename AbsoluteEquations<G>::Work work_;
  EquationProgram program_;
  Expr t_;
  std::vector<Expr> q_, v_, a_, Q_, gamma_, jacobian_, references_;
  std::vector<typename G::Inertia> inverse_;  // of each body's inertia in space
};

}  // namespace

EquationProgram absoluteProgram(const Mechanism& mechanism, const EquationRequest& request) {
  if (mechanism.space == Space::planar) return AbsoluteBuilder<Planar<Expr>>(mechanism, request).build();
  return AbsoluteBuilder<Spatial<Expr>>(mechanism, request).build();
}

}  // namespace linkwork
