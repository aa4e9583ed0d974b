#include "spots/boards.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "cards/evaluator.hpp"
#include "cards/text.hpp"
#include "game/showdown.hpp"
#include "spots/vectors.hpp"
#include "util/errors.hpp"

namespace riverboat::spots {
namespace {

using Renaming = std::array<std::uint8_t, kNumSuits>;
inline constexpr int kNumRenamings = 24;

const std::array<Renaming, kNumRenamings>& renamings() {
    static const auto all = [] {
        std::array<Renaming, kNumRenamings> found{};
        Renaming suits{0, 1, 2, 3};
        for (auto& each : found) {
            each = suits;
            std::next_permutation(suits.begin(), suits.end());
        }
        return found;
    }();
    return all;
}

int renamed_card(int card, int renaming) {
    return 4 * rank_of(card) + renamings()[renaming][suit_of(card)];
}

std::uint64_t renamed_cards(std::uint64_t cards, int renaming) {
    std::uint64_t result = 0;
    for (; cards != 0; cards &= cards - 1) {
        result |= card_bit(renamed_card(std::countr_zero(cards), renaming));
    }
    return result;
}

bool leaves_weights(const Weights& weights, int renaming) {
    return std::ranges::all_of(weights, [renaming](const std::vector<float>& range) {
        for (int hole = 0; hole < kNumHoles; ++hole) {
            if (range[hole] != range[Boards::renamed(hole, renaming)]) return false;
        }
        return true;
    });
}

std::uint64_t mask_of(std::span<const Card> cards) {
    std::uint64_t mask = 0;
    for (const Card card : cards) mask |= card_bit(card);
    return mask;
}

// The strengths of hands on a full board: an evaluator's sum of the board where it needs one.
class Strengths {
  public:
    Strengths(const GameSpec& spec, std::uint64_t board)
        : spec_(spec),
          evaluator_(spec.showdown == Showdown::kShortDeck ? Evaluator::short_deck()
                                                           : Evaluator::standard()),
          sum_(Evaluator::empty(2 + std::popcount(board))) {
        for (; board != 0; board &= board - 1) {
            board_[count_] = static_cast<Card>(std::countr_zero(board));
            sum_ += evaluator_.card(board_[count_++]);
        }
    }
    std::uint16_t of(int hole) const {
        if (spec_.hole_cards == 2) return evaluator_.strength(sum_ + evaluator_.hole(hole));
        const Card card = static_cast<Card>(std::countr_zero(kHoles[hole].mask() & spec_.deck));
        return static_cast<std::uint16_t>(
            showdown_strength(spec_, &card, 1, board_.data(), count_));
    }

