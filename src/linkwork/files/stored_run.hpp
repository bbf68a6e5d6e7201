// A run read back from its files, to make its page again without the model: HDF5, JSON with the CSV beside it, or the
// page itself.
#pragma once

#include <string>

#include "linkwork/files/page_file.hpp"
#include "linkwork/result/result.hpp"

namespace linkwork {

// Files of another version, those that are cut short and those that are none of ours are told apart in `problem`, each
// with a way out.
struct StoredRun {
  std::string problem;  // a sentence that names the file; empty: all is there
  std::string page_outline;
  Result result;  // time, and the series without units; nothing else
  // Of a page: its data, thinned as they are; there is no outline then, and of the result only the time.
  std::string page_data;

  // What the page is made from (page_file.hpp).
  std::string data() const { return page_data.empty() ? pageData(page_outline, result) : page_data; }
};

// By the ending: .json and .csv, .html, else HDF5.
StoredRun readStored(const std::string& path);

}  // namespace linkwork
