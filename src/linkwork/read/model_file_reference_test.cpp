// The examples of docs/reference/model-file.md are read, so that the page stays true.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "linkwork/read/equations_file.hpp"
#include "linkwork/read/model_file.hpp"

namespace linkwork {
namespace model_file_reference_test {

std::vector<std::string> examples() {
  const std::filesystem::path page =
      std::filesystem::path(LINKWORK_MODELS_DIR).parent_path() / "docs" / "reference" / "model-file.md";
  std::stringstream text;
  text << std::ifstream(page).rdbuf();
  const std::string all = text.str();
  std::vector<std::string> found;
  const std::string open = "```toml\n";
  for (std::size_t at = all.find(open); at != std::string::npos; at = all.find(open, at)) {
    at += open.size();
    const std::size_t end = all.find("```", at);
    found.push_back(all.substr(at, end - at));
    at = end;
  }
  return found;
}

TEST(ModelFileReference, ExamplesOfThePageAreValid) {
  const std::vector<std::string> blocks = examples();
  ASSERT_GE(blocks.size(), 15U);
  // The other blocks make one file together, with the points that the first one has.
  std::string text = "linkwork = 1\nspace = \"planar\"\ngravity = [0, -9.81]\n";
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].find("= \"equations\"") != std::string::npos) {
      Diagnostics whole;
      EXPECT_TRUE(readEquationsText(blocks[i], "page.toml", whole)) << whole.format();
      continue;
    }
    if (blocks[i].starts_with("linkwork = 1")) {
      Diagnostics whole;
      EXPECT_TRUE(readModelText(blocks[i], "page.toml", whole)) << whole.format();
      continue;
    }
    text += blocks[i];
    if (blocks[i].starts_with("[points]")) text += "B = [0.9, 0.5]\nD = [0.9, 0]\n";
  }
  Diagnostics sections;
  EXPECT_TRUE(readModelText(text, "page.toml", sections)) << sections.format() << text;
}

TEST(ModelFileReference, EveryShippedModelIsRead) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(LINKWORK_MODELS_DIR)) {
    if (entry.path().extension() != ".toml") continue;
    Diagnostics diagnostics;
    EXPECT_TRUE(readModelFile(entry.path().string(), diagnostics)) << diagnostics.format();
    ++count;
  }
  EXPECT_GT(count, 0);
  for (const auto& entry : std::filesystem::directory_iterator(LINKWORK_MODELS_DIR "/equations")) {
    Diagnostics diagnostics;
    EXPECT_TRUE(readEquationsFile(entry.path().string(), diagnostics)) << diagnostics.format();
  }
}

}  // namespace model_file_reference_test
}  // namespace linkwork
