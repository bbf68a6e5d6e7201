// Programming errors: an expectation that does not hold throws ContractError.
#pragma once

#include <stdexcept>
#include <string>

namespace linkwork {

class ContractError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

inline void expect(bool condition, const char* what) {
  if (!condition) throw ContractError(what);
}

inline void expect(bool condition, const std::string& what) {
  if (!condition) throw ContractError(what);
}

}  // namespace linkwork
