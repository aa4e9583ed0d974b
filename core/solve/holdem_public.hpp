// Public deals of hold'em: the board is drawn, the hands are all hole pairs
// that do not touch it (1,081 on a board of five).
//
// The hands of a deal stand in ascending order of strength, so that a showdown
// is one walk up the vector. Hands that share a card with mine are taken out
// through sums by card (inclusion and exclusion), in O(hands) for all.
#pragma once

#include "solve/holdem_dealer.hpp"
#include "solve/public_deal.hpp"

namespace riverboat {

class HoldemPublicDealer : public PublicDealer {
  public:
    // With the tables and the recall of the dealer of single deals. Throws GameError unless the
    // game has two players and no swaps.
    HoldemPublicDealer(std::shared_ptr<const Tree> tree, const HoldemDealer& dealer);

    std::unique_ptr<PublicDeal> start() const override;

  private:
    class Board;

    std::shared_ptr<const Tree> tree_;
    std::vector<BucketTable> tables_;
    bool recall_;
    std::vector<int> board_counts_;  // cards on the board, by street
};

}  // namespace riverboat
