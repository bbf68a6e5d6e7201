// Handle: an identifier of the HDF5 library that closes itself. Only for the files that read and write HDF5.
#pragma once

#include <hdf5.h>

namespace linkwork {

// Closed by the function that goes with it.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { reset(); }
  operator hid_t() const { return id_; }  // NOLINT(google-explicit-constructor): the C functions take hid_t
  bool ok() const { return id_ >= 0; }
  bool reset() {
    const bool good = id_ < 0 || close_(id_) >= 0;
    id_ = -1;
    return good;
  }

 private:
  hid_t id_;
  Close close_;
};

}  // namespace linkwork
