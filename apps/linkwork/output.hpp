// What the program says, on standard output and standard error. A text that cannot be written (a full disk, a closed
// terminal) ends no run half-way: printing goes on, and finishOutput tells at the end. All printing goes through here.
#pragma once

#include <fmt/format.h>

#include <string_view>

namespace linkwork::app {

void writeOut(std::string_view text);
void writeErr(std::string_view text);

template <class... T>
void printOut(fmt::format_string<T...> format, T&&... values) {
  writeOut(fmt::vformat(format, fmt::make_format_args(values...)));
}

template <class... T>
void printErr(fmt::format_string<T...> format, T&&... values) {
  writeErr(fmt::vformat(format, fmt::make_format_args(values...)));
}

// Standard output up to here is where it goes, before something is said on standard error.
void flushOut();

// Before anything is opened: standard input, output and error that are closed would be the next files to be opened, and
// what is printed would go into results.
void guardStandardFiles();

// The last call of the program. Its exit code: `code`, or kBadInput with a sentence where output was lost and `code` is
// not worse; without one where the reader of a pipe has gone.
int finishOutput(int code);

}  // namespace linkwork::app
