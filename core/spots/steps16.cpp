#include <algorithm>

#include "spots/step_parts.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace riverboat::spots {
namespace {

using Floats = Pack<float>;
typedef std::int32_t Whole __attribute__((vector_size(kVectorBytes), may_alias));
typedef std::int16_t Short __attribute__((vector_size(kVectorBytes / 2), may_alias));
typedef std::uint16_t UnsignedShort __attribute__((vector_size(kVectorBytes / 2), may_alias));

constexpr float kMostRegret = 32767, kMostAverage = 65535;

// With AVX2 by intrinsics: GCC converts 16 bits in two halves, which takes 5 instructions, not 2.
RIVERBOAT_INLINE Floats loaded(const std::int16_t* place) {
#if defined(__AVX2__)
    const __m128i stored = _mm_load_si128(reinterpret_cast<const __m128i*>(place));
    return reinterpret_cast<Floats>(_mm256_cvtepi32_ps(_mm256_cvtepi16_epi32(stored)));
#else
    return __builtin_convertvector(*reinterpret_cast<const Short*>(place), Floats);
#endif
}

RIVERBOAT_INLINE Floats loaded(const std::uint16_t* place) {
#if defined(__AVX2__)
    const __m128i stored = _mm_load_si128(reinterpret_cast<const __m128i*>(place));
    return reinterpret_cast<Floats>(_mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(stored)));
#else
    return __builtin_convertvector(*reinterpret_cast<const UnsignedShort*>(place), Floats);
#endif
}

// The scale cancels out.
template <int Fixed>
RIVERBOAT_INLINE void match(int actions, const NodeTables& tables, std::size_t stride,
                            std::size_t hand, Floats* strategy) {
    const Floats zero{};
    for (int a = 0; a < count<Fixed>(actions); ++a) {
        const Floats regret = loaded(tables.regrets16 + a * stride + hand);
        strategy[a] = regret > zero ? regret : zero;
    }
    finish_match<Fixed>(actions, tables.lock, stride, hand, strategy);
}

template <int Fixed>
struct Down {
    static void run(int actions, const NodeTables& given, const HandRange& hands,
                    const float* reach, float* out) {
        const NodeTables tables = given;
        const std::size_t stride = hands.stride;
        for (std::size_t h = 0; h < stride; h += kSide<float>) {
            Floats strategy[kRoom<Fixed>];
            match<Fixed>(actions, tables, stride, h, strategy);
            const Floats before = pack_at<float>(reach + h);
            for (int a = 0; a < count<Fixed>(actions); ++a) {
                pack_at<float>(out + a * stride + h) = before * strategy[a];
            }
        }
    }
};

RIVERBOAT_INLINE void collect(std::uint16_t* place, const Factors& factors,
                              const Floats& strategy) {
    auto& stored = *reinterpret_cast<UnsignedShort*>(place);
    const Floats mean = loaded(place);
    const Floats next = mean * factors.keep + strategy * (factors.add * kMostAverage) + 0.5f;
    stored = __builtin_convertvector(__builtin_convertvector(next, Whole), UnsignedShort);
}

// Returns the largest of the new regrets.
template <int Fixed>
struct Up {
    static void run(int actions, const NodeTables& given, const Factors& factors,
                    const HandRange& hands, float* const* rows, float* fresh, float* largest) {
        const int n = count<Fixed>(actions);
        const NodeTables tables = given;
        const Factors by = factors;
        const std::size_t stride = hands.stride;
        const float scale = *tables.scale16;
        const Floats zero{}, positive = zero + by.positive * scale,
                             negative = zero + by.negative * scale;
        float* values[kRoom<Fixed>];
        for (int a = 0; a < n; ++a) values[a] = rows[a];
        Floats most{};
        for (std::size_t h = 0; h < stride; h += kSide<float>) {
            Floats strategy[kRoom<Fixed>];
            match<Fixed>(actions, tables, stride, h, strategy);
            Floats mean{};
            for (int a = 0; a < n; ++a) mean += strategy[a] * pack_at<float>(values[a] + h);
            for (int a = 0; a < n; ++a) {
                const std::size_t place = a * stride + h;
                const Floats old = loaded(tables.regrets16 + place);
                Floats next = old * (old > zero ? positive : negative) +
                              (pack_at<float>(values[a] + h) - mean);
                if (tables.lock != nullptr) {
                    const Floats lock = pack_at<float>(tables.lock + place);
                    next = lock == lock ? zero : next;
                }
                pack_at<float>(fresh + place) = next;
                const Floats size = next > zero ? next : -next;
                most = size > most ? size : most;
                collect(tables.average16 + place, by, strategy[a]);
            }
            pack_at<float>(values[0] + h) = mean;
        }
        for (int k = 0; k < kSide<float>; ++k) *largest = std::max(*largest, most[k]);
    }
};

void encode(const float* fresh, std::size_t size, float largest, const NodeTables& tables) {
    *tables.scale16 = largest / kMostRegret;
    const float inverse = largest > 0 ? kMostRegret / largest : 0;
    const Floats zero{}, half = zero + 0.5f;
    for (std::size_t i = 0; i < size; i += kSide<float>) {
        const Floats exact = pack_at<float>(fresh + i) * inverse;
        const Floats rounded = exact + (exact > zero ? half : -half);
        *reinterpret_cast<Short*>(tables.regrets16 + i) =
            __builtin_convertvector(__builtin_convertvector(rounded, Whole), Short);
    }
}

}  // namespace

void train_down16(int actions, const NodeTables& tables, const HandRange& hands, const float* reach,
                  float* out) {
    by_actions<Down>(actions, tables, hands, reach, out);
}

void train_up16(int actions, const NodeTables& tables, const Factors& factors,
                const HandRange& hands, float* const* values, float* fresh) {
    float largest = 0;
    by_actions<Up>(actions, tables, factors, hands, values, fresh, &largest);
    encode(fresh, actions * hands.stride, largest, tables);
}

}  // namespace riverboat::spots
