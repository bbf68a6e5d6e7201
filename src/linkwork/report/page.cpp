#include "linkwork/report/page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "linkwork/codegen/equation_counts.hpp"
#include "linkwork/codegen/equation_forms.hpp"
#include "linkwork/codegen/program_document.hpp"
#include "linkwork/codegen/program_printers.hpp"
#include "linkwork/files/base64.hpp"
#include "linkwork/geometry/mesh_outline.hpp"
#include "linkwork/read/body_mesh.hpp"
#include "linkwork/report/page_drawing.hpp"
#include "linkwork/report/page_explanation.hpp"
#include "linkwork/report/page_links.hpp"
#include "linkwork/report/page_mechanics.hpp"
#include "linkwork/report/page_parts.hpp"
#include "linkwork/report/page_relations.hpp"
#include "linkwork/report/page_space.hpp"
#include "linkwork/simulate/provenance.hpp"

namespace linkwork {

namespace {

using Json = nlohmann::ordered_json;

Json pointJson(const Point& point) { return {point[0].number, point[1].number}; }
Json planeJson(const std::array<double, 3>& point) { return {point[0], point[1]}; }

Json frameJson(const Mechanism& mechanism, BodyIndex body, const Frame& frame) {
  Json out;
  out["body"] = body.valid() ? Json(mechanism.body(body).name) : Json(nullptr);
  out["point"] = pointJson(frame.point);
  out["angle"] = frame.angle.number;
  return out;
}

Json shapeJson(const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::rod: return {{"kind", "rod"}, {"from", planeJson(shape.from)}, {"to", planeJson(shape.to)}};
    case ShapeKind::disc: return {{"kind", "disc"}, {"centre", planeJson(shape.from)}, {"radius", shape.radius}};
    case ShapeKind::box:
      return {
          {"kind", "box"}, {"centre", planeJson(shape.from)}, {"size", planeJson(shape.size)}, {"angle", shape.angle}};
    case ShapeKind::polygon: return {{"kind", "polygon"}, {"points", shape.outline}};
    default: break;
  }
  return {{"kind", "point"}, {"at", planeJson(shape.from)}};
}

// A mesh by its outlines from above; where it has none, by the box around it.
void addShape(const Shape& shape, const MeshFinder& meshes, Json& shapes) {
  if (const std::optional<TriangleMesh> mesh = meshes.meshOf(shape)) {
    const std::vector<Outline> outlines = outlinesFromAbove(*mesh);
    for (const Outline& outline : outlines) shapes.push_back({{"kind", "polygon"}, {"points", outline}});
    if (!outlines.empty()) return;
  }
  shapes.push_back(shapeJson(shape));
}

Json bodiesJson(const Mechanism& mechanism) {
  Json out = Json::array();
  const MeshFinder meshes(mechanism);
  for (const Body& body : mechanism.bodies) {
    Json shapes = Json::array();
    for (const Shape& shape : body.shapes) addShape(shape, meshes, shapes);
    out.push_back({{"name", body.name},
                   {"line", body.source.line},
                   {"pose", {body.name + ".x", body.name + ".y", body.name + ".angle"}},
                   {"com", pointJson(body.com)},
                   {"shapes", shapes}});
  }
  return out;
}

Json jointsJson(const Mechanism& mechanism, const Result& result) {
  Json out = Json::array();
  for (const Joint& joint : mechanism.joints) {
    if (isRelation(joint.kind)) continue;  // between joints: relationsJson
    Json entry{{"name", joint.name},
               {"kind", wordFor(joint.kind)},
               {"line", joint.source.line},
               {"first", frameJson(mechanism, joint.first, joint.on_first)},
               {"second", frameJson(mechanism, joint.second, joint.on_second)}};
    if (joint.kind == JointKind::distance) entry["length"] = joint.length.number;
    if (joint.kind == JointKind::rolling) {
      entry["contact"] = {joint.name + ".contact.x", joint.name + ".contact.y"};
      entry["plane"] = joint.rolling.on == RollingOn::plane;
      if (joint.rolling.on != RollingOn::plane) entry["first_radius"] = joint.rolling.first_radius.number;
    }
    if (isCut(result, joint)) entry["cut"] = true;
    entry["reaction"]["force"] = {joint.name + ".force.x", joint.name + ".force.y"};
    if (result.find(joint.name + ".moment") != nullptr) entry["reaction"]["moment"] = joint.name + ".moment";
    entry["reaction"]["unique"] = reactionUnique(result, joint);
    if (result.find(joint.name + ".unique_force.x") != nullptr) {
      entry["reaction"]["unique_force"] = {joint.name + ".unique_force.x", joint.name + ".unique_force.y"};
    }
    out.push_back(std::move(entry));
  }
  return out;
}

// Joints as bearings: what the page draws as polar plots, in plane and space.
Json bearingsJson(const Mechanism& mechanism, const Result& result) {
  const bool in_space = mechanism.space == Space::spatial;
  const auto end = [&](BodyIndex body) {
    if (!body.valid()) return Json{{"body", nullptr}};
    const std::string& name = mechanism.body(body).name;
    Json turn = Json::array();
    for (const char* part : {"w", "x", "y", "z"}) {
      if (in_space) turn.push_back(fmt::format("{}.orientation.{}", name, part));
    }
    if (!in_space) turn.push_back(name + ".angle");
    return Json{{"body", name}, {"turn", std::move(turn)}};
  };
  Json out = Json::array();
  for (const Joint& joint : mechanism.joints) {
    if (isRelation(joint.kind)) continue;  // acts at no point
    Json force = Json::array();
    for (const char* axis : {"x", "y", "z"}) {
      if (*axis != 'z' || in_space) force.push_back(fmt::format("{}.force.{}", joint.name, axis));
    }
    out.push_back({{"name", joint.name},
                   {"kind", wordFor(joint.kind)},
                   {"unique", reactionUnique(result, joint)},
                   {"force", std::move(force)},
                   {"first", end(joint.first)},
                   {"second", end(joint.second)}});
  }
  return out;
}

Json drivesJson(const Mechanism& mechanism) {
  Json out = Json::array();
  for (const Drive& drive : mechanism.drives) {
    out.push_back({{"name", drive.name},
                   {"kind", wordFor(drive.kind)},
                   {"line", drive.source.line},
                   {"first", frameJson(mechanism, drive.first, drive.on_first)},
                   {"second", frameJson(mechanism, drive.second, drive.on_second)}});
  }
  return out;
}

Json loadsJson(const Mechanism& mechanism) {
  Json out = Json::array();
  for (const Load& load : mechanism.loads) {
    Json entry{{"name", load.name},
               {"kind", drawnKind(load)},
               {"line", load.source.line},
               {"second", frameJson(mechanism, load.second, load.on_second)},
               {"free_length", load.free_length.number}};
    const LoadArrows arrows = arrowsOf(mechanism, load);
    if (!arrows.one_body) entry["first"] = frameJson(mechanism, load.first, load.on_first);
    if (!arrows.force.empty()) entry["force"] = arrows.force;
    if (!arrows.moment_about_z.empty()) entry["moment"] = arrows.moment_about_z;
    out.push_back(std::move(entry));
  }
  return out;
}

Json tracesJson(const Mechanism& mechanism) {
  Json out = Json::array();
  for (const Trace& trace : mechanism.traces) {
    const Json point = mechanism.space == Space::spatial ? Json(trace.point) : planeJson(trace.point);
    out.push_back({{"body", mechanism.bodyName(trace.body)}, {"point", point}});
  }
  return out;
}

// What a person wants to see first: how it moves, whether the joints hold, whether energy is kept.
Json plotsJson(const Mechanism& mechanism, const Result& result) {
  Json plots = Json::array();
  std::vector<std::string> moving;
  for (const Joint& joint : mechanism.joints) {
    for (const char* label : {".angle", ".slide"}) {
      if (moving.size() < 4 && result.find(joint.name + label) != nullptr) moving.push_back(joint.name + label);
    }
  }
  std::vector<std::string> angles;
  std::vector<std::string> slides;
  for (const std::string& name : moving) (name.ends_with(".angle") ? angles : slides).push_back(name);
  if (!angles.empty()) plots.push_back({{"title", "Joint angles"}, {"series", angles}});
  if (!slides.empty()) plots.push_back({{"title", "Slides"}, {"series", slides}});
  if (!moving.empty() && result.find(moving.front() + "_rate") != nullptr) {
    plots.push_back(
        {{"title", "Phase plot of " + moving.front()}, {"x", moving.front()}, {"series", {moving.front() + "_rate"}}});
  }
  addMotionPlots(result, plots);
  plots.push_back({{"title", "Constraint violation"},
                   {"series", {"violation.position", "violation.velocity", "violation.acceleration"}},
                   {"log", true}});
  // Outputs, those of one unit together.
  std::vector<std::string> units;
  for (const Output& output : mechanism.outputs) {
    if (std::find(units.begin(), units.end(), output.unit) == units.end()) units.push_back(output.unit);
  }
  for (const std::string& unit : units) {
    Json same = Json::array();
    for (const Output& output : mechanism.outputs) {
      if (output.unit == unit) same.push_back("outputs." + output.name);
    }
    plots.push_back({{"title", unit.empty() ? "Outputs" : "Outputs, " + unit}, {"series", same}});
  }
  plots.push_back({{"title", "Energy"}, {"series", {"energy.kinetic", "energy.potential", "energy.supplied"}}});
  plots.push_back({{"title", "Energy balance"}, {"series", {"energy.balance"}}});
  return plots;
}

Json runJson(const Result& result) {
  Json run = Json::object();
  for (const Setting& setting : result.settings) {
    const bool tolerance = setting.name == "rtol" || setting.name == "atol";
    if (tolerance && std::holds_alternative<double>(setting.value)) {
      run[setting.name] = std::get<double>(setting.value);
    } else if (setting.name == "until") {
      run[setting.name] = result.time.empty() ? 0.0 : result.time.back();
    } else {
      run[setting.name] = setting.text();
    }
  }
  run["status"] = wordFor(result.status);
  run["message"] = result.status == RunStatus::stopped_by_event ? fmt::format("The run ended with {}.", result.message)
                                                                : result.message;
  return run;
}

// Beyond this size the page names the command instead: such equations are for a compiler, not for a reader.
constexpr std::size_t kLongestMathml = 400'000;
constexpr std::size_t kMostBodies = 24;        // nobody need wait for what will not be shown
constexpr std::size_t kMostBodiesCounted = 8;  // in every form; beyond, in the one that is shown

// What the equations cost: in the form that is shown, and beside it in the others.
void addCounts(const Mechanism& mechanism, const EquationRequest& request, const EquationProgram& program, Json& out) {
  for (const std::string& sentence : documentOf(program).counts) out["text"].push_back(sentence);
  if (mechanism.bodies.size() > kMostBodiesCounted) return;
  const std::vector<FormCost> costs = costsOfForms(mechanism, request);
  out["tables"].push_back(tableJson("Operations of all forms that fit", kCostsNote, costsTable(costs)));
  for (const std::string& line : costsAdvice(costs)) out["text"].push_back(line);
}

Json equationsJson(const Mechanism& mechanism) {
  const UsualForm usual = usualForm(mechanism, EquationTask::forward);
  if (!whyNotForm(mechanism, usual.form, EquationTask::forward).empty()) return nullptr;
  Json out = {
      {"title", "Equations of motion"},
      {"text", Json::array()},
      {"command", fmt::format("linkwork equations {}{}", mechanism.file_name, parametersSetAsOptions(mechanism))},
      {"sections", Json::array()},
      {"tables", Json::array()}};
  out["text"].push_back(usual.why);
  if (mechanism.bodies.size() > kMostBodies) return out;
  EquationRequest request;
  request.form = usual.form;
  request.torques = Torques::none;
  const WrittenEquations written = writeEquations(mechanism, request);
  if (!written.program) return nullptr;
  const std::vector<MathmlChapter> chapters = mathmlChapters(*written.program);
  std::size_t size = 0;
  for (const MathmlChapter& chapter : chapters) size += chapter.mathml.size();
  out["text"].push_back(
      fmt::format("Here for {}, without torques in the joints beside the loads of the model.", written.program->task));
  addCounts(mechanism, request, *written.program, out);
  if (size > kLongestMathml) return out;
  for (const MathmlChapter& chapter : chapters)
    out["sections"].push_back({{"title", chapter.title}, {"mathml", chapter.mathml}});
  return out;
}

}  // namespace

