// Cards as text: `Ah`, and sequences such as `AhKd` or `Ah Kd`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cards/card.hpp"

namespace riverboat {

inline constexpr std::string_view kRankLetters = "23456789TJQKA";
inline constexpr std::string_view kSuitLetters = "cdhs";

// Throws CardError unless text is one card, in upper or lower case; a ten is `T` or `10`, a suit
// also a symbol.
Card parse_card(std::string_view text);

// A sequence of cards; spaces and commas between them are skipped.
std::vector<Card> parse_cards(std::string_view text);

std::string card_text(int card);

}  // namespace riverboat
