#include "linkwork/read/document.hpp"

#include <fmt/format.h>

// The parser asserts on some texts that it then refuses ("[;a]"): a debug build would end the program there, and
// clang's release build would take the assertion for granted. Without NDEBUG both are the macro below.
#undef NDEBUG
#define TOML_ASSERT(condition) static_cast<void>(0)
#include <toml++/toml.h>

#include <algorithm>
#include <utility>

#include "linkwork/base/input_file.hpp"

namespace linkwork {

namespace {

constexpr std::uint64_t kLargestFile = std::uint64_t{64} << 20;
constexpr int kMostDotsInAKey = 16;

// The file and the context of every place in a document.
using Origin = Source;

Source placeIn(const Origin& origin, int line, int column) {
  Source place = origin;
  place.line = line;
  place.column = column;
  return place;
}

Source sourceOf(const toml::source_region& region, const Origin& origin) {
  return placeIn(origin, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column));
}

bool earlier(const Node& a, const Node& b) {
  return std::pair(a.key_source.line, a.key_source.column) < std::pair(b.key_source.line, b.key_source.column);
}

Node convert(const toml::node& node, const Origin& origin) {
  Node result;
  result.source = sourceOf(node.source(), origin);
  result.key_source = result.source;
  switch (node.type()) {
    case toml::node_type::table:
      result.kind = NodeKind::table;
      for (const auto& [key, value] : *node.as_table()) {
        Node child = convert(value, origin);
        child.key = std::string(key.str());
        child.key_source = sourceOf(key.source(), origin);
        result.children.push_back(std::move(child));
      }
      std::stable_sort(result.children.begin(), result.children.end(), earlier);
      break;
    case toml::node_type::array:
      result.kind = NodeKind::array;
      for (const toml::node& value : *node.as_array()) result.children.push_back(convert(value, origin));
      break;
    case toml::node_type::string:
      result.kind = NodeKind::text;
      result.text = node.as_string()->get();
      break;
    case toml::node_type::integer:
      result.kind = NodeKind::integer;
      result.number = static_cast<double>(node.as_integer()->get());
      break;
    case toml::node_type::floating_point:
      result.kind = NodeKind::real;
      result.number = node.as_floating_point()->get();
      break;
    case toml::node_type::boolean:
      result.kind = NodeKind::boolean;
      result.flag = node.as_boolean()->get();
      break;
    default: result.kind = NodeKind::date; break;
  }
  return result;
}

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// "Error while parsing key-value pair: expected value, saw '\n'" -> "not valid TOML: key-value pair: expected value,
// ..."
std::string readable(std::string message) {
  if (message.find("invalid utf-8") != std::string::npos) return "the file is not UTF-8 text here";
  for (const std::string_view opening : {"Error while parsing ", "Encountered "}) {
    if (message.starts_with(opening)) message.erase(0, opening.size());
  }
  replaceAll(message, "saw '\\n'", "but the line ends here");
  replaceAll(message, "encountered end-of-file", "the file ends too early");
  replaceAll(message, " (TOML_MAX_NESTED_VALUES)", "");
  return "not valid TOML: " + message;
}

// Where a key has too many dots: the parser builds a table per dot, and a million of them would exhaust the stack.
// Strings and comments are skipped by their delimiters alone; the parser checks the rest.
std::optional<std::size_t> findEndlessKey(std::string_view text) {
  int dots = 0;
  std::size_t i = 0;
  const auto skipString = [&text, &i](char quote) {
    const std::string triple(3, quote);
    const bool is_long = text.substr(i, 3) == triple;
    i += is_long ? 3 : 1;
    while (i < text.size()) {
      if (quote == '"' && text[i] == '\\') {
        i += 2;
      } else if (is_long ? text.substr(i, 3) == triple : (text[i] == quote || text[i] == '\n')) {
        i += is_long ? 3 : 1;
        // A long string may end in up to two quotes of its own.
        while (is_long && i < text.size() && text[i] == quote) ++i;
        return;
      } else {
        ++i;
      }
    }
  };
  while (i < text.size()) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      skipString(c);
      continue;
    }
    if (c == '#') {
      while (i < text.size() && text[i] != '\n') ++i;
      continue;
    }
    if (c == '.') {
      if (++dots > kMostDotsInAKey) return i;
    } else if (std::string_view("=,{}[]\n").find(c) != std::string_view::npos) {
      dots = 0;
    }
    ++i;
  }
  return std::nullopt;
}

std::vector<std::size_t> lineStarts(std::string_view text) {
  std::vector<std::size_t> starts{0};
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') starts.push_back(i + 1);
  }
  return starts;
}

