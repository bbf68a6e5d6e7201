#include "linkwork/formulation/equations/equations_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "linkwork/base/contract.hpp"
#include "linkwork/base/index.hpp"

namespace linkwork {

namespace {

constexpr const char* kVariants[] = {"corrected", "printed_gamma", "printed_rows", "printed_affine"};

// An entry of the mass matrix that is this small beside what it was before elimination is round-off.
constexpr double kNoMass = 1e-13;

}  // namespace

std::vector<std::string> equationsVariantNames() { return {std::begin(kVariants), std::end(kVariants)}; }

EquationsVariant equationsVariantOf(std::string_view name) {
  const auto found = std::find(std::begin(kVariants), std::end(kVariants), name);
  expect(found != std::end(kVariants), "equationsVariantOf: there is no such variant");
  return static_cast<EquationsVariant>(found - std::begin(kVariants));
}

void choosePivots(std::span<double> a, PivotOrder& order) {
  const std::size_t n = order.row.size();
  order.smallest = 1.0;
  order.worst_row = 0;
  for (std::size_t r = 0; r < n; ++r) {
    order.row[r] = order.column[r] = static_cast<int>(r);
    double length = 0.0;
    for (std::size_t s = 0; s < n; ++s) length += a[r * n + s] * a[r * n + s];
    for (std::size_t s = 0; s < n && length > 0.0; ++s) a[r * n + s] /= std::sqrt(length);
  }
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t row = k;
    std::size_t column = k;
    double greatest = -1.0;
    for (std::size_t i = k; i < n; ++i) {
      for (std::size_t j = k; j < n; ++j) {
        const double size = std::abs(a[at(order.row[i]) * n + at(order.column[j])]);
        if (size > greatest) row = i, column = j, greatest = size;
      }
    }
    std::swap(order.row[k], order.row[row]);
    std::swap(order.column[k], order.column[column]);
    const std::size_t r = at(order.row[k]);
    const std::size_t c = at(order.column[k]);
    if (!(greatest >= order.smallest)) order.smallest = std::max(greatest, 0.0), order.worst_row = order.row[k];
    if (!(greatest > 0.0)) return;
    for (std::size_t i = k + 1; i < n; ++i) {
      const std::size_t other = at(order.row[i]);
      const double share = a[other * n + c] / a[r * n + c];
      for (std::size_t s = 0; s < n; ++s) a[other * n + s] -= share * a[r * n + s];
    }
  }
}

template <class T>
typename EquationsKernel<T>::Work EquationsKernel<T>::makeWork() const {
  const EquationsTapes& t = tapes_;
  const std::size_t n = at(t.n);
  const std::size_t l = at(t.free);
  Work out;
  out.place_in.resize(t.forms.inputCount());
  out.term_in.resize(t.terms.inputCount());
  out.symbol_in.resize(t.symbols.inputCount());
  for (std::vector<T>* inputs : {&out.place_in, &out.term_in, &out.symbol_in}) {
    for (std::size_t k = 0; k < t.letters.size(); ++k) {
      T& letter = (*inputs)[inputs->size() - t.letters.size() + k];
      if constexpr (std::is_same_v<T, Expr>) {
        letter = Expr::symbol(t.letters[k]);
      } else {
        letter = T(t.letter_values[k]);
      }
    }
  }
  out.scratch.resize(std::max({t.forms.scratchSize(), t.terms.scratchSize(), t.symbols.scratchSize()}));
  out.forms.resize(t.forms.outputCount());
  out.terms.resize(t.terms.outputCount());
  out.symbols.resize(t.symbols.outputCount());
  for (std::vector<T>* matrix : {&out.left, &out.b, &out.M}) matrix->resize(n * n);
  for (std::vector<T>* vector :
       {&out.u, &out.c, &out.momentum, &out.h, &out.force, &out.udot, &out.turned, &out.quasi_momentum})
    vector->resize(n);
  out.WV.resize(at(t.components));
  out.acceleration.resize(at(t.components));
  out.MN.resize(n * l);
  out.A.resize(l * l);
  out.L.resize(l * l);
  out.B.resize(l);
  out.wdot.resize(l);
  out.values.resize(n * n);
  out.order.row.resize(n);
  out.order.column.resize(n);
  return out;
}

