#include "linkwork/read/mesh_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace linkwork {

namespace {

constexpr std::size_t kHeader = 80;    // of a binary STL file, before the count
constexpr std::size_t kPerFacet = 50;  // three floats for the normal, nine for the corners, two bytes nobody reads
constexpr std::size_t kMostCorners = 10'000;  // of one OBJ face

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool isWord(std::string_view word, std::string_view expected) {
  return std::equal(word.begin(), word.end(), expected.begin(), expected.end(),
                    [](char a, char b) { return lower(a) == b; });
}

std::string shown(std::string_view word) {
  std::string out;
  for (const char c : word.substr(0, 20)) out += c >= ' ' && c < 0x7F ? c : '?';
  return word.size() > 20 ? out + "..." : out;
}

// Words of a text, with the line they stand on.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  int line() const { return line_; }

  // The next word anywhere; empty at the end.
  std::string_view next() {
    while (skipSpaces() && text_[at_] == '\n') newline();
    return take();
  }
  // The next word on this line; empty at its end.
  std::string_view nextOnLine() {
    while (skipSpaces() && text_[at_] == '\\' && joinsLines()) {
    }
    return at_ < text_.size() && text_[at_] == '\n' ? std::string_view{} : take();
  }
  // Passes over the rest of the line; false at the end of the text.
  bool nextLine() {
    const std::size_t end = text_.find('\n', at_);
    if (end == std::string_view::npos) {
      at_ = text_.size();
      return false;
    }
    at_ = end;
    newline();
    return true;
  }

 private:
  static bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

  bool skipSpaces() {
    while (at_ < text_.size() && isSpace(text_[at_])) ++at_;
    return at_ < text_.size();
  }
  void newline() {
    ++at_;
    ++line_;
  }
  // A backslash at the end of a line goes on with the next one.
  bool joinsLines() {
    std::size_t end = at_ + 1;
    if (end < text_.size() && text_[end] == '\r') ++end;
    if (end >= text_.size() || text_[end] != '\n') return false;
    at_ = end;
    newline();
    return true;
  }
  std::string_view take() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && !isSpace(text_[at_]) && text_[at_] != '\n') ++at_;
    return text_.substr(begin, at_ - begin);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

// A finite number, the whole word.
std::optional<double> number(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  double value = 0.0;
  const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (problem != std::errc{} || end != word.data() + word.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// --- STL, text
// ------------------------------------------------------------------------------------------------------------

class TextStl {
 public:
  explicit TextStl(std::string_view text) : words_(text) {}

  std::variant<TriangleMesh, MeshError> read() {
    words_.nextLine();  // "solid" and a name of any words
    while (!ended_) {
      const std::string_view word = words_.next();
      if (word.empty()) return MeshError{words_.line(), "the file ends before \"endsolid\": it seems to be cut off"};
      if (isWord(word, "facet") ? !readFacet() : !endSolid(word)) return error_;
    }
    return std::move(mesh_);
  }

 private:
  // "endsolid" and its name; another solid may follow.
  bool endSolid(std::string_view word) {
    if (!isWord(word, "endsolid"))
      return fail(fmt::format("expected \"facet\" or \"endsolid\", got \"{}\"", shown(word)));
    words_.nextLine();
    const std::string_view next = words_.next();
    ended_ = next.empty();
    if (!ended_ && !isWord(next, "solid"))
      return fail(fmt::format("expected \"solid\" or the end of the file, got \"{}\"", shown(next)));
    words_.nextLine();
    return true;
  }

  bool fail(std::string message) {
    error_ = {words_.line(), std::move(message)};
    return false;
  }

  bool expect(std::string_view expected) {
    const std::string_view word = words_.next();
    if (isWord(word, expected)) return true;
    if (word.empty()) return fail("the file ends inside a facet: it seems to be cut off");
    return fail(fmt::format("expected \"{}\", got \"{}\"", expected, shown(word)));
  }

  bool readNumber(double& value) {
    const std::string_view word = words_.next();
    if (word.empty()) return fail("the file ends inside a facet: it seems to be cut off");
    const std::optional<double> found = number(word);
    if (!found) return fail(fmt::format("expected a finite number, got \"{}\"", shown(word)));
    value = *found;
    return true;
  }

  bool readFacet() {
    // The winding says where outside is; the normal, which programs often leave at zero or NaN, is not needed.
    if (!expect("normal")) return false;
    for (int k = 0; k < 3; ++k) {
      if (words_.next().empty()) return fail("the file ends inside a facet: it seems to be cut off");
    }
    if (!expect("outer") || !expect("loop")) return false;
    const auto base = static_cast<std::uint32_t>(mesh_.vertices.size());
    for (int k = 0; k < 3; ++k) {
      Vec3<double> vertex;
      if (!expect("vertex") || !readNumber(vertex.x) || !readNumber(vertex.y) || !readNumber(vertex.z)) return false;
      mesh_.vertices.push_back(vertex);
    }
    mesh_.triangles.push_back({base, base + 1, base + 2});
    return expect("endloop") && expect("endfacet");
  }

  Words words_;
  TriangleMesh mesh_;
  MeshError error_;
  bool ended_ = false;
};

// --- STL, binary
// ------------------------------------------------------------------------------------------------------------

std::uint32_t littleEndian(const char* bytes) {
  std::uint32_t value = 0;
  for (unsigned k = 0; k < 4; ++k)
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[k])) << (8U * k);
  return value;
}

