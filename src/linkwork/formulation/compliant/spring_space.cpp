#include "linkwork/formulation/compliant/spring_space.hpp"

#include "linkwork/model/compliance.hpp"

namespace linkwork {

namespace {

std::array<double, 3> inGround(const Vec2<double>& v) { return {v.x, v.y, 0.0}; }
std::array<double, 3> inGround(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

}  // namespace

template <class G>
void SpringSpace<G>::collect() {
  directions_.clear();
  for (const auto& placed : observer_.equations().elements().template loadsOf<CompliantJoint<G>>()) {
    const Joint& joint = mechanism_.joints[at(placed.joint)];
    const HeldDirections held = heldDirections(joint.kind, mechanism_.space);
    const auto& element = placed.element;
    const auto& xi = work_.eq.x[at(placed.i)];
    const auto& xj = work_.eq.x[at(placed.j)];
    const auto P_in_i = xi.R.inverseTimes(G::pointIn(xj, element.b.point) - xi.r);
    for (std::size_t k = 0; k < CompliantJoint<G>::kDims; ++k) {
      if (!held.slides[k]) continue;
      const auto n = element.in_ground_axes ? G::unit(static_cast<int>(k)) : xi.R * element.a.axes[k];
      directions_.push_back({placed.joint, false, k, placed.i, placed.j,
                             negated(std::array<Row, 1>{G::pointRow(xi, P_in_i, n)})[0],
                             G::pointRow(xj, element.b.point, n), inGround(n), joint.compliance->stiffness[k].number});
    }
    for (std::size_t k = 0; k < 3; ++k) {
      if (!held.turns[k]) continue;
      Direction out{placed.joint, true, k, placed.i, placed.j};
      out.stiffness = joint.compliance->rotational_stiffness[k].number;
      if constexpr (G::kSpatial) {
        const auto n = xi.R * element.a.axes[k];
        const auto on_i = xi.R.inverseTimes(n);
        const auto on_j = xj.R.inverseTimes(n);
        out.on_i = {0.0, 0.0, 0.0, -on_i.x, -on_i.y, -on_i.z};
        out.on_j = {0.0, 0.0, 0.0, on_j.x, on_j.y, on_j.z};
        out.in_ground = inGround(n);
      } else {
        out.on_i = {0.0, 0.0, -1.0};
        out.on_j = {0.0, 0.0, 1.0};
        out.in_ground = {0.0, 0.0, 1.0};
      }
      directions_.push_back(out);
    }
  }
}

template <class G>
double SpringSpace<G>::freeAnswer(const Direction& direction) const {
  double sum = 0.0;
  for (const auto& [body, row] : {std::pair(direction.i, &direction.on_i), std::pair(direction.j, &direction.on_j)}) {
    if (body >= observer_.equations().bodies()) continue;
    // The diagonal of the mass matrix stands first.
    const auto mass = G::massValues(observer_.equations().elements().body[at(body)]);
    for (std::size_t k = 0; k < row->size(); ++k) {
      if (mass[k] > 0.0) sum += (*row)[k] * (*row)[k] / mass[k];
    }
  }
  return sum > 0.0 ? sum : 1.0;
}

template class SpringSpace<Planar<double>>;
template class SpringSpace<Spatial<double>>;

}  // namespace linkwork
