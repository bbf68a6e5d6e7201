// A TOML text as a plain tree: values in the order of the file, each with its place, down to a character inside a
// string.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "linkwork/base/diagnostics.hpp"

namespace linkwork {

enum class NodeKind { table, array, text, integer, real, boolean, date };

// Where a stretch of a decoded string stands in the string as it was written.
struct TextPiece {
  std::size_t here = 0;
  std::size_t written = 0;
  bool replaced = false;  // stands for a placeholder that starts at `written`
};

struct Node {
  NodeKind kind = NodeKind::table;
  std::string key;    // of a table's entry; empty for an array's element
  Source key_source;  // the value's own place for an array's element
  Source source;
  std::string text;               // kind text
  std::vector<TextPiece> pieces;  // of the text, where placeholders were replaced in it
  double number = 0.0;            // kinds integer and real
  bool flag = false;              // kind boolean
  std::vector<Node> children;     // kinds table and array

  bool isNumber() const { return kind == NodeKind::integer || kind == NodeKind::real; }
  const Node* find(std::string_view child_key) const;  // null if there is none
};

// "a table", "a string", ...
std::string_view describe(NodeKind kind);

struct Document {
  Node root;
  std::string text;
  std::vector<std::size_t> line_starts;  // byte offsets

  // The place of byte `offset` of the decoded string `node`, escapes and line breaks counted as they stand in the file.
  Source placeInside(const Node& node, std::size_t offset) const;
};

// Syntax errors go to `diagnostics`. The text must be UTF-8; it may start with a byte order mark. Every place carries
// `context`.
std::optional<Document> parseDocument(std::string text, std::string file_name, Diagnostics& diagnostics,
                                      std::shared_ptr<const std::string> context = nullptr);

// The text of a file; says what is wrong if it is missing, no file (base/input_file.hpp), unreadable or larger than 64
// MiB.
std::optional<std::string> readTextFile(const std::string& path, Diagnostics& diagnostics);

}  // namespace linkwork
