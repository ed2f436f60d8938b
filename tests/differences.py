"""Derivatives by differences, as an independent check."""


def derivative(f, h=1e-3):
    """Six-point central difference of f at zero: error h^6."""
    return sum(c * (f(k * h) - f(-k * h)) for k, c in ((1, 45), (2, -9), (3, 1))) / (60 * h)
