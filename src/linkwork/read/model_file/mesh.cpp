#include "linkwork/read/model_file/mesh.hpp"

#include <fmt/format.h>

#include "linkwork/read/mesh_file.hpp"
#include "linkwork/read/model_file/include.hpp"

namespace linkwork::model_file {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostMeshBytesTogether = std::size_t{256} << 20;

std::string hintFor(std::string_view message) {
  if (message.starts_with("the mesh is open"))
    return "Close its holes in the program that made it, or give mass, com and inertia.";
  if (message.starts_with("the mesh is wound")) return "Let the program that made it point all normals outside.";
  return {};
}

class MeshReader {
 public:
  MeshReader(Reader& reader, const Node& node, const std::string& what)
      : reader_(reader), node_(node), what_(fmt::format("mesh of {}", what)) {}

  std::optional<MeshEntry> read() {
    if (!reader_.checkTable(node_, what_, "a table such as { file = \"part.stl\", scale = \"1 mm\" }"))
      return std::nullopt;
    bool good = reader_.checkKeys(node_, what_, {"file", "scale", "density", "mass"});
    const Node* file = reader_.required(node_, "file", what_);
    std::optional<Value> scale(1.0);
    if (const Node* node = node_.find("scale"))
      scale = reader_.positive(*node, dimension::kLength, "scale of " + what_);
    good = good && scale && file != nullptr;
    if (file == nullptr) return std::nullopt;
    const auto name = reader_.word(*file, "file of " + what_);
    if (!name) return std::nullopt;
    const Files::Mesh* mesh = load(*file, *name);
    if (mesh == nullptr || !good) return std::nullopt;
    remark(*file, *name, *mesh->solid);
    MeshEntry entry = scaled(*mesh->solid, *scale);
    entry.shape.mesh_file = mesh->file_name;
    entry.shape.mesh_scale = scale->number;
    return entry;
  }

 private:
  std::nullptr_t refuse(const Node& file, const std::string& why, std::string hint = {}) {
    reader_.error(file.source, fmt::format("{}: {}.", what_, why), std::move(hint));
    return nullptr;
  }

  // Each file is read once, also if many bodies are made of it.
  const Files::Mesh* load(const Node& file, const std::string& name) {
    const FileSearch& found = reader_.session.files.find(*file.source.file, name);
    if (!found.problem.empty()) return refuse(file, found.problem, found.hint);
    const std::optional<MeshFormat> format = meshFormatOf(name);
    if (!format) return refuse(file, fmt::format("\"{}\" is of no known kind", name), "Meshes are .stl or .obj files.");
    const auto [place, is_new] = reader_.session.files.meshes.try_emplace(found.path);
    Files::Mesh& mesh = place->second;
    if (is_new) mesh = parse(found, name, *format);
    if (!mesh.solid) return refuse(file, mesh.problem, mesh.hint);
    listIncluded(reader_.session, mesh.file_name, *reader_.session.files.text(found.path).text);
    return &mesh;
  }

  Files::Mesh parse(const FileSearch& found, const std::string& name, MeshFormat format) {
    Files::Mesh mesh;
    const TextFile& read = reader_.session.files.text(found.path);
    if (!read.text) {
      mesh.problem = fmt::format("\"{}\" cannot be read: {}", name, read.problem);
      return mesh;
    }
    reader_.session.files.mesh_bytes += read.text->size();
    if (reader_.session.files.mesh_bytes > kMostMeshBytesTogether) {
      mesh.problem = "the meshes are larger than 256 MiB together";
      return mesh;
    }
    mesh.file_name = found.shown;
    const auto fail = [&](const MeshError& error) {
      mesh.problem = error.line > 0 ? fmt::format("\"{}\", line {}: {}", name, error.line, error.message)
                                    : fmt::format("\"{}\": {}", name, error.message);
      mesh.hint = hintFor(error.message);
      return mesh;
    };
    const auto parsed = parseMesh(*read.text, format);
    if (const auto* error = std::get_if<MeshError>(&parsed)) return fail(*error);
    const auto solid = solidOf(std::get<TriangleMesh>(parsed));
    if (const auto* error = std::get_if<MeshError>(&solid)) return fail(*error);
    mesh.solid = std::get<MeshSolid>(solid);
    return mesh;
  }

  void remark(const Node& file, const std::string& name, const MeshSolid& mesh) {
    if (mesh.inside_out) {
      reader_.diagnostics.warning(
          file.source,
          fmt::format(
              "{}: \"{}\" is inside out: seen from outside its triangles go clockwise, and its volume is negative.",
              what_, name),
          "It is taken the other way round; flip its normals to be rid of this.");
    }
    if (mesh.flat_triangles > 0) {
      reader_.diagnostics.note(file.source, fmt::format("{}: {} of the {} triangles of \"{}\" have no area.", what_,
                                                        mesh.flat_triangles, mesh.triangles, name));
    }
  }

  static MeshEntry scaled(const MeshSolid& mesh, const Value& scale) {
    const Value area = times(scale, scale);
    const Value volume = times(area, scale);
    const Value fifth = times(volume, area);
    const MassProperties<double>& solid = mesh.solid;
    const Symmetric3<double>& J = solid.inertia;
    MeshEntry entry;
    entry.volume = times(Value(solid.mass), volume);
    entry.com = {times(Value(solid.com.x), scale), times(Value(solid.com.y), scale), times(Value(solid.com.z), scale)};
    entry.tensor = {times(Value(J.xx), fifth), times(Value(J.yy), fifth), times(Value(J.zz), fifth),
                    times(Value(J.xy), fifth), times(Value(J.xz), fifth), times(Value(J.yz), fifth)};
    const Vec3<double> centre = (mesh.bounds.low + mesh.bounds.high) * (0.5 * scale.number);
    const Vec3<double> size = (mesh.bounds.high - mesh.bounds.low) * scale.number;
    entry.shape.kind = ShapeKind::box;
    entry.shape.from = {centre.x, centre.y, centre.z};
    entry.shape.size = {size.x, size.y, size.z};
    return entry;
  }

  Reader& reader_;
  const Node& node_;
  std::string what_;
};

}  // namespace

std::optional<MeshEntry> readMesh(Reader& reader, const Node& node, const std::string& what) {
  return MeshReader(reader, node, what).read();
}

}  // namespace linkwork::model_file
