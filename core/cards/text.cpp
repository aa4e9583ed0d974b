#include "cards/text.hpp"

#include "util/errors.hpp"

namespace riverboat {
namespace {

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool separates(char c) { return c == ' ' || c == ',' || c == '\t' || c == '\n'; }

[[noreturn]] void refuse(std::string_view text) {
    throw CardError("'" + std::string(text) + "' is not a card: ranks are " +
                    std::string(kRankLetters) + ", suits " + std::string(kSuitLetters));
}

// Length in bytes of the UTF-8 character that starts with `lead`.
std::size_t character_length(char lead) {
    const auto byte = static_cast<unsigned char>(lead);
    return byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

}  // namespace

Card parse_card(std::string_view text) {
    if (text.size() != 2) refuse(text);
    const auto rank = kRankLetters.find(upper(text[0]));
    const auto suit = kSuitLetters.find(lower(text[1]));
    if (rank == std::string_view::npos || suit == std::string_view::npos) refuse(text);
    return static_cast<Card>(4 * rank + suit);
}

std::vector<Card> parse_cards(std::string_view text) {
    std::vector<Card> cards;
    for (std::size_t at = 0; at < text.size();) {
        if (separates(text[at])) {
            ++at;
            continue;
        }
        // Two characters, whatever their length in bytes: the error must quote them whole.
        std::size_t length = character_length(text[at]);
        if (at + length < text.size()) length += character_length(text[at + length]);
        cards.push_back(parse_card(text.substr(at, length)));
        at += length;
    }
    return cards;
}

std::string card_text(int card) {
    return {kRankLetters[rank_of(card)], kSuitLetters[suit_of(card)]};
}

}  // namespace riverboat
