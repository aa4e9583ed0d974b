// Seeded random numbers: no hidden state, no clock.
#pragma once

#include <cstdint>

namespace riverboat {

// One step of SplitMix64 (Steele, Lea & Flood 2014): spreads a seed over 64 bits.
constexpr std::uint64_t splitmix64(std::uint64_t& state) {
    std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

// xoshiro256++ (Blackman & Vigna 2019). One stream per (seed, stream) pair.
class Random {
  public:
    explicit constexpr Random(std::uint64_t seed, std::uint64_t stream = 0) {
        std::uint64_t state = seed;
        std::uint64_t mixed = splitmix64(state) ^ (stream * 0xd1342543de82ef95ULL);
        for (auto& word : words_) word = splitmix64(mixed);
    }

    constexpr std::uint64_t next() {
        const std::uint64_t result = rotate(words_[0] + words_[3], 23) + words_[0];
        const std::uint64_t t = words_[1] << 17;
        words_[2] ^= words_[0];
        words_[3] ^= words_[1];
        words_[1] ^= words_[2];
        words_[0] ^= words_[3];
        words_[2] ^= t;
        words_[3] = rotate(words_[3], 45);
        return result;
    }

    // Uniform in [0, bound); the bias is below bound / 2^64.
    constexpr std::uint32_t below(std::uint32_t bound) {
        return static_cast<std::uint32_t>((static_cast<unsigned __int128>(next()) * bound) >> 64);
    }

    // Uniform in [0, 1) with 53 bits.
    constexpr double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  private:
    static constexpr std::uint64_t rotate(std::uint64_t x, int k) {
        return (x << k) | (x >> (64 - k));
    }
    std::uint64_t words_[4]{};
};

}  // namespace riverboat
