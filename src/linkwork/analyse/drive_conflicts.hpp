// Drives that fight: with the joints between them, one prescribes what another one or the joints settle already.
#pragma once

#include <vector>

#include "linkwork/analyse/assemble.hpp"
#include "linkwork/base/diagnostics.hpp"

namespace linkwork {

// One dependence among the rows of drives and joints that drives take part in, by their numbers in the mechanism.
struct DriveConflict {
  std::vector<int> drives;
  std::vector<int> joints;
};

// At the pose of `assembly` if that is one; else where the joints alone can be assembled, and nothing if they cannot.
std::vector<DriveConflict> findDriveConflicts(const Mechanism& mechanism, const Assembly& assembly);

// Says so, with names and lines: errors if the start could not be assembled, else warnings. True if the drives are to
// blame for an assembly that failed.
bool reportDriveConflicts(const Mechanism& mechanism, const Assembly& assembly, Diagnostics& diagnostics);

}  // namespace linkwork
