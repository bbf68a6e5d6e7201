#include "linkwork/formulation/massless_words.hpp"

#include <fmt/format.h>

#include "linkwork/base/index.hpp"

namespace linkwork {

namespace {

// Beyond this a lighter body may be lost in the round-off of a heavier one that shares its equations.
constexpr double kFarApart = 1e12;

}  // namespace

MasslessWords masslessWords(const Mechanism& mechanism, int body, const std::string& direction) {
  const Body& own = mechanism.bodies[at(body)];
  const Body* heaviest = nullptr;
  const Body* lightest = nullptr;
  for (const Body& other : mechanism.bodies) {
    if (heaviest == nullptr || other.mass.number > heaviest->mass.number) heaviest = &other;
    if (other.mass.number > 0.0 && (lightest == nullptr || other.mass.number < lightest->mass.number))
      lightest = &other;
  }
  const std::string how = direction.empty() ? "" : fmt::format(" ({})", direction);
  if (own.mass.number > 0.0 && lightest != nullptr && heaviest->mass.number > kFarApart * lightest->mass.number)
    return {
        fmt::format("the masses of body \"{}\" and body \"{}\" differ by a factor of {:.2g}, and in a direction that "
                    "the joints of body \"{}\" leave free{} that is more than can be counted with",
                    heaviest->name, lightest->name, heaviest->mass.number / lightest->mass.number, own.name, how),
        "bring the masses nearer together, or leave out what is too light to matter"};
  return {fmt::format("body \"{}\" has no inertia in a direction that its joints leave free{}", own.name, how),
          "give it a mass and an inertia, or hold it by joints"};
}

}  // namespace linkwork
