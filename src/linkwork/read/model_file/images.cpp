// [images]: bodies that are split where a formulation opens loops by splitting bodies.
#include <fmt/format.h>

#include <algorithm>

#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

namespace {

class ImageReader {
 public:
  ImageReader(Reader& reader, const Node& entry)
      : reader_(reader), entry_(entry), what_(fmt::format("image of \"{}\"", entry.key)) {}

  void read() {
    const auto found = reader_.bodies.find(entry_.key);
    if (found == reader_.bodies.end()) {
      reader_.error(entry_.key_source, fmt::format("[images]: there is no body \"{}\".", entry_.key),
                    reader_.suggest(entry_.key, reader_.bodyNames()));
      return;
    }
    if (found->second.broken) return;
    if (found->second.link) {
      reader_.error(entry_.key_source, fmt::format("{}: a flexible link is not split, but its elements may be.", what_),
                    fmt::format("The first is \"{}\".", reader_.mechanism.bodyName(found->second.index)));
      return;
    }
    body_ = found->second.index;
    split_.body = body_;
    if (entry_.kind == NodeKind::table) {
      readImage(entry_, 1);
    } else if (entry_.kind == NodeKind::array && !entry_.children.empty()) {
      for (const Node& image : entry_.children) readImage(image, entry_.children.size());
    } else {
      reader_.wrongType(entry_, what_, "a table such as { joints = [\"B\"] }, or a list of tables");
      good_ = false;
    }
    if (good_ && checkShares()) reader_.mechanism.splits.push_back(split_);
  }

 private:
  void readImage(const Node& node, std::size_t images) {
    if (!reader_.checkTable(node, what_, "a table such as { joints = [\"B\"] }") ||
        !reader_.checkKeys(node, what_, {"joints", "inertia", "forces"})) {
      good_ = false;
      return;
    }
    BodyImage image;
    image.inertia = 1.0 / static_cast<double>(images + 1);  // as much as the body keeps
    if (const Node* inertia = node.find("inertia")) {
      const auto share = reader_.positive(*inertia, dimension::kNumber, fmt::format("inertia of {}", what_));
      good_ = good_ && share;
      if (share) image.inertia = share->number;
    }
    if (const Node* forces = node.find("forces")) {
      const auto share = reader_.notNegative(*forces, dimension::kNumber, fmt::format("forces of {}", what_));
      good_ = good_ && share;
      if (share) image.forces = share->number;
    }
    const Node* joints =
        reader_.required(node, "joints", what_, "Name the joints that hold this image instead of the body.");
    if (joints == nullptr) {
      good_ = false;
      return;
    }
    if (joints->kind != NodeKind::array || joints->children.empty()) {
      reader_.wrongType(*joints, fmt::format("joints of {}", what_), "a list of names of joints");
      good_ = false;
      return;
    }
    for (const Node& joint : joints->children) good_ = addJoint(joint, image) && good_;
    split_.images.push_back(std::move(image));
  }

  bool addJoint(const Node& node, BodyImage& image) {
    const auto name = reader_.word(node, fmt::format("joints of {}", what_));
    if (!name) return false;
    const auto known = reader_.joints.find(*name);
    if (known == reader_.joints.end()) {
      reader_.error(node.source, fmt::format("{}: there is no joint \"{}\".", what_, *name),
                    reader_.suggest(*name, namesOf(reader_.joints)));
      return false;
    }
    if (known->second.broken) return false;
    const JointIndex index = known->second.index;
    const Joint& joint = reader_.mechanism.joints[index.at()];
    if (isRelation(joint.kind) || (joint.first != body_ && joint.second != body_)) {
      reader_.error(node.source, fmt::format("{}: joint \"{}\" does not hold this body.", what_, *name),
                    jointsOfBody());
      return false;
    }
    if (std::find(used_.begin(), used_.end(), index) != used_.end()) {
      reader_.error(node.source, fmt::format("{}: joint \"{}\" is named twice.", what_, *name),
                    "A joint can hold one image only.");
      return false;
    }
    used_.push_back(index);
    image.joints.push_back(index);
    return true;
  }

  std::string jointsOfBody() const {
    std::string out;
    for (const Joint& joint : reader_.mechanism.joints) {
      if (isRelation(joint.kind) || (joint.first != body_ && joint.second != body_)) continue;
      out += fmt::format("{}\"{}\"", out.empty() ? "Those that do: " : ", ", joint.name);
    }
    return out.empty() ? "No joint does." : out + ".";
  }

  bool checkShares() {
    double inertia = 0.0;
    double forces = 0.0;
    for (const BodyImage& image : split_.images) {
      inertia += image.inertia;
      forces += image.forces;
    }
    if (inertia >= 1.0) {
      reader_.error(
          entry_.key_source,
          fmt::format("{}: shares of the inertia add up to {:g}, and leave nothing to the body.", what_, inertia),
          "Give shares whose sum is below 1.");
      return false;
    }
    if (forces > 1.0) {
      reader_.error(entry_.key_source, fmt::format("{}: shares of the forces add up to {:g}.", what_, forces),
                    "Give shares whose sum is at most 1.");
      return false;
    }
    return true;
  }

  Reader& reader_;
  const Node& entry_;
  std::string what_;
  BodyIndex body_;
  SplitBody split_;
  std::vector<JointIndex> used_;
  bool good_ = true;
};

}  // namespace

void readImages(Reader& reader, const Node& section) {
  for (const Node& entry : section.children) ImageReader(reader, entry).read();
}

}  // namespace linkwork::model_file
