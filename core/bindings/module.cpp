#include "bindings/bindings.hpp"
#include "util/errors.hpp"

namespace riverboat::bindings {
namespace {

template <typename Error>
void set_python_error(const char* name, const Error& error) {
    nb::object type = nb::module_::import_("riverboat.errors").attr(name);
    PyErr_SetString(type.ptr(), error.what());
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
    bind_errors(m);
    bind_evaluator(m);
    bind_game(m);
    bind_hand(m);
}
