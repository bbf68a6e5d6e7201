#include <fmt/format.h>

#include <tuple>

#include "linkwork/read/model_file/load_kinds.hpp"

namespace linkwork::model_file {

namespace {

class BushingReader {
 public:
  BushingReader(Reader& reader, const Node& entry, const std::string& what, Load& load)
      : reader_(reader), entry_(entry), what_(what), load_(load), size_(reader.inSpace() ? 6 : 3) {}

  bool read() {
    load_.kind = LoadKind::bushing;
    const char* turn_key = reader_.inSpace() ? "rotation" : "angle";
    bool good = reader_.checkKeys(entry_, what_, {"bushing", "stiffness", "damping", "preload", "at", turn_key});
    good = readEnds(turn_key) && good;
    const Node* stiffness = reader_.required(entry_, "stiffness", what_, example());
    good = stiffness != nullptr && readMatrix(*stiffness, dimension::kForce, load_.bushing_stiffness) && good;
    if (const Node* damping = entry_.find("damping"))
      good = readMatrix(*damping, dimension::kForce * dimension::kTime, load_.bushing_damping) && good;
    if (const Node* preload = entry_.find("preload")) good = readPreload(*preload) && good;
    return good;
  }

 private:
  std::string of(std::string_view key) const { return fmt::format("{} of {}", key, what_); }
  std::string example() const {
    return size_ == 6 ? "Give stiffness = [kx, ky, kz, rx, ry, rz], or six rows of six."
                      : "Give stiffness = [kx, ky, kr], or three rows of three.";
  }

  // --- where ---------------------------------------------------------------------------------------------------------

  bool readEnds(const char* turn_key) {
    const Node& node = *entry_.find("bushing");
    if (node.kind != NodeKind::array || node.children.size() != 2) {
      reader_.wrongType(node, what_, "two bodies or frames such as [\"ground\", \"engine\"]");
      return false;
    }
    auto first = reader_.end(node.children[0], what_);
    auto second = reader_.end(node.children[1], what_);
    std::optional<Place> at;
    if (const Node* place = entry_.find("at")) {
      at = reader_.place(*place, of("at"));
      if (!at) return false;
    }
    if (!first || !second || first->broken || second->broken || !readAxes(turn_key)) return false;
    if (!at && !first->frame && !second->frame) {
      reader_.error(entry_.key_source, fmt::format("{}: where is it?", what_),
                    "Give at = \"P\", or a point or frame at an end.");
      return false;
    }
    // Where an end names no place: at `at`, or where the other end is drawn.
    for (const auto& [end, other, own] : {std::tuple(&*first, &*second, 0U), std::tuple(&*second, &*first, 1U)}) {
      if (end->frame) continue;
      const Place place = at ? *at : Place{toGround(reader_.drawnPose(other->body), other->frame->frame.point), {}};
      reader_.put(*end, place, node.children[own], what_);
    }
    load_.first = first->body;
    load_.second = second->body;
    load_.on_first = frameOf(*first);
    load_.on_second = frameOf(*second);
    return true;
  }

  // The axes in the drawing, where no frame gives them: those of the ground, or turned as the file says.
  bool readAxes(const char* turn_key) {
    const Node* node = entry_.find(turn_key);
    if (node == nullptr) return true;
    if (reader_.inSpace()) {
      const auto rotation = reader_.rotation(*node, of(turn_key));
      if (rotation) rotation_ = *rotation;
      return rotation.has_value();
    }
    const auto angle = reader_.constant(*node, dimension::kAngle, of(turn_key));
    if (angle) angle_ = *angle;
    return angle.has_value();
  }

  Frame frameOf(const End& end) const {
    Frame frame = end.frame->frame;
    if (end.frame->has_angle) return frame;
    if (reader_.inSpace()) {
      frame.rotation = reader_.turnOnBody(end.body, rotation_);
    } else {
      frame.angle = minus(angle_, reader_.drawnPose(end.body).angle);
    }
    return frame;
  }

  // --- how stiff -----------------------------------------------------------------------------------------------------

  // Of the six directions those that the plane has are x, y and the turn about z.
  std::size_t direction(std::size_t k) const { return size_ == 6 || k < 2 ? k : 5; }

  // A force is N; entries are forces per length or angle of their row and of their column.
  static Dimension dimensionAt(std::size_t r, std::size_t c, const Dimension& of_mixed) {
    const bool row_turns = r >= 3;
    const bool column_turns = c >= 3;
    if (row_turns && column_turns) return of_mixed * dimension::kLength / dimension::kAngle;
    return row_turns || column_turns ? of_mixed : of_mixed / dimension::kLength;
  }

  bool readMatrix(const Node& node, const Dimension& of_mixed, BushingMatrix& matrix) {
    const bool is_list = node.kind == NodeKind::array && node.children.size() == size_;
    const bool is_full = is_list && node.children.front().kind == NodeKind::array;
    if (!is_list) return wrongSize(node);
    bool good = true;
    for (std::size_t r = 0; r < size_; ++r) {
      const Node& row = node.children[r];
      if (is_full && (row.kind != NodeKind::array || row.children.size() != size_)) return wrongSize(row);
      for (std::size_t c = is_full ? 0 : r; c < (is_full ? size_ : r + 1); ++c) {
        const auto value = reader_.constant(is_full ? row.children[c] : row,
                                            dimensionAt(direction(r), direction(c), of_mixed), of(node.key));
        if (value) matrix[direction(r)][direction(c)] = *value;
        good = good && value;
      }
    }
    return good;
  }

  bool wrongSize(const Node& node) {
    reader_.wrongType(node, what_,
                      size_ == 6 ? "a list of six (a diagonal) or six rows of six"
                                 : "a list of three (a diagonal) or three rows of three");
    return false;
  }

  bool readPreload(const Node& node) {
    if (node.kind != NodeKind::array || node.children.size() != size_) {
      reader_.wrongType(node, of("preload"), size_ == 6 ? "a list of six" : "a list of three");
      return false;
    }
    bool good = true;
    for (std::size_t k = 0; k < size_; ++k) {
      const auto value =
          reader_.constant(node.children[k], direction(k) >= 3 ? dimension::kTorque : dimension::kForce, of("preload"));
      if (value) load_.bushing_preload[direction(k)] = *value;
      good = good && value;
    }
    return good;
  }

  Reader& reader_;
  const Node& entry_;
  const std::string& what_;
  Load& load_;
  std::size_t size_;
  Value angle_;
  Quaternion rotation_ = kNoTurn;
};

}  // namespace

bool readBushing(Reader& reader, const Node& entry, const std::string& what, Load& load) {
  return BushingReader(reader, entry, what, load).read();
}

}  // namespace linkwork::model_file
