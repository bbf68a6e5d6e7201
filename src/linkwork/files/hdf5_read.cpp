#include <fmt/format.h>

#include <cstdint>

#include "linkwork/base/input_file.hpp"
#include "linkwork/files/hdf5_file.hpp"
#include "linkwork/files/page_file.hpp"
#include "linkwork/result/chunk_log.hpp"

namespace linkwork {

std::string hdf5Seal(std::string_view image) {
  std::string out(kHdf5Seal);
  const std::uint64_t sum = fnv1a64(image);
  for (unsigned k = 0; k < 8; ++k) out += static_cast<char>(sum >> (8U * k) & 255U);
  return out;
}

}  // namespace linkwork

#ifdef LINKWORK_HAS_HDF5

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "linkwork/files/hdf5_handle.hpp"

namespace linkwork {

namespace {

// A damaged file may claim anything; no run has more.
constexpr hssize_t kMostNumbers = 1'000'000'000;
constexpr std::size_t kLongestPage = 1'000'000'000;

std::optional<std::string> textAttribute(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return std::nullopt;
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  const Handle type(H5Aget_type(attribute), H5Tclose);
  if (!attribute.ok() || H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) <= 0) return std::nullopt;
  char* pointer = nullptr;
  if (H5Aread(attribute, type, static_cast<void*>(&pointer)) < 0 || pointer == nullptr) return std::nullopt;
  std::string out = pointer;
  H5free_memory(pointer);
  return out;
}

std::optional<long long> wholeAttribute(hid_t object, const char* name) {
  if (H5Aexists(object, name) <= 0) return std::nullopt;
  const Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose);
  const Handle type(H5Aget_type(attribute), H5Tclose);
  long long out = 0;
  if (!attribute.ok() || H5Tget_class(type) != H5T_INTEGER || H5Aread(attribute, H5T_NATIVE_LLONG, &out) < 0)
    return std::nullopt;
  return out;
}

std::optional<std::vector<double>> numbersIn(hid_t where, const char* name) {
  const Handle data(H5Dopen2(where, name, H5P_DEFAULT), H5Dclose);
  if (!data.ok()) return std::nullopt;
  const Handle type(H5Dget_type(data), H5Tclose);
  const Handle space(H5Dget_space(data), H5Sclose);
  const hssize_t size = H5Sget_simple_extent_npoints(space);
  if (H5Tget_class(type) != H5T_FLOAT || size < 0 || size > kMostNumbers) return std::nullopt;
  std::vector<double> out(static_cast<std::size_t>(size));
  if (size > 0 && H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) < 0) return std::nullopt;
  return out;
}

std::optional<std::string> longText(hid_t where, const char* name) {
  const Handle data(H5Dopen2(where, name, H5P_DEFAULT), H5Dclose);
  if (!data.ok()) return std::nullopt;
  const Handle type(H5Dget_type(data), H5Tclose);
  const Handle space(H5Dget_space(data), H5Sclose);
  const std::size_t size = H5Tget_size(type);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0 || size > kLongestPage ||
      H5Sget_simple_extent_npoints(space) != 1)
    return std::nullopt;
  std::string out(size, '\0');
  if (H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) < 0) return std::nullopt;
  return out;
}

// The names of what is in a group, in their order.
std::vector<std::string> namesIn(hid_t group) {
  std::vector<std::string> out;
  H5G_info_t info{};
  if (H5Gget_info(group, &info) < 0) return out;
  for (hsize_t k = 0; k < info.nlinks; ++k) {
    const ssize_t size = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, k, nullptr, 0, H5P_DEFAULT);
    if (size < 0) return out;
    std::string name(static_cast<std::size_t>(size), '\0');
    H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, k, name.data(), name.size() + 1, H5P_DEFAULT);
    out.push_back(std::move(name));
  }
  return out;
}

