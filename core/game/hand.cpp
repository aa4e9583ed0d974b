#include "game/hand.hpp"

#include <algorithm>

#include "game/pots.hpp"
#include "game/showdown.hpp"
#include "util/errors.hpp"

namespace riverboat {

Hand::Hand(const GameSpec& spec, const ChipsBySeat& stacks, const Cards& cards)
    : spec_(&spec), stacks_(stacks), starting_(stacks), cards_(cards) {
    live_ = with_chips_ = static_cast<Seats>((1u << spec.players) - 1);
    post();
    begin_street();
}

// ---- Betting ---------------------------------------------------------------

// Antes do not count as bets of the street. A short seat posts all its chips.
void Hand::post() {
    for (int seat = 0; seat < spec_->players; ++seat) {
        antes_[seat] = std::min(stacks_[seat], spec_->antes[seat]);
        stacks_[seat] -= antes_[seat];
        pot_ += antes_[seat];
        if (stacks_[seat] == 0) with_chips_ &= ~seat_bit(seat);
        pay(seat, std::min(stacks_[seat], spec_->blinds[seat]));
    }
    return_lone_ante();
    price_ = spec_->big_blind;
    price_unmet_ = *std::max_element(bets_.begin(), bets_.end()) < price_;
    raise_size_ = spec_->min_bet;
}

// If all other seats posted short antes, the part of an ante above them cannot be
// won: it is returned like an uncalled bet.
void Hand::return_lone_ante() {
    int top = 0;
    for (int seat = 1; seat < spec_->players; ++seat) {
        if (antes_[seat] > antes_[top]) top = seat;
    }
    Chips second = 0;
    for (int seat = 0; seat < spec_->players; ++seat) {
        if (seat == top) continue;
        if (antes_[seat] >= spec_->antes[seat]) return;
        second = std::max(second, antes_[seat]);
    }
    if (antes_[top] == second) return;
    const Chips excess = antes_[top] - second;
    antes_[top] -= excess;
    give_back(top, excess);
}

void Hand::give_back(int seat, Chips amount) {
    refund_seat_ = static_cast<std::int8_t>(seat);
    refund_ += amount;
    stacks_[seat] += amount;
    pot_ -= amount;
    with_chips_ |= seat_bit(seat);
}

void Hand::pay(int seat, Chips amount) {
    stacks_[seat] -= amount;
    bets_[seat] += amount;
    spent_[seat] += amount;
    pot_ += amount;
    if (stacks_[seat] == 0) with_chips_ &= ~seat_bit(seat);
}

// Chips that a call adds: at most the seat's stack, and (after a short big blind)
// at most what another live seat can put in.
Chips Hand::owed(int seat) const {
    Chips target = price_;
    if (price_unmet_) [[unlikely]] {
        Chips most = 0;
        for (int other = 0; other < spec_->players; ++other) {
            if (other != seat && is_live(other))
                most = std::max(most, bets_[other] + stacks_[other]);
        }
        target = std::min(target, most);
    }
    return std::clamp<Chips>(target - bets_[seat], 0, stacks_[seat]);
}

// Whether any other seat could respond to a bet above the price.
bool Hand::others_can_exceed_price(int seat) const {
    const Seats others = live_ & with_chips_ & ~seat_bit(seat);
    for (Seats rest = others; rest != 0; rest &= rest - 1) {
        const int other = std::countr_zero(rest);
        if (bets_[other] + stacks_[other] > price_) return true;
    }
    return false;
}

bool Hand::must_act(int seat) const {
    if (!(live_ & with_chips_ & seat_bit(seat))) return false;
    if (owed(seat) > 0) return true;
    return !(acted_ & seat_bit(seat)) && others_can_exceed_price(seat);
}

Chips Hand::full_raise() const {
    return spec_->betting == Betting::kFixedLimit ? spec_->street[street_].bet_size : raise_size_;
}

// A seat that has acted may raise again only if the price has since increased by
// a full raise (half a bet in fixed limit), in one or several steps.
bool Hand::reopened(int seat) const {
    if (!(acted_ & seat_bit(seat))) return true;
    const Chips increase = price_ - level_[seat];
    if (spec_->betting == Betting::kFixedLimit) return 2 * increase >= full_raise();
    return increase >= full_raise();
}

bool Hand::can_raise() const {
    if (phase_ != Phase::kBetting) return false;
    const Street& street = spec_->street[street_];
    return stacks_[actor_] > price_ - bets_[actor_] && others_can_exceed_price(actor_) &&
           raises_ < street.max_raises && raises_by_[actor_] < street.max_raises_per_seat &&
           reopened(actor_);
}

Chips Hand::min_raise_to() const {
    return std::min(price_ + full_raise(), bets_[actor_] + stacks_[actor_]);
}

Chips Hand::max_raise_to() const {
    const Chips all_in = bets_[actor_] + stacks_[actor_];
    if (spec_->betting == Betting::kNoLimit) return all_in;
    if (spec_->betting == Betting::kFixedLimit) return min_raise_to();
    const Chips pot_after_call = pot_ + price_ - bets_[actor_];
    return std::min(std::max(price_ + pot_after_call, min_raise_to()), all_in);
}

int Hand::next_to_act(int from) const {
    const int players = spec_->players;
    for (int step = 0, seat = from; step < players; ++step) {
        if (must_act(seat)) return seat;
        if (++seat == players) seat = 0;
    }
    return -1;
}

void Hand::fold() {
    live_ &= ~seat_bit(actor_);
    if (std::has_single_bit(live_)) {
        return_uncalled();
        finish();
        return;
    }
    after_bet();
}

void Hand::bet(Chips to) {
    raise_size_ = std::max(raise_size_, to - price_);  // a short all-in changes nothing
    pay(actor_, to - bets_[actor_]);
    price_ = to;
    price_unmet_ = false;
    ++raises_;
    ++raises_by_[actor_];
}

void Hand::after_bet() {
    acted_ |= seat_bit(actor_);
    level_[actor_] = price_;
    if (bets_[actor_] >= price_) price_unmet_ = false;
    const int next = next_to_act(actor_ + 1 == spec_->players ? 0 : actor_ + 1);
    if (next < 0) {
        end_street();
    } else {
        actor_ = static_cast<std::int8_t>(next);
    }
}

// ---- Discards --------------------------------------------------------------

// In the betting order of the street; all-in seats discard too.
int Hand::next_to_discard(int from) const {
    const Seats waiting = live_ & ~discarded_;
    for (int step = 0; step < spec_->players; ++step) {
        const int seat = (from + step) % spec_->players;
        if (waiting & seat_bit(seat)) return seat;
    }
    return -1;
}

bool Hand::allows_discard(Card card) const {
    const Card* cards = hole(actor_);
    const Card* end = cards + hole_count_[actor_];
    if (std::find(cards, end, card) != end) return true;
    return std::find(cards, end, kUnknownCard) != end && may_be_tossed(card);
}

// Whether a card that no seat is known to hold can be the unknown card that is
// tossed: it is tossed face up, so every seat can name it.
bool Hand::may_be_tossed(Card card) const {
    if (spec_->street[street_].discard != Discard::kToss || card >= kNumCards) return false;
    if (!(spec_->deck & card_bit(card))) return false;
    const auto dealt = cards_.begin() + spec_->slots;
    const auto board = board_.begin() + board_count_;
    return std::find(cards_.begin(), dealt, card) == dealt &&
           std::find(board_.begin(), board, card) == board;
}

void Hand::discard(Card card) {
    Card* cards = &cards_[actor_ * spec_->hole_cards];
    Card* const end = cards + hole_count_[actor_];
    Card* gone = std::find(cards, end, card);
    if (gone == end) gone = std::find(cards, end, kUnknownCard);
    if (spec_->street[street_].discard == Discard::kSwap) {
        *gone = cards_[spec_->swap_slot(spec_->swaps_before[street_], actor_)];
        return;
    }
    board_[board_count_++] = card;
    std::copy(gone + 1, cards + spec_->hole_cards, gone);
    --hole_count_[actor_];
}

void Hand::after_discard() {
    discarded_ |= seat_bit(actor_);
    const int next = next_to_discard(actor_);
    if (next < 0) {
        begin_betting();
    } else {
        actor_ = static_cast<std::int8_t>(next);
    }
}

// ---- Streets ---------------------------------------------------------------

void Hand::begin_street() {
    const Street& street = spec_->street[street_];
    for (int seat = 0; seat < spec_->players; ++seat) {
        hole_count_[seat] = static_cast<std::uint8_t>(hole_count_[seat] + street.hole);
    }
    for (int i = 0; i < street.board; ++i) {
        board_[board_count_++] = cards_[spec_->board_slot(board_dealt_++)];
    }
    if (street.discard == Discard::kNone) {
        begin_betting();
        return;
    }
    discarded_ = 0;
    phase_ = Phase::kDiscarding;
    actor_ = static_cast<std::int8_t>(next_to_discard(spec_->first[street_]));
}

void Hand::begin_betting() {
    phase_ = Phase::kBetting;
    const int next = next_to_act(spec_->first[street_]);
    if (next < 0) {
        end_street();
    } else {
        actor_ = static_cast<std::int8_t>(next);
    }
}

// Whether the street was the last one. With high-on-black an unknown last card counts as red.
bool Hand::ends_here() const {
    if (street_ + 1 == spec_->streets) return true;
    if (!spec_->runs_on() || board_count_ < kRiverBoard) return false;
    const Card last = board_[board_count_ - 1];
    return last != kUnknownCard && is_black(last);
}

void Hand::end_street() {
    return_uncalled();
    if (ends_here()) {
        finish();
        return;
    }
    ++street_;
    bets_ = {};
    level_ = {};
    raises_by_ = {};
    raises_ = 0;
    acted_ = 0;
    price_ = 0;
    price_unmet_ = false;
    raise_size_ = spec_->min_bet;
    begin_street();
}

// Returns what the highest bettor put in above all others.
void Hand::return_uncalled() {
    int top = 0;
    Chips second = 0;
    for (int seat = 1; seat < spec_->players; ++seat) {
        if (bets_[seat] > bets_[top]) {
            second = bets_[top];
            top = seat;
        } else {
            second = std::max(second, bets_[seat]);
        }
    }
    const Chips excess = bets_[top] - second;
    if (excess == 0) return;
    bets_[top] -= excess;
    spent_[top] -= excess;
    give_back(top, excess);
}

void Hand::finish() {
    phase_ = Phase::kFinished;
    settle();
}

void Hand::settle() {
    if (!finished() || settled_) return;
    std::array<std::uint32_t, kMaxPlayers> strengths{};
    if (!std::has_single_bit(live_)) {
        if (missing_for_showdown(*this) >= 0) return;
        for (int seat = 0; seat < spec_->players; ++seat) {
            if (is_live(seat)) strengths[seat] = showdown_strength(*this, seat);
        }
    }
    Pots pots = make_pots(*this);
    award(*this, strengths, pots);
    for (int i = 0; i < pots.count; ++i) {
        rake_ += pots.pot[i].rake;
        for (int seat = 0; seat < spec_->players; ++seat) stacks_[seat] += pots.pot[i].won[seat];
    }
    settled_ = true;
}

// ---- Actions ---------------------------------------------------------------

bool Hand::allows(const Action& action) const {
    if (phase_ == Phase::kBetting) {
        switch (action.kind) {
            case ActionKind::kFold: return to_call() > 0 || spec_->open_folds;
            case ActionKind::kCall: return to_call() > 0;
            case ActionKind::kCheck: return to_call() == 0;
            case ActionKind::kBet:
                return can_raise() && action.amount >= min_raise_to() &&
                       action.amount <= max_raise_to();
            default: return false;
        }
    }
    if (phase_ == Phase::kFinished) return false;
    if (action.kind == ActionKind::kStand) {
        return spec_->street[street_].discard == Discard::kSwap;
    }
    return action.kind == ActionKind::kDiscard && allows_discard(action.card);
}

void Hand::apply(const Action& action) {
    if (!allows(action)) [[unlikely]]
        throw IllegalActionError(refusal(action));
    apply_allowed(action);
}

void Hand::apply_allowed(const Action& action) {
    switch (action.kind) {
        case ActionKind::kFold: fold(); return;
        case ActionKind::kCall: pay(actor_, to_call()); break;
        case ActionKind::kCheck: break;
        case ActionKind::kBet: bet(action.amount); break;
        case ActionKind::kDiscard:
            discard(action.card);
            after_discard();
            return;
        case ActionKind::kStand: after_discard(); return;
    }
    after_bet();
}

}  // namespace riverboat