// b = a^-1, by the pivots that are chosen.
template <class T>
void EquationsKernel<T>::invert(Work& work) const {
  const std::size_t n = at(tapes_.n);
  const std::span<const T> a = block(work.forms, tapes_.a);
  if constexpr (!std::is_same_v<T, Expr>) {
    for (std::size_t k = 0; k < n * n; ++k) work.values[k] = valueOf(a[k]);
    choosePivots(work.values, work.order);
  }
  std::copy(a.begin(), a.end(), work.left.begin());
  // Rows of what becomes the inverse, in `right`; at the end row r of it belongs to the column of its pivot.
  std::vector<T>& right = work.M;
  for (std::size_t k = 0; k < n * n; ++k) right[k] = T(k % (n + 1) == 0 ? 1.0 : 0.0);
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t r = at(work.order.row[k]);
    const std::size_t c = at(work.order.column[k]);
    const T inverse = 1.0 / work.left[r * n + c];
    for (std::size_t s = 0; s < n; ++s) {
      work.left[r * n + s] *= inverse;
      right[r * n + s] *= inverse;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (i == r) continue;
      const T share = work.left[i * n + c];
      for (std::size_t s = 0; s < n; ++s) {
        work.left[i * n + s] -= share * work.left[r * n + s];
        right[i * n + s] -= share * right[r * n + s];
      }
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t s = 0; s < n; ++s) work.b[at(work.order.column[k]) * n + s] = right[at(work.order.row[k]) * n + s];
  }
}

template <class T>
void EquationsKernel<T>::place(const T& t, std::span<const T> q, Work& work) const {
  const std::size_t n = at(tapes_.n);
  std::copy(q.begin(), q.end(), work.place_in.begin());
  work.place_in[n] = t;
  const std::span<T> scratch = std::span(work.scratch).first(tapes_.forms.scratchSize());
  tapes_.forms.evaluate<T>(work.place_in, scratch, work.forms);
  invert(work);
}

template <class T>
void EquationsKernel<T>::move(std::span<const T> w, Work& work) const {
  const std::size_t n = at(tapes_.n);
  const std::span<const T> a0 = block(work.forms, tapes_.a0);
  for (std::size_t s = 0; s < n; ++s) {
    T rate(0.0);
    for (std::size_t r = 0; r < n; ++r) {
      const T z = r < w.size() ? w[r] - a0[r] : -a0[r];
      rate += work.b[s * n + r] * z;
    }
    work.u[s] = rate;
  }
  std::copy_n(work.place_in.begin(), n, work.term_in.begin());
  std::copy(work.u.begin(), work.u.end(), work.term_in.begin() + static_cast<std::ptrdiff_t>(n));
  work.term_in[2 * n] = work.place_in[n];
  const std::span<T> scratch = std::span(work.scratch).first(tapes_.terms.scratchSize());
  tapes_.terms.evaluate<T>(work.term_in, scratch, work.terms);
}

// M, p and h of (2).
template <class T>
void EquationsKernel<T>::inertia(Work& work) const {
  const std::size_t n = at(tapes_.n);
  const std::span<const T> V = block(work.terms, tapes_.V);
  const std::span<const T> J = block(work.terms, tapes_.J);
  const std::span<const T> G = block(work.terms, tapes_.G);
  const std::span<const T> V_t = block(work.terms, tapes_.V_t);
  const std::span<const T> J_dot = block(work.terms, tapes_.J_dot);
  const std::span<const T> weights = block(work.terms, tapes_.weights);
  const std::span<const T> extra = block(work.terms, tapes_.M);
  std::copy(extra.begin(), extra.end(), work.M.begin());
  const std::span<const T> p = block(work.terms, tapes_.p);
  std::copy(p.begin(), p.end(), work.momentum.begin());
  const std::span<const T> h = block(work.terms, tapes_.h);
  std::copy(h.begin(), h.end(), work.h.begin());
  for (const EquationsTapes::Block& one : tapes_.blocks) {
    const std::size_t size = at(one.size);
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t row = at(one.first) + i;
      T WV(0.0);
      T WA(0.0);  // W (G u + V_t)
      for (std::size_t j = 0; j < size; ++j) {
        const std::size_t other = at(one.first) + j;
        const T& weight = weights[one.weight + i * size + j];
        T rate = V_t[other];
        for (std::size_t s = 0; s < n; ++s) rate += G[other * n + s] * work.u[s];
        WV += weight * V[other];
        WA += weight * rate;
        for (std::size_t s = 0; s < n; ++s) {
          const T weighted = J[row * n + s] * weight;
          for (std::size_t m = 0; m < n; ++m) work.M[s * n + m] += weighted * J[other * n + m];
        }
      }
      for (std::size_t s = 0; s < n; ++s) {
        work.momentum[s] += J[row * n + s] * WV;
        work.h[s] += J[row * n + s] * WA + (J_dot[row * n + s] - G[row * n + s]) * WV;
      }
    }
  }
}

