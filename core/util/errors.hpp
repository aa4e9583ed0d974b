// Errors that are sentences for the user. The bindings turn each into the
// Python class of the same name in riverboat.errors.
#pragma once

#include <stdexcept>

namespace riverboat {

struct CardError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

struct GameError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

struct IllegalActionError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

}  // namespace riverboat
