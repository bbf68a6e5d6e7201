#include "linkwork/read/model_file/bodies_space.hpp"

#include <fmt/format.h>

namespace linkwork::model_file {

namespace {

struct Entry {
  const char* key;
  Value Tensor::*member;
};
constexpr Entry kEntries[] = {{"xx", &Tensor::xx}, {"yy", &Tensor::yy}, {"zz", &Tensor::zz},
                              {"xy", &Tensor::xy}, {"xz", &Tensor::xz}, {"yz", &Tensor::yz}};

}  // namespace

std::optional<Tensor> readTensor(Reader& reader, const Node& node, const std::string& what) {
  Tensor tensor;
  bool good = true;
  const auto read = [&](const Node& value, const Entry& entry, bool diagonal) {
    const std::string of = fmt::format("{} of {}", entry.key, what);
    const auto found =
        diagonal ? reader.notNegative(value, dimension::kInertia, of) : reader.constant(value, dimension::kInertia, of);
    good = good && found;
    if (found) tensor.*entry.member = *found;
  };
  if (node.kind == NodeKind::array && node.children.size() == 3) {
    for (std::size_t k = 0; k < 3; ++k) read(node.children[k], kEntries[k], true);
  } else if (node.kind == NodeKind::table) {
    good = reader.checkKeys(node, what, {"xx", "yy", "zz", "xy", "xz", "yz"});
    for (std::size_t k = 0; k < 6; ++k) {
      const bool diagonal = k < 3;
      const Node* value = diagonal ? reader.required(node, kEntries[k].key, what) : node.find(kEntries[k].key);
      if (value != nullptr) read(*value, kEntries[k], diagonal);
      good = good && (value != nullptr || !diagonal);
    }
  } else {
    reader.wrongType(node, what, "[Jxx, Jyy, Jzz] or a table such as { xx = 1, yy = 1, zz = 2, xy = -0.1 }");
    return std::nullopt;
  }
  return good ? std::optional(tensor) : std::nullopt;
}

void setTensor(Body& body, const Tensor& tensor) {
  body.tensor = tensor;
  body.inertia = tensor.zz;
}

Tensor unitTensor() { return {Value(1.0), Value(1.0), Value(1.0), Value(0.0), Value(0.0), Value(0.0)}; }

}  // namespace linkwork::model_file
