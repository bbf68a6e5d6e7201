// The report page as built by viewer/: one HTML file with a marker where the data of a run goes.
#pragma once

#include <string_view>

namespace linkwork {

// The whole template. It holds the marker "/*LINKWORK_DATA*/" exactly once; what replaces it is JSON as described in
// viewer/DATA.md, in which '<', '>', '&', U+2028 and U+2029 are written as \u escapes.
std::string_view pageTemplate();

}  // namespace linkwork
