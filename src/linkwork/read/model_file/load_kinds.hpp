// The kinds of loads in a model file: their words, and who reads them.
#pragma once

#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

// Each fills everything of a load but its name and place from an entry that has its word as a key; false after a
// message.
bool readForce(Reader& reader, const Node& entry, const std::string& what, Load& load);
bool readCouple(Reader& reader, const Node& entry, const std::string& what, Load& load);
bool readElastic(Reader& reader, const Node& entry, const std::string& what, Load& load);
bool readActuator(Reader& reader, const Node& entry, const std::string& what, Load& load);
bool readBushing(Reader& reader, const Node& entry, const std::string& what, Load& load);

struct LoadWord {
  const char* word;
  bool (*read)(Reader& reader, const Node& entry, const std::string& what, Load& load);
};

inline constexpr LoadWord kLoadWords[] = {
    {"force", readForce},
    {"couple", readCouple},
    {"spring", readElastic},
    {"damper", readElastic},
    {"spring_damper", readElastic},
    {"rotational_spring", readElastic},
    {"rotational_damper", readElastic},
    {"rotational_spring_damper", readElastic},
    {"actuator", readActuator},
    {"bushing", readBushing},
};

}  // namespace linkwork::model_file
