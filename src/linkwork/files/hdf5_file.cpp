#include "linkwork/files/hdf5_file.hpp"

#include <fmt/format.h>

#ifdef LINKWORK_HAS_HDF5

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>
#include <vector>

#include "linkwork/files/atomic_file.hpp"
#include "linkwork/files/hdf5_handle.hpp"
#include "linkwork/files/result_file.hpp"

namespace linkwork {

namespace {

using Json = nlohmann::ordered_json;

// Names of links may not hold a slash, nor be "." alone.
std::string linkName(std::string name) {
  std::replace(name.begin(), name.end(), '/', '_');
  return name.empty() || name == "." ? "_" : name;
}

// Every call is checked; after the first that fails nothing more is written.
class Hdf5Writer {
 public:
  std::string write(const Result& result, const std::string& page_outline, const std::string& path) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // nothing of it on the terminal
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    check(access.ok() && H5Pset_fapl_core(access, 1 << 20, false) >= 0);  // in memory, with nothing behind it
    Handle file(H5Fcreate("linkwork", H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose);
    check(file.ok());
    if (good_) writeAll(file, result);
    if (good_) longText(file, kHdf5Page, page_outline);
    std::string image;
    if (good_) {
      check(H5Fflush(file, H5F_SCOPE_LOCAL) >= 0);
      const ssize_t size = H5Fget_file_image(file, nullptr, 0);
      check(size > 0);
      image.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
      check(good_ && H5Fget_file_image(file, image.data(), image.size()) == size);
    }
    check(file.reset());
    if (!good_) return fmt::format("cannot write {}: the HDF5 library could not put it together", path);
    image += hdf5Seal(image);
    return writeAtomically(
        path, [&](std::ostream& out) { out.write(image.data(), static_cast<std::streamsize>(image.size())); });
  }

 private:
  void check(bool good) { good_ = good_ && good; }

  void writeAll(hid_t file, const Result& result) {
    const Json ledger = Json::parse(ledgerJson(result));
    for (const auto& [key, value] : ledger.items()) {
      if (!value.is_structured()) attribute(file, key, key == "version" ? Json(kHdf5Version) : value);
    }
    for (const char* part : {"settings", "provenance", "ledger"}) group(file, part, ledger[part]);
    {
      const Handle events(makeGroup(file, "events"), H5Gclose);
      std::vector<std::string> names;
      std::vector<double> times;
      for (const EventRecord& event : result.events) {
        names.push_back(event.name);
        times.push_back(event.time);
      }
      const Handle closed(dataset(events, "time", times, "s"), H5Dclose);
      strings(events, "name", names);
    }
    { const Handle closed(dataset(file, "time", result.time, "s"), H5Dclose); }
    const Handle all(makeGroup(file, "series"), H5Gclose);
    std::map<std::string, std::vector<const Series*>> groups;
    for (const Series& series : result.series) groups[linkName(series.group)].push_back(&series);
    for (const auto& [name, members] : groups) {
      const Handle here(makeGroup(all, name), H5Gclose);
      for (const Series* series : members) {
        const Handle data(dataset(here, linkName(series->label), series->values, series->unit), H5Dclose);
        if (!data.ok()) continue;
        attribute(data, "name", series->name);
        attribute(data, "unique", series->unique ? 1 : 0);
      }
    }
  }

