#include <fmt/format.h>

#include "linkwork/read/model_file/flexible_chain.hpp"
#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

namespace {

const DrawnPose kGroundPose{};

// A frame in axes of a flexible link, on the element that holds it.
End onElement(Reader& reader, const KnownBody& body, const KnownFrame& frame, const Node& node,
              const std::string& what) {
  const Holder holder = holderOf(*body.link, frame.frame.point);
  End out;
  out.body = body.link->elements[holder.element];
  out.frame = frame;
  for (std::size_t c = 0; c < 3; ++c)
    out.frame->frame.point[c] = minus(frame.frame.point[c], body.link->origins[holder.element][c]);
  if (holder.at_spring)
    reader.diagnostics.note(node.source,
                            fmt::format("{}: the place is where two elements meet; it is held by \"{}\", which is "
                                        "nearer to the root.",
                                        what, reader.mechanism.bodyName(out.body)));
  return out;
}

}  // namespace

std::vector<std::string> Reader::bodyNames() const {
  std::vector<std::string> names{"ground"};
  if (!wantsSuggestions()) return names;
  for (const auto& [name, body] : bodies) names.push_back(name);
  return names;
}

const DrawnPose& Reader::drawnPose(BodyIndex body) const {
  if (!body.valid()) return kGroundPose;
  return bodies.find(mechanism.body(body).name)->second.drawn;
}

const KnownPoint* Reader::findPoint(const Node& node, std::size_t offset, std::string_view name,
                                    const std::string& what) {
  const auto found = points.find(name);
  if (found != points.end()) return &found->second;
  errorInside(node, offset, fmt::format("{}: point \"{}\" is not defined in [points].", what, name),
              suggest(name, wantsSuggestions() ? namesOf(points) : std::vector<std::string>{}));
  return nullptr;
}

std::optional<Place> Reader::place(const Node& node, const std::string& what) {
  if (node.kind == NodeKind::array) {
    const std::optional<Point> at = coordinates(node, dimension::kLength, what);
    if (!at) return std::nullopt;
    return Place{*at, {}};
  }
  if (node.kind != NodeKind::text) {
    wrongType(node, what, inSpace() ? "the name of a point or [x, y, z]" : "the name of a point or [x, y]");
    return std::nullopt;
  }
  const KnownPoint* point = findPoint(node, 0, node.text, what);
  if (point == nullptr || point->broken) return std::nullopt;
  return Place{point->at, node.text};
}

std::optional<End> Reader::end(const Node& node, const std::string& what) {
  if (node.kind != NodeKind::text) {
    wrongType(node, what, "the name of a body such as \"crank\" or of its point such as \"crank.tip\"");
    return std::nullopt;
  }
  const std::string_view text = node.text;
  const std::size_t dot = text.find('.');
  const std::string_view body_name = text.substr(0, dot);
  End result;
  const KnownBody* body = nullptr;
  if (!isGroundName(body_name)) {
    const auto found = bodies.find(body_name);
    if (found == bodies.end()) {
      errorInside(node, 0, fmt::format("{}: body \"{}\" is not defined.", what, body_name),
                  suggest(body_name, bodyNames()));
      return std::nullopt;
    }
    body = &found->second;
    result.body = body->index;
    result.broken = body->broken;
    if (body->link && !body->broken) result.link = body;
  }
  if (dot == std::string_view::npos) return result;

  const std::string_view point_name = text.substr(dot + 1);
  if (body != nullptr) {
    const auto frame = body->frames.find(point_name);
    if (frame != body->frames.end()) {
      if (result.link != nullptr) return onElement(*this, *body, frame->second, node, what);
      result.frame = frame->second;
      return result;
    }
    if (body->broken) return result;
    if (points.find(point_name) == points.end()) {
      std::vector<std::string> names = namesOf(body->frames);
      if (wantsSuggestions()) {
        for (const auto& [known, point] : points) names.push_back(known);
      }
      errorInside(node, dot + 1, fmt::format("{}: body \"{}\" has no point \"{}\".", what, body_name, point_name),
                  suggest(point_name, names));
      return std::nullopt;
    }
  }
  const KnownPoint* point = findPoint(node, dot + 1, point_name, what);
  if (point == nullptr) return std::nullopt;
  result.broken = result.broken || point->broken;
  if (result.link != nullptr && !result.broken) {
    put(result, {point->at, std::string(point_name)}, node, what);
    return result;
  }
  result.frame = KnownFrame{frameAt(result.body, {point->at, std::string(point_name)}), false};
  return result;
}

