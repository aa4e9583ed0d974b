#include "spots/gadget.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cards/card.hpp"
#include "cards/text.hpp"
#include "util/pool.hpp"
#include "util/errors.hpp"

namespace riverboat::spots {
namespace {

constexpr double kRounding =
    1e-5;  // relative to the largest payoff: values of isomorphic hands differ less

float discounted(float regret, const Factors& factors) {
    return regret * (regret > 0 ? factors.positive : factors.negative);
}

}  // namespace

Gadget::Gadget(GadgetOptions options, const Board& root, const Weights& weights, double pot,
               double largest)
    : options_(std::move(options)), pot_(pot), count_(root.hands[options_.player].count) {
    met_ = hands_met(root, player(), root_reach(root, weights, 1 - player()));
    check_values(root);
    even_values(root.hands[player()], largest);
    set_terms(largest);
    set_scale(root, weights);
    choice_.resize(count_);
    reach_.resize(count_);
    entered_.resize(count_);
    regrets_.resize(count_ * (options_.mode == GadgetMode::kMaxMargin ? 1 : 2));
    average_.resize(count_ + 1);
}

void Gadget::check_values(const Board& root) {
    for (std::size_t i = 0; i < count_; ++i) {
        const int hole = root.hands[player()].hole[i];
        values_.push_back(options_.values[hole]);
        if (!std::isnan(values_[i])) continue;
        if (met_[i] > 0) {
            throw GameError("the gadget has no value for " + card_text(kHoles[hole].high) +
                            card_text(kHoles[hole].low) + ", a hand of player " +
                            std::to_string(player()));
        }
        values_[i] = 0;
    }
}

// Isomorphic hands get bit-identical values.
void Gadget::even_values(const Hands& hands, double largest) {
    std::size_t begin = 0;
    for (const std::size_t end : hands.orbit_ends) {
        const double first = values_[hands.orbits[begin]];
        double sum = 0;
        for (std::size_t i = begin; i < end; ++i) {
            const double value = values_[hands.orbits[i]];
            if (value != first && !(std::abs(value - first) <= kRounding * largest)) {
                throw GameError(
                    "the gadget has different values for hands that differ in their suits only: "
                    "solve the spot without isomorphism");
            }
            sum += value;
        }
        const double mean = std::isinf(first) ? first : sum / static_cast<double>(end - begin);
        for (; begin < end; ++begin) values_[hands.orbits[begin]] = mean;
    }
}

// No hand's EV exceeds the bound, so larger values have the same effect.
void Gadget::set_terms(double largest) {
    const double bound = 2 * (pot_ + largest);
    for (std::size_t i = 0; i < count_; ++i) {
        const double value = values_[i];
        terms_.push_back(static_cast<float>(std::clamp(value, -bound, bound) * met_[i]));
        least_.push_back(std::isinf(value) && value < 0 ? 1 : 0);
        most_.push_back(std::isinf(value) && value > 0 ? 0 : 1);
    }
}

void Gadget::set_scale(const Board& root, const Weights& weights) {
    scale_.assign(count_, 1);
    const std::vector<double> range = root_reach(root, weights, player());
    const double top = *std::ranges::max_element(range);
    for (std::size_t i = 0; i < count_; ++i) {
        if (options_.mode == GadgetMode::kCombined) scale_[i] = static_cast<float>(range[i] / top);
        if (options_.mode != GadgetMode::kMaxMargin) continue;
        scale_[i] = met_[i] > 0 ? static_cast<float>(1 / met_[i]) : 0;
        if (met_[i] == 0) most_[i] = 0;
    }
    if (std::ranges::count(most_, 0.0f) == static_cast<std::ptrdiff_t>(count_) &&
        options_.mode == GadgetMode::kMaxMargin) {
        throw GameError("a hand is chosen by its margin: one at least needs a finite value");
    }
}

// ---- Training

void Gadget::choose() {
    if (options_.mode == GadgetMode::kMaxMargin) return choose_hand();
    choose_entries();
    if (options_.mode == GadgetMode::kCombined) return combine();
    std::ranges::copy(choice_, reach_.begin());
}

void Gadget::choose_entries() {
    const float *enter = regrets_.data(), *take = enter + count_;
    for (std::size_t i = 0; i < count_; ++i) {
        const float gain = std::max(enter[i], 0.0f), sum = gain + std::max(take[i], 0.0f);
        const float matched = sum > 0 ? gain / sum : 0.5f;
        choice_[i] = std::min(std::max(matched, least_[i]), most_[i]);
    }
}

void Gadget::choose_hand() {
    double sum = 0, hands = 0;
    for (std::size_t i = 0; i < count_; ++i) {
        choice_[i] = std::max(regrets_[i], 0.0f) * most_[i];
        sum += choice_[i];
        hands += most_[i];
    }
    // Division, not multiplication: a single chosen hand gets a probability of exactly 1.
    const float total = sum > 0 ? static_cast<float>(sum) : 1;
    const float rest = sum > 0 ? 0 : static_cast<float>(1 / std::max(hands, 1.0));
    for (std::size_t i = 0; i < count_; ++i) {
        choice_[i] = choice_[i] / total + rest * most_[i];
        reach_[i] = choice_[i] * scale_[i];
    }
}

void Gadget::combine() {
    double range = 0, entries = 0;
    for (std::size_t i = 0; i < count_; ++i) {
        range += scale_[i];
        entries += (1 - scale_[i]) * choice_[i];
    }
    const double most = options_.cap * range;
    const float kept = static_cast<float>(entries > most ? most / entries : 1);
    const double mass = range + kept * entries;
    const float even = static_cast<float>(options_.even * mass / static_cast<double>(count_));
    for (std::size_t i = 0; i < count_; ++i) {
        reach_[i] = std::min(scale_[i] + kept * (1 - scale_[i]) * choice_[i] + even, 1.0f);
    }
}

std::span<const float> Gadget::play(const Factors& factors) {
    const FlushToZero flush;
    choose();
    for (std::size_t i = 0; i < count_; ++i) {
        average_[i] = average_[i] * factors.keep + reach_[i] * factors.add;
    }
    average_[count_] = average_[count_] * factors.keep + factors.add;
    return reach_;
}

void Gadget::learn(const Factors& factors) {
    const FlushToZero flush;
    choose();
    if (options_.mode == GadgetMode::kMaxMargin) return learn_hand(factors);
    learn_entries(factors);
}

void Gadget::learn_entries(const Factors& factors) {
    float *enter = regrets_.data(), *take = enter + count_;
    for (std::size_t i = 0; i < count_; ++i) {
        const float gain = entered_[i] - terms_[i];
        enter[i] = discounted(enter[i], factors) + (1 - choice_[i]) * gain;
        take[i] = discounted(take[i], factors) - choice_[i] * gain;
    }
}

void Gadget::learn_hand(const Factors& factors) {
    double mean = 0;
    for (std::size_t i = 0; i < count_; ++i) {
        entered_[i] = (entered_[i] - terms_[i]) * scale_[i];
        mean += choice_[i] * entered_[i];
    }
    for (std::size_t i = 0; i < count_; ++i) {
        regrets_[i] = discounted(regrets_[i], factors) + entered_[i] - static_cast<float>(mean);
    }
}

// ---- Learned choices

std::vector<double> Gadget::mean_reach() const {
    std::vector<double> reach(count_);
    const double weight = average_[count_];
    for (std::size_t i = 0; i < count_; ++i) reach[i] = weight > 0 ? average_[i] / weight : 0;
    if (weight > 0) return reach;
    Gadget untrained = *this;  // choices of the first iteration
    untrained.choose();
    return {untrained.reach_.begin(), untrained.reach_.end()};
}

double Gadget::deals(std::span<const double> reach) const {
    if (options_.mode == GadgetMode::kMaxMargin) return 1;
    double sum = 0;
    for (std::size_t i = 0; i < count_; ++i) {
        sum += options_.mode == GadgetMode::kCombined ? reach[i] * met_[i] : met_[i];
    }
    return sum;
}

double Gadget::value(std::span<const double> entered, bool best) const {
    const std::vector<double> reach = mean_reach();
    const bool margin = options_.mode == GadgetMode::kMaxMargin;
    double sum = 0, most = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < count_; ++i) {
        const double gain = entered[i] - terms_[i];
        if (options_.mode == GadgetMode::kCombined) {
            sum += reach[i] * entered[i];
        } else if (margin) {
            sum += reach[i] * gain;
            if (most_[i] > 0) most = std::max(most, gain * scale_[i]);
        } else {
            const double chosen = gain > 0 ? most_[i] : least_[i];
            sum += terms_[i] + (best ? chosen : reach[i]) * gain;
        }
    }
    return margin && best ? most : sum / deals(reach);
}

