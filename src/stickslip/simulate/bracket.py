"""Where a gap closes within a step: false position that halves what stands still (Illinois), on a bracket of five numbers."""

from stickslip.complementarity.kernel import kernel

LOW, HIGH, AT_LOW, AT_HIGH, SIDE = range(5)
BRACKET = 5

PATIENCE = 8  # every so many tries the bracket is halved, whatever the values say
NARROW = 1e-15  # s: a bracket as narrow as this is a point


@kernel
def open_bracket(bracket, high, at_high):
    """From zero, where the gap is open by some amount, to `high`, where it is negative."""
    bracket[LOW], bracket[HIGH] = 0.0, high
    bracket[AT_LOW], bracket[AT_HIGH] = float("inf"), at_high
    bracket[SIDE] = 0.0


@kernel
def narrow_bracket(bracket, s, gap):
    """One of the ends moves to s, where the gap has this value."""
    if gap < 0.0:
        bracket[HIGH], bracket[AT_HIGH] = s, gap
        if bracket[SIDE] < 0.0:
            bracket[AT_LOW] *= 0.5
        bracket[SIDE] = -1.0
    else:
        bracket[LOW], bracket[AT_LOW] = s, gap
        if bracket[SIDE] > 0.0:
            bracket[AT_HIGH] *= 0.5
        bracket[SIDE] = 1.0


@kernel
def next_try(bracket, tries):
    """Where to look next; the middle while the gap at the lower end is not known."""
    low, high = bracket[LOW], bracket[HIGH]
    at_low, at_high = bracket[AT_LOW], bracket[AT_HIGH]
    if at_low < float("inf") and tries % PATIENCE != PATIENCE - 1:
        s = (low * at_high - high * at_low) / (at_high - at_low)
        return min(max(s, low), high)
    return 0.5 * (low + high)


@kernel
def never_open(bracket):
    """Whether no try found the gap open, however short: it was closed already."""
    return bracket[AT_LOW] == float("inf")


@kernel
def is_point(bracket):
    return bracket[HIGH] - bracket[LOW] <= NARROW
