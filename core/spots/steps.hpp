// What happens at one node, for all hands of a row: strategies and reaches on the way down, values
// and regrets on the way up. Rows of tables, reaches and values are equally long.
#pragma once

#include <cstddef>
#include <cstdint>

namespace riverboat::spots {

// Discounts of one iteration, as factors: of positive and negative regrets before the new ones are
// added, of the average before a strategy is, and the weight of that strategy.
struct Factors {
    float positive, negative, keep, add;
};

// The rows of one node: [actions, hands] each; what is null is not there. Regrets and average have
// 32 bits, or 16: then regrets are whole numbers times one scale, and the average is a running mean
// of the strategies, in 65535ths.
struct NodeTables {
    float* regrets = nullptr;
    float* average = nullptr;
    float* predictions = nullptr;  // the last regrets, where the scheme is predictive
    const float* lock = nullptr;   // probabilities; nan where the hand is free
    std::int16_t* regrets16 = nullptr;
    std::uint16_t* average16 = nullptr;
    float* scale16 = nullptr;
};

// The hands [begin, end) of rows `stride` apart; begin and end are multiples of eight.
struct HandRange {
    std::size_t stride, begin, end;
};

// The strategy by regret matching times `reach` into rows of `out`. Adds it to the average if
// `collect`.
void train_down(int actions, const NodeTables& tables, const Factors& factors, bool collect,
                const HandRange& hands, const float* reach, float* out);

// Values of the actions stand in rows; their mean replaces the first. Updates regrets, and the
// average if `collect`, by the strategy alone.
void train_up(int actions, const NodeTables& tables, const Factors& factors, bool collect,
              const HandRange& hands, float* const* values);

// The same with tables of 16 bits; the average is always collected on the way up. `fresh` [actions,
// hands] is room for the new regrets: their scale is known when all are. All hands at once.
void train_down16(int actions, const NodeTables& tables, const HandRange& hands, const float* reach,
                  float* out);
void train_up16(int actions, const NodeTables& tables, const Factors& factors,
                const HandRange& hands, float* const* values, float* fresh);

// The average strategy times `reach` into rows of `out`.
template <typename Real>
void average_down(int actions, const NodeTables& tables, const HandRange& hands, const Real* reach,
                  Real* out);

// The mean of the rows by the average strategy replaces the first.
template <typename Real>
void average_up(int actions, const NodeTables& tables, const HandRange& hands, Real* const* values);

// The largest value replaces the first, of locked hands the mean by the lock. If `adopt`, the
// average becomes the best response.
template <typename Real>
void best_up(int actions, const NodeTables& tables, const HandRange& hands, Real* const* values,
             bool adopt);

// The sum of the rows replaces the first.
template <typename Real>
void sum_up(int actions, const HandRange& hands, Real* const* values);

}  // namespace riverboat::spots
