#include "sampled/flop.hpp"

#include <algorithm>
#include <cmath>

#include "spots/program.hpp"

namespace riverboat::sampled {
namespace {

using spots::pack_at;

// After the hands there is at least one 0, for a hand that the player cannot have.
std::size_t stride_for(const FlopHands& hands) { return hands.padded + spots::kWide; }

}  // namespace

Flop::Flop(const Tree& tree, const Shape& shape, const FlopBoards& boards)
    : shape_(shape), boards_(boards), locked_(shape.nodes.size()), end_node_(shape.ends.size()) {
    for (std::size_t i = 0; i < shape.nodes.size(); ++i) {
        if (shape.nodes[i].end >= 0) end_node_[shape.nodes[i].end] = static_cast<int>(i);
    }
    const Line line = line_of(tree, 0);
    const spots::SpotPayoffs payoffs{tree};
    for (int p = 0; p < 2; ++p) {
        const FlopHands& hands = boards.hands(p);
        Side& side = side_[p];
        const std::size_t stride = stride_for(hands);
        for (Rows* rows : {&side.regrets, &side.average, &side.strategy}) {
            *rows = Rows(shape.entries[p], stride);
        }
        side.reach = Rows(shape.sequences[p].size(), stride);
        side.values = Rows(shape.nodes.size(), stride);
        side.sums = Rows(shape.nodes.size(), stride);
        std::copy_n(hands.weight.data(), hands.count, side.reach[0]);
        for (const std::int32_t end : line.ends) {
            const TreeNode& node = tree.nodes()[end];
            const bool fold = node.kind == NodeKind::kFold;
            fold_payoffs_[p].push_back(fold ? static_cast<float>(payoffs.fold(node, p)) : 0.0F);
        }
    }
}

void Flop::walk_down(int player, Play play) {
    Side& side = side_[player];
    const Rows& weights = play == Play::kAverage ? side.average : side.regrets;
    const std::size_t padded = boards_.hands(player).padded;
    for (std::size_t i = 0; i < shape_.nodes.size(); ++i) {
        const StreetNode& node = shape_.nodes[i];
        if (node.kind != NodeKind::kDecision || node.player != player || locked_[i]) continue;
        for (std::size_t hand = 0; hand < padded; hand += kLanes) {
            Lanes given[kMaxActions], strategy[kMaxActions];
            for (int a = 0; a < node.num_actions; ++a) {
                given[a] = pack_at<float>(weights[node.entry + a] + hand);
            }
            match(given, node.num_actions, strategy);
            for (int a = 0; a < node.num_actions; ++a) {
                pack_at<float>(side.strategy[node.entry + a] + hand) = strategy[a];
            }
        }
    }
    const auto& sequences = shape_.sequences[player];
    for (std::size_t i = 1; i < sequences.size(); ++i) {
        const float* from = side.reach[sequences[i].parent];
        const float* probability = side.strategy[sequences[i].entry];
        float* to = side.reach[i];
        for (std::size_t hand = 0; hand < padded; ++hand) to[hand] = from[hand] * probability[hand];
    }
}

void Flop::lock(const StreetNode& decision, std::span<const float> strategy) {
    const std::size_t hands = boards_.hands(decision.player).count;
    for (int a = 0; a < decision.num_actions; ++a) {
        std::copy_n(strategy.data() + a * hands, hands,
                    side_[decision.player].strategy[decision.entry + a]);
    }
    locked_[&decision - shape_.nodes.data()] = true;
}

void Flop::fill_fold(int player, int end) {
    const FlopHands &mine = boards_.hands(player), &other = boards_.hands(1 - player);
    const float* reach = side_[1 - player].reach[shape_.ends[end].sequence[1 - player]];
    float all = 0, with[kNumCards] = {};
    for (std::uint32_t i = 0; i < other.count; ++i) {
        all += reach[i];
        for (const Card card : other.cards[i]) with[card] += reach[i];
    }
    float* values = end_values(player, end);
    const float payoff = fold_payoffs_[player][end];
    for (std::uint32_t i = 0; i < mine.count; ++i) {
        const auto& cards = mine.cards[i];
        values[i] = payoff * (all - with[cards[0]] - with[cards[1]] + reach[mine.same[i]]);
    }
}

// The value of a decision from those of its children.
void Flop::add_up(int player, std::size_t index) {
    Side& side = side_[player];
    const StreetNode& node = shape_.nodes[index];
    const bool own = node.player == player;
    for (std::size_t hand = 0; hand < boards_.hands(player).padded; hand += kLanes) {
        Lanes value{};
        for (int a = 0; a < node.num_actions; ++a) {
            const Lanes worth = pack_at<float>(side.values[node.first_child + a] + hand);
            value += own ? pack_at<float>(side.strategy[node.entry + a] + hand) * worth : worth;
        }
        pack_at<float>(side.values[index] + hand) = value;
    }
}

void Flop::learn(int player, const StreetNode& node, std::size_t index, std::int64_t iteration) {
    Side& side = side_[player];
    const auto discounts = Discounts::at(iteration - 1, kAlpha, kFlopBeta);
    const auto before = static_cast<double>(iteration - 1) / static_cast<double>(iteration);
    const auto keep = static_cast<float>(std::pow(before, kGamma));
    for (std::size_t hand = 0; hand < boards_.hands(player).padded; hand += kLanes) {
        const Lanes value = pack_at<float>(side.values[index] + hand);
        const Lanes reach = pack_at<float>(side.reach[node.sequence] + hand);
        for (int a = 0; a < node.num_actions; ++a) {
            const std::size_t entry = node.entry + a;
            const Lanes worth = pack_at<float>(side.values[node.first_child + a] + hand);
            if (!locked_[index]) {
                add_regret(pack_at<float>(side.regrets[entry] + hand), worth - value, discounts);
            }
            Lanes& average = pack_at<float>(side.average[entry] + hand);
            average = average * keep + reach * pack_at<float>(side.strategy[entry] + hand);
        }
    }
}

void Flop::fill_values(int player) {
    for (std::size_t i = 0; i < shape_.ends.size(); ++i) {
        if (shape_.ends[i].kind == NodeKind::kFold) fill_fold(player, static_cast<int>(i));
    }
    for (std::size_t i = shape_.nodes.size(); i-- > 0;) {
        if (shape_.nodes[i].kind == NodeKind::kDecision) add_up(player, i);
    }
}

void Flop::walk_up(int player, std::int64_t iteration) {
    fill_values(player);
    for (std::size_t i = 0; i < shape_.nodes.size(); ++i) {
        const StreetNode& node = shape_.nodes[i];
        if (node.kind == NodeKind::kDecision && node.player == player) {
            learn(player, node, i, iteration);
        }
    }
}

void Flop::sum_up(int player) {
    fill_values(player);
    Rows &values = side_[player].values, &sums = side_[player].sums;
    for (std::size_t i = 0; i < sums.size(); ++i) sums.data()[i] += values.data()[i];
}

void Flop::clear_sums() {
    for (Side& side : side_) std::fill_n(side.sums.data(), side.sums.size(), 0.0F);
}

std::uint64_t Flop::bytes_for(const Shape& shape, const FlopBoards& boards) {
    std::uint64_t numbers = 0;
    for (int p = 0; p < 2; ++p) {
        numbers += stride_for(boards.hands(p)) *
                   (3 * shape.entries[p] + shape.num_sequences(p) + 2 * shape.nodes.size());
    }
    return numbers * sizeof(float);
}

std::uint64_t Flop::bytes() const {
    std::uint64_t bytes = 0;
    for (const Side& side : side_) {
        for (const Rows* rows : {&side.regrets, &side.average, &side.strategy, &side.reach,
                                 &side.values, &side.sums}) {
            bytes += rows->bytes();
        }
    }
    return bytes;
}

}  // namespace riverboat::sampled
