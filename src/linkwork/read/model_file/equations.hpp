// The sections that only files of equations have. In the order in which they must be read.
#pragma once

#include "linkwork/model/equations_model.hpp"
#include "linkwork/read/model_file/reader.hpp"

namespace linkwork::model_file {

struct EquationsReader {
  EquationsReader(Reader& of, EquationsModel& to) : reader(of), model(to) {}

  Reader& reader;
  EquationsModel& model;
  bool good = true;  // so far

  void readCoordinates(const Node& section);
  // Names for parts of formulas, each of what stands above it.
  void readAbbreviations(const Node& section);
  // Quasi-velocities and constraints, as formulas or as matrices; where neither says which quasi-velocities there are,
  // they are chosen.
  void readForms(const Node& root);
  void readBodies(const Node& section);  // [equations_forms.cpp]
  void readPotential(const Node& node);
  void readForces(const Node& section);
  void readForcesAsList(const Node& root);
  void readInitial(const Node& section);
  void readSteady(const Node& section);
  void takeGiven();

 private:
  bool checkLetter(const Node& entry, std::string_view kind);
  std::optional<ParsedExpression> formula(const Node& node, const std::string& what);
  // Of t and coordinates alone.
  std::optional<ParsedExpression> positionFormula(const Node& node, const std::string& what, const char* why);
  bool linear(const Node& node, const Expr& value, const std::string& what);
  bool quadratic(const Node& node, const Expr& value, const std::string& what);
  std::string multipliedRates(const Expr& value, int most) const;
  std::vector<Expr> components(const Node& node, const std::string& what, std::initializer_list<std::size_t> sizes,
                               const Dimension& expected);
  std::vector<std::vector<Expr>> matrix(const Node& node, std::size_t columns, const std::string& what);
  std::vector<Expr> list(const Node& node, std::size_t size, const std::string& what);
  void readQuasiVelocity(const Node& entry);
  void readConstraint(const Node& entry);
  void readMatrices(const Node& section);
  void chooseQuasiVelocities(const Node& root);
  void countForms(const Node& root);
  std::vector<Expr> allForms() const;
  void readBody(const Node& entry);
  bool readInertia(const Node& node, EquationsBody& body);
  void readVelocity(const Node& entry, EquationsBody& body, const char* key, const char* partial, const char* rest);
  void readForce(const Node& entry);
  void readGiven(const Node& entry, const char* section, bool positions, std::vector<EquationsGiven>& to);
  Expr rateOf(const EquationsForm& form) const;
  double numberAtStart(const Expr& formula) const;
};

}  // namespace linkwork::model_file
