// Slow to compile (14 s on a busy machine): Eigen's SparseLU for real and complex numbers, once for all who solve.
#include "linkwork/linalg/sparse_lu.hpp"

#include <Eigen/SparseLU>

namespace linkwork {

template <class Number>
struct BasicSparseLu<Number>::Factors {
  Eigen::SparseLU<Matrix> lu;
  bool analysed = false;
};

template <class Number>
BasicSparseLu<Number>::BasicSparseLu() : factors_(std::make_unique<Factors>()) {}
template <class Number>
BasicSparseLu<Number>::~BasicSparseLu() = default;

template <class Number>
bool BasicSparseLu<Number>::factor(const Matrix& a) {
  if (!factors_->analysed) factors_->lu.analyzePattern(a);
  factors_->analysed = true;
  factors_->lu.factorize(a);
  return factors_->lu.info() == Eigen::Success;
}

template <class Number>
void BasicSparseLu<Number>::solve(const Vector& b, Vector& x) const {
  x = factors_->lu.solve(b);
}

template class BasicSparseLu<double>;
template class BasicSparseLu<std::complex<double>>;

}  // namespace linkwork
