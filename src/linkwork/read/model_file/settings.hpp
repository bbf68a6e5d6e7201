// Values of parameters from outside the files, in place of their own.
#pragma once

#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

// Before the main file is read.
void takeSettings(Reader& reader);

// The quantities that the options give a steady motion, as entries of a table.
std::vector<Node> givenNodes(const Reader& reader);

// The settings that may be of parameters of a part with this prefix, under their names in the part: those of `whole`
// itself, in its letters, and those that it was given by a file that includes it.
void passSettings(Reader& whole, const std::string& prefix, Reader& part);

// When the parameters of the main file and of all that it includes are known: reports what none has the name of.
void checkSettings(Reader& reader);

// When all is read: says where each stands that is set, but for those that were found wrong themselves.
void noteSettings(Reader& reader);

}  // namespace linkwork::model_file
