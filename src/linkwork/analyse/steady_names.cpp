// Names for the matrices about a steady motion: which coordinates and speeds they are of.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "linkwork/analyse/steady_parts.hpp"
#include "linkwork/base/diagnostics.hpp"
#include "linkwork/linalg/decompositions.hpp"

namespace linkwork {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr double kSeesEnough = 0.3;  // an early coordinate is taken when it sees this share of what the best one sees

// Early rows first, those wanted before all others; `count` independent ones. Rows that see nothing new are passed
// over.
struct Picked {
  std::vector<Eigen::Index> rows;
  std::string problem, hint;
};

Picked pick(Matrix left, const std::vector<std::string>& names, const std::vector<std::string>& wanted, int count) {
  Picked out;
  const Vector whole = left.rowwise().norm();
  const auto take = [&](Eigen::Index row) {
    out.rows.push_back(row);
    const Eigen::RowVectorXd direction = left.row(row).normalized();
    left -= (left * direction.transpose()).eval() * direction;
  };
  for (const std::string& name : wanted) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      out.problem = fmt::format("there is no coordinate \"{}\"", name);
      out.hint = didYouMean(name, names);
      return out;
    }
    const auto row = found - names.begin();
    if (static_cast<int>(out.rows.size()) >= count || left.row(row).norm() <= 1e-6 * std::max(whole[row], 1e-300)) {
      out.problem = fmt::format(
          "\"{}\" is no variable of its own: nothing depends on it, or what it does follows from "
          "those named before it",
          name);
      out.hint = "Leave it out.";
      return out;
    }
    take(row);
  }
  while (static_cast<int>(out.rows.size()) < count) {
    const Vector seen = left.rowwise().norm();
    const double best = seen.maxCoeff();
    if (!(best > 0.0)) break;
    Eigen::Index row = 0;
    while (seen[row] < kSeesEnough * best) ++row;
    take(row);
  }
  return out;
}

Matrix rowsOf(const Matrix& matrix, const std::vector<Eigen::Index>& rows) {
  Matrix out(static_cast<Eigen::Index>(rows.size()), matrix.cols());
  for (std::size_t k = 0; k < rows.size(); ++k) out.row(static_cast<Eigen::Index>(k)) = matrix.row(rows[k]);
  return out;
}

Matrix solvedWith(const Matrix& square, const Matrix& right) {
  if (square.rows() == 0) return Matrix(0, right.cols());
  return square.colPivHouseholderQr().solve(right);
}

// Whether a coordinate is that of a body, by its name.
bool isOfBody(const Mechanism& mechanism, const std::string& name) {
  const std::string owner = name.substr(0, name.find('.'));
  return std::any_of(mechanism.bodies.begin(), mechanism.bodies.end(),
                     [&](const Body& body) { return body.name == owner; });
}

// Names for (1), step by step: which coordinates stand for what nothing depends on, s, z, and the matrices by them.
class Namer {
 public:
  Namer(SteadySolver& solver, const SteadyMotion& motion, const SteadyWhole& whole, const SteadyNaming& naming)
      : solver_(solver), motion_(motion), whole_(whole), naming_(naming) {
    length_ = solver.field().length();
    std::vector<Eigen::Index> order;
    for (Eigen::Index k = 0; k < whole.named.rows(); ++k) order.push_back(k);
    if (naming.states == SteadyStates::bodies) {
      std::stable_partition(order.begin(), order.end(), [&](Eigen::Index k) {
        return isOfBody(solver.model().mechanism, solver.field().seen()[static_cast<std::size_t>(k)].name);
      });
    }
    S_ = rowsOf(whole.named, order);
    for (const Eigen::Index k : order) {
      seen_.push_back(solver.field().seen()[static_cast<std::size_t>(k)]);
      names_.push_back(seen_.back().name);
      rates_.push_back(seen_.back().rate_name);
    }
    R_ = S_ * whole.A;
    scaled_S_ = inLengths(S_);
    scaled_R_ = inLengths(R_);
  }

