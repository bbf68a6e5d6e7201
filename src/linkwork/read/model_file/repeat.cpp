#include "linkwork/read/model_file/repeat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace linkwork::model_file {

namespace {

constexpr double kLargestIndex = 1e15;  // whole numbers up to here are exact
// Of parameters that a range uses, each formula's own nesting counted: what a stack of 8 MiB holds also with
// sanitizers.
constexpr std::size_t kDeepestParameter = 200;

// Levels of recursion that a formula takes: parentheses and signs.
std::size_t nestingOf(std::string_view text) {
  std::size_t open = 0;
  std::size_t signs = 0;
  std::size_t deepest = 0;
  for (const char c : text) {
    if (c == '(') ++open;
    if (c == ')' && open > 0) --open;
    if (c == '-' || c == '+' || c == '^') ++signs;
    deepest = std::max(deepest, open);
  }
  return deepest + signs;
}
constexpr std::size_t kValuesPerEntry = 8;  // what an entry may hold on average when the limit of entries is met

struct RepeatIndex {
  std::string name;
  const Node* from = nullptr;
  const Node* to = nullptr;
  std::optional<std::int64_t> value;  // while its copies are being written
};

// What a placeholder or a range may name: the indices that have a value, and parameters.
class IndexScope : public Scope {
 public:
  IndexScope(const Reader& reader, const Node* parameters, const std::vector<RepeatIndex>& indices)
      : reader_(reader), indices_(indices) {
    if (parameters == nullptr || parameters->kind != NodeKind::table) return;
    for (const Node& entry : parameters->children) {
      const auto set = reader.settings.find(entry.key);
      parameters_.emplace(entry.key, set == reader.settings.end() ? &entry : &set->second);
    }
  }

  std::optional<NamedValue> find(std::string_view name) const override {
    for (const RepeatIndex& index : indices_) {
      if (index.name != name) continue;
      NamedValue value;
      value.dimension = dimension::kNumber;
      if (index.value) {
        value.number = static_cast<double>(*index.value);
        value.expr = *value.number;
      } else {
        value.refusal = fmt::format("\"{}\" has no value here, because no name around this place holds it", name);
      }
      return value;
    }
    const auto found = parameters_.find(std::string(name));
    if (found == parameters_.end()) return std::nullopt;
    const auto given = reader_.overrides.find(name);
    if (given != reader_.overrides.end()) return numberOf(given->second.value);
    return parameter(found->first, *found->second);
  }

  std::vector<std::string> candidates() const override {
    std::vector<std::string> names;
    for (const RepeatIndex& index : indices_) names.push_back(index.name);
    for (const auto& [name, node] : parameters_) names.push_back(name);
    return names;
  }

 private:
  static NamedValue numberOf(const ParsedExpression& parsed) {
    NamedValue value;
    value.dimension = parsed.dimension;
    value.number = parsed.number;
    value.broken = parsed.broken || !parsed.number;
    if (parsed.number) value.expr = *parsed.number;
    return value;
  }

  // What is wrong with a parameter is said when [parameters] is read: here it is only broken.
  NamedValue parameter(const std::string& name, const Node& node) const {
    const auto known = known_.find(name);
    if (known != known_.end()) return known->second;
    NamedValue value;
    value.broken = true;
    if (node.isNumber()) {
      value = NamedValue{Expr(node.number), dimension::kNumber, node.number, false, {}};
    } else if (const std::size_t levels = 1 + nestingOf(node.text);
               node.kind == NodeKind::text && depth_ + levels <= kDeepestParameter) {
      known_.emplace(name, value);  // a circle finds itself broken
      depth_ += levels;
      const auto parsed = parseQuantity(node.text, *this, Numbers::pure);
      depth_ -= levels;
      if (const auto* good = std::get_if<ParsedExpression>(&parsed)) value = numberOf(*good);
    }
    known_.insert_or_assign(name, value);
    return value;
  }

  const Reader& reader_;
  const std::vector<RepeatIndex>& indices_;
  std::unordered_map<std::string, const Node*> parameters_;
  mutable std::unordered_map<std::string, NamedValue> known_;
  mutable std::size_t depth_ = 0;
};

// A stretch of a text with placeholders: as it stands, or a formula in braces.
struct Part {
  std::size_t offset = 0;
  std::string text;
  bool placeholder = false;
  int index = -1;           // of the short form {i}, {i+1}, {i-1}
  std::int64_t addend = 0;  // of the short form
};

struct Template {
  std::vector<Part> parts;
  std::vector<std::size_t> indices;  // that it names, in the order of [repeat]
  bool broken = false;
};

bool holdsBrace(std::string_view text) { return text.find('{') != std::string_view::npos; }

bool holdsBraces(const Node& node) {
  if (holdsBrace(node.key) || holdsBrace(node.text)) return true;
  for (const Node& child : node.children) {
    if (holdsBraces(child)) return true;
  }
  return false;
}

class Expansion {
 public:
  Expansion(Reader& reader, const Node& root) : reader_(reader), scope_(reader, root.find("parameters"), indices_) {
    const Node* section = root.find("repeat");
    if (section == nullptr) return;
    if (!reader_.checkTable(*section, "[repeat]", "a table such as { i = { from = 1, to = 10 } }")) {
      good_ = false;
      return;
    }
    const Node* parameters = root.find("parameters");
    for (const Node& entry : section->children) good_ = readIndex(entry, parameters) && good_;
  }

