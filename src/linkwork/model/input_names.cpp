#include "linkwork/model/input_names.hpp"

namespace linkwork {

Mechanism replaceInputs(Mechanism named, const std::map<std::string, Expr>& replacements) {
  if (replacements.empty()) return named;
  const auto replace = [&](Expr& formula) { formula = substitute(formula, replacements); };
  for (Drive& drive : named.drives) replace(drive.motion);
  for (Load& load : named.loads) {
    for (Expr& component : load.force) replace(component);
    replace(load.moment);
  }
  for (Output& output : named.outputs) replace(output.value);
  for (Event& event : named.events) replace(event.when);
  return named;
}

Mechanism withInputValues(const Mechanism& named) {
  std::map<std::string, Expr> values;
  for (const Input& input : named.inputs) values.emplace(input.name, input.value);
  return replaceInputs(named, values);
}

}  // namespace linkwork