  void run(SteadyLinearisation& out) {
    gauge(naming_.coordinates, out);
    if (!chooseCoordinates(naming_.coordinates, out)) return;
    chooseSpeeds(out);
    if (!out.problem.empty()) return;
    const Matrix Y_inverse = solvedWith(Y_, Matrix::Identity(Y_.rows(), Y_.rows()));
    out.to_states = Y_ * Q_.transpose();
    out.from_states = Q_ * Y_inverse;
    out.A = Y_ * (Q_.transpose() * whole_.A * Q_) * Y_inverse;
    const auto n = static_cast<Eigen::Index>(out.coordinates.size());
    const Eigen::Index z = Y_.rows() - n;
    for (Eigen::Index k = 0; k < z; ++k) {
      // z that is the rate of one of s: exactly that, without round-off.
      const int s = out.rate_of[static_cast<std::size_t>(k)];
      if (s < 0) continue;
      out.A.row(s).setZero();
      out.A(s, n + k) = 1.0;
    }
    out.ok = true;
    if (naming_.states == SteadyStates::impulses) return;
    // Velocities in which one of z is one: what is ignorable stays where it is.
    Matrix moves = Q_ * Y_inverse.rightCols(z);
    if (gauge_rows_.rows() > 0) moves -= whole_.W * solvedWith(gauge_rows_ * whole_.W, gauge_rows_ * moves);
    const Eigen::Index freedoms = solver_.field().freedoms();
    const Matrix Z =
        solver_.field().scale().cwiseInverse().asDiagonal() * (whole_.pieces.T.bottomRows(freedoms) * moves);
    out.M = Z.transpose() * solver_.field().mass() * Z;
    out.C = -out.M * out.A.bottomRightCorner(z, z);
    out.K = -out.M * out.A.bottomLeftCorner(z, n);
  }

 private:
  Matrix inLengths(const Matrix& rows) const {
    Matrix out = rows;
    for (Eigen::Index k = 0; k < rows.rows(); ++k) {
      if (seen_[static_cast<std::size_t>(k)].unit == "rad") out.row(k) *= length_;
    }
    return out;
  }

  // Coordinates, and where these do not suffice rates, that are held while the others are read: one for each symmetry.
  void gauge(const std::vector<std::string>& wanted, SteadyLinearisation& out) {
    const Matrix& W = whole_.W;
    Matrix by_place = scaled_S_ * W;
    for (Eigen::Index k = 0; k < by_place.rows(); ++k) {
      const auto& name = names_[static_cast<std::size_t>(k)];
      if (std::find(wanted.begin(), wanted.end(), name) != wanted.end()) by_place.row(k).setZero();
    }
    Matrix V = Matrix::Zero(W.cols(), W.cols());
    int places = 0;
    if (W.cols() > 0) {
      const Eigen::JacobiSVD<Matrix> svd(by_place, Eigen::ComputeFullV);
      // Compared with the symmetries themselves, which are of length one.
      places = static_cast<int>((svd.singularValues().array() > 1e-7).count());
      V = svd.matrixV();
    }
    const Picked picked = pick(by_place * V.leftCols(places), names_, {}, places);
    const Picked of_rates =
        pick(scaled_R_ * W * V.rightCols(W.cols() - places), rates_, {}, static_cast<int>(W.cols()) - places);
    gauge_rows_.resize(W.cols(), W.rows());
    gauge_rows_ << rowsOf(scaled_S_, picked.rows), rowsOf(scaled_R_, of_rates.rows);
    for (const auto row : picked.rows) out.ignorable.push_back(names_[static_cast<std::size_t>(row)]);
    std::sort(out.ignorable.begin(), out.ignorable.end());
    if (W.cols() > 0) {
      const Matrix held = solvedWith(gauge_rows_ * W, gauge_rows_);
      for (Matrix* rows : {&scaled_S_, &scaled_R_, &S_, &R_}) *rows -= (*rows * W).eval() * held;
      held_ = held;
    }
    Q_ = restOf(W);
  }

  bool chooseCoordinates(const std::vector<std::string>& wanted, SteadyLinearisation& out) {
    const Matrix seen = scaled_S_ * Q_;
    const Eigen::JacobiSVD<Matrix> svd(seen, Eigen::ComputeThinV);
    const int count = static_cast<int>((svd.singularValues().array() > 1e-8).count());
    const Picked picked = pick(seen * svd.matrixV().leftCols(count), names_, wanted, count);
    out.problem = picked.problem;
    out.hint = picked.hint;
    if (!out.problem.empty()) return false;
    chosen_ = picked.rows;
    if (wanted.empty()) std::sort(chosen_.begin(), chosen_.end());
    for (const auto row : chosen_) out.coordinates.push_back(seen_[static_cast<std::size_t>(row)]);
    Y_ = rowsOf(S_ * Q_, chosen_);
    return true;
  }

  // What z is chosen from, in the order of preference.
  struct Speeds {
    Matrix rows, scaled;  // by deviations; in lengths
    std::vector<std::string> names, units;
    std::vector<int> rate_of;
    std::vector<std::string> wanted{};  // before all others
  };

