// Which samples of two runs stand at the same times, and so can be compared.
//
// Where a load jumps a run has two samples at one time. If it does so when the motion gets somewhere, runs differ a
// little in when that is: such samples have no partner and are passed over. Of two against one at the same time the
// second, right of the jump, has one.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "linkwork/result/result.hpp"

namespace linkwork {

// Numbers of samples in a and in b, in rising order, up to where a sample that is no jump's has no partner.
std::vector<std::pair<std::size_t, std::size_t>> commonSamples(std::span<const double> a, std::span<const double> b);

// Takes from each run the samples of jumps that another one, which gets as far, has not: then sample k is at one time
// in all of them.
void keepCommonSamples(std::span<Result* const> runs);

}  // namespace linkwork
