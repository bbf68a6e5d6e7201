// libFuzzer entry: any bytes as a mesh file, STL as well as OBJ, must give a solid or a message, never a crash.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "linkwork/read/mesh_file.hpp"

namespace {

void tryAs(std::string_view bytes, linkwork::MeshFormat format) {
  const auto parsed = linkwork::parseMesh(bytes, format);
  if (const auto* error = std::get_if<linkwork::MeshError>(&parsed)) {
    if (error->message.empty()) std::abort();
    return;
  }
  const auto solid = linkwork::solidOf(std::get<linkwork::TriangleMesh>(parsed));
  if (const auto* found = std::get_if<linkwork::MeshSolid>(&solid)) {
    // What is accepted must be usable.
    if (!(found->solid.mass > 0.0) || !std::isfinite(found->solid.inertia.xx)) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  tryAs(bytes, linkwork::MeshFormat::stl);
  tryAs(bytes, linkwork::MeshFormat::obj);
  return 0;
}
