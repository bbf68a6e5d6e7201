// The form quasivelocity of the written equations.                                                  [docs/theory/11]
#include <span>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/codegen/quasi_velocity_builder.hpp"
#include "linkwork/formulation/quasivelocity/quasi_velocity_system.hpp"

namespace linkwork {

namespace {

template <class G>
VelocityChoice choiceOf(const QuasiVelocitySystem<G>& system) {
  const Modes modes = system.startModes();
  const auto independent = system.independent(modes);
  // Behind the flags of the velocities stand those of the rows.
  const auto left_out = std::span(modes.flags).subspan(1 + independent.size(), at(system.cuts().rows()));
  return {{independent.begin(), independent.end()}, {left_out.begin(), left_out.end()}, system.problem()};
}

}  // namespace

VelocityChoice velocityChoice(const Mechanism& mechanism, const SystemOptions& options) {
  SystemOptions asked = options;
  asked.formulation = "quasivelocity";
  const auto system = makeSystem(mechanism, asked);
  if (mechanism.space == Space::planar) return choiceOf(dynamic_cast<const PlanarQuasiVelocitySystem&>(*system));
  return choiceOf(dynamic_cast<const SpatialQuasiVelocitySystem&>(*system));
}

VelocityChoice velocityChoice(const Mechanism& mechanism) {
  // Where the joints do not close the drawing has to do.
  const Assembly assembly = assemble(mechanism);
  return velocityChoice(mechanism, assembly.ok ? startingFrom(assembly) : SystemOptions{});
}

EquationProgram quasiVelocityProgram(const Mechanism& mechanism, const EquationRequest& request) {
  const VelocityChoice choice = request.velocities ? *request.velocities : velocityChoice(mechanism);
  if (mechanism.space == Space::planar) return QuasiVelocityBuilder<Planar<Expr>>(mechanism, request, choice).build();
  return QuasiVelocityBuilder<Spatial<Expr>>(mechanism, request, choice).build();
}

}  // namespace linkwork
