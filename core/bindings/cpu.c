/* Which kernels may run here? A module of its own, compiled for the baseline,
   so that asking never executes an instruction the CPU lacks. */
#include <Python.h>

static PyObject *has_x86_64_v3(PyObject *self, PyObject *unused) {
    (void)self;
    (void)unused;
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    int found = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") &&
                __builtin_cpu_supports("popcnt");
    return PyBool_FromLong(found);
#else
    Py_RETURN_FALSE;
#endif
}

static PyMethodDef methods[] = {
    {"has_x86_64_v3", has_x86_64_v3, METH_NOARGS,
     "True where the CPU runs x86-64-v3 code (AVX2, BMI1, BMI2, FMA)."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_cpu", "CPU features that decide which kernels are loaded.",
    0, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__cpu(void) { return PyModuleDef_Init(&module); }
