#include "sampled/forecast.hpp"

namespace riverboat::sampled {
namespace {

class Forecaster {
  public:
    Forecaster(const Tree& tree, const std::vector<Card>& flop, const spots::Weights& weights,
               const SampledOptions& options)
        : options_(options),
          boards_(tree.spec(), flop, weights, options.bins),
          program_(compile_lanes(tree)) {
        for (int p = 0; p < 2; ++p) hands_ += boards_.hands(p).count;
    }

    SampledForecast find() {
        for (const Pack& pack : program_.turns) add_turn(pack);
        for (const Pack& pack : program_.rivers) add_river(pack);
        // Regrets and average of the flop are a part of its rows.
        const std::uint64_t tables = lane_tables_ * sizeof(Lanes) * boards_.deck().size();
        const std::uint64_t turn_rows = program_.turns.size() * (1 + options_.turns);
        return {
            .table_bytes = tables + Flop::bytes_for(program_.first, boards_),
            .board_bytes = boards_.forecast_bytes(),
            .scratch_bytes = program_.bytes() + turn_rows * rows() * sizeof(Lanes) +
                             options_.threads_used() * worker_bytes(),
            .hand_steps = options_.turns * hand_steps_,
            .bin_steps = options_.turns * bin_steps_,
            .copy_steps = options_.turns * copy_steps_ + flop_steps(),
        };
    }

  private:
    std::uint64_t rows() const { return rows_size(boards_.hands(0)) + rows_size(boards_.hands(1)); }

    std::uint64_t worker_bytes() const {
        const std::uint64_t scratch = PackScratch::bytes_for(
            ShapeSizes(program_.shapes), options_.most_bins(), most_hands(boards_));
        return scratch + worker_rows_ * 2 * rows() * sizeof(Lanes);  // reach and values
    }

    // Entries and sequences of both players, and what an update of a bin passes.
    static std::uint64_t matched(const Shape& shape) {
        std::uint64_t steps = 0;
        for (int p = 0; p < 2; ++p) steps += shape.entries[p] + shape.num_sequences(p);
        return steps;
    }
    static std::uint64_t updated(const Shape& shape) {
        return 2 * (shape.ends.size() + shape.nodes.size()) + shape.entries[0] + shape.entries[1];
    }

    void add_turn(const Pack& pack) {
        const Shape& shape = program_.shapes[pack.shape];
        const std::uint64_t exits = shape.exits.size();
        lane_tables_ += options_.bins.turn * (shape.entries[0] + shape.entries[1]);
        worker_rows_ += exits;
        bin_steps_ += options_.bins.turn * (2 * matched(shape) + updated(shape));
        hand_steps_ += hands_ * exits;
        for (int p = 0; p < 2; ++p) hand_steps_ += hands_ * shape.columns[p].folds.size() / 2;
        copy_steps_ += 2 * hands_ * pack.count;
    }

    void add_river(const Pack& pack) {
        const Shape& shape = program_.shapes[pack.shape];
        lane_tables_ += options_.bins.river * (shape.entries[0] + shape.entries[1]);
        bin_steps_ += options_.rivers * options_.bins.river * (matched(shape) + updated(shape));
        for (const Columns& columns : shape.columns) {
            hand_steps_ +=
                options_.rivers * hands_ *
                (2 * columns.both.size() + 2 * columns.showdowns.size() + columns.folds.size());
        }
        if (pack.straight) return;
        worker_rows_ += 1;
        copy_steps_ += 2 * hands_ * pack.count;
    }

    // The flop's rows hold single numbers side by side.
    std::uint64_t flop_steps() const {
        const Shape& shape = program_.first;
        const std::uint64_t rows = updated(shape) + 2 * matched(shape);
        return hands_ * rows / 2 / kLanes;
    }

    const SampledOptions& options_;
    FlopBoards boards_;
    Program program_;
    std::uint64_t hands_ = 0;
    std::uint64_t lane_tables_ = 0;  // rows of regrets after a turn card
    std::uint64_t worker_rows_ = 0;  // rows of hands of both players
    std::uint64_t hand_steps_ = 0, bin_steps_ = 0, copy_steps_ = 0;  // by turn card
};

}  // namespace

SampledForecast forecast_sampled(const Tree& tree, const std::vector<Card>& flop,
                                 const spots::Weights& weights, const SampledOptions& options) {
    check_sampled(tree, flop, options);
    return Forecaster(tree, flop, weights, options).find();
}

}  // namespace riverboat::sampled
