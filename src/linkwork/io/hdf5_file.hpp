// A result as one HDF5 file: a dataset for each series, the rest as attributes. Where Linkwork was built without HDF5
// both functions are there and say so.
#pragma once

#include <string>

#include "linkwork/result/result.hpp"

namespace linkwork {

bool hasHdf5();

// Layout: docs/reference/results.md. The file is put together in memory and replaced as a whole. Empty on success, else
// what went wrong.
std::string writeHdf5(const Result& result, const std::string& path);

}  // namespace linkwork
