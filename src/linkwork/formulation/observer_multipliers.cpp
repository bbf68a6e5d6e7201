// Multipliers for formulations that do not solve for those of every row.
#include <algorithm>

#include "linkwork/formulation/observer.hpp"
#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {

// [ M  Phi_q^T ; Phi_q  0 ] [ y ; lambda ] = [ M a - Q ; 0 ]: y = 0 where M a - Q is a sum of reactions.
template <class G>
void Observer<G>::multipliersOf(std::span<const double> a, Work& work, std::span<double> lambda) const {
  std::vector<double> f(a.size(), 0.0);
  for (int b = 0; b < equations_.bodies(); ++b) {
    const auto own = std::span(f).subspan(at(G::kFreedoms * b), at(G::kFreedoms));
    G::put(-work.eq.Q[at(b)], own);
    const auto rates = a.subspan(at(G::kFreedoms * b), at(G::kFreedoms));
    const auto mass = G::massValues(equations_.elements().body[at(b)]);
    for (std::size_t e = 0; e < mass.size(); ++e) {
      const auto [row, column] = G::kMassEntries[e];
      own[at(row)] += mass[e] * rates[at(column)];
      if (row != column) own[at(column)] += mass[e] * rates[at(row)];
    }
  }
  std::fill(lambda.begin(), lambda.end(), 0.0);
  work.kkt.solve(f, lambda);
}

template <class G>
void Observer<G>::setMultipliers(std::span<const int> groups, int on, std::span<const double> wrench, const Work& work,
                                 std::span<double> lambda) const {
  // Phi_q^T lambda = wrench, with the columns of this body alone.
  int count = 0;
  for (const int g : groups) count += equations_.elements().groups[at(g)].rows;
  if (count == 0) return;
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(G::kFreedoms, count);
  const auto forEachRow = [&](const auto& visit) {
    int column = 0;
    for (const int g : groups) {
      const RowGroup& group = equations_.elements().groups[at(g)];
      for (int row = group.first_row; row < group.first_row + group.rows; ++row) visit(row, column++);
    }
  };
  forEachRow([&](int row, int column) {
    for (int p = equations_.rowStart()[at(row)]; p < equations_.rowStart()[at(row) + 1]; ++p) {
      if (equations_.rowBodies()[at(p)] != on) continue;
      for (int k = 0; k < G::kFreedoms; ++k) columns(k, column) += work.eq.jacobian[at(G::kFreedoms * p + k)];
    }
  });
  const Eigen::VectorXd right = Eigen::Map<const Eigen::VectorXd>(wrench.data(), G::kFreedoms);
  const Eigen::VectorXd solution = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(columns).solve(right);
  forEachRow([&](int row, int column) { lambda[at(row)] = solution[column]; });
}

template void Observer<Planar<double>>::multipliersOf(std::span<const double>, Work&, std::span<double>) const;
template void Observer<Planar<double>>::setMultipliers(std::span<const int>, int, std::span<const double>, const Work&,
                                                       std::span<double>) const;
template void Observer<Spatial<double>>::multipliersOf(std::span<const double>, Work&, std::span<double>) const;
template void Observer<Spatial<double>>::setMultipliers(std::span<const int>, int, std::span<const double>, const Work&,
                                                        std::span<double>) const;

}  // namespace linkwork
