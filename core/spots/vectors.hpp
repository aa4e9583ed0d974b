// SIMD vectors of up to 32 bytes by compiler extensions, which both builds support.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__GNUC__) && !defined(__clang__)
// The baseline passes wide vectors in memory, so all functions that take them are inlined.
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

#define RIVERBOAT_INLINE inline __attribute__((always_inline))

namespace riverboat::spots {

inline constexpr int kWide = 8;  // hands side by side; rows are padded to it

template <typename Real, int N>
struct PackOf;
template <>
struct PackOf<float, 2> {
    typedef float Type __attribute__((vector_size(8), may_alias));
};
template <>
struct PackOf<float, 4> {
    typedef float Type __attribute__((vector_size(16), may_alias));
};
template <>
struct PackOf<float, 8> {
    typedef float Type __attribute__((vector_size(32), may_alias));
};
template <>
struct PackOf<double, 2> {
    typedef double Type __attribute__((vector_size(16), may_alias));
};
template <>
struct PackOf<double, 4> {
    typedef double Type __attribute__((vector_size(32), may_alias));
};

#if defined(__AVX__)
inline constexpr int kVectorBytes = 32;
#else
inline constexpr int kVectorBytes = 16;
#endif

// Numbers in the widest vector.
template <typename Real>
inline constexpr int kSide = kVectorBytes / sizeof(Real);

template <typename Real, int N = kSide<Real>>
using Pack = typename PackOf<Real, N>::Type;

template <typename Real, int N = kSide<Real>>
RIVERBOAT_INLINE Pack<Real, N>& pack_at(Real* place) {
    return *reinterpret_cast<Pack<Real, N>*>(place);
}
template <typename Real, int N = kSide<Real>>
RIVERBOAT_INLINE const Pack<Real, N>& pack_at(const Real* place) {
    return *reinterpret_cast<const Pack<Real, N>*>(place);
}

// Stored numbers in the walk's precision.
template <typename Real>
RIVERBOAT_INLINE Pack<Real> widened(const float* place) {
    return __builtin_convertvector((pack_at<float, kSide<Real>>(place)), Pack<Real>);
}

template <typename Real>
RIVERBOAT_INLINE Pack<Real> widened(const std::uint16_t* place) {
    typedef std::uint16_t Stored __attribute__((vector_size(2 * kSide<Real>), may_alias));
    return __builtin_convertvector(*reinterpret_cast<const Stored*>(place), Pack<Real>);
}

constexpr std::size_t padded_to_wide(std::size_t count) {
    return (count + kWide - 1) / kWide * kWide;
}

// out[i] lane j = in[j] lane i.
RIVERBOAT_INLINE void transpose(const Pack<float, 8>* in, Pack<float, 8>* out) {
    Pack<float, 8> pairs[8], fours[8];
    for (int i = 0; i < 8; i += 2) {
        pairs[i] = __builtin_shufflevector(in[i], in[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        pairs[i + 1] = __builtin_shufflevector(in[i], in[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    for (int i = 0; i < 8; i += 4) {
        for (int k = 0; k < 2; ++k) {
            const auto &a = pairs[i + k], &b = pairs[i + 2 + k];
            fours[i + 2 * k] = __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
            fours[i + 2 * k + 1] = __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
    for (int i = 0; i < 4; ++i) {
        const auto &a = fours[i], &b = fours[i + 4];
        out[i] = __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11);
        out[i + 4] = __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

RIVERBOAT_INLINE void transpose(const Pack<float, 4>* in, Pack<float, 4>* out) {
    Pack<float, 4> pairs[4];
    for (int i = 0; i < 4; i += 2) {
        pairs[i] = __builtin_shufflevector(in[i], in[i + 1], 0, 4, 1, 5);
        pairs[i + 1] = __builtin_shufflevector(in[i], in[i + 1], 2, 6, 3, 7);
    }
    for (int i = 0; i < 2; ++i) {
        out[2 * i] = __builtin_shufflevector(pairs[i], pairs[i + 2], 0, 1, 4, 5);
        out[2 * i + 1] = __builtin_shufflevector(pairs[i], pairs[i + 2], 2, 3, 6, 7);
    }
}

RIVERBOAT_INLINE void transpose(const Pack<double, 2>* in, Pack<double, 2>* out) {
    out[0] = __builtin_shufflevector(in[0], in[1], 0, 2);
    out[1] = __builtin_shufflevector(in[0], in[1], 1, 3);
}

RIVERBOAT_INLINE void transpose(const Pack<double, 4>* in, Pack<double, 4>* out) {
    Pack<double, 4> pairs[4];
    for (int i = 0; i < 4; i += 2) {
        pairs[i] = __builtin_shufflevector(in[i], in[i + 1], 0, 4, 2, 6);
        pairs[i + 1] = __builtin_shufflevector(in[i], in[i + 1], 1, 5, 3, 7);
    }
    for (int i = 0; i < 2; ++i) {
        out[i] = __builtin_shufflevector(pairs[i], pairs[i + 2], 0, 1, 4, 5);
        out[i + 2] = __builtin_shufflevector(pairs[i], pairs[i + 2], 2, 3, 6, 7);
    }
}

}  // namespace riverboat::spots
