#include "linkwork/analyse/mobility_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linkwork/base/index.hpp"

namespace linkwork {

namespace {

constexpr double kExact = 1e-9;
// Longer lists are cut in the text; the report itself has them whole.
constexpr std::size_t kNamesShown = 24;
constexpr std::size_t kSetsShown = 12;
constexpr std::size_t kJointsShown = 60;

enum class RowKind { force, moment, mixed };

double sizeOf(const std::array<double, 6>& w, std::size_t from) {
  return std::sqrt(w[from] * w[from] + w[from + 1] * w[from + 1] + w[from + 2] * w[from + 2]);
}

RowKind kindOf(const MobilityProblem& problem, const MobilityRow& row) {
  const double force = sizeOf(row.wrench, 0);
  const double moment = sizeOf(row.wrench, 3) / problem.length;
  if (moment <= kExact * force && std::abs(force - 1.0) < kExact) return RowKind::force;
  if (force == 0.0 && std::abs(moment * problem.length - 1.0) < kExact) return RowKind::moment;
  return RowKind::mixed;
}

std::string number(double value) {
  std::string text = fmt::format("{:.4g}", std::abs(value) < 5e-10 ? 0.0 : value);
  return text == "-0" ? "0" : text;
}

std::string vectorText(const std::array<double, 3>& v, int dimension) {
  std::vector<std::string> parts;
  parts.reserve(at(dimension));
  for (int k = 0; k < dimension; ++k) parts.push_back(number(v[at(k)]));
  return fmt::format("({})", fmt::join(parts, ", "));
}

// +1 or -1 so that the greatest component becomes positive.
double goodSign(const std::array<double, 3>& v) {
  double largest = 0.0;
  for (const double value : v) {
    if (std::abs(value) > std::abs(largest) + kExact) largest = value;
  }
  return largest < 0.0 ? -1.0 : 1.0;
}

// "in x" for a ground axis, "along (0.6, 0.8)" for another direction.
std::string directionText(const std::array<double, 3>& v, int dimension) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (std::abs(std::abs(v[k]) - 1.0) < kExact) return fmt::format("in {}", "xyz"[k]);
  }
  return "along " + vectorText(v, dimension);
}

// "about x" for a ground axis, "about (0.6, 0.8, 0)" for another.
std::string aboutText(const std::array<double, 3>& v) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (std::abs(std::abs(v[k]) - 1.0) < kExact) return fmt::format("about {}", "xyz"[k]);
  }
  return "about " + vectorText(v, 3);
}

double dotOf(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

std::array<double, 3> crossOf(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

std::string combinationText(const MobilityProblem& problem, const MobilityGroup& group, const std::vector<double>& c) {
  std::string text;
  for (int r = 0; r < group.rows; ++r) {
    if (std::abs(c[at(r)]) < kExact) continue;
    const std::string term =
        fmt::format("{}*{}", number(std::abs(c[at(r)])), problem.rows[at(group.first_row + r)].name);
    text += text.empty() ? (c[at(r)] < 0.0 ? "-" : "") + term : (c[at(r)] < 0.0 ? " - " : " + ") + term;
  }
  return text;
}

std::string plural(int count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string degrees(int count) { return plural(count, "degree of freedom", "degrees of freedom"); }

std::string rowNames(const MobilityProblem& problem, const std::vector<int>& rows) {
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < rows.size() && k < kNamesShown; ++k) parts.push_back(problem.rows[at(rows[k])].name);
  std::string text = fmt::format("{}", fmt::join(parts, ", "));
  if (rows.size() > kNamesShown) text += fmt::format(" and {} more", rows.size() - kNamesShown);
  return text;
}

// A part of a relation, joint by joint: "G1.x" for one row, "G1 along crank1" where several rows make a force.
std::string relationText(const MobilityProblem& problem, const std::vector<RowShare>& relation) {
  std::vector<std::string> parts;
  for (std::size_t k = 0; k < relation.size();) {
    const int g = problem.rows[at(relation[k].row)].group;
    const MobilityGroup& group = problem.groups[at(g)];
    std::vector<std::string> names;
    std::array<double, 3> force{};
    bool only_force = true;
    for (; k < relation.size() && problem.rows[at(relation[k].row)].group == g; ++k) {
      const MobilityRow& row = problem.rows[at(relation[k].row)];
      names.push_back(row.name);
      only_force = only_force && kindOf(problem, row) == RowKind::force;
      for (std::size_t c = 0; c < 3; ++c) force[c] += relation[k].share * row.wrench[c];
    }
    if (names.size() == 1 || !only_force) {
      parts.insert(parts.end(), names.begin(), names.end());
      continue;
    }
    const double size = goodSign(force) * std::sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]);
    std::string words = directionText({force[0] / size, force[1] / size, force[2] / size}, problem.dimension);
    for (const NamedDirection& named : group.directions) {
      double along = 0.0;
      for (std::size_t c = 0; c < 3; ++c) along += force[c] * named.direction[c] / size;
      if (std::abs(std::abs(along) - 1.0) > kExact || named.words.empty()) continue;
      words = named.words;
      break;
    }
    parts.push_back(group.name + " " + words);
  }
  const std::size_t count = parts.size();
  parts.resize(std::min(count, kNamesShown));
  std::string text = fmt::format("{}", fmt::join(parts, ", "));
  if (count > kNamesShown) text += fmt::format(" and {} more", count - kNamesShown);
  return text + (count == 1 ? " says nothing" : " depend on each other");
}

