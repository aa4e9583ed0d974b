// Bet menus: the bets that a solver considers, out of all legal ones.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "game/hand.hpp"

namespace riverboat {

// One bet or raise of a menu.
struct BetSize {
    enum class Kind : std::uint8_t {
        kMin,        // the minimum bet or raise
        kPot,        // `value` of the pot after calling, on top of the price
        kMultiple,   // to `value` times the price, or times the big blind where there is no bet
        kBigBlinds,  // to `value` big blinds (minimum bets if there are no blinds) on this street
        kAllIn,
        kGeometric,  // so that `value` bets of one share of the pot put all chips in; 0: a bet on
                     // each street that is left. Raises count: one bet fewer for each re-raise
    };
    Kind kind = Kind::kMin;
    double value = 0;
};

using Sizes = std::vector<BetSize>;

// Who may call the big blind before anyone has raised.
enum class Limp : std::uint8_t { kAnyone, kSmallBlind, kNobody };

// Sizes of one street: by_depth[k] after k bets or raises on the street; the last
// entry also applies to all greater depths. No sizes: no bets.
struct StreetMenu {
    std::vector<Sizes> by_depth;
    std::vector<Sizes> in_position;   // of the player who does not open the street; empty: the same
    std::optional<Sizes> donk;        // first bets after calling the last bet of the street before
    int max_raises = Street::kNoCap;  // on top of the game's own caps
    int max_raises_per_seat = Street::kNoCap;
    // The rest is of the first street, for three or more players.
    std::optional<Sizes> small_blind;  // first bets of the small blind
    Limp limp = Limp::kAnyone;
    int most_to_flop = kMaxPlayers;

    bool limits_entry() const { return limp != Limp::kAnyone || most_to_flop < kMaxPlayers; }
    bool for_many() const { return small_blind || limits_entry(); }
    bool by_position() const { return !in_position.empty() || donk; }
};

// Shares of a pot. P is the pot after calling.
struct MenuRules {
    double force = 0;         // a bet that leaves less than this of the pot becomes all-in
    double force_called = 0;  // the same for at most this of the pot after a call
    double add = 0;           // all-in is added if it is at most this of P above the price
    double near = 0;          // of two bets x > y, y is removed if (P + x) / (P + y) <= 1 + near
};

struct BetMenu {
    std::vector<StreetMenu> streets;  // the last entry also applies to all later streets
    MenuRules rules;
    bool recall_raises = false;  // infosets remember the streets raised on, not the line

    const StreetMenu& street(int index) const {
        return streets[std::min<std::size_t>(index, streets.size() - 1)];
    }
};

// Amounts (raise to, ascending, different) that the menu offers the actor; `called`: the last
// action of the hand was the actor's call, on the street before. A fixed-limit game has one size,
// whatever sizes the menu names. Sizes relative to pot or price below the minimum raise become the
// minimum raise, those above the stack all-in; sizes in big blinds that are not legal are left out.
std::vector<Chips> menu_amounts(const BetMenu& menu, const Hand& hand, bool called);

// Whether the menu lets the actor call. Its rules `limp` and `flop` refuse a limp, and the call of
// a player who has at most the big blind in and would be one too many at the flop.
bool menu_calls(const BetMenu& menu, const Hand& hand);

}  // namespace riverboat
