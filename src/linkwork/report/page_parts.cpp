#include "linkwork/report/page_parts.hpp"

namespace linkwork {

using Json = nlohmann::ordered_json;

void addMotionPlots(const Result& result, Json& plots) {
  const auto add = [&](const char* title, auto wanted) {
    Json names = Json::array();
    for (const Series& series : result.series) {
      if (wanted(series)) names.push_back(series.name);
    }
    if (!names.empty()) plots.push_back({{"title", title}, {"series", std::move(names)}});
  };
  add("Transmission angle", [](const Series& s) { return s.label == "transmission_angle"; });
  add("Mechanical advantage", [](const Series& s) { return s.group == "mechanical_advantage"; });
  add("Power of the drives", [](const Series& s) { return s.label == "power" && s.unit == "W"; });
  add("Shaking force", [](const Series& s) { return s.group == "shaking" && s.unit == "N"; });
}

Json stillOutline(const Mechanism& mechanism, const Result& still, const std::vector<std::string>& warnings) {
  Json out = poseOutline(mechanism, still, warnings);
  out["still"] = true;
  return out;
}

Json tableJson(const std::string& title, const std::string& note, const TextTable& table) {
  return {{"title", title}, {"note", note}, {"rows", table}};
}

}  // namespace linkwork