std::string counts(const MobilityReport& report) {
  const Freedom& all = report.all;
  const Freedom& joints = report.joints;
  const bool drives = all.rows > joints.rows;
  std::string text =
      fmt::format("Gruebler's count: {} coordinates - {} = {}", report.coordinates,
                  plural(all.rows, "constraint equation", "constraint equations"), report.coordinates - all.rows);
  if (drives) {
    const int drive_rows = all.rows - joints.rows;
    text += fmt::format(" ({} of {} a drive; without {} {})", drive_rows, drive_rows == 1 ? "which is" : "which are",
                        drive_rows == 1 ? "it" : "them", report.coordinates - joints.rows);
  }
  text += fmt::format("\nin this pose: rank {} of {}, so {} can be chosen freely\n", all.rank, all.rows,
                      plural(all.velocities(), "velocity", "velocities"));
  if (all.velocity_rows > 0) {
    text += fmt::format("{} velocities alone and keep the mechanism from no pose: of positions there are {}\n",
                        plural(all.velocity_rows, "equation holds", "equations hold"), degrees(all.here));
  }
  const auto amount = [&](const Freedom& freedom) {
    return report.mobility_is_bound ? fmt::format("{} to {}", freedom.mobility_least, degrees(freedom.mobility))
                                    : degrees(freedom.mobility);
  };
  text += "mobility: " + amount(drives ? joints : all);
  if (drives) text += fmt::format(" with the drives let go, {} with the drives held", all.mobility);
  text += report.mobility_is_bound ? " (too many velocities to try them one by one)\n" : "\n";
  const int count = report.coordinates - all.rows;
  if (count != all.mobility && report.kind != PoseKind::shaky) {
    int permanent = 0;
    for (const DependentSet& set : report.sets) permanent += set.repeats_nearby;
    if (permanent > 0) {
      text += fmt::format("The count is wrong because {} what the others say{}.\n",
                          plural(permanent, "equation repeats", "equations repeat"),
                          report.kind == PoseKind::rigid ? "" : ", not only in this pose");
    }
  }
  if (joints.mobility_least < joints.mobility && !report.mobility_is_bound) {
    text += fmt::format("Branches of different kind meet here: {} on one, {} on another.\n", degrees(joints.mobility),
                        joints.mobility_least);
  }
  return text;
}

