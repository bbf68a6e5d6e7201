#include "linkwork/files/page_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "linkwork/files/atomic_file.hpp"
#include "linkwork/files/base64.hpp"

namespace linkwork {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kMarker = "/*LINKWORK_DATA*/";
constexpr std::string_view kDataElement = "id=\"linkwork-data\">";  // before it

// JSON that may stand inside <script>: nothing in it can end the element or open a comment.
std::string escapeForScript(const std::string& json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t k = 0; k < json.size(); ++k) {
    const char c = json[k];
    if (c == '<' || c == '>' || c == '&') {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else if (json.compare(k, 3, "\xe2\x80\xa8") == 0 || json.compare(k, 3, "\xe2\x80\xa9") == 0) {
      out += json[k + 2] == '\xa8' ? "\\u2028" : "\\u2029";
      k += 2;
    } else {
      out += c;
    }
  }
  return out;
}

std::string textOf(const Json& page) {
  return escapeForScript(page.dump(-1, ' ', false, Json::error_handler_t::replace));
}

// nullopt where the text is no column of numbers.
std::optional<std::vector<double>> numbersOf(const std::string& column) {
  const std::optional<std::string> bytes = bytesOfBase64(column);
  if (!bytes || bytes->size() % sizeof(double) != 0) return std::nullopt;
  std::vector<double> values;
  values.reserve(bytes->size() / sizeof(double));
  for (std::size_t k = 0; k < bytes->size() / sizeof(double); ++k) {
    std::uint64_t bits = 0;
    for (std::size_t b = sizeof(double); b-- > 0;)
      bits = bits << 8U | static_cast<unsigned char>((*bytes)[k * sizeof(double) + b]);
    values.push_back(std::bit_cast<double>(bits));
  }
  return values;
}

constexpr std::size_t kFewestSamples = 200;  // before series are left out

// What a drawing cannot do without comes first: the places of bodies.
int rankOf(const Series& series, const std::unordered_set<std::string_view>& bodies) {
  const std::string& label = series.label;
  const bool place = label == "x" || label == "y" || label == "z" || label == "angle" || label == "slide";
  if (place || label.starts_with("orientation.")) return bodies.contains(series.group) ? 0 : 1;
  if (series.group == "energy") return 1;
  return label.ends_with("_acceleration") || label.starts_with("angular_acceleration.") ? 3 : 2;
}

// The columns of a page, and how many numbers of each there is room for.
class PageColumns {
 public:
  PageColumns(Json& page, const Result& result) : page_(page), result_(result) {
    std::unordered_map<std::string_view, const Series*> recorded;
    for (const Series& series : result.series) recorded.emplace(series.name, &series);
    for (Json& entry : page["series"]) {
      if (!entry.is_object()) continue;
      if (entry.contains("values")) {
        takeOut(entry["values"]);
      } else if (entry.contains("name") && entry["name"].is_string()) {
        const auto found = recorded.find(entry["name"].get_ref<const std::string&>());
        if (found != recorded.end()) filled_.push_back({&entry, found->second});
      }
    }
    takeOutActions();
  }

  void fill(std::size_t most_bytes) {
    choose(most_bytes);
    page_["time"] = base64(picked(result_.time, samples_));
    page_["samples"] = result_.time.size();
    for (auto& [place, values] : own_) *place = base64(picked(values, samples_));
    for (std::size_t k = 0; k < filled_.size(); ++k) {
      Json& entry = *filled_[k].entry;
      entry["values"] = k < kept_ ? base64(picked(filled_[k].series->values, samples_)) : std::string();
      if (k >= kept_) entry["partial"] = true;
    }
    if (kept_ < filled_.size())
      page_["warnings"].push_back(
          fmt::format("The page holds the course of {} of {} recorded quantities, places of bodies first: with "
                      "all of them it would be too large. CSV and HDF5 hold all.",
                      kept_, filled_.size()));
  }

 private:
  struct Filled {
    Json* entry;
    const Series* series;
  };

  // A column that the outline brings along; another text stays as it is.
  void takeOut(Json& column) {
    if (!column.is_string()) return;
    std::optional<std::vector<double>> values = numbersOf(column.get_ref<const std::string&>());
    if (!values || values->size() != result_.time.size() || values->empty()) return;
    own_.emplace_back(&column, *std::move(values));
    column = std::string();
  }

  // What acts on bodies and is no series of the result.
  void takeOutActions() {
    if (!page_.contains("mechanics") || !page_["mechanics"].is_object()) return;
    Json& mechanics = page_["mechanics"];
    if (!mechanics.contains("actions") || !mechanics["actions"].is_array()) return;
    for (Json& action : mechanics["actions"]) {
      for (const char* key : {"force_values", "moment_values"}) {
        if (!action.is_object() || !action.contains(key) || !action[key].is_array()) continue;
        for (Json& column : action[key]) takeOut(column);
      }
    }
  }

  // How many samples of so many columns fit.
  static std::size_t fitting(std::size_t room, std::size_t columns) {
    return room / columns / 32 * 3;  // three numbers are 32 letters
  }

