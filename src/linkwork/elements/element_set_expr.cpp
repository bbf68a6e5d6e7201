#include "linkwork/elements/element_set_impl.hpp"

namespace linkwork {

template ElementSet<Planar<Expr>> compileElements(const Mechanism&, const RowFilter&);
template NamedQuantity<Planar<Expr>> compileQuantity(const Mechanism&, const Quantity&);
template std::vector<NamedQuantity<Planar<Expr>>> compileQuantities(const Mechanism&, const std::vector<Quantity>&);
template CompiledExpressions<Planar<Expr>> compileExpressions(const Mechanism&, const std::vector<Expr>&);

}  // namespace linkwork
