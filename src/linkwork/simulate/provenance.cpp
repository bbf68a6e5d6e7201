#include "linkwork/simulate/provenance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "linkwork/base/version.hpp"
#include "linkwork/model/mechanism.hpp"
#include "linkwork/result/chunk_log.hpp"

namespace linkwork {

namespace {

bool isPlain(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '='; }

std::string quotedForShell(const std::string& text) {
  if (std::all_of(text.begin(), text.end(), isPlain)) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

std::string fingerprint(const Mechanism& mechanism) {
  std::uint64_t hash = fnv1a64(mechanism.file_text);
  for (const IncludedFile& part : mechanism.included) hash = fnv1a64(part.text, fnv1a64({"\0", 1}, hash));
  return fmt::format("fnv1a64:{:016x}", hash);
}

Settings provenanceOf(const Mechanism& mechanism) {
  return {
      {"Linkwork", std::string(kVersion)}, {"model file", mechanism.file_name}, {"model hash", fingerprint(mechanism)}};
}

Settings parametersSet(const Mechanism& mechanism) {
  Settings out;
  for (const ParameterSetting& setting : mechanism.set) out.push_back({"parameter " + setting.name, setting.value});
  return out;
}

std::string parametersSetInWords(const Mechanism& mechanism) {
  std::string out;
  for (const ParameterSetting& setting : mechanism.set)
    out += fmt::format("{}{} = {}", out.empty() ? "With " : ", ", setting.name, setting.value);
  return out.empty() ? out : out + " instead of what the file says.";
}

std::string parametersSetAsOptions(const Mechanism& mechanism) {
  std::string out;
  for (const ParameterSetting& setting : mechanism.set)
    out += " --set " + quotedForShell(setting.name + "=" + setting.value);
  return out;
}

}  // namespace linkwork
