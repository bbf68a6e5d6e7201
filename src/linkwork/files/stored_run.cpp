#include "linkwork/files/stored_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

#include "linkwork/base/input_file.hpp"
#include "linkwork/files/hdf5_file.hpp"
#include "linkwork/files/result_file.hpp"

namespace linkwork {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

StoredRun refused(std::string problem) {
  StoredRun out;
  out.problem = std::move(problem);
  return out;
}

// With a problem that names the file; an empty one is of no use here.
InputFile contentOf(const std::string& path) {
  InputFile file = readInputFile(path);
  if (!file.ok()) {
    file.problem = fmt::format("{}: cannot be read: {}", path, file.problem);
  } else if (file.text.empty()) {
    file.problem = fmt::format("{}: the file is empty", path);
  }
  return file;
}

std::string textIn(const Json& object, const char* key) {
  return object.contains(key) && object[key].is_string() ? object[key].get<std::string>() : std::string();
}

// The cells of a CSV file, one after the other; quoted ones may hold commas and ends of lines.
class CsvCells {
 public:
  explicit CsvCells(std::string_view text) : rest_(text) {
    while (rest_.starts_with('#')) {
      const std::size_t end = rest_.find('\n');
      rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    }
  }

  bool atEnd() const { return rest_.empty(); }

  // Whether the cell taken last was the last of its line.
  bool lineEnded() const { return line_ended_; }

  std::string_view take() {
    if (rest_.starts_with('"')) return takeQuoted();
    const std::size_t end = rest_.find_first_of(",\n");
    const std::string_view cell = rest_.substr(0, end);
    rest_.remove_prefix(cell.size());
    pass();
    return cell.ends_with('\r') ? cell.substr(0, cell.size() - 1) : cell;
  }

 private:
  std::string_view takeQuoted() {
    quoted_.clear();
    std::size_t k = 1;
    for (; k < rest_.size(); ++k) {
      if (rest_[k] == '"' && rest_.substr(k + 1, 1) != "\"") break;
      if (rest_[k] == '"') ++k;
      quoted_ += rest_[k];
    }
    rest_.remove_prefix(std::min(k + 1, rest_.size()));
    if (rest_.starts_with('\r')) rest_.remove_prefix(1);
    pass();
    return quoted_;
  }

  void pass() {
    line_ended_ = rest_.empty() || rest_.front() == '\n';
    if (!rest_.empty()) rest_.remove_prefix(1);
  }

  std::string_view rest_;
  std::string quoted_;
  bool line_ended_ = false;
};

// Empty where the columns are those of the outline, else what is not so.
std::string readHeads(CsvCells& cells, const std::string& outline, Result& result) {
  const Json parsed = Json::parse(outline, nullptr, false);
  if (cells.atEnd() || cells.take() != "time [s]") return "its first column is not \"time [s]\"";
  for (const Json& entry : parsed["series"]) {
    if (entry.contains("values")) continue;  // what is in the outline alone
    Series series;
    series.name = textIn(entry, "name");
    series.unit = textIn(entry, "unit");
    if (cells.lineEnded() || cells.take() != columnHead(series))
      return fmt::format("it has no column \"{}\" where there should be one", columnHead(series));
    result.series.push_back(std::move(series));
  }
  return cells.lineEnded() ? "" : "it has more columns";
}

std::string readRows(CsvCells& cells, Result& result) {
  while (!cells.atEnd()) {
    for (std::size_t k = 0; k <= result.series.size(); ++k) {
      const std::string_view cell = k > 0 && cells.lineEnded() ? std::string_view() : cells.take();
      double value = 0.0;
      const auto read = std::from_chars(cell.data(), cell.data() + cell.size(), value);
      const bool last = k == result.series.size();
      if (read.ec != std::errc() || read.ptr != cell.data() + cell.size() || cells.lineEnded() != last)
        return fmt::format("sample {} is not whole", result.time.size() + (k == 0 ? 1 : 0));
      (k == 0 ? result.time : result.series[k - 1].values).push_back(value);
    }
  }
  return {};
}

std::string formatProblem(const std::string& path, const Json& file) {
  const std::string format = file.is_object() ? textIn(file, "format") : std::string();
  if (format == "linkwork-comparison")
    return fmt::format("{}: a comparison, whose page stands beside it: give that, {}", path,
                       fs::path(path).replace_extension(".html").string());
  if (format != "linkwork-result") return fmt::format("{}: a JSON file, but no result of Linkwork", path);
  if (!file.contains("version") || !file["version"].is_number_integer())
    return fmt::format("{}: the result says no version of its format; it is damaged", path);
  if (const auto version = file["version"].get<long long>(); version != kResultVersion)
    return fmt::format(
        "{}: {} Linkwork wrote this result (format version {}, this program reads {}). Run the model again", path,
        version < kResultVersion ? "an earlier" : "a later", version, kResultVersion);
  if (!file.contains("page") || !isPageOutline(file["page"].dump()) || !file["page"].contains("series"))
    return fmt::format(
        "{}: no page is in this result: it is of a run with --no-page, with --format hdf5 alone, or of an earlier "
        "Linkwork. Give the .h5 file if there is one, or run the model again",
        path);
  return {};
}

StoredRun readJson(const std::string& path) {
  const InputFile stored = contentOf(path);
  if (!stored.ok()) return refused(stored.problem);
  const Json file = Json::parse(stored.text, nullptr, false);
  if (file.is_discarded())
    return refused(fmt::format("{}: the file is cut short or damaged. Run the model again", path));
  if (std::string problem = formatProblem(path, file); !problem.empty()) return refused(std::move(problem));

  const std::string csv = fs::path(path).replace_extension(".csv").string();
  const InputFile numbers = contentOf(csv);
  if (!numbers.ok()) return refused(fmt::format("{}. The numbers of {} stand there", numbers.problem, path));
  StoredRun out;
  out.page_outline = file["page"].dump();
  CsvCells cells(numbers.text);
  std::string problem = readHeads(cells, out.page_outline, out.result);
  if (problem.empty()) problem = readRows(cells, out.result);
  if (problem.empty() && seriesChecksum(out.result) != textIn(file, "series_checksum"))
    problem = "its numbers are not those that were written";
  if (!problem.empty())
    return refused(fmt::format("{} does not belong to {}, or is damaged: {}. Run the model again", csv, path, problem));
  describeSeries(out.page_outline, out.result.series);
  return out;
}

StoredRun readPage(const std::string& path) {
  const InputFile stored = contentOf(path);
  if (!stored.ok()) return refused(stored.problem);
  PageContent page = dataOfPage(stored.text);
  if (!page.problem.empty()) return refused(fmt::format("{}: {}", path, page.problem));
  StoredRun out;
  out.page_data = std::move(page.data);
  out.result.time = std::move(page.time);
  return out;
}

}  // namespace

StoredRun readStored(const std::string& path) {
  const std::string ending = fs::path(path).extension().string();
  if (ending == ".json") return readJson(path);
  if (ending == ".csv") return readJson(fs::path(path).replace_extension(".json").string());
  if (ending == ".html") return readPage(path);
  return readHdf5(path);
}

}  // namespace linkwork