// c of (3), and Q - M c - h.
template <class T>
void EquationsKernel<T>::forces(Work& work) const {
  const std::size_t n = at(tapes_.n);
  const std::span<const T> forms_dot = block(work.terms, tapes_.forms_dot);
  const std::span<const T> on_rates = block(work.terms, tapes_.on_rates);
  const std::span<const T> slope = block(work.terms, tapes_.potential_q);
  for (std::size_t s = 0; s < n; ++s) {
    T c(0.0);
    for (std::size_t r = 0; r < n; ++r) c -= work.b[s * n + r] * forms_dot[r];
    work.c[s] = c;
  }
  for (std::size_t s = 0; s < n; ++s) {
    T force = on_rates[s] - slope[s] - work.h[s];
    for (std::size_t m = 0; m < n; ++m) force -= work.M[s * n + m] * work.c[m];
    work.force[s] = force;
  }
}

template <class T>
T EquationsKernel<T>::column(const Work& work, int k, std::span<const T> of) const {
  const std::size_t n = at(tapes_.n);
  T out(0.0);
  for (std::size_t s = 0; s < n; ++s) out += work.b[s * n + at(k)] * of[s];
  return out;
}

// The vector of (11.4) but for b^T, in two parts: what turns with w, and what knows the time, in `symbols`.
template <class T>
void EquationsKernel<T>::contract(std::span<const T> p, std::span<const T> w, Work& work) const {
  const std::size_t n = at(tapes_.n);
  std::copy_n(work.place_in.begin(), n + 1, work.symbol_in.begin());
  std::copy(p.begin(), p.end(), work.symbol_in.begin() + static_cast<std::ptrdiff_t>(n + 1));
  std::copy(w.begin(), w.end(), work.symbol_in.begin() + static_cast<std::ptrdiff_t>(2 * n + 1));
  const std::span<T> scratch = std::span(work.scratch).first(tapes_.symbols.scratchSize());
  tapes_.symbols.evaluate<T>(work.symbol_in, scratch, work.symbols);
}

// (4) holds -gamma as it should be. As printed it holds something else, and the difference is added.
template <class T>
void EquationsKernel<T>::addVariant(EquationsVariant variant, Work& work) const {
  if (variant == EquationsVariant::corrected) return;
  const std::size_t n = at(tapes_.n);
  for (int r = 0; r < tapes_.n; ++r) work.quasi_momentum[at(r)] = column(work, r, work.momentum);
  const auto add = [&](double turning, double drifting) {
    const std::span<const T> turns = block(work.symbols, tapes_.turning);
    const std::span<const T> drifts = block(work.symbols, tapes_.drifting);
    for (std::size_t s = 0; s < n; ++s) work.turned[s] = turning * turns[s] + drifting * drifts[s];
    for (int k = 0; k < tapes_.free; ++k) work.B[at(k)] += column(work, k, work.turned);
  };
  contract(work.quasi_momentum, work.u, work);
  if (variant == EquationsVariant::printed_gamma) return add(2.0, 0.0);
  add(1.0, 1.0);
  if (variant == EquationsVariant::printed_rows) {
    for (std::size_t r = at(tapes_.free); r < n; ++r) work.quasi_momentum[r] = T(0.0);
    contract(work.quasi_momentum, work.u, work);
    add(-1.0, -1.0);
    return;
  }
  // b w instead of b (w - a_0), and nothing that knows the time.
  const std::span<const T> a0 = block(work.forms, tapes_.a0);
  for (std::size_t s = 0; s < n; ++s) {
    T rate = work.u[s];
    for (std::size_t r = 0; r < n; ++r) rate += work.b[s * n + r] * a0[r];
    work.udot[s] = rate;
  }
  contract(work.quasi_momentum, work.udot, work);
  add(-1.0, 0.0);
}

