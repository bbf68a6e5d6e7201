// Which samples of a long run the page holds: evenly spread ones, and those at which something is greatest or least.
#pragma once

#include <cstddef>
#include <vector>

#include "linkwork/result/result.hpp"

namespace linkwork {

// Sample numbers, ascending and never more than `most`, at least two. All of them where there are no more. Else first
// and last, and as far as there is room, in this order
//   - for each series the sample of its least and the sample of its greatest value, and its last one where a run
//   stopped
//     early; for each vector NAME.x, NAME.y, (NAME.z) the sample at which it is longest; bodies after all others: three
//     quarters of the places
//   - both samples of every instant that has two (left and right of a jump): up to seven eighths
//   - evenly spread ones, in half of the places or what is left of them
//   - between two neighbours of the even spread, for each series that leaves the straight line between them by more
//     than a hundredth of its range, the samples of its least and greatest value there
std::vector<std::size_t> pageSamples(const Result& result, std::size_t most);

// The values at these samples.
std::vector<double> picked(const std::vector<double>& values, const std::vector<std::size_t>& samples);

}  // namespace linkwork