std::optional<End> Reader::pointEnd(const Node& node, const std::string& what) {
  std::optional<End> result = end(node, what);
  if (!result || result->broken) return std::nullopt;
  if (!result->frame) {
    error(node.source, fmt::format("{}: which point of \"{}\"?", what, node.text),
          fmt::format("Write \"{}.P\" with one of its points.", node.text));
    return std::nullopt;
  }
  return result;
}

std::optional<std::pair<End, End>> Reader::twoPointEnds(const Node& node, const std::string& what) {
  if (node.kind != NodeKind::array || node.children.size() != 2) {
    wrongType(node, what, "two points such as [\"ground.P\", \"crank.tip\"]");
    return std::nullopt;
  }
  const std::optional<End> first = pointEnd(node.children[0], what);
  const std::optional<End> second = pointEnd(node.children[1], what);
  if (!first || !second) return std::nullopt;
  return std::pair(*first, *second);
}

std::optional<BodyIndex> Reader::bodyNamed(const Node& node, const std::string& what) {
  const std::optional<End> found = end(node, what);
  if (!found || !isRigid(*found, node, what)) return std::nullopt;
  if (node.text.find('.') != std::string::npos) {
    error(node.source, fmt::format("{}: expected the name of a body, got the point \"{}\".", what, node.text));
    return std::nullopt;
  }
  return found->body;
}

Frame Reader::frameAt(BodyIndex body, const Place& at) const {
  if (!body.valid()) return {at.at, Value(0.0)};
  const KnownBody& known = bodies.find(mechanism.body(body).name)->second;
  if (!at.name.empty()) {
    const auto own = known.frames.find(at.name);
    if (own != known.frames.end()) return {own->second.frame.point, Value(0.0)};
  }
  return {toBody(known.drawn, at.at), Value(0.0)};
}

void Reader::put(End& end, const Place& place, const Node& node, const std::string& what) {
  if (end.link == nullptr) {
    end.frame = KnownFrame{frameAt(end.body, place), false};
    return;
  }
  const auto own = end.link->frames.find(place.name);
  const bool named = !place.name.empty() && own != end.link->frames.end();
  const Point at = named ? own->second.frame.point : toBody(end.link->drawn, place.at);
  end = onElement(*this, *end.link, {{at, Value(0.0)}, false}, node, what);
}

bool Reader::isRigid(const End& end, const Node& node, const std::string& what) {
  if (end.link == nullptr) return true;
  error(node.source, fmt::format("{}: \"{}\" is flexible: which point of it?", what, node.text),
        fmt::format("Write \"{}.P\" with one of its points, or name an element: \"{}\".", node.text,
                    mechanism.bodyName(end.body)));
  return false;
}

Value Reader::drawnDistance(const End& a, const End& b) const {
  const Point from = toGround(drawnPose(a.body), a.frame->frame.point);
  const Point to = toGround(drawnPose(b.body), b.frame->frame.point);
  if (inSpace()) return lengthOf(minus(to[0], from[0]), minus(to[1], from[1]), minus(to[2], from[2]));
  return lengthOf(minus(to[0], from[0]), minus(to[1], from[1]));
}

Quaternion Reader::drawnTurn(BodyIndex body, const Frame& frame) const {
  return product(drawnPose(body).rotation, frame.rotation);
}

Quaternion Reader::turnOnBody(BodyIndex body, const Quaternion& in_ground) const {
  return normalised(product(conjugate(drawnPose(body).rotation), in_ground));
}

}  // namespace linkwork::model_file
