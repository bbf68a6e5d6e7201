#include "video.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <ostream>

#include "linkwork/files/atomic_file.hpp"
#include "progress.hpp"
#include "result_output.hpp"

namespace linkwork::app {

namespace {

namespace fs = std::filesystem;

constexpr ChildProcess::Seconds kLongestEncoding(3600.0);

std::string ffmpeg() { return findProgram("LINKWORK_FFMPEG", {"ffmpeg"}); }

bool isGif(const std::string& film) { return fs::path(film).extension() == ".gif"; }

// In the names of pictures ffmpeg takes % for a number.
std::string patternIn(const fs::path& folder) {
  std::string out;
  for (const char c : (folder / "frame_").string()) out += c == '%' ? std::string("%%") : std::string(1, c);
  return out + "%06d.png";
}

std::vector<std::string> encoderCommand(const fs::path& folder, const FilmOptions& options, const std::string& film,
                                        const std::string& target) {
  std::vector<std::string> out{
      ffmpeg(),         "-y", "-nostdin", "-loglevel", "error", "-framerate", fmt::format("{}", options.fps), "-i",
      patternIn(folder)};
  const std::vector<std::string> gif{
      "-vf", "split[a][b];[a]palettegen=stats_mode=full[p];[b][p]paletteuse=dither=none", "-loop", "0", "-f", "gif"};
  // Players want colours for every second pixel, and so an even number of them.
  const std::vector<std::string> mp4{"-vf",       "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white",
                                     "-c:v",      "libx264",
                                     "-crf",      "18",
                                     "-pix_fmt",  "yuv420p",
                                     "-movflags", "+faststart",
                                     "-f",        "mp4"};
  const std::vector<std::string>& format = isGif(film) ? gif : mp4;
  out.insert(out.end(), format.begin(), format.end());
  // The folder may hold pictures of a longer film.
  out.insert(out.end(), {"-frames:v", fmt::format("{}", options.frames()), target});
  return out;
}

}  // namespace

long FilmOptions::frames() const { return 1 + std::lround(std::ceil((to - from) / speed * fps)); }

double usualSpeed(double span) { return span >= 1.0 && span <= 120.0 ? 1.0 : span / 10.0; }

std::string filmProblem(const std::string& film) {
  if (!isGif(film) && fs::path(film).extension() != ".mp4") return fmt::format("{}: a film ends in .mp4 or .gif", film);
  if (ffmpeg().empty())
    return "a film needs ffmpeg, and there is none on the PATH: install it (Debian: ffmpeg), name it in "
           "LINKWORK_FFMPEG, or take --frames FOLDER for the pictures alone";
  return {};
}

std::string drawFrames(const fs::path& page, const FilmOptions& options, const fs::path& folder) {
  Browser browser;
  if (std::string problem = browser.open(page, options.size); !problem.empty()) return problem;
  const long count = options.frames();
  Progress progress;
  for (long k = 0; k < count; ++k) {
    const double t = std::min(options.to, options.from + static_cast<double>(k) / options.fps * options.speed);
    if (interruptRequested()) return "interrupted";
    const std::optional<std::string> picture = browser.picture(t);
    if (!picture) return fmt::format("the browser stopped answering at t = {:.6g} s", t);
    const std::string file = (folder / fmt::format("frame_{:06}.png", k + 1)).string();
    if (std::string problem = writeAtomically(file, [&](std::ostream& out) { out << *picture; }); !problem.empty())
      return problem;
    progress.show(t, options.to);
  }
  progress.clear();
  return {};
}

std::string encodeFilm(const fs::path& folder, const FilmOptions& options, const std::string& film) {
  std::error_code ignored;
  if (fs::path(film).has_parent_path()) fs::create_directories(fs::path(film).parent_path(), ignored);
  const std::string part = fmt::format("{}.{}.part", film, ::getpid());
  const fs::path log = folder / "ffmpeg.log";
  ChildProcess encoder(encoderCommand(folder, options, film, part), log.string());
  if (encoder.started() && encoder.wait(kLongestEncoding).value_or(ChildExit{}).code == 0) {
    std::error_code error;
    fs::rename(part, film, error);
    if (!error) fs::remove(log, ignored);
    return error ? fmt::format("cannot write {}: {}", film, error.message()) : "";
  }
  fs::remove(part, ignored);
  std::ifstream stream(log);
  const std::string said{std::istreambuf_iterator<char>(stream), {}};
  return fmt::format("ffmpeg could not make {}{}", film, said.empty() ? "" : ":\n" + said.substr(0, 2000));
}

}  // namespace linkwork::app