double Gadget::other_value(double won) const {
    const std::vector<double> reach = mean_reach();
    for (std::size_t i = 0; i < count_; ++i) {
        if (options_.mode == GadgetMode::kMaxMargin) won += reach[i] * terms_[i];
        if (options_.mode == GadgetMode::kResolve) {
            won += (1 - reach[i]) * (pot_ * met_[i] - terms_[i]);
        }
    }
    return won / deals(reach);
}

void Gadget::adopt_best(std::span<const double> entered) {
    if (options_.mode == GadgetMode::kCombined) return;
    std::size_t best = count_;
    const auto gain = [&](std::size_t i) { return (entered[i] - terms_[i]) * scale_[i]; };
    for (std::size_t i = 0; i < count_; ++i) {
        average_[i] = gain(i) > 0 ? most_[i] : least_[i];
        if (most_[i] > 0 && (best == count_ || gain(i) > gain(best))) best = i;
    }
    average_[count_] = 1;
    if (options_.mode == GadgetMode::kResolve) return;
    std::fill_n(average_.begin(), count_, 0.0f);
    if (best < count_) average_[best] = scale_[best];
}

std::vector<double> Gadget::margins(std::span<const double> entered) const {
    std::vector<double> margins(count_, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < count_; ++i) {
        if (met_[i] > 0) margins[i] = values_[i] - entered[i] / met_[i];
    }
    return margins;
}

}  // namespace riverboat::spots
