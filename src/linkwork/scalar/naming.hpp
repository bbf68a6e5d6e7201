// Names for intermediate results, so that one text of a kernel both computes and writes itself out.
//
// A kernel takes a callable `let` and passes each result a reader would want to see by name through it:
//
//   const T Jc = let(LetName{"Jc", 3, 2}, dot(mu, R));
//
// With Unnamed nothing happens and nothing is left of it in the machine code. The equations writer passes a recorder
// for Expr, which prints the line Jc_32 = ... and returns the symbol.
#pragma once

namespace linkwork {

// A letter and up to two indices, counted from 1 as people do; 0: none. The letter may carry a component: "mux", "muy".
struct LetName {
  const char* letter = "";
  int i = 0;
  int j = 0;
};

struct Unnamed {
  template <class T>
  constexpr const T& operator()(const LetName& /*name*/, const T& value) const {
    return value;
  }
};

}  // namespace linkwork
