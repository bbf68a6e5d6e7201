// All forms of the equations of a planar hinged linkage, as kernels over one scalar: numbers, derivatives, or text.
//
// Every form of rows says, for k = 1..N (paper = Telegin and Kaygorodtsev 2010, by its numbers; where its print is
// wrong the corrected form stands here, see docs/theory/08):
//
//   (1)  sum_i acceleration_ki x_i + sum_i velocity_ki s_i - gravity_k - load_k = drive_k
//
//   form        x    s    acceleration  velocity  gravity  load  drive   paper
//   rud         al'' w^2  H             h         G        MA    S M     (20) to (24)
//   statement1  al'' w^2  [A|B]         [a|b]     Go       MR    M       (1) to (3), by vectors
//   statement2  al'' w^2  [A|B]         [a|b]     Go       MR    M       (6) to (8), by sums
//   statement3  al'' w^2  [A|B]         [a|b]     Go       MR    M       (10) to (12), by recursion
//   statement4  q''  u    Hr            hr        Go       MR    M       (14), (15), by vectors
//   statement5  q''  u    Hr            hr        Go       MR    M       (16), by sums
//   statement6  q''  u    Hr            hr        Go       MR    M       (17), (18), by recursion
//
// Beside them two that need no matrix and a time that grows as N: sweep() (accelerations given: torques and the forces
// in all hinges) and eliminate() (torques given: accelerations and forces). Cut hinges: closure().
//
// Constants come from augment(); `let` names what a reader wants to see by name (scalar/naming.hpp). Whatever an input
// leaves out is zero by structure: no operation is spent on it. Angles: al_k of the frame of link k against the ground;
// relative q_k = al_k - al_p(k).
#pragma once

#include <span>
#include <vector>

#include "linkwork/formulation/linkage/linkage_constants.hpp"

namespace linkwork::linkage {

enum class Form { rud, statement1, statement2, statement3, statement4, statement5, statement6 };
// How the products Jc and Js are made: by the cosine and sine of every difference of angles, as they are printed, or by
// products of vectors turned to ground axes once. statement1 and statement4 are made of vectors in any case.
enum class Trig { pairwise, vectors };
// How the right-hand side is made: from the coefficients, as printed, or by sweep() without accelerations.
enum class Bias { coefficients, sweep };

constexpr bool isRelative(Form form) { return form >= Form::statement4; }

template <class T>
struct SquareTable {
  int n = 0;
  std::vector<T> values;
  void resize(int size) {
    n = size;
    values.assign(at(size) * at(size), T{});
  }
  T& operator()(int k, int i) { return values[at(k) * at(n) + at(i)]; }
  const T& operator()(int k, int i) const { return values[at(k) * at(n) + at(i)]; }
};

// Each span has one entry per link, or none where there is nothing of the kind.
template <class T>
struct LinkageInputs {
  std::span<const T> angle;        // al_k; forms in relative angles, and only those: q_k
  std::span<const T> rate;         // their rates
  std::span<const T> drive;        // M_k: torque of the base on link k
  std::span<const Vec2<T>> force;  // F_rk: resultant of the loads on link k, ground axes; no gravity, no hinge forces
  std::span<const T> moment;       // ML_k: their moment about O_k
  std::span<const T> load;         // MA_k, where it is known already, instead of force and moment (not for sweep() and
                                   // eliminate())
};

// What the angles and rates alone give. Filled by place().
template <class T>
struct Placement {
  std::vector<T> al, w;             // absolute angles and rates: the inputs, or sums of the relative ones
  std::vector<T> w2;                // w^2
  std::vector<T> phi, psi;          // pairwise: polar angles of mu_k and of R_k against the ground
  std::vector<T> c, s;              // vectors: cos al, sin al
  std::vector<Vec2<T>> mu, R;       // in ground axes
  std::vector<Vec2<T>> on_a, on_b;  // of the cuts, in ground axes
};

// Scratch and results of equations(), closure() and what follows them. One per thread; sized once.
template <class T>
struct FormWork {
  explicit FormWork(const LinkageTree& tree);

