// Where a result comes from: the program, the model file, and what was set in it from outside.
#pragma once

#include <string>

#include "linkwork/result/setting.hpp"

namespace linkwork {

struct Mechanism;

// Of all the text that the mechanism was read from; a file without includes has the hash of its own text.
std::string fingerprint(const Mechanism& mechanism);

// Program, model file and its fingerprint, by name.
Settings provenanceOf(const Mechanism& mechanism);

// The parameters that do not have the file's own values: {"parameter L", "12 mm"}.
Settings parametersSet(const Mechanism& mechanism);
// The same as a sentence; empty where there are none.
std::string parametersSetInWords(const Mechanism& mechanism);
// The same as options of the command line, quoted for a shell: " --set 'L=12 mm'".
std::string parametersSetAsOptions(const Mechanism& mechanism);

}  // namespace linkwork