  // Rates of s as far as they go, then others.
  Speeds ratesOfCoordinates() const {
    std::vector<Eigen::Index> order = chosen_;
    for (Eigen::Index k = 0; k < scaled_R_.rows(); ++k) {
      if (std::find(chosen_.begin(), chosen_.end(), k) == chosen_.end()) order.push_back(k);
    }
    Speeds out{rowsOf(R_, order), rowsOf(scaled_R_, order), {}, {}, {}};
    // Of s as it is read, with what is ignorable held: z is s' then. (S - S W H)' is not S' - S' W H.
    const auto count = static_cast<Eigen::Index>(chosen_.size());
    out.rows.topRows(count) = rowsOf(S_, chosen_) * whole_.A;
    out.scaled.topRows(count) = rowsOf(scaled_S_, chosen_) * whole_.A;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const LinearCoordinate& named = seen_[static_cast<std::size_t>(order[k])];
      out.names.push_back(named.rate_name);
      out.units.push_back(named.unit + "/s");
      out.rate_of.push_back(k < chosen_.size() ? static_cast<int>(k) : -1);
    }
    return out;
  }

  // The velocities that the model names, by deviations in the coordinates of T.
  Matrix namedVelocities() const {
    MotionField& field = solver_.field();
    const Mechanism& mechanism = solver_.model().mechanism;
    std::vector<Quantity> quantities;
    for (const NamedVelocity& named : mechanism.named_velocities) {
      for (const std::string& symbol : symbolsOf(named.form)) {
        const auto of = findQuantity(mechanism, symbol);
        const bool known = of && std::find(quantities.begin(), quantities.end(), *of) != quantities.end();
        if (of && of->kind != QuantityKind::time && !known) quantities.push_back(*of);
      }
    }
    MotionField::Seen seen;
    field.look(solver_.time(), motion_.x, quantities, std::vector<double>(quantities.size(), 0.0), seen);
    std::map<std::string, double> values{{"t", solver_.time()}};
    for (const Parameter& p : mechanism.parameters) values[p.name] = p.value.number;
    for (std::size_t k = 0; k < quantities.size(); ++k)
      values[quantityName(mechanism, quantities[k])] = seen.value[static_cast<Eigen::Index>(k)];
    const Eigen::Index n = field.freedoms();
    const Vector inverse = field.scale().cwiseInverse();
    Matrix by_state = seen.by_state;
    by_state.leftCols(n) *= inverse.asDiagonal();
    by_state.rightCols(n) *= inverse.asDiagonal();
    Matrix out = Matrix::Zero(static_cast<Eigen::Index>(mechanism.named_velocities.size()), 2 * n);
    for (Eigen::Index r = 0; r < out.rows(); ++r) {
      const Expr& form = mechanism.named_velocities[static_cast<std::size_t>(r)].form;
      for (std::size_t k = 0; k < quantities.size(); ++k) {
        const Expr slope = differentiate(form, Expr::symbol(quantityName(mechanism, quantities[k])));
        out.row(r) += evaluate(slope, values) * by_state.row(static_cast<Eigen::Index>(k));
      }
    }
    return out * whole_.pieces.T;
  }

  // Before all others those that the model names.
  void putNamedFirst(Speeds& speeds) const {
    const auto& named = solver_.model().mechanism.named_velocities;
    if (named.empty()) return;
    const Matrix forms = namedVelocities();
    Matrix scaled = forms;
    for (Eigen::Index r = 0; r < forms.rows(); ++r) scaled.row(r) /= std::max(forms.row(r).norm(), 1e-300);
    const auto put = [](const Matrix& first, Matrix& rows) {
      Matrix all(first.rows() + rows.rows(), rows.cols());
      all << first, rows;
      rows = std::move(all);
    };
    put(forms, speeds.rows);
    put(scaled, speeds.scaled);
    for (const NamedVelocity& one : named) {
      speeds.wanted.push_back(one.name);
      speeds.names.push_back(one.name);
      speeds.units.emplace_back(one.unit == RelationUnit::length ? "m/s" : "rad/s");
      speeds.rate_of.push_back(-1);
    }
  }

  // The tree's own speeds, or its impulses, which are compared by the masses they belong to.
  Speeds ofTheTree() const {
    MotionField& field = solver_.field();
    const Eigen::Index n = field.freedoms();
    const bool impulses = naming_.states == SteadyStates::impulses;
    const Matrix& T = whole_.pieces.T;
    Speeds out;
    if (impulses) {
      MotionField::SeenRates seen;
      field.lookAtRates(solver_.time(), motion_.x, seen);
      const Vector inverse = field.scale().cwiseInverse();
      out.rows = seen.impulses.leftCols(n) * inverse.asDiagonal() * T.topRows(n) +
                 seen.impulses.rightCols(n) * inverse.asDiagonal() * T.bottomRows(n);
      const Vector masses = field.mass().diagonal();
      const double least = 1e-12 * masses.maxCoeff();
      out.scaled = field.scale().cwiseQuotient(masses.cwiseMax(least)).asDiagonal() * out.rows;
    } else {
      out.scaled = T.bottomRows(n);
      out.rows = field.scale().cwiseInverse().asDiagonal() * out.scaled;
      putNamedFirst(out);
    }
    if (held_.rows() > 0) {
      for (Matrix* rows : {&out.rows, &out.scaled}) *rows -= (*rows * whole_.W).eval() * held_;
    }
    for (const LinearCoordinate& named : field.names()) {
      out.names.push_back(impulses ? named.name + "_impulse" : named.rate_name);
      const bool turns = named.unit == "rad";
      out.units.emplace_back(impulses ? (turns ? "kg*m^2/s" : "kg*m/s") : (turns ? "rad/s" : "m/s"));
      out.rate_of.push_back(-1);
    }
    return out;
  }

  void chooseSpeeds(SteadyLinearisation& out) {
    const bool rates = naming_.states == SteadyStates::joints || naming_.states == SteadyStates::bodies;
    const Speeds speeds = rates ? ratesOfCoordinates() : ofTheTree();
    const Matrix rest = restOf(spanOf(rowsOf(scaled_S_ * Q_, chosen_).transpose(), 1e-12));
    Picked picked = pick(speeds.scaled * Q_ * rest, speeds.names, speeds.wanted, static_cast<int>(rest.cols()));
    out.problem = picked.problem;
    out.hint = picked.hint;
    if (!out.problem.empty()) return;
    std::sort(picked.rows.begin(), picked.rows.end());
    const Eigen::Index n = Y_.rows();
    Y_.conservativeResize(n + static_cast<Eigen::Index>(picked.rows.size()), Y_.cols());
    Y_.bottomRows(static_cast<Eigen::Index>(picked.rows.size())) = rowsOf(speeds.rows, picked.rows) * Q_;
    for (const Eigen::Index row : picked.rows) {
      const auto k = static_cast<std::size_t>(row);
      out.speeds.push_back(speeds.names[k]);
      out.speed_units.push_back(speeds.units[k]);
      out.rate_of.push_back(speeds.rate_of[k]);
    }
  }

  SteadySolver& solver_;
  const SteadyMotion& motion_;
  const SteadyWhole& whole_;
  const SteadyNaming& naming_;
  double length_ = 1.0;
  std::vector<LinearCoordinate> seen_;
  std::vector<std::string> names_, rates_;
  Matrix S_, R_, scaled_S_, scaled_R_;  // places and rates that have names, by deviations
  Matrix gauge_rows_, Q_, Y_;
  Matrix held_;  // deviations W held_ are what symmetries add to a deviation until gauge_rows_ see nothing
  std::vector<Eigen::Index> chosen_;
};

