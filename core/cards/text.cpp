#include "cards/text.hpp"

#include "util/errors.hpp"

namespace riverboat {
namespace {

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool separates(char c) { return c == ' ' || c == ',' || c == '\t' || c == '\n' || c == '\r'; }

// The text with control characters (U+0000 to U+001F, U+007F to U+009F) written as Python writes
// them, so that a sentence cannot steer the terminal.
std::string without_controls(std::string_view text) {
    constexpr std::string_view kHex = "0123456789abcdef";
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto byte = static_cast<unsigned char>(text[at]);
        const auto next = static_cast<unsigned char>(at + 1 < text.size() ? text[at + 1] : 0);
        // In UTF-8 the controls from U+0080 on are two bytes, the second of them the number.
        const bool wide = byte == 0xc2 && next < 0xa0;
        const unsigned char control = wide ? next : byte;
        if (!wide && byte >= 0x20 && byte != 0x7f) {
            result += text[at];
        } else if (byte == '\t' || byte == '\n' || byte == '\r') {
            result += byte == '\t' ? "\\t" : byte == '\n' ? "\\n" : "\\r";
        } else {
            result += {'\\', 'x', kHex[control >> 4], kHex[control & 15]};
        }
        at += wide;
    }
    return result;
}

[[noreturn]] void refuse(std::string_view text) {
    throw CardError("'" + without_controls(text) + "' is not a card: ranks are " +
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
