#include "linkwork/read/model_file/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace linkwork::model_file {

namespace {

namespace fs = std::filesystem;

// A path without links and dots.
fs::path wholePath(const fs::path& path) {
  std::error_code status;
  fs::path absolute = fs::absolute(path, status);
  fs::path result = fs::weakly_canonical(absolute, status);
  return status ? absolute.lexically_normal() : result;
}

// Does it lie in the folder or below?
bool isInside(const fs::path& folder, const fs::path& path) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

FileSearch search(const fs::path& folder, const std::string& from, const std::string& name) {
  FileSearch out;
  if (name.empty() || name.find('\0') != std::string::npos) {
    out.problem = "this is not the name of a file";
    return out;
  }
  const fs::path path = fs::path(from).parent_path() / fs::path(name);
  out.path = wholePath(path);
  out.shown = path.lexically_normal().string();
  if (!isInside(folder, out.path)) {
    out.problem = fmt::format("\"{}\" lies outside the folder of the main file, {}", name, folder.string());
    out.hint = "Files that a model names stand beside the main file or in folders below it.";
  }
  return out;
}

}  // namespace

Files::Files(const std::string& main_file) : main(wholePath(main_file)), folder(main.parent_path()) {}

const FileSearch& Files::find(const std::string& from, const std::string& name) {
  const auto [place, is_new] = searches_.try_emplace({from, name});
  if (is_new) place->second = search(folder, from, name);
  return place->second;
}

const TextFile& Files::text(const fs::path& path) {
  const auto [place, is_new] = texts_.try_emplace(path);
  TextFile& file = place->second;
  if (!is_new) return file;
  Diagnostics findings;
  file.text = readTextFile(path.string(), findings);
  if (!file.text) file.problem = findings.all().front().message;
  if (file.problem.ends_with('.')) file.problem.pop_back();
  return file;
}

}  // namespace linkwork::model_file