  Placement<T> place;
  SquareTable<T> Jc, Js;  // (k, j): body k, hinge j on its chain, p(j) >= 0
  // The form, eq. (1).
  Form form = Form::rud;
  SquareTable<T> acceleration, velocity;
  std::vector<T> squares;               // w^2 or u
  std::vector<T> gravity, load, drive;  // empty entries are zeros by structure
  std::vector<T> rhs;                   // drive + gravity + load - velocity squares
  // Closure of the cuts: two rows (x, y) each, row-major, N columns.
  std::vector<T> f, phi, gamma;
  // Scratch.
  SquareTable<T> A, a, B, b;
  std::vector<Vec2<T>> sums, hinge_acceleration;
};

// Absolute angles and rates and everything that place lists; `trig` says which of its halves.
template <class T>
void place(Form form, Trig trig, const LinkageTree& tree, const LinkageConstants<T>& constants,
           const LinkageInputs<T>& inputs, FormWork<T>& work, const Naming<T>& let);

// Fills acceleration .. rhs of eq. (1). Calls place().
//   names: al_k, w_k, then pairwise phi_k, psi_k, J_kj, or by vectors c_k, s_k, mx_k, my_k (mu_k), rx_k, ry_k (R_k);
//   Jc_kj, Js_kj, G_k, Go_k, Sx_k, Sy_k (forces), MA_k, MR_k, A_ki, a_ki, B_ik, b_ik, H_ki, h_ki, u_k; with Bias::sweep
//   Ax_k, Ay_k, Qx_k, Qy_k, Mo_k; at the cuts chia_c, chib_c, ax_c, ay_c, bx_c, by_c
template <class T>
void equations(Form form, Trig trig, Bias bias, const LinkageTree& tree, const LinkageConstants<T>& constants,
               const LinkageInputs<T>& inputs, FormWork<T>& work, const Naming<T>& let);

// After equations() without drives: the torques M that make the links move with these accelerations (al'' or q'', as
// the form has them). Names: M_k.
template <class T>
void torques(const LinkageTree& tree, std::span<const T> acceleration, FormWork<T>& work, std::span<T> torque,
             const Naming<T>& let);

// After equations(), of a linkage without cuts: solves acceleration x = rhs by elimination from the leaves to the
// roots, which brings no fill-in and needs no pivoting. Destroys `acceleration` and `rhs`. Names: D_k, L_ki, y_k, x_k.
template <class T>
void solve(const LinkageTree& tree, FormWork<T>& work, std::span<T> x, const Naming<T>& let);

// After place() with either Trig: f, phi and gamma of all cuts,
//   (2)  f = 0,  phi w = 0,  phi a = gamma
// with columns of the relative angles where the form has them. Names: fx_c, fy_c, Phix_ci, Phiy_ci, gamx_c, gamy_c. A
// reaction F_c on link a of cut c (its opposite on b) adds phi_c^T F_c to the right-hand side of the equations of
// motion:
//   (3)  [acceleration, -phi^T; phi, 0] [x; F] = [rhs; gamma]
template <class T>
void closure(const LinkageTree& tree, const LinkageConstants<T>& constants, FormWork<T>& work, const Naming<T>& let);

template <class T>
struct SweepWork {
  explicit SweepWork(const LinkageTree& tree);
  Placement<T> place;
  std::vector<Vec2<T>> A;      // acceleration of O_k less gravity
  std::vector<Vec2<T>> Q;      // what link k and all it carries press on their hinge, but for m_k A_k
  std::vector<T> torque;       // M_k
  std::vector<Vec2<T>> hinge;  // N_k: force of the base on link k
};

enum class HingeForces { no, yes };

// Inverse dynamics in two sweeps, absolute angles. An empty `acceleration` is zero by structure.
//   names: c_k, s_k, mx_k, my_k, rx_k, ry_k, Ax_k, Ay_k, Qx_k, Qy_k, M_k, Nx_k, Ny_k
template <class T>
void sweep(const LinkageTree& tree, const LinkageConstants<T>& constants, const LinkageInputs<T>& inputs,
           std::span<const T> acceleration, HingeForces hinge_forces, SweepWork<T>& work, const Naming<T>& let);

template <class T>
struct EliminationWork {
  explicit EliminationWork(const LinkageTree& tree);
  Placement<T> place;
  struct Link {
    T J{};               // inertia about O_k of the link and what hangs on it
    Vec2<T> u{}, v{};    // k x first moment; u / J
    T xx{}, xy{}, yy{};  // the mass that the base feels in O_k
    Vec2<T> f{};         // the force that comes with it
    T n{};               // (M_k - n_k) / J_k
    Vec2<T> s{};         // w_p^2 R_k
    Vec2<T> A{};         // acceleration of O_k less gravity
  };
  std::vector<Link> link;
  std::vector<T> acceleration;  // al''
  std::vector<Vec2<T>> hinge;   // N_k
};

// Forward dynamics by elimination in ground axes, absolute angles, no cuts.
//   names: c_k, s_k, cx_k, cy_k (mo_k c_k), rx_k, ry_k, sx_k, sy_k (w_p^2 R_k), E_k (inertia), ux_k, uy_k, vx_k, vy_k,
//   n_k, Xxx_k, Xxy_k, Xyy_k, fx_k, fy_k, gx_k, gy_k, px_k, py_k, Ax_k, Ay_k, a_k, Nx_k, Ny_k
template <class T>
void eliminate(const LinkageTree& tree, const LinkageConstants<T>& constants, const LinkageInputs<T>& inputs,
               HingeForces hinge_forces, EliminationWork<T>& work, const Naming<T>& let);

}  // namespace linkwork::linkage
