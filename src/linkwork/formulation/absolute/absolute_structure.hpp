// The frame of the index-1 system in absolute coordinates: sparsity, elimination order, masses, and the one length of a
// mechanism.
#pragma once

#include <span>

#include "linkwork/formulation/absolute/equations.hpp"
#include "linkwork/linalg/kkt.hpp"
#include "linkwork/topology/spanning_tree.hpp"

namespace linkwork {

using PlanarEquations = AbsoluteEquations<Planar<double>>;
using SpatialEquations = AbsoluteEquations<Spatial<double>>;

// The bodies that a group of rows joins, as topology/spanning_tree.hpp names them. A relation is no edge of a tree, nor
// is what holds velocities alone.
Connection connectionOf(const RowGroup& group, int bodies);

// The sparsity and elimination order of [ M  Phi_q^T ; Phi_q  0 ]. For Planar<double> and Spatial<double>.
template <class G>
KktStructure kktStructure(const AbsoluteEquations<G>& equations);

// The mass entries of every body, in the order of that structure.
template <class G>
void fillMass(const AbsoluteEquations<G>& equations, std::span<double> mass);

// One length for the whole model: the rms distance of the joints from their centroid in the drawn pose; where they are
// all in one place the longest arm from a joint to a centre of mass; 1 m if that is zero too.
double referenceLength(const Mechanism& mechanism);
// The same in the pose q, coordinates as in AbsoluteEquations.
double referenceLength(const Mechanism& mechanism, std::span<const double> q);

}  // namespace linkwork