bool continuesCodePoint(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

int columnOf(std::string_view text, std::size_t line_start, std::size_t offset) {
  int column = 1;
  for (std::size_t i = line_start; i < offset && i < text.size(); ++i) column += continuesCodePoint(text[i]) ? 0 : 1;
  return column;
}

// Walks a string literal of the file and the decoded string in step.
class LiteralWalk {
 public:
  LiteralWalk(std::string_view text, std::size_t start) : text_(text), i_(start) {
    quote_ = at(i_);
    const bool is_long = at(i_ + 1) == quote_ && at(i_ + 2) == quote_;
    i_ += is_long ? 3 : 1;
    if (is_long && at(i_) == '\r') ++i_;
    if (is_long && at(i_) == '\n') ++i_;
    skipFoldedLines();
  }

  std::size_t position() const { return i_; }

  // Steps over one unit of the literal; returns how many decoded bytes it stands for.
  std::size_t step() {
    std::size_t bytes = 1;
    if (quote_ == '"' && at(i_) == '\\') {
      const char kind = at(i_ + 1);
      if (kind == 'u' || kind == 'U') {
        const std::size_t digits = kind == 'u' ? 4 : 8;
        bytes = utf8Length(std::strtoul(std::string(text_.substr(i_ + 2, digits)).c_str(), nullptr, 16));
        i_ += 2 + digits;
      } else {
        i_ += 2;
      }
    } else {
      ++i_;
    }
    skipFoldedLines();
    return bytes;
  }

 private:
  char at(std::size_t i) const { return i < text_.size() ? text_[i] : '\0'; }

  // A backslash at the end of a line of a """ string removes the line break and the blanks after it.
  void skipFoldedLines() {
    while (quote_ == '"' && at(i_) == '\\' &&
           (at(i_ + 1) == '\n' || at(i_ + 1) == '\r' || at(i_ + 1) == ' ' || at(i_ + 1) == '\t')) {
      ++i_;
      while (at(i_) == ' ' || at(i_) == '\t' || at(i_) == '\n' || at(i_) == '\r') ++i_;
    }
  }

  static std::size_t utf8Length(unsigned long code) {
    if (code < 0x80) return 1;
    if (code < 0x800) return 2;
    return code < 0x10000 ? 3 : 4;
  }

  std::string_view text_;
  std::size_t i_;
  char quote_ = '"';
};

}  // namespace

const Node* Node::find(std::string_view child_key) const {
  for (const Node& child : children) {
    if (child.key == child_key) return &child;
  }
  return nullptr;
}

std::string_view describe(NodeKind kind) {
  switch (kind) {
    case NodeKind::table: return "a table";
    case NodeKind::array: return "a list";
    case NodeKind::text: return "a string";
    case NodeKind::integer: return "a whole number";
    case NodeKind::real: return "a number";
    case NodeKind::boolean: return "true or false";
    case NodeKind::date: break;
  }
  return "a date or time";
}

Source Document::placeInside(const Node& node, std::size_t offset) const {
  if (!node.pieces.empty()) {
    const auto after = std::upper_bound(node.pieces.begin(), node.pieces.end(), offset,
                                        [](std::size_t at, const TextPiece& piece) { return at < piece.here; });
    const TextPiece& piece = after == node.pieces.begin() ? *after : *std::prev(after);
    offset = piece.written + (piece.replaced ? 0 : offset - piece.here);
  }
  const auto line = static_cast<std::size_t>(node.source.line);
  if (node.kind != NodeKind::text || line == 0 || line > line_starts.size()) return node.source;
  // From the column (in characters) of the opening quote to its byte.
  std::size_t i = line_starts[line - 1];
  if (line == 1 && text.starts_with("\xEF\xBB\xBF")) i += 3;
  for (int column = 1; column < node.source.column && i < text.size(); ++column) {
    ++i;
    while (i < text.size() && continuesCodePoint(text[i])) ++i;
  }
  LiteralWalk walk(text, i);
  std::size_t decoded = 0;
  while (decoded < offset && walk.position() < text.size()) decoded += walk.step();
  const std::size_t at = std::min(walk.position(), text.size());
  const auto after = std::upper_bound(line_starts.begin(), line_starts.end(), at);
  const std::size_t found_line = static_cast<std::size_t>(after - line_starts.begin());
  std::size_t line_start = line_starts[found_line - 1];
  if (found_line == 1 && text.starts_with("\xEF\xBB\xBF")) line_start += 3;
  return placeIn(node.source, static_cast<int>(found_line), columnOf(text, line_start, at));
}

std::optional<Document> parseDocument(std::string text, std::string file_name, Diagnostics& diagnostics,
                                      std::shared_ptr<const std::string> context) {
  Origin origin(std::make_shared<const std::string>(std::move(file_name)), 0, 0);
  origin.context = std::move(context);
  Document document;
  document.line_starts = lineStarts(text);
  document.text = std::move(text);
  if (const auto endless = findEndlessKey(document.text)) {
    const auto after = std::upper_bound(document.line_starts.begin(), document.line_starts.end(), *endless);
    const auto line = static_cast<std::size_t>(after - document.line_starts.begin());
    diagnostics.error(
        placeIn(origin, static_cast<int>(line), columnOf(document.text, document.line_starts[line - 1], *endless)),
        fmt::format("a key has more than {} dots.", kMostDotsInAKey));
    return std::nullopt;
  }
  try {
    document.root = convert(toml::parse(std::string_view(document.text), std::string_view(*origin.file)), origin);
  } catch (const toml::parse_error& error) {
    diagnostics.error(sourceOf(error.source(), origin), readable(std::string(error.description())) + ".");
    return std::nullopt;
  }
  return document;
}

std::optional<std::string> readTextFile(const std::string& path, Diagnostics& diagnostics) {
  InputFile file = readInputFile(path, kLargestFile);
  if (file.ok()) return std::move(file.text);
  diagnostics.error(Source(path.c_str(), 0, 0), file.problem + ".");
  return std::nullopt;
}

}  // namespace linkwork
