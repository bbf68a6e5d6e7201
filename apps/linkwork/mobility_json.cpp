#include "mobility_json.hpp"

#include "linkwork/base/index.hpp"

namespace linkwork::app {

namespace {

using Json = nlohmann::ordered_json;

const char* wordFor(PoseKind kind) {
  switch (kind) {
    case PoseKind::regular: return "regular";
    case PoseKind::dead_point: return "dead_point";
    case PoseKind::branch_point: return "branch_point";
    case PoseKind::shaky: return "shaky";
    case PoseKind::rigid: return "rigid";
  }
  return "";
}

Json freedomJson(const Freedom& freedom, int coordinates) {
  Json out{{"equations", freedom.rows},
           {"rank", freedom.rank},
           {"gruebler", coordinates - freedom.rows},
           {"velocities_here", freedom.velocities()},
           {"mobility", freedom.mobility},
           {"mobility_least", freedom.mobility_least}};
  if (freedom.velocity_rows > 0) {
    out["equations_of_velocities_alone"] = freedom.velocity_rows;
    out["motions_here"] = freedom.here;
  }
  return out;
}

Json setJson(const MobilityProblem& problem, const DependentSet& set) {
  Json out;
  out["too_many"] = set.repeats;
  out["too_many_nearby"] = set.repeats_nearby;
  for (const int row : set.rows) out["equations"].push_back(problem.rows[at(row)].name);
  for (const auto& relation : set.relations) {
    Json shares;
    for (const RowShare& share : relation) shares[problem.rows[at(share.row)].name] = share.share;
    out["relations"].push_back(shares);
  }
  return out;
}

Json jointJson(const MobilityProblem& problem, const JointReactions& joint) {
  const MobilityGroup& group = problem.groups[at(joint.group)];
  Json out;
  out["components"] = joint.rows;
  out["unique"] = joint.unique.size();
  out["unique_directions"] = Json::array();
  for (const UniqueReaction& reaction : joint.unique) {
    Json coefficients;
    for (int r = 0; r < joint.rows; ++r) {
      coefficients[problem.rows[at(group.first_row + r)].name] = reaction.coefficients[at(r)];
    }
    out["unique_directions"].push_back({{"words", reaction.words},
                                        {"force", reaction.force},
                                        {"moment", reaction.moment},
                                        {"coefficients", coefficients}});
  }
  return out;
}

}  // namespace

Json mobilityJson(const MobilityProblem& problem, const MobilityReport& report) {
  Json out;
  out["coordinates"] = report.coordinates;
  out["joints_only"] = freedomJson(report.joints, report.coordinates);
  out["with_drives"] = freedomJson(report.all, report.coordinates);
  out["pose"] = wordFor(report.kind);
  out["mobility_is_bound"] = report.mobility_is_bound;
  out["ways_out"] = report.ways;
  out["directions_tried"] = report.directions_tried;
  out["poses_reached"] = report.poses_reached;
  out["blocks"] = report.blocks;
  out["largest_block"] = report.largest_block;
  out["singular_values"] = {{"length", problem.length},
                            {"smallest_kept", report.smallest_kept},
                            {"largest_dropped", report.largest_dropped},
                            {"surely_kept", kSurelyKept},
                            {"surely_zero", kSurelyZero},
                            {"clear", report.clear}};
  out["dependent_sets"] = Json::array();
  for (const DependentSet& set : report.sets) out["dependent_sets"].push_back(setJson(problem, set));
  out["reactions"] = Json::object();
  for (const JointReactions& joint : report.reactions) {
    out["reactions"][problem.groups[at(joint.group)].name] = jointJson(problem, joint);
  }
  out["unique_sums"] = Json::array();
  for (const UniqueSum& sum : report.sums) {
    Json names = Json::array();
    for (const int g : sum.groups) names.push_back(problem.groups[at(g)].name);
    out["unique_sums"].push_back({{"joints", names},
                                  {"on", sum.body < 0 ? "ground" : problem.body_names[at(sum.body)]},
                                  {"components", sum.components},
                                  {"unique", sum.unique}});
  }
  return out;
}

}  // namespace linkwork::app
