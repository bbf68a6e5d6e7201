#include "linkwork/analyse/mobility_reactions.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "linkwork/analyse/mobility_words.hpp"
#include "linkwork/base/index.hpp"
#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// A part of an orthonormal null vector below this is round-off, or the trace of a pose that is closed only to round-off
// where the rank drops.
constexpr double kNoPart = 1e-7;
// Operations up to which a basis is made orthonormal.
constexpr double kOrthonormalWork = 1e8;

// Where each row stands in the parts of the null space.
struct RowPlace {
  int part = -1;
  Eigen::Index row = 0;
};

// W Z over the parts that the rows touch: each row of the null space weighted by a column of `weights`.
MatrixXd nullImage(const std::vector<int>& rows, const MatrixXd& weights, const std::vector<RowPlace>& places,
                   const std::vector<NullPart>& parts) {
  std::map<int, MatrixXd> by_part;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const RowPlace& place = places[at(rows[k])];
    if (place.part < 0) continue;
    const MatrixXd& basis = parts[at(place.part)].basis;
    auto& sum = by_part.try_emplace(place.part, MatrixXd::Zero(weights.rows(), basis.cols())).first->second;
    sum += weights.col(static_cast<Eigen::Index>(k)) * basis.row(place.row);
  }
  Eigen::Index columns = 0;
  for (const auto& [unused, sum] : by_part) columns += sum.cols();
  MatrixXd out(weights.rows(), columns);
  columns = 0;
  for (const auto& [unused, sum] : by_part) {
    out.middleCols(columns, sum.cols()) = sum;
    columns += sum.cols();
  }
  return out;
}

int rankOf(const MatrixXd& small) {
  if (small.size() == 0) return 0;
  const Eigen::JacobiSVD<MatrixXd> svd(small);
  return static_cast<int>((svd.singularValues().array() > kNoPart).count());
}

// c is unique when it is orthogonal to the joint's rows of the null space.          [docs/theory/02, eq. 2.7]
JointReactions reactionsOf(const MobilityProblem& problem, int group_index, const std::vector<RowPlace>& places,
                           const std::vector<NullPart>& parts) {
  const MobilityGroup& group = problem.groups[at(group_index)];
  JointReactions out{group_index, group.rows, {}};
  std::vector<int> rows(at(group.rows));
  std::iota(rows.begin(), rows.end(), group.first_row);
  const MatrixXd null = nullImage(rows, MatrixXd::Identity(group.rows, group.rows), places, parts);
  MatrixXd unique = MatrixXd::Identity(group.rows, group.rows);
  if (null.cols() > 0) {
    const Eigen::JacobiSVD<MatrixXd> svd(null, Eigen::ComputeFullU);
    const auto rank = (svd.singularValues().array() > kNoPart).count();
    unique = svd.matrixU().rightCols(group.rows - rank);
  }
  // Directions that have a name first, as long as they are unique and new; numbers for the rest.
  MatrixXd taken(group.rows, 0);
  const auto take = [&](VectorXd c, const std::string& name) {
    c.normalize();
    if ((c - unique * (unique.transpose() * c)).norm() > kNoPart) return;
    const VectorXd fresh = c - taken * (taken.transpose() * c);
    if (fresh.norm() < 1e-6) return;
    taken.conservativeResize(Eigen::NoChange, taken.cols() + 1);
    taken.rightCols(1) = fresh.normalized();
    std::vector<double> scaled(c.data(), c.data() + c.size());
    out.unique.push_back(describeReaction(problem, group, scaled, name));
  };
  for (int r = 0; r < group.rows; ++r) take(VectorXd::Unit(group.rows, r), "");
  for (const Effort effort : {Effort::force, Effort::moment}) {
    for (const NamedDirection& named : group.directions) {
      const auto c = rowsAlong(problem, group, effort, named.direction);
      if (c) take(Eigen::Map<const VectorXd>(c->data(), static_cast<Eigen::Index>(c->size())), named.words);
    }
  }
  for (Eigen::Index k = 0; k < unique.cols() && taken.cols() < unique.cols(); ++k) {
    VectorXd rest = unique.col(k) - taken * (taken.transpose() * unique.col(k));
    if (rest.norm() > 1e-6) take(rest, "");
  }
  return out;
}

// Wrench of each row on `body` about the ground's origin, moments divided by the reference length, per scaled
// multiplier.
MatrixXd wrenchesOn(const MobilityProblem& problem, int body, const std::vector<int>& rows) {
  MatrixXd out(6, static_cast<Eigen::Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const MobilityRow& row = problem.rows[at(rows[k])];
    const MobilityGroup& group = problem.groups[at(row.group)];
    const Eigen::Vector3d force(row.wrench[0], row.wrench[1], row.wrench[2]);
    const Eigen::Vector3d moment(row.wrench[3], row.wrench[4], row.wrench[5]);
    const Eigen::Vector3d point(group.point[0], group.point[1], group.point[2]);
    const double sign = (group.second == body ? 1.0 : -1.0) * row.scale;
    out.col(static_cast<Eigen::Index>(k)) << sign * force, sign * (moment + point.cross(force)) / problem.length;
  }
  return out;
}