  // What is left beside all other text.
  std::size_t roomIn(std::size_t most_bytes) const {
    constexpr std::size_t kKey = 32;         // "values":"", "partial":true
    constexpr std::size_t kSentence = 1000;  // of the warning, the time and the count
    const std::size_t text = textOf(page_).size() + kSentence + kKey * (filled_.size() + own_.size());
    return most_bytes > text ? most_bytes - text : 0;
  }

  void choose(std::size_t most_bytes) {
    const std::size_t room = roomIn(most_bytes);
    const std::size_t others = own_.size() + 1;
    kept_ = filled_.size();
    std::size_t most = fitting(room, kept_ + others);
    if (most >= std::min(result_.time.size(), kFewestSamples)) {
      samples_ = pageSamples(result_, most);
      return;
    }
    const auto places = static_cast<std::size_t>(sortByRank());
    while (kept_ > places && fitting(room, kept_ + others) < kFewestSamples) kept_ -= (kept_ - places + 63) / 64;
    most = fitting(room, kept_ + others);
    Result thinned;
    thinned.time = result_.time;
    for (std::size_t k = 0; k < kept_; ++k) thinned.series.push_back(*filled_[k].series);
    samples_ = pageSamples(thinned, most);
  }

  // How many there are of the first rank.
  std::ptrdiff_t sortByRank() {
    std::unordered_set<std::string_view> bodies;
    for (const Series& series : result_.series) {
      if (series.label == "x") bodies.insert(series.group);
    }
    std::stable_sort(filled_.begin(), filled_.end(), [&](const Filled& a, const Filled& b) {
      return rankOf(*a.series, bodies) < rankOf(*b.series, bodies);
    });
    return std::count_if(filled_.begin(), filled_.end(),
                         [&](const Filled& one) { return rankOf(*one.series, bodies) == 0; });
  }

  Json& page_;
  const Result& result_;
  std::vector<Filled> filled_;                              // series of the result; the first `kept_` are shown
  std::vector<std::pair<Json*, std::vector<double>>> own_;  // columns of the outline itself
  std::size_t kept_ = 0;
  std::vector<std::size_t> samples_;
};

}  // namespace

bool isPageOutline(const std::string& text) {
  const Json parsed = Json::parse(text, nullptr, false);
  return parsed.is_object() && parsed.contains("format") && parsed["format"] == "linkwork-page";
}

void describeSeries(const std::string& outline, std::vector<Series>& series) {
  const Json parsed = Json::parse(outline, nullptr, false);
  if (!parsed.is_object() || !parsed.contains("series") || !parsed["series"].is_array()) return;
  std::unordered_map<std::string_view, const Json*> told;
  std::unordered_map<const Json*, std::size_t> places;
  const auto text = [](const Json& entry, const char* key) {
    return entry.contains(key) && entry[key].is_string() ? entry[key].get_ref<const std::string&>() : std::string();
  };
  for (const Json& entry : parsed["series"]) {
    if (!entry.is_object() || !entry.contains("name") || !entry["name"].is_string()) continue;
    if (told.emplace(entry["name"].get_ref<const std::string&>(), &entry).second) places.emplace(&entry, places.size());
  }
  const auto placeOf = [&](const Series& one) {
    const auto found = told.find(one.name);
    return found == told.end() ? places.size() : places.at(found->second);
  };
  for (Series& one : series) {
    const auto found = told.find(one.name);
    if (found == told.end()) continue;
    one.group = text(*found->second, "group");
    one.label = text(*found->second, "label");
  }
  std::stable_sort(series.begin(), series.end(),
                   [&](const Series& a, const Series& b) { return placeOf(a) < placeOf(b); });
}

std::string pageData(const std::string& outline, const Result& result, std::size_t most_bytes) {
  Json out = Json::parse(outline, nullptr, false);
  if (!out.is_object()) out = Json::object();
  PageColumns(out, result).fill(most_bytes);
  return textOf(out);
}

PageContent dataOfPage(std::string_view page) {
  PageContent out;
  const std::size_t place = page.find(kDataElement);
  if (place == std::string_view::npos) {
    out.problem = "a page, but none that Linkwork wrote";
    return out;
  }
  const std::string_view rest = page.substr(place + kDataElement.size());
  const std::size_t end = rest.find("</script>");
  const Json data =
      end == std::string_view::npos ? Json(Json::value_t::discarded) : Json::parse(rest.substr(0, end), nullptr, false);
  const auto isIn = [&](const char* key) { return data.is_object() && data.contains(key); };
  if (!isIn("format") || data["format"] != "linkwork-page") {
    out.problem = "the page is cut short or damaged. Run the model again";
  } else if (!isIn("version") || data["version"] != kPageVersion) {
    out.problem = "another version of Linkwork wrote this page. Run the model again";
  } else {
    if (isIn("time") && data["time"].is_string())
      out.time = numbersOf(data["time"].get_ref<const std::string&>()).value_or(std::vector<double>());
    out.data = textOf(data);
  }
  return out;
}

std::string writePage(std::string_view page_template, const std::string& data, const std::string& path) {
  const std::size_t place = page_template.find(kMarker);
  if (place == std::string_view::npos)
    return fmt::format("cannot write {}: the page template has no place for data", path);
  return writeAtomically(path, [&](std::ostream& out) {
    out << page_template.substr(0, place) << data << page_template.substr(place + kMarker.size());
  });
}

}  // namespace linkwork
