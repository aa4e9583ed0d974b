// Shared by the steps for tables of 32 and 16 bits.
#pragma once

#include "spots/steps.hpp"
#include "spots/vectors.hpp"
#include "tree/tree.hpp"

namespace riverboat::spots {

// Loops over actions are unrolled for up to this many; then the count is read.
constexpr int kUnrolled = 5;

// Calls f<actions>, or f<0> for many actions.
template <template <int> class F, typename... Args>
RIVERBOAT_INLINE void by_actions(int actions, const Args&... args) {
    switch (actions) {
        case 1: return F<1>::run(actions, args...);
        case 2: return F<2>::run(actions, args...);
        case 3: return F<3>::run(actions, args...);
        case 4: return F<4>::run(actions, args...);
        case kUnrolled: return F<kUnrolled>::run(actions, args...);
        default: return F<0>::run(actions, args...);
    }
}

template <int Fixed>
inline constexpr int kRoom = Fixed > 0 ? Fixed : kMaxActions;

template <int Fixed>
RIVERBOAT_INLINE int count(int actions) {
    return Fixed > 0 ? Fixed : actions;
}

// Replaces the strategy of locked hands by the lock.
template <typename Real>
RIVERBOAT_INLINE void apply_lock(const float* lock, Pack<Real>& probability) {
    const Pack<Real> locked = widened<Real>(lock);
    probability = locked == locked ? locked : probability;
}

// Normalises non-negative weights to probabilities; uniform if all are 0.
template <typename Real, int Fixed>
RIVERBOAT_INLINE void normalize(int actions, Pack<Real>* weights) {
    const int n = count<Fixed>(actions);
    const Pack<Real> zero{};
    Pack<Real> sum{};
    for (int a = 0; a < n; ++a) sum += weights[a];
    const Pack<Real> one = zero + 1, even = zero + 1 / static_cast<Real>(n);
    const Pack<Real> inverse = one / (sum > zero ? sum : one);
    const Pack<Real> rest = sum > zero ? zero : even;
    for (int a = 0; a < n; ++a) weights[a] = weights[a] * inverse + rest;
}

// Converts weights to the strategy: probabilities, with the lock for locked hands.
template <int Fixed>
RIVERBOAT_INLINE void finish_match(int actions, const float* lock, std::size_t stride,
                                   std::size_t hand, Pack<float>* strategy) {
    normalize<float, Fixed>(actions, strategy);
    if (lock == nullptr) return;
    for (int a = 0; a < count<Fixed>(actions); ++a) {
        apply_lock<float>(lock + a * stride + hand, strategy[a]);
    }
}

}  // namespace riverboat::spots
