// Expressions and matrices of expressions as text for a terminal and as LaTeX for a page.
//
// The order of terms and factors follows structure and names only (see expr_order.hpp), so the same equations print the
// same letters in every run. Shared parts are written out wherever they occur: a graph with much sharing makes a long
// text.
#pragma once

#include <string>
#include <string_view>

#include "linkwork/codegen/latex_names.hpp"
#include "linkwork/scalar/expr.hpp"

namespace linkwork {

// Infix with as few brackets as possible; numbers are the shortest that read back to the same double:
// `m1*(x - a*cos(phi2)^2)`.
std::string toText(const Expr& e);

// `m_{1} \left(x - a \cos^{2} \varphi_{2}\right)`
std::string toLatex(const Expr& e);

}  // namespace linkwork
