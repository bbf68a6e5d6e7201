#include "linkwork/report/page_mechanics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "linkwork/files/base64.hpp"
#include "linkwork/simulate/body_actions.hpp"

namespace linkwork {

namespace {

using Json = nlohmann::ordered_json;

template <class Entry>
Json listOf(bool in_space, const Entry& entry) {
  Json out = Json::array();
  for (const char* axis : {"x", "y", "z"}) {
    if (*axis != 'z' || in_space) out.push_back(entry(axis));
  }
  return out;
}

Json numbersOf(const std::array<double, 3>& point, bool in_space) {
  Json out{point[0], point[1]};
  if (in_space) out.push_back(point[2]);
  return out;
}

// About the centre of mass in body axes: one number in the plane, the entries of the matrix in space.
Json inertiaJson(const Body& body, bool in_space) {
  if (!in_space) return body.inertia.number;
  const Tensor tensor = body.tensor.value_or(Tensor{});
  return {tensor.xx.number, tensor.yy.number, tensor.zz.number, tensor.xy.number, tensor.xz.number, tensor.yz.number};
}

Json bodyJson(const Body& body, bool in_space) {
  const auto named = [&](const char* format) {
    return listOf(in_space,
                  [&](const char* axis) { return body.name + "." + fmt::format(fmt::runtime(format), axis); });
  };
  Json turn = Json::array();
  if (in_space) {
    for (const char* part : {"w", "x", "y", "z"}) turn.push_back(fmt::format("{}.orientation.{}", body.name, part));
  } else {
    turn.push_back(body.name + ".angle");
  }
  const auto about = [&](const char* in_plane, const char* format) {
    return in_space ? named(format) : Json::array({fmt::format("{}.{}", body.name, in_plane)});
  };
  return {{"name", body.name},
          {"mass", body.mass.number},
          {"inertia", inertiaJson(body, in_space)},
          {"com", numbersOf({body.com[0].number, body.com[1].number, body.com[2].number}, in_space)},
          {"position", named("{}")},
          {"turn", std::move(turn)},
          {"velocity", named("{}_rate")},
          {"spin", about("angle_rate", "angular_velocity.{}")},
          {"acceleration", named("{}_acceleration")},
          {"spin_rate", about("angle_acceleration", "angular_acceleration.{}")}};
}

struct PartWords {
  std::string of, name, kind;
};

PartWords partOf(const Mechanism& mechanism, const BodyAction& action) {
  const auto k = static_cast<std::size_t>(action.index);
  switch (action.of) {
    case ActionOf::joint: return {"joint", mechanism.joints[k].name, std::string(wordFor(mechanism.joints[k].kind))};
    case ActionOf::drive: return {"drive", mechanism.drives[k].name, std::string(wordFor(mechanism.drives[k].kind))};
    case ActionOf::load: break;
  }
  return {"load", mechanism.loads[k].name, std::string(wordFor(mechanism.loads[k].kind))};
}

// Whether what was resolved comes from an effort that is one of many that fit.
bool effortUnique(const Result& result, const std::string& part) {
  const Series* effort = result.find(part + ".effort");
  return effort == nullptr || effort->unique;
}

Json actionJson(const Mechanism& mechanism, const Result& result, const BodyAction& action) {
  const PartWords part = partOf(mechanism, action);
  Json out{{"of", part.of},
           {"name", part.name},
           {"kind", part.kind},
           {"body", mechanism.body(action.body).name},
           {"from", action.from.valid() ? Json(mechanism.body(action.from).name) : Json(nullptr)},
           {"point", numbersOf(action.point, mechanism.space == Space::spatial)},
           {"force_sign", action.force_sign},
           {"moment_sign", action.moment_sign}};
  if (!action.force_names.empty()) out["force"] = action.force_names;
  if (!action.moment_names.empty()) out["moment"] = action.moment_names;
  const auto columns = [](const std::vector<std::vector<double>>& values) {
    Json list = Json::array();
    for (const auto& column : values) list.push_back(base64(column));
    return list;
  };
  if (!action.force.empty()) out["force_values"] = columns(action.force);
  if (!action.moment.empty()) out["moment_values"] = columns(action.moment);
  if (!effortUnique(result, part.name)) out["unique"] = false;
  return out;
}

}  // namespace

Json mechanicsJson(const Mechanism& mechanism, const Result& result) {
  const bool in_space = mechanism.space == Space::spatial;
  Json out{
      {"gravity",
       numbersOf({mechanism.gravity[0].number, mechanism.gravity[1].number, mechanism.gravity[2].number}, in_space)},
      {"bodies", Json::array()},
      {"actions", Json::array()}};
  for (const Body& body : mechanism.bodies) out["bodies"].push_back(bodyJson(body, in_space));
  for (const BodyAction& action : bodyActions(mechanism, result))
    out["actions"].push_back(actionJson(mechanism, result, action));
  return out;
}

}  // namespace linkwork
