#include "cards/text.hpp"

#include <array>

#include "util/errors.hpp"

namespace riverboat {
namespace {

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool separates(char c) { return c == ' ' || c == ',' || c == '\t' || c == '\n' || c == '\r'; }

constexpr std::string_view kTen = "10";
// Suit symbols of copied text, filled or outlined, in the order of the letters.
constexpr std::array<std::string_view, 8> kSuitSigns = {"\u2663", "\u2666", "\u2665", "\u2660",
                                                        "\u2667", "\u2662", "\u2661", "\u2664"};
// Phones add these to a suit symbol to choose its font.
constexpr std::array<std::string_view, 2> kSelectors = {"\ufe0e", "\ufe0f"};
constexpr std::size_t kSelectorLength = 3;

bool is_selector(std::string_view text) { return text == kSelectors[0] || text == kSelectors[1]; }

// The suit 0 to 3 of a letter or a symbol, or npos.
std::size_t find_suit(std::string_view text) {
    while (text.size() > kSelectorLength &&
           is_selector(text.substr(text.size() - kSelectorLength))) {
        text.remove_suffix(kSelectorLength);
    }
    if (text.size() == 1) return kSuitLetters.find(lower(text[0]));
    for (std::size_t sign = 0; sign < kSuitSigns.size(); ++sign) {
        if (text == kSuitSigns[sign]) return sign % kSuitLetters.size();
    }
    return std::string_view::npos;
}

// The text with control characters (U+0000 to U+001F, U+007F to U+009F) written as Python writes
// them: an error message must not control the terminal.
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
    const bool ten = text.starts_with(kTen);
    const std::size_t length = ten ? kTen.size() : 1;
    if (text.size() <= length) refuse(text);
    const auto rank = kRankLetters.find(ten ? 'T' : upper(text[0]));
    const auto suit = find_suit(text.substr(length));
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
        if (is_selector(text.substr(at, kSelectorLength))) {
            at += kSelectorLength;
            continue;
        }
        // A rank and one more character, whatever its length in bytes: the error must quote it
        // whole.
        const bool ten = text.substr(at).starts_with(kTen);
        std::size_t length = ten ? kTen.size() : character_length(text[at]);
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
