#include "linkwork/formulation/absolute/absolute_tangent.hpp"

namespace linkwork {

template std::unique_ptr<JacobianProduct> StabilisedSystem<BasicAbsoluteSystem<Planar<double>>>::makeProduct() const;
template std::unique_ptr<JacobianProduct> StabilisedSystem<BasicAbsoluteSystem<Spatial<double>>>::makeProduct() const;

}  // namespace linkwork
