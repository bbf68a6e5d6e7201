#include "linkwork/analyse/drive_conflicts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "linkwork/formulation/absolute/absolute_system.hpp"
#include "linkwork/linalg/kkt.hpp"

namespace linkwork {

namespace {

// A share of a row in a dependence, relative to the row that was left out; below this it is round-off.
constexpr double kTakesPart = 1e-8;

template <class G>
std::vector<DriveConflict> conflictsAt(const Mechanism& mechanism, const Assembly& pose) {
  const AbsoluteEquations<G> equations(mechanism);
  auto work = equations.makeWork();
  if (pose.turns.size() == work.turns.size()) work.turns = pose.turns;  // without drives there may be fewer
  equations.positions(0.0, pose.q, work);
  KktSolver kkt(kktStructure(equations));
  fillMass(equations, kkt.mass());
  std::copy(work.jacobian.begin(), work.jacobian.end(), kkt.jacobian().begin());
  if (kkt.factor({.row = kDependentRow, .doubtful_row = 0.0, .doubtful = {}}).singular_body >= 0) return {};
  const auto& set = equations.elements();
  std::vector<DriveConflict> out;
  std::vector<double> z(static_cast<std::size_t>(equations.rows()));
  for (int r = 0; r < equations.rows(); ++r) {
    if (!kkt.rowDropped(r)) continue;
    kkt.dependence(r, z);
    DriveConflict found;
    for (const RowGroup& group : set.groups) {
      bool takes_part = false;
      for (int k = group.first_row; k < group.first_row + group.rows; ++k)
        takes_part = takes_part || std::abs(z[static_cast<std::size_t>(k)]) > kTakesPart;
      if (takes_part) (group.is_drive ? found.drives : found.joints).push_back(group.index);
    }
    const bool known =
        std::any_of(out.begin(), out.end(), [&](const DriveConflict& c) { return c.drives == found.drives; });
    if (!found.drives.empty() && !known) out.push_back(std::move(found));
  }
  return out;
}

std::string nameAndLine(const Drive& drive, const Source& seen_from) {
  if (drive.source.line <= 0) return fmt::format("\"{}\"", drive.name);
  const bool elsewhere = drive.source.file && seen_from.file && *drive.source.file != *seen_from.file;
  return elsewhere ? fmt::format("\"{}\" ({}:{})", drive.name, *drive.source.file, drive.source.line)
                   : fmt::format("\"{}\" (line {})", drive.name, drive.source.line);
}

std::string joined(const std::vector<std::string>& names) {
  if (names.size() < 2) return fmt::format("{}", fmt::join(names, ""));
  const std::vector<std::string> first(names.begin(), names.end() - 1);
  return fmt::format("{} and {}", fmt::join(first, ", "), names.back());
}

}  // namespace

std::vector<DriveConflict> findDriveConflicts(const Mechanism& mechanism, const Assembly& assembly) {
  if (mechanism.drives.empty()) return {};
  Assembly pose = assembly;
  if (!pose.ok) {
    Mechanism joints_alone = mechanism;
    joints_alone.drives.clear();
    pose = assemble(joints_alone);
    if (!pose.ok) return {};
  }
  return mechanism.space == Space::spatial ? conflictsAt<Spatial<double>>(mechanism, pose)
                                           : conflictsAt<Planar<double>>(mechanism, pose);
}

bool reportDriveConflicts(const Mechanism& mechanism, const Assembly& assembly, Diagnostics& diagnostics) {
  bool blamed = false;
  for (const DriveConflict& conflict : findDriveConflicts(mechanism, assembly)) {
    const auto& drives = mechanism.drives;
    const Drive& last = drives[static_cast<std::size_t>(conflict.drives.back())];
    // A drive alone may stand at a dead point for a moment; if it starts from there it is no news.
    if (conflict.drives.size() == 1 && assembly.ok) continue;
    std::vector<std::string> joints;
    for (const int j : conflict.joints)
      joints.push_back(fmt::format("\"{}\"", mechanism.joints[static_cast<std::size_t>(j)].name));
    constexpr std::size_t kMostJoints = 6;
    const std::string by = joints.empty()                ? std::string{}
                           : joints.size() > kMostJoints ? fmt::format(" by {} joints", joints.size())
                                                         : fmt::format(" by {}", joined(joints));
    if (conflict.drives.size() == 1) {
      diagnostics.error(
          last.source,
          fmt::format("drive \"{}\" fights the joints: in this pose what it prescribes is held already{}.", last.name,
                      by),
          "Drive another coordinate, or draw the mechanism away from its dead point.");
      blamed = true;
      continue;
    }
    std::vector<std::string> names;
    for (const int d : conflict.drives) names.push_back(nameAndLine(drives[static_cast<std::size_t>(d)], last.source));
    const std::string text =
        fmt::format("drives {} {}: they are joined{}, so that one of them follows from the other{}", joined(names),
                    assembly.ok ? "say the same twice" : "fight", by, names.size() > 2 ? "s" : "");
    if (assembly.ok) {
      diagnostics.warning(last.source, text + ".",
                          "If their motions differ later, the run will stop there: remove one.");
    } else {
      diagnostics.error(last.source, text + ".", "Remove one of them.");
      blamed = true;
    }
  }
  return blamed;
}

}  // namespace linkwork
