// What a closed mesh looks like from above: the borders of its shadow in the x-y plane, for drawing.
#pragma once

#include <array>
#include <vector>

#include "linkwork/geometry/triangle_mesh.hpp"

namespace linkwork {

using Outline = std::vector<std::array<double, 2>>;  // closed, counter-clockwise

// Of a welded mesh: the borders of the surfaces that face up. Together they cover the shadow; a plate has one, a
// stepped part one for each step. Holes are not among them, nor pieces of less than a thousandth of the box around all.
// Empty where nothing faces up.
std::vector<Outline> outlinesFromAbove(const TriangleMesh& mesh);

}  // namespace linkwork
