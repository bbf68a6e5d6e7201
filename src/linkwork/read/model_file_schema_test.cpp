// The reader, the JSON Schema and the reference page name the same keys. The reader is the truth: asked for a key that
// does not exist, it lists those that do.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "linkwork/read/model_file.hpp"

namespace linkwork {
namespace model_file_schema_test {

using Keys = std::set<std::string>;

std::string textOf(const char* name) {
  std::stringstream text;
  text << std::ifstream(std::filesystem::path(LINKWORK_MODELS_DIR).parent_path() / "docs" / "reference" / name).rdbuf();
  return text.str();
}

nlohmann::json schema() { return nlohmann::json::parse(textOf("model-file.schema.json")); }

Keys propertiesOf(const nlohmann::json& part) {
  Keys keys;
  for (const auto& [key, value] : part.at("properties").items()) keys.insert(key);
  return keys;
}

// What the reader allows where `text` has the key zzz.
Keys allowedKeys(const std::string& text, Space space = Space::planar) {
  Diagnostics diagnostics;
  const std::string head = space == Space::planar ? "linkwork = 1\nspace = \"planar\"\ngravity = [0, 0]\n"
                                                  : "linkwork = 1\nspace = \"spatial\"\ngravity = [0, 0, 0]\n";
  (void)readModelText(head + text, "m.toml", diagnostics);
  const std::string shown = diagnostics.format();
  const std::string start = "Allowed here: ";  // a suggestion may stand before it
  const std::size_t unknown = shown.find("unknown key \"zzz\".");
  const std::size_t at = unknown == std::string::npos ? unknown : shown.find(start, unknown);
  EXPECT_NE(at, std::string::npos) << text << shown;
  Keys keys;
  if (at == std::string::npos) return keys;
  const std::size_t from = at + start.size();
  std::stringstream list(shown.substr(from, shown.find(".\n", from) - from));
  for (std::string key; std::getline(list, key, ',');) keys.insert(key.substr(key.find_first_not_of(' ')));
  return keys;
}

struct Probe {
  const char* definition;  // in the schema
  const char* text;
};

const Probe kProbes[] = {
    {"repeat", "[repeat]\ni = { zzz = 1 }"},
    {"flexible", "[bodies]\nb = { rod = [[0, 0], [1, 0]], flexible = { zzz = 1 } }"},
    {"load_force_per_length", "[loads]\nl = { force_per_length = [0, 1], zzz = 1 }"},
    {"include", "[include]\ni = { zzz = 1 }"},
    {"body_rod", "[bodies]\nb = { rod = [[0, 0], [1, 0]], zzz = 1 }"},
    {"body_disc", "[bodies]\nb = { disc = { at = [0, 0], radius = 1 }, zzz = 1 }"},
    {"body_box", "[bodies]\nb = { box = { at = [0, 0], size = [1, 1] }, zzz = 1 }"},
    {"body_mesh", "[bodies]\nb = { mesh = { file = \"a.stl\" }, zzz = 1 }"},
    {"mesh", "[bodies]\nb = { mesh = { zzz = 1 }, mass = 1 }"},
    {"disc", "[bodies]\nb = { disc = { zzz = 1 }, mass = 1 }"},
    {"box", "[bodies]\nb = { box = { zzz = 1 }, mass = 1 }"},
    {"frame", "[bodies]\nb = { mass = 1, inertia = 1, frames = { f = { zzz = 1 } } }"},
    {"joint_revolute", "[joints]\nJ = { revolute = [], zzz = 1 }"},
    {"joint_hinge", "[joints]\nJ = { hinge = [], zzz = 1 }"},
    {"joint_pin", "[joints]\nJ = { pin = [], zzz = 1 }"},
    {"joint_continuous", "[joints]\nJ = { continuous = [], zzz = 1 }"},
    {"joint_prismatic", "[joints]\nJ = { prismatic = [], zzz = 1 }"},
    {"joint_slider", "[joints]\nJ = { slider = [], zzz = 1 }"},
    {"joint_translational", "[joints]\nJ = { translational = [], zzz = 1 }"},
    {"joint_slide", "[joints]\nJ = { slide = [], zzz = 1 }"},
    {"joint_pin_slot", "[joints]\nJ = { pin_slot = [], zzz = 1 }"},
    {"joint_slot", "[joints]\nJ = { slot = [], zzz = 1 }"},
    {"joint_revolute_prismatic", "[joints]\nJ = { revolute_prismatic = [], zzz = 1 }"},
    {"joint_fixed", "[joints]\nJ = { fixed = [], zzz = 1 }"},
    {"compliance", "[joints]\nJ = { fixed = [], compliance = { zzz = 1 } }"},
    {"compliance_slides", "[joints]\nJ = { revolute = [], compliance = { zzz = 1 } }"},
    {"joint_weld", "[joints]\nJ = { weld = [], zzz = 1 }"},
    {"joint_lock", "[joints]\nJ = { lock = [], zzz = 1 }"},
    {"joint_distance", "[joints]\nJ = { distance = [], zzz = 1 }"},
    {"joint_link", "[joints]\nJ = { link = [], zzz = 1 }"},
    {"joint_gear", "[joints]\nJ = { gear = [], zzz = 1 }"},
    {"joint_rack", "[joints]\nJ = { rack = [], zzz = 1 }"},
    {"joint_rack_pinion", "[joints]\nJ = { rack_pinion = [], zzz = 1 }"},
    {"joint_coupling", "[joints]\nJ = { coupling = {}, zzz = 1 }"},
    {"joint_coupler", "[joints]\nJ = { coupler = {}, zzz = 1 }"},
    {"joint_mimic", "[joints]\nJ = { mimic = [], zzz = 1 }"},
    {"joint_expression", "[joints]\nJ = { expression = \"1\", zzz = 1 }"},
    {"joint_velocity", "[joints]\nJ = { velocity = [], zzz = 1 }"},
    {"joint_rolling", "[joints]\nJ = { rolling = [], zzz = 1 }"},
    {"joint_knife_edge", "[joints]\nJ = { knife_edge = [], zzz = 1 }"},
    {"joint_curve", "[joints]\nJ = { curve = [], zzz = 1 }"},
    {"joint_point_on_curve", "[joints]\nJ = { point_on_curve = [], zzz = 1 }"},
    {"wish",
     "[bodies]\nb = { mass = 1, inertia = 1 }\n[joints]\nJ = { revolute = [\"ground\", \"b\"], at = [0, 0] }\n"
     "[initial]\nJ.angle = { zzz = 1 }"},
    {"input", "[inputs]\nu = { zzz = 1 }"},
    {"output", "[outputs]\no = { zzz = 1 }"},
    {"drive_joint", "[drives]\nd = { joint = \"J\", zzz = 1 }"},
    {"drive_distance", "[drives]\nd = { distance = [], zzz = 1 }"},
    {"drive_body", "[drives]\nd = { body = \"b\", zzz = 1 }"},
    {"drive_point", "[drives]\nd = { point = \"b.p\", zzz = 1 }"},
    {"load_force", "[loads]\nl = { force = [0, 0], zzz = 1 }"},
    {"load_couple", "[loads]\nl = { couple = 0, zzz = 1 }"},
    {"load_spring", "[loads]\nl = { spring = [], zzz = 1 }"},
    {"load_damper", "[loads]\nl = { damper = [], zzz = 1 }"},
    {"load_spring_damper", "[loads]\nl = { spring_damper = [], zzz = 1 }"},
    {"load_rotational_spring", "[loads]\nl = { rotational_spring = [], zzz = 1 }"},
    {"load_rotational_damper", "[loads]\nl = { rotational_damper = [], zzz = 1 }"},
    {"load_rotational_spring_damper", "[loads]\nl = { rotational_spring_damper = [], zzz = 1 }"},
    {"load_actuator", "[loads]\nl = { actuator = [], zzz = 1 }"},
    {"load_actuator_joint", "[loads]\nl = { actuator = \"J\", zzz = 1 }"},
    {"load_bushing", "[loads]\nl = { bushing = [], zzz = 1 }"},
    {"table", "[tables]\nf = { zzz = 1 }"},
    {"event", "[events]\ne = { zzz = 1 }"},
    {"trace", "[traces]\nt = { zzz = 1 }"},
    {"image", "[bodies]\nb = { position = [0, 0], mass = 1, inertia = 1 }\n[images]\nb = { zzz = 1 }"},
    {"steady", "[steady]\nzzz = 1"},
    {"compliance_defaults", "[compliance]\nzzz = 1"},
    {"simulate", "[simulate]\nzzz = 1"},
};

const Probe kSpaceProbes[] = {
    {"body_cylinder_space", "[bodies]\nb = { cylinder = {}, zzz = 1 }"},
    {"cylinder", "[bodies]\nb = { cylinder = { zzz = 1 }, mass = 1 }"},
    {"body_tube_space", "[bodies]\nb = { tube = {}, zzz = 1 }"},
    {"tube", "[bodies]\nb = { tube = { zzz = 1 }, mass = 1 }"},
    {"body_capsule_space", "[bodies]\nb = { capsule = {}, zzz = 1 }"},
    {"capsule", "[bodies]\nb = { capsule = { zzz = 1 }, mass = 1 }"},
    {"body_sphere_space", "[bodies]\nb = { sphere = {}, zzz = 1 }"},
    {"sphere", "[bodies]\nb = { sphere = { zzz = 1 }, mass = 1 }"},
    {"body_box_space", "[bodies]\nb = { box = {}, zzz = 1 }"},
    {"box_space", "[bodies]\nb = { box = { zzz = 1 }, mass = 1 }"},
    {"body_disc_space", "[bodies]\nb = { disc = {}, zzz = 1 }"},
    {"disc_space", "[bodies]\nb = { disc = { zzz = 1 }, mass = 1 }"},
    {"body_parts_space", "[bodies]\nb = { parts = [], zzz = 1 }"},
    {"part", "[bodies]\nb = { parts = [{ zzz = 1 }] }"},
    {"body_mesh_space", "[bodies]\nb = { mesh = {}, zzz = 1 }"},
    {"include_space", "[include]\ni = { zzz = 1 }"},
    {"rotation_axis_angle", "[bodies]\nb = { mass = 1, inertia = [1, 1, 1], rotation = { axis = 1, zzz = 1 } }"},
    {"rotation_zyx", "[bodies]\nb = { mass = 1, inertia = [1, 1, 1], rotation = { zyx = 1, zzz = 1 } }"},
    {"rotation_zxz", "[bodies]\nb = { mass = 1, inertia = [1, 1, 1], rotation = { zxz = 1, zzz = 1 } }"},
    {"rotation_axes", "[bodies]\nb = { mass = 1, inertia = [1, 1, 1], rotation = { x = 1, zzz = 1 } }"},
    {"tensor", "[bodies]\nb = { mass = 1, inertia = { xx = 1, zzz = 1 } }"},
    {"frame_space", "[bodies]\nb = { mass = 1, inertia = [1, 1, 1], frames = { f = { zzz = 1 } } }"},
    {"body_rod_space", "[bodies]\nb = { rod = [[0, 0, 0], [1, 0, 0]], zzz = 1 }"},
    {"drive_body_space", "[drives]\nd = { body = \"b\", zzz = 1 }"},
    {"drive_point_space", "[drives]\nd = { point = \"b.p\", zzz = 1 }"},
    {"load_bushing_space", "[loads]\nl = { bushing = [], zzz = 1 }"},
    {"load_couple_space", "[loads]\nl = { couple = 0, zzz = 1 }"},
};

// The words of joints that files in space know; each has a definition joint_WORD_space.
const char* const kSpaceJoints[] = {
    "revolute", "hinge",          "pin",         "continuous", "cylindrical",   "prismatic", "slider",
    "slide",    "translational",  "point_line",  "inline",     "pin_slot",      "slot",      "revolute_prismatic",
    "planar",   "plane_plane",    "point_plane", "inplane",    "parallel_axes", "parallel",  "universal",
    "hooke",    "perpendicular",  "perpend",     "fixed",      "weld",          "lock",      "spherical",
    "ball",     "atpoint",        "floating",    "free",       "screw",         "convel",    "constant_velocity",
    "curve",    "point_on_curve", "rolling",     "knife_edge",
};

TEST(ModelFileSchema, NamesTheKeysThatTheReaderAccepts) {
  const nlohmann::json whole = schema();
  EXPECT_EQ(propertiesOf(whole), allowedKeys("zzz = 1\n"));
  Keys probed;
  const auto probeIn = [&](Space space, const std::string& definition, const std::string& text) {
    probed.insert(definition);
    EXPECT_EQ(propertiesOf(whole.at("$defs").at(definition)), allowedKeys(text, space)) << definition;
  };
  for (const Probe& probe : kProbes) probeIn(Space::planar, probe.definition, probe.text);
  for (const Probe& probe : kSpaceProbes) probeIn(Space::spatial, probe.definition, probe.text);
  for (const std::string word : kSpaceJoints) {
    probeIn(Space::spatial, "joint_" + word + "_space", "[joints]\nJ = { " + word + " = [], zzz = 1 }");
  }
  // Which keys a section may have depends on the first of them: model_file_flexible_test goes through its forms.
  probed.insert("section");
  // A body without a shape is also told the names of the shapes.
  for (const Space space : {Space::planar, Space::spatial}) {
    const std::string definition = space == Space::planar ? "body_frame" : "body_frame_space";
    Keys frame = allowedKeys("[bodies]\nb = { zzz = 1 }", space);
    for (const char* shape : {"rod", "disc", "box", "mesh"}) EXPECT_EQ(frame.erase(shape), 1U);
    for (const char* shape : {"cylinder", "tube", "capsule", "sphere", "parts"})
      EXPECT_EQ(frame.erase(shape), space == Space::planar ? 0U : 1U);
    EXPECT_EQ(propertiesOf(whole.at("$defs").at(definition)), frame);
    probed.insert(definition);
  }
  for (const auto& [name, definition] : whole.at("$defs").items()) {
    EXPECT_TRUE(!definition.contains("properties") || probed.contains(name)) << name << " is not probed";
  }
}

Keys allKeys() {
  const nlohmann::json whole = schema();
  Keys keys = propertiesOf(whole);
  for (const auto& [name, definition] : whole.at("$defs").items()) {
    if (definition.contains("properties")) keys.merge(propertiesOf(definition));
  }
  return keys;
}

TEST(ModelFileSchema, EveryKeyStandsOnTheReferencePage) {
  const std::string page = textOf("model-file.md");
  for (const std::string& key : allKeys()) {
    // In code (`key`, or an entry of an example) or in a heading of a section.
    const std::regex mention("(`|\\[|\\{ |, |\n)" + key + "(`|\\]| *=)");
    EXPECT_TRUE(std::regex_search(page, mention)) << key;
  }
}

TEST(ModelFileSchema, EveryKeyInATableOfTheReferencePageIsAccepted) {
  const Keys known = allKeys();
  std::stringstream page(textOf("model-file.md"));
  bool in_table = false;
  int seen = 0;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("|")) in_table = false;
    if (line.starts_with("| key |") || line.starts_with("| entry |") || line.starts_with("| kind |")) in_table = true;
    if (!in_table || line.starts_with("| key |") || line.starts_with("|--")) continue;
    const std::string column = line.substr(1, line.find('|', 1) - 1);
    const std::regex name("`([a-z_]+)");
    for (std::sregex_iterator found(column.begin(), column.end(), name), end; found != end; ++found) {
      EXPECT_TRUE(known.contains((*found)[1])) << (*found)[1] << " in: " << line;
      ++seen;
    }
  }
  EXPECT_GT(seen, 40);
}

}  // namespace model_file_schema_test
}  // namespace linkwork
