// A comparison as files: differences over time as CSV and as a drawing, everything as JSON, a report to cite.
#pragma once

#include <string>

#include "linkwork/study/converge.hpp"

namespace linkwork {

// What there is to write: the comparison, and how it converged where that was asked for.
struct CompareReport {
  std::string name;  // of the mechanism
  const Comparison* comparison = nullptr;
  const Convergence* convergence = nullptr;  // null: not asked for
};

std::string compareJson(const CompareReport& report);

// Markdown: verdict, tables, what did not apply and why, versions and settings.
std::string compareMarkdown(const CompareReport& report);

// Each empty on success, else what went wrong. CSV: time, then the greatest relative difference of each aspect for each
// run that can be compared, and its drift.
std::string writeCompareCsv(const CompareReport& report, const std::string& path);
std::string writeCompareText(const std::string& text, const std::string& path);

}  // namespace linkwork
