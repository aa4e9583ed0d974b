#include "game/spec.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "util/errors.hpp"

namespace riverboat {
namespace {

using std::to_string;

void require(bool good, const std::string& sentence) {
    if (!good) throw GameError(sentence);
}

void require_between(Chips value, Chips low, Chips high, const std::string& what) {
    require(value >= low && value <= high, what + " must be between " + to_string(low) + " and " +
                                               to_string(high) + ", not " + to_string(value));
}

void check_chips(const GameSpec& spec) {
    for (int seat = 0; seat < spec.players; ++seat) {
        const std::string of_seat = " of seat " + to_string(seat);
        require_between(spec.blinds[seat], 0, kMostChips, "the blind" + of_seat);
        require_between(spec.antes[seat], 0, kMostChips, "the ante" + of_seat);
    }
    require_between(spec.min_bet, 0, kMostChips, "the minimum bet");
    require_between(spec.rake.basis_points, 0, 10000, "the rake in hundredths of a per cent");
    require_between(spec.rake.cap, 0, kMostChips, "the cap of the rake");
    check_stacks(spec, spec.stacks);
}

void check_street(const GameSpec& spec, int index) {
    const Street& street = spec.street[index];
    const std::string of_street = " of street " + to_string(index);
    require_between(street.hole, 0, kMaxHole, "the number of hole cards" + of_street);
    require_between(street.board, 0, kMaxBoard, "the number of board cards" + of_street);
    require_between(street.first, Street::kUsual, spec.players - 1, "the first seat" + of_street);
    for (const int cap : {street.max_raises, street.max_raises_per_seat}) {
        if (cap != Street::kNoCap)
            require_between(cap, 0, kMostRaises, "the raise cap" + of_street);
    }
    if (spec.betting == Betting::kFixedLimit) {
        require_between(street.bet_size, 1, kMostChips, "the bet size" + of_street);
    }
}

// The default first seat: after the largest blind on the first street; then left
// of the button, which is seat 0, and seat 1 when two play with blinds.
int usual_first(const GameSpec& spec, int street) {
    if (spec.big_blind == 0) return 0;
    if (street > 0) return spec.players == 2 ? 1 : 0;
    int last = 0;
    for (int seat = 0; seat < spec.players; ++seat) {
        if (spec.blinds[seat] == spec.big_blind) last = seat;
    }
    return (last + 1) % spec.players;
}

void count_cards(GameSpec& spec) {
    spec.hole_cards = spec.board_cards = spec.swaps = spec.tosses = 0;
    for (int i = 0; i < spec.streets; ++i) {
        spec.hole_cards += spec.street[i].hole;
        spec.board_cards += spec.street[i].board;
        spec.swaps_before[i] = spec.swaps;
        spec.swaps += spec.street[i].discard == Discard::kSwap;
        spec.tosses += spec.street[i].discard == Discard::kToss;
        require(spec.street[i].discard == Discard::kNone || spec.hole_cards - spec.tosses > 0,
                "street " + to_string(i) + " has a discard but no hole card is left for it");
    }
    spec.slots = spec.players * (spec.hole_cards + spec.swaps) + spec.board_cards;
}

void check_cards(const GameSpec& spec) {
    require_between(spec.hole_cards, 1, kMaxHole, "the number of hole cards of a seat");
    const int most_board = spec.board_cards + spec.tosses * spec.players;
    require_between(most_board, 0, spec.runs_on() ? kMaxRunBoard : kMaxBoard,
                    "the number of board cards");
    const int deck = std::popcount(spec.deck);
    require(spec.deck >> kNumCards == 0, "the deck holds a card that does not exist");
    require(spec.slots <= deck, "the hand needs " + to_string(spec.slots) +
                                    " cards but the deck has " + to_string(deck));
}

void check_showdown(const GameSpec& spec) {
    const int hole = spec.hole_cards - spec.tosses;
    if (spec.showdown == Showdown::kOneCard || spec.showdown == Showdown::kLeduc) {
        require(hole == 1, "this showdown compares one hole card, not " + to_string(hole));
        const int board = spec.showdown == Showdown::kLeduc ? 1 : 0;
        require(spec.board_cards == board && spec.tosses == 0,
                "this showdown needs " + to_string(board) + " board cards, not " +
                    to_string(spec.board_cards));
        return;
    }
    const int fewest = hole + spec.board_cards + spec.tosses * 2;
    const int most = hole + spec.board_cards + spec.tosses * spec.players;
    if (spec.runs_on()) {
        require(spec.board_cards >= kRiverBoard && spec.swaps + spec.tosses == 0,
                "the high-on-black showdown needs at least 5 board cards and no discards");
        return;
    }
    require(fewest >= 5 && most <= 9,
            "a showdown of five-card hands needs 5 to 9 cards a seat, not " +
                to_string(fewest < 5 ? fewest : most));
    const std::uint64_t below_six = (std::uint64_t{1} << 16) - 1;
    require(spec.showdown != Showdown::kShortDeck || (spec.deck & below_six) == 0,
            "the short-deck showdown needs a deck that starts at the six");
}

}  // namespace

void check_stacks(const GameSpec& spec, const std::array<Chips, kMaxPlayers>& stacks) {
    for (int seat = 0; seat < spec.players; ++seat) {
        require_between(stacks[seat], 1, kMostChips, "the stack of seat " + to_string(seat));
    }
}

void compile(GameSpec& spec) {
    require_between(spec.players, 2, kMaxPlayers, "the number of players");
    require_between(spec.streets, 1, spec.runs_on() ? kMaxRunStreets : kMaxStreets,
                    "the number of streets");
    check_chips(spec);
    for (int i = 0; i < spec.streets; ++i) check_street(spec, i);
    count_cards(spec);
    check_cards(spec);
    check_showdown(spec);
    spec.big_blind = *std::max_element(spec.blinds.begin(), spec.blinds.begin() + spec.players);
    if (spec.min_bet == 0) spec.min_bet = spec.big_blind;
    require(spec.min_bet > 0 || spec.betting == Betting::kFixedLimit,
            "a game without blinds needs a minimum bet of at least 1");
    for (int i = 0; i < spec.streets; ++i) {
        const int first = spec.street[i].first;
        spec.first[i] = first == Street::kUsual ? usual_first(spec, i) : first;
    }
}

}  // namespace riverboat
