#include "output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "colour.hpp"
#include "command_line.hpp"

namespace linkwork::app {

namespace {

// Why a stream did not take what was written, at the first time; 0: it took all, kUnknown: nobody knows any more.
struct Lost {
  int out = 0;
  int err = 0;
};
Lost lost;
constexpr int kUnknown = -1;

void note(bool good, int& first) {
  if (!good && first == 0) first = errno != 0 ? errno : kUnknown;
}

void write(std::FILE* stream, std::string_view text, int& first) {
  errno = 0;
  note(std::fwrite(text.data(), 1, text.size(), stream) == text.size(), first);
}

}  // namespace

void writeOut(std::string_view text) { write(stdout, text, lost.out); }
void writeErr(std::string_view text) { write(stderr, paintedFindings(text), lost.err); }

void flushOut() {
  errno = 0;
  note(std::fflush(stdout) == 0, lost.out);
}

void guardStandardFiles() {
  // The lowest number that is not in use is the one that is opened. For reading alone, so that printing fails.
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(number, F_GETFD) == -1 && ::open("/dev/null", O_RDONLY) != number) return;
  }
}

int finishOutput(int code) {
  flushOut();
  errno = 0;
  note(std::ferror(stdout) == 0, lost.out);  // what the parser printed
  note(std::fclose(stdout) == 0, lost.out);  // a disk elsewhere may refuse only now
  if (lost.out != 0 && lost.out != EPIPE)    // who closed the pipe knows
    printErr("linkwork: error: what was printed could not be written{}{}.\n", lost.out == kUnknown ? "" : ": ",
             lost.out == kUnknown ? "" : std::strerror(lost.out));
  const bool good = lost.out == 0 && lost.err == 0;
  return good || (code != kGood && code != kConditionHolds) ? code : static_cast<int>(kBadInput);
}

}  // namespace linkwork::app
