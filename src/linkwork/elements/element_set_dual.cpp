#include "linkwork/elements/element_set_impl.hpp"

namespace linkwork {

template ElementSet<Planar<Dual<8>>> compileElements(const Mechanism&, const RowFilter&);
template NamedQuantity<Planar<Dual<8>>> compileQuantity(const Mechanism&, const Quantity&);
template std::vector<NamedQuantity<Planar<Dual<8>>>> compileQuantities(const Mechanism&, const std::vector<Quantity>&);
template CompiledExpressions<Planar<Dual<8>>> compileExpressions(const Mechanism&, const std::vector<Expr>&);
template ElementSet<Spatial<Dual<8>>> compileElements(const Mechanism&, const RowFilter&);
template NamedQuantity<Spatial<Dual<8>>> compileQuantity(const Mechanism&, const Quantity&);
template std::vector<NamedQuantity<Spatial<Dual<8>>>> compileQuantities(const Mechanism&, const std::vector<Quantity>&);
template CompiledExpressions<Spatial<Dual<8>>> compileExpressions(const Mechanism&, const std::vector<Expr>&);

}  // namespace linkwork
