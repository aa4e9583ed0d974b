// Reading of arbitrary Python objects: their text, their items, and their repr for error messages.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bindings/bindings.hpp"

namespace riverboat::bindings {

// The object's repr, cut short, even if __repr__ fails: for error messages.
std::string python_repr(nb::handle object);

// The text of a Python string; empty if it cannot be UTF-8 (a lone surrogate).
std::optional<std::string_view> utf8_of(nb::handle text);

// The text of a Python string; throws Error if it cannot be UTF-8.
template <typename Error>
std::string_view text_from(nb::handle object) {
    const auto text = utf8_of(object);
    if (!text) throw Error(python_repr(object) + " is not valid Unicode text");
    return *text;
}

// For exceptions of the caller's code: a TypeError or OverflowError means that the value is
// unusable, and an error message follows; any other exception, such as KeyboardInterrupt, is passed
// on.
void clear_type_error();

// The items as a new tuple, which the items' code cannot change; invalid for text, dicts, sets and
// objects without items.
nb::object items_of(nb::handle object);

}  // namespace riverboat::bindings