  bool good() const { return good_; }

  void expand(const Node& section, std::vector<Node>& out) {
    if (section.kind != NodeKind::table || !holdsBraces(section)) return;
    Node& result = out.emplace_back();
    result.kind = section.kind;
    result.key = section.key;
    result.key_source = section.key_source;
    result.source = section.source;
    result.children.reserve(section.children.size());
    for (const Node& entry : section.children) {
      if (stop_) return;
      addEntries(entry, result.children);
    }
    checkTwice(section.children, result.children);
  }

 private:
  // --- indices -------------------------------------------------------------------------------------------------------

  bool readIndex(const Node& entry, const Node* parameters) {
    const std::string what = fmt::format("repeat \"{}\"", entry.key);
    const auto refuse = [&](const char* why) {
      reader_.error(entry.key_source, fmt::format("{}: {}.", what, why), "Choose another name.");
      return false;
    };
    if (!isPlainName(entry.key)) return refuse("an index has a name of letters, digits and _");
    if (entry.key == "t" || entry.key == "pi" || isFunctionName(entry.key)) return refuse("this name is taken");
    if (parameters != nullptr && parameters->find(entry.key) != nullptr) return refuse("a parameter has this name");
    if (!reader_.checkTable(entry, what, "a table such as { from = 1, to = 10 }")) return false;
    const bool keys_good = reader_.checkKeys(entry, what, {"from", "to"});
    RepeatIndex index;
    index.name = entry.key;
    index.from = reader_.required(entry, "from", what);
    index.to = reader_.required(entry, "to", what, "The range includes it.");
    const bool complete = index.from != nullptr && index.to != nullptr;
    indices_.push_back(std::move(index));
    reader_.repeat_names.insert(entry.key);
    return keys_good && complete;
  }

  // A whole number, or nullopt after a message.
  std::optional<std::int64_t> whole(const ParsedExpression& parsed, const Source& where, const std::string& what) {
    if (parsed.broken || !parsed.number) return std::nullopt;
    const double rounded = std::nearbyint(*parsed.number);
    const bool plain = !parsed.dimension || isPureNumber(*parsed.dimension);
    if (plain && std::abs(rounded) <= kLargestIndex && std::abs(*parsed.number - rounded) <= 1e-9)
      return static_cast<std::int64_t>(rounded);
    const std::string found = plain ? fmt::format("{}", *parsed.number) : describe(*parsed.dimension);
    reader_.error(where, fmt::format("{}: expected a whole number, got {}.", what, found));
    return std::nullopt;
  }

  std::optional<std::int64_t> bound(const RepeatIndex& index, const Node& node) {
    const std::string what = fmt::format("{} of repeat \"{}\"", node.key, index.name);
    if (node.isNumber()) {
      ParsedExpression plain;
      plain.number = node.number;
      return whole(plain, node.source, what);
    }
    if (node.kind != NodeKind::text) {
      reader_.wrongType(node, what, "a whole number or a formula in parameters");
      return std::nullopt;
    }
    const auto parsed = parseExpression(node.text, scope_, Numbers::pure);
    if (const auto* error = std::get_if<TextError>(&parsed)) {
      reader_.errorInside(node, error->offset, fmt::format("{}: {}.", what, error->message), error->hint);
      return std::nullopt;
    }
    return whole(std::get<ParsedExpression>(parsed), node.source, what);
  }

  void fail() {
    good_ = false;
    stop_ = true;
  }

  // --- templates -----------------------------------------------------------------------------------------------------

  // `{i}`, `{i+1}` and `{i-1}` are nearly all there are: worth not parsing ten thousand times.
  void findShortForm(Part& part) const {
    const std::size_t sign = part.text.find_first_of("+-");
    const std::string_view name = std::string_view(part.text).substr(0, sign);
    for (std::size_t i = 0; i < indices_.size(); ++i) {
      if (indices_[i].name != name) continue;
      if (sign != std::string::npos) {
        const std::string_view digits = std::string_view(part.text).substr(sign + 1);
        if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != std::string_view::npos)
          return;
        part.addend = std::stoll(std::string(digits)) * (part.text[sign] == '-' ? -1 : 1);
      }
      part.index = static_cast<int>(i);
      return;
    }
  }

