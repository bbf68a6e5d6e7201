#include "linkwork/report/page_relations.hpp"

#include <fmt/format.h>

#include "linkwork/codegen/expr_writer.hpp"

namespace linkwork {

namespace {

using Json = nlohmann::ordered_json;

// Of a joint or a body: its name, and what stands after the dot of the quantity's.
Json termJson(const Mechanism& mechanism, const Quantity& quantity, Json coefficient) {
  const std::string name = quantityName(mechanism, quantity);
  const bool of_joint = isOfJoint(quantity.kind);
  const auto index = static_cast<std::size_t>(quantity.index);
  const std::string& owner = of_joint ? mechanism.joints[index].name : mechanism.bodies[index].name;
  return {{of_joint ? "joint" : "body", owner},
          {"coordinate", name.substr(owner.size() + 1)},
          {"coefficient", std::move(coefficient)}};
}

// A formula has no coefficients, only coordinates that occur in it.
Json termsJson(const Mechanism& mechanism, const Joint& joint) {
  Json out = Json::array();
  for (const Term& term : joint.terms) out.push_back(termJson(mechanism, term.quantity, term.coefficient.number));
  if (joint.kind != JointKind::expression) return out;
  for (const std::string& name : symbolsOf(joint.expression)) {
    const std::optional<Quantity> quantity = findQuantity(mechanism, name);
    if (quantity && quantity->kind != QuantityKind::time) out.push_back(termJson(mechanism, *quantity, nullptr));
  }
  return out;
}

}  // namespace

Json relationsJson(const Mechanism& mechanism) {
  Json out = Json::array();
  for (const Joint& joint : mechanism.joints) {
    if (!isRelation(joint.kind)) continue;
    out.push_back({{"name", joint.name},
                   {"kind", wordFor(joint.kind)},
                   {"line", joint.source.line},
                   {"text", fmt::format("{} = 0", toText(relationOf(mechanism, joint)))},
                   {"terms", termsJson(mechanism, joint)}});
  }
  return out;
}

}  // namespace linkwork
