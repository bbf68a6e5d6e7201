// Strong indices: a BodyIndex cannot be mistaken for a JointIndex; and plain ones.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>

namespace linkwork {

// An index that we reckon with, as the standard library has them.
constexpr std::size_t at(std::signed_integral auto index) { return static_cast<std::size_t>(index); }

template <class Tag>
class Index {
 public:
  constexpr Index() = default;
  constexpr explicit Index(int value) : value_(value) {}
  constexpr int value() const { return value_; }
  constexpr std::size_t at() const { return static_cast<std::size_t>(value_); }
  constexpr bool valid() const { return value_ >= 0; }
  constexpr auto operator<=>(const Index&) const = default;

 private:
  int value_ = -1;
};

using BodyIndex = Index<struct BodyTag>;  // invalid (-1) means ground where a body is expected
using JointIndex = Index<struct JointTag>;
using DriveIndex = Index<struct DriveTag>;
using LoadIndex = Index<struct LoadTag>;

inline constexpr BodyIndex kGround{};

}  // namespace linkwork
