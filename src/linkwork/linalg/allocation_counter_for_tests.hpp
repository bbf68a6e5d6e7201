// Counts calls of operator new. It replaces the global operators, so include it in one file of a test program only;
// others include allocation_count_for_tests.hpp.
// Not inlined: the compiler would else see malloc meet delete, and warn.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>

#include "linkwork/linalg/allocation_count_for_tests.hpp"

namespace linkwork::test {

inline void* countedAllocation(std::size_t size) {
  ++allocation_count;
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

}  // namespace linkwork::test

[[gnu::noinline]] void* operator new(std::size_t size) { return linkwork::test::countedAllocation(size); }
[[gnu::noinline]] void* operator new[](std::size_t size) { return linkwork::test::countedAllocation(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size); }
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
