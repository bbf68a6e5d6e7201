// The page of a comparison: that of its reference run, with the verdict, the differences over time and the tables.
#pragma once

#include <string>
#include <vector>

#include "linkwork/files/compare_file.hpp"
#include "linkwork/model/mechanism.hpp"

namespace linkwork {

// The data block (files/page_file.hpp). Without a reference, because no run came further than its start, there is no
// motion in it.
std::string comparePageData(const CompareReport& report, const Mechanism& mechanism,
                            const std::vector<std::string>& warnings);

}  // namespace linkwork
