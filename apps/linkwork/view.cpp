// linkwork view: the page of a result file again, or pictures and films of its drawing.
#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <ostream>

#include "linkwork/files/atomic_file.hpp"
#include "linkwork/files/stored_run.hpp"
#include "output.hpp"
#include "result_output.hpp"
#include "verbs.hpp"
#include "video.hpp"

namespace linkwork::app {

namespace {

namespace fs = std::filesystem;

struct Options {
  std::string file;
  std::string out;
  std::string png;     // "t=0.5"; empty: no picture
  std::string frames;  // folder for pictures; empty: none
  std::string size;
  bool video = false;
  std::optional<double> fps, speed;

  // Where it goes unless --out says so: beside the result, with another ending.
  std::string target(const char* ending) const {
    return out.empty() ? fs::path(file).replace_extension(ending).string() : out;
  }
  bool film() const { return video || !frames.empty(); }
};

constexpr int kLargest = 8192;  // pixels
constexpr long kMostFrames = 100'000;

int badInput(const std::string& problem) {
  printErr("linkwork view: error: {}.\n", problem);
  return kBadInput;
}

template <class Number>
bool readWhole(std::string_view text, Number& value) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

// "1200x800"; nullopt where it is nothing of the kind.
std::optional<PictureSize> sizeOf(const std::string& text) {
  PictureSize out;
  if (text.empty()) return out;
  const std::size_t cross = text.find('x');
  if (cross == std::string::npos || !readWhole(std::string_view(text).substr(0, cross), out.width) ||
      !readWhole(std::string_view(text).substr(cross + 1), out.height))
    return std::nullopt;
  const auto fits = [](int pixels) { return pixels >= 16 && pixels <= kLargest; };
  return fits(out.width) && fits(out.height) ? std::optional(out) : std::nullopt;
}

// "t=0.5" or "0.5".
std::optional<double> timeOf(std::string_view text) {
  if (text.starts_with("t=")) text.remove_prefix(2);
  double out = 0.0;
  return readWhole(text, out) && std::isfinite(out) ? std::optional(out) : std::nullopt;
}

// A folder that is gone with this object.
class PassingFolder {
 public:
  PassingFolder() {
    std::string name = (fs::temp_directory_path() / "linkwork-view-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  PassingFolder(const PassingFolder&) = delete;
  PassingFolder& operator=(const PassingFolder&) = delete;
  ~PassingFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string drawPicture(const fs::path& page, double t, PictureSize size, const std::string& target) {
  Browser browser;
  if (std::string problem = browser.open(page, size); !problem.empty()) return problem;
  const std::optional<std::string> picture = browser.picture(t);
  if (!picture) return "the browser stopped answering";
  return writeAtomically(target, [&](std::ostream& out) { out << *picture; });
}

int finish(const std::string& problem, const char* what, const std::string& path) {
  if (problem == "interrupted") return kInterrupted;
  if (!problem.empty()) return badInput(problem);
  printOut("{:<8} {}\n", what, fs::absolute(path).string());
  return kGood;
}

int makeFilm(const Options& options, const Result& result, const fs::path& page, const fs::path& scratch,
             PictureSize size) {
  FilmOptions film;
  film.from = result.time.front();
  film.to = result.time.back();
  film.fps = options.fps.value_or(film.fps);
  film.speed = options.speed.value_or(usualSpeed(film.to - film.from));
  film.size = size;
  if (!(film.to > film.from)) return badInput("the run has one sample alone; take --png for a picture of it");
  if (const double frames = (film.to - film.from) / film.speed * film.fps; !(frames < kMostFrames))
    return badInput(fmt::format("{:.3g} pictures are too many: take a smaller --fps or a greater --speed", frames));
  const std::string target = options.target(".mp4");
  if (options.video) {
    if (!canBeWritten("view", {target})) return kBadInput;
    if (const std::string problem = filmProblem(target); !problem.empty()) return badInput(problem);
  }
  const fs::path folder = options.frames.empty() ? scratch : fs::path(options.frames);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return badInput(fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
  interruptRequested();  // from now on
  std::string problem = drawFrames(page, film, folder);
  if (problem.empty() && options.video) problem = encodeFilm(folder, film, target);
  if (problem.empty() && !options.frames.empty())
    printOut("{:<8} {} pictures in {}\n", "frames", film.frames(), fs::absolute(folder).string());
  return options.video || !problem.empty() ? finish(problem, "film", target) : kGood;
}

int run(const Options& options) {
  if (!hasPage()) return badInput("this program was built without the page (LINKWORK_PAGE=OFF)");
  if (!options.png.empty() && options.film())
    return badInput("--png and --video are two pictures: ask for one of them");
  if (options.png.empty() && !options.film() && !options.size.empty())
    return badInput("--size is that of a picture: give --png or --video with it");
  if (!options.film() && (options.fps || options.speed)) return badInput("--fps and --speed belong to --video");
  const std::optional<PictureSize> size = sizeOf(options.size);
  if (!size) return badInput(fmt::format("--size {}: give it as 1200x800, each from 16 to {}", options.size, kLargest));
  const std::optional<double> time = options.png.empty() ? std::optional(0.0) : timeOf(options.png);
  if (!time) return badInput(fmt::format("--png {}: give the time in seconds, as in --png t=0.5", options.png));

  const StoredRun stored = readStored(options.file);
  if (!stored.problem.empty()) return badInput(stored.problem);
  const std::string data = stored.data();
  if (options.png.empty() && !options.film()) {
    const std::string target = options.target(".html");
    return finish(writePageFile(data, target), "page", target);
  }
  if (stored.result.time.empty())
    return badInput(fmt::format("{}: no samples were recorded, so that there is nothing to draw", options.file));
  const double first = stored.result.time.front();
  const double last = stored.result.time.back();
  if (!options.png.empty() && (*time < first || *time > last))
    return badInput(fmt::format("--png {}: the run goes from {:.6g} to {:.6g} s", options.png, first, last));
  const PassingFolder scratch;
  if (scratch.path().empty())
    return badInput(fmt::format("cannot make a folder in {}", fs::temp_directory_path().string()));
  const fs::path page = scratch.path() / "page.html";
  if (const std::string problem = writePageFile(data, page.string()); !problem.empty()) return badInput(problem);
  if (options.film()) return makeFilm(options, stored.result, page, scratch.path(), *size);
  const std::string target = options.target(".png");
  if (!canBeWritten("view", {target})) return kBadInput;
  return finish(drawPicture(page, *time, *size, target), "picture", target);
}

}  // namespace

void addView(CommandLine& line) {
  auto options = std::make_shared<Options>();
  Verb& verb = line.add("view", "Make the page of a result file again, or pictures and films of it",
                        [options] { return run(*options); });
  verb.add("RESULT", options->file, "Result of a run: its .json with the .csv beside it, its .h5 or its page")
      .required();
  verb.add("--out", options->out, "File to write; beside the result if left out");
  verb.add("--png", options->png, "A picture of the drawing instead, at a time in seconds: t=0.5");
  verb.add("--video", options->video, "A film of the drawing instead, .mp4 or .gif");
  verb.add("--frames", options->frames, "Folder for the pictures of a film, with --video or without");
  verb.add("--size", options->size, "Of pictures and films in pixels; 1200x800 if left out");
  verb.add("--fps", options->fps, "Pictures in a second of the film; 25 if left out").positive();
  verb.add("--speed", options->speed,
           "Seconds of the run in a second of the film; 1 if left out, or what makes it last 10 s where the run "
           "is shorter than 1 s or longer than 120 s")
      .positive();
}

}  // namespace linkwork::app
