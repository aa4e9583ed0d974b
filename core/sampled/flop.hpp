// The flop of a spot: a row of regrets and of the average strategy for every hand.
//
// Rows have a number for each hand, side by side.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sampled/boards.hpp"
#include "sampled/rows.hpp"
#include "sampled/shape.hpp"

namespace riverboat::sampled {

// Rows of floats: zero at first, aligned for vectors.
class Rows {
  public:
    Rows() = default;
    Rows(std::size_t rows, std::size_t stride)
        : stride_(stride), numbers_(rows * stride / kLanes) {}
    float* operator[](std::size_t row) {
        return reinterpret_cast<float*>(numbers_.data()) + row * stride_;
    }
    const float* operator[](std::size_t row) const {
        return reinterpret_cast<const float*>(numbers_.data()) + row * stride_;
    }
    float* data() { return (*this)[0]; }
    const float* data() const { return (*this)[0]; }
    std::size_t size() const { return numbers_.size() * kLanes; }
    std::size_t stride() const { return stride_; }
    std::size_t bytes() const { return numbers_.bytes(); }

  private:
    std::size_t stride_ = 0;
    LaneArray numbers_;
};

class Flop {
  public:
    Flop(const Tree& tree, const Shape& shape, const FlopBoards& boards);

    enum class Play { kCurrent, kAverage };

    // Reaches of all sequences of a player under a strategy.
    void walk_down(int player, Play play);
    // Values from those of the exits, then the update of regrets and average.
    // `iteration` counts from 1.
    void walk_up(int player, std::int64_t iteration);
    // Values from those of the exits, added to the sums of values.
    void sum_up(int player);
    void clear_sums();

    // A player's reach of a sequence, and the row for the values of an end.
    const float* reach(int player, int sequence) const { return side_[player].reach[sequence]; }
    float* end_values(int player, int end) { return side_[player].values[end_node_[end]]; }

    const Shape& shape() const { return shape_; }
    Rows& regrets(int player) { return side_[player].regrets; }
    Rows& average(int player) { return side_[player].average; }
    const Rows& regrets(int player) const { return side_[player].regrets; }
    const Rows& average(int player) const { return side_[player].average; }
    const Rows& sums(int player) const { return side_[player].sums; }  // [nodes]
    std::uint64_t bytes() const;
    // What bytes() will be.
    static std::uint64_t bytes_for(const Shape& shape, const FlopBoards& boards);

    // Keeps the strategy of a decision: [actions][hands].
    void lock(const StreetNode& decision, std::span<const float> strategy);

  private:
    struct Side {
        Rows regrets, average, strategy;  // [entries]
        Rows reach;                       // [sequences]
        Rows values, sums;                // [nodes]
    };

    void fill_fold(int player, int end);
    void fill_values(int player);
    void add_up(int player, std::size_t index);
    void learn(int player, const StreetNode& node, std::size_t index, std::int64_t iteration);

    const Shape& shape_;
    const FlopBoards& boards_;
    std::array<Side, 2> side_;
    std::vector<bool> locked_;                        // by node of the shape
    std::vector<std::int32_t> end_node_;              // node of the shape
    std::array<std::vector<float>, 2> fold_payoffs_;  // [ends]
};

}  // namespace riverboat::sampled
