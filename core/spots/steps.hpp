// Steps at one node for all hands of a row: strategies and reaches on the way down, values and
// regrets on the way up. Rows of tables, reaches and values have the same length.
#pragma once

#include <cstddef>
#include <cstdint>

namespace riverboat::spots {

// Discounts of one iteration as factors: of positive and negative regrets before new regrets are
// added, of the average before a strategy is added, and the weight of that strategy.
struct Factors {
    float positive, negative, keep, add;
};

// The rows of one node: [actions, hands] each; null if absent. Regrets and average have 32 or 16
// bits. With 16 bits regrets are integers times one scale, and the average is a running mean of the
// strategies, in 65535ths.
struct NodeTables {
    float* regrets = nullptr;
    float* average = nullptr;
    float* predictions = nullptr;  // the last regrets, for predictive schemes
    const float* lock = nullptr;   // probabilities; nan for hands without a lock
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

// Rows have the values of the actions; their mean replaces the first row. Updates regrets, and, if
// `collect`, the average without reach weights.
void train_up(int actions, const NodeTables& tables, const Factors& factors, bool collect,
              const HandRange& hands, float* const* values);

// The same with tables of 16 bits; the average is always collected on the way up. `fresh` [actions,
// hands] is scratch for the new regrets: their scale is known only after all hands.
void train_down16(int actions, const NodeTables& tables, const HandRange& hands, const float* reach,
                  float* out);
void train_up16(int actions, const NodeTables& tables, const Factors& factors,
                const HandRange& hands, float* const* values, float* fresh);

// The average strategy times `reach` into rows of `out`.
template <typename Real>
void average_down(int actions, const NodeTables& tables, const HandRange& hands, const Real* reach,
                  Real* out);

// The mean of the rows, weighted by the average strategy, replaces the first row.
template <typename Real>
void average_up(int actions, const NodeTables& tables, const HandRange& hands, Real* const* values);

// The largest value replaces the first row; for locked hands, the mean by the lock. If `adopt`, the
// best response replaces the average.
template <typename Real>
void best_up(int actions, const NodeTables& tables, const HandRange& hands, Real* const* values,
             bool adopt);

// The sum of the rows replaces the first row.
template <typename Real>
void sum_up(int actions, const HandRange& hands, Real* const* values);

}  // namespace riverboat::spots
