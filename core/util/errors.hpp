// Errors that are sentences for the user. The bindings turn each into the
// Python class of the same name in riverboat.errors.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace riverboat {

// what() ends at a NUL character; the message does not.
class InputError : public std::invalid_argument {
  public:
    explicit InputError(std::string sentence)
        : std::invalid_argument(sentence), sentence_(std::move(sentence)) {}
    const std::string& sentence() const { return sentence_; }

  private:
    std::string sentence_;
};

struct CardError : InputError {
    using InputError::InputError;
};

struct GameError : InputError {
    using InputError::InputError;
};

struct IllegalActionError : InputError {
    using InputError::InputError;
};

}  // namespace riverboat
