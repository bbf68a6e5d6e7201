// Pages of steady and locus of a file of equations: what there is to read and its modes, without a drawing.
#pragma once

#include <string>
#include <vector>

#include "equations_family.hpp"
#include "linkwork/report/steady_page.hpp"

namespace linkwork::app {

// The page of one motion, of the file as it is; of motions over a parameter; of a locus; of a map. An exit code.
int writeEquationsMotionPage(EquationsFile& file, EquationsFollower& follower, const EquationsSteadyAsked& asked);
int writeEquationsTablePage(EquationsFile& file, EquationsFollower& follower, const EquationsSteadyAsked& asked,
                            const LocusAxis& over);
int writeEquationsLocusPage(EquationsFile& file, EquationsFollower& follower, const EquationsSteadyAsked& asked,
                            const LocusAxis& over, const Locus& locus, const LocusNames& names);
int writeEquationsMapPage(EquationsFile& file, const EquationsSteadyAsked& asked, const LocusAxis& first,
                          StabilityMap map);

}  // namespace linkwork::app
