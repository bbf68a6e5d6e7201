// Chooses independent coordinates: those in which the allowed motions differ most.
//
//   (1)  N: n x f, its columns span the motions with Phi_q d = 0
//   (2)  f rows of N are picked one after the other, each the longest of what the rows picked before leave of it: a QR
//        factorisation of N^T with column pivoting.
//
// With these coordinates as the independent ones, -Phi_u^-1 Phi_v = N_u N_v^-1 has no large entries: the same as
// picking the dependent ones by pivots of Phi_q.                                               [docs/theory/01,
// eq. 1.40]
#pragma once

#include <cstdint>
#include <span>

namespace linkwork {

// basis: `count` vectors, each as long as `independent`, one after the other; overwritten. direction: `count` numbers
// of scratch. Marks `count` coordinates with 1, the others with 0. Returns the length of the shortest row picked: 1 at
// best, 0 where the vectors are dependent.
double chooseIndependent(std::span<double> basis, int count, std::span<double> direction,
                         std::span<std::uint8_t> independent);

}  // namespace linkwork
