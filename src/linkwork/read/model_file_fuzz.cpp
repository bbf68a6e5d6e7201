// libFuzzer entry: any bytes as a model file must give a mechanism or errors, never a crash. What follows a line
// "#part" is the text of part.toml, which the file may include.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "linkwork/read/model_file.hpp"

namespace {

const std::filesystem::path& folder() {
  static const std::filesystem::path made = [] {
    std::string pattern = (std::filesystem::temp_directory_path() / "linkwork_fuzz_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) std::abort();
    return std::filesystem::path(pattern);
  }();
  return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = text.find("\n#part\n");
  if (cut != std::string::npos) {
    std::ofstream(folder() / "part.toml", std::ios::binary) << text.substr(cut + 7);
    text.resize(cut + 1);
  }
  // A million entries are legal but take longer than a fuzzer waits.
  linkwork::ReadOptions options;
  options.entries = 2000;
  linkwork::Diagnostics diagnostics;
  const auto mechanism =
      linkwork::readModelText(std::move(text), (folder() / "fuzz.toml").string(), diagnostics, options);
  // A failure without a message would leave the user alone.
  if (mechanism.has_value() == diagnostics.hasErrors()) std::abort();
  const std::string shown = diagnostics.format();
  return shown.empty() && diagnostics.hasErrors() ? -1 : 0;
}
