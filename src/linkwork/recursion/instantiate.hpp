// All templates of this folder for one geometry; included only by the files that instantiate them, one per scalar.
#pragma once

#include "linkwork/recursion/articulated_impl.hpp"
#include "linkwork/recursion/impulses_impl.hpp"
#include "linkwork/recursion/tree_impl.hpp"

// NOLINTBEGIN(cppcoreguidelines-macro-usage): a list of names can be written once for six types only so
#define LINKWORK_INSTANTIATE_RECURSION(G)                                                                              \
  template Tree<G> makeTree<G>(const Mechanism&, const std::vector<PlannedLink>&);                                     \
  template struct PositionKinematics<G>;                                                                               \
  template struct VelocityKinematics<G>;                                                                               \
  template void positionKinematics(const Tree<G>&, std::span<const G::Scalar>, std::span<const Motion<G::Scalar>>,     \
                                   PositionKinematics<G>&, const Unnamed&);                                            \
  template void velocityKinematics(const Tree<G>&, const PositionKinematics<G>&, std::span<const G::Scalar>,           \
                                   std::span<const Motion<G::Scalar>>, VelocityKinematics<G>&, const Unnamed&);        \
  template void takeVelocities(const Tree<G>&, const PositionKinematics<G>&, std::span<const LinkAxes<G>::Motion>,     \
                               VelocityKinematics<G>&);                                                                \
  template void accelerations(const Tree<G>&, const PositionKinematics<G>&, const VelocityKinematics<G>&,              \
                              std::span<const G::Scalar>, const G::Vector&, std::vector<LinkAxes<G>::Motion>&);        \
  template G::Velocity bodyAcceleration(const Tree<G>&, const PositionKinematics<G>&, const VelocityKinematics<G>&,    \
                                        int, const LinkAxes<G>::Motion&);                                              \
  template void coordinateRates(const Tree<G>&, std::span<const G::Scalar>, std::span<const G::Scalar>,                \
                                std::span<G::Scalar>);                                                                 \
  template G::Scalar kineticEnergy(const Tree<G>&, const VelocityKinematics<G>&);                                      \
  template LinkAxes<G>::Force linkForce(const Tree<G>&, const PositionKinematics<G>&, int, const G::Wrench&);          \
  template G::Wrench bodyWrench(const Tree<G>&, const PositionKinematics<G>&, int, const LinkAxes<G>::Force&);         \
  template void inverseDynamics(const Tree<G>&, const PositionKinematics<G>&, const VelocityKinematics<G>&,            \
                                std::span<const G::Scalar>, const TreeLoads<G>&, InverseDynamics<G>&, const Unnamed&); \
  template void massMatrix(const Tree<G>&, const PositionKinematics<G>&, TreeMassMatrix<G>&, const Unnamed&);          \
  template void factorTree(const Tree<G>&, const PositionKinematics<G>&, ArticulatedFactor<G>&, const Unnamed&);       \
  template void solveInwards(const Tree<G>&, const PositionKinematics<G>&, const ArticulatedFactor<G>&,                \
                             std::span<const G::Scalar>, std::span<const LinkAxes<G>::Motion>, TreeSolve<G>&,          \
                             const Unnamed&);                                                                          \
  template void solveOutwards(const Tree<G>&, const PositionKinematics<G>&, const ArticulatedFactor<G>&,               \
                              const G::Vector&, std::span<const LinkAxes<G>::Motion>, TreeSolve<G>&,                   \
                              std::span<G::Scalar>, const Unnamed&);                                                   \
  template void forwardDynamics(const Tree<G>&, const PositionKinematics<G>&, const VelocityKinematics<G>&,            \
                                const ArticulatedFactor<G>&, std::span<const G::Scalar>, const TreeLoads<G>&,          \
                                TreeSolve<G>&, std::span<G::Scalar>, const Unnamed&);                                  \
  template void addJointRow(const Tree<G>&, const PositionKinematics<G>&, int, const G::RowBlock&,                     \
                            std::span<G::Scalar>);                                                                     \
  template void eliminateRow(const Tree<G>&, const PositionKinematics<G>&, const ArticulatedFactor<G>&,                \
                             std::span<const int>, std::span<LinkAxes<G>::Force>, std::span<G::Scalar>,                \
                             const Unnamed&);                                                                          \
  template void gatherInwards(const Tree<G>&, const PositionKinematics<G>&, std::span<LinkAxes<G>::Force>,             \
                              const Unnamed&);                                                                         \
  template void linkMomenta(const Tree<G>&, const PositionKinematics<G>&, const VelocityKinematics<G>&,                \
                            std::span<LinkAxes<G>::Force>);                                                            \
  template void impulsesOf(const Tree<G>&, const PositionKinematics<G>&, std::span<const LinkAxes<G>::Force>,          \
                           std::span<G::Scalar>);                                                                      \
  template void prescribedVelocities(const Tree<G>&, const PositionKinematics<G>&, std::span<const Motion<G::Scalar>>, \
                                     std::span<LinkAxes<G>::Motion>);                                                  \
  template void impulseRates(const Tree<G>&, const PositionKinematics<G>&, const VelocityKinematics<G>&,               \
                             std::span<const G::Scalar>, std::span<const Motion<G::Scalar>>,                           \
                             std::span<const LinkAxes<G>::Force>, std::span<const LinkAxes<G>::Force>,                 \
                             std::span<G::Scalar>);
// NOLINTEND(cppcoreguidelines-macro-usage)
