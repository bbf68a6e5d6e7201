// What text, LaTeX and MathML have to say about a program, before it is set in type: the same chapters in all three.
#pragma once

#include <string>
#include <vector>

#include "linkwork/codegen/program_steps.hpp"

namespace linkwork {

struct DocumentLine {
  Expr left, right;    // left = right
  std::string remark;  // operations, or a meaning
};

struct DocumentChapter {
  std::string title;
  std::vector<DocumentLine> lines;  // numbered where they are equations
  bool numbered = false;
};

struct DocumentAlias {
  SymbolName name;
  Expr value;
  std::string reason;
};

struct DocumentName {
  ProgramSymbol symbol;
  std::string value;  // of a parameter
};

struct ProgramDocument {
  ProgramSteps steps;       // for the symbols and counts
  EquationProgram program;  // without dead lines
  std::vector<DocumentName> inputs, parameters;
  std::vector<DocumentChapter> chapters;
  std::vector<DocumentAlias> aliases;  // names that stand for another
  std::vector<DocumentAlias> zeros;    // names of what is zero by structure
  std::vector<std::string> counts;     // sentences
};

ProgramDocument documentOf(const EquationProgram& program);

// "1 mul, 2 add"; empty if there are none.
std::string countWords(const OperationCount& count);

}  // namespace linkwork
