#include "linkwork/formulation/recursive/recursive_tangent.hpp"

namespace linkwork {

template std::unique_ptr<JacobianProduct> StabilisedSystem<RecursiveSystem<Planar<double>>>::makeProduct() const;
template std::unique_ptr<JacobianProduct> StabilisedSystem<RecursiveSystem<Spatial<double>>>::makeProduct() const;

}  // namespace linkwork