// The rate that a family changes most, of those that are not named yet.
std::string familyName(SteadySolver& solver, const Vector& direction, const std::vector<std::string>& named) {
  const MotionField& field = solver.field();
  const int n = field.freedoms();
  Vector share = direction.tail(n).cwiseAbs();
  for (int k = 0; k < n; ++k) {
    const auto& name = field.names()[static_cast<std::size_t>(k)].rate_name;
    if (std::find(named.begin(), named.end(), name) != named.end()) share[k] = -1.0;
  }
  Eigen::Index most = 0;
  share.maxCoeff(&most);
  return field.names()[static_cast<std::size_t>(most)].rate_name;
}

}  // namespace

std::vector<std::string> SteadyLinearisation::stateNames() const {
  std::vector<std::string> out;
  for (const LinearCoordinate& s : coordinates) out.push_back(s.name);
  out.insert(out.end(), speeds.begin(), speeds.end());
  return out;
}

std::vector<std::string> SteadyLinearisation::stateUnits() const {
  std::vector<std::string> out;
  for (const LinearCoordinate& s : coordinates) out.push_back(s.unit);
  out.insert(out.end(), speed_units.begin(), speed_units.end());
  return out;
}

SteadyLinearisation lineariseSteady(SteadySolver& solver, const SteadyMotion& motion, const StructuralZeros& zeros,
                                    const SteadyNaming& naming) {
  SteadyLinearisation out;
  const SteadyWhole whole = wholeOf(solver, motion);
  if (!whole.ok) {
    out.problem = solver.field().describeFailure();
    return out;
  }
  if (whole.W.cols() == whole.A.cols()) {
    out.problem = "nothing depends on anything here: there are no deviations left";
    return out;
  }
  const Matrix U = takenOut(whole, zeros);
  for (Eigen::Index k = whole.W.cols(); k < U.cols(); ++k) {
    out.families.push_back(familyName(solver, whole.pieces.T * U.col(k), out.families));
  }
  Namer(solver, motion, whole, naming).run(out);
  return out;
}

}  // namespace linkwork
