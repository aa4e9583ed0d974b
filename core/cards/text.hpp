// Cards as text: `Ah`, and sequences such as `AhKd` or `Ah Kd`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cards/card.hpp"

namespace riverboat {

inline constexpr std::string_view kRankLetters = "23456789TJQKA";
inline constexpr std::string_view kSuitLetters = "cdhs";

// Throws CardError unless text is one card; letters may be of either case, a ten `T` or `10`, a
// suit also a sign.
Card parse_card(std::string_view text);

// Cards one after the other; spaces and commas between them are passed over.
std::vector<Card> parse_cards(std::string_view text);

std::string card_text(int card);

}  // namespace riverboat
