// Bodies, energies and forces of a file of equations, and what is given as matrices.
#include <fmt/format.h>

#include <algorithm>

#include "linkwork/read/model_file/equations.hpp"

namespace linkwork::model_file {

namespace {

constexpr Dimension kEnergy{2, 1, -2, 0};
constexpr const char* kOfPositions = "only t, parameters and coordinates may stand here";

bool fitsOrOpen(const ParsedExpression& parsed, const Dimension& expected) {
  return !parsed.dimension || isPureNumber(*parsed.dimension) || sameDimension(*parsed.dimension, expected);
}

}  // namespace

// A formula, or a list of them, as long as one of `sizes`; empty after a message.
std::vector<Expr> EquationsReader::components(const Node& node, const std::string& what,
                                              std::initializer_list<std::size_t> sizes, const Dimension& expected) {
  std::vector<Expr> out;
  const bool is_list = node.kind == NodeKind::array;
  const std::size_t size = is_list ? node.children.size() : 1;
  if (std::find(sizes.begin(), sizes.end(), size) == sizes.end()) {
    reader.wrongType(node, what,
                     sizes.size() == 2 ? "a formula or a list of three" : "a list of one to three formulas");
    return {};
  }
  for (std::size_t k = 0; k < size; ++k) {
    const Node& entry = is_list ? node.children[k] : node;
    const auto parsed = formula(entry, what);
    if (!parsed) return {};
    if (!fitsOrOpen(*parsed, expected)) {
      reader.error(entry.source,
                   fmt::format("{}: expected {}, got {}.", what, describe(expected), describe(*parsed->dimension)));
      return {};
    }
    if (!linear(entry, parsed->expr, what)) return {};
    out.push_back(parsed->expr);
  }
  return out;
}

std::vector<Expr> EquationsReader::list(const Node& node, std::size_t size, const std::string& what) {
  if (node.kind != NodeKind::array || node.children.size() != size) {
    reader.wrongType(node, what, fmt::format("a list of {}", size));
    return {};
  }
  std::vector<Expr> out;
  for (const Node& entry : node.children) {
    const auto parsed = positionFormula(entry, what, kOfPositions);
    if (!parsed) return {};
    out.push_back(parsed->expr);
  }
  return out;
}

// Rows of formulas of t and coordinates; empty after a message.
std::vector<std::vector<Expr>> EquationsReader::matrix(const Node& node, std::size_t columns, const std::string& what) {
  if (node.kind != NodeKind::array || node.children.empty()) {
    reader.wrongType(node, what, "a list of rows");
    return {};
  }
  std::vector<std::vector<Expr>> out;
  for (const Node& row : node.children) {
    out.push_back(list(row, columns, "a row of " + what));
    if (out.back().size() != columns) return {};
  }
  return out;
}

// a, a_0 and names: the free quasi-velocities, then the constraints.
void EquationsReader::readMatrices(const Node& section) {
  reader.checkKeys(section, "[matrices]", {"quasivelocities", "constraints", "a", "a_0", "Q"});
  const std::size_t n = model.coordinates.size();
  const Node* names = reader.required(section, "quasivelocities", "[matrices]",
                                      "Name the free ones: quasivelocities = [\"v\", \"w\"].");
  if (names == nullptr) return;
  const auto a = matrix(*section.find("a"), n, "a of [matrices]");
  if (a.empty()) return;
  if (a.size() != n) {
    reader.error(section.find("a")->source, fmt::format("a of [matrices]: {} rows for {} coordinates.", a.size(), n),
                 "It is square: a row for each free quasi-velocity, then one for each constraint.");
    return;
  }
  std::vector<Expr> a0(n, Expr(0.0));
  if (const Node* node = section.find("a_0")) {
    a0 = list(*node, n, "a_0 of [matrices]");
    if (a0.size() != n) return;
  }
  std::vector<std::pair<std::string, Source>> all;
  const auto take = [&](const Node& node, const char* what) {
    if (node.kind != NodeKind::array) return reader.wrongType(node, what, "a list of names");
    for (const Node& entry : node.children) {
      if (const auto name = reader.word(entry, what)) all.emplace_back(*name, entry.source);
    }
  };
  take(*names, "quasivelocities of [matrices]");
  const std::size_t free = all.size();
  if (const Node* node = section.find("constraints")) take(*node, "constraints of [matrices]");
  for (std::size_t r = all.size(); r < n; ++r)
    all.emplace_back(fmt::format("constraint_{}", r - free + 1), section.key_source);
  if (all.size() != n || free == 0) {
    reader.error(names->source,
                 fmt::format("[matrices]: {} names for {} rows of a, {} of them free.", all.size(), n, free),
                 "Name at least one free quasi-velocity, and no more than a has rows.");
    return;
  }
  for (std::size_t r = 0; r < n; ++r) {
    Node entry;
    entry.key = all[r].first;
    entry.key_source = all[r].second;
    if (!checkLetter(entry, r < free ? "quasi-velocity" : "constraint")) return;
    Expr value = a0[r];
    for (std::size_t s = 0; s < n; ++s) value += a[r][s] * Expr::symbol(model.coordinates[s].rate());
    (r < free ? model.quasi_velocities : model.constraints).push_back({entry.key, value, {}, entry.key_source, false});
    reader.letters.emplace(entry.key, KnownLetter{KnownLetter::Kind::quasi_velocity, value, std::nullopt, false});
  }
}

bool EquationsReader::readInertia(const Node& node, EquationsBody& body) {
  const std::string what = fmt::format("inertia of body \"{}\"", body.name);
  const auto entry = [&](const Node& one, std::size_t i, std::size_t j, bool diagonal) {
    const auto value =
        diagonal ? reader.notNegative(one, dimension::kInertia, what) : reader.constant(one, dimension::kInertia, what);
    if (value) body.inertia[i][j] = *value;
    return value.has_value();
  };
  if (node.kind != NodeKind::array)
    return entry(node, 0, 0, true) && entry(node, 1, 1, true) && entry(node, 2, 2, true);
  if (node.children.size() != 3) {
    reader.wrongType(node, what, "a number, a list of three, or three rows of three");
    return false;
  }
  bool fine = true;
  for (std::size_t i = 0; i < 3; ++i) {
    const Node& row = node.children[i];
    if (row.kind != NodeKind::array) {
      fine = entry(row, i, i, true) && fine;
    } else if (row.children.size() != 3) {
      reader.wrongType(row, what, "a row of three");
      return false;
    } else {
      for (std::size_t j = 0; j < 3; ++j) fine = entry(row.children[j], i, j, i == j) && fine;
    }
  }
  for (std::size_t i = 0; i < 3 && fine; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (body.inertia[i][j].number == body.inertia[j][i].number) continue;
      reader.error(node.source, fmt::format("{}: the matrix is not symmetric.", what));
      return false;
    }
  }
  return fine;
}

