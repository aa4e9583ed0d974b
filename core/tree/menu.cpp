#include "tree/menu.hpp"

#include <cmath>

namespace riverboat {
namespace {

constexpr double kTolerance = 1e-12;  // for comparisons that are exact in theory

// The amounts that sizes are shares of, for the actor of a hand.
struct Room {
    double price;
    double pot;     // after calling
    double all_in;  // the most that another seat can call

    explicit Room(const Hand& hand)
        : price(static_cast<double>(hand.price())),
          pot(static_cast<double>(hand.pot() + hand.to_call())) {
        const int actor = hand.actor();
        Chips others = 0;
        for (int seat = 0; seat < hand.spec().players; ++seat) {
            if (seat == actor || !hand.is_live(seat)) continue;
            others = std::max(others, hand.bet(seat) + hand.stack(seat));
        }
        all_in = static_cast<double>(std::min(others, hand.bet(actor) + hand.stack(actor)));
    }

    double above(double share) const { return price + std::round(share * pot); }
};

double geometric_share(const Room& room, const Hand& hand, double bets) {
    const int left = hand.spec().streets - hand.street();
    const double raises_before = std::max(hand.raises() - 1, 0);
    const double count = std::max((bets > 0 ? bets : left) - raises_before, 1.0);
    if (room.pot <= 0) return 0;
    return (std::pow(2 * (room.all_in - room.price) / room.pot + 1, 1 / count) - 1) / 2;
}

// The size in chips in on this street, before the bounds of the rules.
double wanted_amount(const BetSize& size, const Hand& hand, const Room& room) {
    const GameSpec& spec = hand.spec();
    // Games with antes only count in minimum bets.
    const auto big_blind = static_cast<double>(spec.big_blind > 0 ? spec.big_blind : spec.min_bet);
    switch (size.kind) {
        case BetSize::Kind::kMin: return static_cast<double>(hand.min_raise_to());
        case BetSize::Kind::kPot: return room.price + size.value * room.pot;
        case BetSize::Kind::kMultiple:
            return size.value * (room.price > 0 ? room.price : big_blind);
        case BetSize::Kind::kBigBlinds: return size.value * big_blind;
        case BetSize::Kind::kGeometric:
            return room.price + geometric_share(room, hand, size.value) * room.pot;
        case BetSize::Kind::kAllIn: break;
    }
    return static_cast<double>(hand.max_raise_to());
}

// Turns a bet that would leave too little behind into all-in.
Chips forced(Chips amount, const MenuRules& rules, const Hand& hand, const Room& room) {
    const Chips added = amount - hand.bet(hand.actor());
    const auto rest = static_cast<double>(hand.stack(hand.actor()) - added);
    const auto pot = static_cast<double>(hand.pot() + added);
    if (rest < rules.force * pot) return hand.max_raise_to();
    const auto to = static_cast<double>(amount);
    const double called = room.pot + 2 * (to - room.price);
    const bool little = room.all_in - to <= std::round(rules.force_called * called);
    return rules.force_called > 0 && little ? hand.max_raise_to() : amount;
}

// Removes amounts that are near the next larger remaining one.
void merge_near(std::vector<Chips>& amounts, double near, const Room& room) {
    if (near <= 0 || amounts.empty()) return;
    std::vector<Chips> kept{amounts.back()};
    for (auto amount = amounts.rbegin() + 1; amount != amounts.rend(); ++amount) {
        const double large = room.pot + static_cast<double>(kept.back()) - room.price;
        const double small = room.pot + static_cast<double>(*amount) - room.price;
        if (large > (1 + near) * small * (1 + kTolerance)) kept.push_back(*amount);
    }
    amounts.assign(kept.rbegin(), kept.rend());
}

bool is_small_blind(const Hand& hand) {
    const Chips blind = hand.spec().blinds[hand.actor()];
    return blind > 0 && blind < hand.spec().big_blind;
}

// The sizes for the actor; empty if the actor may not bet.
const Sizes* sizes_for(const StreetMenu& street, const Hand& hand, bool called) {
    if (!hand.can_raise() || hand.raises() >= street.max_raises ||
        hand.raises_by(hand.actor()) >= street.max_raises_per_seat || street.by_depth.empty()) {
        return nullptr;
    }
    if (called && street.donk) return &*street.donk;
    const bool first = hand.street() == 0 && hand.raises() == 0;
    if (first && street.small_blind && is_small_blind(hand)) return &*street.small_blind;
    const bool opens = hand.actor() == hand.spec().first[hand.street()];
    const auto& depths = opens || street.in_position.empty() ? street.by_depth : street.in_position;
    return &depths[std::min<std::size_t>(hand.raises(), depths.size() - 1)];
}

bool may_limp(Limp limp, const Hand& hand) {
    return limp == Limp::kAnyone || (limp == Limp::kSmallBlind && is_small_blind(hand));
}

// Players other than the actor who are in the pot: with the price, more than the big blind, or
// all chips in.
int entered(const Hand& hand) {
    const Chips enough = std::min(hand.price(), hand.spec().big_blind + 1);
    int count = 0;
    for (int seat = 0; seat < hand.spec().players; ++seat) {
        if (seat == hand.actor() || !hand.is_live(seat)) continue;
        count += hand.bet(seat) >= enough || hand.stack(seat) == 0;
    }
    return count;
}

}  // namespace

bool menu_calls(const BetMenu& menu, const Hand& hand) {
    const StreetMenu& street = menu.streets.front();
    if (hand.street() > 0 || hand.to_call() == 0 || !street.limits_entry()) return true;
    if (hand.raises() == 0 && !may_limp(street.limp, hand)) return false;
    return hand.bet(hand.actor()) > hand.spec().big_blind || entered(hand) < street.most_to_flop;
}

std::vector<Chips> menu_amounts(const BetMenu& menu, const Hand& hand, bool called) {
    const Sizes* sizes = sizes_for(menu.street(hand.street()), hand, called);
    if (sizes == nullptr) return {};
    const Chips least = hand.min_raise_to(), most = hand.max_raise_to();
    if (hand.spec().betting == Betting::kFixedLimit) {
        return sizes->empty() ? std::vector<Chips>{} : std::vector<Chips>{least};
    }
    const MenuRules& rules = menu.rules;
    const Room room(hand);
    std::vector<Chips> amounts;
    for (const BetSize& size : *sizes) {
        // Bounded before the cast: a huge multiple may overflow an integer.
        const double wanted = std::floor(wanted_amount(size, hand, room) + 0.5);
        const double allowed =
            std::clamp(wanted, static_cast<double>(least), static_cast<double>(most));
        if (allowed != wanted && size.kind == BetSize::Kind::kBigBlinds) continue;
        amounts.push_back(forced(static_cast<Chips>(allowed), rules, hand, room));
    }
    const bool reaches = static_cast<double>(most) >= room.all_in;
    if (rules.add > 0 && reaches && room.all_in <= room.above(rules.add)) amounts.push_back(most);
    std::sort(amounts.begin(), amounts.end());
    amounts.erase(std::unique(amounts.begin(), amounts.end()), amounts.end());
    merge_near(amounts, rules.near, room);
    return amounts;
}

}  // namespace riverboat
