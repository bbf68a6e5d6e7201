// A result as one HDF5 file: a dataset for each series, the rest as attributes, and what the page needs besides. Where
// Linkwork was built without HDF5 the functions are there and say so.
#pragma once

#include <string>
#include <string_view>

#include "linkwork/files/stored_run.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

bool hasHdf5();

// Of the layout in docs/reference/results.md; 2 is the first with a page in it.
inline constexpr int kHdf5Version = 2;
inline constexpr const char* kHdf5Page = "page";  // the dataset with the page's outline (page_file.hpp)

// Behind the last byte that HDF5 knows of stand eight letters and the FNV-1a checksum of all before them (8 bytes,
// lowest first). The library trusts what it reads and can go astray on damaged bytes: with the seal they are found
// before it looks. A program that changes the file through the library drops the seal, and is believed.
inline constexpr std::string_view kHdf5Seal = "linkwork";
std::string hdf5Seal(std::string_view image);

// The file is put together in memory and replaced as a whole. Empty on success, else what went wrong.
std::string writeHdf5(const Result& result, const std::string& page_outline, const std::string& path);

StoredRun readHdf5(const std::string& path);

}  // namespace linkwork