// As formulas of rates and quasi-velocities, or as V = V_P w + V_R.
void EquationsReader::readVelocity(const Node& entry, EquationsBody& body, const char* key, const char* partial,
                                   const char* rest) {
  const bool turns = std::string_view(key) == "angular_velocity";
  std::vector<Expr>& to = turns ? body.angular_velocity : body.velocity;
  const std::string of = fmt::format("of body \"{}\"", body.name);
  if (const Node* node = entry.find(key)) {
    const std::string what = fmt::format("{} {}", key, of);
    to = turns ? components(*node, what, {1, 3}, dimension::kAngularRate)
               : components(*node, what, {1, 2, 3}, dimension::kVelocity);
    if (const Node* other = entry.find(partial))
      reader.error(other->key_source, fmt::format("{} {}: {} is given as well.", partial, of, key),
                   "Give one of them.");
    return;
  }
  const Node* P = entry.find(partial);
  const Node* R = entry.find(rest);
  if (P == nullptr) {
    if (R != nullptr)
      reader.error(R->key_source, fmt::format("{} {}: {} is missing.", rest, of, partial),
                   "Give both, or the velocity as formulas.");
    return;
  }
  const std::vector<Expr> forms = allForms();
  const auto rows = matrix(*P, forms.size(), fmt::format("{} {}", partial, of));
  if (rows.empty()) return;
  if (rows.size() > 3 || (turns && rows.size() == 2)) {
    reader.error(P->source, fmt::format("{} {}: {} rows.", partial, of, rows.size()), "It has a row for each axis.");
    return;
  }
  std::vector<Expr> offset(rows.size(), Expr(0.0));
  if (R != nullptr) offset = list(*R, rows.size(), fmt::format("{} {}", rest, of));
  if (offset.size() != rows.size()) return;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Expr component = offset[i];
    for (std::size_t k = 0; k < forms.size(); ++k) component += rows[i][k] * forms[k];
    to.push_back(component);
  }
}