  Template parseTemplate(const std::string& text, const Source& where) {
    Template result;
    const auto refuse = [&](const char* why) {
      reader_.error(where, fmt::format("\"{}\": {}.", text.substr(0, 100), why),
                    "Braces hold an index of [repeat], as in \"P{i}\".");
      result.broken = true;
      good_ = false;
    };
    std::vector<bool> named(indices_.size(), false);
    std::size_t at = 0;
    while (at < text.size() && !result.broken) {
      const std::size_t open = std::min(text.find('{', at), text.size());
      if (open > at) result.parts.push_back({at, text.substr(at, open - at), false, -1, 0});
      at = open;
      if (open == text.size()) break;
      const std::size_t close = text.find('}', open);
      if (close == std::string::npos) {
        refuse("the closing \"}\" is missing");
        break;
      }
      Part part{open, text.substr(open + 1, close - open - 1), true, -1, 0};
      if (part.text.find_first_not_of(" \t") == std::string::npos) refuse("there is nothing between the braces");
      findShortForm(part);
      for (const std::string& name : namesIn(part.text)) {
        for (std::size_t i = 0; i < indices_.size(); ++i) named[i] = named[i] || indices_[i].name == name;
      }
      result.parts.push_back(std::move(part));
      at = close + 1;
    }
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (named[i]) result.indices.push_back(i);
    }
    return result;
  }

  Template& keyTemplate(const Node& node) {
    const auto found = keys_.find(&node);
    if (found != keys_.end()) return found->second;
    return keys_.emplace(&node, parseTemplate(node.key, node.key_source)).first->second;
  }

  Template& textTemplate(const Node& node) {
    const auto found = texts_.find(&node);
    if (found != texts_.end()) return found->second;
    return texts_.emplace(&node, parseTemplate(node.text, node.source)).first->second;
  }

  // The number a placeholder stands for; nullopt after a message, and the template is then broken.
  std::optional<std::int64_t> valueOf(const Part& part, const Node& node, const std::string& text, bool is_key) {
    if (part.index >= 0) {
      const RepeatIndex& index = indices_[static_cast<std::size_t>(part.index)];
      if (index.value) return *index.value + part.addend;
    }
    const std::string what = fmt::format("\"{}\"", text.substr(0, 100));
    const auto place = [&](std::size_t offset) {
      Source where = is_key ? node.key_source : reader_.document.placeInside(node, offset);
      if (context_) where.context = context_;
      return where;
    };
    const auto parsed = parseExpression(part.text, scope_, Numbers::pure);
    if (const auto* error = std::get_if<TextError>(&parsed)) {
      reader_.error(place(part.offset + 1 + error->offset), fmt::format("{}: {}.", what, error->message), error->hint);
      return std::nullopt;
    }
    return whole(std::get<ParsedExpression>(parsed), place(part.offset + 1), what);
  }

  // The text with numbers for its placeholders; `pieces` remember what came from where.
  std::string fill(Template& text, const Node& node, const std::string& written, bool is_key,
                   std::vector<TextPiece>* pieces) {
    std::string result;
    for (std::size_t k = 0; k < text.parts.size() && !text.broken; ++k) {
      const Part& part = text.parts[k];
      if (pieces != nullptr) pieces->push_back({result.size(), part.offset, part.placeholder});
      if (!part.placeholder) {
        result += part.text;
        continue;
      }
      const std::optional<std::int64_t> value = valueOf(part, node, written, is_key);
      if (!value) {
        text.broken = true;
        good_ = false;
        break;
      }
      // In a formula the sign belongs to the number: {i}^2 of i = -1 is 1.
      const bool raised = k + 1 < text.parts.size() && isRaised(text.parts[k + 1].text);
      result += *value < 0 && raised ? fmt::format("({})", *value) : fmt::format("{}", *value);
    }
    return result;
  }

  static bool isRaised(const std::string& rest) {
    const std::size_t first = rest.find_first_not_of(' ');
    return first != std::string::npos && rest[first] == '^';
  }

  // --- copies --------------------------------------------------------------------------------------------------------

  // One entry, or one for each value of the indices that its name brings in.
  void addEntries(const Node& written, std::vector<Node>& out) {
    if (!holdsBrace(written.key)) {
      out.push_back(copy(written));
      return;
    }
    const Template& key = keyTemplate(written);
    if (key.broken) return;
    std::vector<std::size_t> open;
    for (const std::size_t index : key.indices) {
      if (!indices_[index].value) open.push_back(index);
    }
    repeat(open, 0, written, out);
  }

  void repeat(const std::vector<std::size_t>& open, std::size_t level, const Node& written, std::vector<Node>& out) {
    if (level == open.size()) {
      out.push_back(copy(written));
      return;
    }
    RepeatIndex& index = indices_[open[level]];
    const auto from = bound(index, *index.from);
    const auto to = from ? bound(index, *index.to) : std::nullopt;
    if (!to) {
      fail();
      return;
    }
    if (*to >= *from && !charge(static_cast<std::size_t>(*to - *from) + 1, *index.to)) return;
    const auto outer = context_;
    for (std::int64_t value = *from; value <= *to && !stop_; ++value) {
      index.value = value;
      context_ = contextOfNow(written.key_source);
      repeat(open, level + 1, written, out);
      if (keyTemplate(written).broken) break;
    }
    context_ = outer;
    index.value.reset();
  }

  // "for i = 3, j = 4, included as ..."
  std::shared_ptr<const std::string> contextOfNow(const Source& written) const {
    std::string text;
    for (const RepeatIndex& index : indices_) {
      if (!index.value) continue;
      text += fmt::format("{}{} = {}", text.empty() ? "for " : ", ", index.name, *index.value);
    }
    if (written.context) text.append(", ").append(*written.context);
    return std::make_shared<const std::string>(std::move(text));
  }

  bool charge(std::size_t entries, const Node& where) {
    reader_.session.entries += entries;
    if (reader_.session.entries <= reader_.session.options.entries) return true;
    reader_.error(where.source,
                  fmt::format("[repeat] would make more than {} entries.", reader_.session.options.entries),
                  "Make the range smaller.");
    fail();
    return false;
  }

  bool chargeValue(const Node& written) {
    reader_.session.values += 1 + (written.text.size() + written.key.size()) / 64;
    const std::size_t most = kValuesPerEntry * reader_.session.options.entries;
    if (reader_.session.values <= most) return true;
    if (!stop_)
      reader_.error(written.source, fmt::format("[repeat] would write more than {} values.", most),
                    "Make the ranges smaller.");
    fail();
    return false;
  }

  Node copy(const Node& written) {
    Node result;
    if (stop_ || !chargeValue(written)) return result;
    result.kind = written.kind;
    result.key_source = written.key_source;
    result.source = written.source;
    if (context_) {
      result.key_source.context = context_;
      result.source.context = context_;
    }
    result.number = written.number;
    result.flag = written.flag;
    result.key =
        holdsBrace(written.key) ? fill(keyTemplate(written), written, written.key, true, nullptr) : written.key;
    result.text = holdsBrace(written.text) ? fill(textTemplate(written), written, written.text, false, &result.pieces)
                                           : written.text;
    result.children.reserve(written.children.size());
    for (const Node& child : written.children) {
      if (stop_) break;
      if (written.kind == NodeKind::table) {
        addEntries(child, result.children);
      } else {
        result.children.push_back(copy(child));
      }
    }
    if (written.kind == NodeKind::table) checkTwice(written.children, result.children);
    return result;
  }

  // TOML refuses a key that is written twice; one that is made twice is found here.
  void checkTwice(const std::vector<Node>& written, const std::vector<Node>& made) {
    bool any = false;
    for (const Node& entry : written) any = any || holdsBrace(entry.key);
    if (!any || !good_) return;
    std::unordered_map<std::string_view, const Node*> seen;
    for (const Node& entry : made) {
      const auto [before, is_new] = seen.try_emplace(entry.key, &entry);
      if (is_new) continue;
      reader_.error(entry.key_source, fmt::format("there are two entries \"{}\": the other one is on line {}.",
                                                  entry.key, before->second->key_source.line));
      good_ = false;
    }
  }

  Reader& reader_;
  std::vector<RepeatIndex> indices_;
  IndexScope scope_;
  std::shared_ptr<const std::string> context_;  // of the copy being written
  std::unordered_map<const Node*, Template> keys_;
  std::unordered_map<const Node*, Template> texts_;
  bool good_ = true;
  bool stop_ = false;
};

}  // namespace

const Node* WrittenOut::find(const Node& root, std::string_view section) const {
  const auto found =
      std::find_if(sections.begin(), sections.end(), [&](const Node& node) { return node.key == section; });
  return found == sections.end() ? root.find(section) : &*found;
}

WrittenOut expandRepeats(Reader& reader, const Node& root, const std::vector<std::string>& sections) {
  WrittenOut out;
  Expansion expansion(reader, root);
  for (const Node& section : root.children) {
    const bool repeats = std::find(sections.begin(), sections.end(), section.key) != sections.end();
    if (repeats && expansion.good()) expansion.expand(section, out.sections);
  }
  out.good = expansion.good();
  return out;
}

}  // namespace linkwork::model_file
