// Pictures of a page one after the other, made into a film by ffmpeg.
#pragma once

#include <filesystem>
#include <string>

#include "browser.hpp"

namespace linkwork::app {

struct FilmOptions {
  double from = 0.0, to = 0.0;  // s of the run
  double speed = 1.0;           // seconds of the run in a second of the film
  double fps = 25.0;
  PictureSize size;

  long frames() const;  // first and last among them
};

// Real time, unless the run would be over in a blink or last for minutes: then ten seconds.
double usualSpeed(double span);

// What is wrong with the film's file before anything is drawn: an ending that is none, or no ffmpeg. Empty if nothing
// is.
std::string filmProblem(const std::string& film);

// frame_000001.png and so on in a folder that is there. Empty on success, else what went wrong.
std::string drawFrames(const std::filesystem::path& page, const FilmOptions& options,
                       const std::filesystem::path& folder);
// .mp4 or .gif of such a folder, written whole or not at all.
std::string encodeFilm(const std::filesystem::path& folder, const FilmOptions& options, const std::string& film);

}  // namespace linkwork::app