void EquationsReader::readBody(const Node& entry) {
  const std::string what = fmt::format("body \"{}\"", entry.key);
  if (!reader.checkName(entry, "body") || !reader.checkTable(entry, what, "a table")) return;
  reader.checkKeys(
      entry, what,
      {"mass", "inertia", "velocity", "angular_velocity", "kinetic_energy", "V_P", "V_R", "Omega_P", "Omega_R"});
  EquationsBody body;
  body.name = entry.key;
  body.source = entry.key_source;
  readVelocity(entry, body, "velocity", "V_P", "V_R");
  readVelocity(entry, body, "angular_velocity", "Omega_P", "Omega_R");
  if (const Node* node = entry.find("mass")) {
    if (const auto mass = reader.notNegative(*node, dimension::kMass, "mass of " + what)) body.mass = *mass;
  } else if (!body.velocity.empty()) {
    reader.error(entry.key_source, fmt::format("{}: it has a velocity and no mass.", what), "Give mass = \"2 kg\".");
  }
  if (const Node* node = entry.find("inertia")) {
    if (!readInertia(*node, body)) return;
  } else if (!body.angular_velocity.empty()) {
    reader.error(entry.key_source, fmt::format("{}: it has an angular velocity and no inertia.", what),
                 "Give inertia = \"0.1 kg*m^2\", a list of three, or three rows.");
  }
  if (const Node* node = entry.find("kinetic_energy")) {
    const auto parsed = formula(*node, "kinetic energy of " + what);
    if (!parsed || !quadratic(*node, parsed->expr, "kinetic energy of " + what)) return;
    if (!fitsOrOpen(*parsed, kEnergy)) {
      reader.error(node->source, fmt::format("kinetic energy of {}: expected an energy, got {}.", what,
                                             describe(*parsed->dimension)));
      return;
    }
    body.kinetic_energy = parsed->expr;
  } else if (body.velocity.empty() && body.angular_velocity.empty()) {
    reader.error(entry.key_source, fmt::format("{}: nothing says how it moves.", what),
                 "Give velocity and angular_velocity, or kinetic_energy.");
    return;
  }
  model.bodies.push_back(std::move(body));
}

void EquationsReader::readBodies(const Node& section) {
  for (const Node& entry : section.children) readBody(entry);
}

void EquationsReader::readPotential(const Node& node) {
  const auto parsed = positionFormula(node, "potential", "a potential depends on positions alone");
  if (!parsed) return;
  if (!fitsOrOpen(*parsed, kEnergy)) {
    reader.error(node.source, fmt::format("potential: expected an energy (J), got {}.", describe(*parsed->dimension)));
    return;
  }
  model.potential = parsed->expr;
}

