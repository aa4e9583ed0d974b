#include "game/line.hpp"

#include "cards/text.hpp"
#include "util/errors.hpp"

namespace riverboat {
namespace {

constexpr std::size_t kMostDigits = 13;  // enough for kMostChips

bool is_digit(char c) { return c >= '0' && c <= '9'; }

[[noreturn]] void refuse(std::string_view token) {
    throw IllegalActionError(
        "'" + clipped(token, 12) +
        "' is not an action: write k (check), c (call), f (fold), b and an amount such as b25 (bet or "
        "raise to 25), s (stand pat) or d and a card such as dAh (discard)");
}

// The text up to the end of the street, for error messages.
std::string_view token_at(std::string_view text, std::size_t at) {
    const std::size_t end = text.find('/', at + 1);
    return text.substr(at, end == std::string_view::npos ? end : end - at);
}

Action read_bet(const Hand* hand, std::string_view text, std::size_t& at) {
    const std::size_t start = at;
    const bool is_bet = text[at++] == 'b';
    const std::size_t digits = at;
    Chips amount = 0;
    while (at < text.size() && is_digit(text[at]) && at - digits < kMostDigits) {
        amount = 10 * amount + (text[at++] - '0');
    }
    const bool bare = at == digits;
    if (at < text.size() && is_digit(text[at])) refuse(token_at(text, start));
    if (!bare && is_bet) return {ActionKind::kBet, kUnknownCard, amount};
    // Without an amount the text is unambiguous only in fixed limit; `r50` has two meanings
    // in the wild (on this street, in this hand), so it has none here.
    if (!bare || hand == nullptr || hand->spec().betting != Betting::kFixedLimit) {
        refuse(token_at(text, start));
    }
    const bool betting = hand->phase() == Phase::kBetting;
    return {ActionKind::kBet, kUnknownCard, betting ? hand->min_raise_to() : 0};
}

Action read_discard(std::string_view text, std::size_t& at) {
    ++at;
    Action action{ActionKind::kDiscard, kUnknownCard, 0};
    if (at + 2 <= text.size() && kRankLetters.find(text[at]) != std::string_view::npos &&
        kSuitLetters.find(text[at + 1]) != std::string_view::npos) {
        action.card = parse_card(text.substr(at, 2));
        at += 2;
    }
    return action;
}

}  // namespace

std::string clipped(std::string_view text, std::size_t most) {
    if (text.size() <= most) return std::string(text);
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80) --most;
    return std::string(text.substr(0, most)) + "...";
}

std::string action_text(const Action& action, bool show_card) {
    switch (action.kind) {
        case ActionKind::kFold: return "f";
        case ActionKind::kCheck: return "k";
        case ActionKind::kCall: return "c";
        case ActionKind::kBet: return std::string("b").append(std::to_string(action.amount));
        case ActionKind::kStand: return "s";
        case ActionKind::kDiscard: break;
    }
    const bool known = show_card && action.card != kUnknownCard;
    return known ? std::string("d").append(card_text(action.card)) : "d";
}

Action read_action(const Hand* hand, std::string_view text, std::size_t& at) {
    if (at >= text.size()) refuse("");
    switch (text[at]) {
        case 'f': ++at; return {ActionKind::kFold};
        case 'k': ++at; return {ActionKind::kCheck};
        case 'c': ++at; return {ActionKind::kCall};
        case 's': ++at; return {ActionKind::kStand};
        case 'b':
        case 'r': return read_bet(hand, text, at);
        case 'd': return read_discard(text, at);
        default: refuse(token_at(text, at));
    }
}

Action parse_action(const Hand* hand, std::string_view text) {
    std::size_t at = 0;
    const Action action = read_action(hand, text, at);
    if (at != text.size()) refuse(text);
    return action;
}

}  // namespace riverboat
