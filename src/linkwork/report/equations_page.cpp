#include "linkwork/report/equations_page.hpp"

#include <fmt/format.h>

#include <cctype>

#include "linkwork/codegen/program_printers.hpp"
#include "linkwork/report/page.hpp"
#include "linkwork/report/page_parts.hpp"

namespace linkwork {

using Json = nlohmann::ordered_json;

std::string equationsPageData(const Mechanism& mechanism, const EquationProgram& program,
                              const std::vector<FormCost>& costs, const Result& still, const std::string& command,
                              const std::vector<std::string>& warnings) {
  Json out = stillOutline(mechanism, still, warnings);
  out["title"] = fmt::format("{}: equations", mechanism.name);
  out["start"] = "equations";
  Json& part = out["equations"];
  std::string title = fmt::format("{}, for {}", program.form, program.task);
  title.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(title.front())));
  part = {{"title", title}, {"text", program.notes}, {"command", command}};
  part["sections"] = Json::array();
  for (const MathmlChapter& chapter : mathmlChapters(program))
    part["sections"].push_back({{"title", chapter.title}, {"mathml", chapter.mathml}});
  part["tables"] = Json::array();
  if (!costs.empty()) {
    part["tables"].push_back(tableJson("Operations of all forms that fit", kCostsNote, costsTable(costs)));
    for (const std::string& line : costsAdvice(costs)) part["text"].push_back(line);
  }
  return pageData(out.dump(-1, ' ', false, Json::error_handler_t::replace), still);
}

}  // namespace linkwork