  hid_t makeGroup(hid_t where, const std::string& name) {
    const hid_t id = H5Gcreate2(where, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    check(id >= 0);
    return id;
  }

  // An object as a group: numbers and texts as attributes, objects as groups in it, lists of texts as datasets, other
  // lists as JSON text.
  void group(hid_t where, const std::string& name, const Json& value) {
    const Handle here(makeGroup(where, linkName(name)), H5Gclose);
    for (const auto& [key, part] : value.items()) {
      if (part.is_object()) {
        group(here, key, part);
      } else if (part.is_array() &&
                 std::all_of(part.begin(), part.end(), [](const Json& p) { return p.is_string(); })) {
        strings(here, key, part.get<std::vector<std::string>>());
      } else {
        attribute(here, key, part.is_array() ? Json(part.dump()) : part);
      }
    }
  }

  void attribute(hid_t where, const std::string& name, const Json& value) {
    const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    if (value.is_string()) {
      const std::string text = value.get<std::string>();
      const Handle type(textType(), H5Tclose);
      const Handle id(H5Acreate2(where, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
      const char* pointer = text.c_str();
      check(id.ok() && H5Awrite(id, type, &pointer) >= 0);
    } else if (value.is_number_integer()) {
      const auto number = value.get<long long>();
      const Handle id(H5Acreate2(where, name.c_str(), H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
      check(id.ok() && H5Awrite(id, H5T_NATIVE_LLONG, &number) >= 0);
    } else {
      // JSON has no word for what is not finite and writes null.
      const double number = value.is_number() ? value.get<double>() : std::nan("");
      const Handle id(H5Acreate2(where, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
      check(id.ok() && H5Awrite(id, H5T_NATIVE_DOUBLE, &number) >= 0);
    }
  }

  // A list of one text of fixed length, which unlike one of variable length can be compressed.
  void longText(hid_t where, const char* name, const std::string& text) {
    const hsize_t one = 1;
    const Handle space(H5Screate_simple(1, &one, nullptr), H5Sclose);
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    check(H5Tset_size(type, std::max<std::size_t>(text.size(), 1)) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0 &&
          H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0);
    const Handle options(datasetOptions(), H5Pclose);
    check(H5Pset_chunk(options, 1, &one) >= 0);
    if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) check(H5Pset_deflate(options, 6) >= 0);
    const Handle id(H5Dcreate2(where, name, type, space, H5P_DEFAULT, options, H5P_DEFAULT), H5Dclose);
    check(id.ok() && H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()) >= 0);
  }

  static hid_t textType() {
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    return type;
  }

  // No times of creation: the same result is the same file.
  static hid_t datasetOptions() {
    const hid_t options = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(options, false);
    return options;
  }

  hid_t dataset(hid_t where, std::string name, const std::vector<double>& values, const std::string& unit) {
    while (H5Lexists(where, name.c_str(), H5P_DEFAULT) > 0) name += '_';  // two names that differ in a slash
    const hsize_t size = values.size();
    const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const Handle options(datasetOptions(), H5Pclose);
    constexpr hsize_t kChunk = 4096;
    if (size >= 64) {  // below that, compressing does not pay
      const hsize_t chunk = std::min(size, kChunk);
      check(H5Pset_chunk(options, 1, &chunk) >= 0);
      if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0)
        check(H5Pset_shuffle(options) >= 0 && H5Pset_deflate(options, 4) >= 0);
    }
    const hid_t id = H5Dcreate2(where, name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, options, H5P_DEFAULT);
    check(id >= 0 && (size == 0 || H5Dwrite(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0));
    if (id >= 0) attribute(id, "unit", unit);
    return id;
  }

  void strings(hid_t where, const std::string& name, const std::vector<std::string>& values) {
    const hsize_t size = values.size();
    const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
    const Handle type(textType(), H5Tclose);
    const Handle options(datasetOptions(), H5Pclose);
    const Handle id(H5Dcreate2(where, name.c_str(), type, space, H5P_DEFAULT, options, H5P_DEFAULT), H5Dclose);
    std::vector<const char*> pointers;
    pointers.reserve(values.size());
    for (const std::string& value : values) pointers.push_back(value.c_str());
    check(id.ok() && (size == 0 || H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) >= 0));
  }

  bool good_ = true;
};

}  // namespace

bool hasHdf5() { return true; }

std::string writeHdf5(const Result& result, const std::string& page_outline, const std::string& path) {
  return Hdf5Writer().write(result, page_outline, path);
}

}  // namespace linkwork

#else

namespace linkwork {

bool hasHdf5() { return false; }

std::string writeHdf5(const Result& /*result*/, const std::string& /*page_outline*/, const std::string& path) {
  return fmt::format("cannot write {}: this program was built without HDF5", path);
}

}  // namespace linkwork

#endif
