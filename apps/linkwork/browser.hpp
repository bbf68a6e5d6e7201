// Browser: Chromium without a window, which opens a page from disk and takes pictures of its drawing. It is spoken to
// through its debugging pipe (Chrome DevTools Protocol: JSON objects, each ended by a zero byte), so that nothing
// listens on a port.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "linkwork/base/child_process.hpp"

namespace linkwork::app {

struct PictureSize {
  int width = 1200;
  int height = 800;
};

class Browser {
 public:
  Browser() = default;
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;
  ~Browser();

  // Starts the browser and waits until the page has drawn itself. Empty on success, else what is wrong and a way out.
  std::string open(const std::filesystem::path& page, PictureSize size);
  // The drawing at time t as a PNG file; nullopt where the browser does not answer.
  std::optional<std::string> picture(double t);

 private:
  std::optional<nlohmann::json> call(const std::string& method, const nlohmann::json& parameters);
  std::string firstTab();
  bool attach(PictureSize size);
  bool show(const std::filesystem::path& page);
  std::string failure() const;

  std::filesystem::path folder_;  // its own profile, gone with it
  std::unique_ptr<ChildProcess> child_;
  std::string session_;
  int calls_ = 0;
};

}  // namespace linkwork::app
