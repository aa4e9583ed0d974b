#include "cards/evaluator.hpp"

#include <string>

#include "bindings/hands.hpp"
#include "cards/few_cards.hpp"

namespace riverboat::bindings {
namespace {

const Evaluator& evaluator_of(bool short_deck) {
    return short_deck ? Evaluator::short_deck() : Evaluator::standard();
}

int evaluate(nb::handle hand, nb::handle is_short_deck) {
    const int truth = PyObject_IsTrue(is_short_deck.ptr());
    if (truth < 0) nb::raise_python_error();
    const bool short_deck = truth != 0;
    Card cards[kNumCards];
    int count = 0;
    for_each_card(hand, [&](Card card) { cards[count++] = card; });
    if (count < 5 || count > 7) {
        throw CardError("a hand has 5, 6 or 7 cards: " + python_repr(hand) + " has " +
                        std::to_string(count));
    }
    for (int i = 0; short_deck && i < count; ++i) {
        if (cards[i] < 16) {
            throw CardError(card_text(cards[i]) +
                            " is not in the short deck: it starts at the six");
        }
    }
    return evaluator_of(short_deck).strength(cards, count);
}

void evaluate_batch_into(Matrix<const Card> cards, Vector<std::uint16_t> out, bool short_deck) {
    const int count = static_cast<int>(cards.shape(1));
    const auto num_hands = static_cast<std::int64_t>(cards.shape(0));
    if (count < 5 || count > 7 || out.shape(0) != cards.shape(0)) {
        throw CardError("a batch of hands has the shape [n, 5], [n, 6] or [n, 7], not [n, " +
                        std::to_string(count) + "]");
    }
    std::int64_t bad;
    {
        nb::gil_scoped_release release;
        bad = evaluate_batch(evaluator_of(short_deck), cards.data(), num_hands, count, out.data());
    }
    if (bad >= 0) {
        throw CardError("row " + std::to_string(bad) + " of the batch is not a hand of " +
                        std::to_string(count) + " different cards " +
                        (short_deck ? "16 to 51 (the short deck)" : "0 to 51"));
    }
}

int evaluate_few(nb::handle hand) {
    Card cards[kNumCards];
    int count = 0;
    for_each_card(hand, [&](Card card) { cards[count++] = card; });
    if (count < 1 || count > kMostFew) {
        throw CardError("a hand must have 1 to 4 cards here, not " + std::to_string(count));
    }
    return few_strength(cards, count);
}

void evaluate_few_batch_into(Matrix<const Card> cards, Vector<std::uint16_t> out) {
    const int count = static_cast<int>(cards.shape(1));
    if (count < 1 || count > kMostFew || out.shape(0) != cards.shape(0)) {
        throw CardError("a hand must have 1 to 4 cards here, not " + std::to_string(count));
    }
    std::int64_t bad;
    {
        nb::gil_scoped_release release;
        bad = evaluate_few_batch(cards.data(), static_cast<std::int64_t>(cards.shape(0)), count,
                                 out.data());
    }
    if (bad >= 0) {
        throw CardError("row " + std::to_string(bad) + " of the batch is not a hand of " +
                        std::to_string(count) + " different cards 0 to 51");
    }
}

void count_strengths_into(Vector<std::int64_t> counts, int count, int first_begin, int first_end,
                          bool short_deck) {
    const auto& evaluator = evaluator_of(short_deck);
    if (static_cast<int>(counts.shape(0)) != evaluator.num_strengths() || count < 5 || count > 7 ||
        first_begin < 0 || first_end > kNumCards) {
        throw CardError("count_strengths: arguments out of range");
    }
    nb::gil_scoped_release release;
    count_strengths(evaluator, short_deck ? 16 : 0, count, first_begin, first_end, counts.data());
}

void hand_classes_into(Vector<std::uint8_t> categories, Matrix<std::uint8_t> ranks,
                       bool short_deck) {
    const auto& classes = evaluator_of(short_deck).classes();
    if (categories.shape(0) != classes.size() || ranks.shape(0) != classes.size() ||
        ranks.shape(1) != 5) {
        throw CardError("hand_classes: arrays of the wrong shape");
    }
    for (std::size_t i = 0; i < classes.size(); ++i) {
        categories.data()[i] = static_cast<std::uint8_t>(classes[i].category);
        std::copy(classes[i].ranks.begin(), classes[i].ranks.end(), ranks.data() + 5 * i);
    }
}

}  // namespace

void bind_evaluator(nb::module_& m) {
    m.def("evaluate", &evaluate, nb::arg("hand").none(), nb::arg("short_deck") = false,
          "Return the strength of the best five of 5, 6 or 7 cards; bigger is better.");
    m.def("evaluate_batch_into", &evaluate_batch_into, nb::arg("cards"), nb::arg("out").noconvert(),
          nb::arg("short_deck"));
    m.def("evaluate_few", &evaluate_few, nb::arg("hand").none(),
          "Return the strength of 1 to 4 cards among hands with that number of cards.");
    m.def("evaluate_few_batch_into", &evaluate_few_batch_into, nb::arg("cards"),
          nb::arg("out").noconvert());
    m.def("count_strengths_into", &count_strengths_into, nb::arg("counts").noconvert(),
          nb::arg("count"), nb::arg("first_begin"), nb::arg("first_end"), nb::arg("short_deck"));
    m.def("hand_classes_into", &hand_classes_into, nb::arg("categories").noconvert(),
          nb::arg("ranks").noconvert(), nb::arg("short_deck"));
    m.def(
        "num_strengths", [](bool short_deck) { return evaluator_of(short_deck).num_strengths(); },
        nb::arg("short_deck"));
}

}  // namespace riverboat::bindings
