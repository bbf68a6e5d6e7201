// Archive: one list of members serves both ways, to bytes and back.
//
//   void RankWatch::transfer(Archive& archive) { archive(freedoms_); archive(rank_); ... }
//
// Bytes are those of this machine: an archive is read by the program that wrote it. Reading beyond the end, or a length
// that cannot be, sets ok() to false and leaves the rest as it was; nothing throws.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace linkwork {

class Archive {
 public:
  Archive() = default;  // to be written to
  explicit Archive(std::string_view bytes) : reading_(true), input_(bytes) {}

  bool reading() const { return reading_; }
  bool ok() const { return ok_; }
  bool atEnd() const { return place_ == input_.size(); }
  const std::string& bytes() const { return output_; }

  template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void operator()(T& value) {
    raw(&value, sizeof value);
  }

  void operator()(std::string& text) {
    if (resize(text, sizeof(char))) raw(text.data(), text.size());
  }

  template <class T>
  void operator()(std::vector<T>& list) {
    if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
      if (resize(list, sizeof(T)) && !list.empty()) raw(list.data(), list.size() * sizeof(T));
    } else {
      if (!resize(list, 1)) return;
      for (std::size_t k = 0; k < list.size() && ok_; ++k) {
        if constexpr (std::is_same_v<T, bool>) {
          bool value = list[k];
          (*this)(value);
          list[k] = value;
        } else {
          (*this)(list[k]);
        }
      }
    }
  }

  template <class T, std::size_t N>
  void operator()(std::array<T, N>& list) {
    for (T& value : list) (*this)(value);
  }

  // Anything with a function transfer(Archive&, T&) beside its type.
  template <class T>
    requires requires(Archive& archive, T& value) { transfer(archive, value); }
  void operator()(T& value) {
    transfer(*this, value);
  }

  void raw(void* data, std::size_t size) {
    if (!reading_) {
      output_.append(static_cast<const char*>(data), size);
    } else if (ok_ && size <= input_.size() - place_) {
      if (size > 0) std::memcpy(data, input_.data() + place_, size);
      place_ += size;
    } else {
      ok_ = false;
    }
  }

 private:
  // Transfers the length; false where there is none. Each entry takes at least `least` bytes.
  template <class List>
  bool resize(List& list, std::size_t least) {
    std::uint64_t size = list.size();
    (*this)(size);
    if (reading_ && ok_ && size > (input_.size() - place_) / least) ok_ = false;
    if (reading_ && ok_) list.resize(size);
    return ok_;
  }

  bool reading_ = false;
  bool ok_ = true;
  std::string output_;
  std::string_view input_;
  std::size_t place_ = 0;
};

}  // namespace linkwork
