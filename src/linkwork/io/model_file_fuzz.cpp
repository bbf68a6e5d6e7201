// libFuzzer entry: any bytes as a model file must give a mechanism or errors, never a crash.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "linkwork/io/model_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  linkwork::Diagnostics diagnostics;
  const auto mechanism =
      linkwork::readModelText(std::string(reinterpret_cast<const char*>(data), size), "fuzz.toml", diagnostics);
  // A failure without a message would leave the user alone.
  if (mechanism.has_value() == diagnostics.hasErrors()) std::abort();
  const std::string shown = diagnostics.format();
  return shown.empty() && diagnostics.hasErrors() ? -1 : 0;
}