std::string poseText(const MobilityReport& report) {
  const int extra = report.joints.here - report.joints.mobility;
  switch (report.kind) {
    case PoseKind::regular:
      return fmt::format("This pose is a regular one: the rank is the same at {} reached from it by moving.\n",
                         plural(report.poses_reached, "pose", "poses"));
    case PoseKind::dead_point:
      return "This pose is a dead point: the drives do not say which way the mechanism goes from here, although they "
             "do "
             "nearby; the forces they need grow beyond all bounds on the way to it.\n";
    case PoseKind::branch_point:
      return fmt::format(
          "This pose is a branch point: {} allowed here only; the mechanism was seen to leave it in {} "
          "independent ways, and then it has {}.\n",
          extra == 1 ? "1 further velocity is" : fmt::format("{} further velocities are", extra), report.ways,
          degrees(report.joints.mobility));
    case PoseKind::shaky:
      return fmt::format(
          "This pose is shaky: {} allowed to which no motion was found; the parts give way a little without going "
          "anywhere.\n",
          extra == 1 ? "1 velocity is" : fmt::format("{} velocities are", extra));
    case PoseKind::rigid: return "Nothing can move: this is a structure.\n";
  }
  return {};
}

std::string setsText(const MobilityProblem& problem, const MobilityReport& report) {
  if (report.sets.empty()) return "No constraint repeats another.\n";
  std::string text = "\nConstraints that repeat each other\n";
  for (std::size_t k = 0; k < report.sets.size() && k < kSetsShown; ++k) {
    const DependentSet& set = report.sets[k];
    const std::string when = report.poses_reached == 0           ? ""
                             : set.repeats_nearby == set.repeats ? ", in every pose reached"
                             : set.repeats_nearby == 0
                                 ? ", in this pose only"
                                 : fmt::format(", {} of them in every pose reached", set.repeats_nearby);
    if (set.repeats == 1) {
      text += fmt::format("  {} (1 too many{})\n", relationText(problem, set.relations[0]), when);
      continue;
    }
    text += fmt::format("  {} depend on each other ({} too many{}), for example\n", rowNames(problem, set.rows),
                        set.repeats, when);
    std::vector<std::vector<RowShare>> shortest = set.relations;
    std::stable_sort(shortest.begin(), shortest.end(),
                     [](const auto& a, const auto& b) { return a.size() < b.size(); });
    for (std::size_t m = 0; m < shortest.size() && m < 4; ++m)
      text += fmt::format("    {}\n", relationText(problem, shortest[m]));
  }
  if (report.sets.size() > kSetsShown) text += fmt::format("  and {} more sets\n", report.sets.size() - kSetsShown);
  return text;
}

