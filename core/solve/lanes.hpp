// All deals of a small game side by side: one lane a deal.
//
// A full-width walk visits each public node once and carries a vector with one
// number per deal, instead of walking the tree once per deal.
#pragma once

#include <vector>

#include "solve/deal.hpp"

namespace riverboat {

class Lanes {
  public:
    Lanes(const Tree& tree, const EnumeratedDealer& dealer);

    std::size_t size() const { return weights_.size(); }
    const std::vector<double>& weights() const { return weights_; }  // probabilities of the deals

    // Bucket of each lane at the nodes of a group.
    const std::uint32_t* buckets(int group) const { return &buckets_[group * size()]; }

    // out[lane] = factor[lane] * what the terminal pays the player there, chips.
    void pay(std::int32_t terminal, int player, const double* factor, double* out) const;

  private:
    const Tree& tree_;
    std::size_t num_lines_;
    std::vector<double> weights_;
    std::vector<std::uint32_t> buckets_;  // [groups, lanes]
    std::vector<std::uint8_t> outcomes_;  // two players: [lines, lines, lanes], 0 1 2
    std::vector<Deal> deals_;             // more players
};

// Rows of lanes, one per action, handed out and taken back like a stack: a
// recursion needs no allocation of its own.
class LaneStack {
  public:
    explicit LaneStack(std::size_t lanes) : lanes_(lanes) {}

    class Frame {
      public:
        Frame(LaneStack& stack, std::size_t rows) : stack_(stack), depth_(stack.depth_++) {
            if (stack_.blocks_.size() <= depth_) stack_.blocks_.emplace_back();
            auto& block = stack_.blocks_[depth_];
            if (block.size() < rows * stack_.lanes_) block.resize(rows * stack_.lanes_);
            data_ = block.data();
        }
        ~Frame() { --stack_.depth_; }
        Frame(const Frame&) = delete;
        Frame& operator=(const Frame&) = delete;
        double* row(std::size_t index) { return data_ + index * stack_.lanes_; }

      private:
        LaneStack& stack_;
        std::size_t depth_;
        double* data_;
    };

  private:
    std::size_t lanes_;
    std::size_t depth_ = 0;
    std::vector<std::vector<double>> blocks_;
};

}  // namespace riverboat
