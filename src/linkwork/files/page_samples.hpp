// Which samples of a long run the page holds: evenly spread ones, and those at which something is greatest or least.
#pragma once

#include <cstddef>
#include <vector>

#include "linkwork/result/result.hpp"

namespace linkwork {

// Numbers of a page beyond which it is slow to open: 48 MB, 64 MB as text.
inline constexpr std::size_t kMostPageValues = 6'000'000;

// Sample numbers, ascending. All of them where the series hold at most `most_values` numbers. Else first and last, both
// samples of every instant that has two (left and right of a jump), as many evenly spread ones as fit, and on top
// of that
//   - for each series the sample of its least and the sample of its greatest value,
//     and its last one where a run stopped early;
//     those of bodies as far as places are left, which is so up to some 1,500 series
//   - for each vector NAME.x, NAME.y, (NAME.z) among them, the sample at which it is longest
//   - between two neighbours of the even spread, for each series that leaves the straight line between them by more
//     than a hundredth of its range, the samples of its least and greatest value there, as far as places are left
std::vector<std::size_t> pageSamples(const Result& result, std::size_t most_values = kMostPageValues);

// The values at these samples.
std::vector<double> picked(const std::vector<double>& values, const std::vector<std::size_t>& samples);

}  // namespace linkwork
