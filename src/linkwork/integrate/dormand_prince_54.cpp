#include "linkwork/integrate/dormand_prince.hpp"

namespace linkwork {
namespace {

constexpr double kC[] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
constexpr double kA2[] = {1. / 5};
constexpr double kA3[] = {3. / 40, 9. / 40};
constexpr double kA4[] = {44. / 45, -56. / 15, 32. / 9};
constexpr double kA5[] = {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729};
constexpr double kA6[] = {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656};
constexpr double kB[] = {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84};
constexpr double kE[] = {71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40};
constexpr double kD[] = {-12715105075. / 11282082432,  0,
                         87487479700. / 32700410799,   -10690763975. / 1880347072,
                         701980252875. / 199316789632, -1453857185. / 822651844,
                         69997945. / 29380423};

constexpr std::span<const double> kA[] = {{}, kA2, kA3, kA4, kA5, kA6, kB};
constexpr std::span<const double> kErrors[] = {kE};
constexpr std::span<const double> kDense[] = {kD};
constexpr Tableau kTableau{5, kC, kA, 7, Tableau::EndSlopeTaken::before_correction, kErrors, kDense};

}  // namespace

const Tableau& dormandPrince54() { return kTableau; }

}  // namespace linkwork
