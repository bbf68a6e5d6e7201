#include "linkwork/elements/element_set_impl.hpp"

namespace linkwork {

template ElementSet<Spatial<Expr>> compileElements(const Mechanism&, const RowFilter&);
template NamedQuantity<Spatial<Expr>> compileQuantity(const Mechanism&, const Quantity&);
template std::vector<NamedQuantity<Spatial<Expr>>> compileQuantities(const Mechanism&, const std::vector<Quantity>&);
template CompiledExpressions<Spatial<Expr>> compileExpressions(const Mechanism&, const std::vector<Expr>&);

}  // namespace linkwork
