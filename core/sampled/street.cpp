#include "sampled/street.hpp"

#include <algorithm>

namespace riverboat::sampled {
namespace {

// Sums of reaches by card, and at this place of all hands.
constexpr int kAll = kNumCards;
constexpr int kPlaces = kNumCards + 1;

// Columns are handled so many at a time, to keep their numbers in registers.
constexpr int kColumns = 4;

// One player's view of a pack on a board: the traverser's, against the other player.
struct View {
    const PackPlace& place;
    const FlopHands &mine, &other;
    int player;

    const Shape& shape() const { return place.shape; }
    const PackPayoffs& payoffs() const { return place.pack.payoffs[player]; }
    const Lanes* reach() const { return place.reach[1 - player]; }
};

template <int Q>
RIVERBOAT_INLINE void add_hand(const std::array<Card, 2>& cards, const Lanes& reach,
                               const Lanes* probability, Lanes* all, Lanes* sums) {
    Lanes *first = sums + cards[0] * Q, *second = sums + cards[1] * Q;
    for (int q = 0; q < Q; ++q) {
        const Lanes x = reach * probability[q];
        all[q] += x;
        first[q] += x;
        second[q] += x;
    }
}

template <int Q>
RIVERBOAT_INLINE Lanes without(const std::array<Card, 2>& cards, const Lanes* all,
                               const Lanes* sums, int q) {
    return all[q] - sums[cards[0] * Q + q] - sums[cards[1] * Q + q];
}

// In order of strength: win, tie and loss against weaker and equal hands, and the sums of all.
template <int Q>
void sweep(const View& view, const Column* columns, const RiverBoard& board, const Lanes* sequences,
           Lanes* part, Lanes* sums) {
    const int p = view.player, stride = view.shape().num_sequences(1 - p);
    const Number *own = board.hands[p].data(), *others = board.hands[1 - p].data();
    const auto *own_cards = view.mine.cards.data(), *other_cards = view.other.cards.data();
    const Lanes* reach = view.reach();
    Lanes all[Q]{}, over_tie[Q], over_loss[Q], over_both[Q];
    for (int q = 0; q < Q; ++q) {
        const int end = columns[q].showdown;
        over_tie[q] = view.payoffs().win[end] - view.payoffs().tie[end];
        over_loss[q] = view.payoffs().tie[end] - view.payoffs().lose[end];
        over_both[q] = over_tie[q] + over_loss[q];
    }
    std::fill(sums, sums + kPlaces * Q, Lanes{});
    std::uint32_t i = 0, j = 0;
    for (const Run& run : board.runs) {
        const std::uint32_t end = run.end[p], other_end = run.end[1 - p];
        const Lanes* over = j == other_end ? over_both : over_tie;
        for (std::uint32_t k = i; k < end; ++k) {
            for (int q = 0; q < Q; ++q) {
                part[k * Q + q] = over[q] * without<Q>(own_cards[own[k]], all, sums, q);
            }
        }
        if (j == other_end) {
            i = end;
            continue;
        }
        Lanes probability[Q];
        const Lanes* row = sequences + run.bin[1 - p] * stride;
        for (int q = 0; q < Q; ++q) probability[q] = row[columns[q].sequence];
        for (; j < other_end; ++j) {
            add_hand<Q>(other_cards[others[j]], reach[others[j]], probability, all, sums);
        }
        for (; i < end; ++i) {
            for (int q = 0; q < Q; ++q) {
                part[i * Q + q] += over_loss[q] * without<Q>(own_cards[own[i]], all, sums, q);
            }
        }
    }
    for (int q = 0; q < Q; ++q) sums[kAll * Q + q] = all[q];
}

// Only the sums of all hands.
template <int Q>
void add_all(const View& view, const Column* columns, const RiverBoard& board,
             const Lanes* sequences, Lanes* sums) {
    const int o = 1 - view.player, stride = view.shape().num_sequences(o);
    const Number* others = board.hands[o].data();
    const auto* cards = view.other.cards.data();
    const Lanes* reach = view.reach();
    Lanes all[Q]{};
    std::fill(sums, sums + kPlaces * Q, Lanes{});
    std::uint32_t j = 0;
    for (const Run& run : board.runs) {
        if (j == run.end[o]) continue;
        Lanes probability[Q];
        const Lanes* row = sequences + run.bin[o] * stride;
        for (int q = 0; q < Q; ++q) probability[q] = row[columns[q].sequence];
        for (; j < run.end[o]; ++j) {
            add_hand<Q>(cards[others[j]], reach[others[j]], probability, all, sums);
        }
    }
    for (int q = 0; q < Q; ++q) sums[kAll * Q + q] = all[q];
}

// Values of a player's hands, and sums of the values of ends by bin.
template <int Q, bool kShow, bool kFold>
class RiverFinish {
  public:
    RiverFinish(const View& view, const Column* columns, float weight, PackScratch& scratch)
        : view_(view), columns_(columns), weight_(weight), scratch_(scratch) {
        for (int q = 0; q < Q; ++q) {
            if (kShow) {
                lose_[q] = view.payoffs().lose[columns[q].showdown];
                tie_[q] = view.payoffs().tie[columns[q].showdown];
            }
            if (kFold) fold_[q] = view.payoffs().fold[columns[q].fold];
        }
    }

