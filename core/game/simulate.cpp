#include "game/simulate.hpp"

#include "game/deal.hpp"

namespace riverboat {
namespace {

Action random_discard(const Hand& hand, Random& random) {
    const int seat = hand.actor();
    const bool may_stand = hand.spec().street[hand.street()].discard == Discard::kSwap;
    const auto choices = static_cast<std::uint32_t>(hand.hole_count(seat) + (may_stand ? 1 : 0));
    const auto choice = static_cast<int>(random.below(choices));
    if (choice == hand.hole_count(seat)) return {ActionKind::kStand};
    return {ActionKind::kDiscard, hand.hole(seat)[choice], 0};
}

// Uniform in [low, high]; the bias is below (high - low) / 2^64.
Chips between(Chips low, Chips high, Random& random) {
    const auto range = static_cast<std::uint64_t>(high - low) + 1;
    return low + static_cast<Chips>((static_cast<unsigned __int128>(random.next()) * range) >> 64);
}

void add_hand(const Hand& hand, Simulation& total) {
    ++total.hands;
    total.showdowns += !std::has_single_bit(hand.live());
    total.rake += hand.rake();
    for (int seat = 0; seat < hand.spec().players; ++seat) {
        total.payoffs[seat] += hand.payoff(seat);
        std::uint64_t state = total.checksum ^ static_cast<std::uint64_t>(hand.payoff(seat));
        total.checksum = splitmix64(state);
    }
}

}  // namespace

Action random_action(const Hand& hand, Random& random) {
    if (hand.phase() == Phase::kDiscarding) return random_discard(hand, random);
    const bool free = hand.to_call() == 0;
    const bool can_raise = hand.can_raise();
    // Kinds in the order call, raise, fold.
    const std::uint32_t kinds = 1 + (can_raise ? 1 : 0) + (free ? 0 : 1);
    const std::uint32_t kind = kinds == 1 ? 0 : random.below(kinds);
    if (kind == 0) return {free ? ActionKind::kCheck : ActionKind::kCall};
    if (kind == 2 || !can_raise) return {ActionKind::kFold};
    return {ActionKind::kBet, kUnknownCard,
            between(hand.min_raise_to(), hand.max_raise_to(), random)};
}

Simulation simulate(const GameSpec& spec, std::int64_t hands, std::uint64_t seed) {
    Simulation total;
    Random random(seed);
    Cards deck;
    deck.fill(kUnknownCard);
    const int size = list_deck(spec, deck);
    for (std::int64_t i = 0; i < hands; ++i) {
        deal_all(spec, size, random, deck);
        Hand hand(spec, spec.stacks, deck);
        while (!hand.finished()) {
            hand.apply_allowed(random_action(hand, random));
            ++total.actions;
        }
        add_hand(hand, total);
    }
    return total;
}

}  // namespace riverboat
