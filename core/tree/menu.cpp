#include "tree/menu.hpp"

#include <algorithm>
#include <cmath>

namespace riverboat {
namespace {

// What the size comes to before the rules' bounds, in chips on this street.
double wanted_amount(const BetSize& size, const Hand& hand) {
    const auto price = static_cast<double>(hand.price());
    const GameSpec& spec = hand.spec();
    // Games with antes only count in least bets.
    const auto big_blind = static_cast<double>(spec.big_blind > 0 ? spec.big_blind : spec.min_bet);
    switch (size.kind) {
        case BetSize::Kind::kMin: return static_cast<double>(hand.min_raise_to());
        case BetSize::Kind::kPot:
            return price + size.value * static_cast<double>(hand.pot() + hand.to_call());
        case BetSize::Kind::kMultiple: return size.value * (price > 0 ? price : big_blind);
        case BetSize::Kind::kBigBlinds: return size.value * big_blind;
        case BetSize::Kind::kAllIn: break;
    }
    return static_cast<double>(hand.max_raise_to());
}

// Makes a bet all-in that would leave too little behind.
Chips merged(Chips amount, const BetMenu& menu, const Hand& hand) {
    const Chips added = amount - hand.bet(hand.actor());
    const auto rest = static_cast<double>(hand.stack(hand.actor()) - added);
    const auto pot = static_cast<double>(hand.pot() + added);
    return rest < menu.all_in_below * pot ? hand.max_raise_to() : amount;
}

}  // namespace

std::vector<Chips> menu_amounts(const BetMenu& menu, const Hand& hand) {
    const StreetMenu& street = menu.street(hand.street());
    if (!hand.can_raise() || hand.raises() >= street.max_raises ||
        hand.raises_by(hand.actor()) >= street.max_raises_per_seat || street.by_depth.empty()) {
        return {};
    }
    const Chips least = hand.min_raise_to(), most = hand.max_raise_to();
    const auto depth = std::min<std::size_t>(hand.raises(), street.by_depth.size() - 1);
    const std::vector<BetSize>& sizes = street.by_depth[depth];
    if (hand.spec().betting == Betting::kFixedLimit && !sizes.empty()) return {least};
    std::vector<Chips> amounts;
    for (const BetSize& size : sizes) {
        // Bounded before the cast: a huge multiple may be more than an integer holds.
        const double wanted = std::floor(wanted_amount(size, hand) + 0.5);
        const double allowed =
            std::clamp(wanted, static_cast<double>(least), static_cast<double>(most));
        if (allowed != wanted && size.kind == BetSize::Kind::kBigBlinds) continue;
        amounts.push_back(merged(static_cast<Chips>(allowed), menu, hand));
    }
    std::sort(amounts.begin(), amounts.end());
    amounts.erase(std::unique(amounts.begin(), amounts.end()), amounts.end());
    return amounts;
}

}  // namespace riverboat
