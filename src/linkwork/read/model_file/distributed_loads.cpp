// { force_per_length = [0, -3], on = "beam" }: a load spread along a flexible link, as its resultant on each element.
#include "linkwork/read/model_file/distributed_loads.hpp"

#include <fmt/format.h>

namespace linkwork::model_file {

bool readForcePerLength(Reader& reader, const Node& entry, const std::string& what) {
  bool good = reader.checkKeys(entry, what, {"force_per_length", "on", "axes"});
  const Node& list = *entry.find("force_per_length");
  const std::size_t components = reader.inSpace() ? 3 : 2;
  std::array<Expr, 3> per_length{Expr{0.0}, Expr{0.0}, Expr{0.0}};
  if (list.kind != NodeKind::array || list.children.size() != components) {
    reader.wrongType(list, "force_per_length of " + what,
                     reader.inSpace() ? "a list of three, [x, y, z]" : "a list of two, [x, y]");
    return false;
  }
  for (std::size_t i = 0; i < components; ++i) {
    const auto component =
        reader.formula(list.children[i], dimension::kForce / dimension::kLength,
                       fmt::format("{} of force_per_length of {}", "xyz"[i], what), Level::quantities);
    if (component) per_length[i] = *component;
    good = good && component;
  }
  Axes axes = Axes::ground;
  if (const Node* node = entry.find("axes")) {
    const auto word = reader.choice(*node, "axes of " + what, {"ground", "body"});
    if (word && *word == 1) axes = Axes::body;
    good = good && word;
  }
  const Node* on = reader.required(entry, "on", what, "Name a flexible link: on = \"beam\".");
  if (on == nullptr) return false;
  const auto end = reader.end(*on, "on of " + what);
  if (!end || end->broken) return false;
  if (end->link == nullptr) {
    reader.error(on->source,
                 fmt::format("{}: force_per_length is for flexible links, and \"{}\" is {}.", what, on->text,
                             end->frame ? "a point" : "none"),
                 "Give force = [..] on a rigid body.");
    return false;
  }
  if (!good) return false;
  const KnownLink& link = *end->link->link;
  for (std::size_t k = 0; k < link.elements.size(); ++k) {
    Load load;
    load.name = fmt::format("{}:{}", entry.key, k);
    load.kind = LoadKind::force;
    load.source = entry.key_source;
    load.second = link.elements[k];
    load.axes = axes;
    for (std::size_t i = 0; i < components; ++i) load.force[i] = per_length[i] * link.lengths[k].expr;
    for (std::size_t c = 0; c < 3; ++c) load.on_second.point[c] = minus(link.middles[k][c], link.origins[k][c]);
    reader.mechanism.loads.push_back(std::move(load));
  }
  return true;
}

}  // namespace linkwork::model_file
