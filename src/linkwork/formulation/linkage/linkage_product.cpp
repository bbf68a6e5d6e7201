#include "linkwork/formulation/linkage/linkage_tangent.hpp"

namespace linkwork {

namespace {

using Number = TangentNumber;

Vec2<Number> heldVector(const Vec2<double>& v) { return {Number(v.x), Number(v.y)}; }
linkage::Polar<Number> heldPolar(const linkage::Polar<double>& p) { return {Number(p.length), Number(p.angle)}; }

// Constants have no derivatives.
linkage::LinkageConstants<Number> heldConstants(const linkage::LinkageConstants<double>& from) {
  linkage::LinkageConstants<Number> out;
  for (const linkage::LinkConstants<double>& link : from.link) {
    out.link.push_back({.mass = link.mass,
                        .centre = heldVector(link.centre),
                        .inertia = link.inertia,
                        .R = heldVector(link.R),
                        .turn = link.turn,
                        .m = link.m,
                        .mu = heldVector(link.mu),
                        .J = link.J,
                        .mu_polar = heldPolar(link.mu_polar),
                        .R_polar = heldPolar(link.R_polar),
                        .own_mu = heldVector(link.own_mu),
                        .own_J = link.own_J});
  }
  for (const linkage::CutConstants<double>& cut : from.cut) {
    out.cut.push_back(
        {heldVector(cut.on_a), heldVector(cut.on_b), heldPolar(cut.on_a_polar), heldPolar(cut.on_b_polar)});
  }
  out.gravity = heldVector(from.gravity);
  out.gravity_polar = heldPolar(from.gravity_polar);
  return out;
}

}  // namespace

LinkageSystem::Tangent::Tangent(const LinkageSystem& formulation, Work& workspace)
    : system(formulation),
      work(workspace),
      constants(heldConstants(formulation.constants_)),
      equations(formulation.mechanism_, linkage::withoutAllRows(formulation.mechanism_)),
      dual(equations.makeWork()),
      force(work.force.size()),
      moment(force.size()),
      a(work.acceleration.size()),
      F(work.multiplier.size()),
      R(a.size()),
      S(F.size()) {
  const linkage::LinkageTree& tree = formulation.plan_.tree;
  if (formulation.eliminates()) {
    elimination = std::make_unique<linkage::EliminationWork<Number>>(tree);
  } else {
    sweep = std::make_unique<linkage::SweepWork<Number>>(tree);
    form = std::make_unique<linkage::FormWork<Number>>(tree);
  }
}

linkage::LinkageInputs<Number> LinkageSystem::Tangent::inputsOf(double t, std::span<const Number> x) {
  const std::size_t links = a.size();
  linkage::LinkageInputs<Number> in;
  in.angle = x.first(links);
  in.rate = x.subspan(links, links);
  if (!system.loaded_) return in;
  linkage::placeBodies(system.plan_, constants, in.angle, in.rate, dual.x, dual.v);
  equations.positions(Number(t), dual);
  equations.velocities(dual);
  equations.forces(dual);
  if (system.mechanism_.loads.empty()) return in;
  linkage::loadLinks(system.plan_, constants, dual.x, dual.Q, force, moment);
  in.force = force;
  in.moment = moment;
  return in;
}

// S and, in R, -P^T F.
void LinkageSystem::Tangent::rowsOf(const linkage::LinkageInputs<Number>& in) {
  const linkage::LinkageTree& tree = system.plan_.tree;
  const bool pulled = system.options_.stabilisation == Stabilisation::baumgarte;
  const Pull pull = pulled ? baumgartePull(system.options_) : Pull{};
  linkage::place(linkage::Form::rud, linkage::Trig::vectors, tree, constants, in, *form, Unnamed{});
  linkage::closure(tree, constants, *form, Unnamed{});
  std::fill(R.begin(), R.end(), Number(0.0));
  const std::size_t links = a.size();
  for (std::size_t r = 0; r < form->f.size(); ++r) {
    Number bent = form->gamma[r];
    Number residual(0.0);  // P w
    for (std::size_t k = 0; k < links; ++k) {
      const Number& entry = form->phi[r * links + k];
      R[k] -= entry * F[r];
      bent -= entry * a[k];
      if (pulled) residual += entry * in.rate[k];
    }
    S[r] = pulled ? bent - residual * pull.rate - form->f[r] * pull.stiffness : bent;
  }
  // The rows of drives are constants, and only pulls move with the state.
  for (std::size_t d = 0; d < system.plan_.drives.size(); ++d) {
    const linkage::DriveRow& drive = system.plan_.drives[d];
    Number& off = S[form->f.size() + d];
    off = Number(0.0);
    if (drive.second >= 0) off -= in.rate[at(drive.second)] * pull.rate + in.angle[at(drive.second)] * pull.stiffness;
    if (drive.first >= 0) off += in.rate[at(drive.first)] * pull.rate + in.angle[at(drive.first)] * pull.stiffness;
  }
}

void LinkageSystem::Tangent::run(double t, std::span<const Number> x) {
  const linkage::LinkageTree& tree = system.plan_.tree;
  const linkage::LinkageInputs<Number> in = inputsOf(t, x);
  if (elimination != nullptr) {
    linkage::eliminate(tree, constants, in, linkage::HingeForces::no, *elimination, Unnamed{});
    a = elimination->acceleration;
    return;
  }
  for (Number& number : a) number.derivatives.fill(0.0);
  for (Number& number : F) number.derivatives.fill(0.0);
  rowsOf(in);
  linkage::sweep(tree, constants, in, std::span<const Number>(a), linkage::HingeForces::no, *sweep, Unnamed{});
  for (int k = 0; k < tree.links(); ++k) {
    R[at(k)] += sweep->torque[at(k)];
    if (tree.base(k) >= 0) R[at(tree.base(k))] -= sweep->torque[at(k)];
  }
}

void LinkageSystem::Tangent::solve(int direction) {
  if (elimination != nullptr) return;
  for (std::size_t k = 0; k < R.size(); ++k) work.f[static_cast<Eigen::Index>(k)] = -R[k].derivative(direction);
  for (std::size_t r = 0; r < S.size(); ++r) work.g[r] = S[r].derivative(direction);
  system.solve(work);
  for (std::size_t k = 0; k < a.size(); ++k) a[k].derivatives[at(direction)] = work.acceleration[k];
  for (std::size_t r = 0; r < F.size(); ++r) F[r].derivatives[at(direction)] = work.multiplier[r];
}

template std::unique_ptr<JacobianProduct> StabilisedSystem<LinkageSystem>::makeProduct() const;

}  // namespace linkwork