std::variant<TriangleMesh, MeshError> readBinaryStl(std::string_view bytes) {
  if (bytes.size() < kHeader + 4)
    return MeshError{0, fmt::format("{} bytes are too few for an STL file", bytes.size())};
  const std::size_t count = littleEndian(bytes.data() + kHeader);
  const std::size_t there = (bytes.size() - kHeader - 4) / kPerFacet;
  if (there < count) {
    return MeshError{0,
                     fmt::format("its head announces {} triangles, but there are bytes for {} only: it is cut off, or "
                                 "no STL file",
                                 count, there)};
  }
  TriangleMesh mesh;
  mesh.vertices.reserve(3 * count);
  mesh.triangles.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const char* facet = bytes.data() + kHeader + 4 + i * kPerFacet;
    double values[9];
    for (std::size_t k = 0; k < 9; ++k) {
      values[k] = static_cast<double>(std::bit_cast<float>(littleEndian(facet + 12 + 4 * k)));
      if (!std::isfinite(values[k])) return MeshError{0, fmt::format("triangle {}: a coordinate is not finite", i + 1)};
    }
    const auto base = static_cast<std::uint32_t>(mesh.vertices.size());
    for (std::size_t k = 0; k < 9; k += 3) mesh.vertices.push_back({values[k], values[k + 1], values[k + 2]});
    mesh.triangles.push_back({base, base + 1, base + 2});
  }
  return mesh;
}

// Binary files may begin with "solid" too; the size of one follows from its count.
bool isBinaryStl(std::string_view bytes) {
  if (bytes.size() >= kHeader + 4 && bytes.size() == kHeader + 4 + kPerFacet * littleEndian(bytes.data() + kHeader))
    return true;
  Words words(bytes.substr(0, 256));
  return !isWord(words.next(), "solid");
}

// --- OBJ
// ------------------------------------------------------------------------------------------------------------

class ObjReader {
 public:
  explicit ObjReader(std::string_view text) : words_(text) {}

  std::variant<TriangleMesh, MeshError> read() {
    do {
      const std::string_view word = words_.nextOnLine();
      if (word == "v" && !readVertex()) return error_;
      if (word == "f" && !readFace()) return error_;
      // Normals, textures, groups and materials say nothing about the solid.
    } while (words_.nextLine());
    return std::move(mesh_);
  }

 private:
  bool fail(std::string message) {
    error_ = {words_.line(), std::move(message)};
    return false;
  }

  bool readVertex() {
    double values[3];
    for (double& value : values) {
      const std::string_view word = words_.nextOnLine();
      if (word.empty()) return fail("a vertex needs three coordinates");
      const std::optional<double> found = number(word);
      if (!found) return fail(fmt::format("expected a finite number, got \"{}\"", shown(word)));
      value = *found;
    }
    mesh_.vertices.push_back({values[0], values[1], values[2]});
    return true;
  }

  // "7", "7/2", "7//3", "7/2/3"; a negative number counts back from the last vertex so far.
  bool readCorner(std::string_view word, std::uint32_t& corner) {
    const std::string_view head = word.substr(0, word.find('/'));
    long long index = 0;
    const auto [end, problem] = std::from_chars(head.data(), head.data() + head.size(), index);
    if (problem != std::errc{} || end != head.data() + head.size() || index == 0)
      return fail(fmt::format("expected the number of a vertex, got \"{}\"", shown(word)));
    const auto count = static_cast<long long>(mesh_.vertices.size());
    const long long place = index > 0 ? index - 1 : count + index;
    if (place < 0 || place >= count)
      return fail(fmt::format("there is no vertex {}: {} stand above this line", index, count));
    corner = static_cast<std::uint32_t>(place);
    return true;
  }

