#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "linkwork/codegen/text_table.hpp"

namespace linkwork::app {

namespace {

constexpr std::size_t kNarrowest = 40;

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// The first of the three that is set decides, as for the C library.
bool localeIsUtf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string value(variable(name));
    if (value.empty()) continue;
    std::transform(value.begin(), value.end(), value.begin(), [](char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; });
    return value.find("UTF-8") != std::string::npos || value.find("UTF8") != std::string::npos;
  }
  return false;
}

}  // namespace

Terminal terminal() {
  Terminal out;
  out.utf8 = localeIsUtf8();
  winsize size{};
  if (::isatty(1) == 1) {
    out.wraps = true;
    if (::ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) out.width = size.ws_col;
  }
  if (const long columns = std::atol(std::string(variable("COLUMNS")).c_str()); columns > 0 && columns < 10000) {
    out.width = static_cast<std::size_t>(columns);
    out.wraps = true;
  }
  out.width = std::max(out.width, kNarrowest);
  return out;
}

std::string wrapped(const std::string& text, std::size_t used, std::size_t indent, const Terminal& terminal) {
  if (!terminal.wraps) return text;
  std::string out;
  std::size_t column = used;
  bool first = true;
  std::istringstream words(text);
  for (std::string word; words >> word; first = false) {
    const std::size_t width = columnsOf(word);
    if (!first && column + 1 + width > terminal.width) {
      out += '\n';
      out.append(indent, ' ');
      column = indent;
    } else if (!first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += width;
  }
  return out;
}

}  // namespace linkwork::app
