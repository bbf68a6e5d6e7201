// The page of a report as a file: an outline, which says all but the recorded numbers, is filled with the numbers of a
// result and put into the template; and a page that was written gives its data back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "linkwork/files/page_samples.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

inline constexpr int kPageVersion = 1;  // of viewer/DATA.md

// Of a page's data; with the page's own text, some 0.7 MB, it stays below 12 MB, which a browser opens at once.
inline constexpr std::size_t kMostPageBytes = 11'000'000;

// An outline is one JSON object; report/page.hpp makes them. A result file keeps it, so that the page can be made again
// without the model. Series that are not in the result bring their values along.
bool isPageOutline(const std::string& text);
// Series that were read back, in the order of the outline and with its groups and labels: a page is then thinned as it
// was after the run. Those that the outline does not have come last.
void describeSeries(const std::string& outline, std::vector<Series>& series);

// The data block of the page (viewer/DATA.md), safe to stand inside a script element: an outline with the times and,
// by their names, the values of the result's series put in. Where all of them would take more than `most_bytes`, it
// holds the samples that page_samples.hpp chooses; where no more than a few would fit, fewer series as well, the places
// of bodies before all others, and a warning says so. What the outline says by itself is never cut.
std::string pageData(const std::string& outline, const Result& result, std::size_t most_bytes = kMostPageBytes);

// The data of a page that was written, safe again to stand inside a script element.
struct PageContent {
  std::string problem;  // why there are none; empty: all is there
  std::string data;
  std::vector<double> time;
};
PageContent dataOfPage(std::string_view page);

// Empty on success, else what went wrong.
std::string writePage(std::string_view page_template, const std::string& data, const std::string& path);

}  // namespace linkwork
