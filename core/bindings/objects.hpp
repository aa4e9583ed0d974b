// What the bindings that read objects of people's own share: their text, their items, and how to
// show them in a sentence.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bindings/bindings.hpp"

namespace riverboat::bindings {

// How Python shows the object, whatever its __repr__ does, cut short: for error sentences.
std::string python_repr(nb::handle object);

// The text of a Python string; nothing where it cannot be UTF-8 (half of a surrogate pair).
std::optional<std::string_view> utf8_of(nb::handle text);

// The text of a Python string; throws Error where it cannot be UTF-8.
template <typename Error>
std::string_view text_from(nb::handle object) {
    const auto text = utf8_of(object);
    if (!text) throw Error(python_repr(object) + " is not text in Unicode");
    return *text;
}

// For what the caller's own code raised: a TypeError or OverflowError says that the value is of no
// use, and a sentence follows; anything else (a KeyboardInterrupt, say) is the caller's to see.
void clear_type_error();

// The items as a tuple of its own, so that nothing that they do can change it; invalid for text,
// dicts, sets and what has no items.
nb::object items_of(nb::handle object);

}  // namespace riverboat::bindings
