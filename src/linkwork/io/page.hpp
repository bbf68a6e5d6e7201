// The report page: a template with one place for data, filled from a result and its mechanism.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

// The data block of the page (viewer/DATA.md), safe to stand inside a script element.
std::string pageData(const Mechanism& mechanism, const Result& result, const std::vector<std::string>& warnings);

// Empty on success, else what went wrong.
std::string writePage(std::string_view page_template, const std::string& data, const std::string& path);

}  // namespace linkwork
