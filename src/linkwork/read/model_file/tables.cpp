#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "linkwork/read/model_file/include.hpp"

namespace linkwork::model_file {

namespace {

struct Column {
  std::vector<double> values;  // SI
  std::optional<Unit> unit;
  std::optional<Dimension> dimension;
};

// A line of numbers: cells between commas, semicolons, tabs or blanks.
std::vector<std::string_view> cellsOf(std::string_view line) {
  std::vector<std::string_view> cells;
  const std::string_view separators = ",; \t\r";
  for (std::size_t from = line.find_first_not_of(separators); from != std::string_view::npos;) {
    const std::size_t to = std::min(line.find_first_of(separators, from), line.size());
    cells.push_back(line.substr(from, to - from));
    from = line.find_first_not_of(separators, to);
  }
  return cells;
}

std::optional<double> numberIn(std::string_view cell) {
  double value = 0.0;
  if (cell.starts_with('+')) cell.remove_prefix(1);
  const auto [end, status] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (status != std::errc{} || end != cell.data() + cell.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// Reads one entry of [tables].
class TableReader {
 public:
  TableReader(Reader& reader, const Node& entry)
      : reader_(reader), entry_(entry), what_(fmt::format("table \"{}\"", entry.key)) {}

  std::optional<TableFunction> read() {
    if (!checkName()) return std::nullopt;
    if (!reader_.checkTable(entry_, what_, "a table such as { x = [0, 1], y = [0, 5] }")) return std::nullopt;
    bool good = reader_.checkKeys(entry_, what_, {"x", "y", "file", "kind", "outside", "ends", "x_unit", "y_unit"});
    good = readUnit("x_unit", x_) && good;
    good = readUnit("y_unit", y_) && good;
    const auto kind = word("kind", {"linear", "cubic"}, 0);
    const auto outside = word("outside", {"hold", "extend", "error"}, 2);
    const auto ends = word("ends", {"natural", "clamped"}, 0);
    if (!good || !kind || !outside || !ends) return std::nullopt;
    if (const Node* node = entry_.find("ends"); node != nullptr && *kind == 0) {
      reader_.error(node->key_source, fmt::format("{}: only a cubic table has ends to choose.", what_));
      return std::nullopt;
    }
    const Node* file = entry_.find("file");
    if (!(file == nullptr ? readLists() : readCsv(*file)) || !checkPoints()) return std::nullopt;
    TableFunction out;
    out.table = std::make_shared<const Table>(entry_.key, std::move(x_.values), std::move(y_.values),
                                              static_cast<TableKind>(*kind), static_cast<TableOutside>(*outside),
                                              static_cast<TableEnds>(*ends));
    out.x = x_.dimension;
    out.y = y_.dimension;
    return out;
  }

 private:
  std::string of(std::string_view key) const { return fmt::format("{} of {}", key, what_); }

  bool checkName() {
    const auto refuse = [&](const char* why) {
      reader_.error(entry_.key_source, fmt::format("{}: {}.", what_, why), "Choose another name.");
      return false;
    };
    if (!isPlainName(entry_.key))
      return refuse("a table's name is made of letters, digits and _, because it stands in formulas");
    if (entry_.key == "t") return refuse("t is the time");
    if (entry_.key == "pi") return refuse("pi is the number 3.14159");
    if (isFunctionName(entry_.key)) return refuse("this is the name of a function");
    if (reader_.parameters.contains(entry_.key)) return refuse("a parameter has this name");
    if (reader_.tables.contains(entry_.key)) return refuse("an included file has a table of this name");
    return true;
  }

  std::optional<std::size_t> word(const char* key, const std::vector<std::string>& words, std::size_t otherwise) {
    const Node* node = entry_.find(key);
    return node == nullptr ? otherwise : reader_.choice(*node, of(key), words);
  }

  bool readUnit(const char* key, Column& column) {
    const Node* node = entry_.find(key);
    if (node == nullptr) return true;
    const auto text = reader_.word(*node, of(key));
    if (!text) return false;
    const auto unit = parseUnit(*text);
    if (const auto* error = std::get_if<TextError>(&unit)) {
      reader_.errorInside(*node, error->offset, fmt::format("{}: {}.", of(key), error->message), error->hint);
      return false;
    }
    column.unit = std::get<Unit>(unit);
    column.dimension = column.unit->dimension;
    return true;
  }

  void add(Column& column, double number) {
    column.values.push_back(column.unit ? toSi(number, *column.unit) : number);
  }

  // --- points in the file itself -------------------------------------------------------------------------------------

  bool readLists() {
    const Node* x = reader_.required(entry_, "x", what_, "Give x = [0, 1, 2].");
    const Node* y = reader_.required(entry_, "y", what_, "Give y = [0, 5, 7].");
    if (x == nullptr || y == nullptr) return false;
    const bool x_good = readList(*x, x_);
    return readList(*y, y_) && x_good;
  }

  bool readList(const Node& node, Column& column) {
    if (node.kind != NodeKind::array) {
      reader_.wrongType(node, of(node.key), "a list of numbers");
      return false;
    }
    column.values.reserve(node.children.size());
    for (const Node& item : node.children) {
      const auto value = reader_.parse(item, of(node.key), Level::constants);
      if (!value || value->broken) return false;
      if (item.isNumber()) {
        add(column, item.number);
        continue;
      }
      const auto& found = value->dimension;
      if (found && !isPureNumber(*found)) {
        if (!column.dimension) column.dimension = found;
        if (!sameDimension(*found, *column.dimension)) {
          reader_.error(item.source, fmt::format("{}: expected {}, got {}.", of(node.key), describe(*column.dimension),
                                                 describe(*found)));
          return false;
        }
      }
      column.values.push_back(*value->number);
    }
    return true;
  }

  // --- points in a file of their own ---------------------------------------------------------------------------------

  bool readCsv(const Node& file) {
    for (const char* key : {"x", "y"}) {
      if (const Node* node = entry_.find(key)) {
        reader_.error(node->key_source, fmt::format("{}: file and {} are both given.", what_, key));
        return false;
      }
    }
    const auto name = reader_.word(file, of("file"));
    if (!name) return false;
    const FileSearch& found = reader_.session.files.find(*file.source.file, *name);
    if (!found.problem.empty()) {
      reader_.error(file.source, fmt::format("{}: {}.", what_, found.problem), found.hint);
      return false;
    }
    const TextFile& read = reader_.session.files.text(found.path);
    if (!read.text) {
      reader_.error(file.source, fmt::format("{}: \"{}\" cannot be read: {}.", what_, found.shown, read.problem));
      return false;
    }
    if (!countIncluded(reader_.session, found.shown, *read.text)) {
      reader_.error(file.source, fmt::format("{}: the included files are larger than 64 MiB together.", what_));
      return false;
    }
    return readLines(file, found.shown, *read.text);
  }

  bool readLines(const Node& file, const std::string& shown, const std::string& text) {
    std::size_t line_number = 0;
    bool header_may_come = true;
    for (std::size_t from = 0; from < text.size();) {
      const std::size_t to = std::min(text.find('\n', from), text.size());
      const std::string_view line = std::string_view(text).substr(from, to - from);
      from = to + 1;
      ++line_number;
      const auto cells = cellsOf(line);
      if (cells.empty() || cells.front().starts_with('#')) continue;
      const auto x = numberIn(cells[0]);
      const auto y = cells.size() > 1 ? numberIn(cells[1]) : std::nullopt;
      if (x && y) {
        add(x_, *x);
        add(y_, *y);
      } else if (x || !header_may_come) {
        reader_.error(file.source,
                      fmt::format("{}: {}:{} does not start with two numbers.", what_, shown, line_number));
        return false;
      }
      header_may_come = false;
    }
    return true;
  }

  // --- what the points must be ---------------------------------------------------------------------------------------

  bool checkPoints() {
    const auto refuse = [&](const std::string& why) {
      reader_.error(entry_.key_source, fmt::format("{}: {}.", what_, why));
      return false;
    };
    if (x_.values.size() != y_.values.size())
      return refuse(fmt::format("x has {} values and y has {}", x_.values.size(), y_.values.size()));
    if (x_.values.size() < 2) return refuse("it needs at least two points");
    for (std::size_t k = 0; k < x_.values.size(); ++k) {
      if (!std::isfinite(x_.values[k]) || !std::isfinite(y_.values[k]))
        return refuse(fmt::format("point {} is not finite", k + 1));
      if (k > 0 && !(x_.values[k] > x_.values[k - 1]))
        return refuse(
            fmt::format("x must increase, but value {} is {:g} after {:g}", k + 1, x_.values[k], x_.values[k - 1]));
    }
    return true;
  }

  Reader& reader_;
  const Node& entry_;
  std::string what_;
  Column x_, y_;
};

}  // namespace

void readTables(Reader& reader, const Node& section) {
  for (const Node& entry : section.children) {
    std::optional<TableFunction> table = TableReader(reader, entry).read();
    if (!table) {
      table.emplace();
      table->broken = true;
    }
    reader.tables.insert_or_assign(entry.key, std::move(*table));
  }
}

}  // namespace linkwork::model_file
