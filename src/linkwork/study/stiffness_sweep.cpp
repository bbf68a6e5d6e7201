#include "linkwork/study/stiffness_sweep.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "linkwork/base/index.hpp"
#include "linkwork/formulation/compliant/soften.hpp"
#include "linkwork/model/compliance.hpp"
#include "linkwork/study/common_samples.hpp"

namespace linkwork {

namespace {

using Columns3 = std::vector<const Series*>;

Columns3 vectorOf(const Result& result, const std::string& name) {
  Columns3 out;
  for (const char* axis : {".x", ".y", ".z", ""}) {
    if (const Series* series = result.find(name + axis)) out.push_back(series);
  }
  return out;
}

// The length of a difference of vectors at every sample: a soft, or the limit of two, less a hard one.
template <class Soft>
std::vector<double> distances(const Result& hard, const std::string& name, std::size_t samples, const Soft& soft) {
  std::vector<double> out(samples, 0.0);
  const Columns3 wanted = vectorOf(hard, name);
  for (std::size_t n = 0; n < samples; ++n) {
    for (const Series* part : wanted) {
      const double apart = soft(part->name, n) - part->values[n];
      out[n] += apart * apart;
    }
    out[n] = std::sqrt(out[n]);
  }
  return out;
}

double most(const std::vector<double>& values) {
  return values.empty() ? 0.0 : *std::max_element(values.begin(), values.end());
}
double meanSquare(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
}

class Sweep {
 public:
  Sweep(const Mechanism& mechanism, const StiffnessRequest& request, const CompareControl& control)
      : given_(mechanism), request_(request), control_(control), hard_mechanism_(withHardJoints(mechanism)) {}

  StiffnessSweep run() {
    hard_assembly_ = assemble(hard_mechanism_);
    if (!hard_assembly_.ok) {
      out_.problem = "with hard joints it cannot be assembled: " + hard_assembly_.problem;
      return std::move(out_);
    }
    for (const int joint : springJoints()) out_.joints.push_back(given_.joints[at(joint)].name);
    if (out_.joints.empty()) {
      out_.problem =
          "no joint of this model is made of springs, and none that a tree cuts can be: there is nothing to sweep";
      return std::move(out_);
    }
    RunOptions options = request_.run;
    options.system.formulation = "recursive";
    options.chosen.clear();
    out_.hard = runWith(hard_mechanism_, options);
    noteHard();
    const std::vector<double> none{0.0};
    for (const double rotational : request_.rotational.empty() ? none : request_.rotational) {
      for (const double stiffness : request_.stiffness) {
        if (out_.interrupted) return std::move(out_);
        add(stiffness, rotational, options);
      }
    }
    return std::move(out_);
  }

 private:
  bool ofFile() const { return hasCompliance(given_); }

  std::vector<int> springJoints() const {
    if (!ofFile()) return softenedJoints(given_);
    std::vector<int> out;
    for (std::size_t k = 0; k < given_.joints.size(); ++k) {
      if (given_.joints[k].compliance) out.push_back(static_cast<int>(k));
    }
    return out;
  }

  Mechanism mechanismWith(double stiffness, double rotational) const {
    SystemOptions options = startingFrom(hard_assembly_, request_.run.system);
    options.stiffness = stiffness;
    options.rotational_stiffness = rotational;
    if (!ofFile()) return soften(hard_mechanism_, options, options.start);
    Mechanism out = given_;
    for (Joint& joint : out.joints) {
      if (!joint.compliance) continue;
      for (Value& spring : joint.compliance->stiffness) {
        if (spring.number > 0.0) spring = stiffness;
      }
      for (Value& spring : joint.compliance->rotational_stiffness) {
        if (spring.number > 0.0 && rotational > 0.0) spring = rotational;
      }
      joint.compliance->origin = "of the sweep";
    }
    return out;
  }

  Result runWith(const Mechanism& mechanism, const RunOptions& options) {
    const Assembly assembly = assemble(mechanism);
    if (!assembly.ok) {
      Result refused;
      refused.status = RunStatus::failed;
      refused.message = assembly.problem;
      return refused;
    }
    const auto runs =
        static_cast<double>(1 + request_.stiffness.size() * std::max<std::size_t>(1, request_.rotational.size()));
    RunControl control;
    control.interrupted = control_.interrupted;
    control.progress = [&](double t, double until) {
      if (control_.progress) control_.progress(done_ * until + t, runs * until);
    };
    Result result = simulate(mechanism, assembly, options, control);
    done_ += 1.0;
    if (result.status == RunStatus::interrupted) out_.interrupted = true;
    return result;
  }