void EquationsReader::readForce(const Node& entry) {
  const std::string what = fmt::format("force \"{}\"", entry.key);
  EquationsForce force;
  force.name = entry.key;
  force.source = entry.key_source;
  if (entry.kind == NodeKind::table) {
    if (!reader.checkKeys(entry, what, {"body", "force", "couple"})) return;
    const Node* on = reader.required(entry, "body", what, "Say on which body it acts.");
    if (on == nullptr) return;
    std::vector<std::string> names;
    for (const EquationsBody& body : model.bodies) names.push_back(body.name);
    const auto index = reader.choice(*on, "body of " + what, names);
    if (!index) return;
    force.on = EquationsForce::On::body;
    force.index = static_cast<int>(*index);
    const EquationsBody& body = model.bodies[*index];
    const auto read = [&](const char* key, std::size_t size, std::vector<Expr>& to) {
      const Node* node = entry.find(key);
      if (node == nullptr) return;
      const bool is_list = node->kind == NodeKind::array;
      if (size == 0 || (is_list ? node->children.size() : 1) != size) {
        reader.wrongType(*node, fmt::format("{} of {}", key, what),
                         size == 0 ? std::string("nothing, because the body has no velocity for it")
                                   : fmt::format("{} components, as its velocity has", size));
        return;
      }
      for (std::size_t k = 0; k < size; ++k) {
        const auto parsed = formula(is_list ? node->children[k] : *node, fmt::format("{} of {}", key, what));
        if (parsed) to.push_back(parsed->expr);
      }
      if (to.size() != size) to.clear();
    };
    read("force", body.velocity.size(), force.force);
    read("couple", body.angular_velocity.size(), force.couple);
    model.forces.push_back(std::move(force));
    return;
  }
  const auto byName = [&](const auto& list) {
    return std::find_if(list.begin(), list.end(), [&](const auto& one) { return one.name == entry.key; });
  };
  const auto q = byName(model.coordinates);
  const auto w = byName(model.quasi_velocities);
  if (q == model.coordinates.end() && w == model.quasi_velocities.end()) {
    std::vector<std::string> names;
    for (const auto& one : model.coordinates) names.push_back(one.name);
    for (const auto& one : model.quasi_velocities) names.push_back(one.name);
    const bool held = byName(model.constraints) != model.constraints.end();
    reader.error(entry.key_source,
                 held ? fmt::format("{}: a constraint has this name, and a force on what it holds moves nothing.", what)
                      : fmt::format("{}: there is no coordinate or quasi-velocity of this name.", what),
                 reader.suggest(entry.key, names));
    return;
  }
  const auto parsed = formula(entry, what);
  if (!parsed) return;
  force.on = q != model.coordinates.end() ? EquationsForce::On::coordinate : EquationsForce::On::quasi_velocity;
  force.index = static_cast<int>(q != model.coordinates.end() ? q - model.coordinates.begin()
                                                              : w - model.quasi_velocities.begin());
  force.value = parsed->expr;
  model.forces.push_back(std::move(force));
}

void EquationsReader::readForces(const Node& section) {
  for (const Node& entry : section.children) readForce(entry);
}

// Q of [matrices]: on the free quasi-velocities, in their order.
void EquationsReader::readForcesAsList(const Node& root) {
  const Node* section = root.find("matrices");
  const Node* Q = section == nullptr ? nullptr : section->find("Q");
  if (Q == nullptr) return;
  if (section->find("a") == nullptr) reader.checkKeys(*section, "[matrices]", {"a", "a_0", "Q", "quasivelocities"});
  if (Q->kind != NodeKind::array || Q->children.size() != model.quasi_velocities.size()) {
    reader.wrongType(*Q, "Q of [matrices]", fmt::format("a list of {}", model.quasi_velocities.size()));
    return;
  }
  for (std::size_t k = 0; k < Q->children.size(); ++k) {
    const auto parsed = formula(Q->children[k], "Q of [matrices]");
    if (!parsed) return;
    EquationsForce force;
    force.name = model.quasi_velocities[k].name;
    force.on = EquationsForce::On::quasi_velocity;
    force.index = static_cast<int>(k);
    force.value = parsed->expr;
    force.source = Q->children[k].source;
    model.forces.push_back(std::move(force));
  }
}

}  // namespace linkwork::model_file
