// Mesh files: every format gives the same solid, and every fault its message.
#include "linkwork/read/mesh_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <utility>

#include "linkwork/geometry/meshes_for_tests.hpp"

namespace linkwork {
namespace mesh_file_test {

TriangleMesh box() { return test::boxMesh({0, 0, 0}, {1, 2, 3}); }

std::string textStl(const TriangleMesh& mesh) {
  std::string text = "solid a box\n";
  for (const auto& triangle : mesh.triangles) {
    text += "  facet normal 0 0 0\n    outer loop\n";
    for (const auto corner : triangle) {
      const Vec3<double>& p = mesh.vertices[corner];
      text += fmt::format("      vertex {} {} {}\n", p.x, p.y, p.z);
    }
    text += "    endloop\n  endfacet\n";
  }
  return text + "endsolid a box\n";
}

void put(std::string& bytes, std::uint32_t value) {
  for (unsigned k = 0; k < 4; ++k) bytes += static_cast<char>((value >> (8U * k)) & 0xFFU);
}

std::string binaryStl(const TriangleMesh& mesh, std::string head = "made for a test") {
  head.resize(80, ' ');
  std::string bytes = head;
  put(bytes, static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const auto& triangle : mesh.triangles) {
    for (int k = 0; k < 3; ++k) put(bytes, 0);
    for (const auto corner : triangle) {
      const Vec3<double>& p = mesh.vertices[corner];
      for (const double x : {p.x, p.y, p.z}) put(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(x)));
    }
    bytes += std::string(2, '\0');
  }
  return bytes;
}

std::string obj(const TriangleMesh& mesh) {
  std::string text = "# a box\no box\n";
  for (const auto& p : mesh.vertices) text += fmt::format("v {} {} {}\n", p.x, p.y, p.z);
  text += "vn 0 0 1\nvt 0 0\ns off\n";
  for (const auto& t : mesh.triangles) text += fmt::format("f {}//1 {}/1/1 {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  return text;
}

MeshSolid solid(const std::string& bytes, MeshFormat format) {
  const auto mesh = parseMesh(bytes, format);
  if (const auto* error = std::get_if<MeshError>(&mesh)) throw std::runtime_error(error->message);
  const auto found = solidOf(std::get<TriangleMesh>(mesh));
  if (const auto* error = std::get_if<MeshError>(&found)) throw std::runtime_error(error->message);
  return std::get<MeshSolid>(found);
}

// "line: message" of what is wrong.
std::string fault(const std::string& bytes, MeshFormat format) {
  const auto mesh = parseMesh(bytes, format);
  const auto* error = std::get_if<MeshError>(&mesh);
  if (error != nullptr) return fmt::format("{}: {}", error->line, error->message);
  const auto found = solidOf(std::get<TriangleMesh>(mesh));
  error = std::get_if<MeshError>(&found);
  return error == nullptr ? "nothing" : fmt::format("{}: {}", error->line, error->message);
}

void expectTheBox(const MeshSolid& found) {
  EXPECT_NEAR(found.solid.mass, 6.0, 1e-14);
  EXPECT_NEAR(found.solid.com.y, 1.0, 1e-15);
  EXPECT_NEAR(found.solid.inertia.xx, 6.5, 1e-13);  // 6 (4 + 9) / 12
  EXPECT_NEAR(found.solid.inertia.xy, 0.0, 1e-13);
  EXPECT_EQ(found.bounds.high.z, 3.0);
  EXPECT_EQ(found.triangles, 12U);
  EXPECT_EQ(found.flat_triangles, 0U);
  EXPECT_FALSE(found.inside_out);
}

TEST(MeshFile, AllFormatsGiveTheSameSolid) {
  expectTheBox(solid(textStl(box()), MeshFormat::stl));
  expectTheBox(solid(binaryStl(box()), MeshFormat::stl));
  expectTheBox(solid(binaryStl(box(), "solid but binary"), MeshFormat::stl));
  expectTheBox(solid(obj(box()), MeshFormat::obj));
}

TEST(MeshFile, FormatGoesByTheEndOfTheName) {
  EXPECT_EQ(meshFormatOf("a/part.stl"), MeshFormat::stl);
  EXPECT_EQ(meshFormatOf("PART.STL"), MeshFormat::stl);
  EXPECT_EQ(meshFormatOf("part.Obj"), MeshFormat::obj);
  EXPECT_FALSE(meshFormatOf("part.ply"));
  EXPECT_FALSE(meshFormatOf("stl"));
}

TEST(MeshFile, SeveralSolidsAndCapitalsInTextStl) {
  std::string text = textStl(box()) + textStl(test::boxMesh({5, 0, 0}, {6, 1, 1}));
  EXPECT_NEAR(solid(text, MeshFormat::stl).solid.mass, 7.0, 1e-13);
  for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  EXPECT_NEAR(solid(text, MeshFormat::stl).solid.mass, 7.0, 1e-13);
}

TEST(MeshFile, ObjFacesOfManyCornersAndNegativeNumbers) {
  const std::string text =
      "v 0 0 0\r\nv +1 0 0\r\nv 1 1 0\r\nv 0 1 0\r\nv 0 0 1\r\nv 1 0 1\r\nv 1 1 1\r\nv 0 1 1\r\n"
      "f 4 3 2 1\r\nf 5 6 7 8\r\nf 1 2 6 5\r\nf 2 3 \\\r\n7 6\r\nf 3 4 8 7\r\nf -5 -8 -4 -1\r\n";
  EXPECT_NEAR(solid(text, MeshFormat::obj).solid.mass, 1.0, 1e-15);
}

TEST(MeshFile, InsideOutIsTakenTheOtherWay) {
  TriangleMesh mesh = box();
  for (auto& triangle : mesh.triangles) std::swap(triangle[0], triangle[1]);
  const MeshSolid found = solid(binaryStl(mesh), MeshFormat::stl);
  EXPECT_TRUE(found.inside_out);
  EXPECT_NEAR(found.solid.mass, 6.0, 1e-14);
  EXPECT_NEAR(found.solid.inertia.zz, 2.5, 1e-13);
}

TEST(MeshFile, OpenMeshNamesAnEdge) {
  TriangleMesh mesh = box();
  mesh.triangles.pop_back();
  EXPECT_EQ(
      fault(obj(mesh), MeshFormat::obj),
      "0: the mesh is open: 3 of its edges are not shared by two triangles, the first from (1, 0, 0) to (1, 0, 3)");
}

TEST(MeshFile, TwistedMeshNamesAnEdge) {
  TriangleMesh mesh = box();
  std::swap(mesh.triangles[0][0], mesh.triangles[0][1]);
  EXPECT_EQ(
      fault(obj(mesh), MeshFormat::obj),
      "0: the mesh is wound both ways: the triangles on either side of 3 of its edges do not agree where outside is, "
      "the first from (0, 0, 0) to (0, 2, 0)");
}

TEST(MeshFile, FlatMeshEnclosesNothing) {
  EXPECT_EQ(fault("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 3 2\n", MeshFormat::obj), "0: the mesh encloses no volume");
  EXPECT_EQ(fault("v 0 0 0\nf 1 1 1\n", MeshFormat::obj), "0: the mesh encloses no volume");
}

TEST(MeshFile, FlatTrianglesAreCounted) {
  EXPECT_EQ(solid(obj(box()) + "f 1 1 2\n", MeshFormat::obj).flat_triangles, 1U);
}

TEST(MeshFile, EmptyAndCutFiles) {
  EXPECT_EQ(fault("", MeshFormat::stl), "0: the file is empty");
  EXPECT_EQ(fault("# nothing\n", MeshFormat::obj), "0: the file holds no triangles");
  EXPECT_EQ(fault("solid x\nendsolid x\n", MeshFormat::stl), "0: the file holds no triangles");
  EXPECT_EQ(fault("short", MeshFormat::stl), "0: 5 bytes are too few for an STL file");
  const std::string binary = binaryStl(box());
  EXPECT_EQ(fault(binary.substr(0, 300), MeshFormat::stl),
            "0: its head announces 12 triangles, but there are bytes for 4 only: it is cut off, or no STL file");
  const std::string text = textStl(box());
  EXPECT_EQ(fault(text.substr(0, text.find("endsolid")), MeshFormat::stl),
            "86: the file ends before \"endsolid\": it seems to be cut off");
  EXPECT_EQ(fault(text.substr(0, 70), MeshFormat::stl), "5: the file ends inside a facet: it seems to be cut off");
  EXPECT_EQ(fault(text.substr(0, text.find("normal")), MeshFormat::stl),
            "2: the file ends inside a facet: it seems to be cut off");
}

TEST(MeshFile, HugeCounts) {
  std::string bytes = binaryStl(box());
  for (std::size_t k = 80; k < 84; ++k) bytes[k] = '\xFF';
  EXPECT_EQ(
      fault(bytes, MeshFormat::stl),
      "0: its head announces 4294967295 triangles, but there are bytes for 12 only: it is cut off, or no STL file");
  std::string face = "v 0 0 0\nf";
  for (int k = 0; k < 10'001; ++k) face += " 1";
  EXPECT_EQ(fault(face, MeshFormat::obj), "2: a face has more than 10000 corners");
  EXPECT_EQ(fault(std::string(kMostMeshBytes + 1, ' '), MeshFormat::obj), "0: the file is larger than 64 MiB");
}

TEST(MeshFile, NumbersThatAreNone) {
  EXPECT_EQ(fault("v 0 nan 0\n", MeshFormat::obj), "1: expected a finite number, got \"nan\"");
  EXPECT_EQ(fault("v 0 1e999 0\n", MeshFormat::obj), "1: expected a finite number, got \"1e999\"");
  EXPECT_EQ(fault("\nv 0 1\n", MeshFormat::obj), "2: a vertex needs three coordinates");
  TriangleMesh mesh = box();
  mesh.vertices[0].x = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(fault(binaryStl(mesh), MeshFormat::stl), "0: triangle 1: a coordinate is not finite");
  EXPECT_EQ(fault("solid\nfacet normal 0 0 0 outer loop\nvertex 0 0 inf\n", MeshFormat::stl),
            "3: expected a finite number, got \"inf\"");
  mesh = test::boxMesh({0, 0, 0}, {1e200, 1e200, 1e200});
  EXPECT_EQ(fault(obj(mesh), MeshFormat::obj), "0: its coordinates are too large");
}

TEST(MeshFile, WordsThatAreNotExpected) {
  EXPECT_EQ(fault("solid x\nhello\n", MeshFormat::stl), "2: expected \"facet\" or \"endsolid\", got \"hello\"");
  EXPECT_EQ(fault("solid x\nfacet norm 0 0 1\n", MeshFormat::stl), "2: expected \"normal\", got \"norm\"");
  EXPECT_EQ(fault("solid x\nendsolid x\nmore\n", MeshFormat::stl),
            "3: expected \"solid\" or the end of the file, got \"more\"");
  EXPECT_EQ(fault("v 0 0 0\nf 1 2\n", MeshFormat::obj), "2: there is no vertex 2: 1 stand above this line");
  EXPECT_EQ(fault("v 0 0 0\nf 1 1\n", MeshFormat::obj), "2: a face needs three corners or more, got 2");
  EXPECT_EQ(fault("f -1 -1 -1\n", MeshFormat::obj), "1: there is no vertex -1: 0 stand above this line");
  EXPECT_EQ(fault("f a b c\n", MeshFormat::obj), "1: expected the number of a vertex, got \"a\"");
  EXPECT_EQ(fault("f 0 1 2\n", MeshFormat::obj), "1: expected the number of a vertex, got \"0\"");
}

}  // namespace mesh_file_test
}  // namespace linkwork