  void noteHard() {
    for (const std::string& joint : out_.joints) {
      const auto zero = [](const std::string& /*name*/, std::size_t /*n*/) { return 0.0; };
      const std::size_t samples = out_.hard.time.size();
      out_.greatest_force = std::max(out_.greatest_force, most(distances(out_.hard, joint + ".force", samples, zero)));
      out_.greatest_moment =
          std::max(out_.greatest_moment, most(distances(out_.hard, joint + ".moment", samples, zero)));
    }
  }

  template <class Soft>
  StiffnessErrors errorsOf(std::size_t samples, const Soft& soft) const {
    StiffnessErrors out;
    for (const Body& body : given_.bodies) {
      std::vector<double> apart(samples, 0.0);
      for (const char* axis : {".x", ".y", ".z"}) {
        const Series* wanted = out_.hard.find(body.name + axis);
        for (std::size_t n = 0; n < samples && wanted != nullptr; ++n)
          apart[n] = std::hypot(apart[n], soft(wanted->name, n) - wanted->values[n]);
      }
      out.place = std::max(out.place, most(apart));
    }
    double force = 0.0;
    double moment = 0.0;
    for (const std::string& joint : out_.joints) {
      const std::vector<double> apart = distances(out_.hard, joint + ".force", samples, soft);
      force = std::max(force, meanSquare(apart));
      out.most_force = std::max(out.most_force, most(apart));
      moment = std::max(moment, meanSquare(distances(out_.hard, joint + ".moment", samples, soft)));
    }
    out.force = std::sqrt(force);
    out.moment = std::sqrt(moment);
    return out;
  }

  static double valueOf(const Result& result, const std::string& name, std::size_t n) {
    const Series* series = result.find(name);
    return series == nullptr ? 0.0 : series->values[n];
  }

  void add(double stiffness, double rotational, const RunOptions& options) {
    StiffnessSample sample;
    sample.stiffness = stiffness;
    const Mechanism mechanism = mechanismWith(stiffness, rotational);
    sample.result = runWith(mechanism, options);
    for (const SpringJoint& joint : sample.result.ledger.spring_joints) {
      sample.rotational = std::max(sample.rotational, joint.rotational_stiffness);
      sample.gap = std::max(sample.gap, joint.greatest_gap);
      sample.angle = std::max(sample.angle, joint.greatest_angle);
      sample.frequency = std::max(sample.frequency, joint.frequency);
    }
    std::vector<Result*> both{&out_.hard, &sample.result};
    keepCommonSamples(both);
    const std::size_t samples = std::min(out_.hard.time.size(), sample.result.time.size());
    const Result& soft = sample.result;
    sample.errors = errorsOf(samples, [&](const std::string& name, std::size_t n) { return valueOf(soft, name, n); });
    if (request_.richardson && !out_.samples.empty()) extrapolate(out_.samples.back(), sample);
    out_.samples.push_back(std::move(sample));
  }

  // x(c) = x + a / c:  x = (c_2 x_2 - c_1 x_1) / (c_2 - c_1)                                [docs/theory/14, eq. 14.10]
  void extrapolate(const StiffnessSample& before, StiffnessSample& now) {
    if (!(now.stiffness > before.stiffness) || !before.wentThrough() || !now.wentThrough()) return;
    const double share = now.stiffness / (now.stiffness - before.stiffness);
    const std::size_t samples = std::min({out_.hard.time.size(), before.result.time.size(), now.result.time.size()});
    if (before.result.time.size() != now.result.time.size()) return;
    now.extrapolated = true;
    now.limit = errorsOf(samples, [&](const std::string& name, std::size_t n) {
      return share * valueOf(now.result, name, n) - (share - 1.0) * valueOf(before.result, name, n);
    });
    for (const Body& body : given_.bodies) {
      std::vector<double> apart(samples, 0.0);
      for (const char* axis : {".x", ".y", ".z"}) {
        for (std::size_t n = 0; n < samples; ++n)
          apart[n] = std::hypot(apart[n], share * (valueOf(now.result, body.name + axis, n) -
                                                   valueOf(before.result, body.name + axis, n)));
      }
      now.estimate = std::max(now.estimate, most(apart));
    }
  }

