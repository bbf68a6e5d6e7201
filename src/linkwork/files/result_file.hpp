// A result as files: CSV for the series, JSON for the ledger and where it came from.
#pragma once

#include <string>

#include "linkwork/result/result.hpp"

namespace linkwork {

// First column "time [s]", then one per series, "crank.x [m]"; numbers read back to the same double. Lines that start
// with # come first: status, settings, provenance. Empty on success, else what went wrong.
std::string writeCsv(const Result& result, const std::string& path);

// The load table: one line for each case, with the whole load at its time.
std::string writeLoadsCsv(const Result& result, const std::string& path);

// "crank.x [m]", the head of its column.
std::string columnHead(const Series& series);

inline constexpr int kResultVersion = 1;  // of the JSON

// Status, settings, provenance, events and the whole ledger.
std::string ledgerJson(const Result& result);

// The same as a file; with an outline of the page (page_file.hpp), the outline and a checksum of what the CSV beside it
// holds: from the two the page can be made again (stored_run.hpp). Empty: neither.
std::string writeLedgerJson(const Result& result, const std::string& page_outline, const std::string& path);

// Of the times and values: "fnv1a64:...".
std::string seriesChecksum(const Result& result);

}  // namespace linkwork
