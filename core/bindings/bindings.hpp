// Shared by the binding files. Only this folder uses Python.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

namespace riverboat::bindings {

namespace nb = nanobind;

// Arrays are C-contiguous and on the CPU. Bind writable ones with .noconvert():
// nanobind would otherwise fill a converted copy.
template <typename T, typename Shape>
using Array = nb::ndarray<T, Shape, nb::c_contig, nb::device::cpu>;

template <typename T>
using Vector = Array<T, nb::ndim<1>>;

template <typename T>
using Matrix = Array<T, nb::ndim<2>>;

void bind_errors(nb::module_& m);
void bind_boards(nb::module_& m);
void bind_clusters(nb::module_& m);
void bind_equity(nb::module_& m);
void bind_evaluator(nb::module_& m);
void bind_flat_spots(nb::module_& m);
void bind_hand_strength(nb::module_& m);
void bind_hand_values(nb::module_& m);
void bind_holdem(nb::module_& m);
void bind_isomorphism(nb::module_& m);
void bind_game(nb::module_& m);
void bind_hand(nb::module_& m);
void bind_public_chance(nb::module_& m);
void bind_response(nb::module_& m);
void bind_sampled(nb::module_& m);
void bind_semantic(nb::module_& m);
void bind_run_out(nb::module_& m);
void bind_solve(nb::module_& m);
void bind_spots(nb::module_& m);
void bind_tree(nb::module_& m);

}  // namespace riverboat::bindings
