// The solid that is drawn for a body of which the file gives mass and inertia but no shape: a homogeneous sphere,
// cylinder or box with the same principal moments, in the centre of mass.
//
// Cylinder of radius r and height h:  I_a = m r^2 / 2,  I_t = m (3 r^2 + h^2) / 12
// Box with sides a, b, c:             I_x = m (b^2 + c^2) / 12, ...,  so  a^2 = 6 (I_y + I_z - I_x) / m
#pragma once

#include <optional>

#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// nullopt for a body without mass or inertia.
std::optional<Shape> standIn(const Body& body);

}  // namespace linkwork
