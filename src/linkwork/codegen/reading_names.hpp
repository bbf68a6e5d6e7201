// Names for what would make a formula too wide to be read: in text, LaTeX and MathML only.
//
// A length that the model file gives as a formula of parameters comes into every line that uses it, and a line made of
// such lines gets wider than any page. Two kinds of parts get a name: what is made of parameters alone and is long
// (k_1, k_2, ... in a chapter of their own), and long parts in brackets (z_1, z_2, ..., each before the line that first
// needs it). Program code has names of its own for both (program_steps.hpp).
#pragma once

#include "linkwork/codegen/program_document.hpp"

namespace linkwork {

// Changes the chapters, and the outputs, equations and solve block of the document's program.
void nameWideParts(ProgramDocument& document);

}  // namespace linkwork
