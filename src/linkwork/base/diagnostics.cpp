#include "linkwork/base/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <tuple>

namespace linkwork {

namespace {

const char* word(Severity severity) {
  switch (severity) {
    case Severity::note: return "note";
    case Severity::warning: return "warning";
    case Severity::error: break;
  }
  return "error";
}

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Edits (insert, delete, replace, swap of neighbours) that turn a into b, ignoring case.
std::size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t cost = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + cost});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string format(const Diagnostic& diagnostic) {
  std::string where = diagnostic.file;
  if (diagnostic.line > 0) where += fmt::format(":{}:{}", diagnostic.line, diagnostic.column);
  if (!where.empty()) where += ": ";
  std::string text = fmt::format("{}{}: {}", where, word(diagnostic.severity), diagnostic.message);
  if (!diagnostic.hint.empty()) text += " " + diagnostic.hint;
  return text;
}

void Diagnostics::error(const Source& where, std::string message, std::string hint) {
  add(Severity::error, where, std::move(message), std::move(hint));
  ++errors_;
}

void Diagnostics::warning(const Source& where, std::string message, std::string hint) {
  add(Severity::warning, where, std::move(message), std::move(hint));
}

void Diagnostics::note(const Source& where, std::string message, std::string hint) {
  add(Severity::note, where, std::move(message), std::move(hint));
}

void Diagnostics::add(Severity severity, const Source& where, std::string message, std::string hint) {
  const std::string file = where.file ? *where.file : std::string{};
  if (where.context) {
    // One slip in a text that is read a thousand times is one finding: the first reading stands for all.
    const auto [first, is_new] = first_readings_.try_emplace({severity, file, where.line, where.column},
                                                             FirstReading{*where.context, all_.size(), false});
    FirstReading& shown = first->second;
    if (!is_new && shown.context != *where.context) {
      std::string& text = all_[shown.index].message;
      if (!shown.has_others) text.insert(text.rfind(')'), " and others");
      shown.has_others = true;
      return;
    }
    const bool has_stop = message.ends_with('.');
    if (has_stop) message.pop_back();
    message += fmt::format(" ({}){}", *where.context, has_stop ? "." : "");
  }
  all_.push_back({severity, file, where.line, where.column, std::move(message), std::move(hint)});
}

std::string Diagnostics::format() const {
  std::vector<Diagnostic> sorted = all_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tie(a.file, a.line, a.column) < std::tie(b.file, b.line, b.column);
  });
  std::string text;
  for (const Diagnostic& diagnostic : sorted) text += linkwork::format(diagnostic) + "\n";
  return text;
}

std::string nearestName(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.size() < 2) return {};  // any single letter is one slip from any other
  // A slip of the finger: at most a third of the letters wrong, and never more than three.
  const std::size_t allowed = std::min<std::size_t>(3, std::max<std::size_t>(1, name.size() / 3));
  std::string best;
  std::size_t best_distance = allowed + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = editDistance(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string didYouMean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string best = nearestName(name, candidates);
  return best.empty() ? std::string{} : fmt::format("Did you mean \"{}\"?", best);
}

}  // namespace linkwork
