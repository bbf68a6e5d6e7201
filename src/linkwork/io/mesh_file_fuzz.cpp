// libFuzzer entry: any bytes as a mesh file must give a solid or a message, never a crash. The first byte chooses the
// format.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "linkwork/io/mesh_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto format = data[0] % 2 == 0 ? linkwork::MeshFormat::stl : linkwork::MeshFormat::obj;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto parsed = linkwork::parseMesh(bytes, format);
  if (const auto* error = std::get_if<linkwork::MeshError>(&parsed)) {
    if (error->message.empty()) std::abort();
    return 0;
  }
  const auto solid = linkwork::solidOf(std::get<linkwork::TriangleMesh>(parsed));
  if (const auto* found = std::get_if<linkwork::MeshSolid>(&solid)) {
    // What is accepted must be usable.
    if (!(found->solid.mass > 0.0) || !std::isfinite(found->solid.inertia.xx)) std::abort();
  }
  return 0;
}
