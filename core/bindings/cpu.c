/* Which kernels may run here? A module of its own, compiled for the baseline,
   so that asking never executes an instruction the CPU lacks. */
#include <Python.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>

/* The parts of x86-64-v3 that not every compiler's __builtin_cpu_supports knows by name:
   MOVBE and F16C (leaf 1, ECX), LZCNT (leaf 0x80000001, ECX). */
static int has_movbe_f16c_lzcnt(void) {
    const unsigned movbe = 1u << 22, f16c = 1u << 29, lzcnt = 1u << 5;
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & movbe) || !(c & f16c)) return 0;
    return __get_cpuid(0x80000001u, &a, &b, &c, &d) && (c & lzcnt);
}
#endif

static PyObject *has_x86_64_v3(PyObject *self, PyObject *unused) {
    (void)self;
    (void)unused;
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    int found = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") &&
                __builtin_cpu_supports("popcnt") && has_movbe_f16c_lzcnt();
    return PyBool_FromLong(found);
#else
    Py_RETURN_FALSE;
#endif
}

static PyMethodDef methods[] = {
    {"has_x86_64_v3", has_x86_64_v3, METH_NOARGS,
     "True where the CPU runs x86-64-v3 code (AVX2, BMI1, BMI2, FMA, F16C, LZCNT, MOVBE)."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT, "_cpu", "CPU features that decide which kernels are loaded.",
    0, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__cpu(void) { return PyModuleDef_Init(&module); }
