"""Logistic models and the sum of evidence over windows, as in Sources/Stress/Sensor."""

import numpy

from features import LENGTHS, MEANS, alternates, features, windows

LIMIT = 10.0  # log odds that one window can contribute
LEAST, MOST = -8.0, 12.0  # range of the evidence
RESOLVED, DOUBTED, AVERAGED = 0.0, 1.0, 7.0
SETTLED = -6.0  # below it, one window in eight is evaluated


class Series:
    """The windows of a series and their features."""

    def __init__(self, rr):
        self.seconds = numpy.cumsum(rr) / 1000
        self.last, self.run, counts, powers, intervals = windows(rr)
        self.counts = counts
        self.alternates = alternates(powers)
        self.features = {k: features(counts, powers, intervals, k) for k in MEANS}

    def evidence(self, models):
        """Returns the index of the last difference of the evaluated windows and the evidence of each model after them."""
        scores = numpy.column_stack([self.features[k] @ models[k][0] + models[k][1] for k in MEANS])
        scores = numpy.clip(numpy.where(self.alternates[:, None], -LIMIT, scores), -LIMIT, LIMIT)
        sums, places, values, before = numpy.zeros(len(MEANS)), [], [], 0
        for place, (run, count) in enumerate(zip(self.run.tolist(), self.counts.tolist())):
            if run == LENGTHS[0]:
                before = run - count
            if sums.max() < SETTLED and run % LENGTHS[-1]:
                continue
            sums = numpy.clip(sums + scores[place] * min(1, (run - before) / count), LEAST, MOST)
            before = run
            places.append(place)
            values.append(sums)
        return self.last[places], numpy.array(values).reshape(-1, len(MEANS))


def states(values):
    """Returns -1 (beat to beat), 0 (unknown) or 1 (averaged) after each window."""
    state, found = 0, []
    for value in values.max(1).tolist() if len(values) else []:
        if value > AVERAGED or state == 1 and value > RESOLVED:
            state = 1
        elif value < RESOLVED or state == -1 and value < DOUBTED:
            state = -1
        else:
            state = 0
        found.append(state)
    return numpy.array(found)


def logistic(rows, targets, weights, ridge=0.001):
    """Penalised logistic regression by Newton's method; returns slopes and constant."""
    centre, spread = rows.mean(0), rows.std(0) + 1e-6
    scaled = numpy.column_stack([(rows - centre) / spread, numpy.ones(len(rows))])
    penalty = numpy.append(numpy.full(rows.shape[1], ridge), 0)
    found = numpy.zeros(scaled.shape[1])
    for _ in range(30):
        chance = 1 / (1 + numpy.exp(-numpy.clip(scaled @ found, -30, 30)))
        slope = scaled.T @ (weights * (chance - targets)) + penalty * found
        curvature = (scaled * (weights * chance * (1 - chance))[:, None]).T @ scaled + numpy.diag(penalty + 1e-9)
        change = numpy.linalg.solve(curvature, slope)
        found -= change
        if abs(change).max() < 1e-5:
            break
    slopes = found[:-1] / spread
    return slopes, found[-1] - slopes @ centre


def fit(honest, averaged):
    """Fits one model. Both arguments are lists of (rows, weight); beat-to-beat and averaged rows have equal total weight."""
    random = numpy.random.default_rng(0)
    rows, targets, weights = [], [], []
    for target, (side, most) in enumerate([(honest, 800), (averaged, 400)]):
        chosen = []
        for some, weight in side:
            if len(some):
                kept = some if len(some) < most else some[random.choice(len(some), most, replace=False)]
                chosen.append((kept, numpy.full(len(kept), weight * min(1, len(some) / 50) / len(kept))))
        total = sum(weight.sum() for _, weight in chosen)
        rows += [kept for kept, _ in chosen]
        targets += [numpy.full(len(kept), target) for kept, _ in chosen]
        weights += [weight / total for _, weight in chosen]
    return logistic(numpy.concatenate(rows).astype(float), numpy.concatenate(targets), numpy.concatenate(weights))
