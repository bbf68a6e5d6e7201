// What joints of bodies that touch have in common: two bodies, a place, directions as drawn.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>

#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

class TouchReader {
 public:
  TouchReader(Reader& reader, const Node& entry, const Node& word)
      : reader_(reader), entry_(entry), word_(word), what_(fmt::format("joint \"{}\"", entry.key)) {
    joint_.name = entry.key;
    joint_.source = entry.key_source;
  }

 protected:
  std::string of(std::string_view key) const { return fmt::format("{} of {}", key, what_); }
  bool has(std::string_view key) const { return entry_.find(key) != nullptr; }

  // The bodies, and the frames of those ends that name a point.
  bool readEnds(const char* example) {
    if (word_.kind != NodeKind::array || word_.children.size() != 2) {
      reader_.wrongType(word_, of(word_.key), example);
      return false;
    }
    first_ = reader_.end(word_.children[0], what_);
    second_ = reader_.end(word_.children[1], what_);
    if (!first_ || !second_ || first_->broken || second_->broken) return false;
    for (const auto& [end, k] : {std::pair(&*first_, 0U), std::pair(&*second_, 1U)}) {
      if (!reader_.isRigid(*end, word_.children[k], what_)) return false;
    }
    joint_.first = first_->body;
    joint_.second = second_->body;
    return true;
  }

  // Where the joint is: `at`, or the point that is named like it.
  std::optional<Place> readPlace() {
    if (const Node* at = entry_.find("at")) return reader_.place(*at, of("at"));
    const auto point = reader_.points.find(entry_.key);
    if (point != reader_.points.end())
      return point->second.broken ? std::nullopt : std::optional(Place{point->second.at, entry_.key});
    reader_.error(entry_.key_source, fmt::format("{}: where is it?", what_),
                  fmt::format("Give at = \"P\" or at = [x, y{}], or add a point \"{}\" to [points].",
                              reader_.inSpace() ? ", z" : "", entry_.key));
    return std::nullopt;
  }

  // The angle against the body's x axis of a direction that the drawing shows.
  Value angleOnBody(BodyIndex body, const Value& in_ground) const {
    const Value own = reader_.drawnPose(body).angle;
    return withoutRounding(minus(in_ground, own), std::abs(in_ground.number) + std::abs(own.number));
  }

  // A direction [x, y] in a file of the plane, turned by the quarter turns to the right.
  std::optional<Value> planarDirection(const Node& node, int right_turns) {
    const auto vector = reader_.pair(node, dimension::kNumber, of(node.key));
    if (!vector) return std::nullopt;
    if ((*vector)[0].number == 0 && (*vector)[1].number == 0) {
      reader_.error(node.source, fmt::format("{}: [0, 0] has no direction.", of(node.key)));
      return std::nullopt;
    }
    if (right_turns == 0) return direction((*vector)[0], (*vector)[1]);
    return direction((*vector)[1], minus(Value(0.0), (*vector)[0]));
  }

  Reader& reader_;
  const Node& entry_;
  const Node& word_;
  std::string what_;
  Joint joint_;
  std::optional<End> first_, second_;
};

}  // namespace linkwork::model_file
