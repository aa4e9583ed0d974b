#include "bindings/objects.hpp"

#include "game/line.hpp"

namespace riverboat::bindings {
namespace {

constexpr std::size_t kMostShown = 300;  // bytes of an object in an error message

// Passes on everything that is not an Exception, such as KeyboardInterrupt.
void clear_exception() {
    if (PyErr_Occurred() == nullptr) return;
    if (!PyErr_ExceptionMatches(PyExc_Exception)) nb::raise_python_error();
    PyErr_Clear();
}

}  // namespace

std::optional<std::string_view> utf8_of(nb::handle text) {
    Py_ssize_t length = 0;
    const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &length);
    if (bytes != nullptr) return std::string_view(bytes, static_cast<std::size_t>(length));
    PyErr_Clear();
    return std::nullopt;
}

std::string python_repr(nb::handle object) {
    // A __repr__ may raise, or return text that UTF-8 cannot encode.
    for (const auto represent : {PyObject_Repr, PyObject_ASCII}) {
        nb::object shown = nb::steal(represent(object.ptr()));
        const auto text = shown.is_valid() ? utf8_of(shown) : std::nullopt;
        if (text) return clipped(*text, kMostShown);
        clear_exception();
    }
    return std::string("an object of type ") + Py_TYPE(object.ptr())->tp_name;
}

void clear_type_error() {
    if (PyErr_Occurred() == nullptr) return;
    if (!PyErr_ExceptionMatches(PyExc_TypeError) && !PyErr_ExceptionMatches(PyExc_OverflowError)) {
        nb::raise_python_error();
    }
    PyErr_Clear();
}

nb::object items_of(nb::handle object) {
    if (PyUnicode_Check(object.ptr()) || PyDict_Check(object.ptr()) || PyAnySet_Check(object.ptr()))
        return {};
    nb::object items = nb::steal(PySequence_Tuple(object.ptr()));
    if (!items.is_valid()) clear_exception();
    return items;
}

}  // namespace riverboat::bindings
