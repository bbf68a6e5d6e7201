// Counts the allocations of the test program; apart from the tests, so that no call is inlined into them.
#include <atomic>
#include <cstdlib>
#include <new>

namespace linkwork::test {

namespace {
std::atomic<long> allocations{0};
}

void* allocate(std::size_t size) {
  ++allocations;
  if (void* const memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}

long allocationCount() { return allocations; }

}  // namespace linkwork::test

void* operator new(std::size_t size) { return linkwork::test::allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

// All forms in one hand: a sanitizer brings its own for those that are left out, and objects to the mixture.
void* operator new[](std::size_t size) { return linkwork::test::allocate(size); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return std::malloc(size); }
