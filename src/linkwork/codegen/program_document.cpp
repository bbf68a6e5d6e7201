#include "linkwork/codegen/program_document.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "linkwork/codegen/reading_names.hpp"

namespace linkwork {

namespace {

// Lines under their headings, in the order of the first line of each.
std::vector<DocumentChapter> chaptersOf(const ProgramDocument& document) {
  std::vector<DocumentChapter> out;
  const std::vector<ProgramLine>& lines = document.program.lines();
  for (std::size_t k = 0; k < lines.size(); ++k) {
    auto chapter =
        std::find_if(out.begin(), out.end(), [&](const DocumentChapter& c) { return c.title == lines[k].section; });
    if (chapter == out.end()) chapter = out.insert(out.end(), DocumentChapter{lines[k].section, {}, false});
    chapter->lines.push_back({lines[k].symbol, lines[k].value, {}});
  }
  return out;
}

// The operations of each line, where the steps kept it.
void addCounts(ProgramDocument& document) {
  const std::vector<ProgramLine>& kept = document.steps.program.lines();
  std::vector<bool> constant(kept.size(), false);
  for (const ProgramStep& step : document.steps.steps) {
    if (step.line >= 0 && step.constant && step.symbol == kept[static_cast<std::size_t>(step.line)].symbol)
      constant[static_cast<std::size_t>(step.line)] = true;
  }
  for (DocumentChapter& chapter : document.chapters) {
    for (DocumentLine& line : chapter.lines) {
      const auto found =
          std::find_if(kept.begin(), kept.end(), [&](const ProgramLine& k) { return k.symbol == line.left; });
      if (found == kept.end()) continue;
      const auto place = static_cast<std::size_t>(found - kept.begin());
      line.remark = constant[place] ? "constant" : countWords(document.steps.line_count[place]);
    }
  }
}

}  // namespace

std::string countWords(const OperationCount& count) {
  std::vector<std::string> parts;
  for (const auto& [number, what] : {std::pair{count.mul, "mul"},
                                     {count.add, "add"},
                                     {count.div, "div"},
                                     {count.trig, "trig"},
                                     {count.other, "other"}}) {
    if (number > 0) parts.push_back(fmt::format("{} {}", number, what));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

ProgramDocument documentOf(const EquationProgram& program) {
  ProgramDocument out;
  out.steps = stepsOf(program);
  out.program = program;
  out.program.removeDeadLines();
  for (const ProgramSymbol& s : out.program.symbols()) {
    if (!s.array.empty()) out.inputs.push_back({s, {}});
    if (s.role == SymbolRole::parameter) out.parameters.push_back({s, fmt::format("{}", s.value)});
  }
  out.chapters = chaptersOf(out);
  addCounts(out);
  nameWideParts(out);
  for (const ProgramAlias& alias : out.program.aliases()) {
    const bool absent_load = alias.value.isNumber(0.0) && alias.name.letter.starts_with('M');
    if (absent_load) continue;  // where there are no loads nobody misses MA, MR and ML
    auto& list = alias.value.isNumber(0.0) ? out.zeros : out.aliases;
    list.push_back({alias.name, alias.value, alias.reason});
  }
  const auto words = [](const OperationCount& c) {
    const std::string said = countWords(c);
    return said.empty() ? std::string("none") : said;
  };
  out.counts.push_back(fmt::format("Operations as the mechanism moves: {}{}.", words(out.steps.count),
                                   afterOperations(out.steps.solve)));
  out.counts.push_back(fmt::format("Once, among parameters alone: {}.", words(out.steps.constant_count)));
  return out;
}

}  // namespace linkwork
