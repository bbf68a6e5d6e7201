#include "linkwork/model/input_names.hpp"

#include "linkwork/model/walk.hpp"

namespace linkwork {

Mechanism replaceInputs(Mechanism named, const std::map<std::string, Expr>& replacements) {
  if (!replacements.empty()) substituteIn(named, replacements);
  return named;
}

Mechanism withInputValues(const Mechanism& named) {
  std::map<std::string, Expr> values;
  for (const Input& input : named.inputs) values.emplace(input.name, input.value);
  return replaceInputs(named, values);
}

}  // namespace linkwork