    void run(const RiverBoard& board) {
        const int p = view_.player;
        const int stride = view_.shape().num_sequences(1 - p);
        const Lanes* others = scratch_.sequence[1 - p].data();
        const Number* own = board.hands[p].data();
        std::uint32_t i = 0;
        for (const Run& run : board.runs) {
            if (i == run.end[p]) continue;
            if (run.bin[p] != bin_) next_bin(run.bin[p]);
            Lanes probability[Q];
            const Lanes* row = others + run.bin[1 - p] * stride;
            for (int q = 0; q < Q; ++q) probability[q] = row[columns_[q].sequence];
            for (; i < run.end[p]; ++i) add(own[i], i, probability);
        }
        next_bin(-1);
    }

  private:
    RIVERBOAT_INLINE void add(Number hand, std::uint32_t place, const Lanes* probability) {
        const auto& cards = view_.mine.cards[hand];
        const Lanes* sums = scratch_.sums.data();
        const Lanes same = view_.reach()[view_.mine.same[hand]];
        const Lanes zero{};
        const Lanes weight = zero + view_.mine.weight[hand];
        Lanes value = view_.place.values[view_.player][hand];
        for (int q = 0; q < Q; ++q) {
            const Lanes all = without<Q>(cards, sums + kAll * Q, sums, q);
            const Lanes equal = same * probability[q];
            if constexpr (kShow) {
                const Lanes shown = scratch_.part[place * Q + q] + lose_[q] * all + tie_[q] * equal;
                value += own_show_[q] * shown;
                show_sum_[q] += weight * shown;
            }
            if constexpr (kFold) {
                const Lanes folded = fold_[q] * (all + equal);
                value += own_fold_[q] * folded;
                fold_sum_[q] += weight * folded;
            }
        }
        view_.place.values[view_.player][hand] = value;
    }

    void next_bin(int bin) {
        const int p = view_.player;
        const auto& ends = view_.shape().ends;
        if (bin_ >= 0) {
            Lanes* row = scratch_.ends[p].data() + bin_ * ends.size();
            for (int q = 0; q < Q; ++q) {
                if (kShow) row[columns_[q].showdown] = show_sum_[q];
                if (kFold) row[columns_[q].fold] = fold_sum_[q];
                show_sum_[q] = fold_sum_[q] = Lanes{};
            }
        }
        bin_ = bin;
        if (bin < 0) return;
        const Lanes* row = scratch_.sequence[p].data() + bin * view_.shape().num_sequences(p);
        for (int q = 0; q < Q; ++q) {
            if (kShow) own_show_[q] = weight_ * row[ends[columns_[q].showdown].sequence[p]];
            if (kFold) own_fold_[q] = weight_ * row[ends[columns_[q].fold].sequence[p]];
        }
    }

