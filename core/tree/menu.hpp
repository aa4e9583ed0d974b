// Which bets a solver may consider, of the many that the rules allow.
#pragma once

#include <algorithm>
#include <vector>

#include "game/hand.hpp"

namespace riverboat {

// One bet or raise of a menu.
struct BetSize {
    enum class Kind : std::uint8_t {
        kMin,        // the least that the rules allow
        kPot,        // `value` of the pot after calling, on top of the price
        kMultiple,   // to `value` times the price, or times the big blind where there is no bet
        kBigBlinds,  // to `value` big blinds (least bets where there are no blinds) on this street
        kAllIn,
    };
    Kind kind = Kind::kMin;
    double value = 0;
};

// Sizes of one street: by_depth[k] once there were k bets or raises on the
// street; the last entry serves for all greater depths. No sizes: no bets.
struct StreetMenu {
    std::vector<std::vector<BetSize>> by_depth;
    int max_raises = Street::kNoCap;  // on top of the game's own caps
    int max_raises_per_seat = Street::kNoCap;
};

struct BetMenu {
    std::vector<StreetMenu> streets;  // the last entry serves for all later streets
    // A bet that leaves less than this part of the pot behind becomes all-in.
    double all_in_below = 0;

    const StreetMenu& street(int index) const {
        return streets[std::min<std::size_t>(index, streets.size() - 1)];
    }
};

// Amounts (raise to, ascending, different) that the menu offers the actor. A
// fixed-limit game has one size, whatever sizes the menu names. Sizes relative to pot
// or price that fall below the least raise become it, those above the stack
// all-in; sizes in big blinds that are not allowed are left out.
std::vector<Chips> menu_amounts(const BetMenu& menu, const Hand& hand);

}  // namespace riverboat
