// What is known of where the output goes: how wide it is, and which letters it can show.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace linkwork::app {

struct Terminal {
  std::size_t width = 80;  // columns
  bool wraps = false;      // a terminal: long lines are broken here, in between words
  bool utf8 = false;       // by the locale
};

// Of standard output. COLUMNS overrides the width, also where there is no terminal.
Terminal terminal();

// The text in lines that are no wider than the terminal, all but the first behind `indent` blanks; as it is where lines
// are not broken. `used`: columns that stand before the text already.
std::string wrapped(const std::string& text, std::size_t used, std::size_t indent, const Terminal& terminal);

}  // namespace linkwork::app