void putFreedoms(Json& page, int of_velocities, int of_positions) {
  page["dof"] = of_velocities;
  if (of_positions != of_velocities) page["dofOfPositions"] = of_positions;
}

Json poseOutline(const Mechanism& mechanism, const Result& result, const std::vector<std::string>& warnings) {
  Json out;
  out["format"] = "linkwork-page";
  out["version"] = kPageVersion;
  out["title"] = result.name;
  out["space"] = mechanism.space == Space::spatial ? "spatial" : "planar";
  out["model"] = {{"file", mechanism.file_name}, {"text", mechanism.file_text}, {"description", mechanism.description}};
  out["provenance"] = Json::array();
  for (const auto* list : {&result.provenance, &result.settings}) {
    for (const Setting& setting : *list) out["provenance"].push_back({setting.name, setting.text()});
  }
  out["series"] = Json::array();
  for (const Series& series : result.series) {
    out["series"].push_back(
        {{"name", series.name}, {"unit", series.unit}, {"group", series.group}, {"label", series.label}});
    if (!series.unique) out["series"].back()["unique"] = false;
    // At dead points, and where a body only translates, there is none: no fault of the data.
    if (series.group == "mechanical_advantage" || series.label.starts_with("instant_centre"))
      out["series"].back()["partial"] = true;
  }
  out["redundant"] = whyNotUnique(result);
  out["warnings"] = warnings;
  out["gravity"] = {mechanism.gravity[0].number, mechanism.gravity[1].number};
  if (mechanism.space == Space::spatial) {
    SpaceDrawing drawing = drawingInSpace(mechanism, result);
    out["bodies"] = std::move(drawing.bodies);
    out["joints"] = std::move(drawing.joints);
    out["drives"] = std::move(drawing.drives);
    out["loads"] = std::move(drawing.loads);
    out["gravity"].push_back(mechanism.gravity[2].number);
    for (const std::string& note : drawing.notes) out["warnings"].push_back(note);
  } else {
    out["bodies"] = bodiesJson(mechanism);
    out["joints"] = jointsJson(mechanism, result);
    out["drives"] = drivesJson(mechanism);
    out["loads"] = loadsJson(mechanism);
  }
  out["relations"] = relationsJson(mechanism);
  return out;
}

