// The two bodies of a rolling joint: how the second is round, and what the first is that it rolls on.
#pragma once

#include "linkwork/read/model_file/touch_reader.hpp"

namespace linkwork::model_file {

class ShapeReader : protected TouchReader {
 protected:
  using TouchReader::TouchReader;

  // Its roundness is written in the joint, or is that of its shape.
  bool readSecond();
  bool readPlane();  // `normal`
  // Both bodies are round: `first = { centre, radius, axis }` where the first has no such shape.
  bool readRound();

  Rolling& rolling() { return joint_.rolling; }

 private:
  const KnownBody* knownOf(BodyIndex body) const;
  bool readCentre();
  bool readAxle();
  bool readTyre();
  bool readEllipsoid();
  bool readFirstShape(const Node& node, bool& with_axis);
};

}  // namespace linkwork::model_file
