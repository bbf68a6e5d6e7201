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

// A column of an outline with the values at these samples alone; another text stays as it is.
std::string thinned(const std::string& column, std::size_t samples, const std::vector<std::size_t>& kept) {
  const std::optional<std::vector<double>> values = numbersOf(column);
  return values && values->size() == samples ? base64(picked(*values, kept)) : column;
}

// What acts on bodies and is no series of the result comes with the outline.
void thinActions(Json& outline, std::size_t samples, const std::vector<std::size_t>& kept) {
  if (!outline.contains("mechanics") || !outline["mechanics"].is_object()) return;
  Json& mechanics = outline["mechanics"];
  if (!mechanics.contains("actions") || !mechanics["actions"].is_array()) return;
  for (Json& action : mechanics["actions"]) {
    for (const char* key : {"force_values", "moment_values"}) {
      if (!action.is_object() || !action.contains(key) || !action[key].is_array()) continue;
      for (Json& column : action[key]) {
        if (column.is_string()) column = thinned(column.get_ref<const std::string&>(), samples, kept);
      }
    }
  }
}

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

std::string pageData(const std::string& outline, const Result& result, std::size_t most_values) {
  Json out = Json::parse(outline, nullptr, false);
  if (!out.is_object()) out = Json::object();
  const std::vector<std::size_t> samples = pageSamples(result, most_values);
  out["time"] = base64(picked(result.time, samples));
  out["samples"] = result.time.size();
  if (samples.size() < result.time.size()) thinActions(out, result.time.size(), samples);
  std::unordered_map<std::string_view, const Series*> recorded;
  for (const Series& series : result.series) recorded.emplace(series.name, &series);
  Json& list = out["series"];
  for (Json& entry : list) {
    if (!entry.is_object() || entry.contains("values") || !entry.contains("name") || !entry["name"].is_string())
      continue;
    const auto found = recorded.find(entry["name"].get_ref<const std::string&>());
    if (found != recorded.end()) entry["values"] = base64(picked(found->second->values, samples));
  }
  return escapeForScript(out.dump(-1, ' ', false, Json::error_handler_t::replace));
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
    out.data = escapeForScript(data.dump(-1, ' ', false, Json::error_handler_t::replace));
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