std::string pageOutline(const Mechanism& mechanism, const Result& result, const std::vector<std::string>& warnings) {
  Json out = poseOutline(mechanism, result, warnings);
  if (!mechanism.links.empty()) out["links"] = linksJson(mechanism, result);
  const Ledger& ledger = result.ledger;
  putFreedoms(out, ledger.degrees_of_freedom, ledger.position_degrees_of_freedom);
  out["run"] = runJson(result);
  out["ledger"] = Json::array();
  for (const LedgerLine& line : ledgerLines(result)) {
    out["ledger"].push_back({{"id", line.id},
                             {"label", line.label},
                             {"value", line.value},
                             {"unit", line.unit},
                             {"grade", wordFor(line.grade)},
                             {"sentence", line.sentence}});
  }
  out["ledgerTable"] = Json::array();
  for (const auto& [key, value] : ledgerTable(result.ledger)) out["ledgerTable"].push_back({key, value});
  for (const EventRecord& event : result.events) {
    out["ledgerTable"].push_back({fmt::format("event {}", event.name), fmt::format("t = {:.9g} s", event.time)});
  }
  out["bearings"] = bearingsJson(mechanism, result);
  out["traces"] = tracesJson(mechanism);
  out["plots"] = plotsJson(mechanism, result);
  out["equations"] = equationsJson(mechanism);
  out["mechanics"] = mechanicsJson(mechanism, result);
  out["explanation"] = explanationJson(mechanism);
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string pageData(const Mechanism& mechanism, const Result& result, const std::vector<std::string>& warnings) {
  return pageData(pageOutline(mechanism, result, warnings), result);
}

}  // namespace linkwork