// A = L D L^T, D on the diagonal of L.
template <class T>
bool EquationsKernel<T>::factor(Work& work) const {
  const std::size_t l = at(tapes_.free);
  bool positive = true;
  work.smallest_mass = 1.0;
  for (std::size_t k = 0; k < l; ++k) {
    for (std::size_t i = k; i < l; ++i) {
      T entry = work.A[i * l + k];
      for (std::size_t j = 0; j < k; ++j) entry -= work.L[i * l + j] * work.L[k * l + j] * work.L[j * l + j];
      work.L[i * l + k] = i == k ? entry : entry / work.L[k * l + k];
    }
    if constexpr (!std::is_same_v<T, Expr>) {
      const double whole = valueOf(work.A[k * l + k]);
      const double left = valueOf(work.L[k * l + k]);
      positive = positive && whole > 0.0 && left > kNoMass * whole;
      if (whole > 0.0) work.smallest_mass = std::min(work.smallest_mass, left / whole);
    }
  }
  return positive;
}

template <class T>
void EquationsKernel<T>::accelerate(EquationsVariant variant, Work& work) const {
  const std::size_t n = at(tapes_.n);
  const std::size_t l = at(tapes_.free);
  inertia(work);
  forces(work);
  for (std::size_t s = 0; s < n; ++s) {
    for (std::size_t k = 0; k < l; ++k) {
      T entry(0.0);
      for (std::size_t m = 0; m < n; ++m) entry += work.M[s * n + m] * work.b[m * n + k];
      work.MN[s * l + k] = entry;
    }
  }
  const std::span<const T> on_quasi = block(work.terms, tapes_.on_quasi);
  for (std::size_t k = 0; k < l; ++k) {
    for (std::size_t i = 0; i < l; ++i) {
      T entry(0.0);
      for (std::size_t s = 0; s < n; ++s) entry += work.b[s * n + i] * work.MN[s * l + k];
      work.A[i * l + k] = entry;
    }
    work.B[k] = column(work, static_cast<int>(k), work.force) + on_quasi[k];
  }
  addVariant(variant, work);
  work.positive = factor(work);
  for (std::size_t k = 0; k < l; ++k) {
    work.wdot[k] = work.B[k];
    for (std::size_t j = 0; j < k; ++j) work.wdot[k] -= work.L[k * l + j] * work.wdot[j];
  }
  for (std::size_t k = 0; k < l; ++k) work.wdot[k] /= work.L[k * l + k];
  for (std::size_t k = l; k-- > 0;) {
    for (std::size_t i = k + 1; i < l; ++i) work.wdot[k] -= work.L[i * l + k] * work.wdot[i];
  }
  for (std::size_t s = 0; s < n; ++s) {
    work.udot[s] = work.c[s];
    for (std::size_t k = 0; k < l; ++k) work.udot[s] += work.b[s * n + k] * work.wdot[k];
  }
}

template <class T>
T EquationsKernel<T>::reaction(const Work& work, int row) const {
  const std::size_t n = at(tapes_.n);
  const std::size_t l = at(tapes_.free);
  T out(0.0);
  for (std::size_t s = 0; s < n; ++s) {
    T left = -work.force[s];  // M c + h - Q
    for (std::size_t k = 0; k < l; ++k) left += work.MN[s * l + k] * work.wdot[k];
    out += work.b[s * n + at(row)] * left;
  }
  return out;
}

// Q u + Q* (w - a_0) - (reactions) a_0 + d(T_1 + 2 T_0)/dt - dT/dt + dU/dt, the last two by t alone
template <class T>
T EquationsKernel<T>::power(std::span<const T> w, const Work& work) const {
  const std::size_t n = at(tapes_.n);
  const std::size_t l = at(tapes_.free);
  const std::span<const T> a0 = block(work.forms, tapes_.a0);
  const std::span<const T> on_rates = block(work.terms, tapes_.on_rates);
  const std::span<const T> on_quasi = block(work.terms, tapes_.on_quasi);
  const std::span<const T> by_work = block(work.terms, tapes_.by_work);
  T out = work.terms[tapes_.work_rate.from] + work.terms[tapes_.potential_t.from];
  for (std::size_t s = 0; s < n; ++s) out += on_rates[s] * work.u[s] + by_work[s] * work.udot[s];
  for (std::size_t k = 0; k < l; ++k) out += on_quasi[k] * (w[k] - a0[k]);
  for (int r = tapes_.free; r < tapes_.n; ++r) out -= reaction(work, r) * a0[at(r)];
  return out;
}

template class EquationsKernel<double>;
template class EquationsKernel<Dual<8>>;
template class EquationsKernel<Expr>;

}  // namespace linkwork
