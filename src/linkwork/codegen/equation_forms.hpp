// Equations of motion of a mechanism as a program: which form, for which task, with which letters.
//
//   form                      coordinates                            fits
//   rud, statement1 .. 3      absolute angles of the links           planar linkages of hinges
//   statement4 .. 6           relative angles                        the same
//   sweep                     absolute angles, two sweeps            the same
//   elimination               absolute angles, in linear time        the same without loops and drives
//   recursive                 joint coordinates of a spanning tree   everything but curves and branches without mass
//   hamiltonian               the same, and impulses                 the same: velocities and rates of impulses
//   quasivelocity             the same, and independent velocities   everything but curves
//   absolute                  place of every body                    everything but curves
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "linkwork/codegen/equation_program.hpp"
#include "linkwork/formulation/hamiltonian/split_bodies.hpp"
#include "linkwork/formulation/make_system.hpp"
#include "linkwork/model/mechanism.hpp"

namespace linkwork {

enum class WrittenForm {
  rud,
  statement1,
  statement2,
  statement3,
  statement4,
  statement5,
  statement6,
  sweep,
  elimination,
  recursive,
  hamiltonian,
  quasivelocity,
  absolute,
};

enum class EquationTask { forward, inverse, mass_matrix, linear, reactions };

// Cosines and sines of differences of angles, as people write them, or of each angle once; the right-hand side from the
// coefficients or by sweeps. Only the forms of linkages have the choice.
enum class EquationStyle { pairwise, vectors, vectors_and_sweep };

// What links of hinges are described by: one letter for each of their numbers, or the parameters of the model file. The
// other forms have the parameters in any case.
enum class LinkLetters { links, model };

enum class Torques { given, none };  // whether there are torques in the joints beside the loads of the model

// Of quasivelocity: 1 for each velocity of the tree's joints that is independent, and for each row of the cuts that is
// left out because it depends on others.
struct VelocityChoice {
  std::vector<std::uint8_t> independent, left_out;
  std::string problem{};  // of velocities that the model names
};
// What the formulation chooses for a run with these options.
VelocityChoice velocityChoice(const Mechanism& mechanism, const SystemOptions& options);
VelocityChoice velocityChoice(const Mechanism& mechanism);  // at the assembled start

// A state of quasivelocity, whose values take the place of its letters: numbers, or formulas of parameters. The rates
// of the quasi-velocities are zero there.
struct StateInLetters {
  double t = 0.0;
  std::vector<Expr> q, om;
};

struct EquationRequest {
  WrittenForm form = WrittenForm::rud;
  EquationTask task = EquationTask::forward;
  EquationStyle style = EquationStyle::pairwise;
  Torques torques = Torques::given;
  LinkLetters letters = LinkLetters::links;
  LoopOpening opening = LoopOpening::cut_joints;  // of hamiltonian
  std::optional<VelocityChoice> velocities;       // of quasivelocity; nothing: that of the assembled start
  std::optional<StateInLetters> about;            // linear of quasivelocity: at this state alone
  bool whole_state = false;          // forward: also how all else changes that is integrated, see StateOutputs
  bool all_symbols = true;           // every parameter keeps its letter
  std::vector<std::string> symbols;  // otherwise these: "m", "J", "mo_2", "a"
};

// What stands beside the accelerations where the whole state is asked for: the power of loads and drives, and rates of
// the coordinates where they are not the velocities themselves, and of the references of counted angles, which are
// then an input in the place of whole turns. With impulses: the rate of work*, HamiltonianSystem
// (6).
struct StateOutputs {
  static constexpr const char* kPower = "power";
  static constexpr const char* kRates = "qd";
  static constexpr const char* kTurnRates = "turning";  // of the references of counted angles
  static constexpr const char* kReferences = "turn";    // the input with these references
};

struct WrittenEquations {
  std::optional<EquationProgram> program;
  std::string problem;                       // what is in the way, and what fits; empty if there is a program
  std::optional<VelocityChoice> velocities;  // of quasivelocity, where the request chose them
};

WrittenEquations writeEquations(const Mechanism& mechanism, const EquationRequest& request);

// Why this form cannot be written for this mechanism and task; empty if it can.
std::string whyNotForm(const Mechanism& mechanism, WrittenForm form, EquationTask task);

// The form to take where none is asked for: the recurrent equations where they fit, else joint coordinates, else
// absolute ones; and why, as a sentence. Where nothing fits, joint coordinates, whose obstacle is then told.
struct UsualForm {
  WrittenForm form = WrittenForm::rud;
  std::string why;
};
UsualForm usualForm(const Mechanism& mechanism, EquationTask task);

// The words of the command line; nullopt for others.
std::optional<WrittenForm> writtenFormNamed(std::string_view word);
std::optional<EquationTask> equationTaskNamed(std::string_view word);
std::string_view wordFor(WrittenForm form);
std::string_view wordFor(EquationTask task);
const std::vector<WrittenForm>& allWrittenForms();

}  // namespace linkwork
