// Cells of text set in columns, each as wide as its widest cell.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace linkwork {

// Row by row; rows may be of different lengths.
using TextTable = std::vector<std::vector<std::string>>;

// Of all columns but the first, which is aligned to the left.
enum class Align { left, right };

// How wide a text is on a terminal: its code points of UTF-8.
std::size_t columnsOf(std::string_view text);

// One line per row, two spaces between columns. The lines keep the padding of their last cell.
std::vector<std::string> alignedLines(const TextTable& table, Align align);

std::string withoutTrailingSpaces(std::string line);

}  // namespace linkwork
