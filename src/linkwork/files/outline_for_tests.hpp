// An outline of a page such as report/page.hpp makes, as far as files look into it: for tests of files alone. (Whole
// pages go through files and back in apps/linkwork/test_view_cli.py.)
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "linkwork/files/page_file.hpp"

namespace linkwork::test {

inline std::string outlineOf(const Result& result, const std::vector<std::string>& warnings) {
  nlohmann::ordered_json out{{"format", "linkwork-page"},
                             {"version", kPageVersion},
                             {"title", result.name},
                             {"warnings", warnings},
                             {"series", nlohmann::ordered_json::array()}};
  for (const Series& series : result.series) {
    out["series"].push_back(
        {{"name", series.name}, {"unit", series.unit}, {"group", series.group}, {"label", series.label}});
    if (!series.unique) out["series"].back()["unique"] = false;
  }
  return out.dump();
}

}  // namespace linkwork::test
