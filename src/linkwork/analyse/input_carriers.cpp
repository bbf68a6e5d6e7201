#include "linkwork/analyse/input_carriers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "linkwork/model/input_names.hpp"
#include "linkwork/model/walk.hpp"

namespace linkwork {

namespace {

bool namesInput(const std::vector<Expr>& formulas, const std::string& name) {
  const auto symbols = symbolsOf(std::span<const Expr>(formulas));
  return std::binary_search(symbols.begin(), symbols.end(), name);
}

}  // namespace

Mechanism withCarriers(const Mechanism& named, double t, std::vector<InputCarrier>& carriers) {
  Mechanism out = named;
  std::map<std::string, Expr> replacements;
  std::vector<Expr> motions;
  for (const Drive& drive : named.drives) {
    for (Expr& motion : formulasOf(drive)) motions.push_back(std::move(motion));
  }
  std::vector<Expr> speeds;
  for (const Joint& joint : named.joints) speeds.push_back(joint.speed);
  for (std::size_t k = 0; k < named.inputs.size(); ++k) {
    const Input& input = named.inputs[k];
    const int orders = namesInput(motions, input.name) ? 3 : namesInput(speeds, input.name) ? 2 : 1;
    carriers.push_back({static_cast<int>(out.bodies.size()), orders});
    const Expr since = Expr::symbol("t") - Expr(t);
    Expr value = input.value;
    for (int half = 0; half < 2; ++half) {
      Body body;
      body.name = fmt::format("#{} {}", half, input.name);
      body.mass = 1.0;
      body.inertia = 1.0;
      body.tensor = Tensor{1.0, 1.0, 1.0, 0.0, 0.0, 0.0};
      body.free = true;
      out.bodies.push_back(body);
    }
    const auto carrier = [&](int half, const char* word) {
      return Expr::symbol(fmt::format("#{} {}.{}", half, input.name, word));
    };
    value += carrier(0, "x");
    value += carrier(0, "y") * since;
    value += carrier(1, "x") * since * since * Expr(0.5);
    replacements.emplace(input.name, value);
  }
  return replaceInputs(std::move(out), replacements);
}

}  // namespace linkwork
