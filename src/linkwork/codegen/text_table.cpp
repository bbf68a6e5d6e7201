#include "linkwork/codegen/text_table.hpp"

#include <algorithm>

namespace linkwork {

std::size_t columnsOf(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::vector<std::string> alignedLines(const TextTable& table, Align align) {
  std::vector<std::size_t> widths;
  for (const auto& row : table) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t j = 0; j < row.size(); ++j) widths[j] = std::max(widths[j], columnsOf(row[j]));
  }
  std::vector<std::string> lines;
  for (const auto& row : table) {
    std::string& line = lines.emplace_back();
    for (std::size_t j = 0; j < row.size(); ++j) {
      const std::string pad(widths[j] - columnsOf(row[j]), ' ');
      if (j > 0) line += "  ";
      if (j > 0 && align == Align::right) {
        line.append(pad).append(row[j]);
      } else {
        line.append(row[j]).append(pad);
      }
    }
  }
  return lines;
}

std::string withoutTrailingSpaces(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace linkwork
