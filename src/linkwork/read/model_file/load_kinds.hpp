// Kinds of loads with readers of their own: actuators and bushings. Each fills everything of a load but its name and
// place.
#pragma once

#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

// `entry` has the key actuator or bushing; false after a message.
bool readActuator(Reader& reader, const Node& entry, const std::string& what, Load& load);
bool readBushing(Reader& reader, const Node& entry, const std::string& what, Load& load);

}  // namespace linkwork::model_file
