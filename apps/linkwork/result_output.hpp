// The files that verbs leave, and the page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "verbs.hpp"

namespace linkwork::app {

struct ResultFiles {
  std::string base;  // the files' path but for their endings
  bool csv = true;
  bool hdf5 = false;
  bool page = true;
  bool quiet = false;  // do not say where they are
};

// Whether these files can be written, tried before the time of a run is spent; if not, says so as `verb`. Empty paths
// are passed over.
bool canBeWritten(std::string_view verb, const std::vector<std::string>& paths);
std::vector<std::string> pathsOf(const ResultFiles& files);

// Writes what is asked for; prints where it is, or why it is not. False where something could not be written.
bool writeFiles(const Mechanism& mechanism, const Result& result, const Diagnostics& diagnostics,
                const ResultFiles& files);

// The page with these data (files/page_file.hpp). Empty on success, else what went wrong; always so where the program
// was built without the page.
bool hasPage();
std::string writePageFile(const std::string& data, const std::string& path);

// Those for the page.
std::vector<std::string> warningsOf(const Diagnostics& diagnostics);

// FOLDER/NAME of the model file without its ending.
std::string resultBase(const std::string& folder, const std::string& model_file);

// Asked between steps; installs handlers for Ctrl-C and termination at the first call.
bool interruptRequested();

}  // namespace linkwork::app