// Where all but one direction are unique: the shares in which the joint's multipliers may change.
std::vector<double> openDirection(const JointReactions& joint) {
  const std::size_t n = at(joint.rows);
  std::vector<std::vector<double>> basis;
  // What is left of a vector across the basis; twice, against round-off.
  const auto across = [&](std::vector<double> v) {
    for (int sweep = 0; sweep < 2; ++sweep) {
      for (const auto& b : basis) {
        const double along = std::inner_product(v.begin(), v.end(), b.begin(), 0.0);
        for (std::size_t k = 0; k < n; ++k) v[k] -= along * b[k];
      }
    }
    return v;
  };
  const auto sizeOf = [](const std::vector<double>& v) {
    return std::sqrt(std::inner_product(v.begin(), v.end(), v.begin(), 0.0));
  };
  for (const UniqueReaction& reaction : joint.unique) {
    std::vector<double> v = across(reaction.coefficients);
    const double size = sizeOf(v);
    if (!(size > 0.0)) return {};
    for (double& value : v) value /= size;
    basis.push_back(std::move(v));
  }
  std::vector<double> best(n, 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    std::vector<double> unit(n, 0.0);
    unit[k] = 1.0;
    std::vector<double> v = across(std::move(unit));
    if (sizeOf(v) > sizeOf(best)) best = std::move(v);
  }
  const double largest =
      *std::max_element(best.begin(), best.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  for (double& value : best) value /= largest;
  return best;
}

std::string reactionText(const MobilityProblem& problem, const JointReactions& joint) {
  if (joint.all()) return joint.rows == 1 ? "unique" : "all components unique";
  if (joint.unique.empty()) return "nothing is unique";
  const bool has_mixture = std::any_of(joint.unique.begin(), joint.unique.end(), [](const UniqueReaction& reaction) {
    return reaction.words.find('*') != std::string::npos;
  });
  if (has_mixture && static_cast<int>(joint.unique.size()) == joint.rows - 1) {
    std::vector<std::string> names;
    std::vector<std::string> shares;
    const std::vector<double> open = openDirection(joint);
    for (std::size_t k = 0; k < open.size(); ++k) {
      if (std::abs(open[k]) <= kExact) continue;
      names.push_back(problem.rows[at(problem.groups[at(joint.group)].first_row) + k].name);
      shares.push_back(fmt::format("{:.4g}", open[k]));
    }
    return fmt::format("{} of {} directions are unique; open is only the mixture {} = {}", joint.unique.size(),
                       joint.rows, fmt::join(names, " : "), fmt::join(shares, " : "));
  }
  std::vector<std::string> words;
  words.reserve(joint.unique.size());
  for (const UniqueReaction& reaction : joint.unique) words.push_back(reaction.words);
  return fmt::format("only {} {} unique", fmt::join(words, " and "), words.size() == 1 ? "is" : "are");
}

std::string reactionsText(const MobilityProblem& problem, const MobilityReport& report) {
  if (report.reactions.empty()) return {};
  std::size_t width = 5;
  for (const MobilityGroup& group : problem.groups) width = std::max(width, group.name.size());
  std::string text = "\nReactions\n";
  std::size_t shown = 0;
  std::size_t hidden_unique = 0;
  std::size_t hidden_other = 0;
  for (const JointReactions& joint : report.reactions) {
    // Of many joints, those with something to say come first to the limit.
    if (shown >= kJointsShown || (report.reactions.size() > kJointsShown && joint.all())) {
      ++(joint.all() ? hidden_unique : hidden_other);
      continue;
    }
    ++shown;
    const MobilityGroup& group = problem.groups[at(joint.group)];
    text += fmt::format("  {:<{}}  {}{}\n", group.name, width, group.is_drive ? "(drive) " : "",
                        reactionText(problem, joint));
  }
  if (hidden_other > 0) text += fmt::format("  and {} more joints that are not unique\n", hidden_other);
  if (hidden_unique > 0) {
    text += fmt::format("  {}{}: all components unique\n", shown > 0 ? "the other " : "",
                        plural(static_cast<int>(hidden_unique), "joint", "joints"));
  }
  if (report.sums.empty()) return text;
  text += "\nSums that are unique, though their parts are not\n";
  for (std::size_t k = 0; k < report.sums.size() && k < kSetsShown; ++k) {
    const UniqueSum& sum = report.sums[k];
    std::vector<std::string> names;
    for (std::size_t g = 0; g < sum.groups.size() && g < kNamesShown; ++g)
      names.push_back(problem.groups[at(sum.groups[g])].name);
    const std::string what = sum.unique == sum.components
                                 ? std::string("the total force and moment")
                                 : fmt::format("{} of the {} components of the total", sum.unique, sum.components);
    text += fmt::format("  {}{} on {}: {}\n", fmt::join(names, " + "), names.size() < sum.groups.size() ? " + ..." : "",
                        sum.body < 0 ? "ground" : problem.body_names[at(sum.body)], what);
  }
  if (report.sums.size() > kSetsShown) text += fmt::format("  and {} more\n", report.sums.size() - kSetsShown);
  return text;
}

}  // namespace

std::optional<std::vector<double>> rowsAlong(const MobilityProblem& problem, const MobilityGroup& group, Effort effort,
                                             const std::array<double, 3>& direction) {
  const RowKind kind = effort == Effort::force ? RowKind::force : RowKind::moment;
  const std::size_t from = effort == Effort::force ? 0 : 3;
  std::vector<double> c(at(group.rows), 0.0);
  std::array<double, 3> rest = direction;
  for (int r = 0; r < group.rows; ++r) {
    const MobilityRow& row = problem.rows[at(group.first_row + r)];
    if (kindOf(problem, row) != kind) continue;
    for (std::size_t k = 0; k < 3; ++k) c[at(r)] += row.wrench[from + k] * direction[k];
    for (std::size_t k = 0; k < 3; ++k) rest[k] -= c[at(r)] * row.wrench[from + k];
  }
  const double left = std::sqrt(rest[0] * rest[0] + rest[1] * rest[1] + rest[2] * rest[2]);
  if (left > kExact) return std::nullopt;
  return c;
}

