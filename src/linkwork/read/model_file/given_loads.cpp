#include <fmt/format.h>

#include "linkwork/read/model_file/load_kinds.hpp"

namespace linkwork::model_file {

namespace {

// A force or couple that is given by formulas.
class GivenLoadReader {
 public:
  GivenLoadReader(Reader& reader, const Node& entry, const std::string& what, Load& load)
      : reader_(reader), entry_(entry), what_(what), load_(load) {}

  bool force(const Node& components) {
    load_.kind = LoadKind::force;
    bool good = reader_.checkKeys(entry_, what_, {"force", "on", "at", "axes"});
    good = readComponents(components, dimension::kForce) && good;
    if (const Node* axes = entry_.find("axes")) {
      const auto word = reader_.choice(*axes, of("axes"), {"ground", "body"});
      if (word) load_.axes = *word == 0 ? Axes::ground : Axes::body;
      good = good && word;
    }
    return readPointOfForce() && good;
  }

  bool couple(const Node& size) {
    load_.kind = LoadKind::couple;
    std::vector<std::string> allowed{"couple", "on", "against", "at"};
    if (reader_.inSpace()) allowed.emplace_back("axis");
    bool good = reader_.checkKeys(entry_, what_, allowed);
    load_.by_components = reader_.inSpace() && size.kind == NodeKind::array;
    const bool moment = load_.by_components ? readComponents(size, dimension::kTorque) : readMoment(size);
    const Node* on = reader_.required(entry_, "on", what_, "Give on = \"crank\".");
    std::optional<BodyIndex> second;
    if (on != nullptr) second = coupled(*on);
    if (second) load_.second = *second;
    if (const Node* against = entry_.find("against")) {
      const auto first = reader_.bodyNamed(*against, of("against"));
      if (first) load_.first = *first;
      good = good && first;
    }
    if (load_.by_components) {
      for (const char* key : {"against", "axis"}) {
        const Node* node = entry_.find(key);
        if (node == nullptr) continue;
        reader_.error(node->key_source,
                      fmt::format("{}: {} does not go with a couple given by components.", what_, key),
                      "Give its size about an axis instead.");
        good = false;
      }
    } else if (reader_.inSpace()) {
      good = readAxisOfCouple() && good;
    }
    return good && moment && second;
  }

 private:
  std::string of(std::string_view key) const { return fmt::format("{} of {}", key, what_); }

  // A rigid body feels a couple as a whole; of a flexible link it is the element at `at`, or at the point that is
  // named.
  std::optional<BodyIndex> coupled(const Node& on) {
    const Node* at = entry_.find("at");
    const bool on_link =
        on.kind == NodeKind::text && reader_.isLink(std::string_view(on.text).substr(0, on.text.find('.')));
    if (!on_link) {
      if (at != nullptr) {
        reader_.error(at->key_source,
                      fmt::format("{}: at is for flexible links: a rigid body feels a couple as a whole.", what_));
        return std::nullopt;
      }
      return reader_.bodyNamed(on, of("on"));
    }
    std::optional<End> end = reader_.end(on, of("on"));
    if (!end || end->broken) return std::nullopt;
    if (at != nullptr && end->link != nullptr) {
      const auto place = reader_.place(*at, of("at"));
      if (!place) return std::nullopt;
      reader_.put(*end, *place, *at, what_);
    }
    return reader_.isRigid(*end, on, what_) ? std::optional(end->body) : std::nullopt;
  }

  // Formulas of a force, or of a couple in space.
  bool readComponents(const Node& list, const Dimension& expected) {
    const std::size_t components = reader_.inSpace() ? 3 : 2;
    if (list.kind != NodeKind::array || list.children.size() != components) {
      reader_.wrongType(list, of(list.key), reader_.inSpace() ? "a list of three, [x, y, z]" : "a list of two, [x, y]");
      return false;
    }
    bool good = true;
    for (std::size_t i = 0; i < components; ++i) {
      const auto component = reader_.formula(list.children[i], expected,
                                             of(fmt::format("{} of {}", "xyz"[i], list.key)), Level::quantities);
      if (component) load_.force[i] = *component;
      good = good && component;
    }
    return good;
  }

  // `on` names the body (or its point), `at` the point; without a point the force acts at the centre of mass.
  bool readPointOfForce() {
    const Node* on = entry_.find("on");
    const Node* at = entry_.find("at");
    const bool at_names_body = at != nullptr && at->kind == NodeKind::text && at->text.find('.') != std::string::npos;
    std::optional<End> end;
    if (on != nullptr) {
      end = reader_.end(*on, of("on"));
      if (!end || end->broken) return false;
    } else if (!at_names_body) {
      reader_.error(entry_.key_source, fmt::format("{}: on is missing.", what_),
                    "Give on = \"slider\" or at = \"slider.tip\".");
      return false;
    }
    if (at_names_body) {
      const auto point = reader_.pointEnd(*at, of("at"));
      if (!point) return false;
      if (end && end->body != point->body) {
        reader_.error(at->source,
                      fmt::format("{}: at is a point of \"{}\", but on is \"{}\".", what_,
                                  reader_.mechanism.bodyName(point->body), reader_.mechanism.bodyName(end->body)));
        return false;
      }
      end = point;
    } else if (at != nullptr) {
      const auto place = reader_.place(*at, of("at"));
      if (!place) return false;
      reader_.put(*end, *place, *at, what_);
    } else if (end->link != nullptr) {
      if (!reader_.isRigid(*end, *on, what_)) return false;
    }
    load_.second = end->body;
    if (!end->body.valid()) return true;  // reported by validate: a force on the ground does nothing
    load_.on_second.point = end->frame ? end->frame->frame.point : reader_.mechanism.body(end->body).com;
    return true;
  }

  bool readMoment(const Node& couple) {
    const auto moment = reader_.formula(couple, dimension::kTorque, of("couple"), Level::quantities);
    if (moment) load_.moment = *moment;
    return moment.has_value();
  }

  // A direction of the drawing that is then fixed to the body `on`.
  bool readAxisOfCouple() {
    const Node* node = reader_.required(entry_, "axis", what_, "Give axis = [0, 0, 1], in the drawn pose.");
    if (node == nullptr) return false;
    const auto axis = reader_.direction(*node, of("axis"));
    if (axis) load_.on_second.rotation = reader_.turnOnBody(load_.second, frameWithZ(*axis));
    return axis.has_value();
  }

  Reader& reader_;
  const Node& entry_;
  const std::string& what_;
  Load& load_;
};

}  // namespace

bool readForce(Reader& reader, const Node& entry, const std::string& what, Load& load) {
  return GivenLoadReader(reader, entry, what, load).force(*entry.find("force"));
}

bool readCouple(Reader& reader, const Node& entry, const std::string& what, Load& load) {
  return GivenLoadReader(reader, entry, what, load).couple(*entry.find("couple"));
}

}  // namespace linkwork::model_file