  bool readFace() {
    std::vector<std::uint32_t> corners;
    for (std::string_view word = words_.nextOnLine(); !word.empty(); word = words_.nextOnLine()) {
      std::uint32_t corner = 0;
      if (!readCorner(word, corner)) return false;
      corners.push_back(corner);
      if (corners.size() > kMostCorners) return fail(fmt::format("a face has more than {} corners", kMostCorners));
    }
    if (corners.size() < 3) return fail(fmt::format("a face needs three corners or more, got {}", corners.size()));
    for (std::size_t k = 2; k < corners.size(); ++k)
      mesh_.triangles.push_back({corners[0], corners[k - 1], corners[k]});
    return true;
  }

  Words words_;
  TriangleMesh mesh_;
  MeshError error_;
};

std::string edgeText(const MeshEdge& edge) {
  return fmt::format("from ({:g}, {:g}, {:g}) to ({:g}, {:g}, {:g})", edge.from.x, edge.from.y, edge.from.z, edge.to.x,
                     edge.to.y, edge.to.z);
}

bool isFinite(const MassProperties<double>& solid) {
  return std::isfinite(solid.mass) && std::isfinite(solid.com.x + solid.com.y + solid.com.z) &&
         std::isfinite(solid.inertia.xx + solid.inertia.yy + solid.inertia.zz) &&
         std::isfinite(solid.inertia.xy + solid.inertia.xz + solid.inertia.yz);
}

}  // namespace

std::optional<MeshFormat> meshFormatOf(std::string_view file_name) {
  if (file_name.size() < 4) return std::nullopt;
  const std::string_view end = file_name.substr(file_name.size() - 4);
  if (isWord(end, ".stl")) return MeshFormat::stl;
  if (isWord(end, ".obj")) return MeshFormat::obj;
  return std::nullopt;
}

std::variant<TriangleMesh, MeshError> parseMesh(std::string_view bytes, MeshFormat format) {
  if (bytes.empty()) return MeshError{0, "the file is empty"};
  if (bytes.size() > kMostMeshBytes)
    return MeshError{0, fmt::format("the file is larger than {} MiB", kMostMeshBytes >> 20)};
  std::variant<TriangleMesh, MeshError> result =
      format == MeshFormat::obj ? ObjReader(bytes).read()
                                : (isBinaryStl(bytes) ? readBinaryStl(bytes) : TextStl(bytes).read());
  if (auto* mesh = std::get_if<TriangleMesh>(&result)) {
    if (mesh->triangles.empty()) return MeshError{0, "the file holds no triangles"};
    weld(*mesh);
  }
  return result;
}

std::variant<MeshSolid, MeshError> solidOf(const TriangleMesh& mesh) {
  const MeshFaults faults = findFaults(mesh);
  if (faults.open_edges > 0) {
    return MeshError{
        0, fmt::format("the mesh is open: {} of its edges {} not shared by two triangles, the first {}",
                       faults.open_edges, faults.open_edges == 1 ? "is" : "are", edgeText(*faults.first_open))};
  }
  if (faults.twisted_edges > 0) {
    return MeshError{
        0, fmt::format("the mesh is wound both ways: the triangles on either side of {} of its edges do not agree "
                       "where outside is, the first {}",
                       faults.twisted_edges, edgeText(*faults.first_twisted))};
  }
  MeshSolid found{integrate(mesh), boundsOf(mesh), mesh.triangles.size(), faults.flat_triangles, false};
  if (!isFinite(found.solid)) return MeshError{0, "its coordinates are too large"};
  const Vec3<double> size = found.bounds.high - found.bounds.low;
  // Below this share of its bounding box a volume is nothing but rounding.
  if (!(std::abs(found.solid.mass) > 1e-12 * size.x * size.y * size.z) || found.solid.mass == 0.0)
    return MeshError{0, "the mesh encloses no volume"};
  if (found.solid.mass < 0.0) {
    found.inside_out = true;
    found.solid.mass = -found.solid.mass;
    found.solid.inertia = found.solid.inertia * -1.0;
  }
  return found;
}

}  // namespace linkwork
