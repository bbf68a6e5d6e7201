# Writes a file's bytes as a C++ source: cmake -DINPUT=page.html -DOUTPUT=page_template.cpp -P embed.cmake
file(READ ${INPUT} hex HEX)
string(LENGTH "${hex}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "(................................................................)" "\\1\n" hex "${hex}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
file(WRITE ${OUTPUT} "// Generated from page.html by viewer/embed.cmake; not to be edited.
#include \"page_template.hpp\"

namespace linkwork {
namespace {

constexpr unsigned char kPage[${size}] = {
${bytes}
};

}  // namespace

std::string_view pageTemplate() { return {reinterpret_cast<const char*>(kPage), sizeof kPage}; }

}  // namespace linkwork
")