  private:
    const GameSpec& spec_;
    const Evaluator& evaluator_;
    HandSum sum_;
    std::array<Card, kMaxBoard> board_{};
    int count_ = 0;
};

// In games with one hole card a hand is a card of the deck and a partner card outside the deck, so
// that blockers work as in hold'em. Each card has its own partner.
void check_partners(const Board& root, std::uint64_t deck) {
    std::uint64_t taken = 0;
    std::vector<std::uint16_t> known;
    for (const Hands& hands : root.hands) {
        for (const std::uint16_t hole : hands.hole) {
            if (std::ranges::find(known, hole) != known.end()) continue;
            if (taken & kHoles[hole].mask()) {
                throw GameError(
                    "a game of one hole card has one hole pair for each card of the "
                    "deck: " +
                    card_text(std::countr_zero(kHoles[hole].mask() & deck)) +
                    " has two, or shares its other card");
            }
            taken |= kHoles[hole].mask();
            known.push_back(hole);
        }
    }
}

void finish_hands(Hands& hands) {
    hands.count = static_cast<std::uint32_t>(hands.hole.size());
    hands.padded = static_cast<std::uint32_t>(padded_to_wide(hands.count));
    for (std::uint32_t i = 0; i < hands.padded; ++i) {
        const bool there = i < hands.count;
        const int low = there ? kHoles[hands.hole[i]].low : kAllPlace;
        const int high = there ? kHoles[hands.hole[i]].high : kNonePlace;
        hands.places.push_back(static_cast<std::uint8_t>(4 * low));
        hands.places.push_back(static_cast<std::uint8_t>(4 * high));
    }
}

}  // namespace

int Boards::renamed(int hole, int renaming) {
    return hole_index(renamed_card(kHoles[hole].low, renaming),
                      renamed_card(kHoles[hole].high, renaming));
}

Boards::Boards(const GameSpec& spec, int street, std::vector<Card> root, const Weights& weights,
               bool isomorphism, Pool& pool, bool hands)
    : spec_(spec), root_(std::move(root)), last_street_(spec.streets - 1) {
    start(weights, isomorphism);
    boards_[0].street = static_cast<std::uint8_t>(street);
    if (hands) fill_hands(boards_[0]);
    street_begins_ = {0, 1};
    for (; street < last_street_; ++street) {
        const std::int32_t begin = *(street_begins_.end() - 2), end = street_begins_.back();
        for (std::int32_t parent = begin; parent < end; ++parent) {
            add_children(parent, std::popcount(spec.deck));
        }
        const auto all = static_cast<std::int32_t>(boards_.size());
        if (hands) pool.run(all - end, [&](int child, int) { fill_hands(boards_[end + child]); });
        street_begins_.push_back(all);
    }
}

void Boards::start(const Weights& weights, bool isomorphism) {
    Board& first = boards_.emplace_back();
    const std::uint64_t dealt = mask_of(root_);
    for (int r = 0; r < (isomorphism ? kNumRenamings : 1); ++r) {
        if (renamed_cards(dealt, r) == dealt && renamed_cards(spec_.deck, r) == spec_.deck &&
            leaves_weights(weights, r)) {
            first.renamings.push_back(static_cast<std::uint8_t>(r));
        }
    }
    for (int player = 0; player < 2; ++player) {
        for (int hole = 0; hole < kNumHoles; ++hole) {
            const std::uint64_t cards = kHoles[hole].mask();
            const bool held = std::popcount(cards & spec_.deck) == spec_.hole_cards;
            const bool can_be = held && (cards & dealt) == 0;
            if (!can_be || !(weights[player][hole] > 0)) continue;
            first.hands[player].hole.push_back(static_cast<std::uint16_t>(hole));
        }
        if (first.hands[player].hole.empty()) {
            throw GameError("the range of player " + std::to_string(player) +
                            " has no hand that the board leaves");
        }
    }
    if (spec_.hole_cards == 1) check_partners(first, spec_.deck);
}

std::span<const Board> Boards::of_street(int street) const {
    const std::int32_t* begin = &street_begins_[street - first_street()];
    return {boards_.data() + begin[0], static_cast<std::size_t>(begin[1] - begin[0])};
}

std::vector<Card> Boards::dealt(const Board& board) const {
    std::vector<Card> cards;
    for (const Board* at = &board; at->parent >= 0; at = &boards_[at->parent]) {
        cards.insert(cards.begin(), at->card);
    }
    return cards;
}

std::uint64_t Boards::cards_of(const Board& board) const {
    return mask_of(root_) | mask_of(dealt(board));
}

void Boards::add_children(std::int32_t parent, int deck_size) {
    const std::uint64_t dealt = cards_of(boards_[parent]);
    const std::vector<std::uint8_t> group = boards_[parent].renamings;
    const double chance = 1.0 / (deck_size - std::popcount(dealt) - 2 * spec_.hole_cards);
    boards_[parent].first_child = static_cast<std::int32_t>(boards_.size());
    std::uint64_t done = dealt | ~spec_.deck;
    for (int card = 0; card < kNumCards; ++card) {
        if (done & card_bit(card)) continue;
        std::uint64_t orbit = 0;
        for (const int r : group) orbit |= card_bit(renamed_card(card, r));
        done |= orbit;
        Board child;
        child.street = static_cast<std::uint8_t>(boards_[parent].street + 1);
        child.card = static_cast<Card>(card);
        child.parent = parent;
        child.weight = chance * std::popcount(orbit);
        for (const std::uint8_t r : group) {
            if (renamed_card(card, r) == card) child.renamings.push_back(r);
        }
        boards_.push_back(std::move(child));
        ++boards_[parent].num_children;
    }
}

void Boards::fill_hands(Board& board) const {
    if (board.parent >= 0) {
        for (int player = 0; player < 2; ++player) {
            const auto& before = boards_[board.parent].hands[player].hole;
            for (std::size_t i = 0; i < before.size(); ++i) {
                if (kHoles[before[i]].mask() & card_bit(board.card)) continue;
                board.hands[player].hole.push_back(before[i]);
                board.hands[player].parent.push_back(static_cast<std::uint16_t>(i));
            }
        }
    }
    if (board.street == last_street_) rank_hands(board);
    for (int player = 0; player < 2; ++player) {
        Hands& hands = board.hands[player];
        finish_hands(hands);
        if (board.parent < 0) continue;
        const std::uint32_t nobody = boards_[board.parent].hands[player].padded;
        hands.parent.resize(hands.padded, static_cast<std::uint16_t>(nobody));
    }
    match_hands(board);
    if (board.renamings.size() > 1 && board.street < last_street_) find_orbits(board);
}

void Boards::rank_hands(Board& board) const {
    const Strengths strengths(spec_, cards_of(board));
    struct Ranked {
        std::uint16_t strength, hole, parent;
    };
    std::vector<Ranked> ranked[2];
    for (int player = 0; player < 2; ++player) {
        Hands& hands = board.hands[player];
        for (std::size_t i = 0; i < hands.hole.size(); ++i) {
            ranked[player].push_back({strengths.of(hands.hole[i]), hands.hole[i],
                                      hands.parent.empty() ? std::uint16_t{0} : hands.parent[i]});
        }
        std::ranges::stable_sort(ranked[player], {}, &Ranked::strength);
        for (std::size_t i = 0; i < hands.hole.size(); ++i) {
            hands.hole[i] = ranked[player][i].hole;
            if (!hands.parent.empty()) hands.parent[i] = ranked[player][i].parent;
        }
    }
    std::size_t at[2] = {0, 0};
    const auto left = [&](int player) { return at[player] < ranked[player].size(); };
    while (left(0) || left(1)) {
        std::uint16_t lowest = 0xffff;
        for (int p = 0; p < 2; ++p) {
            if (left(p)) lowest = std::min(lowest, ranked[p][at[p]].strength);
        }
        for (int p = 0; p < 2; ++p) {
            while (left(p) && ranked[p][at[p]].strength == lowest) ++at[p];
        }
        board.runs.push_back(
            {{static_cast<std::uint16_t>(at[0]), static_cast<std::uint16_t>(at[1])}});
    }
}

void Boards::match_hands(Board& board) const {
    for (int player = 0; player < 2; ++player) {
        Hands &mine = board.hands[player], &other = board.hands[1 - player];
        std::vector<std::uint16_t> place(kNumHoles, static_cast<std::uint16_t>(other.padded));
        for (std::uint32_t i = 0; i < other.count; ++i) {
            place[other.hole[i]] = static_cast<std::uint16_t>(i);
        }
        mine.same.assign(mine.padded, static_cast<std::uint16_t>(other.padded));
        for (std::uint32_t i = 0; i < mine.count; ++i) mine.same[i] = place[mine.hole[i]];
    }
}

void Boards::find_orbits(Board& board) const {
    for (Hands& hands : board.hands) {
        std::vector<std::int32_t> place(kNumHoles, -1);
        for (std::uint32_t i = 0; i < hands.count; ++i) place[hands.hole[i]] = static_cast<int>(i);
        std::vector<bool> done(hands.count, false);
        for (std::uint32_t i = 0; i < hands.count; ++i) {
            if (done[i]) continue;
            const std::size_t begin = hands.orbits.size();
            for (const int r : board.renamings) {
                const std::int32_t k = place[renamed(hands.hole[i], r)];
                if (done[k]) continue;
                done[k] = true;
                hands.orbits.push_back(static_cast<std::uint16_t>(k));
            }
            if (hands.orbits.size() == begin + 1) {
                hands.orbits.pop_back();
            } else {
                hands.orbit_ends.push_back(static_cast<std::uint16_t>(hands.orbits.size()));
            }
        }
    }
}

FoundBoard Boards::find(std::span<const Card> cards) const {
    FoundBoard found{0, 0};
    // The composed suit permutation so far; its factors leave all previous boards unchanged.
    std::array<std::uint8_t, kNumSuits> composed{0, 1, 2, 3};
    for (const Card given : cards) {
        const Board& board = boards_[found.board];
        const int card = 4 * rank_of(given) + composed[suit_of(given)];
        const Board* next = nullptr;
        int by = 0;
        for (const Board& child : children(board)) {
            for (const int r : board.renamings) {
                if (next == nullptr && renamed_card(card, r) == child.card) next = &child, by = r;
            }
        }
        if (next == nullptr) {
            throw CardError("the card " + card_text(given) + " cannot be dealt there");
        }
        for (auto& suit : composed) suit = renamings()[by][suit];
        found.board = index(*next);
    }
    found.renaming =
        static_cast<std::uint8_t>(std::ranges::find(renamings(), composed) - renamings().begin());
    return found;
}

std::vector<double> root_reach(const Board& root, const Weights& weights, int player) {
    std::vector<double> reach;
    for (const std::uint16_t hole : root.hands[player].hole) {
        reach.push_back(weights[player][hole]);
    }
    return reach;
}

std::vector<double> hands_met(const Board& board, int player, const std::vector<double>& reach) {
    const Hands &mine = board.hands[player], &other = board.hands[1 - player];
    double all = 0, with[kNumCards] = {};
    for (std::uint32_t i = 0; i < other.count; ++i) {
        all += reach[i];
        for (int k = 0; k < 2; ++k) with[other.places[2 * i + k] / 4] += reach[i];
    }
    std::vector<double> met(mine.count);
    for (std::uint32_t i = 0; i < mine.count; ++i) {
        const double same = mine.same[i] < other.count ? reach[mine.same[i]] : 0;
        met[i] = all - with[mine.places[2 * i] / 4] - with[mine.places[2 * i + 1] / 4] + same;
        if (met[i] < 1e-12 * all) met[i] = 0;  // only rounding is left
    }
    return met;
}

}  // namespace riverboat::spots