  const Mechanism& given_;
  const StiffnessRequest& request_;
  const CompareControl& control_;
  Mechanism hard_mechanism_;
  Assembly hard_assembly_;
  StiffnessSweep out_;
  double done_ = 0.0;
};

bool rising(const std::vector<double>& list) {
  return std::is_sorted(list.begin(), list.end()) &&
         std::all_of(list.begin(), list.end(), [](double c) { return c > 0.0 && std::isfinite(c); });
}

std::string shown(double value) { return fmt::format("{:.3g}", value); }

}  // namespace

std::string StiffnessRequest::problem() const {
  if (stiffness.empty() || !rising(stiffness) || !rising(rotational))
    return "stiffnesses are positive and rise: give 1e4..1e9, or 1e5,1e6,1e7, in N/m (rotational ones in N m/rad).";
  return {};
}

StiffnessSweep sweepStiffness(const Mechanism& mechanism, const StiffnessRequest& request,
                              const CompareControl& control) {
  return Sweep(mechanism, request, control).run();
}

TextTable stiffnessTable(const StiffnessSweep& sweep) {
  const bool turns = std::any_of(sweep.samples.begin(), sweep.samples.end(),
                                 [](const StiffnessSample& sample) { return sample.rotational > 0.0; });
  const bool limits = std::any_of(sweep.samples.begin(), sweep.samples.end(),
                                  [](const StiffnessSample& sample) { return sample.extrapolated; });
  TextTable out{{"stiffness N/m"}};
  if (turns) out[0].emplace_back("rotational N m/rad");
  out[0].insert(out[0].end(), {"places m", "force rms N", "force most N"});
  if (turns) out[0].emplace_back("moment rms N m");
  out[0].emplace_back("gap m");
  if (turns) out[0].emplace_back("axes rad");
  out[0].insert(out[0].end(), {"frequency rad/s", "evaluations"});
  if (limits) out[0].insert(out[0].end(), {"limit: places m", "force rms N", "estimated error m"});
  for (const StiffnessSample& sample : sweep.samples) {
    std::vector<std::string> row{shown(sample.stiffness)};
    if (turns) row.push_back(shown(sample.rotational));
    if (!sample.wentThrough()) {
      row.push_back(sample.result.message);
      out.push_back(std::move(row));
      continue;
    }
    row.insert(row.end(), {shown(sample.errors.place), shown(sample.errors.force), shown(sample.errors.most_force)});
    if (turns) row.push_back(shown(sample.errors.moment));
    row.push_back(shown(sample.gap));
    if (turns) row.push_back(shown(sample.angle));
    row.insert(row.end(), {shown(sample.frequency), fmt::format("{}", sample.result.ledger.evaluations)});
    if (sample.extrapolated)
      row.insert(row.end(), {shown(sample.limit.place), shown(sample.limit.force), shown(sample.estimate)});
    out.push_back(std::move(row));
  }
  return out;
}

std::string stiffnessWords(const StiffnessSweep& sweep) {
  return fmt::format(
      "{} {} of springs against hard ones, which carry up to {:.4g} N{}; with hard joints {} evaluations.",
      sweep.joints.size() == 1 ? "joint" : "joints", fmt::join(sweep.joints, ", "), sweep.greatest_force,
      sweep.greatest_moment > 0.0 ? fmt::format(" and {:.4g} N m", sweep.greatest_moment) : "",
      sweep.hard.ledger.evaluations);
}

std::string stiffnessCsv(const StiffnessSweep& sweep) {
  std::string out =
      "stiffness [N/m],rotational_stiffness [N*m/rad],places [m],force_rms [N],force_most [N],moment_rms [N*m],gap "
      "[m],axis_angle [rad],frequency [rad/s],evaluations,limit_places [m],limit_force_rms [N],estimated_error [m]\n";
  for (const StiffnessSample& sample : sweep.samples) {
    if (!sample.wentThrough()) continue;
    out += fmt::format("{},{},{},{},{},{},{},{},{},{}", sample.stiffness, sample.rotational, sample.errors.place,
                       sample.errors.force, sample.errors.most_force, sample.errors.moment, sample.gap, sample.angle,
                       sample.frequency, sample.result.ledger.evaluations);
    out += sample.extrapolated ? fmt::format(",{},{},{}\n", sample.limit.place, sample.limit.force, sample.estimate)
                               : std::string(",,,\n");
  }
  return out;
}

std::vector<double> stiffnessList(const std::string& text) {
  const auto number = [](std::string_view part) -> std::optional<double> {
    double value = 0.0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc() || end != part.data() + part.size()) return std::nullopt;
    return value;
  };
  std::vector<double> out;
  if (const std::size_t dots = text.find(".."); dots != std::string::npos) {
    const auto from = number(std::string_view(text).substr(0, dots));
    const auto to = number(std::string_view(text).substr(dots + 2));
    if (!from || !to || !(*from > 0.0) || !(*to >= *from)) return {};
    // A little more than the end, so that rounding does not lose it.
    for (int k = 0; *from * std::pow(10.0, k) <= *to * (1.0 + 1e-9) && k < 40; ++k)
      out.push_back(*from * std::pow(10.0, k));
    return out;
  }
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    const auto value = number(rest.substr(0, end));
    if (!value) return {};
    out.push_back(*value);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return out;
}

}  // namespace linkwork
