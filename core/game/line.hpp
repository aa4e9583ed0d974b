// The line of play as text: `b25c/kb30c/kk`.
//
// k check, c call, f fold, bN bet or raise to N on this street, s stand pat,
// d swap or toss a card (`dAh` where the card may be known), streets by `/`.
#pragma once

#include <string>
#include <string_view>

#include "game/hand.hpp"

namespace riverboat {

// At most `most` bytes of the text, cut between characters: for error messages.
std::string clipped(std::string_view text, std::size_t most);

// One action as text; a discarded card is written only if `show_card`.
std::string action_text(const Action& action, bool show_card = true);

// Reads one action at text[at] and moves `at` behind it. `hand` (or
// nullptr) decides what a bare `b` or `r` means: the one raise of fixed limit. Throws
// IllegalActionError.
Action read_action(const Hand* hand, std::string_view text, std::size_t& at);

// Reads text that is one action and nothing else.
Action parse_action(const Hand* hand, std::string_view text);

}  // namespace riverboat
