#include "linkwork/formulation/equations/equations_forms_at.hpp"

#include <algorithm>

#include "linkwork/formulation/tangent_numbers.hpp"

namespace linkwork {

FormsAt formsAt(const EquationsTapes& tapes, std::span<const double> q_t) {
  const auto n = static_cast<Eigen::Index>(tapes.n);
  FormsAt out;
  out.rows.resize(n, n + 1);
  out.slopes.assign(q_t.size(), Eigen::MatrixXd(n, n + 1));
  std::vector<TangentNumber> in(q_t.size()), scratch(tapes.forms.scratchSize()), found(tapes.forms.outputCount());
  for (std::size_t first = 0; first < q_t.size(); first += kTangentDirections) {
    const std::size_t count = std::min<std::size_t>(kTangentDirections, q_t.size() - first);
    hold(q_t, in);
    for (std::size_t k = 0; k < count; ++k) in[first + k].derivatives[k] = 1.0;
    tapes.forms.evaluate<TangentNumber>(in, scratch, found);
    for (Eigen::Index r = 0; r < n; ++r) {
      for (Eigen::Index s = 0; s <= n; ++s) {
        const TangentNumber& entry = s < n ? found[tapes.a.from + static_cast<std::size_t>(r * n + s)]
                                           : found[tapes.a0.from + static_cast<std::size_t>(r)];
        out.rows(r, s) = entry.value;
        for (std::size_t k = 0; k < count; ++k) out.slopes[first + k](r, s) = entry.derivatives[k];
      }
    }
  }
  return out;
}

}  // namespace linkwork