    const View& view_;
    const Column* columns_;
    float weight_;
    PackScratch& scratch_;
    int bin_ = -1;
    Lanes lose_[Q]{}, tie_[Q]{}, fold_[Q]{};
    Lanes own_show_[Q]{}, own_fold_[Q]{}, show_sum_[Q]{}, fold_sum_[Q]{};
};

template <int Q, bool kShow, bool kFold>
void play_columns(const View& view, const Column* columns, const RiverBoard& board, float weight,
                  PackScratch& scratch) {
    const Lanes* others = scratch.sequence[1 - view.player].data();
    Lanes* sums = scratch.sums.data();
    if constexpr (kShow) {
        sweep<Q>(view, columns, board, others, scratch.part.data(), sums);
    } else {
        add_all<Q>(view, columns, board, others, sums);
    }
    RiverFinish<Q, kShow, kFold>(view, columns, weight, scratch).run(board);
}

template <bool kShow, bool kFold>
void play_all(const View& view, const std::vector<Column>& columns, const RiverBoard& board,
              float weight, PackScratch& scratch) {
    const Column* at = columns.data();
    for (std::size_t left = columns.size(); left > 0;) {
        const std::size_t now = std::min<std::size_t>(left, kColumns);
        switch (now) {
            case 1: play_columns<1, kShow, kFold>(view, at, board, weight, scratch); break;
            case 2: play_columns<2, kShow, kFold>(view, at, board, weight, scratch); break;
            case 3: play_columns<3, kShow, kFold>(view, at, board, weight, scratch); break;
            default: play_columns<4, kShow, kFold>(view, at, board, weight, scratch);
        }
        at += now;
        left -= now;
    }
}

void clear_ends(const Shape& shape, int bins, PackScratch& scratch) {
    for (LaneArray& ends : scratch.ends) {
        std::fill(ends.data(), ends.data() + bins * shape.ends.size(), Lanes{});
    }
}

std::vector<Column> fold_columns(const Shape& shape, int player) {
    return shape.columns[player].folds;
}

// The opponent's reaches that end in folds, summed by card: [places][columns].
void sum_folds(const View& view, const std::vector<Column>& columns, const TurnBoard& board,
               PackScratch& scratch) {
    const int o = 1 - view.player, stride = view.shape().num_sequences(o);
    const auto num = static_cast<int>(columns.size());
    Lanes* sums = scratch.sums.data();
    std::fill(sums, sums + kPlaces * num, Lanes{});
    for (const Number hand : board.hands[o]) {
        const Lanes* row = scratch.sequence[o].data() + board.bins[o][hand] * stride;
        const Lanes reach = view.reach()[hand];
        const auto& cards = view.other.cards[hand];
        for (int q = 0; q < num; ++q) {
            const Lanes x = reach * row[columns[q].sequence];
            sums[kAll * num + q] += x;
            sums[cards[0] * num + q] += x;
            sums[cards[1] * num + q] += x;
        }
    }
}

}  // namespace

ShapeSizes::ShapeSizes(const std::vector<Shape>& shapes) {
    columns = kColumns;
    for (const Shape& shape : shapes) {
        nodes = std::max(nodes, shape.nodes.size());
        ends = std::max(ends, shape.ends.size());
        for (int p = 0; p < 2; ++p) {
            entries = std::max<std::size_t>(entries, shape.entries[p]);
            sequences = std::max(sequences, shape.sequences[p].size());
            columns = std::max(columns, shape.columns[p].folds.size());
        }
    }
}

PackScratch::PackScratch(const ShapeSizes& sizes, int bins, std::size_t hands)
    : sums(kPlaces * sizes.columns), part(hands * kColumns), nodes(sizes.nodes) {
    for (int p = 0; p < 2; ++p) {
        strategy[p] = LaneArray(bins * sizes.entries);
        sequence[p] = LaneArray(bins * sizes.sequences);
        ends[p] = LaneArray(bins * sizes.ends);
    }
}

std::size_t PackScratch::bytes_for(const ShapeSizes& sizes, int bins, std::size_t hands) {
    const std::size_t rows = 2 * bins * (sizes.entries + sizes.sequences + sizes.ends);
    return sizeof(Lanes) * (rows + kPlaces * sizes.columns + hands * kColumns + sizes.nodes);
}

std::size_t PackScratch::bytes() const {
    std::size_t bytes = sums.bytes() + part.bytes() + nodes.bytes();
    for (int p = 0; p < 2; ++p)
        bytes += strategy[p].bytes() + sequence[p].bytes() + ends[p].bytes();
    return bytes;
}

void match_bins(const PackPlace& place, int bins, PackScratch& scratch) {
    const Shape& shape = place.shape;
    for (int p = 0; p < 2; ++p) {
        const auto& sequences = shape.sequences[p];
        const std::size_t entries = shape.entries[p];
        for (int bin = 0; bin < bins; ++bin) {
            const Lanes* regrets = place.regrets[p] + bin * entries;
            Lanes* strategy = scratch.strategy[p].data() + bin * entries;
            for (const StreetNode& node : shape.nodes) {
                if (node.kind != NodeKind::kDecision || node.player != p) continue;
                match(regrets + node.entry, node.num_actions, strategy + node.entry);
            }
            Lanes* probability = scratch.sequence[p].data() + bin * sequences.size();
            const Lanes zero{};
            probability[0] = zero + 1.0F;
            for (std::size_t i = 1; i < sequences.size(); ++i) {
                probability[i] = probability[sequences[i].parent] * strategy[sequences[i].entry];
            }
        }
    }
}

void update_bins(const PackPlace& place, int bins, const Discounts& discounts,
                 PackScratch& scratch) {
    const Shape& shape = place.shape;
    Lanes* values = scratch.nodes.data();
    for (int p = 0; p < 2; ++p) {
        const std::size_t entries = shape.entries[p];
        if (entries == 0) continue;
        for (int bin = 0; bin < bins; ++bin) {
            Lanes* regrets = place.regrets[p] + bin * entries;
            const Lanes* strategy = scratch.strategy[p].data() + bin * entries;
            const Lanes* ends = scratch.ends[p].data() + bin * shape.ends.size();
            for (std::size_t i = shape.nodes.size(); i-- > 0;) {
                const StreetNode& node = shape.nodes[i];
                if (node.kind != NodeKind::kDecision) {
                    values[i] = ends[node.end];
                    continue;
                }
                Lanes value{};
                const Lanes* children = values + node.first_child;
                for (int a = 0; a < node.num_actions; ++a) {
                    value +=
                        node.player == p ? strategy[node.entry + a] * children[a] : children[a];
                }
                values[i] = value;
                if (node.player != p) continue;
                for (int a = 0; a < node.num_actions; ++a) {
                    add_regret(regrets[node.entry + a], children[a] - value, discounts);
                }
            }
        }
    }
}

void play_river(const PackPlace& place, const FlopBoards& boards, const RiverBoard& board,
                float weight, const Discounts& discounts, PackScratch& scratch) {
    const int bins = boards.bins().river;
    match_bins(place, bins, scratch);
    clear_ends(place.shape, bins, scratch);
    for (int p = 0; p < 2; ++p) {
        const View view{place, boards.hands(p), boards.hands(1 - p), p};
        const Columns& columns = place.shape.columns[p];
        play_all<true, true>(view, columns.both, board, weight, scratch);
        play_all<true, false>(view, columns.showdowns, board, weight, scratch);
        play_all<false, true>(view, columns.folds, board, weight, scratch);
    }
    update_bins(place, bins, discounts, scratch);
}

void start_turn(const PackPlace& place, const FlopBoards& boards, const TurnBoard& board,
                ExitRows& exits, PackScratch& scratch) {
    const Shape& shape = place.shape;
    match_bins(place, boards.bins().turn, scratch);
    for (int p = 0; p < 2; ++p) {
        const int stride = shape.num_sequences(p);
        for (std::size_t exit = 0; exit < shape.exits.size(); ++exit) {
            const std::int32_t sequence = shape.ends[shape.exits[exit]].sequence[p];
            const Lanes* probability = scratch.sequence[p].data() + sequence;
            Lanes* row = exits.row(exits.reach, static_cast<int>(exit), p);
            for (const Number hand : board.hands[p]) {
                row[hand] = place.reach[p][hand] * probability[board.bins[p][hand] * stride];
            }
        }
    }
    std::fill(exits.values.data(), exits.values.data() + exits.values.size(), Lanes{});
}

void finish_turn(const PackPlace& place, const FlopBoards& boards, const TurnBoard& board,
                 ExitRows& exits, float weight, const Discounts& discounts, PackScratch& scratch) {
    const Shape& shape = place.shape;
    match_bins(place, boards.bins().turn, scratch);
    clear_ends(shape, boards.bins().turn, scratch);
    for (int p = 0; p < 2; ++p) {
        const View view{place, boards.hands(p), boards.hands(1 - p), p};
        const std::vector<Column> columns = fold_columns(shape, p);
        const auto num = static_cast<int>(columns.size());
        sum_folds(view, columns, board, scratch);
        const Lanes* sums = scratch.sums.data();
        const Lanes* others = scratch.sequence[1 - p].data();
        const Lanes zero{};
        for (const Number hand : board.hands[p]) {
            const Lanes own_weight = zero + view.mine.weight[hand];
            const int bin = board.bins[p][hand];
            const Lanes* own = scratch.sequence[p].data() + bin * shape.num_sequences(p);
            Lanes* ends = scratch.ends[p].data() + bin * shape.ends.size();
            const Number twin = view.mine.same[hand];
            const Lanes same = view.reach()[twin];
            const int twin_bin = twin < view.other.count ? board.bins[1 - p][twin] : 0;
            const Lanes* row = others + twin_bin * shape.num_sequences(1 - p);
            const auto& cards = view.mine.cards[hand];
            Lanes value{};
            const auto add = [&](std::int32_t end, const Lanes& worth) {
                value += own[shape.ends[end].sequence[p]] * worth;
                ends[end] += own_weight * worth;
            };
            for (int q = 0; q < num; ++q) {
                const Lanes all = sums[kAll * num + q] - sums[cards[0] * num + q] -
                                  sums[cards[1] * num + q] + same * row[columns[q].sequence];
                add(columns[q].fold, view.payoffs().fold[columns[q].fold] * all);
            }
            for (std::size_t exit = 0; exit < shape.exits.size(); ++exit) {
                add(shape.exits[exit], exits.row(exits.values, static_cast<int>(exit), p)[hand]);
            }
            place.values[p][hand] = weight * value;
        }
    }
    update_bins(place, boards.bins().turn, discounts, scratch);
}

}  // namespace riverboat::sampled
