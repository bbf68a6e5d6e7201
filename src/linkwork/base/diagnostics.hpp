// Findings about the user's input: collected, all reported at once, each with file:line:col and a way out.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace linkwork {

// Where something stands in the user's file; line 0 means "nowhere in particular".
struct Source {
  Source() = default;
  Source(std::shared_ptr<const std::string> file_name, int line_number, int column_number)
      : file(std::move(file_name)), line(line_number), column(column_number) {}
  Source(const char* file_name, int line_number, int column_number)
      : Source(std::make_shared<const std::string>(file_name), line_number, column_number) {}

  std::shared_ptr<const std::string> file;  // shared by everything read from one file; may be null
  int line = 0;
  int column = 0;
  // Which reading of the text, where it is read more than once: "for i = 3", "included as ..."; may be null.
  std::shared_ptr<const std::string> context;
};

enum class Severity { note, warning, error };

struct Diagnostic {
  Severity severity = Severity::error;
  std::string file;
  int line = 0;
  int column = 0;
  std::string message;
  std::string hint;  // what to do about it; may be empty
};

// One line: `crank.toml:12:9: error: message. hint`
std::string format(const Diagnostic& diagnostic);

class Diagnostics {
 public:
  void error(const Source& where, std::string message, std::string hint = {});
  void warning(const Source& where, std::string message, std::string hint = {});
  void note(const Source& where, std::string message, std::string hint = {});

  bool hasErrors() const { return errors_ > 0; }
  // Counts every reading of a text; all() shows only the first one with something wrong at a place.
  int errorCount() const { return errors_; }
  const std::vector<Diagnostic>& all() const { return all_; }
  // All findings in the order of the file, one per line.
  std::string format() const;

 private:
  void add(Severity severity, const Source& where, std::string message, std::string hint);
  // The first reading with a finding of that severity at a place, and its place in all_.
  struct FirstReading {
    std::string context;
    std::size_t index = 0;
    bool has_others = false;
  };
  std::vector<Diagnostic> all_;
  std::map<std::tuple<Severity, std::string, int, int>, FirstReading> first_readings_;
  int errors_ = 0;
};

// The candidate nearest to a misspelt name, or empty if none is near enough to be a slip of the finger.
std::string nearestName(std::string_view name, const std::vector<std::string>& candidates);

// `Did you mean "x"?` or empty.
std::string didYouMean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace linkwork
