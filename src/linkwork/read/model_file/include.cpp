#include "linkwork/read/model_file/include.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "linkwork/read/model_file/settings.hpp"

namespace linkwork::model_file {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDeepestInclude = 16;
constexpr std::size_t kMostIncludes = 10'000;
constexpr std::size_t kMostIncludedBytes = std::size_t{64} << 20;

std::string placeText(const Source& source) {
  return fmt::format("{}:{}", source.file ? *source.file : std::string{}, source.line);
}

// Reads one entry of [include].
class IncludeReader {
 public:
  IncludeReader(Reader& reader, const Node& entry)
      : reader_(reader), session_(reader.session), entry_(entry), what_(fmt::format("include \"{}\"", entry.key)) {}

  void read() {
    if (!reader_.checkTable(entry_, what_, "a table such as { file = \"leg.toml\" }")) return;
    const bool keys_good = reader_.checkKeys(
        entry_, what_, {"file", "prefix", "parameters", "at", reader_.inSpace() ? "rotation" : "angle"});
    const Node* file = reader_.required(entry_, "file", what_);
    const std::optional<std::string> prefix = readPrefix();
    const std::optional<DrawnPose> placement = readPlacement();
    if (!keys_good || file == nullptr || !prefix || !placement) return;
    const auto name = reader_.word(*file, "file of " + what_);
    if (!name || !findFile(*file, *name)) return;
    readPart(*file, *prefix, *placement);
  }

 private:
  std::optional<std::string> readPrefix() {
    const Node* node = entry_.find("prefix");
    const std::string text = node == nullptr ? entry_.key + "_" : node->text;
    if (node != nullptr && !reader_.word(*node, "prefix of " + what_)) return std::nullopt;
    if (text.empty() || isPlainName(text)) return text;
    reader_.error(node == nullptr ? entry_.key_source : node->source,
                  fmt::format("{}: the prefix \"{}\" is not made of letters, digits and _.", what_, text),
                  node == nullptr ? "Give prefix = \"...\", or choose another name." : "");
    return std::nullopt;
  }

  std::optional<DrawnPose> readPlacement() {
    Point at{};
    Value angle;
    bool good = true;
    if (const Node* node = entry_.find("at")) {
      const auto place = reader_.place(*node, "at of " + what_);
      good = place.has_value();
      if (place) at = place->at;
    }
    if (reader_.inSpace()) {
      const Node* node = entry_.find("rotation");
      const auto turn = node == nullptr ? kNoTurn : reader_.rotation(*node, "rotation of " + what_);
      return good && turn ? std::optional(poseAt(at, *turn)) : std::nullopt;
    }
    if (const Node* node = entry_.find("angle")) {
      const auto value = reader_.constant(*node, dimension::kAngle, "angle of " + what_);
      good = good && value;
      if (value) angle = *value;
    }
    return good ? std::optional(poseAt(at, angle)) : std::nullopt;
  }

  bool refuse(const Node& file, const std::string& why, std::string hint = {}) {
    reader_.error(file.source, fmt::format("{}: {}.", what_, why), std::move(hint));
    return false;
  }

  bool findFile(const Node& file, const std::string& name) {
    const FileSearch& found = session_.files.find(*entry_.source.file, name);
    path_ = found.path;
    shown_ = found.shown;
    if (!found.problem.empty()) return refuse(file, found.problem, found.hint);
    for (const Session::OpenFile& open : session_.open) {
      if (open.path == path_) return refuse(file, "the files include each other in a circle: " + circle());
    }
    if (session_.open.size() > kDeepestInclude)
      return refuse(file, fmt::format("files include each other more than {} deep", kDeepestInclude));
    if (++session_.includes > kMostIncludes)
      return refuse(file, fmt::format("more than {} files are included", kMostIncludes));
    return true;
  }

  // "a.toml -> b.toml -> a.toml"
  std::string circle() const {
    std::string chain;
    bool inside = false;
    for (const Session::OpenFile& open : session_.open) {
      inside = inside || open.path == path_;
      if (inside) chain += open.shown + " -> ";
    }
    return chain + shown_;
  }

