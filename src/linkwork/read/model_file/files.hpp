// What a model and all that it names were read from: each file once, however many mechanisms are made of it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "linkwork/read/document.hpp"
#include "linkwork/read/mesh_file.hpp"

namespace linkwork::model_file {

// A file that another names: it must lie in the folder of the main file or below.
struct FileSearch {
  std::filesystem::path path;  // canonical
  std::string shown;           // for messages
  std::string problem, hint;   // not empty: why it may not be read
};

struct TextFile {
  std::optional<std::string> text;
  std::string problem;  // if there is no text; without a full stop
};

struct Files {
  struct Mesh {
    std::string file_name;  // as it is shown
    std::optional<MeshSolid> solid;
    std::string problem;  // if there is no solid
    std::string hint;
  };

  explicit Files(const std::string& main_file);

  // What the file `from` calls `name`.
  const FileSearch& find(const std::string& from, const std::string& name);
  const TextFile& text(const std::filesystem::path& path);

  std::filesystem::path main;    // canonical
  std::filesystem::path folder;  // of the main file: what it names stays inside
  // Of included files, by file and context: where two entries include one file, its places are told apart.
  std::map<std::pair<std::filesystem::path, std::string>, Document> documents;
  std::map<std::filesystem::path, Mesh> meshes;
  std::size_t mesh_bytes = 0;

 private:
  std::map<std::pair<std::string, std::string>, FileSearch> searches_;
  std::map<std::filesystem::path, TextFile> texts_;
};

}  // namespace linkwork::model_file
