#include "game/pots.hpp"

#include <algorithm>
#include <limits>

namespace riverboat {
namespace {

constexpr Chips kAll = std::numeric_limits<Chips>::max();

// Chips of one layer, won by one of `eligible`; equal claims share a pot.
void add_layer(Pots& pots, Chips amount, Seats eligible) {
    if (amount == 0) return;
    if (pots.count == 0 || pots.pot[pots.count - 1].eligible != eligible) {
        pots.pot[pots.count++] = Pot{0, 0, eligible, 0, {}};
    }
    pots.pot[pots.count - 1].amount += amount;
}

// Splits `paid` into layers at the live seats' claims, lowest first.
void add_layers(const Hand& hand, const ChipsBySeat& paid, const ChipsBySeat& claims,
                Seats eligible, Pots& pots) {
    const int players = hand.spec().players;
    Chips below = 0;
    for (;;) {
        Chips level = kAll;
        for (int seat = 0; seat < players; ++seat) {
            if (eligible & seat_bit(seat)) level = std::min(level, claims[seat]);
        }
        Seats above = 0;
        for (int seat = 0; seat < players; ++seat) {
            if ((eligible & seat_bit(seat)) && claims[seat] > level) above |= seat_bit(seat);
        }
        if (above == 0) level = kAll;  // chips that no live seat matches stay in the last pot
        Chips amount = 0;
        for (int seat = 0; seat < players; ++seat) {
            amount += std::max<Chips>(0, std::min(paid[seat], level) - below);
        }
        add_layer(pots, amount, eligible);
        if (above == 0) return;
        eligible = above;
        below = level;
    }
}

Seats best_of(Seats eligible, const std::array<std::uint32_t, kMaxPlayers>& strengths) {
    Seats winners = 0;
    std::uint32_t best = 0;
    for (int seat = 0; seat < kMaxPlayers; ++seat) {
        if (!(eligible & seat_bit(seat))) continue;
        if (winners == 0 || strengths[seat] > best) {
            best = strengths[seat];
            winners = 0;
        }
        if (strengths[seat] == best) winners |= seat_bit(seat);
    }
    return winners;
}

// The rake of a total, in whole chips, rounded down.
Chips rake_of(const Hand& hand, Chips total) {
    const Rake& rake = hand.spec().rake;
    if (rake.basis_points == 0 || (rake.no_flop_no_drop && hand.board_count() == 0)) return 0;
    const Chips taken =
        total / 10000 * rake.basis_points + total % 10000 * rake.basis_points / 10000;
    return rake.cap > 0 ? std::min(taken, rake.cap) : taken;
}

void divide(const Hand& hand, Pot& pot) {
    const int players = hand.spec().players;
    const int winners = std::popcount(pot.winners);
    const Chips amount = pot.amount - pot.rake;
    Chips odd = amount % winners;
    for (int step = 1; step <= players; ++step) {
        const int seat = (hand.spec().button() + step) % players;
        if (!(pot.winners & seat_bit(seat))) continue;
        pot.won[seat] = amount / winners + (odd > 0 ? 1 : 0);
        if (odd > 0) --odd;
    }
}

}  // namespace

Pots make_pots(const Hand& hand) {
    const GameSpec& spec = hand.spec();
    ChipsBySeat antes{}, spent{}, ante_claims{}, claims{};
    Seats short_antes = 0;
    Chips total_antes = 0;
    for (int seat = 0; seat < spec.players; ++seat) {
        antes[seat] = hand.ante(seat);
        spent[seat] = hand.spent(seat);
        claims[seat] = hand.finished() || hand.stack(seat) == 0 ? spent[seat] : kAll;
        total_antes += antes[seat];
        const bool full = antes[seat] >= spec.antes[seat] || hand.refund_seat() == seat;
        ante_claims[seat] = full ? kAll : antes[seat];
        if (!full) short_antes |= seat_bit(seat);
    }
    Pots pots;
    if (total_antes > 0) add_layers(hand, antes, ante_claims, hand.live(), pots);
    const Seats betting = hand.live() & ~short_antes;
    if (betting != 0) add_layers(hand, spent, claims, betting, pots);
    return pots;
}

void award(const Hand& hand, const std::array<std::uint32_t, kMaxPlayers>& strengths, Pots& pots) {
    Chips total = 0;
    for (int i = 0; i < pots.count; ++i) {
        Pot& pot = pots.pot[i];
        pot.rake = rake_of(hand, total + pot.amount) - rake_of(hand, total);
        total += pot.amount;
        pot.winners = best_of(pot.eligible, strengths);
        divide(hand, pot);
    }
}

}  // namespace riverboat
