#include <string_view>

#include "bindings/bindings.hpp"
#include "util/errors.hpp"

namespace riverboat::bindings {
namespace {

template <typename Error>
void set_python_error(const char* name, const Error& error) {
    nb::object type = nb::module_::import_("riverboat.errors").attr(name);
    // Not PyErr_SetString: the message may contain a NUL character.
    const std::string_view text = error.sentence();
    nb::object message = nb::steal(
        PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
    PyErr_SetObject(type.ptr(), message.ptr());
}

}  // namespace

void bind_errors(nb::module_&) {
    nb::register_exception_translator([](const std::exception_ptr& pointer, void*) {
        try {
            std::rethrow_exception(pointer);
        } catch (const CardError& error) {
            set_python_error("CardError", error);
        } catch (const IllegalActionError& error) {
            set_python_error("IllegalActionError", error);
        } catch (const GameError& error) {
            set_python_error("GameError", error);
        }
    });
}

}  // namespace riverboat::bindings

NB_MODULE(RIVERBOAT_MODULE, m) {
    using namespace riverboat::bindings;
    m.doc() = "Riverboat's kernels.";
    // Python caches keep trees and games until exit: that is not a leak.
    nb::set_leak_warnings(false);
    bind_errors(m);
    bind_boards(m);
    bind_equity(m);
    bind_evaluator(m);
    bind_hand_strength(m);
    bind_isomorphism(m);
    bind_clusters(m);
    bind_semantic(m);
    bind_game(m);
    bind_hand(m);
    bind_tree(m);
    bind_solve(m);
    bind_holdem(m);
    bind_public_chance(m);
    bind_hand_values(m);
    bind_response(m);
    bind_run_out(m);
    bind_spots(m);
    bind_flat_spots(m);
    bind_sampled(m);
}
