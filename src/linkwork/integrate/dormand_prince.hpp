// The coefficients of Dormand and Prince's pairs of order 5(4) and 8(5,3), with their dense outputs.
//
// J. R. Dormand, P. J. Prince: A family of embedded Runge-Kutta formulae, J. Comp. Appl. Math. 6 (1980) 19-26;
// P. J. Prince, J. R. Dormand: High order embedded Runge-Kutta formulae, J. Comp. Appl. Math. 7 (1981) 67-75; error
// estimates of the second and both dense outputs as in Hairer, Norsett & Wanner, Solving ODEs I, sections II.5, II.6.
#pragma once

#include "linkwork/integrate/embedded_pair.hpp"

namespace linkwork {

// Seven stages, the last at x_new; error e = b - b^ with b^ of order 4; quartic dense output.
const Tableau& dormandPrince54();

// Twelve stages, the slope at x_new, and three more for a dense output of degree 7; error estimates of order 5 and 3.
const Tableau& dormandPrince853();

}  // namespace linkwork
