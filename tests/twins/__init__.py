"""Slow twins of the kernels in plain Python: the tests compare the two."""
