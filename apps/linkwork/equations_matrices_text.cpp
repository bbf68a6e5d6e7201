#include "equations_matrices_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "linkwork/codegen/explain_table.hpp"
#include "linkwork/codegen/text_table.hpp"

namespace linkwork::app {

namespace {

std::string matrixText(const NamedNumbers& matrix) {
  std::string out = matrix.name;
  if (!matrix.meaning.empty()) out += "  " + matrix.meaning;
  out += "\n";
  const std::size_t columns = matrix.columnCount();
  double largest = 0.0;
  for (const double entry : matrix.entries) largest = std::max(largest, std::abs(entry));
  TextTable table;
  if (!matrix.columns.empty()) {
    table.push_back({""});
    table.back().insert(table.back().end(), matrix.columns.begin(), matrix.columns.end());
  }
  for (std::size_t r = 0; r < matrix.rows.size(); ++r) {
    auto& row = table.emplace_back();
    row.push_back(matrix.rows[r]);
    for (std::size_t c = 0; c < columns; ++c) {
      const double entry = matrix.entries[r * columns + c];
      const bool zero = std::abs(entry) <= kTableRoundoff * largest;
      row.push_back(fmt::format("{:.10g}", zero ? 0.0 : entry));
    }
  }
  for (const std::string& line : alignedLines(table, Align::right)) out += withoutTrailingSpaces("    " + line) + "\n";
  return out;
}

}  // namespace

std::string matricesText(const std::vector<MatrixGroup>& groups) {
  std::string out;
  for (const MatrixGroup& group : groups) {
    if (!out.empty()) out += "\n";
    out += fmt::format("{}\n{}\n", group.title, std::string(columnsOf(group.title), '='));
    if (!group.words.empty()) out += group.words + "\n";
    for (const NamedNumbers& matrix : group.matrices) out += "\n" + matrixText(matrix);
  }
  return out;
}

namespace {

using Names = std::vector<std::string>;

NamedNumbers named(std::string name, std::string meaning, const Eigen::MatrixXd& matrix, Names rows, Names columns) {
  NamedNumbers out{std::move(name), std::move(meaning), std::move(rows), std::move(columns), {}};
  for (Eigen::Index r = 0; r < matrix.rows(); ++r) {
    for (Eigen::Index c = 0; c < matrix.cols(); ++c) out.entries.push_back(matrix(r, c));
  }
  return out;
}

struct Labels {
  Names all, free, coordinates;

  explicit Labels(const EquationsModel& model) {
    for (const EquationsCoordinate& q : model.coordinates) coordinates.push_back(q.name);
    for (const EquationsForm& form : model.quasi_velocities) free.push_back(form.name);
    all = free;
    for (const EquationsForm& form : model.constraints) all.push_back(form.name);
  }
};

void addPartial(const char* letter, const char* mass, const PartialVelocities& of, const Labels& labels,
                std::vector<NamedNumbers>& out) {
  if (of.V.size() == 0) return;
  Names axes;
  for (Eigen::Index k = 0; k < of.V.size(); ++k) axes.push_back(fmt::format("{}{}", letter, k + 1));
  const auto put = [&](const char* index, const std::string& meaning, const Eigen::MatrixXd& matrix, const Names& rows,
                       const Names& columns) {
    out.push_back(named(fmt::format("{}{}", letter, index), meaning, matrix, rows, columns));
  };
  put("_P", fmt::format("d{}/dw", letter), of.P, axes, labels.all);
  put("_R", fmt::format("part of {} without w", letter), of.R, axes, {});
  put("", "", of.V, axes, {});
  put("_Q", fmt::format("{}_P^T {}", letter, mass), of.Q, labels.all, axes);
  put("_Pi", fmt::format("d{}/dpi {}", letter, mass), of.Pi, labels.free, axes);
  put("_PP", fmt::format("d({}_P)/dt", letter), of.PP, axes, labels.all);
  put("_QP", fmt::format("d({}_Q)/dt", letter), of.QP, labels.free, axes);
  put("_RP", fmt::format("d({}_R)/dt", letter), of.RP, axes, {});
}

}  // namespace

std::vector<MatrixGroup> equationsMatrixGroups(const EquationsModel& model, const EquationsMatrices& of) {
  const Labels labels(model);
  std::vector<MatrixGroup> out;
  for (std::size_t k = 0; k < of.bodies.size(); ++k) {
    const EquationsMatrices::Body& body = of.bodies[k];
    MatrixGroup& group = out.emplace_back();
    group.title = fmt::format("body \"{}\"", body.name);
    if (!model.bodies[k].kinetic_energy.isNumber(0.0))
      group.words = "Its kinetic energy, or a part of it, is a formula: that is in T_Q, T_Pi, C and A alone.";
    addPartial("V", "M", body.velocity, labels, group.matrices);
    addPartial("Omega", "J", body.angular, labels, group.matrices);
  }
  MatrixGroup& common = out.emplace_back();
  common.title = "quasi-velocities and forces";
  common.matrices.push_back(named("w", "the constraints' are zero", of.w, labels.all, {}));
  common.matrices.push_back(named("R", "w = R dq/dt + a_0", of.R, labels.all, labels.coordinates));
  common.matrices.push_back(named("a_0", "", of.a_0, labels.all, {}));
  common.matrices.push_back(named("Q", "", of.Q, labels.free, {}));
  for (std::size_t r = 0; r < of.Gamma.size(); ++r) {
    common.matrices.push_back(named(fmt::format("Gamma({})", labels.all[r]), "gamma^r_alpha,k: rows k, columns alpha",
                                    of.Gamma[r], labels.free, labels.all));
  }
  common.matrices.push_back(named("Gamma_0", "gamma^r_0,k: rows r, columns k", of.Gamma_0, labels.all, labels.free));
  MatrixGroup& sums = out.emplace_back();
  sums.title = "equations A dw/dt = B";
  sums.words = "B = -C + T_Pi - T_Q (Gamma w + Gamma_0) + Q, sums over the bodies.";
  sums.matrices.push_back(named("T_Q", "dT/dw, all rows", of.T_Q, labels.all, {}));
  sums.matrices.push_back(named("T_Pi", "dT/dpi", of.T_Pi, labels.free, {}));
  sums.matrices.push_back(named("C", "d(T_Q)/dt at dw/dt = 0", of.C, labels.free, {}));
  sums.matrices.push_back(named("A", "", of.A, labels.free, labels.free));
  sums.matrices.push_back(named("B", "", of.B, labels.free, {}));
  return out;
}

}  // namespace linkwork::app
