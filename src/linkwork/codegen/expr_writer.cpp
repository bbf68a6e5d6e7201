#include "linkwork/codegen/expr_writer.hpp"

#include "linkwork/codegen/infix_writer.hpp"

namespace linkwork {

std::string toText(const Expr& e) { return TextWriter().write(e); }

std::string toLatex(const Expr& e) { return LatexWriter().write(e); }

}  // namespace linkwork
