// How often operator new was called, in a test program one file of which includes allocation_counter_for_tests.hpp.
#pragma once

#include <atomic>

namespace linkwork::test {

inline std::atomic<long> allocation_count{0};

}  // namespace linkwork::test