// Empty where all could be read, else the place that could not.
std::string readSeries(hid_t file, Result& result) {
  const Handle all(H5Gopen2(file, "series", H5P_DEFAULT), H5Gclose);
  if (!all.ok()) return "/series";
  for (const std::string& group : namesIn(all)) {
    const Handle here(H5Gopen2(all, group.c_str(), H5P_DEFAULT), H5Gclose);
    if (!here.ok()) return "/series/" + group;
    for (const std::string& label : namesIn(here)) {
      std::optional<std::vector<double>> values = numbersIn(here, label.c_str());
      const Handle data(H5Dopen2(here, label.c_str(), H5P_DEFAULT), H5Dclose);
      std::optional<std::string> name = data.ok() ? textAttribute(data, "name") : std::nullopt;
      if (!values || !name) return fmt::format("/series/{}/{}", group, label);
      Series series;
      series.name = *std::move(name);
      series.values = *std::move(values);
      result.series.push_back(std::move(series));
    }
  }
  return {};
}

// Whether the file has a seal that does not fit it.
bool isBroken(const std::string& bytes) {
  const std::size_t size = kHdf5Seal.size() + 8;
  if (bytes.size() < size) return false;
  const std::string_view seal = std::string_view(bytes).substr(bytes.size() - size);
  return seal.starts_with(kHdf5Seal) && seal != hdf5Seal(std::string_view(bytes).substr(0, bytes.size() - size));
}

std::string versionProblem(const std::string& path, std::optional<long long> version) {
  if (!version) return fmt::format("{}: the result says no version of its format; it is damaged", path);
  if (*version < kHdf5Version)
    return fmt::format(
        "{}: an earlier Linkwork wrote this result (format version {}), and no page is in it. Run the model again with "
        "--format hdf5",
        path, *version);
  if (*version > kHdf5Version)
    return fmt::format(
        "{}: a later Linkwork wrote this result (format version {}, this program reads {}). Use that one, or run the "
        "model again with this one",
        path, *version, kHdf5Version);
  return {};
}

// What a file that is no HDF5 may be instead.
std::string otherKind(const std::string& path) {
  if (path.ends_with(".toml"))
    return fmt::format("{} is a model file: \"linkwork simulate {}\" runs it and leaves a page", path, path);
  return fmt::format(
      "{} is no HDF5 file, and so no result that \"linkwork simulate FILE --format hdf5\" wrote (others: .json, .html)",
      path);
}

void readOpen(hid_t file, const std::string& path, StoredRun& out) {
  if (textAttribute(file, "format") != "linkwork-result") {
    out.problem = fmt::format("{}: an HDF5 file, but no result of Linkwork", path);
    return;
  }
  out.problem = versionProblem(path, wholeAttribute(file, "version"));
  if (!out.problem.empty()) return;
  std::string place;
  if (std::optional<std::vector<double>> time = numbersIn(file, "time")) {
    out.result.time = *std::move(time);
    place = readSeries(file, out.result);
  } else {
    place = "/time";
  }
  if (std::optional<std::string> outline = longText(file, kHdf5Page); outline && isPageOutline(*outline)) {
    out.page_outline = *std::move(outline);
    describeSeries(out.page_outline, out.result.series);
  } else if (place.empty()) {
    place = fmt::format("/{}", kHdf5Page);
  }
  if (!place.empty())
    out.problem = fmt::format("{}: {} cannot be read; the file is damaged. Run the model again", path, place);
}

}  // namespace

StoredRun readHdf5(const std::string& path) {
  StoredRun out;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // nothing of it on the terminal
  const InputFile bytes = readInputFile(path);
  if (!bytes.ok()) {
    out.problem = fmt::format("{}: cannot be read: {}", path, bytes.problem);
    return out;
  }
  if (bytes.text.empty()) {
    out.problem = fmt::format("{}: the file is empty", path);
    return out;
  }
  if (isBroken(bytes.text)) {
    out.problem =
        fmt::format("{}: the file is damaged: its bytes are not those that were written. Run the model again", path);
    return out;
  }
  if (H5Fis_hdf5(path.c_str()) <= 0) {
    out.problem = otherKind(path);
    return out;
  }
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file.ok()) {
    out.problem = fmt::format("{}: the file is cut short or damaged. Run the model again", path);
    return out;
  }
  readOpen(file, path, out);
  return out;
}

}  // namespace linkwork

#else

namespace linkwork {

StoredRun readHdf5(const std::string& path) {
  StoredRun out;
  out.problem = fmt::format("cannot read {}: this program was built without HDF5", path);
  return out;
}

}  // namespace linkwork

#endif