UniqueReaction describeReaction(const MobilityProblem& problem, const MobilityGroup& group,
                                const std::vector<double>& scaled, const std::string& name) {
  UniqueReaction out;
  std::array<double, 3> force{};
  std::array<double, 3> moment{};
  bool plain = true;
  bool has_force = false;
  bool has_moment = false;
  for (int r = 0; r < group.rows; ++r) {
    const MobilityRow& row = problem.rows[at(group.first_row + r)];
    const double c = std::abs(scaled[at(r)]) < kExact ? 0.0 : scaled[at(r)] / row.scale;
    out.coefficients.push_back(c);
    if (c == 0.0) continue;
    const RowKind kind = kindOf(problem, row);
    plain = plain && kind != RowKind::mixed;
    has_force = has_force || kind == RowKind::force;
    has_moment = has_moment || kind == RowKind::moment;
    for (std::size_t k = 0; k < 3; ++k) {
      if (kind == RowKind::force) force[k] += c * row.wrench[k];
      if (kind == RowKind::moment) moment[k] += c * row.wrench[k + 3];
    }
  }
  // A pure force or moment, or the moment about a line: of length one, with a sign that reads well. Anything else: the
  // greatest coefficient is one.
  double factor = 1.0;
  bool about_a_line = false;
  if (plain && has_force != has_moment) {
    const auto& v = has_force ? force : moment;
    factor = goodSign(v) / std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  } else if (plain && std::abs(dotOf(force, moment)) <= kExact * problem.length * dotOf(moment, moment)) {
    factor = goodSign(moment) / std::sqrt(dotOf(moment, moment));
    about_a_line = true;
  } else {
    double largest = 0.0;
    for (const double c : out.coefficients) largest = std::abs(c) > std::abs(largest) ? c : largest;
    factor = 1.0 / largest;
  }
  for (double& c : out.coefficients) c *= factor;
  for (std::size_t k = 0; k < 3; ++k) {
    force[k] *= factor;
    moment[k] *= factor;
  }
  if (plain) {
    out.force = force;
    out.moment = moment;
  }
  if (plain && has_force && !has_moment) {
    out.words = "the force " + directionText(force, problem.dimension);
    if (!name.empty()) out.words += ", " + name + ",";
  } else if (plain && !has_force && has_moment) {
    out.words = problem.dimension == 2 ? "the moment" : "the moment " + aboutText(moment);
    if (problem.dimension == 3 && !name.empty()) out.words += ", " + name + ",";
  } else if (about_a_line) {
    // m^T M + f^T F with f at right angles to m is the moment about the line along m through P with p - P = f x m.
    const std::array<double, 3> arm = crossOf(force, moment);
    const std::array<double, 3> about{group.point[0] - arm[0], group.point[1] - arm[1], group.point[2] - arm[2]};
    out.words = problem.dimension == 2 ? "the moment about " + vectorText(about, 2)
                                       : fmt::format("the moment about the line through {} {}", vectorText(about, 3),
                                                     directionText(moment, 3));
  } else {
    out.words = combinationText(problem, group, out.coefficients);
  }
  return out;
}

std::string mobilityText(const MobilityProblem& problem, const MobilityReport& report) {
  std::string text = counts(report) + poseText(report) + setsText(problem, report) + reactionsText(problem, report);
  text += fmt::format(
      "\nRank by the gap in the singular values of the constraint Jacobian, {} (largest: {}), lengths in units of "
      "{:.3g} m:\nkept down to {:.2g} of the greatest, dropped from {:.2g} (tolerance: above {:g} kept, below {:g} "
      "zero, "
      "between them the widest gap).\n",
      plural(report.blocks, "block", "blocks"), plural(report.largest_block, "equation", "equations"), problem.length,
      report.smallest_kept, report.largest_dropped, kSurelyKept, kSurelyZero);
  if (!report.clear) text += "The gap is narrow: the rank is in doubt, and so is what follows from it.\n";
  if (report.kind == PoseKind::regular && report.smallest_kept < 1e-3 &&
      report.smallest_kept < 0.03 * report.smallest_nearby) {
    text += fmt::format("The pose is close to a dead point or branch point: the smallest value is {:.2g} nearby.\n",
                        report.smallest_nearby);
  }
  return text;
}

}  // namespace linkwork
