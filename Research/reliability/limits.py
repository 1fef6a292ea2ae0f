"""The limits that confidence and interval must satisfy."""

CALIBRATION = 0.08
LEAST_AUC = 0.86
MOST_WRONG = 0.04
MOST_RIGHT = 0.40
MOST_CLEAN_BELOW_ONE = 0.20
MOST_CLEAN_BELOW_08 = 0.10
MOST_AVERAGED = 0.10
COVERAGE = (0.87, 0.93)
LEAST_COVERAGE_OF_KIND = 0.75
UNLIMITED_KINDS = ("mislocated", "jitter")
WIDEST_CLEAN = 1.5  # points: median half width


def confidence(measures):
    """Texts that describe the violated limits of a confidence."""
    for one in measures.bins:
        # Below 0.5 a higher observed probability is acceptable.
        if one.error > CALIBRATION or (one.error < -CALIBRATION and one.low >= 0.5):
            yield (
                f"P(within 10 points) at {one.low}-{one.high} is {one.observed:.2f} for a mean stated confidence of "
                f"{one.stated:.2f} (limit: {CALIBRATION} apart)"
            )
    yield from above("off by more than 15 points at >= 0.8", measures.wrong_when_high, MOST_WRONG)
    yield from above("within 5 points at < 0.5", measures.right_when_low, MOST_RIGHT)
    yield from above("clean windows below 1.0", measures.clean_below_one, MOST_CLEAN_BELOW_ONE)
    yield from above("clean windows below 0.8", measures.clean_below_08, MOST_CLEAN_BELOW_08)
    if measures.auc < LEAST_AUC:
        yield f"AUC is {measures.auc:.3f} (limit: at least {LEAST_AUC})"


def interval(coverage):
    if not COVERAGE[0] <= coverage.overall <= COVERAGE[1]:
        yield f"coverage is {coverage.overall:.3f} (limit: {COVERAGE[0]} to {COVERAGE[1]})"
    for kind, (_, covered, _) in coverage.kinds.items():
        if covered < LEAST_COVERAGE_OF_KIND and kind not in UNLIMITED_KINDS:
            yield f"coverage of {kind} is {covered:.2f} (limit: at least {LEAST_COVERAGE_OF_KIND})"
    if coverage.clean_half_width > WIDEST_CLEAN:
        yield f"half width on clean windows is {coverage.clean_half_width:.1f} points (limit: {WIDEST_CLEAN})"


def averaged(fraction):
    yield from above("averaged and computed RR with a stress value", fraction, MOST_AVERAGED)


def above(name, value, most):
    if value > most:
        yield f"{name}: {100 * value:.1f} % (limit: {100 * most:.0f} %)"
