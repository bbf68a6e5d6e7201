#include "browser.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

#include "linkwork/files/base64.hpp"

namespace linkwork::app {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr ChildProcess::Seconds kAnswer(120.0);   // longest wait for one answer
constexpr std::chrono::seconds kUntilDrawn(180);  // for a large page on a slow machine
constexpr ChildProcess::Seconds kUntilClosed(5.0);

// In a window that is all frame and no page nothing is drawn. The page has its own size, whatever the window has.
constexpr int kSmallestWindow = 600;

// Letters that may stand in a URL; the rest as %XX.
std::string urlOf(const fs::path& page) {
  std::string out = "file://";
  for (const char c : fs::absolute(page).string()) {
    const bool plain =
        (std::isalnum(static_cast<unsigned char>(c)) != 0) || c == '/' || c == '.' || c == '-' || c == '_';
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }
  return out;
}

std::vector<std::string> commandFor(const std::string& program, const fs::path& profile, PictureSize size) {
  std::vector<std::string> out{
      program, "--headless", "--remote-debugging-pipe", "--no-first-run", "--no-default-browser-check",
      "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions",
      "--disable-dev-shm-usage", "--hide-scrollbars", "--force-color-profile=srgb",
      // All by the processor: the same picture on every machine, and WebGL where there is no graphics card.
      "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
      // Nobody sees the window, but it is to draw all the same.
      "--disable-backgrounding-occluded-windows", "--disable-renderer-backgrounding",
      "--disable-background-timer-throttling", fmt::format("--user-data-dir={}", profile.string()),
      fmt::format("--window-size={},{}", std::max(size.width, kSmallestWindow),
                  std::max(size.height, kSmallestWindow))};
  // As root Chromium does not start with its sandbox. The page is one that this program has just written.
  if (::geteuid() == 0) out.emplace_back("--no-sandbox");
  out.emplace_back("about:blank");
  return out;
}

std::string lastLine(const fs::path& log) {
  std::ifstream stream(log);
  std::string last;
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) last = line;
  }
  return last;
}

}  // namespace

Browser::~Browser() {
  if (child_ && child_->started() && !session_.empty()) {
    session_.clear();
    child_->send(Json{{"id", ++calls_}, {"method", "Browser.close"}}.dump() + '\0');
    child_->wait(kUntilClosed);
  }
  child_.reset();
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

std::string Browser::open(const fs::path& page, PictureSize size) {
  const std::string program =
      findProgram("LINKWORK_CHROMIUM", {"chromium", "chromium-browser", "google-chrome-stable", "google-chrome"});
  if (program.empty())
    return "pictures need Chromium, and there is none on the PATH: install it (Debian: chromium), name it in "
           "LINKWORK_CHROMIUM, or open the page in any browser and save the drawing from its tab Data";
  std::string name = (fs::temp_directory_path() / "linkwork-browser-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    return fmt::format("cannot make a folder in {}", fs::temp_directory_path().string());
  folder_ = name;
  child_ = std::make_unique<ChildProcess>(commandFor(program, folder_ / "profile", size), (folder_ / "log").string(),
                                          ChildProcess::Talk::pipes);
  if (!child_->started() || !attach(size)) return fmt::format("{} did not start: {}", program, failure());
  if (!show(page)) return fmt::format("{} did not draw the page: {}", program, failure());
  return {};
}

std::string Browser::failure() const {
  const std::string said = lastLine(folder_ / "log");
  return said.empty() ? "it does not answer" : fmt::format("it says \"{}\"", said);
}

std::optional<Json> Browser::call(const std::string& method, const Json& parameters) {
  Json message{{"id", ++calls_}, {"method", method}, {"params", parameters}};
  if (!session_.empty()) message["sessionId"] = session_;
  if (!child_->send(message.dump() + '\0')) return std::nullopt;
  while (const std::optional<std::string> text = child_->receive(kAnswer)) {
    Json answer = Json::parse(*text, nullptr, false);
    // Events come in between; they have no id.
    if (!answer.is_object() || answer.value("id", 0) != calls_) continue;
    if (!answer.contains("result")) return std::nullopt;
    return answer["result"];
  }
  return std::nullopt;
}

// The tab that the browser opened itself: in another, behind it, no frames would be drawn.
std::string Browser::firstTab() {
  const auto end = std::chrono::steady_clock::now() + kUntilDrawn;
  while (std::chrono::steady_clock::now() < end) {
    const std::optional<Json> found = call("Target.getTargets", Json::object());
    if (!found) return {};
    for (const Json& target : found->value("targetInfos", Json::array())) {
      if (target.value("type", "") == "page") return target.value("targetId", "");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return {};
}

bool Browser::attach(PictureSize size) {
  const std::string tab = firstTab();
  if (tab.empty()) return false;
  const std::optional<Json> attached = call("Target.attachToTarget", {{"targetId", tab}, {"flatten", true}});
  if (!attached) return false;
  session_ = attached->value("sessionId", "");
  return !session_.empty() && call("Page.bringToFront", Json::object()) &&
         call("Emulation.setFocusEmulationEnabled", {{"enabled", true}}) &&
         call("Emulation.setDeviceMetricsOverride",
              {{"width", size.width}, {"height", size.height}, {"deviceScaleFactor", 1}, {"mobile", false}}) &&
         call("Emulation.setEmulatedMedia", {{"features",
                                              {{{"name", "prefers-color-scheme"}, {"value", "light"}},
                                               {{"name", "prefers-reduced-motion"}, {"value", "reduce"}}}}});
}

bool Browser::show(const fs::path& page) {
  const std::optional<Json> gone = call("Page.navigate", {{"url", urlOf(page) + "#shot=drawing"}});
  if (!gone || gone->contains("errorText")) return false;
  const auto end = std::chrono::steady_clock::now() + kUntilDrawn;
  while (std::chrono::steady_clock::now() < end) {
    const std::optional<Json> ready =
        call("Runtime.evaluate", {{"expression", "window.linkwork?.ready === true"}, {"returnByValue", true}});
    if (!ready) return false;
    if (ready->value("/result/value"_json_pointer, false)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

std::optional<std::string> Browser::picture(double t) {
  // Drawn in the next frame, and on the screen in the one after. Where no frame comes, the screenshot asks for one.
  const std::string draw = fmt::format(
      "new Promise((done) => {{ linkwork.seek({}); setTimeout(done, 2000, true); "
      "requestAnimationFrame(() => requestAnimationFrame(() => done(true))); }})",
      t);
  const std::optional<Json> drawn =
      call("Runtime.evaluate", {{"expression", draw}, {"awaitPromise", true}, {"returnByValue", true}});
  if (!drawn || drawn->contains("exceptionDetails")) return std::nullopt;
  const std::optional<Json> shot = call("Page.captureScreenshot", {{"format", "png"}});
  if (!shot || !shot->contains("data")) return std::nullopt;
  return bytesOfBase64((*shot)["data"].get<std::string>());
}

}  // namespace linkwork::app
