#include "solve/lanes.hpp"

namespace riverboat {

Lanes::Lanes(const Tree& tree, const EnumeratedDealer& dealer)
    : tree_(tree), num_lines_(std::size_t{1} << tree.spec().swaps) {
    const std::size_t num_deals = dealer.num_deals();
    for (std::size_t deal = 0; deal < num_deals; ++deal) weights_.push_back(dealer.weight(deal));
    for (std::size_t group = 0; group < tree.groups().size(); ++group) {
        for (std::size_t deal = 0; deal < num_deals; ++deal) {
            buckets_.push_back(dealer.bucket(deal, static_cast<int>(group)));
        }
    }
    if (tree.num_players() > 2) {
        deals_.resize(num_deals);
        for (std::size_t deal = 0; deal < num_deals; ++deal) dealer.fill(deal, deals_[deal]);
        return;
    }
    for (std::size_t first = 0; first < num_lines_; ++first) {
        for (std::size_t second = 0; second < num_lines_; ++second) {
            for (std::size_t deal = 0; deal < num_deals; ++deal) {
                const auto mine = dealer.strength(deal, 0, static_cast<int>(first));
                const auto other = dealer.strength(deal, 1, static_cast<int>(second));
                outcomes_.push_back(mine > other ? 0 : mine == other ? 1 : 2);
            }
        }
    }
}

void Lanes::pay(std::int32_t terminal, int player, const double* factor, double* out) const {
    const TreeNode& node = tree_.nodes()[terminal];
    if (node.kind == NodeKind::kFold) {
        const double payoff = tree_.payoffs()[node.payoffs + player];
        for (std::size_t lane = 0; lane < size(); ++lane) out[lane] = factor[lane] * payoff;
    } else if (tree_.num_players() == 2) {
        const float* payoffs = &tree_.payoffs()[node.payoffs + player];
        const double by_outcome[3] = {payoffs[0], payoffs[2], payoffs[4]};
        const std::size_t lines =
            tree_.swap_line(terminal, 0) * num_lines_ + tree_.swap_line(terminal, 1);
        const std::uint8_t* outcome = &outcomes_[lines * size()];
        for (std::size_t lane = 0; lane < size(); ++lane) {
            out[lane] = factor[lane] * by_outcome[outcome[lane]];
        }
    } else {
        for (std::size_t lane = 0; lane < size(); ++lane) {
            out[lane] = factor[lane] * utility(tree_, terminal, deals_[lane], player);
        }
    }
}

}  // namespace riverboat
