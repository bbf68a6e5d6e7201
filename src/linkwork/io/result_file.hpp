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

// Status, settings, provenance, events and the whole ledger.
std::string writeLedgerJson(const Result& result, const std::string& path);
std::string ledgerJson(const Result& result);

}  // namespace linkwork
