#include "arena/run_out.hpp"

#include <utility>

#include "game/pots.hpp"
#include "game/showdown.hpp"
#include "util/random.hpp"

namespace riverboat {
namespace {

constexpr std::uint64_t kSampleStream = 0x72756e2d6f7574;  // no deal draws from it

// Board cards on the table when the last decision was made.
int known_board(const PlayedHand& played) {
    const int last = played.events().empty() ? 0 : played.events().back().street;
    int known = 0;
    for (int street = 0; street <= last; ++street) known += played.spec().street[street].board;
    return known;
}

bool only_board_cards_come_late(const GameSpec& spec) {
    if (spec.swaps + spec.tosses > 0 || spec.runs_on()) return false;
    for (int street = 1; street < spec.streets; ++street) {
        if (spec.street[street].hole > 0) return false;
    }
    return true;
}

// C(n, k), or `most` + 1 if it is more.
std::int64_t combinations(int n, int k, std::int64_t most) {
    std::int64_t count = 1;
    for (int i = 1; i <= k; ++i) {
        count = count * (n - k + i) / i;
        if (count > most) return most + 1;
    }
    return count;
}

// Sums each seat's winnings from the pots over the runouts.
class RunOuts {
  public:
    RunOuts(const PlayedHand& played, int known)
        : hand_(played.hand()), known_(known), pots_(make_pots(hand_)) {
        const GameSpec& spec = hand_.spec();
        std::uint64_t gone = 0;
        for (int slot = 0; slot < spec.board_slot(known); ++slot) {
            gone |= card_bit(played.dealt()[slot]);
        }
        for (int i = 0; i < known; ++i) board_[i] = hand_.board(i);
        for (int card = 0; card < kNumCards; ++card) {
            if (spec.deck & ~gone & card_bit(card)) left_[num_left_++] = static_cast<Card>(card);
        }
        for (int seat = 0; seat < spec.players; ++seat) {
            if (hand_.is_live(seat)) seats_[num_seats_++] = seat;
        }
        if (num_seats_ == 2) make_outcomes();
    }

    int to_come() const { return hand_.board_count() - known_; }
    int cards_left() const { return num_left_; }
    std::int64_t count() const { return count_; }

    void enumerate() { place(known_, 0); }

    void sample(std::int64_t samples, Random& random) {
        for (std::int64_t i = 0; i < samples; ++i) {
            for (int card = 0; card < to_come(); ++card) {
                const auto j = card + random.below(static_cast<std::uint32_t>(num_left_ - card));
                std::swap(left_[card], left_[j]);
                board_[known_ + card] = left_[card];
            }
            look();
        }
    }

    double expected_won(int seat) const {
        Chips total = won_[seat];
        for (int outcome = 0; outcome < 3; ++outcome) {
            total += outcomes_[outcome][seat] * outcome_count_[outcome];
        }
        return static_cast<double>(total) / static_cast<double>(count_);
    }

  private:
    using Strengths = std::array<std::uint32_t, kMaxPlayers>;

    void place(int position, int from) {
        if (position == hand_.board_count()) {
            look();
            return;
        }
        for (int i = from; i < num_left_; ++i) {
            board_[position] = left_[i];
            place(position + 1, i + 1);
        }
    }

    std::uint32_t strength(int seat) const {
        return showdown_strength(hand_.spec(), hand_.hole(seat), hand_.hole_count(seat),
                                 board_.data(), hand_.board_count());
    }

    void look() {
        ++count_;
        if (num_seats_ == 2) {  // three outcomes, divided once
            const std::uint32_t first = strength(seats_[0]), second = strength(seats_[1]);
            ++outcome_count_[(first >= second) + (first > second)];
            return;
        }
        Strengths strengths{};
        for (int i = 0; i < num_seats_; ++i) strengths[seats_[i]] = strength(seats_[i]);
        add_won(strengths, won_);
    }

    void add_won(const Strengths& strengths, ChipsBySeat& won) {
        award(hand_, strengths, pots_);
        for (int i = 0; i < pots_.count; ++i) {
            for (int seat = 0; seat < hand_.spec().players; ++seat) {
                won[seat] += pots_.pot[i].won[seat];
                pots_.pot[i].won[seat] = 0;
            }
        }
    }

    // Outcome 0: the first seat loses, 1: a tie, 2: it wins.
    void make_outcomes() {
        for (std::uint32_t outcome = 0; outcome < 3; ++outcome) {
            Strengths strengths{};
            strengths[seats_[0]] = outcome;
            strengths[seats_[1]] = 1;
            add_won(strengths, outcomes_[outcome]);
        }
    }

    const Hand& hand_;
    int known_;
    Pots pots_;
    std::array<Card, kMaxBoard> board_{};
    std::array<Card, kNumCards> left_{};
    int num_left_ = 0;
    std::array<int, kMaxPlayers> seats_{};
    int num_seats_ = 0;
    std::int64_t count_ = 0;
    ChipsBySeat won_{};
    std::array<ChipsBySeat, 3> outcomes_{};
    std::array<std::int64_t, 3> outcome_count_{};
};

// Chips of the pots that a seat took when the hand was settled.
ChipsBySeat chips_taken(const Hand& hand) {
    Pots pots = make_pots(hand);
    std::array<std::uint32_t, kMaxPlayers> strengths{};
    for (int seat = 0; seat < hand.spec().players; ++seat) {
        if (hand.is_live(seat)) strengths[seat] = showdown_strength(hand, seat);
    }
    award(hand, strengths, pots);
    ChipsBySeat taken{};
    for (int i = 0; i < pots.count; ++i) {
        for (int seat = 0; seat < hand.spec().players; ++seat) taken[seat] += pots.pot[i].won[seat];
    }
    return taken;
}

}  // namespace

std::int64_t expected_payoffs(const PlayedHand& played, const RunOutBudget& budget,
                              std::array<double, kMaxPlayers>& payoffs) {
    const Hand& hand = played.hand();
    if (!hand.settled() || std::has_single_bit(hand.live())) return 0;
    const int known = known_board(played);
    if (known == hand.board_count() || !only_board_cards_come_late(hand.spec())) return 0;
    RunOuts run_outs(played, known);
    const std::int64_t all =
        combinations(run_outs.cards_left(), run_outs.to_come(), budget.most_exact);
    if (all <= budget.most_exact) {
        run_outs.enumerate();
    } else {
        Random random(budget.seed, kSampleStream);
        run_outs.sample(budget.samples, random);
    }
    const ChipsBySeat taken = chips_taken(hand);
    for (int seat = 0; seat < hand.spec().players; ++seat) {
        payoffs[seat] =
            static_cast<double>(hand.payoff(seat) - taken[seat]) + run_outs.expected_won(seat);
    }
    return run_outs.count();
}

}  // namespace riverboat
