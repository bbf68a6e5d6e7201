// ProgramFormulas: the formulas of a program in the letters of its text.
#pragma once

#include <string>
#include <vector>

#include "linkwork/codegen/infix_writer.hpp"
#include "linkwork/codegen/program_names.hpp"

namespace linkwork {

class ProgramFormulas final : public TextWriter {
 public:
  // Keeps a reference to the program.
  explicit ProgramFormulas(const EquationProgram& program) : program_(program), separated_(needsSeparators(program)) {}

  std::string name(const SymbolName& name) const { return textName(name, separated_); }
  std::string symbolText(const std::string& internal) const override {
    return program_.knows(internal) ? name(program_.symbols()[program_.rankOf(internal)].name) : internal;
  }

 protected:
  std::string times() const override { return " "; }
  void arrange(std::vector<Fraction>& terms) const override { arrangeForReading(program_, terms); }

 private:
  const EquationProgram& program_;
  bool separated_;
};

}  // namespace linkwork