// Joints that are not unique by themselves: those on one body, and those between the same two bodies.
std::vector<UniqueSum> uniqueSums(const MobilityProblem& problem, const std::vector<JointReactions>& reactions,
                                  const std::vector<RowPlace>& places, const std::vector<NullPart>& parts) {
  std::map<int, std::vector<int>> on_body;
  std::map<std::pair<int, int>, std::vector<int>> between;
  for (const JointReactions& joint : reactions) {
    const MobilityGroup& group = problem.groups[at(joint.group)];
    if (joint.all() || group.is_drive || group.first == group.second) continue;
    on_body[group.first].push_back(joint.group);
    on_body[group.second].push_back(joint.group);
    between[std::minmax(group.first, group.second)].push_back(joint.group);
  }
  std::vector<UniqueSum> out;
  std::set<std::vector<int>> seen;
  const auto add = [&](int body, const std::vector<int>& groups) {
    if (groups.size() < 2 || !seen.insert(groups).second) return;
    std::vector<int> rows;
    for (const int g : groups) {
      const MobilityGroup& group = problem.groups[at(g)];
      for (int r = 0; r < group.rows; ++r) rows.push_back(group.first_row + r);
    }
    const MatrixXd wrenches = wrenchesOn(problem, body, rows);
    const int components = rankOf(wrenches);
    const int unique = components - rankOf(nullImage(rows, wrenches, places, parts));
    if (unique > 0) out.push_back({groups, body, components, unique});
  };
  for (const auto& [pair, groups] : between) add(pair.second, groups);
  for (const auto& [body, groups] : on_body) add(body, groups);
  return out;
}

}  // namespace

void splitIntoSets(const MobilityProblem& problem, const std::vector<int>& rows,
                   const std::vector<std::vector<RowShare>>& relations, int block, std::vector<DependentSet>& sets,
                   std::vector<NullPart>& parts) {
  std::vector<int> leader(rows.size());
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](int k) {
    while (leader[at(k)] != k) k = leader[at(k)] = leader[at(leader[at(k)])];
    return k;
  };
  for (const auto& relation : relations) {
    for (const RowShare& share : relation) leader[at(find(share.row))] = find(relation.front().row);
  }
  std::map<int, std::vector<std::size_t>> by_leader;
  for (std::size_t k = 0; k < relations.size(); ++k) by_leader[find(relations[k].front().row)].push_back(k);
  for (const auto& [unused, members] : by_leader) {
    DependentSet set;
    set.block = block;
    NullPart part;
    std::set<int> local;
    for (const std::size_t k : members) {
      for (const RowShare& share : relations[k]) local.insert(share.row);
    }
    std::map<int, Eigen::Index> place;
    for (const int k : local) {
      place.emplace(k, static_cast<Eigen::Index>(place.size()));
      part.rows.push_back(rows[at(k)]);
    }
    MatrixXd z = MatrixXd::Zero(static_cast<Eigen::Index>(local.size()), static_cast<Eigen::Index>(members.size()));
    for (std::size_t m = 0; m < members.size(); ++m) {
      std::vector<RowShare> relation;
      double largest = 0.0;
      for (const RowShare& share : relations[members[m]]) {
        z(place.at(share.row), static_cast<Eigen::Index>(m)) = share.share;
        const int row = rows[at(share.row)];
        relation.push_back({row, share.share * problem.rows[at(row)].scale});  // a multiplier: lambda = s mu
        if (std::abs(relation.back().share) > std::abs(largest) * (1.0 + 1e-9)) largest = relation.back().share;
      }
      for (RowShare& share : relation) share.share /= largest;
      set.relations.push_back(std::move(relation));
    }
    if (static_cast<double>(z.rows()) * static_cast<double>(z.cols() * z.cols()) <= kOrthonormalWork) {
      const Eigen::HouseholderQR<MatrixXd> qr(z);
      part.basis = qr.householderQ() * MatrixXd::Identity(z.rows(), z.cols());
    } else {
      z.colwise().normalize();
      part.basis = std::move(z);
    }
    set.rows = part.rows;
    set.repeats = static_cast<int>(members.size());
    sets.push_back(std::move(set));
    parts.push_back(std::move(part));
  }
}

void findReactions(const MobilityProblem& problem, const std::vector<NullPart>& parts, MobilityReport& report) {
  std::vector<RowPlace> places(problem.rows.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (std::size_t k = 0; k < parts[p].rows.size(); ++k) {
      places[at(parts[p].rows[k])] = {static_cast<int>(p), static_cast<Eigen::Index>(k)};
    }
  }
  for (int g = 0; g < static_cast<int>(problem.groups.size()); ++g) {
    report.reactions.push_back(reactionsOf(problem, g, places, parts));
  }
  report.sums = uniqueSums(problem, report.reactions, places, parts);
}

}  // namespace linkwork
