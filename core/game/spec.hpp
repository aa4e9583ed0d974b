// A poker variant as plain data: seats, chips, betting, streets, deck, showdown.
//
// Seat 0 is the small blind, seat 1 the big blind, seats 2.. follow in their
// order of acting before the flop; the last seat has the button. With two
// players seat 0 is small blind and button. Amounts are whole chips.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "cards/card.hpp"

namespace riverboat {

using Chips = std::int64_t;

inline constexpr int kMaxPlayers = 10;
inline constexpr int kMaxStreets = 8;
inline constexpr int kMaxHole = 4;
inline constexpr int kMaxBoard = 9;
// High-on-black: four black board cards, all 26 red ones, then one more.
inline constexpr int kMaxRunStreets = 30;
inline constexpr int kMaxRunBoard = 31;
inline constexpr int kRiverBoard = 5;    // board cards from which on a black one ends the hand
inline constexpr int kMostRaises = 250;  // the largest possible cap
inline constexpr Chips kMostChips = 1'000'000'000'000;  // a stack; ten of them never overflow

enum class Betting : std::uint8_t { kNoLimit, kPotLimit, kFixedLimit };

// kHigh: best five of all cards. kOneCard: the highest hole card, by rank.
// kLeduc: a pair with the board first, then the rank. kHighOnBlack: as kHigh, after the first
// street from the river on whose last card is black; later streets are not dealt.
enum class Showdown : std::uint8_t { kHigh, kShortDeck, kOneCard, kLeduc, kHighOnBlack };

// What each live seat does between the deal of a street and its betting.
// kSwap: keep all, or swap one card for a hidden new one. kToss: put one card
// face up on the board.
enum class Discard : std::uint8_t { kNone, kSwap, kToss };

struct Street {
    static constexpr int kNoCap = std::numeric_limits<int>::max();  // never reached
    static constexpr int kUsual = -1;

    int hole = 0;   // private cards dealt to each seat at its start
    int board = 0;  // public cards dealt at its start
    Discard discard = Discard::kNone;
    Chips bet_size = 0;                // fixed limit only
    int max_raises = kNoCap;           // bets and raises on the street; blinds do not count
    int max_raises_per_seat = kNoCap;  // the same for each seat
    int first = kUsual;                // seat that opens the street
};

struct Rake {
    int basis_points = 0;  // hundredths of a per cent
    Chips cap = 0;         // at most this much a hand; 0 = no cap
    bool no_flop_no_drop = true;
};

struct GameSpec {
    int players = 2;
    int streets = 1;
    Betting betting = Betting::kNoLimit;
    Showdown showdown = Showdown::kHigh;
    std::array<Chips, kMaxPlayers> stacks{};
    std::array<Chips, kMaxPlayers> blinds{};
    std::array<Chips, kMaxPlayers> antes{};
    Chips min_bet = 0;  // minimum bet and minimum raise; 0 = the largest blind
    std::array<Street, kMaxRunStreets> street{};
    std::uint64_t deck = 0;  // a bit for each card
    Rake rake;
    bool open_folds = false;  // a seat may fold where a check is free

    // Set by compile().
    Chips big_blind = 0;  // the largest blind
    int hole_cards = 0;   // private cards of a seat over all streets
    int board_cards = 0;  // dealt to the board, without tossed cards
    int swaps = 0;        // streets with Discard::kSwap
    int tosses = 0;       // streets with Discard::kToss
    int slots = 0;        // cards that one hand can use
    std::array<int, kMaxRunStreets> first{};
    std::array<int, kMaxRunStreets> swaps_before{};

    bool runs_on() const { return showdown == Showdown::kHighOnBlack; }
    int button() const { return players == 2 ? 0 : players - 1; }
    int board_slot(int index) const { return players * hole_cards + index; }
    int swap_slot(int swap, int seat) const {
        return players * hole_cards + board_cards + swap * players + seat;
    }
};

// Throws GameError if the data is not a valid game; sets the derived fields.
void compile(GameSpec& spec);

// Throws GameError unless the stacks fit the game.
void check_stacks(const GameSpec& spec, const std::array<Chips, kMaxPlayers>& stacks);

}  // namespace riverboat
