// What a joint exerts on either of its bodies, in either axes, read off an observation.
#pragma once

#include <cstddef>

#include "linkwork/formulation/mechanism_system.hpp"
#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/load_table.hpp"

namespace linkwork {

// Whether a joint can carry a moment about its own point. In the plane a pin and a rod cannot; in space any may.
bool carriesMoment(const Mechanism& mechanism, const Joint& joint);

// The body on which that end of the joint acts.
BodyIndex bodyAt(const Joint& joint, LoadEnd end);

// A component in body axes counts as unique if all the ground components it is made of are.
JointLoad jointLoad(const Mechanism& mechanism, const Observation& seen, std::size_t joint, LoadEnd end, LoadAxes axes);

// Whether the load of a joint that rolls is, along its normal: other forces at the contact may be shared all the same.
bool loadIsUnique(const Observation& seen, std::size_t joint);

}  // namespace linkwork
