#include "linkwork/elements/element_set_impl.hpp"

namespace linkwork {

template ElementSet<Planar<double>> compileElements(const Mechanism&, const RowFilter&);
template NamedQuantity<Planar<double>> compileQuantity(const Mechanism&, const Quantity&);
template std::vector<NamedQuantity<Planar<double>>> compileQuantities(const Mechanism&, const std::vector<Quantity>&);
template CompiledExpressions<Planar<double>> compileExpressions(const Mechanism&, const std::vector<Expr>&);
template ElementSet<Spatial<double>> compileElements(const Mechanism&, const RowFilter&);
template NamedQuantity<Spatial<double>> compileQuantity(const Mechanism&, const Quantity&);
template std::vector<NamedQuantity<Spatial<double>>> compileQuantities(const Mechanism&, const std::vector<Quantity>&);
template CompiledExpressions<Spatial<double>> compileExpressions(const Mechanism&, const std::vector<Expr>&);

}  // namespace linkwork