  // Null after a message.
  const Document* findDocument(const Node& file) {
    const TextFile& read = session_.files.text(path_);
    if (!read.text) {
      refuse(file, fmt::format("\"{}\" cannot be read: {}", shown_, read.problem));
      return nullptr;
    }
    if (!countIncluded(session_, shown_, *read.text)) {
      refuse(file, "the included files are larger than 64 MiB together");
      return nullptr;
    }
    std::string context = fmt::format("included as \"{}\" at {}", entry_.key, placeText(entry_.key_source));
    if (entry_.key_source.context) context.append(", ").append(*entry_.key_source.context);
    auto& documents = session_.files.documents;
    const auto known = documents.find({path_, context});
    if (known != documents.end()) return &known->second;
    auto parsed = parseDocument(*read.text, shown_, reader_.diagnostics, std::make_shared<const std::string>(context));
    if (!parsed) return nullptr;
    return &documents.emplace(std::pair(path_, std::move(context)), *std::move(parsed)).first->second;
  }

  void readPart(const Node& file, const std::string& prefix, const DrawnPose& placement) {
    const int errors_before = reader_.diagnostics.errorCount();
    const Document* document = findDocument(file);
    if (document == nullptr) return;
    Mechanism mechanism;
    Reader part(*document, session_, mechanism);
    if (!readOverrides(part)) return;
    passSettings(reader_, prefix, part);
    session_.open.push_back({path_, shown_});
    readFile(part, document->root, Role::included);
    session_.open.pop_back();
    checkOverrides(part);
    if (mechanism.space != reader_.mechanism.space && reader_.diagnostics.errorCount() == errors_before) {
      const auto word = [](Space space) { return space == Space::spatial ? "spatial" : "planar"; };
      refuse(file, fmt::format("{} is {}, but the file that includes it is {}", shown_, word(mechanism.space),
                               word(reader_.mechanism.space)));
    }
    if (reader_.diagnostics.errorCount() == errors_before) mergePart(reader_, part, prefix, placement);
  }

  // What this file gives for parameters of the part.
  bool readOverrides(Reader& part) {
    const Node* table = entry_.find("parameters");
    if (table == nullptr) return true;
    if (!reader_.checkTable(*table, "parameters of " + what_, "a table such as { L = \"0.4 m\" }")) return false;
    bool good = true;
    for (const Node& entry : table->children) {
      const auto value =
          reader_.parse(entry, fmt::format("parameter \"{}\" of {}", entry.key, what_), Level::constants);
      good = good && value && !value->broken;
      if (value) part.overrides[entry.key] = {*value, entry.source, Override::From::include};
    }
    return good;
  }

  // Only a file that has been read is known to lack a parameter: [repeat] makes some.
  void checkOverrides(const Reader& part) {
    for (const auto& [name, given] : part.overrides) {
      if (given.from == Override::From::farther || part.parameters.contains(name)) continue;
      reader_.error(given.source, fmt::format("{}: {} has no parameter \"{}\".", what_, shown_, name),
                    reader_.suggest(name, namesOf(part.parameters)));
    }
  }

  Reader& reader_;
  Session& session_;
  const Node& entry_;
  std::string what_;
  fs::path path_;
  std::string shown_;
};

}  // namespace

void listIncluded(Session& session, const std::string& shown, const std::string& text) {
  const bool is_new = std::none_of(session.included.begin(), session.included.end(),
                                   [&](const IncludedFile& known) { return known.file_name == shown; });
  if (is_new) session.included.push_back({shown, text});
}

bool countIncluded(Session& session, const std::string& shown, const std::string& text) {
  session.included_bytes += text.size();
  if (session.included_bytes > kMostIncludedBytes) return false;
  listIncluded(session, shown, text);
  return true;
}

void readIncludes(Reader& reader, const Node& section) {
  for (const Node& entry : section.children) {
    if (reader.checkName(entry, "include")) IncludeReader(reader, entry).read();
  }
}

}  // namespace linkwork::model_file
