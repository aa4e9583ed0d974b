#include "solve/holdem_dealer.hpp"

#include <algorithm>
#include <limits>

#include "cards/evaluator.hpp"
#include "util/errors.hpp"

namespace riverboat {
namespace {

constexpr std::uint64_t kFullDeck = (std::uint64_t{1} << kNumCards) - 1;

void check_game(const GameSpec& spec) {
    if (spec.showdown != Showdown::kHigh || spec.deck != kFullDeck || spec.hole_cards != 2 ||
        spec.street[0].hole != 2 || spec.tosses > 0) {
        throw GameError("bucket tables are for hold'em: two hole cards from the deck of 52");
    }
    int board = 0;
    for (int street = 0; street < spec.streets; ++street) {
        board += spec.street[street].board;
        if (board != 0 && (board < 3 || board > 5)) {
            throw GameError("bucket tables are for boards of 0, 3, 4 and 5 cards, not " +
                            std::to_string(board));
        }
    }
    if (board == 0) throw GameError("bucket tables are for games with a board");
}

std::size_t num_boards(int board_cards) {
    return board_cards == 0 ? 1 : static_cast<std::size_t>(Boards::of(board_cards).size());
}

std::vector<std::uint32_t> buckets_by_group(const Tree& tree,
                                            const std::vector<BucketTable>& tables, bool recall) {
    if (tables.size() != static_cast<std::size_t>(tree.spec().streets)) {
        throw GameError("the game has " + std::to_string(tree.spec().streets) +
                        " streets, but there are bucket tables for " +
                        std::to_string(tables.size()));
    }
    std::vector<std::uint32_t> by_street;
    std::uint64_t product = 1;
    for (const BucketTable& table : tables) {
        product = recall ? product * table.num_buckets : table.num_buckets;
        if (product > std::numeric_limits<std::uint32_t>::max()) {
            throw GameError("with perfect recall there are " + std::to_string(product) +
                            " buckets: 32 bits cannot count them");
        }
        by_street.push_back(static_cast<std::uint32_t>(product));
    }
    std::vector<std::uint32_t> counts;
    for (const TreeGroup& group : tree.groups()) counts.push_back(by_street[group.street]);
    return counts;
}

}  // namespace

HoldemDealer::HoldemDealer(std::shared_ptr<const Tree> tree, std::vector<BucketTable> tables,
                           std::vector<SwapValues> values, bool recall,
                           std::vector<FixedSwap> fixed)
    : Dealer(buckets_by_group(*tree, tables, recall)),
      tree_(std::move(tree)),
      tables_(std::move(tables)),
      values_(std::move(values)),
      fixed_(std::move(fixed)),
      recall_(recall) {
    const GameSpec& spec = tree_->spec();
    check_game(spec);
    int board = 0;
    for (int street = 0; street < spec.streets; ++street) {
        board_counts_.push_back(board += spec.street[street].board);
        if (tables_[street].num_rows != num_boards(board)) {
            throw GameError("the bucket table of street " + std::to_string(street) + " has " +
                            std::to_string(tables_[street].num_rows) + " boards instead of " +
                            std::to_string(num_boards(board)));
        }
        const bool by_rule = std::any_of(fixed_.begin(), fixed_.end(), [&](const FixedSwap& swap) {
            return swap.street == street;
        });
        if (by_rule || spec.street[street].discard == Discard::kSwap) {
            swap_streets_.push_back(street);
        }
        lines_known_.push_back((1 << swap_streets_.size()) - 1);
    }
    if (!fixed_.empty()) {
        check_fixed();
        return;
    }
    bool fits = values_.size() == swap_streets_.size();
    for (std::size_t phase = 0; fits && phase < values_.size(); ++phase) {
        fits = values_[phase].num_rows == num_boards(board_counts_[swap_streets_[phase]]);
    }
    if (!fits) throw GameError("the values of swapped cards do not fit the game");
}

void HoldemDealer::check_fixed() const {
    bool fits = tree_->spec().swaps == 0 && values_.empty() &&
                fixed_.size() == swap_streets_.size() && fixed_.size() <= 2;
    for (std::size_t phase = 0; fits && phase < fixed_.size(); ++phase) {
        const int street = swap_streets_[phase];
        fits = fixed_[phase].street == street &&
               fixed_[phase].values.num_rows == num_boards(board_counts_[street]);
    }
    if (!fits) throw GameError("the fixed swaps do not fit the game");
}

// A partial shuffle. One random number serves four draws: they are its upper
// digits in the mixed radix of the deck's size, with a bias below 2^-40.
void HoldemDealer::draw_cards(Random& random, Card* cards) const {
    static constexpr auto kDeck = [] {
        std::array<std::uint8_t, 56> deck{};
        for (int card = 0; card < kNumCards; ++card) deck[card] = static_cast<std::uint8_t>(card);
        return deck;
    }();
    auto deck = kDeck;
    const int count = num_cards();
    for (int i = 0; i < count; i += 4) {
        std::uint64_t bits = random.next();
        for (int k = i; k < std::min(i + 4, count); ++k) {
            const auto left = static_cast<unsigned>(kNumCards - k);
            const auto wide = static_cast<unsigned __int128>(bits) * left;
            bits = static_cast<std::uint64_t>(wide);
            const int other = k + static_cast<int>(wide >> 64);
            cards[k] = deck[other];
            deck[other] = deck[k];
        }
    }
}

void HoldemDealer::find_places(const Card* board, Places& places) const {
    for (std::size_t street = 0; street < board_counts_.size(); ++street) {
        const int count = board_counts_[street];
        if (count == 0) continue;
        const CanonicalBoard found = Boards::of(count).find(suit_masks_of(board, count));
        places[street] = {found.id, kSuitPermutations[found.permutation]};
    }
}

// holes[player][line] for every line of swaps: phase by phase, the hole cards on each
// line so far if the player swaps now.
void HoldemDealer::swap_lines(const Card* cards, const Places& places, Holes& holes) const {
    const GameSpec& spec = tree_->spec();
    for (std::size_t phase = 0; phase < swap_streets_.size(); ++phase) {
        const Place& place = places[swap_streets_[phase]];
        const std::uint32_t* value = values_[phase].cells + std::size_t{place.board} * kNumCards;
        for (int player = 0; player < spec.players; ++player) {
            const Card drawn = cards[spec.swap_slot(static_cast<int>(phase), player)];
            for (int line = 0; line < 1 << phase; ++line) {
                const Hole held = holes[player][line];
                const bool keep_low = value[place.card(held.low)] > value[place.card(held.high)];
                const Card kept = keep_low ? held.low : held.high;
                holes[player][line | 1 << phase] = {std::min(kept, drawn), std::max(kept, drawn)};
            }
        }
    }
}

// holes[player][line] where line has the swap phases so far: the hole cards after the rule's
// swaps. A player knows the card that an earlier swap gave away, and does not expect it.
void HoldemDealer::swap_by_rule(const Card* cards, const Places& places, Holes& holes) const {
    const GameSpec& spec = tree_->spec();
    std::array<int, kMaxPlayers> gone;
    gone.fill(-1);
    for (std::size_t phase = 0; phase < fixed_.size(); ++phase) {
        const FixedSwap& rule = fixed_[phase];
        const Place& place = places[rule.street];
        const std::int32_t* points = rule.points + std::size_t{place.board} * kNumHoles;
        const std::uint32_t* sums = rule.values.cells + std::size_t{place.board} * kNumCards;
        const int unseen = kNumCards - 2 - board_counts_[rule.street];
        for (int player = 0; player < spec.players; ++player) {
            const int before = (1 << phase) - 1, after = before | 1 << phase;
            const Hole held = holes[player][before];
            const double stand = points[place.hole(held)];
            const bool known = gone[player] >= 0;
            const auto gain = [&](Card kept) {  // mean over the cards that may come
                double sum = sums[place.card(kept)] - stand;
                if (known) {
                    const Card away = static_cast<Card>(gone[player]);
                    sum -= points[place.hole({std::min(kept, away), std::max(kept, away)})];
                }
                return sum / (unseen - known) - stand;
            };
            const double low_kept = gain(held.low), high_kept = gain(held.high);
            holes[player][after] = held;
            if (std::max(low_kept, high_kept) < rule.least) continue;
            const bool keep_low = low_kept > high_kept;
            const Card kept = keep_low ? held.low : held.high;
            gone[player] = keep_low ? held.high : held.low;
            const std::size_t slot = static_cast<std::size_t>(spec.slots) + phase * spec.players;
            const Card drawn = cards[slot + player];
            holes[player][after] = {std::min(kept, drawn), std::max(kept, drawn)};
        }
    }
}

// The bucket of a group and of its player's earlier streets, in one number.
std::uint32_t HoldemDealer::remembered(const TreeGroup& group, const Places& places,
                                       const Holes& holes) const {
    std::uint32_t bucket = 0;
    for (int street = 0; street <= group.street; ++street) {
        const int line = line_on(group, street);
        const Place& place = places[street];
        bucket = bucket * tables_[street].num_buckets +
                 tables_[street].bucket(place.board, place.hole(holes[group.player][line]));
    }
    return bucket;
}

void HoldemDealer::draw(Random& random, Deal& deal) const {
    const GameSpec& spec = tree_->spec();
    std::array<Card, kNumCards> cards;
    draw_cards(random, cards.data());
    const Card* board = cards.data() + spec.board_slot(0);
    Places places;
    find_places(board, places);
    Holes holes;
    const int players = std::min<int>(spec.players, kMaxPlayers);  // as compilers cannot know
    for (int player = 0; player < players; ++player) {
        const auto [low, high] = std::minmax(cards[2 * player], cards[2 * player + 1]);
        holes[player][0] = {low, high};
    }
    if (!fixed_.empty()) {
        swap_by_rule(cards.data(), places, holes);
    } else if (!swap_streets_.empty()) {
        swap_lines(cards.data(), places, holes);
    }

    const auto& groups = tree_->groups();
    std::array<std::int32_t, kMaxGroups> moved;
    for (std::size_t group = 0; group < groups.size(); ++group) {
        const int street = groups[group].street;
        const int line = line_on(groups[group], street);
        moved[group] = places[street].hole(holes[groups[group].player][line]);
        tables_[street].prefetch(places[street].board, moved[group]);
    }
    const Evaluator& evaluator = Evaluator::standard();  // the prefetched rows arrive meanwhile
    HandSum sum = Evaluator::empty(2 + spec.board_cards);
    for (int i = 0; i < spec.board_cards; ++i) sum += evaluator.card(board[i]);
    for (int player = 0; player < players; ++player) {
        for (int line = 0; line < 1 << spec.swaps; ++line) {
            const Hole hole = holes[player][fixed_.empty() ? line : lines_known_.back()];
            deal.strength[player][line] =
                evaluator.strength(sum + evaluator.card(hole.low) + evaluator.card(hole.high));
        }
    }
    for (std::size_t group = 0; group < groups.size(); ++group) {
        const int street = groups[group].street;
        deal.bucket[group] = recall_ ? remembered(groups[group], places, holes)
                                     : tables_[street].bucket(places[street].board, moved[group]);
    }
}

}  // namespace riverboat
