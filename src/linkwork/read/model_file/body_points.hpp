// Points and frames of a body: those its shape has, and those its entry lists.
#pragma once

#include <string>
#include <string_view>

#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

class BodyPoints {
 public:
  // `what` names the body in messages.
  BodyPoints(Reader& reader, const Node& entry, std::string what, Body& body, KnownBody& known);

  // A point without a name is none.
  void add(const std::string& name, const Point& at);

  // The keys `points` and `frames` of the entry.
  bool read();

 private:
  bool checkNew(const Node& entry, std::string_view kind);
  bool readPoints();
  bool readFrames();
  bool readFrameInSpace(const Node& entry, const std::string& what);
  std::string of(std::string_view key) const;

  Reader& reader_;
  const Node& entry_;
  std::string what_;
  Body& body_;
  KnownBody& known_;
};

}  // namespace linkwork::model_file
